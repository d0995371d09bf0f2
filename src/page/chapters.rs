//! The Chapters panel: the stops of a lecture with their notes, and the notes on the picture.

use web_sys::HtmlInputElement;
use yew::{Callback, Html, MouseEvent, TargetCast, html};

use super::browser;
use super::button::button;
use super::field::TextField;
use super::icon::Icon;
use super::modal::Modal;
use workbench::app::{Event, LectureEdit, NoteEdit, Session};
use workbench::lecture::{PUBLISHED, Published};
use workbench::scene::{capital, thousands};
use workbench::share::{Chapter, PictureNote};

fn send(dispatch: &Callback<Event>, edit: LectureEdit) -> Callback<MouseEvent> {
    dispatch.reform(move |_: MouseEvent| Event::Lecture(edit.clone()))
}

/// The panel.
pub(crate) fn chapters(session: &Session, dispatch: &Callback<Event>) -> Html {
    let lecture = &session.ui.lecture;
    let length = browser::address_with(&session.lecture_link()).chars().count();
    let is_empty = lecture.chapters.is_empty();
    let rows = lecture.chapters.iter().enumerate();
    html! {
        <Modal title="Chapters and notes" id="chapters" class="chapters" dispatch={dispatch.clone()}>
            <p>{ "A chapter keeps what is on screen: kernel, architecture, view, cycle, and selection. Chapters and notes travel in the link." }
                { format!(" The link has {} characters.", thousands(length as u64)) }</p>
            <div class="chapters-tools">
                <button class="btn solid" data-testid="chapter-add" onclick={send(dispatch, LectureEdit::Add)}>{ "Add a chapter here" }</button>
                <button class="btn line" data-testid="chapters-present" onclick={send(dispatch, LectureEdit::Present)}>{ "Present" }<kbd>{ "P" }</kbd></button>
                <button class="btn line" data-testid="chapters-print" onclick={send(dispatch, LectureEdit::Print)}>{ "Print the handout" }</button>
                <label class="btn line">{ "Open a file" }<input class="unseen" type="file" accept=".toml,.txt" data-testid="chapters-open" onchange={opened(dispatch)}/></label>
                <button class="btn line" disabled={is_empty} data-testid="chapters-save" onclick={send(dispatch, LectureEdit::Export)}>{ "Save as a file" }</button>
            </div>
            <ol class="chapter-list" data-testid="chapter-list">
                { for rows.map(|(idx, chapter)| row(session, idx, chapter, dispatch)) }
            </ol>
            if is_empty { <p class="none">{ "No chapters. Add one, open a file, or open a lecture below." }</p> }
            { notes(session, dispatch) }
            <h3>{ "Published lectures" }</h3>
            { published(dispatch) }
        </Modal>
    }
}

/// The lectures that are published with the page.
pub(crate) fn published(dispatch: &Callback<Event>) -> Html {
    html! { <ul class="recent">{ for PUBLISHED.iter().map(|lecture| lecture_row(lecture, dispatch)) }</ul> }
}

/// A published lecture in a list.
pub(super) fn lecture_row(lecture: &Published, dispatch: &Callback<Event>) -> Html {
    let open = send(dispatch, LectureEdit::Open(lecture.id.to_owned(), 0));
    html! {
        <li><button class="visit" data-testid={format!("lecture-{}", lecture.id)} onclick={open}>
            <span><b>{ lecture.title }</b><span class="dim">{ lecture.summary }</span></span><span class="dim when">{ format!("{} min", lecture.minutes) }</span>
        </button></li>
    }
}

fn row(session: &Session, idx: usize, chapter: &Chapter, dispatch: &Callback<Event>) -> Html {
    let (number, scenario) = (idx + 1, &chapter.scenario);
    let is_current = session.ui.lecture.at == Some(idx);
    let minutes = match chapter.minutes {
        0 => String::new(),
        minutes => format!("{minutes} min, "),
    };
    let what = format!(
        "{minutes}{}, {}, {}, cycle {}",
        scenario.kernel,
        scenario.arch,
        scenario.view.name(),
        thousands(scenario.cycle)
    );
    let title = dispatch.reform(move |title: String| Event::Lecture(LectureEdit::Title(idx, title)));
    let text = dispatch.reform(move |text: String| Event::Lecture(LectureEdit::Text(idx, text)));
    let tool = |icon: Icon, name: &str, id: &str, edit: LectureEdit| {
        button(
            icon,
            &format!("{name} {number}"),
            &format!("{id}-{number}"),
            "",
            dispatch,
            Event::Lecture(edit),
        )
    };
    html! {
        <li key={idx} aria-current={is_current.then_some("step")}>
            <button class="stop" aria-label={format!("Show chapter {number}: {}", chapter.title)} data-testid={format!("chapter-go-{number}")}
                onclick={send(dispatch, LectureEdit::Go(idx))}>{ number }</button>
            <div class="chapter-fields">
                <TextField class="field" name={format!("Title of chapter {number}")} id={format!("chapter-title-{number}")}
                    sets={format!("title-{idx}")} leaves=true value={chapter.title.clone()} on_text={title}/>
                <span class="dim">{ what }</span>
                <TextField class="field" name={format!("Speaker notes of chapter {number}")} title="Speaker notes" is_long=true
                    id={format!("chapter-text-{number}")} sets={format!("text-{idx}")} value={chapter.text.clone()} on_text={text}/>
            </div>
            <div class="chapter-tools">
                { tool(Icon::Up, "Move up: chapter", "chapter-up", LectureEdit::Move(idx, -1)) }
                { tool(Icon::Down, "Move down: chapter", "chapter-down", LectureEdit::Move(idx, 1)) }
                { tool(Icon::Pin, "Replace with what is on screen: chapter", "chapter-retake", LectureEdit::Retake(idx)) }
                { tool(Icon::Trash, "Remove: chapter", "chapter-remove", LectureEdit::Remove(idx)) }
            </div>
        </li>
    }
}

/// The notes on the picture.
fn notes(session: &Session, dispatch: &Callback<Event>) -> Html {
    let note = |edit: NoteEdit| Event::Lecture(LectureEdit::Note(edit));
    let row = |(idx, note_of): (usize, &PictureNote)| {
        let number = idx + 1;
        let on_text =
            dispatch.reform(move |text: String| Event::Lecture(LectureEdit::Note(NoteEdit::Text(idx, text))));
        html! {
            <li key={idx}>
                <span class="note-disk">{ number }</span>
                <div class="chapter-fields">
                    <TextField class="field" name={format!("Text of note {number}")} id={format!("note-field-{number}")}
                        sets={format!("note-{idx}")} leaves=true value={note_of.text.clone()} {on_text}/>
                    <span class="dim">{ capital(&session.anchor_name(note_of.anchor)) }</span>
                </div>
                <div class="chapter-tools">
                    { button(Icon::Whole, &format!("Move note {number}"), &format!("note-move-{number}"), "", dispatch, note(NoteEdit::Move(idx))) }
                    { button(Icon::Trash, &format!("Remove note {number}"), &format!("note-remove-{number}"), "", dispatch, note(NoteEdit::Remove(idx))) }
                </div>
            </li>
        }
    };
    html! {
        <>
            <h3>{ "Notes on the picture" }</h3>
            <ol class="chapter-list" data-testid="note-list">{ for session.ui.lecture.notes.iter().enumerate().map(row) }</ol>
            <button class="btn line" data-testid="note-add" onclick={send(dispatch, LectureEdit::Note(NoteEdit::Place))}>{ "Add a note" }</button>
        </>
    }
}

/// Reads the chosen file.
fn opened(dispatch: &Callback<Event>) -> Callback<yew::Event> {
    let dispatch = dispatch.clone();
    Callback::from(move |event: yew::Event| {
        let input = event.target_unchecked_into::<HtmlInputElement>();
        let file = input.files().and_then(|files| files.get(0));
        // Allows the user to choose the same file again.
        input.set_value("");
        let (Some(file), dispatch) = (file, dispatch.clone()) else {
            return;
        };
        wasm_bindgen_futures::spawn_local(async move {
            let text = browser::text_of(&file).await;
            dispatch.emit(Event::Lecture(LectureEdit::Import(text)));
        });
    })
}
