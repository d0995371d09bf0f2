//! The text field: its selection, edits that the browser's undo covers, and scrolling.

use std::ops::Range;

use js_sys::{Function, Reflect};
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{HtmlElement, HtmlTextAreaElement};
use yew::Callback;

use crate::browser;
use workbench::app::Event;
use workbench::app::assist::{cells_before, offset_of_cell};
use workbench::app::code_edit::{Edit, line_at, line_start_of, to_bytes, to_utf16};

/// Edits of more lines than this bypass the browser's insertion command.
const MANY_LINES: usize = 200;

/// The selection, in bytes of the text.
pub(super) fn selection(field: &HtmlTextAreaElement, text: &str) -> Range<usize> {
    let start = field.selection_start().ok().flatten().unwrap_or(0) as usize;
    let end = field.selection_end().ok().flatten().unwrap_or(0) as usize;
    let start_bytes = to_bytes(text, start);
    if end <= start {
        return start_bytes..start_bytes;
    }
    start_bytes..to_bytes(text, end)
}

/// Replaces a range of the text as if the user had typed it.
pub(super) fn apply(field: &HtmlTextAreaElement, text: &str, edit: &Edit, dispatch: &Callback<Event>) {
    let (start, end) = (
        to_utf16(text, edit.range.start) as u32,
        to_utf16(text, edit.range.end) as u32,
    );
    let _ = field.focus();
    let _ = field.set_selection_range(start, end);
    // The insertion command takes seconds for very many lines.
    let is_short = edit.text.matches('\n').count() < MANY_LINES;
    if !is_short || !typed(&edit.text) {
        // Without the command the browser's undo misses the edit; the page's own history contains the step.
        let _ = field.set_range_text_with_start_and_end(&edit.text, start, end);
        dispatch.emit(Event::Edit(field.value()));
    }
    let new = edit.apply(text);
    let _ = field.set_selection_range(
        to_utf16(&new, edit.select.start) as u32,
        to_utf16(&new, edit.select.end) as u32,
    );
}

/// Inserts text with the browser's insertion command. Returns whether the browser accepted it.
fn typed(text: &str) -> bool {
    let Some(document) = browser::document() else {
        return false;
    };
    let command = Reflect::get(&document, &JsValue::from_str("execCommand"));
    let Some(command) = command
        .ok()
        .and_then(|command| command.dyn_into::<Function>().ok())
    else {
        return false;
    };
    let name = if text.is_empty() { "delete" } else { "insertText" };
    let taken = command.call3(&document, &name.into(), &JsValue::FALSE, &text.into());
    taken.is_ok_and(|taken| taken.is_truthy())
}

/// Places the cursor at a line and scrolls the line to the middle.
pub(super) fn go_to(field: &HtmlTextAreaElement, text: &str, line: u32, line_px: f64) {
    let start = to_utf16(text, line_start_of(text, line)) as u32;
    let _ = field.focus();
    let _ = field.set_selection_range(start, start);
    scroll_to(field, line, line_px);
}

/// Selects a range and scrolls to it without moving the focus.
pub(super) fn show(field: &HtmlTextAreaElement, text: &str, place: &Range<usize>, line_px: f64) {
    let (start, end) = (
        to_utf16(text, place.start) as u32,
        to_utf16(text, place.end) as u32,
    );
    let _ = field.set_selection_range(start, end);
    scroll_to(field, line_at(text, place.start), line_px);
}

/// Scrolls a line (from 1) to the middle, if it is not visible.
fn scroll_to(field: &HtmlTextAreaElement, line: u32, line_px: f64) {
    let Some(scroll) = scroll_of(field) else { return };
    let (top, height) = (f64::from(scroll.scroll_top()), f64::from(scroll.client_height()));
    let at = f64::from(line) * line_px;
    if at < top + line_px || at + line_px > top + height {
        scroll.set_scroll_top((at - height / 2.0).max(0.0) as i32);
    }
}

fn scroll_of(field: &HtmlTextAreaElement) -> Option<HtmlElement> {
    field.closest(".editor").ok().flatten()?.dyn_into().ok()
}

/// Scrolls to a line (from 0), unless the user is writing.
pub(super) fn keep_in_sight(field: &HtmlTextAreaElement, line: usize, line_px: f64) {
    let writes = browser::document()
        .and_then(|document| document.active_element())
        .is_some_and(|active| active.is_same_node(Some(field.as_ref())));
    let Some(scroll) = scroll_of(field).filter(|_| !writes) else {
        return;
    };
    let (top, height) = (f64::from(scroll.scroll_top()), f64::from(scroll.client_height()));
    let at = line as f64 * line_px;
    if at < top || at + 3.0 * line_px > top + height {
        scroll.set_scroll_top((at - height / 2.0).max(0.0) as i32);
    }
}

/// Sample text from which the width of a character is measured.
const RULER: &str = "00000000000000000000000000000000000000000000000000";
/// Gap between a popup and its word, and between a popup and the window's edge, in CSS pixels.
const GAP_PX: f64 = 3.0;
const EDGE_PX: f64 = 8.0;
/// The least useful height of a popup, in CSS pixels.
const MIN_PX: f64 = 60.0;

/// The width of a character in CSS pixels.
fn cell_px(field: &HtmlTextAreaElement) -> Option<f64> {
    let sheet = field.parent_element()?;
    let ruler = browser::document()?.create_element("span").ok()?;
    ruler.set_class_name("ruler");
    ruler.set_text_content(Some(RULER));
    sheet.append_child(&ruler).ok()?;
    let width = ruler.get_bounding_client_rect().width() / RULER.len() as f64;
    ruler.remove();
    (width > 0.0).then_some(width)
}

/// The text offset of the character at a window position.
pub(super) fn offset_at(
    field: &HtmlTextAreaElement,
    text: &str,
    (x, y): (f64, f64),
    line_px: f64,
) -> Option<usize> {
    let rect = field.get_bounding_client_rect();
    let (line, cell) = ((y - rect.top()) / line_px, (x - rect.left()) / cell_px(field)?);
    if line < 0.0 || cell < 0.0 {
        return None;
    }
    offset_of_cell(text, line as usize, cell as usize)
}

/// The visible part of the window, in CSS pixels of the window. On-screen keyboards and pinch zoom shrink it.
struct Seen {
    left: f64,
    top: f64,
    width: f64,
    height: f64,
}

impl Seen {
    /// The visual viewport, or the whole window if the browser has no visual viewport.
    fn now() -> Option<Self> {
        let window = browser::window()?;
        if let Some(seen) = window.visual_viewport() {
            return Some(Self {
                left: seen.offset_left(),
                top: seen.offset_top(),
                width: seen.width(),
                height: seen.height(),
            });
        }
        let size = |value: Result<JsValue, JsValue>| value.ok().and_then(|value| value.as_f64());
        Some(Self {
            left: 0.0,
            top: 0.0,
            width: size(window.inner_width())?,
            height: size(window.inner_height())?,
        })
    }
}

/// Positions a popup below the character at an offset, or above it where only that side has room. A popup
/// that fits on neither side gets the height of the larger side.
pub(super) fn put_beside(
    shown: &HtmlElement,
    field: &HtmlTextAreaElement,
    text: &str,
    at: usize,
    line_px: f64,
) {
    let (Some(cell), Some(seen)) = (cell_px(field), Seen::now()) else {
        return;
    };
    let style = shown.style();
    let set = |name: &str, px: f64| {
        // Setting these properties accepts any length.
        let _ = style.set_property(name, &format!("{px:.1}px"));
    };
    let (first, last) = (seen.top + EDGE_PX, seen.top + seen.height - EDGE_PX);
    set("max-height", last - first);
    let rect = field.get_bounding_client_rect();
    let line_top = rect.top() + f64::from(line_at(text, at) - 1) * line_px;
    let (own_width, own_height) = (f64::from(shown.offset_width()), f64::from(shown.offset_height()));
    let (below, above) = (line_top + line_px + GAP_PX, line_top - GAP_PX);
    let (room_below, room_above) = (last - below, above - first);
    let top = if own_height <= room_below || (room_below >= room_above && room_below >= MIN_PX) {
        set("max-height", room_below);
        below
    } else if room_above >= MIN_PX {
        let height = own_height.min(room_above);
        set("max-height", height);
        above - height
    } else {
        // The word is scrolled out of view.
        below.min(last - own_height).max(first)
    };
    let word = rect.left() + cells_before(text, at) as f64 * cell;
    let left = word.min(seen.left + seen.width - EDGE_PX - own_width);
    set("left", left.max(seen.left + EDGE_PX));
    set("top", top);
}
