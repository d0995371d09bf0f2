//! The kernel's editor: a text field whose own text is not seen, over lines that are drawn.

use std::rc::Rc;

use wasm_bindgen::JsCast;
use web_sys::{HtmlElement, HtmlTextAreaElement};
use yew::{
    Callback, Component, Context, Html, InputEvent, KeyboardEvent, NodeRef, Properties, TargetCast, classes,
    html,
};

use super::browser;
use crate::app::code::{Ink, Line, LineNote, Piece, lines};
use crate::app::{Event, Problem};
use crate::scene::capital;

/// Height of a line in CSS pixels; the style sheet has the same.
const LINE_PX: f64 = 16.5;

/// What the editor shows.
#[derive(Clone, PartialEq, Properties)]
pub(crate) struct EditorProps {
    pub text: Rc<str>,
    pub problems: Rc<[Problem]>,
    pub notes: Rc<[LineNote]>,
    /// A line to go to, counted from 1, and the number of the wish.
    pub focus: Option<(u32, u32)>,
    pub dispatch: Callback<Event>,
}

/// The editor.
pub(crate) struct Editor {
    field: NodeRef,
    lines: Vec<Line>,
    /// After Escape, Tab leaves the field.
    leaving: bool,
    focused: Option<u32>,
    /// The line at which the selected warp was.
    current: Option<usize>,
}

pub(crate) enum Key {
    Leave(bool),
}

impl Component for Editor {
    type Message = Key;
    type Properties = EditorProps;

    fn create(ctx: &Context<Self>) -> Self {
        let lines = lines(&ctx.props().text, &ctx.props().problems);
        Self {
            field: NodeRef::default(),
            lines,
            leaving: false,
            focused: None,
            current: None,
        }
    }

    fn changed(&mut self, ctx: &Context<Self>, old: &EditorProps) -> bool {
        let new = ctx.props();
        if new.text != old.text || new.problems != old.problems {
            self.lines = lines(&new.text, &new.problems);
        }
        true
    }

    fn update(&mut self, _: &Context<Self>, Key::Leave(leaving): Key) -> bool {
        // The handler is made anew only where this changes.
        let changed = self.leaving != leaving;
        self.leaving = leaving;
        changed
    }

    fn view(&self, ctx: &Context<Self>) -> Html {
        let props = ctx.props();
        let oninput = props.dispatch.reform(|event: InputEvent| {
            Event::Edit(event.target_unchecked_into::<HtmlTextAreaElement>().value())
        });
        let (leaving, dispatch, link) = (self.leaving, props.dispatch.clone(), ctx.link().clone());
        let onkeydown = Callback::from(move |event: KeyboardEvent| {
            link.send_message(Key::Leave(event.key() == "Escape"));
            on_key(&event, leaving, &dispatch);
        });
        let rows = self
            .lines
            .iter()
            .enumerate()
            .map(|(idx, line)| row(idx, line, props.notes.get(idx)));
        html! {
            <div class="editor" data-testid="editor-scroll">
                <div class="sheet-of-code">
                    <div class="lines" aria-hidden="true">{ for rows }</div>
                    <textarea ref={self.field.clone()} data-testid="editor" aria-label="Kernel, CUDA C. Escape, then Tab leaves."
                        spellcheck="false" autocapitalize="off" autocomplete="off" wrap="off"
                        value={props.text.to_string()} {oninput} {onkeydown}/>
                </div>
            </div>
        }
    }

    fn rendered(&mut self, ctx: &Context<Self>, _: bool) {
        let current = ctx.props().notes.iter().position(|note| note.current);
        if current != self.current {
            self.current = current;
            if let (Some(line), Some(field)) = (current, self.field.cast::<HtmlTextAreaElement>()) {
                keep_in_sight(&field, line);
            }
        }
        let Some((line, wish)) = ctx.props().focus else {
            return;
        };
        if self.focused == Some(wish) {
            return;
        }
        self.focused = Some(wish);
        if let Some(field) = self.field.cast::<HtmlTextAreaElement>() {
            go_to(&field, &ctx.props().text, line);
        }
    }
}

fn on_key(event: &KeyboardEvent, leaving: bool, dispatch: &Callback<Event>) {
    let control = event.ctrl_key() || event.meta_key();
    let field = event.target_unchecked_into::<HtmlTextAreaElement>();
    if event.key() == "Tab" && !event.shift_key() && !control && !leaving {
        event.prevent_default();
        let start = field.selection_start().ok().flatten().unwrap_or(0);
        let end = field.selection_end().ok().flatten().unwrap_or(start);
        // Offsets lie in the text, as the field itself gave them.
        let _ = field.set_range_text_with_start_and_end("    ", start, end);
        let _ = field.set_selection_range(start + 4, start + 4);
        dispatch.emit(Event::Edit(field.value()));
    }
    // The page's own keys are for outside of the text.
    event.stop_propagation();
}

/// Puts the cursor at a line and scrolls it into the middle.
fn go_to(field: &HtmlTextAreaElement, text: &str, line: u32) {
    let before: usize = text
        .split('\n')
        .take(line.saturating_sub(1) as usize)
        .map(|line| line.encode_utf16().count() + 1)
        .sum();
    let _ = field.focus();
    let _ = field.set_selection_range(before as u32, before as u32);
    if let Some(scroll) = scroll_of(field) {
        let middle = f64::from(line) * LINE_PX - f64::from(scroll.client_height()) / 2.0;
        scroll.set_scroll_top(middle.max(0.0) as i32);
    }
}

fn scroll_of(field: &HtmlTextAreaElement) -> Option<HtmlElement> {
    field.closest(".editor").ok().flatten()?.dyn_into().ok()
}

/// Scrolls so that a line (from 0) is seen, unless the user is writing.
fn keep_in_sight(field: &HtmlTextAreaElement, line: usize) {
    let writes = browser::document()
        .and_then(|document| document.active_element())
        .is_some_and(|active| active.is_same_node(Some(field.as_ref())));
    let Some(scroll) = scroll_of(field).filter(|_| !writes) else {
        return;
    };
    let (top, height) = (f64::from(scroll.scroll_top()), f64::from(scroll.client_height()));
    let at = line as f64 * LINE_PX;
    if at < top || at + 3.0 * LINE_PX > top + height {
        scroll.set_scroll_top((at - height / 2.0).max(0.0) as i32);
    }
}

fn row(idx: usize, line: &Line, note: Option<&LineNote>) -> Html {
    let heat = note.into_iter().flat_map(|note| &note.heat).map(|(mark, width)| {
        let style = format!("width:{width:.1}px;background:var(--st-{})", mark.id());
        html! { <s {style}/> }
    });
    let live = note.is_some_and(|note| note.live).then_some("▶");
    let current = note.is_some_and(|note| note.current);
    html! {
        <div class="code-line" data-current={current.to_string()}>
            <span class="heat">{ for heat }</span><i>{ idx + 1 }</i><span class="live">{ live }</span>
            <code>{ for line.pieces.iter().map(piece) }</code>
        </div>
    }
}

fn piece(piece: &Piece) -> Html {
    let ink = match piece.ink {
        Ink::Plain => None,
        Ink::Keyword => Some("k"),
        Ink::Comment => Some("c"),
    };
    if ink.is_none() && !piece.wavy {
        return html! { { &piece.text } };
    }
    html! { <span class={classes!(ink, piece.wavy.then_some("w"))}>{ &piece.text }</span> }
}

/// The problems, a line each; a click goes there.
pub(crate) fn problems(problems: &[Problem], dispatch: &Callback<Event>) -> Html {
    let shown = problems.iter().filter(|problem| problem.span.is_some()).map(|problem| {
        let line = problem.span.map_or(0, |span| span.line);
        let onclick = dispatch.reform(move |_| Event::Select(crate::scene::Target::Line(line)));
        html! {
            <button class="problem" data-testid="problem" {onclick}><span>{ line }</span><span>{ capital(&problem.message) }</span></button>
        }
    });
    if problems.iter().all(|problem| problem.span.is_none()) {
        return Html::default();
    }
    html! { <div class="problems" role="log" aria-label="Problems">{ for shown }</div> }
}
