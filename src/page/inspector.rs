//! The inspector: an explanation of the selection.

use std::rc::Rc;

use yew::{Callback, FocusEvent, Html, PointerEvent, html};

use super::browser::tenths;
use super::card::label;
use super::explain::{answers, why_button};
use super::icon::{self, Icon};
use super::memo::MemoParts;
use super::palette::Palette;
use super::picker;
use super::sketch::Sketch;
use super::styled::styled;
use super::tour::tour;
use engine::arch::ArchId;
use engine::ids::LaneMask;
use workbench::app::welcome::{self, Door};
use workbench::app::{Event, GlossaryEdit, Panel, Session, TourEdit};
use workbench::scene::{Action, Bar, Code, Facts, Inspection, Mark, Phrase, Source, Target, thousands};

/// The marks that the welcome explains.
const LEGEND: [(Mark, &str); 6] = [
    (Mark::Issue, "issues an instruction"),
    (Mark::Eligible, "eligible, another warp issues"),
    (Mark::Long, "stalls on global memory"),
    (Mark::Short, "stalls on shared memory"),
    (Mark::Throttle, "a unit or queue is full"),
    (Mark::Barrier, "stalls at a barrier"),
];

/// The inspector, empty until this part of the page loads.
pub(crate) fn inspector(
    session: &Session,
    palette: &Rc<Palette>,
    (memo, arrived): (&MemoParts, bool),
    dispatch: &Callback<Event>,
) -> Html {
    let open = session.ui.panel == Some(Panel::Explanation);
    if !arrived {
        return html! {
            <aside class="insp" aria-label="Inspector" data-open={open.to_string()} data-testid="inspector"/>
        };
    }
    let inspection = session.inspection();
    let is_folded = session.ui.welcome.as_ref().map(|welcome| welcome.is_folded);
    let is_welcome = is_folded == Some(false);
    let body = match &inspection {
        _ if is_welcome => memo.part("welcome", || welcome(dispatch)),
        Some(inspection) => body(session, inspection, memo, palette, dispatch),
        None => html! { <section class="sec"><p>{ session.empty_sentence() }</p></section> },
    };
    let doors = (is_folded == Some(true)).then(|| memo.part("doors", || folded_doors(dispatch)));
    // The words that have cards are known once the glossary is there.
    let wanted = dispatch.reform(|_: PointerEvent| Event::Glossary(GlossaryEdit::Wanted));
    let focused = dispatch.reform(|_: FocusEvent| Event::Glossary(GlossaryEdit::Wanted));
    html! {
        <aside class="insp" aria-label="Inspector" data-open={open.to_string()} data-testid="inspector"
            onpointerenter={wanted} onfocusin={focused}>
            { session.ui.tour.as_ref().map(|open| tour(open, dispatch)) }
            { peek(inspection.as_ref().filter(|_| !is_welcome), is_welcome, open, dispatch) }
            <div class="body">{ body }</div>
            { doors }
        </aside>
    }
}

/// The first visit: one sentence, three doors, and the marks of the picture.
fn welcome(dispatch: &Callback<Event>) -> Html {
    let door = |door: Door| {
        let event = door.event;
        let onclick = dispatch.reform(move |_| event.clone());
        html! {
            <button class="door" data-testid={door.id} {onclick}>
                <span class="door-picture">{ door_picture(door.id) }</span>
                <span><b>{ door.title }</b><span>{ door.promise }</span><span class="label">{ door.length }</span></span>
            </button>
        }
    };
    let mark =
        |(mark, name): (Mark, &'static str)| html! { <>{ icon::tile(mark, 16) }<span>{ name }</span></> };
    let lessons = dispatch.reform(|_| Event::Panel(Panel::Lessons));
    let tour = dispatch.reform(|_| Event::Tour(TourEdit::Start));
    html! {
        <div class="welcome" data-testid="welcome">
            <section class="sec">
                <p class="sentence">{ welcome::SENTENCE }</p>
                <p>{ welcome::PICTURE }</p>
            </section>
            <section class="doors">{ for welcome::doors().map(door) }</section>
            <section class="sec">
                <h2>{ "A row is a warp. Its mark shows what it does:" }</h2>
                <div class="legend">{ for LEGEND.map(mark) }</div>
            </section>
            <section class="sec pair">
                <button class="link" data-testid="door-tour" onclick={tour}>{ "Tour, two minutes" }</button>
                <button class="link" data-testid="door-all" onclick={lessons}>{ "All lessons" }</button>
            </section>
        </div>
    }
}

/// The doors below what the reader selected, and the way back to the start.
fn folded_doors(dispatch: &Callback<Event>) -> Html {
    let door = |door: Door| {
        let event = door.event;
        let onclick = dispatch.reform(move |_| event.clone());
        html! { <button class="link" title={door.promise} data-testid={door.id} {onclick}>{ door.title }</button> }
    };
    let start = dispatch.reform(|_| Event::Start);
    html! {
        <nav class="folded-doors" aria-label="Start" data-testid="doors">
            { for welcome::doors().map(door) }
            <button class="link dim" data-testid="door-back" onclick={start}>{ "Back to the start" }</button>
        </nav>
    }
}

/// The picture of a door, 56 px wide.
fn door_picture(id: &str) -> Html {
    match id {
        "door-compare" => {
            html! { <>{ picker::thumbnail(ArchId::Gf100) }{ picker::thumbnail(ArchId::Gv100) }</> }
        }
        // Rows of a tile; all lanes access one column, which is one bank.
        "door-lesson" => html! {
            <svg width="56" height="56" viewBox="0 0 56 56" aria-hidden="true">
                <path d="M.5.5h55v55H.5z" fill="var(--paper)" stroke="var(--line-2)"/>
                <path d="M8 1v54M16 1v54M24 1v54M32 1v54M40 1v54M48 1v54M1 8h54M1 16h54M1 24h54M1 32h54M1 40h54M1 48h54" stroke="var(--line)"/>
                <path d="M16 1h8v54h-8z" fill="var(--st-throttle)"/>
                <path d="M16 8h8M16 16h8M16 24h8M16 32h8M16 40h8M16 48h8" stroke="var(--paper)"/>
            </svg>
        },
        _ => html! {
            <svg width="56" height="56" viewBox="0 0 56 56" aria-hidden="true">
                <path d="M.5.5h55v55H.5z" fill="var(--paper)" stroke="var(--edge)"/>
                <path d="M8 13h26M14 21h18M14 29h22M14 37h10M8 45h6" stroke="var(--ink-3)" stroke-width="2"/>
                <path d="M28 37h14" stroke="var(--ink)" stroke-width="2"/>
            </svg>
        },
    }
}

/// The phone's two-line summary, which expands the inspector.
fn peek(inspection: Option<&Inspection>, is_welcome: bool, open: bool, dispatch: &Callback<Event>) -> Html {
    let onclick = dispatch.reform(|_| Event::Panel(Panel::Explanation));
    let (mark, title, why) = match inspection {
        Some(seen) => {
            let mark = seen.state.as_ref().map(|(mark, _)| *mark);
            let state = seen.state.as_ref().map_or("", |(_, name)| name.as_str());
            (mark, format!("{} {state}", seen.title), seen.why_text())
        }
        None if is_welcome => (
            Some(Mark::Issue),
            welcome::INVITATION.to_owned(),
            welcome::SENTENCE.to_owned(),
        ),
        None => (Some(Mark::Idle), "Inspector".to_owned(), String::new()),
    };
    // Without a state there is no tile, but its space stays.
    let tile = mark.map_or_else(|| html! { <span/> }, |mark| icon::tile(mark, 18));
    html! {
        <button class="peek" aria-expanded={open.to_string()} data-testid="peek" {onclick}>
            { tile }<b>{ title }</b>{ if open { Icon::Down.html() } else { Icon::Up.html() } }
            <span class="dim">{ why }</span>
        </button>
    }
}

fn body(
    session: &Session,
    seen: &Inspection,
    memo: &MemoParts,
    palette: &Rc<Palette>,
    dispatch: &Callback<Event>,
) -> Html {
    if let Some(found) = session.explanation() {
        // The answers take the place of the sentence and of the details.
        return html! {
            <>
                { who(session, seen, None, dispatch) }
                { answers(&found, dispatch) }
                { (!found.sources.is_empty()).then(|| sources(&found.sources, dispatch)) }
            </>
        };
    }
    let has_terms = session.ui.glossary.terms.is_some();
    let code = || {
        let lanes = seen.lanes.as_ref();
        html! { <>{ for seen.code.iter().map(|code| instruction(code, lanes, dispatch)) }</> }
    };
    let facts = || html! { <>{ for seen.facts.iter().map(|group| facts(session, group, dispatch)) }</> };
    html! {
        <>
            { who(session, seen, Some(why_button(session, dispatch)), dispatch) }
            { memo.part_of("code", &(seen.code.clone(), seen.lanes.clone()), code) }
            { memo.part_of("actions", &seen.actions, || actions(&seen.actions, dispatch)) }
            { past(seen, palette) }
            { bars(session, seen, dispatch) }
            { memo.part_of("facts", &(seen.facts.clone(), has_terms), facts) }
            { memo.part_of("sources", &seen.sources, || sources(&seen.sources, dispatch)) }
        </>
    }
}

/// Name, place, and state; without an explanation also the reason and the button that opens one.
fn who(session: &Session, seen: &Inspection, why: Option<Html>, dispatch: &Callback<Event>) -> Html {
    let state = seen.state.as_ref().map(|(mark, name)| {
        html! { <div class="state" data-testid="inspector-state">{ icon::tile(*mark, 20) }<span>{ label(session, name, dispatch) }</span></div> }
    });
    let phrase = |phrase: &Phrase| {
        if phrase.strong {
            html! { <b>{ &phrase.text }</b> }
        } else {
            html! { { &phrase.text } }
        }
    };
    html! {
        <section class="sec">
            <div class="who"><h2 data-testid="inspector-title">{ &seen.title }</h2><span class="dim">{ &seen.place }</span></div>
            { state }
            { why.map(|button| html! { <><p data-testid="inspector-why">{ for seen.why.iter().map(phrase) }</p>{ button }</> }) }
        </section>
    }
}

fn instruction(code: &Code, lanes: Option<&(LaneMask, String)>, dispatch: &Callback<Event>) -> Html {
    let line = code.line;
    let label = if line > 0 {
        let onclick = dispatch.reform(move |_| Event::Select(Target::Line(line)));
        html! { <button class="link label" {onclick}>{ &code.label }</button> }
    } else {
        html! { { &code.label } }
    };
    let lane = |lane: u32, mask: LaneMask| html! { <i class={(!mask.contains(lane)).then_some("off")}/> };
    let lanes = lanes.map(|(mask, text)| {
        html! {
            <>
                <div class="lanes" role="img" aria-label={text.clone()}>{ for (0..32).map(|idx| lane(idx, *mask)) }</div>
                <div class="pair"><span>{ "lane 0" }</span><span>{ text }</span><span>{ "31" }</span></div>
            </>
        }
    });
    html! {
        <section class="sec">
            <h2>{ label }</h2>
            <div class="mono instruction" data-testid="inspector-instruction">{ &code.text }</div>
            { lanes }
        </section>
    }
}

/// Links to related places.
fn actions(actions: &[Action], dispatch: &Callback<Event>) -> Html {
    if actions.is_empty() {
        return Html::default();
    }
    let button = |action: &Action| {
        let target = action.target;
        let onclick = dispatch.reform(move |_| Event::Select(target));
        html! { <button class="btn line" data-testid={action.id} {onclick}>{ &action.name }</button> }
    };
    html! { <section class="sec actions">{ for actions.iter().map(button) }</section> }
}

fn past(seen: &Inspection, palette: &Rc<Palette>) -> Html {
    let Some((scene, start)) = &seen.past else {
        return Html::default();
    };
    html! {
        <section class="sec">
            <h2>{ "Its last cycles" }</h2>
            <Sketch scene={Rc::new(scene.clone())} palette={Rc::clone(palette)}/>
            <div class="pair"><span>{ thousands(start.0) }</span><span>{ "now" }</span></div>
        </section>
    }
}

fn bars(session: &Session, seen: &Inspection, dispatch: &Callback<Event>) -> Html {
    if seen.bars.is_empty() {
        return Html::default();
    }
    let bar = |bar: &Bar| {
        let length = styled(
            format!("width:{}%", tenths(100.0 * bar.length)),
            html! { <s class={format!("f-{}", bar.mark.id())}/> },
        );
        html! {
            <>
                <span>{ icon::tile(bar.mark, 12) }</span><span>{ label(session, &bar.name, dispatch) }</span>
                <span class="b">{ length }</span>
                <span class="n">{ &bar.label }</span>
            </>
        }
    };
    let (title, total) = &seen.bars_title;
    html! {
        <section class="sec">
            <h2>{ title }<span class="grow"/><span class="num">{ total }</span></h2>
            <div class="bars">{ for seen.bars.iter().map(bar) }</div>
        </section>
    }
}

fn facts(session: &Session, facts: &Facts, dispatch: &Callback<Event>) -> Html {
    let row = |(name, value): &(String, String)| html! { <><span>{ label(session, name, dispatch) }</span><span>{ value }</span></> };
    html! {
        <section class="sec"><h2>{ &facts.title }</h2><div class="facts">{ for facts.rows.iter().map(row) }</div></section>
    }
}

fn sources(sources: &[Source], dispatch: &Callback<Event>) -> Html {
    let all = dispatch.reform(|_| Event::Panel(Panel::Sources));
    let source = |source: &Source| {
        html! {
            <div><span class="v">{ &source.value }</span><span>{ &source.name }</span><em>{ &source.source }</em></div>
        }
    };
    html! {
        <section class="sec">
            { (!sources.is_empty()).then(|| html! {
                <>
                    <h2>{ "Sources of these numbers" }</h2>
                    <div class="sources">{ for sources.iter().map(source) }</div>
                </>
            }) }
            <p class="all-sources">
                <button class="link" data-testid="all-sources" onclick={all}>{ "All numbers of this architecture" }</button>
            </p>
        </section>
    }
}
