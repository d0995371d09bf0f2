//! The kernel's editor: a text area with transparent text over rendered, highlighted lines.

mod answers;
mod bar;
mod field;
mod lines;
mod popup;

use std::cell::Cell;
use std::ops::Range;
use std::rc::Rc;

use wasm_bindgen::JsCast;
use web_sys::{Element, EventTarget, HtmlElement, HtmlTextAreaElement};
use yew::{
    Callback, Component, Context, Html, InputEvent, KeyboardEvent, MouseEvent, NodeRef, PointerEvent,
    Properties, TargetCast, html,
};

use self::answers::{Known, Purpose, Question};
use self::bar::{Bar, bar};
use self::field::{apply, go_to, keep_in_sight, offset_at, put_beside, selection, show};
use self::lines::{CodeLine, message, problems};
use super::browser;
use super::root::Listener;
use super::timer::{Timer, soon};
use workbench::app::assist::{self, Hover, List, Target};
use workbench::app::code::{Line, LineNote, Lit, lines};
use workbench::app::code_edit::{self as edits, Edit};
use workbench::app::compiler::Response;
use workbench::app::{Density, Event, Problem};

/// Files with at least this many lines render only the lines near the visible ones, and this many extra.
const MANY_LINES: usize = 1_500;
const MARGIN_LINES: usize = 150;
/// Texts of at least this many bytes skip bracket matching on cursor moves.
const LONG_TEXT: usize = 100_000;
/// Delay between a typed letter and the automatic list of completions, in milliseconds.
const OPEN_MS: i32 = 60;
/// Delay before a hover or a long press explains a name, and before an explanation closes after the pointer
/// leaves, in milliseconds.
const REST_MS: i32 = 450;
const HOLD_MS: i32 = 400;
const LEAVE_MS: i32 = 250;
/// Movement allowed during a long press, in CSS pixels.
const HOLD_PX: f64 = 8.0;
/// Completions that Page Up and Page Down skip.
const PAGE: i32 = 8;

/// The properties of the editor.
#[derive(Clone, PartialEq, Properties)]
pub(crate) struct EditorProps {
    pub text: Rc<str>,
    pub problems: Rc<[Problem]>,
    pub notes: Rc<[LineNote]>,
    /// A line to show, counted from 1, and the number of the request.
    pub focus: Option<(u32, u32)>,
    /// The number of requests so far to show the definition of the name at the cursor.
    pub definition: u32,
    /// The compile target of the text.
    pub target: Target,
    pub density: Density,
    pub dispatch: Callback<Event>,
}

impl EditorProps {
    /// Height of a line in CSS pixels, equal to `--code-line` in the style sheet.
    const fn line_px(&self) -> f64 {
        match self.density {
            Density::Normal => 16.5,
            Density::Projector => 21.5,
        }
    }

    /// Width of a digit of the line numbers, in CSS pixels.
    const fn digit_px(&self) -> f64 {
        match self.density {
            Density::Normal => 6.4,
            Density::Projector => 8.5,
        }
    }
}

/// The editor component.
pub(crate) struct Editor {
    field: NodeRef,
    bar_input: NodeRef,
    lines: Vec<Rc<Line>>,
    /// Whether Tab leaves the field, which Escape enables.
    leaving: Rc<Cell<bool>>,
    /// The bar above the text: find, replace, go to line.
    bar: Option<Bar>,
    /// Whether the bar takes the focus after the next render.
    bar_wants_focus: bool,
    found: Vec<Range<usize>>,
    /// The number of the last completed request to show a line.
    focused: Option<u32>,
    /// The previous line of the selected warp.
    current: Option<usize>,
    cursor: Range<usize>,
    has_focus: bool,
    /// Whether Escape hid the message in the text.
    dismissed: bool,
    /// The first rendered line, if only a part of the lines is rendered.
    first_line: usize,
    /// Answers of the compiler about places in the text.
    known: Known,
    /// The list of completions, if open.
    list: Option<List>,
    /// The explanation of a name, if open.
    hover: Option<Hover>,
    /// Whether a long press opened the explanation. It then stays open when the touch ends or the text scrolls.
    is_hover_held: bool,
    /// The node of the list or the explanation.
    beside: NodeRef,
    /// Listeners for the visible viewport while the list or the explanation is open.
    around: Option<[Listener; 3]>,
    /// The delay that opens or closes the list or the explanation.
    timer: Option<Timer>,
    /// The position of a long press.
    held: Option<(f64, f64)>,
    /// The cursor position after an insertion, at which no list opens.
    inserted: Option<usize>,
    /// The history of jumps to definitions, most recent last.
    back: Vec<usize>,
    /// The number of completed requests to show a definition.
    defined: u32,
}

pub(crate) enum Message {
    /// The cursor or the focus may have moved.
    Cursor,
    /// Opens the bar above the text.
    Open(Bar),
    /// Closes the bar.
    CloseBar,
    /// The text of the bar: the search word, the line, or the replacement.
    Word(String),
    With(String),
    /// Shows the next or previous match, or the line.
    Next(bool),
    /// Replaces the current match, or all matches.
    Replace(bool),
    /// Replaces a range of the text.
    Edit(Edit),
    /// The text was scrolled to this line.
    Scrolled(usize),
    /// The Escape key.
    Dismiss,
    /// The user typed; whether it was a letter.
    Typed {
        /** Whether it was a letter, and nothing pasted or taken back. */
        letter: bool,
    },
    /// Requests completions; whether the user requested the list.
    Complete {
        /** Otherwise a letter was typed. */
        asked: bool,
    },
    /// Moves the selected completion by this many rows.
    Beside(i32),
    /// Inserts a completion.
    Accept(usize),
    /// Closes the completions and the explanation.
    CloseList,
    /// The compiler answered a question.
    Answered(Question, Response),
    /// The pointer moved to this position; whether it is a mouse.
    Pointer(f64, f64, bool),
    /// A long press began at this position, or ended.
    Hold(Option<(f64, f64)>),
    /// The pointer rests at this position.
    Rest(f64, f64),
    /// The pointer left the word.
    Leave,
    /// The pointer entered the explanation.
    KeepHover,
    /// Closes the explanation.
    CloseHover,
    /// The visible viewport changed.
    Seen,
    /// Explains the name at the cursor.
    Explain,
    /// Shows the definition of the name at the cursor, or returns from it.
    Definition(bool),
    /// Opens the bar that renames the name at the cursor.
    Rename,
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
            known: Known::default(),
            list: None,
            hover: None,
            is_hover_held: false,
            beside: NodeRef::default(),
            around: None,
            timer: None,
            held: None,
            inserted: None,
            back: Vec::new(),
            defined: ctx.props().definition,
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
            self.seek(ctx);
            self.draw(new);
            self.ask_for_angles(ctx);
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
                let stays =
                    self.has_focus && self.list.as_ref().is_some_and(|list| list.holds(self.cursor.end));
                if !stays {
                    self.list = None;
                }
                if !self.has_focus {
                    self.hover = None;
                }
            }
            Message::Open(bar) => {
                self.list = None;
                self.bar_wants_focus = true;
                self.bar = Some(bar);
                self.seek(ctx);
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
                self.seek(ctx);
                if let Some(bar) = &mut self.bar {
                    bar.at = edits::next_from(&self.found, self.cursor.start).unwrap_or(0);
                }
                if self.bar.as_ref().is_some_and(|bar| bar.renames.is_none()) {
                    self.show_place(props);
                }
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
                if !self.is_hover_held && self.hover.take().is_some() {
                    return true;
                }
                self.place_beside(props);
                let first = line.saturating_sub(MARGIN_LINES) / 50 * 50;
                if self.lines.len() < MANY_LINES || first == self.first_line {
                    return false;
                }
                self.first_line = first;
                return true;
            }
            Message::Dismiss => self.dismissed = true,
            Message::Answered(question, response) => self.take_answer(ctx, question, response),
            other => return self.assist(ctx, other),
        }
        self.draw(props);
        self.ask_for_angles(ctx);
        true
    }

    fn view(&self, ctx: &Context<Self>) -> Html {
        let (props, link) = (ctx.props(), ctx.link());
        let (dispatch, typed) = (props.dispatch.clone(), link.clone());
        let oninput = Callback::from(move |event: InputEvent| {
            let field = event.target_unchecked_into::<HtmlTextAreaElement>();
            dispatch.emit(Event::Edit(field.value()));
            // On-screen keyboards compose every word.
            let letter = matches!(
                event.input_type().as_str(),
                "insertText" | "insertCompositionText"
            );
            typed.send_message(Message::Typed { letter });
        });
        let onclick = link.batch_callback(|event: MouseEvent| {
            let follows = event.ctrl_key() || event.meta_key();
            let definition = follows.then_some(Message::Definition(true));
            std::iter::once(Message::Cursor)
                .chain(definition)
                .collect::<Vec<_>>()
        });
        let place = |event: &PointerEvent| (f64::from(event.client_x()), f64::from(event.client_y()));
        let onpointermove = link.batch_callback(move |event: PointerEvent| {
            let (x, y) = place(&event);
            // A selection suppresses explanations.
            (event.buttons() == 0 || event.pointer_type() == "touch")
                .then(|| Message::Pointer(x, y, event.pointer_type() == "mouse"))
        });
        let onpointerdown = link.callback(move |event: PointerEvent| {
            Message::Hold((event.pointer_type() == "touch").then(|| place(&event)))
        });
        let lift = || link.callback(|_: PointerEvent| Message::Hold(None));
        // `pointerleave` also fires when a touch ends.
        let onpointerleave = link.batch_callback(|event: PointerEvent| {
            (event.pointer_type() == "mouse").then_some(Message::Leave)
        });
        let cursor = || link.callback(|()| Message::Cursor);
        let line_px = props.line_px();
        let onscroll = link.callback(move |event: yew::Event| {
            let top = event.target_unchecked_into::<HtmlElement>().scroll_top();
            Message::Scrolled((f64::from(top) / line_px) as usize)
        });
        // Absent nodes keep their place in the list, so that the field keeps its DOM node.
        let shown_bar = self
            .bar
            .as_ref()
            .map(|shown| bar(shown, self.found.len(), &self.bar_input, link));
        let shown_bar: Html = shown_bar.unwrap_or_default();
        let shown_message = self
            .shown_problem(props)
            .map(|problem| message(problem, props, link));
        let shown_message: Html = shown_message.unwrap_or_default();
        let active = self.list.as_ref().map(|list| format!("completion-{}", list.row));
        let (beside, spoken) = match (&self.list, &self.hover) {
            (Some(list), _) => (popup::completions(list, &self.beside, link), list.spoken()),
            (None, Some(hover)) => (popup::about(hover, &self.beside, link), hover.spoken()),
            (None, None) => (Html::default(), String::new()),
        };
        let digits = self.lines.len().to_string().len() as f64;
        let style = format!("--numbers:{:.1}px", (digits * props.digit_px() + 5.0).max(18.0));
        html! {
            <>
                { shown_bar }
                <div class="editor" data-testid="editor-scroll" {style} {onscroll}>
                    <div class="sheet-of-code">
                        { self.drawn_lines(props) }
                        <textarea ref={self.field.clone()} data-testid="editor" aria-label="Kernel, CUDA C. Press Escape, then Tab, to leave the editor."
                            spellcheck="false" autocapitalize="off" autocomplete="off" wrap="off" value={props.text.to_string()}
                            {oninput} onkeydown={self.on_key(ctx)} onkeyup={cursor().reform(|_: KeyboardEvent| ())}
                            onselect={cursor().reform(|_: yew::Event| ())} {onclick}
                            aria-autocomplete="list" aria-haspopup="listbox" aria-controls={self.list.as_ref().map(|_| "completions")}
                            aria-activedescendant={active} aria-describedby={self.hover.as_ref().map(|_| "about-name")}
                            {onpointermove} {onpointerdown} onpointerup={lift()} onpointercancel={lift()} {onpointerleave}
                            onfocus={cursor().reform(|_: yew::FocusEvent| ())} onblur={cursor().reform(|_: yew::FocusEvent| ())}/>
                        { shown_message }
                    </div>
                </div>
                { problems(props, link) }
                { beside }
                <span class="unseen" role="status">{ spoken }</span>
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
        self.place_beside(ctx.props());
        if self.list.is_none() && self.hover.is_none() {
            self.around = None;
        } else if self.around.is_none() {
            self.around = listen_around(ctx);
        }
        if self.defined != ctx.props().definition {
            self.defined = ctx.props().definition;
            ctx.link().send_message(Message::Definition(true));
        }
        let current = ctx.props().notes.iter().position(|note| note.current);
        if current != self.current {
            self.current = current;
            if let (Some(line), Some(field)) = (current, self.field()) {
                // In a separate task: measuring positions forces a layout.
                let line_px = ctx.props().line_px();
                soon(move || keep_in_sight(&field, line, line_px));
            }
        }
        let Some((line, number)) = ctx.props().focus else {
            return;
        };
        if self.focused == Some(number) {
            return;
        }
        self.focused = Some(number);
        if let Some(field) = self.field() {
            go_to(&field, &ctx.props().text, line, ctx.props().line_px());
        }
    }
}

impl Editor {
    fn field(&self) -> Option<HtmlTextAreaElement> {
        self.field.cast()
    }

    /// Reads the cursor's position from the field.
    fn read_cursor(&mut self, props: &EditorProps) {
        let Some(field) = self.field() else { return };
        self.has_focus = browser::document()
            .and_then(|document| document.active_element())
            .is_some_and(|active| active.is_same_node(Some(field.as_ref())));
        if self.has_focus {
            self.cursor = selection(&field, &props.text);
        }
    }

    /// The field's text, which the properties follow with a delay, and its cursor.
    fn written(&self) -> Option<(HtmlTextAreaElement, String, usize)> {
        let field = self.field()?;
        let text = field.value();
        let at = selection(&field, &text).end;
        Some((field, text, at))
    }

    /// Sends a message after a delay. A new call replaces a pending one.
    fn later(&mut self, ctx: &Context<Self>, ms: i32, message: fn(f64, f64) -> Message, (x, y): (f64, f64)) {
        let link = ctx.link().clone();
        self.timer = Timer::after(ms, move || link.send_message(message(x, y)));
    }

    /// Handles completions, explanations, definitions, and renaming. Returns whether to render.
    fn assist(&mut self, ctx: &Context<Self>, message: Message) -> bool {
        let props = ctx.props();
        match message {
            Message::Typed { letter } => return self.typed(ctx, letter),
            Message::Complete { asked } => {
                self.timer = None;
                let Some((_, text, at)) = self.written().filter(|_| asked || self.has_focus) else {
                    return false;
                };
                self.hover = None;
                self.ask(ctx, Purpose::Complete { asked }, text, at);
            }
            Message::Beside(step) => {
                if let Some(list) = &mut self.list {
                    list.choose_beside(step);
                }
            }
            Message::Accept(row) => {
                let list = self.list.take();
                if let (Some(list), Some((field, text, _))) = (list, self.written())
                    && let Some(edit) = list.insertion(&text, row)
                {
                    self.inserted = Some(edit.select.end);
                    apply(&field, &text, &edit, &props.dispatch);
                }
            }
            Message::CloseList => {
                self.list = None;
                self.forget_popup();
            }
            Message::Pointer(x, y, is_mouse) => {
                if is_mouse && self.list.is_none() {
                    self.later(ctx, REST_MS, Message::Rest, (x, y));
                } else if let Some((from_x, from_y)) = self.held
                    && libm::hypot(x - from_x, y - from_y) > HOLD_PX
                {
                    self.held = None;
                    self.timer = None;
                }
                return false;
            }
            Message::Hold(held) => {
                let closes = self.hover.is_some();
                self.held = held;
                self.timer = None;
                if let Some(place) = held {
                    self.later(ctx, HOLD_MS, Message::Rest, place);
                    self.hover = None;
                }
                return closes && self.hover.is_none();
            }
            Message::Rest(x, y) => {
                self.timer = None;
                self.is_hover_held = self.held.is_some();
                let before = self.hover.take();
                if let Some((field, text, _)) = self.written()
                    && let Some(at) = offset_at(&field, &text, (x, y), props.line_px())
                    && text[at..].starts_with(|letter: char| letter.is_ascii_alphanumeric() || letter == '_')
                {
                    self.ask(ctx, Purpose::Hover, text, at);
                }
                return before != self.hover;
            }
            Message::Leave => {
                self.later(ctx, LEAVE_MS, |_, _| Message::CloseHover, (0.0, 0.0));
                return false;
            }
            Message::KeepHover => {
                self.timer = None;
                return false;
            }
            Message::CloseHover => {
                self.timer = None;
                self.forget_popup();
                return self.hover.take().is_some();
            }
            Message::Seen => {
                self.place_beside(props);
                return false;
            }
            Message::Explain => {
                self.list = None;
                self.is_hover_held = false;
                self.hover = None;
                if let Some((_, text, at)) = self.written() {
                    self.ask(ctx, Purpose::Hover, text, at);
                }
            }
            Message::Definition(forward) => self.go_to_definition(ctx, forward),
            Message::Rename => {
                let Some((_, text, at)) = self.written() else {
                    return false;
                };
                self.ask(ctx, Purpose::Rename, text, at);
                return false;
            }
            _ => {}
        }
        true
    }

    /// Updates the list after the user typed, or schedules a new list.
    fn typed(&mut self, ctx: &Context<Self>, letter: bool) -> bool {
        let Some((_, text, at)) = self.written() else {
            return false;
        };
        let was_inserted = self.inserted.take() == Some(at);
        let had_hover = self.hover.take().is_some();
        if let Some(list) = &mut self.list
            && list.follow(&text, at)
        {
            return true;
        }
        let had_list = self.list.take().is_some();
        self.timer = None;
        if letter && !was_inserted && assist::may_open(&text, at) {
            self.later(
                ctx,
                OPEN_MS,
                |_, _| Message::Complete { asked: false },
                (0.0, 0.0),
            );
        }
        had_list || had_hover
    }

    fn go_to_definition(&mut self, ctx: &Context<Self>, forward: bool) {
        let props = ctx.props();
        self.list = None;
        self.hover = None;
        let Some((field, text, at)) = self.written() else {
            return;
        };
        if !forward {
            if let Some(at) = self.back.pop() {
                let at = at.min(text.len());
                show(&field, &text, &(at..at), props.line_px());
                let _ = field.focus();
            }
            return;
        }
        let at = if self.has_focus {
            at
        } else {
            self.cursor.start.min(text.len())
        };
        self.ask(ctx, Purpose::Definition, text, at);
    }

    /// Positions the completions or the explanation beside their word, and scrolls to the selected row.
    fn place_beside(&self, props: &EditorProps) {
        let start = match (&self.list, &self.hover) {
            (Some(list), _) => list.start(),
            (None, Some(hover)) => hover.word.start,
            (None, None) => return,
        };
        let (Some(shown), Some(field)) = (self.beside.cast::<HtmlElement>(), self.field()) else {
            return;
        };
        let text = field.value();
        put_beside(&shown, &field, &text, start.min(text.len()), props.line_px());
        let rows = shown.first_element_child().filter(|_| self.list.is_some());
        if let (Some(rows), Some(list)) = (rows, &self.list) {
            let height = rows.first_element_child().map_or(0, |row| row.client_height());
            let top = list.row as i32 * height;
            let bottom = top + height - rows.client_height();
            if rows.scroll_top() > top || rows.scroll_top() < bottom {
                rows.set_scroll_top(if rows.scroll_top() > top { top } else { bottom });
            }
        }
    }

    /// Whether the cursor is at an angle bracket, which can only be matched with the compiler's help.
    fn is_at_angle(&self, props: &EditorProps) -> bool {
        let near = |at: usize| matches!(props.text.as_bytes().get(at), Some(b'<' | b'>'));
        let at = self.cursor.start;
        self.has_focus
            && self.cursor.is_empty()
            && props.text.len() < LONG_TEXT
            && (near(at) || at.checked_sub(1).is_some_and(near))
    }

    /// Searches for the word of the bar.
    fn seek(&mut self, ctx: &Context<Self>) {
        let props = ctx.props();
        self.found = match &self.bar {
            Some(bar) if bar.renames.is_some() => {
                if let Some(uses) = self.known.uses_in(&props.text) {
                    uses.to_vec()
                } else {
                    self.ask(ctx, Purpose::Uses, props.text.to_string(), self.cursor.start);
                    Vec::new()
                }
            }
            Some(bar) if !bar.is_line => edits::find(&props.text, &bar.word),
            _ => Vec::new(),
        };
        if let Some(bar) = &mut self.bar {
            bar.at = bar.at.min(self.found.len().saturating_sub(1));
        }
    }

    /// Highlights the lines again. Unchanged lines keep their `Rc`, so that they are not rendered again.
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
        } else if self.is_at_angle(props)
            && let Some((open, close)) = self.known.angles_at(&props.text, self.cursor.start)
        {
            lit.extend([(open, Lit::Bracket), (close, Lit::Bracket)]);
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
            let px = |lines: usize| lines as f64 * props.line_px();
            format!("height:{}px;padding-top:{}px", px(self.lines.len()), px(first))
        });
        html! { <div class="lines" aria-hidden="true" {style}>{ for rows }</div> }
    }

    /// The problem whose message is shown in the text: the problem of the cursor's line, or, while the field has
    /// no focus, the first error.
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
                go_to(&field, &props.text, line, props.line_px());
            }
            return;
        }
        if bar.renames.is_some() {
            if let (Some(edit), Some(field)) = (
                assist::rename(&props.text, &self.found, bar.word.trim()),
                self.field.cast(),
            ) {
                self.bar = None;
                self.found.clear();
                apply(&field, &props.text, &edit, &props.dispatch);
            }
            return;
        }
        let num = self.found.len();
        if num > 0 {
            bar.at = (bar.at + if forward { 1 } else { num - 1 }) % num;
        }
        self.show_place(props);
    }

    /// Selects the current match and scrolls to it.
    fn show_place(&mut self, props: &EditorProps) {
        let place = self.bar.as_ref().and_then(|bar| self.found.get(bar.at));
        if let (Some(place), Some(field)) = (place, self.field.cast()) {
            show(&field, &props.text, place, props.line_px());
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
            // The bar keeps the focus for the next match.
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
        let has_hover = self.hover.is_some();
        let list = self.list.as_ref().map(|list| (list.row, list.takes_enter()));
        Callback::from(move |event: KeyboardEvent| {
            let field = event.target_unchecked_into::<HtmlTextAreaElement>();
            let left = leaving.replace(event.key() == "Escape" && !has_bar);
            let control = event.ctrl_key() || event.meta_key();
            if !(control && event.key() == "k") {
                // The page's own keys apply only outside the text.
                event.stop_propagation();
            }
            if event.is_composing() {
                return;
            }
            let text = field.value();
            let selection = selection(&field, &text);
            if let Some((row, takes_enter)) = list {
                let message = match (
                    control || event.alt_key() || event.shift_key(),
                    event.key().as_str(),
                ) {
                    (false, "ArrowDown") => Some(Message::Beside(1)),
                    (false, "ArrowUp") => Some(Message::Beside(-1)),
                    (false, "PageDown") => Some(Message::Beside(PAGE)),
                    (false, "PageUp") => Some(Message::Beside(-PAGE)),
                    (false, "Tab") => Some(Message::Accept(row)),
                    (false, "Enter") if takes_enter => Some(Message::Accept(row)),
                    (_, "Escape") => Some(Message::CloseList),
                    _ => None,
                };
                if let Some(message) = message {
                    leaving.set(false);
                    event.prevent_default();
                    link.send_message(message);
                    return;
                }
                if matches!(
                    event.key().as_str(),
                    "Enter" | "ArrowLeft" | "ArrowRight" | "Home" | "End"
                ) {
                    link.send_message(Message::CloseList);
                }
            }
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
                (true, false, " ") => {
                    link.send_message(Message::Complete { asked: true });
                    None
                }
                (true, false, "i" | "I") => {
                    link.send_message(Message::Explain);
                    None
                }
                (false, false, "F12") => {
                    link.send_message(Message::Definition(!event.shift_key()));
                    None
                }
                (false, false, "F2") => {
                    link.send_message(Message::Rename);
                    None
                }
                (false, false, "Escape") if has_hover => {
                    leaving.set(false);
                    link.send_message(Message::CloseHover);
                    None
                }
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

/// Listeners that keep completions and explanations in place: an on-screen keyboard changes the visible
/// viewport, and a press elsewhere closes an explanation.
fn listen_around(ctx: &Context<Editor>) -> Option<[Listener; 3]> {
    let window = browser::window()?;
    let seen: EventTarget = window
        .visual_viewport()
        .map_or_else(|| window.clone().into(), Into::into);
    let (on_resize, on_scroll, on_press) = (ctx.link().clone(), ctx.link().clone(), ctx.link().clone());
    Some([
        Listener::on(&seen, "resize", move |_| on_resize.send_message(Message::Seen)),
        Listener::on(&seen, "scroll", move |_| on_scroll.send_message(Message::Seen)),
        Listener::on(&window, "pointerdown", move |event| {
            let pressed = event
                .target()
                .and_then(|target| target.dyn_into::<Element>().ok());
            let is_own = pressed.is_some_and(|pressed| {
                // The text field itself distinguishes a long press from a scroll.
                matches!(pressed.closest(".beside.hover, .sheet-of-code"), Ok(Some(_)))
            });
            if !is_own {
                on_press.send_message(Message::CloseHover);
            }
        }),
    ])
}
