//! Completions, explanations, and definitions while the user types and points.

use super::answers::Purpose;
use super::field::{offset_at, put_beside};
use super::*;
use wasm_bindgen::JsCast;
use web_sys::{Element, EventTarget};

/// Delay between a typed letter and the automatic list of completions, in milliseconds.
const OPEN_MS: i32 = 60;
/// Delay before a hover or a long press explains a name, and before an explanation closes after the pointer
/// leaves, in milliseconds.
const REST_MS: i32 = 450;
const HOLD_MS: i32 = 400;
const LEAVE_MS: i32 = 250;
/// Movement allowed during a long press, in CSS pixels.
const HOLD_PX: f64 = 8.0;

impl Editor {
    /// Handles completions, explanations, definitions, and renaming. Returns whether to render.
    pub(super) fn assist(&mut self, ctx: &Context<Self>, message: Message) -> bool {
        let props = ctx.props();
        match message {
            Message::Typed { letter } => return self.typed(ctx, letter),
            Message::Complete { asked } => return self.complete(ctx, asked),
            Message::Beside(step) => {
                if let Some(list) = &mut self.list {
                    list.choose_beside(step);
                }
            }
            Message::Accept(row) => self.accept(props, row),
            Message::CloseList => {
                self.list = None;
                self.forget_popup();
            }
            Message::Pointer(x, y, is_mouse) => {
                self.follow_pointer(ctx, (x, y), is_mouse);
                return false;
            }
            Message::Hold(held) => return self.hold(ctx, held),
            Message::Rest(x, y) => return self.rest(ctx, (x, y)),
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
            Message::Explain => self.explain(ctx),
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

    /// Requests completions at the cursor; `asked` if the user requested the list. Returns whether to render.
    fn complete(&mut self, ctx: &Context<Self>, asked: bool) -> bool {
        self.timer = None;
        let Some((_, text, at)) = self.written().filter(|_| asked || self.has_focus) else {
            return false;
        };
        self.hover = None;
        self.ask(ctx, Purpose::Complete { asked }, text, at);
        true
    }

    /// Inserts a completion.
    fn accept(&mut self, props: &EditorProps, row: usize) {
        let list = self.list.take();
        if let (Some(list), Some((field, text, _))) = (list, self.written())
            && let Some(edit) = list.insertion(&text, row)
        {
            self.inserted = Some(edit.select.end);
            apply(&field, &text, &edit, &props.dispatch);
        }
    }

    /// Schedules an explanation where a mouse rests, and cancels a long press that moves.
    fn follow_pointer(&mut self, ctx: &Context<Self>, (x, y): (f64, f64), is_mouse: bool) {
        if is_mouse && self.list.is_none() {
            self.later(ctx, REST_MS, Message::Rest, (x, y));
        } else if let Some((from_x, from_y)) = self.held
            && libm::hypot(x - from_x, y - from_y) > HOLD_PX
        {
            self.held = None;
            self.timer = None;
        }
    }

    /// Begins or ends a long press. Returns whether to render.
    fn hold(&mut self, ctx: &Context<Self>, held: Option<(f64, f64)>) -> bool {
        let closes = self.hover.is_some();
        self.held = held;
        self.timer = None;
        if let Some(place) = held {
            self.later(ctx, HOLD_MS, Message::Rest, place);
            self.hover = None;
        }
        closes && self.hover.is_none()
    }

    /// Requests the explanation of the name at a position. Returns whether to render.
    fn rest(&mut self, ctx: &Context<Self>, place: (f64, f64)) -> bool {
        self.timer = None;
        self.is_hover_held = self.held.is_some();
        let before = self.hover.take();
        if let Some((field, text, _)) = self.written()
            && let Some(at) = offset_at(&field, &text, place, ctx.props().line_px())
            && text[at..].starts_with(|letter: char| letter.is_ascii_alphanumeric() || letter == '_')
        {
            self.ask(ctx, Purpose::Hover, text, at);
        }
        before != self.hover
    }

    /// Requests the explanation of the name at the cursor.
    fn explain(&mut self, ctx: &Context<Self>) {
        self.list = None;
        self.is_hover_held = false;
        self.hover = None;
        if let Some((_, text, at)) = self.written() {
            self.ask(ctx, Purpose::Hover, text, at);
        }
    }

    /// Requests the definition of the name at the cursor, or returns from the last one.
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

    /// Sends a message after a delay. A new call replaces a pending one.
    fn later(&mut self, ctx: &Context<Self>, ms: i32, message: fn(f64, f64) -> Message, (x, y): (f64, f64)) {
        let link = ctx.link().clone();
        self.timer = Timer::after(ms, move || link.send_message(message(x, y)));
    }

    /// Positions the completions or the explanation beside their word, and scrolls to the selected row.
    pub(super) fn place_beside(&self, props: &EditorProps) {
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
}

/// Listeners that keep completions and explanations in place: an on-screen keyboard changes the visible
/// viewport, and a press elsewhere closes an explanation.
pub(super) fn listen_around(ctx: &Context<Editor>) -> Option<[Listener; 3]> {
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
