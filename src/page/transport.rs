//! The transport: the cycle, the buttons, the speed, and the strip of the whole run.

use std::rc::Rc;

use web_sys::HtmlSelectElement;
use yew::{Callback, Html, KeyboardEvent, MouseEvent, TargetCast, html};

use super::header::button;
use super::icon::{self, Icon};
use super::memo::MemoParts;
use super::palette::Palette;
use super::presenter::stops;
use super::strip::Strip;
use engine::trace::find::Query;
use workbench::app::{CompareEdit, Direction, Event, Jump, Panel, Session, Speed};
use workbench::scene::{Scene, Target};

/// What the pointer is over, and where.
type Hovered = Option<(Target, f64, f64)>;

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
                { memo.part_of("buttons", &(session.playback.playing, session.next_of_warp_text()), || buttons(session, dispatch)) }
                { jumps(session, memo, dispatch) }
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
        <Strip run={run.cloned()} marks={marks.cloned()} palette={Rc::clone(palette)} {part} {window} cycle={now}
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
    let playing = session.playback.playing;
    let backward = playing == Some(Direction::Backward);
    let (reverse_icon, reverse_name) = if backward {
        (Icon::Pause, "Pause")
    } else {
        (Icon::Backward, "Play backwards")
    };
    html! {
        <>
            { button(Icon::First, "First cycle", "first", "hide-phone", dispatch, Event::Seek(0)) }
            { button(reverse_icon, reverse_name, "reverse", "hide-phone", dispatch, Event::Play(Direction::Backward)) }
            { step(dispatch, "1 cycle back", "step-back", -1) }
            { play_button(session, dispatch) }
            { step(dispatch, "1 cycle forward", "step-forward", 1) }
            <span class="rule hide-phone"/>
            { worded(dispatch, "Next issue", "I", "next-issue", "hide-phone", Event::NextIssue) }
            { worded(dispatch, "Next stall", "S", "next-stall", "wide hide-phone", Event::NextStall) }
            { worded(dispatch, &session.next_of_warp_text(), "E", "next-of-warp", "wide hide-phone", Event::NextOfWarp) }
            { button(Icon::NextIssue, &format!("Next {}", session.ui.jump.query), "next-issue-phone", "phone-only", dispatch,
                Event::Jump(Jump::Go(Direction::Forward))) }
        </>
    }
}

/// The menu of jump targets, and buttons for the next and the previous target.
fn jumps(session: &Session, memo: &MemoParts, dispatch: &Callback<Event>) -> Html {
    let kinds = session.jump_kinds();
    let looking = session.looking_sentence();
    let key = (kinds.clone(), session.ui.jump.query, looking.clone());
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
    let choose = dispatch.clone();
    let onchange = Callback::from(move |event: yew::Event| {
        let idx = event
            .target_unchecked_into::<HtmlSelectElement>()
            .selected_index();
        let name = usize::try_from(idx).ok().and_then(|idx| names.get(idx));
        choose.emit(match name.and_then(|name| Query::parse(name).ok()) {
            Some(query) => Event::Jump(Jump::Choose(query)),
            None => Event::Panel(Panel::Find),
        });
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

fn worded(
    dispatch: &Callback<Event>,
    word: &str,
    key: &'static str,
    id: &'static str,
    class: &str,
    event: Event,
) -> Html {
    let onclick = dispatch.reform(move |_| event.clone());
    html! {
        <button class={format!("btn {class}")} data-testid={id} {onclick}>{ word }{ " " }<kbd>{ key }</kbd></button>
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
