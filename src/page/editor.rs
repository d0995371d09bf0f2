//! The kernel's editor: a text area with transparent text over rendered, highlighted lines.

mod answers;
mod assistance;
mod bar;
mod drawing;
mod field;
mod keys;
mod lines;
mod popup;
mod search;

use std::cell::Cell;
use std::ops::Range;
use std::rc::Rc;

use web_sys::{HtmlElement, HtmlTextAreaElement};
use yew::{
    Callback, Component, Context, Html, InputEvent, KeyboardEvent, MouseEvent, NodeRef, PointerEvent,
    Properties, TargetCast, html,
};

use self::answers::{Known, Question};
use self::assistance::listen_around;
use self::bar::{Bar, bar};
use self::field::{apply, go_to, keep_in_sight, selection, show};
use self::lines::{message, problems};
use super::browser;
use super::listener::Listener;
use super::styled::styled;
use super::timer::{Timer, soon};
use workbench::app::assist::{self, Hover, List, Target};
use workbench::app::code::{Line, LineNote, lines};
use workbench::app::code_edit::{self as edits, Edit};
use workbench::app::compiler::Response;
use workbench::app::{Density, Event, Problem};

/// Files with at least this many lines render only the lines near the visible ones, and this many extra.
const MANY_LINES: usize = 1_500;
const MARGIN_LINES: usize = 150;

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
    /// The line that was last kept in sight: a ringed one, or that of the selected warp; and whether it is ringed.
    current: Option<(usize, bool)>,
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
        /// Whether it was a letter, and nothing pasted or taken back.
        letter: bool,
    },
    /// Requests completions; whether the user requested the list.
    Complete {
        /// Otherwise a letter was typed.
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
        let editor = html! {
            <div class="editor" data-testid="editor-scroll" {onscroll}>
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
        };
        html! {
            <>
                { shown_bar }
                { styled(style, editor) }
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
        let notes = &ctx.props().notes;
        let ringed = notes.iter().position(|note| note.ringed);
        let own = || notes.iter().position(|note| note.current);
        let current = ringed.map(|line| (line, true)).or_else(|| Some((own()?, false)));
        if current != self.current {
            self.current = current;
            if let (Some((line, _)), Some(field)) = (current, self.field()) {
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
    /// The text field, once it is rendered.
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
}
