//! The transport: the cycle, the buttons, the speed, and the strip of the whole run.

use std::rc::Rc;

use web_sys::HtmlSelectElement;
use yew::{Callback, Html, KeyboardEvent, MouseEvent, TargetCast, html};

use super::button::button;
use super::canvas::Hovered;
use super::icon::{self, Icon};
use super::memo::MemoParts;
use super::menu::menu;
use super::palette::Palette;
use super::stops::stops;
use super::strip::Strip;
use engine::trace::find::Query;
use workbench::app::{CompareEdit, Direction, Event, Jump, Moment, Panel, Session, Speed};
use workbench::scene::Scene;

/// The transport's markup.
pub(crate) fn transport(
    session: &Session,
    (run, marks): (Option<&Rc<Scene>>, Option<&Rc<Scene>>),
    (palette, memo): (&Rc<Palette>, &MemoParts),
    (on_size, on_hover): (&Callback<(f32, f32)>, &Callback<Hovered>),
    (width, dispatch): (f32, &Callback<Event>),
) -> Html {
    html! {
        <footer class="trans" aria-label="Transport">
            <div class="controls">
                { cycle(session) }
                { memo.part_of("buttons", &session.playback.playing, || buttons(session, dispatch)) }
                { jumps(session, memo, dispatch) }
                { memo.part_of("steps", &(session.playback.playing, session.next_of_warp_text()), || steps(session, dispatch)) }
                <span class="grow hide-phone"/>
                { memo.part("speeds", || speeds(session, dispatch)) }
            </div>
            <div class="density">
                { strip_of(session, (run, marks), palette, (on_size, on_hover), dispatch) }
                { stops(session, width, dispatch) }
            </div>
        </footer>
    }
}

/// The strip of the whole run; in a comparison it shows the common clock.
pub(crate) fn strip_of(
    session: &Session,
    (run, marks): (Option<&Rc<Scene>>, Option<&Rc<Scene>>),
    palette: &Rc<Palette>,
    (on_size, on_hover): (&Callback<(f32, f32)>, &Callback<Hovered>),
    dispatch: &Callback<Event>,
) -> Html {
    let comparing = session.is_comparing();
    let ((num, now), part) = (session.strip_clock(), session.ui.state.strip);
    let window = session.timeline_window().filter(|_| !comparing);
    let dispatch = if comparing {
        on_clock(dispatch)
    } else {
        dispatch.clone()
    };
    html! {
        <Strip run={run.cloned()} marks={marks.cloned()} palette={Rc::clone(palette)} enlargement={session.enlargement()} {part} {window} cycle={now}
            num_cycles={num} on_size={on_size.clone()} on_hover={on_hover.clone()} {dispatch}/>
    }
}

/// Converts the strip's events to positions of the comparison's clock.
fn on_clock(dispatch: &Callback<Event>) -> Callback<Event> {
    let dispatch = dispatch.clone();
    Callback::from(move |event| match event {
        Event::Seek(position) => dispatch.emit(Event::Compare(CompareEdit::Clock(position))),
        event => dispatch.emit(event),
    })
}

fn cycle(session: &Session) -> Html {
    html! {
        <div class="cycle">
            <b data-testid="cycle">{ session.clock_text() }</b>
            <span class="dim" data-testid="cycle-of">{ session.clock_note() }</span>
        </div>
    }
}

fn buttons(session: &Session, dispatch: &Callback<Event>) -> Html {
    html! {
        <>
            { step(dispatch, "1 cycle back", "step-back", -1) }
            { play_button(session, dispatch) }
            { step(dispatch, "1 cycle forward", "step-forward", 1) }
            { button(Icon::NextIssue, &format!("Next {}", session.ui.jump.query), "next-issue-phone", "phone-only", dispatch,
                Event::Jump(Jump::Go(Direction::Forward))) }
        </>
    }
}

/// The button and the menu of all steps besides play, one cycle, and Jump to. The menu stays open: steps are repeated.
fn steps(session: &Session, dispatch: &Callback<Event>) -> Html {
    let open = session.ui.panel == Some(Panel::Steps);
    let onclick = dispatch.reform(|_| Event::Panel(Panel::Steps));
    let item = |name: &str, key: &str, id: &'static str, event: Event| {
        let onclick = dispatch.reform(move |_| event.clone());
        html! {
            <button class="btn" role="menuitem" data-testid={id} {onclick}><span>{ name }</span><kbd>{ key }</kbd></button>
        }
    };
    let backward = session.playback.playing == Some(Direction::Backward);
    let reverse = if backward { "Pause" } else { "Play backwards" };
    let menu = open.then(|| {
        let items = html! {
            <>
                { item("First cycle", "Home", "first", Event::Seek(0)) }
                { item("Last cycle", "End", "last", Event::SeekEnd) }
                { item("10 cycles back", "Shift ←", "step-back-10", Event::Step(-10)) }
                { item("10 cycles forward", "Shift →", "step-forward-10", Event::Step(10)) }
                { item(reverse, "B", "reverse", Event::Play(Direction::Backward)) }
                { item("Next issue", "I", "next-issue", Event::NextIssue) }
                { item("Next stall", "S", "next-stall", Event::NextStall) }
                { item(&session.next_of_warp_text(), "E", "next-of-warp", Event::NextOfWarp) }
                { item("Next moment", "'", "next-moment", Event::Jump(Jump::NextMoment)) }
            </>
        };
        menu("More steps", "steps", items, dispatch)
    });
    html! {
        <div class="steps hide-phone">
            <button class="btn" aria-label="More steps" title="More steps: first and last cycle, backwards, next issue, next stall"
                aria-haspopup="menu" aria-expanded={open.to_string()} data-testid="more-steps" {onclick}>{ Icon::More.html() }</button>
            { menu }
        </div>
    }
}

/// The menu of jump targets, and buttons for the next and the previous target.
fn jumps(session: &Session, memo: &MemoParts, dispatch: &Callback<Event>) -> Html {
    let kinds = session.jump_kinds();
    let looking = session.looking_sentence();
    let key = (
        kinds.clone(),
        session.ui.jump.query,
        looking.clone(),
        session.moments().to_vec(),
    );
    memo.part_of("jumps", &key, || jumps_to(session, &kinds, looking, dispatch))
}

fn jumps_to(
    session: &Session,
    kinds: &[(Query, String)],
    looking: Option<String>,
    dispatch: &Callback<Event>,
) -> Html {
    let chosen = session.ui.jump.query;
    let names: Vec<String> = kinds.iter().map(|(query, _)| query.to_string()).collect();
    let shown = kinds.iter().position(|(query, _)| *query == chosen).unwrap_or(0);
    let num_moments = session.moments().len();
    let choose = dispatch.clone();
    let onchange = Callback::from(move |event: yew::Event| {
        let select = event.target_unchecked_into::<HtmlSelectElement>();
        let idx = usize::try_from(select.selected_index()).unwrap_or(0);
        let name = names.get(idx);
        if let Some(query) = name.and_then(|name| Query::parse(name).ok()) {
            return choose.emit(Event::Jump(Jump::Choose(query)));
        }
        // A moment and the search are not targets of the buttons beside the menu.
        select.set_selected_index(shown as i32);
        choose.emit(
            match idx.checked_sub(names.len()).filter(|idx| *idx < num_moments) {
                Some(idx) => Event::Jump(Jump::Moment(idx)),
                None => Event::Panel(Panel::Find),
            },
        );
    });
    let moment = |moment: &Moment| html! { <option value="">{ moment.text() }</option> };
    let moments = (num_moments > 0).then(|| {
        html! { <optgroup label="Moments">{ for session.moments().iter().map(moment) }</optgroup> }
    });
    let option = |(query, name): &(Query, String)| {
        html! { <option value={query.to_string()} selected={*query == chosen}>{ name }</option> }
    };
    let name = |way: &str| format!("{way} {chosen} (N)");
    let go = |direction| Event::Jump(Jump::Go(direction));
    html! {
        <>
            <span class="rule hide-phone"/>
            <span class="jump hide-phone" role="group" aria-label="Jump to">
                { button(Icon::Back, &name("Former"), "jump-back", "", dispatch, go(Direction::Backward)) }
                <select class="field" aria-label="Jump to" data-testid="jump-kind" title="Jump to: press N for the next match, Shift N for the previous one" {onchange}>
                    { for kinds.iter().map(option) }
                    { moments }
                    <option value="">{ "Find…" }</option>
                </select>
                { button(Icon::On, &name("Next"), "jump-on", "", dispatch, go(Direction::Forward)) }
            </span>
            { looking.map(|text| html! { <span class="dim looking" role="status" data-testid="looking">{ text }</span> }).unwrap_or_default() }
        </>
    }
}

fn step(dispatch: &Callback<Event>, name: &'static str, id: &'static str, by: i64) -> Html {
    let onclick = dispatch.reform(move |_| Event::Step(by));
    let number = html! { <span class="num hide-phone">{ "1" }</span> };
    let (before, after) = if by < 0 {
        (Icon::Back.html(), number)
    } else {
        (number, Icon::On.html())
    };
    html! {
        <button class="btn" aria-label={name} title={name} data-testid={id} {onclick}>{ before }{ after }</button>
    }
}

fn speeds(session: &Session, dispatch: &Callback<Event>) -> Html {
    let chosen = session.playback.speed;
    let idx = Speed::ALL.iter().position(|speed| *speed == chosen).unwrap_or(0);
    let turn = dispatch.clone();
    let onkeydown = Callback::from(move |event: KeyboardEvent| {
        let next = match event.key().as_str() {
            "ArrowRight" | "ArrowUp" => (idx + 1).min(Speed::ALL.len() - 1),
            "ArrowLeft" | "ArrowDown" => idx.saturating_sub(1),
            _ => return,
        };
        event.prevent_default();
        event.stop_propagation();
        turn.emit(Event::Speed(Speed::ALL[next]));
    });
    let item = |speed: Speed| {
        let checked = speed == chosen;
        let onclick = dispatch.reform(move |_| Event::Speed(speed));
        html! {
            <button role="radio" aria-checked={checked.to_string()} tabindex={if checked { "0" } else { "-1" }}
                title={speed.description()} data-testid={format!("speed-{}", speed.name())} {onclick}>{ speed.name() }</button>
        }
    };
    html! {
        <>
            <span class="label wide speed-unit">{ "cycles per second" }</span>
            <div class="speeds hide-phone" role="radiogroup" aria-label="Cycles per second" {onkeydown}>
                { for Speed::ALL.into_iter().map(item) }
            </div>
            <button class="btn phone-only" data-testid="speed-next" aria-label={format!("{}: speed {}", chosen.name(), chosen.description())}
                onclick={dispatch.reform(move |_| Event::Speed(chosen.next()))}>{ chosen.name() }</button>
        </>
    }
}

/// The button that plays and pauses the run.
pub(super) fn play_button(session: &Session, dispatch: &Callback<Event>) -> Html {
    let playing = session.playback.playing;
    let plays = playing == Some(Direction::Forward);
    let name = if plays { "Pause" } else { "Play" };
    let onclick = dispatch.reform(move |_: MouseEvent| match playing {
        Some(Direction::Backward) => Event::Play(Direction::Forward),
        _ => Event::PlayPause,
    });
    html! {
        <button class="play" data-testid="play" aria-label={name} title={name} {onclick}>
            { if plays { Icon::Pause.html() } else { icon::play() } }
        </button>
    }
}
