//! The kernel's editor: a text field whose own text is not seen, over lines that are drawn.

mod bar;
mod field;
mod lines;

use std::cell::Cell;
use std::ops::Range;
use std::rc::Rc;

use web_sys::{HtmlElement, HtmlTextAreaElement};
use yew::{
    Callback, Component, Context, Html, InputEvent, KeyboardEvent, NodeRef, Properties, TargetCast, html,
};

use self::bar::{Bar, bar};
use self::field::{apply, go_to, keep_in_sight, selection, show};
use self::lines::{CodeLine, message, problems};
use super::browser;
use super::timer::soon;
use crate::app::code::{Line, LineNote, Lit, lines};
use crate::app::code_edit::{self as edits, Edit};
use crate::app::{Event, Problem};

/// Height of a line in CSS pixels; the style sheet has the same.
const LINE_PX: f64 = 16.5;
/// Lines from which on only those near the visible ones are drawn, and how many more than these.
const MANY_LINES: usize = 1_500;
const MARGIN_LINES: usize = 150;
/// Bytes from which on brackets are not matched at each move of the cursor.
const LONG_TEXT: usize = 100_000;

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
    bar_input: NodeRef,
    lines: Vec<Rc<Line>>,
    /// After Escape, Tab leaves the field.
    leaving: Rc<Cell<bool>>,
    /// The row above the text: find, replace, go to line.
    bar: Option<Bar>,
    /// Whether the row wants the focus once it is drawn.
    bar_wants_focus: bool,
    found: Vec<Range<usize>>,
    /// The last wish for a line that was fulfilled.
    focused: Option<u32>,
    /// The line at which the selected warp was.
    current: Option<usize>,
    cursor: Range<usize>,
    has_focus: bool,
    /// Whether the message in the text was put away by Escape.
    dismissed: bool,
    /// The first line that is drawn, where not all are.
    first_line: usize,
}

pub(crate) enum Message {
    /// The cursor or the focus may be elsewhere.
    Cursor,
    /// Shows the row above the text.
    Open(Bar),
    /// Puts it away.
    CloseBar,
    /// The word that is sought, the line that is wanted, or what is to stand in its place.
    Word(String),
    With(String),
    /// The next or the former place, or the line.
    Next(bool),
    /// Replaces the present place, or all.
    Replace(bool),
    /// Replaces a piece of the text.
    Edit(Edit),
    /// The text was scrolled to this line.
    Scrolled(usize),
    /// Escape.
    Dismiss,
}

impl Component for Editor {
    type Message = Message;
    type Properties = EditorProps;

    fn create(ctx: &Context<Self>) -> Self {
        let mut editor = Self {
            field: NodeRef::default(),
            bar_input: NodeRef::default(),
            lines: Vec::new(),
            leaving: Rc::default(),
            bar: None,
            bar_wants_focus: false,
            found: Vec::new(),
            focused: None,
            current: None,
            cursor: 0..0,
            has_focus: false,
            dismissed: false,
            first_line: 0,
        };
        editor.draw(ctx.props());
        editor
    }

    fn changed(&mut self, ctx: &Context<Self>, old: &EditorProps) -> bool {
        let new = ctx.props();
        if new.text != old.text || new.problems != old.problems {
            if new.problems != old.problems {
                self.dismissed = false;
            }
            self.cursor = self.cursor.start.min(new.text.len())..self.cursor.end.min(new.text.len());
            self.read_cursor(new);
            self.seek(new);
            self.draw(new);
        }
        true
    }

    fn update(&mut self, ctx: &Context<Self>, message: Message) -> bool {
        let props = ctx.props();
        match message {
            Message::Cursor => {
                let before = (self.cursor.clone(), self.has_focus);
                self.read_cursor(props);
                if before == (self.cursor.clone(), self.has_focus) {
                    return false;
                }
            }
            Message::Open(bar) => {
                self.bar_wants_focus = true;
                self.bar = Some(bar);
                self.seek(props);
            }
            Message::CloseBar => {
                self.bar = None;
                self.found.clear();
                if let Some(field) = self.field() {
                    let _ = field.focus();
                }
            }
            Message::Word(word) => {
                if let Some(bar) = &mut self.bar {
                    bar.word = word;
                    bar.at = 0;
                }
                self.seek(props);
                if let Some(bar) = &mut self.bar {
                    bar.at = edits::next_from(&self.found, self.cursor.start).unwrap_or(0);
                }
                self.show_place(props);
            }
            Message::With(word) => {
                if let Some(bar) = &mut self.bar {
                    bar.with = word;
                }
            }
            Message::Next(forward) => self.next(props, forward),
            Message::Replace(all) => self.replace(props, all),
            Message::Edit(edit) => {
                if let Some(field) = self.field() {
                    apply(&field, &props.text, &edit, &props.dispatch);
                }
            }
            Message::Scrolled(line) => {
                let first = line.saturating_sub(MARGIN_LINES) / 50 * 50;
                if self.lines.len() < MANY_LINES || first == self.first_line {
                    return false;
                }
                self.first_line = first;
                return true;
            }
            Message::Dismiss => self.dismissed = true,
        }
        self.draw(props);
        true
    }

    fn view(&self, ctx: &Context<Self>) -> Html {
        let (props, link) = (ctx.props(), ctx.link());
        let oninput = props.dispatch.reform(|event: InputEvent| {
            Event::Edit(event.target_unchecked_into::<HtmlTextAreaElement>().value())
        });
        let cursor = || link.callback(|()| Message::Cursor);
        let onscroll = link.callback(|event: yew::Event| {
            let top = event.target_unchecked_into::<HtmlElement>().scroll_top();
            Message::Scrolled((f64::from(top) / LINE_PX) as usize)
        });
        // Nodes that come and go keep their places, or the field would be made anew beside them.
        let shown_bar = self
            .bar
            .as_ref()
            .map(|shown| bar(shown, self.found.len(), &self.bar_input, link));
        let shown_bar: Html = shown_bar.unwrap_or_default();
        let shown_message = self
            .shown_problem(props)
            .map(|problem| message(problem, props, link));
        let shown_message: Html = shown_message.unwrap_or_default();
        let digits = self.lines.len().to_string().len() as f64;
        let style = format!("--numbers:{:.1}px", (digits * 6.4 + 5.0).max(18.0));
        html! {
            <>
                { shown_bar }
                <div class="editor" data-testid="editor-scroll" {style} {onscroll}>
                    <div class="sheet-of-code">
                        { self.drawn_lines(props) }
                        <textarea ref={self.field.clone()} data-testid="editor" aria-label="Kernel, CUDA C. Escape, then Tab leaves."
                            spellcheck="false" autocapitalize="off" autocomplete="off" wrap="off" value={props.text.to_string()}
                            {oninput} onkeydown={self.on_key(ctx)} onkeyup={cursor().reform(|_: KeyboardEvent| ())}
                            onselect={cursor().reform(|_: yew::Event| ())} onclick={cursor().reform(|_: yew::MouseEvent| ())}
                            onfocus={cursor().reform(|_: yew::FocusEvent| ())} onblur={cursor().reform(|_: yew::FocusEvent| ())}/>
                        { shown_message }
                    </div>
                </div>
                { problems(props, link) }
            </>
        }
    }

    fn rendered(&mut self, ctx: &Context<Self>, _: bool) {
        if self.bar_wants_focus {
            self.bar_wants_focus = false;
            if let Some(input) = self.bar_input.cast::<web_sys::HtmlInputElement>() {
                let _ = input.focus();
                input.select();
            }
        }
        let current = ctx.props().notes.iter().position(|note| note.current);
        if current != self.current {
            self.current = current;
            if let (Some(line), Some(field)) = (current, self.field()) {
                // In a task of its own: where things are has to be worked out first.
                soon(move || keep_in_sight(&field, line));
            }
        }
        let Some((line, wish)) = ctx.props().focus else {
            return;
        };
        if self.focused == Some(wish) {
            return;
        }
        self.focused = Some(wish);
        if let Some(field) = self.field() {
            go_to(&field, &ctx.props().text, line);
        }
    }
}

impl Editor {
    fn field(&self) -> Option<HtmlTextAreaElement> {
        self.field.cast()
    }

    /// Takes over where the cursor is.
    fn read_cursor(&mut self, props: &EditorProps) {
        let Some(field) = self.field() else { return };
        self.has_focus = browser::document()
            .and_then(|document| document.active_element())
            .is_some_and(|active| active.is_same_node(Some(field.as_ref())));
        if self.has_focus {
            self.cursor = selection(&field, &props.text);
        }
    }

    /// Finds the word of the row above the text.
    fn seek(&mut self, props: &EditorProps) {
        self.found = match &self.bar {
            Some(bar) if !bar.is_line => edits::find(&props.text, &bar.word),
            _ => Vec::new(),
        };
        if let Some(bar) = &mut self.bar {
            bar.at = bar.at.min(self.found.len().saturating_sub(1));
        }
    }

    /// Makes the lines anew; those that are as they were stay the same things.
    fn draw(&mut self, props: &EditorProps) {
        let mut lit: Vec<(Range<usize>, Lit)> = Vec::new();
        let at = self.bar.as_ref().map_or(0, |bar| bar.at);
        for (idx, place) in self.found.iter().enumerate() {
            lit.push((place.clone(), if idx == at { Lit::Here } else { Lit::Found }));
        }
        if self.has_focus
            && self.cursor.is_empty()
            && props.text.len() < LONG_TEXT
            && let Some((open, close)) = edits::matching_brackets(&props.text, self.cursor.start)
        {
            lit.extend([(open..open + 1, Lit::Bracket), (close..close + 1, Lit::Bracket)]);
        }
        let old = std::mem::take(&mut self.lines);
        let new = lines(&props.text, &props.problems, &lit).into_iter().enumerate();
        self.lines = new
            .map(|(idx, line)| match old.get(idx) {
                Some(same) if **same == line => Rc::clone(same),
                _ => Rc::new(line),
            })
            .collect();
    }

    fn drawn_lines(&self, props: &EditorProps) -> Html {
        let many = self.lines.len() >= MANY_LINES;
        let (first, num) = if many {
            (self.first_line, 2 * MARGIN_LINES + 100)
        } else {
            (0, self.lines.len())
        };
        let broken = |line: usize| {
            props
                .problems
                .iter()
                .any(|problem| problem.span.is_some_and(|span| span.line as usize == line + 1))
        };
        let rows = self.lines.iter().enumerate().skip(first).take(num).map(|(idx, line)| {
            html! {
                <CodeLine key={idx} {idx} line={Rc::clone(line)} notes={Rc::clone(&props.notes)} broken={broken(idx)}/>
            }
        });
        let style = many.then(|| {
            let px = |lines: usize| lines as f64 * LINE_PX;
            format!("height:{}px;padding-top:{}px", px(self.lines.len()), px(first))
        });
        html! { <div class="lines" aria-hidden="true" {style}>{ for rows }</div> }
    }

    /// The problem whose message stands in the text: that of the cursor's line; while nobody writes,
    /// the first that keeps the kernel from running.
    fn shown_problem<'a>(&self, props: &'a EditorProps) -> Option<&'a Problem> {
        let mut placed = props.problems.iter().filter(|problem| problem.span.is_some());
        if self.dismissed {
            return None;
        }
        if !self.has_focus {
            return placed.find(|problem| problem.fatal);
        }
        let line = edits::line_at(&props.text, self.cursor.start);
        placed.find(|problem| problem.span.is_some_and(|span| span.line == line))
    }

    fn next(&mut self, props: &EditorProps, forward: bool) {
        let Some(bar) = &mut self.bar else { return };
        if bar.is_line {
            if let (Ok(line), Some(field)) = (bar.word.trim().parse(), self.field.cast()) {
                self.bar = None;
                go_to(&field, &props.text, line);
            }
            return;
        }
        let num = self.found.len();
        if num > 0 {
            bar.at = (bar.at + if forward { 1 } else { num - 1 }) % num;
        }
        self.show_place(props);
    }

    /// Selects the present place and scrolls to it.
    fn show_place(&mut self, props: &EditorProps) {
        let place = self.bar.as_ref().and_then(|bar| self.found.get(bar.at));
        if let (Some(place), Some(field)) = (place, self.field.cast()) {
            show(&field, &props.text, place);
        }
    }

    fn replace(&mut self, props: &EditorProps, all: bool) {
        let (Some(bar), Some(field)) = (&self.bar, self.field()) else {
            return;
        };
        let edit = if all {
            edits::replace_all(&props.text, &bar.word, &bar.with)
        } else {
            self.found
                .get(bar.at)
                .map(|place| edits::replace(place.clone(), &bar.with))
        };
        if let Some(edit) = edit {
            apply(&field, &props.text, &edit, &props.dispatch);
            // The row keeps the focus, for the next one.
            self.bar_wants_focus = true;
        }
    }

    fn on_key(&self, ctx: &Context<Self>) -> Callback<KeyboardEvent> {
        let (leaving, link, dispatch) = (
            Rc::clone(&self.leaving),
            ctx.link().clone(),
            ctx.props().dispatch.clone(),
        );
        let has_bar = self.bar.is_some();
        Callback::from(move |event: KeyboardEvent| {
            let field = event.target_unchecked_into::<HtmlTextAreaElement>();
            let left = leaving.replace(event.key() == "Escape" && !has_bar);
            let control = event.ctrl_key() || event.meta_key();
            if !(control && event.key() == "k") {
                // The page's own keys are for outside of the text.
                event.stop_propagation();
            }
            if event.is_composing() {
                return;
            }
            let text = field.value();
            let selection = selection(&field, &text);
            let word = || {
                text[selection.clone()]
                    .lines()
                    .next()
                    .unwrap_or_default()
                    .to_owned()
            };
            let open = |bar: Bar| link.send_message(Message::Open(bar));
            let edit = match (control, event.alt_key(), event.key().as_str()) {
                (false, false, "Tab") if left => return,
                (false, false, "Tab") if event.shift_key() => Some(edits::outdent(&text, selection)),
                (false, false, "Tab") => Some(edits::indent(&text, selection)),
                (false, false, "Enter") => Some(edits::enter(&text, selection)),
                (false, false, "}") => match edits::close_brace(&text, selection) {
                    Some(edit) => Some(edit),
                    None => return,
                },
                (true, false, "/") => Some(edits::toggle_comment(&text, selection)),
                (true, false, "f") => {
                    open(Bar::find(word(), false));
                    None
                }
                (true, false, "h") => {
                    open(Bar::find(word(), true));
                    None
                }
                (true, false, "g") => {
                    open(Bar::line());
                    None
                }
                (false, true, "ArrowDown" | "ArrowUp") if event.shift_key() => {
                    Some(edits::duplicate_lines(&text, selection))
                }
                (false, true, "ArrowUp") => edits::move_lines(&text, selection, true),
                (false, true, "ArrowDown") => edits::move_lines(&text, selection, false),
                (false, false, "F3") if has_bar => {
                    link.send_message(Message::Next(!event.shift_key()));
                    None
                }
                (false, false, "Escape") => {
                    link.send_message(if has_bar {
                        Message::CloseBar
                    } else {
                        Message::Dismiss
                    });
                    None
                }
                _ => return,
            };
            event.prevent_default();
            if let Some(edit) = edit {
                apply(&field, &text, &edit, &dispatch);
                link.send_message(Message::Cursor);
            }
        })
    }
}
