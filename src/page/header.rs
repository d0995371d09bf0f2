//! The header: brand, scenario, and the commands for the whole page.

use yew::{Callback, Html, html};

use super::button::button;
use super::field::TextField;
use super::icon::{self, Icon};
use super::library::source_tag;
use workbench::app::{Event, LectureEdit, Panel, Session, SetUpPart, TourEdit};
use workbench::scene::Target;
use workbench::share::View;

/// The header's markup.
pub(crate) fn header(session: &Session, dispatch: &Callback<Event>) -> Html {
    let share = dispatch.reform(|_| Event::Panel(Panel::Share));
    let start = dispatch.reform(|_| Event::Start);
    let set_up = Event::Panel(Panel::SetUp(SetUpPart::Architecture));
    html! {
        <header class="head">
            <button class="brand" title="To the start" aria-label="Warpscope: to the start" data-testid="header-start" onclick={start}>
                { icon::brand() }<span>{ "Warpscope" }</span>
            </button>
            { scenario(session, dispatch) }
            { find_box(dispatch) }
            { undo_redo(session, dispatch) }
            { lessons_button(dispatch) }
            { compare(session, dispatch) }
            { export(session, dispatch) }
            { button(Icon::Notes, "Chapters and notes", "header-chapters", "hide-phone", dispatch, Event::Panel(Panel::Chapters)) }
            { recent_button(dispatch) }
            { button(Icon::Theme, "Light or dark", "header-theme", "hide-phone", dispatch, Event::Theme) }
            { button(Icon::Help, "Help", "header-help", "hide-phone", dispatch, Event::Panel(Panel::Help)) }
            <button class="btn solid hide-phone" title="Share: link, embed, film, QR code (Shift C)" aria-haspopup="dialog"
                data-testid="header-share" onclick={share}>{ Icon::Share.html() }{ "Share" }</button>
            { button(Icon::SetUp, "Setup", "header-set-up", "phone-only", dispatch, set_up) }
            { button(Icon::More, "More", "header-more", "phone-only", dispatch, Event::Panel(Panel::More)) }
        </header>
    }
}

/// The scenario's name as an editable field.
fn name(session: &Session, dispatch: &Callback<Event>) -> Html {
    let value = session.name();
    let on_text = dispatch.reform(Event::Rename);
    let width_chars = value.chars().count().clamp(4, 40) + 1;
    html! {
        <TextField class="name" name="Name of the scenario" title="Rename" id="scenario-name" max_length="60"
            sets="name" leaves=true {value} {width_chars} {on_text}/>
    }
}

/// A button that looks like a field and opens the command palette.
fn find_box(dispatch: &Callback<Event>) -> Html {
    let onclick = dispatch.reform(|_| Event::Panel(Panel::Palette));
    html! {
        <button class="find-box" data-testid="header-find" aria-haspopup="dialog" {onclick}>
            <span>{ "Find" }</span><kbd>{ "Ctrl K" }</kbd>
        </button>
    }
}

fn lessons_button(dispatch: &Callback<Event>) -> Html {
    let onclick = dispatch.reform(|_| Event::Panel(Panel::Lessons));
    html! { <button class="btn hide-phone" data-testid="header-lessons" aria-haspopup="dialog" {onclick}>{ "Lessons" }</button> }
}

fn recent_button(dispatch: &Callback<Event>) -> Html {
    let event = Event::Panel(Panel::Recent);
    button(
        Icon::Recent,
        "Recent scenarios",
        "header-recent",
        "hide-phone",
        dispatch,
        event,
    )
}

fn scenario(session: &Session, dispatch: &Callback<Event>) -> Html {
    let own = session
        .setup()
        .source
        .is_some()
        .then(|| html! { <span class="tag hide-phone" data-testid="own">{ source_tag(session) }</span> });
    html! {
        <div class="scenario">
            { name(session, dispatch) }
            <span class="dim hide-phone" data-testid="scenario-launch" title={session.launch_line()}>{ session.launch_line() }</span>
            { own }
            { origin(session, dispatch) }
        </div>
    }
}

/// That the launch was read from the source's `main()`, or chosen, as a link to the line.
fn origin(session: &Session, dispatch: &Callback<Event>) -> Html {
    let Some((text, line)) = session.host_origin() else {
        return Html::default();
    };
    let onclick = dispatch.reform(move |_| Event::Select(Target::Line(line)));
    let words = session.host_words().unwrap_or_default();
    html! { <button class="link wide hide-phone" data-testid="scenario-origin" title={text} {onclick}>{ words }</button> }
}

fn undo_redo(session: &Session, dispatch: &Callback<Event>) -> Html {
    let undo = dispatch.reform(|_| Event::Undo);
    let redo = dispatch.reform(|_| Event::Redo);
    html! {
        <>
            <button class="btn hide-phone" aria-label="Undo" title="Undo" data-testid="header-undo"
                disabled={!session.history.can_undo()} onclick={undo}>{ Icon::Undo.html() }</button>
            <button class="btn hide-phone" aria-label="Redo" title="Redo" data-testid="header-redo"
                disabled={!session.history.can_redo()} onclick={redo}>{ Icon::Redo.html() }</button>
            <span class="rule hide-phone"/>
        </>
    }
}

/// Whether the comparison has a tab, which takes the place of its button.
fn has_compare_tab(session: &Session) -> bool {
    session.is_comparing() || session.shows(View::Compare)
}

/// The button that opens the comparison.
fn compare(session: &Session, dispatch: &Callback<Event>) -> Html {
    if has_compare_tab(session) {
        return Html::default();
    }
    let onclick = dispatch.reform(|_| Event::View(View::Compare));
    html! { <button class="btn hide-phone" data-testid="header-compare" {onclick}>{ "Compare" }</button> }
}

/// The button that opens the export menu.
fn export(session: &Session, dispatch: &Callback<Event>) -> Html {
    let onclick = dispatch.reform(|_| Event::Panel(Panel::Export));
    let open = session.ui.panel == Some(Panel::Export);
    html! {
        <button class="btn hide-phone" data-testid="header-export" aria-haspopup="menu"
            aria-expanded={open.to_string()} {onclick}>{ "Export" }</button>
    }
}

/// The commands that do not fit into the phone's header.
pub(crate) fn more_menu(session: &Session, dispatch: &Callback<Event>) -> Html {
    let item = |name: &str, id: &str, event: Event| {
        let onclick = dispatch.reform(move |_| event.clone());
        html! {
            <button class="btn" role="menuitem" data-testid={id.to_owned()} {onclick}>{ name }</button>
        }
    };
    let zoom = |factor: f64| Event::Zoom { factor, around: None };
    let zooms = zoom_names(session.active_view()).map(|[_, more, less]| {
        html! {
            <>
                { item(more, "more-zoom-out", zoom(2.0)) }
                { item(less, "more-zoom-in", zoom(0.5)) }
            </>
        }
    });
    let close = dispatch.reform(|_| Event::Close);
    html! {
        <>
            <div class="scrim" onclick={close}/>
            <div class="more-menu" role="menu" aria-label="More">
                { item("Copy link", "more-copy-link", Event::CopyLink) }
                { item("Share", "more-share", Event::Panel(Panel::Share)) }
                { item("Chapters and notes", "more-chapters", Event::Panel(Panel::Chapters)) }
                { item("Present", "more-present", Event::Lecture(LectureEdit::Present)) }
                { item("Print the handout", "more-print", Event::Lecture(LectureEdit::Print)) }
                { zooms }
                { item("Table or picture", "more-table", Event::Table) }
                { item("Lessons", "more-lessons", Event::Panel(Panel::Lessons)) }
                { item("Tour", "more-tour", Event::Tour(TourEdit::Start)) }
                { (!has_compare_tab(session)).then(|| item("Compare", "more-compare", Event::View(View::Compare))) }
                { item("Export", "more-export", Event::Panel(Panel::Export)) }
                { item("Find", "more-find", Event::Panel(Panel::Palette)) }
                { item("Recent scenarios", "more-recent", Event::Panel(Panel::Recent)) }
                { item("Undo", "more-undo", Event::Undo) }
                { item("Redo", "more-redo", Event::Redo) }
                { item("Light or dark", "more-theme", Event::Theme) }
                { item("Projector size", "more-density", Event::Density) }
                { item("Glossary", "more-glossary", Event::Panel(Panel::Glossary)) }
                { item("Help", "more-help", Event::Panel(Panel::Help)) }
                { item("Key map", "more-keys", Event::Panel(Panel::Keys)) }
            </div>
        </>
    }
}

/// The names of the tools that show all, more, and less of a view's axis, if the view has them.
pub(super) const fn zoom_names(view: View) -> Option<[&'static str; 3]> {
    match view {
        View::Timeline => Some(["Show the whole run (0)", "Show more cycles", "Show fewer cycles"]),
        View::Streams => Some(["Show the whole program (0)", "Show more time", "Show less time"]),
        _ => None,
    }
}
