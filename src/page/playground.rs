//! The playground's form: the index expression and its settings.

use web_sys::{HtmlInputElement, HtmlSelectElement};
use yew::{AttrValue, Callback, Html, InputEvent, TargetCast, html};

use super::arithmetic::arithmetic;
use super::field::TextField;
use super::icon::Icon;
use engine::access::AccessOp;
use workbench::app::{Event, PlayEdit, PlayField, Session};
use workbench::playground::{EXAMPLES, Mistake, Part, Playground, Swizzle, WIDTHS};
use workbench::share::View;

/// The form, if the view shows the playground or an operation.
pub(crate) fn playground(session: &Session, view: View, dispatch: &Callback<Event>) -> Html {
    if view == View::Arithmetic {
        return arithmetic(session, dispatch);
    }
    let Some(playground) = session.playground(view) else {
        return Html::default();
    };
    html! {
        <section class="play-form" aria-label="Playground" data-testid="playground"
            data-settings={session.ui.play.settings.to_string()}>
            { expression(session, playground, dispatch) }
            <div class="play-settings">
                { layout(session, playground, dispatch) }
                { access(playground, dispatch) }
                { threads(session, playground, dispatch) }
                { names(session, playground, dispatch) }
            </div>
            { for session.ui.play.drafts.values().map(|(_, why)| html! { <p class="refusal" role="alert">{ why }</p> }) }
        </section>
    }
}

/// The expression with its examples and its error.
fn expression(session: &Session, playground: &Playground, dispatch: &Callback<Event>) -> Html {
    let oninput = dispatch.reform(|event: InputEvent| {
        let text = event.target_unchecked_into::<HtmlInputElement>().value();
        Event::Playground(PlayEdit::Expr(text))
    });
    let mistake = session.ui.play.mistake.as_ref();
    let wrong = mistake.is_some_and(|mistake| mistake.part == Part::Expr);
    let fold = dispatch.reform(|_| Event::Playground(PlayEdit::Settings));
    html! {
        <>
            <div class="play-line">
                <label class="label" for="play-expr">{ "Each lane accesses" }</label>
                <input id="play-expr" class="field" data-testid="play-expr" value={playground.expr.clone()}
                    autocomplete="off" autocapitalize="off" spellcheck="false"
                    aria-invalid={wrong.to_string()} aria-describedby="play-mistake" {oninput}/>
                { examples(session, dispatch) }
                <button class="btn line play-fold" aria-expanded={session.ui.play.settings.to_string()}
                    data-testid="play-settings" onclick={fold}>{ "Settings" }</button>
            </div>
            <div id="play-mistake" class="play-mistake" role="status" data-testid="play-mistake">
                { for mistake.map(|mistake| mistake_html(session, mistake, dispatch)) }
            </div>
        </>
    }
}

/// The error: a caret below its column, the message, and a fix.
fn mistake_html(session: &Session, mistake: &Mistake, dispatch: &Callback<Event>) -> Html {
    let caret = (mistake.part == Part::Expr && mistake.column > 0).then(|| {
        let before = " ".repeat(mistake.column as usize - 1);
        let mark = "~".repeat((mistake.length as usize).saturating_sub(1).min(80));
        html! { <pre class="caret" aria-hidden="true">{ format!("{before}^{mark}") }</pre> }
    });
    let fix = session.play_fixed().map(|text| {
        let label = format!("Write {}", mistake.fix.as_deref().unwrap_or_default());
        let onclick = dispatch.reform(move |_| Event::Playground(PlayEdit::Expr(text.clone())));
        html! { <button class="btn line" data-testid="play-fix" {onclick}>{ label }</button> }
    });
    html! { <>{ caret }<p>{ mistake.sentence() }</p>{ fix }</> }
}

fn examples(session: &Session, dispatch: &Callback<Event>) -> Html {
    let chosen = session.play_example();
    let onchange = dispatch.reform(|event: yew::Event| {
        let id = event.target_unchecked_into::<HtmlSelectElement>().value();
        Event::Playground(PlayEdit::Example(id))
    });
    html! {
        <span class="pick">
            <span>{ "Examples" }</span>{ Icon::Down.html() }
            <select data-testid="play-examples" aria-label="Examples" {onchange}>
                <option value="" disabled={true} selected={chosen.is_none()}>{ "Custom expression" }</option>
                { for EXAMPLES.iter().map(|example| html! {
                    <option value={example.id} selected={chosen == Some(example.id)}>{ example.title }</option>
                }) }
            </select>
        </span>
    }
}

/// Rows and columns of the array, if the expression uses them.
fn layout(session: &Session, playground: &Playground, dispatch: &Callback<Event>) -> Html {
    if !session.play_has_rows() {
        return Html::default();
    }
    let swizzled = playground.swizzle == Swizzle::Xor;
    let other = if swizzled { Swizzle::None } else { Swizzle::Xor };
    html! {
        <>
            { field(session, playground, dispatch, PlayField::Extents, "play-extents") }
            { stepper("Padding", playground.pad, "play-pad", "", dispatch, PlayEdit::Pad) }
            { chip("xor swizzle", "play-swizzle", swizzled, dispatch, PlayEdit::Swizzle(other)) }
        </>
    }
}

/// Width and kind of the access.
fn access(playground: &Playground, dispatch: &Callback<Event>) -> Html {
    let width = |bytes: &u8| {
        let (bytes, chosen) = (*bytes, *bytes == playground.elem);
        chip(
            &bytes.to_string(),
            &format!("play-elem-{bytes}"),
            chosen,
            dispatch,
            PlayEdit::Elem(bytes),
        )
    };
    let op = |(op, name): (AccessOp, &str)| {
        chip(
            name,
            &format!("play-op-{name}"),
            op == playground.op,
            dispatch,
            PlayEdit::Op(op),
        )
    };
    let ops = [
        (AccessOp::Load, "load"),
        (AccessOp::Store, "store"),
        (AccessOp::Atomic, "atomic"),
    ];
    html! {
        <>
            <div class="control" role="group" aria-label="Bytes per lane">
                <span class="label">{ "Bytes" }</span>{ for WIDTHS.iter().map(width) }
            </div>
            <div class="control" role="group" aria-label="Access kind">
                <span class="label">{ "Does" }</span>{ for ops.into_iter().map(op) }
            </div>
        </>
    }
}

/// The block, its warp, and the active lanes.
fn threads(session: &Session, playground: &Playground, dispatch: &Callback<Event>) -> Html {
    let oninput = dispatch.reform(|event: InputEvent| {
        let text = event.target_unchecked_into::<HtmlInputElement>().value();
        Event::Playground(PlayEdit::When(text))
    });
    let mistake = session.ui.play.mistake.as_ref();
    let wrong = mistake.is_some_and(|mistake| mistake.part == Part::When);
    let of = format!("of {}", playground.warps());
    html! {
        <>
            { field(session, playground, dispatch, PlayField::Block, "play-block") }
            { stepper("Warp", playground.warp, "play-warp", &of, dispatch, PlayEdit::Warp) }
            <label class="control"><span class="label">{ "Active lanes" }</span>
                <input class="field" data-testid="play-when" value={playground.when.clone()} placeholder="all"
                    autocomplete="off" autocapitalize="off" spellcheck="false"
                    aria-invalid={wrong.to_string()} aria-describedby="play-mistake" {oninput}/>
            </label>
            { field(session, playground, dispatch, PlayField::Start, "play-start") }
        </>
    }
}

/// A field for each free name of the expression.
fn names(session: &Session, playground: &Playground, dispatch: &Callback<Event>) -> Html {
    let name = |name: String| {
        let id = format!("play-name-{}", name.replace('.', "-"));
        field(session, playground, dispatch, PlayField::Name(name), &id)
    };
    html! { <>{ for session.play_names().into_iter().map(name) }</> }
}

fn field(
    session: &Session,
    playground: &Playground,
    dispatch: &Callback<Event>,
    field: PlayField,
    id: &str,
) -> Html {
    let (label, value) = (field.label(), session.play_text(playground, &field));
    let wrong = session.ui.play.drafts.contains_key(&field);
    let mono = matches!(field, PlayField::Name(_)).then_some("mono");
    let sets = format!("{field:?}");
    let on_text = dispatch.reform(move |text| Event::Playground(PlayEdit::Field(field.clone(), text)));
    html! {
        <label class="control"><span class={yew::classes!("label", mono)}>{ label.clone() }</span>
            <TextField class="field short" {value} id={id.to_owned()} name={label.clone()} {sets}
                is_invalid={wrong} {on_text}/>
        </label>
    }
}

fn chip(name: &str, id: &str, on: bool, dispatch: &Callback<Event>, edit: PlayEdit) -> Html {
    let onclick = dispatch.reform(move |_| Event::Playground(edit.clone()));
    html! {
        <button class="chip" aria-pressed={on.to_string()} data-testid={id.to_owned()} {onclick}>{ name.to_owned() }</button>
    }
}

/// A number with a button on either side.
fn stepper(
    name: &'static str,
    value: u32,
    id: &str,
    unit: &str,
    dispatch: &Callback<Event>,
    edit: fn(u32) -> PlayEdit,
) -> Html {
    let to = |value: u32| dispatch.reform(move |_| Event::Playground(edit(value)));
    let button = |icon: Icon, word: &str, to: Callback<yew::MouseEvent>, end: &str| {
        let label = AttrValue::from(format!("{name}: one {word}"));
        html! {
            <button class="btn" aria-label={label.clone()} title={label} data-testid={format!("{id}-{end}")}
                onclick={to}>{ icon.html() }</button>
        }
    };
    html! {
        <div class="control stepper" role="group" aria-label={name}>
            <span class="label">{ name }</span>
            { button(Icon::Minus, "less", to(value.saturating_sub(1)), "less") }
            <output class="num" data-testid={id.to_owned()}>{ value }</output>
            { button(Icon::Plus, "more", to(value.saturating_add(1)), "more") }
            { (!unit.is_empty()).then(|| html! { <span class="label">{ unit.to_owned() }</span> }) }
        </div>
    }
}
