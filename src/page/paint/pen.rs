//! Canvas calls that run hundreds of times per frame: strings are created once and cached, and bindings omit error
//! handling that these calls do not need.

use std::cell::RefCell;
use std::collections::BTreeMap;

use js_sys::JsString;
use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::wasm_bindgen;
use web_sys::{CanvasRenderingContext2d, HtmlCanvasElement};

use super::weave;
use crate::palette::Palette;
use workbench::scene::paint::{Face, Pen};
use workbench::scene::{Align, Mark, Role, Size};

/// Capacity of the text cache. A full cache is cleared.
const MAX_TEXTS: usize = 4096;

#[wasm_bindgen]
extern "C" {
    /// A drawing context.
    #[wasm_bindgen(js_name = CanvasRenderingContext2D)]
    type Calls;

    #[wasm_bindgen(method, setter, js_name = fillStyle)]
    fn fill_with(this: &Calls, color: &JsString);

    #[wasm_bindgen(method, setter, js_name = strokeStyle)]
    fn stroke_with(this: &Calls, color: &JsString);

    #[wasm_bindgen(method, setter, js_name = font)]
    fn write_in(this: &Calls, font: &JsString);

    #[wasm_bindgen(method, js_name = fillText)]
    fn fill_text(this: &Calls, text: &JsString, x: f64, y: f64);
}

thread_local! {
    /// The written texts as JavaScript strings.
    static TEXTS: RefCell<BTreeMap<Box<str>, JsString>> = const { RefCell::new(BTreeMap::new()) };
}

impl Calls {
    /// Draws a text.
    fn write(&self, text: &str, x: f64, y: f64) {
        TEXTS.with_borrow_mut(|texts| {
            if let Some(kept) = texts.get(text) {
                return self.fill_text(kept, x, y);
            }
            if texts.len() >= MAX_TEXTS {
                texts.clear();
            }
            let made = JsString::from(text);
            self.fill_text(&made, x, y);
            texts.insert(text.into(), made);
        });
    }
}

/// A canvas that is drawn on. What it already has is not set again.
#[derive(Debug)]
pub(crate) struct CanvasPen<'a> {
    context: CanvasRenderingContext2d,
    palette: &'a Palette,
    set: Set,
}

/// What was set on a canvas last.
#[derive(Clone, Copy, Debug)]
pub(super) struct Set {
    fill: Option<Role>,
    stroke: Option<Role>,
    face: Option<Face>,
    align: Option<Align>,
    /// The line width; NaN before the first line.
    width: f64,
}

impl<'a> CanvasPen<'a> {
    pub(super) fn new(context: CanvasRenderingContext2d, palette: &'a Palette) -> Self {
        context.set_text_baseline("middle");
        let set = Set {
            fill: None,
            stroke: None,
            face: None,
            align: None,
            width: f64::NAN,
        };
        Self {
            context,
            palette,
            set,
        }
    }

    fn calls(&self) -> &Calls {
        self.context.unchecked_ref()
    }

    /// Clears a canvas of a size.
    pub(super) fn clear(&self, size: Size) {
        self.context
            .clear_rect(0.0, 0.0, f64::from(size.width), f64::from(size.height));
    }

    /// Copies another canvas of the same size and ratio.
    pub(crate) fn copy(&mut self, canvas: &HtmlCanvasElement, size: Size) {
        // A canvas without pixels has no contents to draw.
        let _ = self.context.draw_image_with_html_canvas_element_and_dw_and_dh(
            canvas,
            0.0,
            0.0,
            f64::from(size.width),
            f64::from(size.height),
        );
    }

    /// Clears an area of whole device pixels (left, top, right, bottom), and clips painting to it. Returns what
    /// [`Self::leave`] takes.
    pub(super) fn enter(&mut self, [left, top, right, bottom]: [f64; 4]) -> Set {
        let (width, height) = (right - left, bottom - top);
        self.context.save();
        self.context.begin_path();
        self.context.rect(left, top, width, height);
        self.context.clip();
        self.context.clear_rect(left, top, width, height);
        self.set
    }

    /// Ends the clipping.
    pub(super) fn leave(&mut self, before: Set) {
        self.set = before;
        self.context.restore();
    }
}

impl Pen for CanvasPen<'_> {
    fn fill_in(&mut self, role: Role) {
        if self.set.fill != Some(role) {
            if let Some(color) = self.palette.color_value(role) {
                self.calls().fill_with(color);
            }
            self.set.fill = Some(role);
        }
    }

    fn stroke_in(&mut self, role: Role, width: f64) {
        if self.set.stroke != Some(role) {
            if let Some(color) = self.palette.color_value(role) {
                self.calls().stroke_with(color);
            }
            self.set.stroke = Some(role);
        }
        if self.set.width != width {
            self.context.set_line_width(width);
            self.set.width = width;
        }
    }

    fn set_opacity(&mut self, opacity: f64) {
        self.context.set_global_alpha(opacity);
    }

    fn dash(&mut self, lengths: &[f64]) {
        let list = js_sys::Array::new();
        for length in lengths {
            list.push(&(*length).into());
        }
        // A list of finite numbers is a valid dash.
        let _ = self.context.set_line_dash(&list);
    }

    fn fill_rect(&mut self, x: f64, y: f64, w: f64, h: f64) {
        self.context.fill_rect(x, y, w, h);
    }

    fn stroke_rect(&mut self, x: f64, y: f64, w: f64, h: f64) {
        self.context.stroke_rect(x, y, w, h);
    }

    fn begin_path(&mut self) {
        self.context.begin_path();
    }

    fn move_to(&mut self, x: f64, y: f64) {
        self.context.move_to(x, y);
    }

    fn line_to(&mut self, x: f64, y: f64) {
        self.context.line_to(x, y);
    }

    fn curve_to(&mut self, x1: f64, y1: f64, x2: f64, y2: f64, x: f64, y: f64) {
        self.context.bezier_curve_to(x1, y1, x2, y2, x, y);
    }

    fn close_path(&mut self) {
        self.context.close_path();
    }

    fn fill(&mut self) {
        self.context.fill();
    }

    fn stroke(&mut self) {
        self.context.stroke();
    }

    fn write(&mut self, text: &str, (x, y): (f64, f64), face: Face, align: Align) {
        if self.set.face != Some(face) {
            if let Some(font) = self.palette.font_value(face) {
                self.calls().write_in(font);
            }
            self.set.face = Some(face);
        }
        if self.set.align != Some(align) {
            self.context.set_text_align(match align {
                Align::Left => "left",
                Align::Center => "center",
                Align::Right => "right",
            });
            self.set.align = Some(align);
        }
        self.calls().write(text, x, y);
    }

    fn cells(&mut self, at: (f32, f32), columns: u16, cells: &[u8], only: Option<Mark>) {
        weave::draw(&self.context, self.palette, at, columns, cells, only);
    }
}
