//! The calls of a canvas that the painter makes, written down as the shapes of an SVG picture: what the page
//! shows before the program is there is drawn by the painter that draws it afterwards.

use std::cell::RefCell;
use std::fmt::Write as _;

use crate::palette::Palette;
use workbench::scene::Mark;

/// The state of a canvas, and the shapes so far.
#[derive(Default)]
pub(super) struct Context {
    state: RefCell<State>,
}

#[derive(Default)]
struct State {
    /// Complete elements.
    shapes: String,
    /// The element that further shapes of the same look can join: its attributes and its path.
    open: Option<(String, String)>,
    /// The path that is being drawn.
    path: String,
    fill: String,
    stroke: String,
    font: String,
    width: f64,
    dash: String,
    /// Empty, or an attribute.
    anchor: &'static str,
    /// 0 stands for opaque, as at first.
    transparency: f64,
}

/// The context as a pen.
pub(super) const fn pen(context: &Context) -> &Context {
    context
}

/// Dashes the lines to come; whole ones where there are no lengths.
pub(super) fn dash(context: &Context, lengths: &[f64]) {
    let lengths: Vec<String> = lengths.iter().map(|length| number(*length)).collect();
    context.state.borrow_mut().dash = lengths.join(" ");
}

/// No first view has a weave: it is the Timeline's.
pub(super) fn weave(_: &Context, _: &Palette, _: (f32, f32), _: u16, _: &[u8], _: Option<Mark>) {}

/// A coordinate with at most two decimals.
fn number(value: f64) -> String {
    let text = format!("{value:.2}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

fn point(x: f64, y: f64) -> String {
    format!("{} {}", number(x), number(y))
}

impl State {
    /// Adds a path with a look to the picture.
    fn draw(&mut self, look: String, path: &str) {
        let look = if self.transparency > 0.0 {
            format!("{look} opacity=\"{}\"", number(1.0 - self.transparency))
        } else {
            look
        };
        // Of shapes one over the other that can be seen through, each counts.
        let joins = self.transparency == 0.0;
        match &mut self.open {
            Some((open, shape)) if joins && *open == look => shape.push_str(path),
            _ => {
                self.close();
                self.open = Some((look, path.to_owned()));
            }
        }
    }

    /// Completes the open element.
    fn close(&mut self) {
        if let Some((look, path)) = self.open.take() {
            // Writing to a string cannot fail.
            let _ = write!(self.shapes, "<path{look} d=\"{path}\"/>");
        }
    }

    fn filled(&self) -> String {
        format!(" fill=\"{}\"", self.fill)
    }

    fn stroked(&self) -> String {
        let mut look = format!(" fill=\"none\" stroke=\"{}\"", self.stroke);
        if self.width != 1.0 {
            let _ = write!(look, " stroke-width=\"{}\"", number(self.width));
        }
        if !self.dash.is_empty() {
            let _ = write!(look, " stroke-dasharray=\"{}\"", self.dash);
        }
        look
    }
}

fn rect(x: f64, y: f64, w: f64, h: f64) -> String {
    format!(
        "M{}h{}v{}h{}z",
        point(x, y),
        number(w),
        number(h),
        number(-w)
    )
}

impl Context {
    /// The shapes.
    pub(super) fn finish(self) -> String {
        let mut state = self.state.into_inner();
        state.close();
        state.shapes
    }

    pub(super) fn fill_with(&self, colour: &str) {
        self.state.borrow_mut().fill = colour.to_owned();
    }

    pub(super) fn stroke_with(&self, colour: &str) {
        self.state.borrow_mut().stroke = colour.to_owned();
    }

    pub(super) fn write_in(&self, font: &str) {
        self.state.borrow_mut().font = font.to_owned();
    }

    pub(super) fn set_line_width(&self, width: f64) {
        self.state.borrow_mut().width = width;
    }

    pub(super) fn set_global_alpha(&self, alpha: f64) {
        self.state.borrow_mut().transparency = 1.0 - alpha;
    }

    pub(super) fn set_text_align(&self, align: &str) {
        self.state.borrow_mut().anchor = match align {
            "center" => " text-anchor=\"middle\"",
            "right" => " text-anchor=\"end\"",
            _ => "",
        };
    }

    pub(super) fn fill_rect(&self, x: f64, y: f64, w: f64, h: f64) {
        let mut state = self.state.borrow_mut();
        let look = state.filled();
        state.draw(look, &rect(x, y, w, h));
    }

    pub(super) fn stroke_rect(&self, x: f64, y: f64, w: f64, h: f64) {
        let mut state = self.state.borrow_mut();
        let look = state.stroked();
        state.draw(look, &rect(x, y, w, h));
    }

    pub(super) fn begin_path(&self) {
        self.state.borrow_mut().path.clear();
    }

    pub(super) fn move_to(&self, x: f64, y: f64) {
        let _ = write!(self.state.borrow_mut().path, "M{}", point(x, y));
    }

    pub(super) fn line_to(&self, x: f64, y: f64) {
        let _ = write!(self.state.borrow_mut().path, "L{}", point(x, y));
    }

    pub(super) fn bezier_curve_to(&self, x1: f64, y1: f64, x2: f64, y2: f64, x: f64, y: f64) {
        let path = format!("C{} {} {}", point(x1, y1), point(x2, y2), point(x, y));
        self.state.borrow_mut().path.push_str(&path);
    }

    pub(super) fn close_path(&self) {
        self.state.borrow_mut().path.push('z');
    }

    pub(super) fn fill(&self) {
        let mut state = self.state.borrow_mut();
        let (look, path) = (state.filled(), state.path.clone());
        state.draw(look, &path);
    }

    pub(super) fn stroke(&self) {
        let mut state = self.state.borrow_mut();
        let (look, path) = (state.stroked(), state.path.clone());
        state.draw(look, &path);
    }

    /// Writes a text around the middle of its line.
    pub(super) fn write(&self, text: &str, x: f64, y: f64) {
        let mut state = self.state.borrow_mut();
        state.close();
        let opacity = if state.transparency > 0.0 {
            format!(" opacity=\"{}\"", number(1.0 - state.transparency))
        } else {
            String::new()
        };
        let text = text.replace('&', "&amp;").replace('<', "&lt;");
        let element = format!(
            "<text x=\"{}\" y=\"{}\"{}{opacity} fill=\"{}\" style=\"font:{}\">{text}</text>",
            number(x),
            number(y),
            state.anchor,
            state.fill,
            state.font,
        );
        state.shapes.push_str(&element);
    }
}
