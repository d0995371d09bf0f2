//! The keys of the text field.

use super::*;
use yew::html::Scope;

/// Completions that Page Up and Page Down skip.
const PAGE: i32 = 8;

/// The state of the editor on which the effect of a key depends.
struct Keys {
    /// Whether Tab leaves the field.
    leaving: Rc<Cell<bool>>,
    link: Scope<Editor>,
    dispatch: Callback<Event>,
    has_bar: bool,
    has_hover: bool,
    /// The selected row of the completions, and whether Enter inserts its text.
    list: Option<(usize, bool)>,
}

/// The effect of a key that the browser does not handle.
enum Action {
    Send(Message),
    Replace(Edit),
    Nothing,
}

impl Editor {
    /// The callback for keys in the text field.
    pub(super) fn on_key(&self, ctx: &Context<Self>) -> Callback<KeyboardEvent> {
        let keys = Keys {
            leaving: Rc::clone(&self.leaving),
            link: ctx.link().clone(),
            dispatch: ctx.props().dispatch.clone(),
            has_bar: self.bar.is_some(),
            has_hover: self.hover.is_some(),
            list: self.list.as_ref().map(|list| (list.row, list.takes_enter())),
        };
        Callback::from(move |event: KeyboardEvent| keys.press(&event))
    }
}

impl Keys {
    /// Handles a key.
    fn press(&self, event: &KeyboardEvent) {
        let field = event.target_unchecked_into::<HtmlTextAreaElement>();
        // Whatever Escape closes, the next Tab leaves. A modifier alone changes nothing: Shift and Tab leave, too.
        let is_modifier = matches!(event.key().as_str(), "Shift" | "Control" | "Alt" | "Meta");
        let leaves = if is_modifier {
            self.leaving.get()
        } else {
            self.leaving.replace(event.key() == "Escape")
        };
        if !(has_control(event) && event.key() == "k") {
            // The page's own keys apply only outside the text.
            event.stop_propagation();
        }
        if event.is_composing() {
            return;
        }
        let text = field.value();
        let selection = selection(&field, &text);
        if let Some((row, takes_enter)) = self.list
            && self.press_in_list(event, row, takes_enter)
        {
            return;
        }
        let message = self.message(event, &text, &selection).map(Action::Send);
        let Some(action) = message.or_else(|| edit(event, &text, selection, leaves)) else {
            return;
        };
        event.prevent_default();
        match action {
            Action::Send(message) => self.link.send_message(message),
            Action::Replace(edit) => {
                apply(&field, &text, &edit, &self.dispatch);
                self.link.send_message(Message::Cursor);
            }
            Action::Nothing => {}
        }
    }

    /// Handles a key while completions are shown. Returns whether the key has no other effect.
    fn press_in_list(&self, event: &KeyboardEvent, row: usize, takes_enter: bool) -> bool {
        let key = event.key();
        let message = match (
            has_control(event) || event.alt_key() || event.shift_key(),
            key.as_str(),
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
            event.prevent_default();
            self.link.send_message(message);
            return true;
        }
        if matches!(
            key.as_str(),
            "Enter" | "ArrowLeft" | "ArrowRight" | "Home" | "End"
        ) {
            self.link.send_message(Message::CloseList);
        }
        false
    }

    /// The message of a key that does not edit the text.
    fn message(&self, event: &KeyboardEvent, text: &str, selection: &Range<usize>) -> Option<Message> {
        let word = || {
            text[selection.clone()]
                .lines()
                .next()
                .unwrap_or_default()
                .to_owned()
        };
        Some(
            match (has_control(event), event.alt_key(), event.key().as_str()) {
                (true, false, " ") => Message::Complete { asked: true },
                (true, false, "i" | "I") => Message::Explain,
                (false, false, "F12") => Message::Definition(!event.shift_key()),
                (false, false, "F2") => Message::Rename,
                (false, false, "Escape") if self.has_hover => Message::CloseHover,
                (true, false, "f") => Message::Open(Bar::find(word(), false)),
                (true, false, "h") => Message::Open(Bar::find(word(), true)),
                (true, false, "g") => Message::Open(Bar::line()),
                (false, false, "F3") if self.has_bar => Message::Next(!event.shift_key()),
                (false, false, "Escape") if self.has_bar => Message::CloseBar,
                (false, false, "Escape") => Message::Dismiss,
                _ => return None,
            },
        )
    }
}

/// Whether Ctrl is pressed, or Command on a Mac.
fn has_control(event: &KeyboardEvent) -> bool {
    event.ctrl_key() || event.meta_key()
}

/// The edit of a key. `leaves` if Tab leaves the field.
fn edit(event: &KeyboardEvent, text: &str, selection: Range<usize>, leaves: bool) -> Option<Action> {
    let edit = match (has_control(event), event.alt_key(), event.key().as_str()) {
        (false, false, "Tab") if leaves => return None,
        (false, false, "Tab") if event.shift_key() => edits::outdent(text, selection),
        (false, false, "Tab") => edits::indent(text, selection),
        (false, false, "Enter") => edits::enter(text, selection),
        (false, false, "}") => edits::close_brace(text, selection)?,
        (true, false, "/") => edits::toggle_comment(text, selection),
        (false, true, "ArrowDown" | "ArrowUp") if event.shift_key() => {
            edits::duplicate_lines(text, selection)
        }
        (false, true, direction @ ("ArrowUp" | "ArrowDown")) => {
            // At the first and the last line, the key has no effect.
            let moved = edits::move_lines(text, selection, direction == "ArrowUp");
            return Some(moved.map_or(Action::Nothing, Action::Replace));
        }
        _ => return None,
    };
    Some(Action::Replace(edit))
}
