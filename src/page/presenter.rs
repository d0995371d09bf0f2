//! The presenter: the bar under the picture, the chapters on the strip, and what is shown over the page.

use std::rc::Rc;

use wasm_bindgen::JsCast;
use web_sys::HtmlElement;
use yew::{Callback, Component, Context, Html, NodeRef, Properties, html};

use super::browser;
use super::button::button;
use super::canvas::Hovered;
use super::icon::Icon;
use super::listener::Listener;
use super::palette::Palette;
use super::share::qr;
use super::stops::{send, stops};
use super::transport::{play_button, strip_of};
use workbench::app::{Event, LectureEdit, Session};
use workbench::scene::Scene;
use workbench::share::{Present, QrPlace};

/// The cycle, in the upper right corner of the presenter.
pub(crate) fn figure(session: &Session) -> Html {
    let note = session.short_clock_note();
    let word = (note.starts_with("of ") && !session.is_comparing()).then_some("cycle ");
    html! {
        <section class={if session.is_side_by_side() { "unseen" } else { "figure-cycle" }} aria-label="Cycle">
            <b data-testid="cycle">{ session.clock_text() }</b>
            <span>{ word }<span data-testid="cycle-of">{ note }</span></span>
        </section>
    }
}

/// The bar under the picture.
pub(crate) fn bar(
    session: &Session,
    scenes: (Option<&Rc<Scene>>, Option<&Rc<Scene>>),
    palette: &Rc<Palette>,
    sizes: (&Callback<(f32, f32)>, &Callback<Hovered>),
    (width, dispatch): (f32, &Callback<Event>),
) -> Html {
    html! {
        <footer class="trans present-bar" aria-label="Transport">
            <div class="present-buttons">
                { button(Icon::Back, "Previous cycle", "step-back", "large", dispatch, Event::Step(-1)) }
                { play_button(session, dispatch) }
                { button(Icon::On, "Next cycle", "step-forward", "large", dispatch, Event::Step(1)) }
            </div>
            <div class="density">
                { strip_of(session, scenes, palette, sizes, dispatch) }
                { stops(session, width, dispatch) }
            </div>
            { tools(session, dispatch) }
            { corner(session, dispatch) }
        </footer>
    }
}

/// The pen, the spotlight, and the rest, which also have keys.
fn tools(session: &Session, dispatch: &Callback<Event>) -> Html {
    let lecture = &session.ui.lecture;
    let tool = |icon: Icon, name: &str, id: &str, pressed: Option<bool>, edit: LectureEdit| {
        html! {
            <button class="btn large" aria-label={name.to_owned()} title={name.to_owned()} data-testid={id.to_owned()}
                aria-pressed={pressed.map(|on| on.to_string())} onclick={send(dispatch, edit)}>{ icon.html() }</button>
        }
    };
    let pen = lecture.draws.then(|| {
        html! {
            <>
                { tool(Icon::Undo, "Remove the last stroke (U)", "present-undo", None, LectureEdit::UndoStroke) }
                { tool(Icon::Trash, "Remove all strokes (C)", "present-clear", None, LectureEdit::ClearStrokes) }
                { tool(Icon::Pin, "Keep drawings when the chapter changes (K)", "present-keep", Some(lecture.keeps), LectureEdit::KeepStrokes) }
            </>
        }
    });
    let freeze = (lecture.present == Present::On).then(|| {
        tool(
            Icon::Freeze,
            "Freeze the picture (F)",
            "present-freeze",
            Some(lecture.frozen),
            LectureEdit::Freeze,
        )
    });
    html! {
        <div class="present-tools" role="group" aria-label="Presenter">
            { tool(Icon::Spot, "Spotlight (L)", "present-spotlight", Some(lecture.spotlight), LectureEdit::Spotlight) }
            { tool(Icon::Pen, "Draw (D)", "present-draw", Some(lecture.draws), LectureEdit::Draw) }
            { pen.unwrap_or_default() }
            { freeze.unwrap_or_default() }
            { tool(Icon::Blank, "Black screen (.)", "present-blank", Some(lecture.blank), LectureEdit::Blank) }
            { tool(Icon::Grid, "QR code (Q)", "present-qr", None, LectureEdit::Qr) }
            { tool(Icon::Notes, "Notes window (X)", "present-notes", None, LectureEdit::NotesWindow) }
            { tool(Icon::Close, "Leave the presenter (Esc)", "present-leave", None, LectureEdit::Leave) }
        </div>
    }
}

/// The chapter with its buttons, the short words, and the QR code.
fn corner(session: &Session, dispatch: &Callback<Event>) -> Html {
    let lecture = &session.ui.lecture;
    let num = lecture.chapters.len();
    let open = dispatch.reform(|_| Event::Panel(workbench::app::Panel::Chapters));
    let chapter = (num > 0).then(|| {
        let (number, title) = match (lecture.at, lecture.current()) {
            (Some(at), Some(chapter)) => (format!("{} of {num}", at + 1), chapter.title.clone()),
            _ => (workbench::scene::counted(num as u64, "chapter"), "Page Down shows the first".to_owned()),
        };
        html! {
            <>
                { button(Icon::Up, "Previous chapter (Page Up)", "chapter-back", "large", dispatch, Event::Lecture(LectureEdit::Beside(-1))) }
                <button class="chapter-name" data-testid="chapter-list-open" onclick={open}><b data-testid="chapter">{ number }</b><span>{ title }</span></button>
                { button(Icon::Down, "Next chapter (Page Down)", "chapter-next", "large", dispatch, Event::Lecture(LectureEdit::Beside(1))) }
            </>
        }
    });
    let frozen = (lecture.frozen || lecture.audience_frozen).then(|| {
        let text = if lecture.frozen {
            "Frozen"
        } else {
            "The presenter is frozen"
        };
        html! { <span class="tag" role="status" data-testid="frozen">{ text }</span> }
    });
    let code = (lecture.qr == QrPlace::Corner).then(|| {
        let (address, _) = code_address(session);
        html! {
            <div class="corner-code">
                { words(session) }
                <button class="corner-qr" aria-label="Show the QR code on the whole screen" onclick={send(dispatch, LectureEdit::Qr)}>{ qr(&address, "corner-code") }</button>
            </div>
        }
    });
    html! { <div class="present-corner">{ frozen.unwrap_or_default() }{ chapter.unwrap_or_default() }{ code.unwrap_or_default() }</div> }
}

/// The short words for what is on screen.
fn words(session: &Session) -> Html {
    match session.short_words() {
        Some((link, _)) => {
            html! { <span class="mono short-words" data-testid="short-words">{ browser::short_address(&link) }</span> }
        }
        None => Html::default(),
    }
}

/// The address that the QR code shows, and what it leaves out. A link that is too long for a code gives way to the short
/// words, which say what they leave out.
fn code_address(session: &Session) -> (String, String) {
    let whole = browser::address_with(&session.lecture_link());
    if let Some((link, note)) = session.short_words() {
        let is_long = whole.len() > super::share::MAX_QR_BYTES;
        if note.is_empty() || is_long {
            return (browser::address_with(&link), note.to_owned());
        }
    }
    (whole, String::new())
}

/// What covers the presenter's page: the QR code, or a black screen.
pub(crate) fn covers(session: &Session, dispatch: &Callback<Event>) -> Html {
    let lecture = &session.ui.lecture;
    let full = (lecture.qr == QrPlace::Full && lecture.present != Present::Notes).then(|| {
        let (address, note) = code_address(session);
        let words = session.short_words();
        let shown = words.as_ref().map_or_else(
            || "No short address: this kernel is not published with the page.".to_owned(),
            |(link, _)| browser::short_address(link),
        );
        let note = match (&note, words) {
            (note, _) if !note.is_empty() => format!("The code opens the short address. {note}"),
            (_, Some((_, note))) if !note.is_empty() => format!("The code opens all that is on screen. The address: {note}"),
            _ => String::new(),
        };
        html! {
            <section class="full-code" aria-label="QR code of the link" data-testid="full-code" onclick={send(dispatch, LectureEdit::Qr)}>
                { qr(&address, "full-code-image") }
                <p class="mono" data-testid="full-words">{ shown }</p>
                <p class="note">{ note }</p>
            </section>
        }
    });
    let blank = (lecture.blank && lecture.present == Present::On).then(|| {
        html! {
            <section class="blank" aria-label="Black screen" data-testid="blank" onclick={send(dispatch, LectureEdit::Blank)}>
                <p class="unseen">{ "The screen is black. Press the period key to show the picture." }</p>
            </section>
        }
    });
    let blocked = lecture.blocked.as_ref().map(|address| {
        html! {
            <div class="toast blocked" role="alert" data-testid="notes-blocked">
                <span>{ "The browser blocked the notes window." }</span>
                <a class="link" href={address.clone()} target="warpscope-notes" data-testid="notes-link">{ "Open the notes window" }</a>
            </div>
        }
    });
    html! { <>{ full.unwrap_or_default() }{ blank.unwrap_or_default() }{ blocked.unwrap_or_default() }</> }
}

/// The properties of the spotlight.
#[derive(Clone, PartialEq, Properties)]
pub(crate) struct SpotlightProps {
    /// The item with the keyboard focus, in the window.
    pub focus: Option<(f64, f64)>,
}

/// A frame that follows the pointer; the rest of the page is veiled.
pub(crate) struct Spotlight {
    node: NodeRef,
    _listener: Option<Listener>,
}

impl Component for Spotlight {
    type Message = ();
    type Properties = SpotlightProps;

    fn create(_: &Context<Self>) -> Self {
        let node = NodeRef::default();
        let frame = node.clone();
        let listener = browser::window().map(|window| {
            Listener::on(window.as_ref(), "pointermove", move |event| {
                if let Some(event) = event.dyn_ref::<web_sys::PointerEvent>() {
                    place(&frame, (f64::from(event.client_x()), f64::from(event.client_y())));
                }
            })
        });
        Self {
            node,
            _listener: listener,
        }
    }

    fn changed(&mut self, ctx: &Context<Self>, _: &SpotlightProps) -> bool {
        if let Some(at) = ctx.props().focus {
            place(&self.node, at);
        }
        false
    }

    fn view(&self, _: &Context<Self>) -> Html {
        html! { <div class="spotlight" ref={self.node.clone()} aria-hidden="true" data-testid="spotlight"/> }
    }
}

/// Moves the frame's middle to a point of the window.
fn place(frame: &NodeRef, (x, y): (f64, f64)) {
    if let Some(frame) = frame.cast::<HtmlElement>() {
        // Lengths are valid values of these properties.
        let _ = frame.style().set_property("left", &format!("{}px", x as i32));
        let _ = frame.style().set_property("top", &format!("{}px", y as i32));
    }
}
