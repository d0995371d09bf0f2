//! The calls of a canvas that the painter makes, written down as the shapes of an SVG picture: what the page
//! shows before the program is there is drawn by the painter that draws it afterward.

use std::cell::RefCell;
use std::fmt::Write as _;

use crate::palette::Palette;
use workbench::scene::Mark;

/// How far the base line of text lies below the middle of the font's box, which a canvas uses: in
/// heights of the font, as in most fonts. SVG's own middles are other ones.
const MIDDLE_TEXT: f64 = 0.31;
const MIDDLE_MONO: f64 = 0.265;

/// The state of a canvas, and the shapes so far.
#[derive(Default)]
pub(super) struct Context {
    state: RefCell<State>,
}

#[derive(Default)]
struct State {
    /// In the order in which they are painted.
    elements: Vec<Element>,
    /// The path that is being drawn.
    path: Path,
    fill: String,
    stroke: String,
    font: String,
    /// Height of the font.
    font_px: f64,
    width: f64,
    dash: String,
    /// Empty, or an attribute.
    anchor: &'static str,
    /// 0 stands for opaque, as at first.
    transparency: f64,
}

/// Left, top, right, bottom.
type Area = [f64; 4];

/// One element of the picture.
struct Element {
    /// Attributes of a path; a complete element otherwise.
    look: String,
    /// Empty where it is no path.
    path: Path,
    /// What each of its shapes covers.
    areas: Vec<Area>,
    is_opaque: bool,
}

/// Lines and curves, each relative to the point before: repeated shapes are repeated text then.
#[derive(Clone, Default)]
struct Path {
    text: String,
    /// Where the path is, in hundredths.
    at: (i64, i64),
    /// Where its present part began.
    start: (i64, i64),
    area: Option<Area>,
}

impl Path {
    fn cover(&mut self, x: f64, y: f64) {
        let [left, top, right, bottom] = self.area.unwrap_or([x, y, x, y]);
        self.area = Some([left.min(x), top.min(y), right.max(x), bottom.max(y)]);
    }

    /// Goes to a point by a command.
    fn go(&mut self, command: char, x: f64, y: f64) {
        self.cover(x, y);
        let to = (hundredths(x), hundredths(y));
        let (dx, dy) = (to.0 - self.at.0, to.1 - self.at.1);
        let text = match command {
            'l' if dy == 0 => format!("h{}", decimal(dx)),
            'l' if dx == 0 => format!("v{}", decimal(dy)),
            _ => format!("{command}{}", pair(dx, dy)),
        };
        self.text.push_str(&text);
        self.at = to;
        if command == 'm' {
            self.start = to;
        }
    }

    fn close(&mut self) {
        self.text.push('z');
        self.at = self.start;
    }

    fn rect(x: f64, y: f64, w: f64, h: f64) -> Self {
        let mut path = Self::default();
        path.go('m', x, y);
        path.go('l', x + w, y);
        path.go('l', x + w, y + h);
        path.go('l', x, y + h);
        path.close();
        path
    }

    /// Continues with another path, which begins with a move.
    fn join(&mut self, other: &Self) {
        let start = other.text[1..]
            .find(|c: char| c.is_ascii_alphabetic())
            .map_or(other.text.len(), |at| at + 1);
        let mut numbers = numbers(&other.text[1..start]);
        let (x, y) = (numbers.next().unwrap_or(0), numbers.next().unwrap_or(0));
        let text = format!("m{}{}", pair(x - self.at.0, y - self.at.1), &other.text[start..]);
        self.text.push_str(&text);
        self.at = other.at;
    }
}

fn hundredths(value: f64) -> i64 {
    (100.0 * value).round() as i64
}

/// Two numbers, apart.
fn pair(x: i64, y: i64) -> String {
    let gap = if y < 0 { "" } else { " " };
    format!("{}{gap}{}", decimal(x), decimal(y))
}

/// Hundredths as a decimal number.
fn decimal(hundredths: i64) -> String {
    number(hundredths as f64 / 100.0)
}

/// The hundredths that [`pair`] wrote.
fn numbers(text: &str) -> impl Iterator<Item = i64> {
    let cut = text[1..].find([' ', '-']).map_or(text.len(), |at| at + 1);
    [&text[..cut], text[cut..].trim_start()]
        .into_iter()
        .filter_map(|part| part.parse::<f64>().ok().map(hundredths))
        .collect::<Vec<_>>()
        .into_iter()
}

fn overlap(one: &Area, other: &Area) -> bool {
    one[0] < other[2] && other[0] < one[2] && one[1] < other[3] && other[1] < one[3]
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
    if text == "-0" {
        "0".to_owned()
    } else {
        text.to_owned()
    }
}

impl State {
    /// Adds a path with a look to the picture: to an element of the same look, if nothing between lies under it.
    fn draw(&mut self, look: String, path: &Path, margin: f64) {
        let Some([left, top, right, bottom]) = path.area else {
            return;
        };
        let area = [left - margin, top - margin, right + margin, bottom + margin];
        let is_opaque = self.transparency == 0.0;
        let look = format!("{look}{}", self.opacity());
        let covers = |element: &Element| element.areas.iter().any(|other| overlap(other, &area));
        if is_opaque {
            for element in self.elements.iter_mut().rev() {
                // Fills of two directions would cancel each other where they overlap.
                let joins = look.starts_with(" fill=\"none\"") || !covers(element);
                if element.is_opaque && element.look == look && joins {
                    element.path.join(path);
                    element.areas.push(area);
                    return;
                }
                if covers(element) {
                    break;
                }
            }
        }
        self.elements.push(Element {
            look,
            path: path.clone(),
            areas: vec![area],
            is_opaque,
        });
    }

    fn opacity(&self) -> String {
        if self.transparency > 0.0 {
            format!(" opacity=\"{}\"", number(1.0 - self.transparency))
        } else {
            String::new()
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

impl Context {
    /// The shapes.
    pub(super) fn finish(self) -> String {
        let mut shapes = String::new();
        for element in self.state.into_inner().elements {
            if element.path.text.is_empty() {
                shapes += &element.look;
            } else {
                // Writing to a string cannot fail.
                let _ = write!(shapes, "<path{} d=\"{}\"/>", element.look, element.path.text);
            }
        }
        shapes
    }

    pub(super) fn fill_with(&self, color: &str) {
        color.clone_into(&mut self.state.borrow_mut().fill);
    }

    pub(super) fn stroke_with(&self, color: &str) {
        color.clone_into(&mut self.state.borrow_mut().stroke);
    }

    pub(super) fn write_in(&self, font: &str) {
        let mut state = self.state.borrow_mut();
        let px = font
            .split_whitespace()
            .find_map(|word| word.strip_suffix("px")?.parse().ok());
        (state.font, state.font_px) = (font.to_owned(), px.unwrap_or(16.0));
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
        state.draw(look, &Path::rect(x, y, w, h), 0.0);
    }

    pub(super) fn stroke_rect(&self, x: f64, y: f64, w: f64, h: f64) {
        let mut state = self.state.borrow_mut();
        let (look, margin) = (state.stroked(), state.width / 2.0);
        state.draw(look, &Path::rect(x, y, w, h), margin);
    }

    pub(super) fn begin_path(&self) {
        self.state.borrow_mut().path = Path::default();
    }

    pub(super) fn move_to(&self, x: f64, y: f64) {
        self.state.borrow_mut().path.go('m', x, y);
    }

    pub(super) fn line_to(&self, x: f64, y: f64) {
        self.state.borrow_mut().path.go('l', x, y);
    }

    pub(super) fn bezier_curve_to(&self, x1: f64, y1: f64, x2: f64, y2: f64, x: f64, y: f64) {
        let path = &mut self.state.borrow_mut().path;
        let from = path.at;
        let relative = |x: f64, y: f64| pair(hundredths(x) - from.0, hundredths(y) - from.1);
        let text = format!("c{} {} {}", relative(x1, y1), relative(x2, y2), relative(x, y));
        path.text.push_str(&text);
        path.at = (hundredths(x), hundredths(y));
        for (x, y) in [(x1, y1), (x2, y2), (x, y)] {
            path.cover(x, y);
        }
    }

    pub(super) fn close_path(&self) {
        self.state.borrow_mut().path.close();
    }

    pub(super) fn fill(&self) {
        let mut state = self.state.borrow_mut();
        let (look, path) = (state.filled(), state.path.clone());
        state.draw(look, &path, 0.0);
    }

    pub(super) fn stroke(&self) {
        let mut state = self.state.borrow_mut();
        let (look, path, margin) = (state.stroked(), state.path.clone(), state.width / 2.0);
        state.draw(look, &path, margin);
    }

    /// Writes a text around the middle of its line.
    pub(super) fn write(&self, text: &str, x: f64, y: f64) {
        let mut state = self.state.borrow_mut();
        let (width, height) = (text.chars().count() as f64 * state.font_px, state.font_px);
        let middle = if state.font.contains("mono") {
            MIDDLE_MONO
        } else {
            MIDDLE_TEXT
        };
        let escaped = text.replace('&', "&amp;").replace('<', "&lt;");
        let look = format!(
            "<text x=\"{}\" y=\"{}\"{}{} fill=\"{}\" style=\"font:{}\">{escaped}</text>",
            number(x),
            number(y + middle * height),
            state.anchor,
            state.opacity(),
            state.fill,
            state.font,
        );
        // Wide enough for any font and any alignment.
        let area = [x - width, y - height, x + width, y + height];
        state.elements.push(Element {
            look,
            path: Path::default(),
            areas: vec![area],
            is_opaque: false,
        });
    }
}
