//! A pen that writes the shapes of an SVG picture: what the page shows before the program is there, what it saves, and what
//! it prints are drawn by the painter of the screen.

use std::borrow::Cow;
use std::fmt::Write as _;

use super::colors::Colors;
use super::{FAINT, Face, Painter, Pen};
use crate::scene::{Align, Mark, Role, Scene};

/// How far the base line of text lies below the middle of the font's box, which a canvas uses, in heights of the font: as
/// Chromium measures it (`alphabeticBaseline`) for Liberation Sans and Mono; 0.26 for `DejaVu`. SVG's own middles are other ones.
const MIDDLE_TEXT: f64 = 0.2755;
const MIDDLE_MONO: f64 = 0.2645;

/// How a text names its font.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fonts {
    /// By a style attribute, which is short. A page whose policy allows none gets classes in their place.
    Styles,
    /// By an attribute for each part of the font.
    Attributes,
}

/// A scene as an SVG document, on paper.
pub fn svg(scene: &Scene, colors: &Colors) -> String {
    let (width, height) = (scene.size.width, scene.size.height);
    let (title, paper) = (escape(&scene.headline), colors.color(Role::Paper1));
    let shapes = shapes(&[scene], colors, Fonts::Attributes);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\">\n\
         <title>{title}</title>\n<rect width=\"100%\" height=\"100%\" fill=\"{paper}\"/>\n{shapes}</svg>\n"
    )
}

/// Scenes over each other as the shapes of an SVG picture, at one device pixel per CSS pixel.
pub fn shapes(scenes: &[&Scene], colors: &Colors, fonts: Fonts) -> String {
    let mut painter = Painter {
        pen: SvgPen::new(colors, fonts),
        ratio: 1.0,
    };
    for scene in scenes {
        painter.scene(scene);
    }
    painter.pen.finish()
}

/// A text as character data or as an attribute's value. Characters that XML 1.0 forbids (section 2.2) are replaced, because
/// a single one makes the file unreadable.
fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => out += "&amp;",
            '<' => out += "&lt;",
            '>' => out += "&gt;",
            '"' => out += "&quot;",
            '\'' => out += "&#39;",
            '\t' | '\n' | '\r' => out.push(letter),
            '\0'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            letter => out.push(letter),
        }
    }
    out
}

/// A text whose spaces a picture keeps, as a canvas does: SVG drops those at the ends, and all but one between words.
fn with_spaces(text: &str) -> Cow<'_, str> {
    if text.starts_with(' ') || text.ends_with(' ') || text.contains("  ") {
        text.replace(' ', "\u{a0}").into()
    } else {
        text.into()
    }
}

/// The state of the pen, and the shapes so far.
struct SvgPen<'a> {
    colors: &'a Colors,
    fonts: Fonts,
    /// In the order in which they are painted.
    elements: Vec<Element>,
    /// The path that is being drawn.
    path: Path,
    fill: Role,
    stroke: Role,
    width: f64,
    /// The value of the attribute.
    dash: String,
    opacity: f64,
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

impl<'a> SvgPen<'a> {
    fn new(colors: &'a Colors, fonts: Fonts) -> Self {
        Self {
            colors,
            fonts,
            elements: Vec::new(),
            path: Path::default(),
            fill: Role::Ink1,
            stroke: Role::Ink1,
            width: 1.0,
            dash: String::new(),
            opacity: 1.0,
        }
    }

    /// The shapes.
    fn finish(self) -> String {
        let mut shapes = String::new();
        for element in self.elements {
            if element.path.text.is_empty() {
                shapes += &element.look;
            } else {
                // Writing to a string cannot fail.
                let _ = write!(shapes, "<path{} d=\"{}\"/>", element.look, element.path.text);
            }
        }
        shapes
    }

    /// Adds a path with a look to the picture: to an element of the same look, if nothing between lies under it.
    fn draw(&mut self, look: String, path: &Path, margin: f64) {
        let Some([left, top, right, bottom]) = path.area else {
            return;
        };
        let area = [left - margin, top - margin, right + margin, bottom + margin];
        let is_opaque = self.opacity >= 1.0;
        let look = format!("{look}{}", self.opacity_attribute());
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

    fn opacity_attribute(&self) -> String {
        if self.opacity < 1.0 {
            format!(" opacity=\"{}\"", number(self.opacity))
        } else {
            String::new()
        }
    }

    fn filled(&self) -> String {
        format!(" fill=\"{}\"", escape(self.colors.color(self.fill)))
    }

    fn stroked(&self) -> String {
        let mut look = format!(
            " fill=\"none\" stroke=\"{}\"",
            escape(self.colors.color(self.stroke))
        );
        if self.width != 1.0 {
            let _ = write!(look, " stroke-width=\"{}\"", number(self.width));
        }
        if !self.dash.is_empty() {
            let _ = write!(look, " stroke-dasharray=\"{}\"", self.dash);
        }
        look
    }

    fn font(&self, face: Face) -> String {
        match self.fonts {
            Fonts::Styles => format!(" style=\"font:{}\"", escape(&self.colors.font(face))),
            Fonts::Attributes => {
                let family = escape(self.colors.family(face.is_mono));
                let weight = if face.is_strong {
                    " font-weight=\"600\""
                } else {
                    ""
                };
                let style = if face.is_italic {
                    " font-style=\"italic\""
                } else {
                    ""
                };
                format!(
                    " font-family=\"{family}\" font-size=\"{}\"{weight}{style}",
                    face.size.px()
                )
            }
        }
    }
}

impl Pen for SvgPen<'_> {
    fn fill_in(&mut self, role: Role) {
        self.fill = role;
    }

    fn stroke_in(&mut self, role: Role, width: f64) {
        (self.stroke, self.width) = (role, width);
    }

    fn set_opacity(&mut self, opacity: f64) {
        self.opacity = opacity;
    }

    fn dash(&mut self, lengths: &[f64]) {
        let lengths: Vec<String> = lengths.iter().map(|length| number(*length)).collect();
        self.dash = lengths.join(" ");
    }

    fn fill_rect(&mut self, x: f64, y: f64, w: f64, h: f64) {
        self.draw(self.filled(), &Path::rect(x, y, w, h), 0.0);
    }

    fn stroke_rect(&mut self, x: f64, y: f64, w: f64, h: f64) {
        self.draw(self.stroked(), &Path::rect(x, y, w, h), self.width / 2.0);
    }

    fn begin_path(&mut self) {
        self.path = Path::default();
    }

    fn move_to(&mut self, x: f64, y: f64) {
        self.path.go('m', x, y);
    }

    fn line_to(&mut self, x: f64, y: f64) {
        self.path.go('l', x, y);
    }

    fn curve_to(&mut self, x1: f64, y1: f64, x2: f64, y2: f64, x: f64, y: f64) {
        let path = &mut self.path;
        let from = path.at;
        let relative = |x: f64, y: f64| pair(hundredths(x) - from.0, hundredths(y) - from.1);
        let text = format!("c{} {} {}", relative(x1, y1), relative(x2, y2), relative(x, y));
        path.text.push_str(&text);
        path.at = (hundredths(x), hundredths(y));
        for (x, y) in [(x1, y1), (x2, y2), (x, y)] {
            path.cover(x, y);
        }
    }

    fn close_path(&mut self) {
        self.path.close();
    }

    fn fill(&mut self) {
        self.draw(self.filled(), &self.path.clone(), 0.0);
    }

    fn stroke(&mut self) {
        self.draw(self.stroked(), &self.path.clone(), self.width / 2.0);
    }

    fn write(&mut self, text: &str, (x, y): (f64, f64), face: Face, align: Align) {
        let height = f64::from(face.size.px());
        let width = text.chars().count() as f64 * height;
        let middle = if face.is_mono { MIDDLE_MONO } else { MIDDLE_TEXT };
        let anchor = match align {
            Align::Left => "",
            Align::Center => " text-anchor=\"middle\"",
            Align::Right => " text-anchor=\"end\"",
        };
        let look = format!(
            "<text x=\"{}\" y=\"{}\"{anchor}{}{}{}>{}</text>",
            number(x),
            number(y + middle * height),
            self.opacity_attribute(),
            self.filled(),
            self.font(face),
            escape(&with_spaces(text)),
        );
        // Wide enough for any font and any alignment.
        let area = [x - width, y - height, x + width, y + height];
        self.elements.push(Element {
            look,
            path: Path::default(),
            areas: vec![area],
            is_opaque: false,
        });
    }

    fn cells(&mut self, (x, y): (f32, f32), columns: u16, cells: &[u8], only: Option<Mark>) {
        let columns = usize::from(columns.max(1));
        let rows = cells.len().div_ceil(columns);
        for mark in Mark::ALL {
            // One path per state; equal adjacent cells of a row are one stroke.
            let mut path = String::new();
            for (row, cells) in cells.chunks(columns).enumerate() {
                let mut at = 0;
                for alike in cells.chunk_by(|one, other| one == other) {
                    if alike[0] == mark as u8 + 1 {
                        let _ = write!(path, "M{at} {row}.5h{}", alike.len());
                    }
                    at += alike.len();
                }
            }
            if path.is_empty() {
                continue;
            }
            let opacity = if only.is_some_and(|only| only != mark) {
                format!(" opacity=\"{FAINT}\"")
            } else {
                String::new()
            };
            let color = escape(self.colors.color(Role::State(mark)));
            let (left, top) = (f64::from(x), f64::from(y));
            self.elements.push(Element {
                look: format!(
                    "<path d=\"{path}\" transform=\"translate({x} {y})\" fill=\"none\" stroke=\"{color}\"{opacity} \
                     shape-rendering=\"crispEdges\"/>"
                ),
                path: Path::default(),
                areas: vec![[left, top, left + columns as f64, top + rows as f64]],
                is_opaque: false,
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_of_a_stranger_are_character_data() {
        for (text, expected) in [
            (
                "</text><script>alert(1)</script>",
                "&lt;/text&gt;&lt;script&gt;alert(1)&lt;/script&gt;",
            ),
            ("a\" onload='x'", "a&quot; onload=&#39;x&#39;"),
            ("]]>&amp;", "]]&gt;&amp;amp;"),
            (
                "nul\0 esc\u{1b} tab\t \u{ffff}",
                "nul\u{fffd} esc\u{fffd} tab\t \u{fffd}",
            ),
        ] {
            assert_eq!(escape(text), expected);
        }
        let scene = Scene {
            headline: "<script>&\u{8}".to_owned(),
            ..Scene::default()
        };
        let drawing = svg(&scene, &Colors::of_tokens());
        assert!(
            drawing.contains("<title>&lt;script&gt;&amp;\u{fffd}</title>"),
            "{drawing}"
        );
    }
}
