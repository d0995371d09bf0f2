//! Scenes as SVG: a painter without a browser, for figures and for visual inspection of tests.

use std::fmt::Write as _;

use super::{Align, Item, Mark, RING_RADIUS, Role, Scene, Shape, TextSize, Texture};

/// The two color themes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Theme {
    /// Ink on white paper.
    #[default]
    Light,
    /// White on dark paper.
    Dark,
}

const fn pass_step(pass: u16) -> usize {
    match pass {
        0 | 1 => 0,
        2 => 1,
        3..=4 => 2,
        5..=8 => 3,
        9..=16 => 4,
        _ => 5,
    }
}

const PASSES: [[&str; 6]; 2] = [
    ["#007544", "#cc8200", "#bb4a00", "#9e0a02", "#68101d", "#4f2a4b"],
    ["#a6f046", "#e3a257", "#d37800", "#c93012", "#b24860", "#87558c"],
];
const ON_PASSES: [[&str; 6]; 2] = [
    ["#ffffff", "#171814", "#ffffff", "#ffffff", "#ffffff", "#ffffff"],
    ["#101211", "#101211", "#101211", "#f0f1ec", "#f0f1ec", "#f0f1ec"],
];

impl Theme {
    /// The color of a role.
    pub const fn color(self, role: Role) -> &'static str {
        let theme = self as usize;
        let pair: [&'static str; 2] = match role {
            Role::State(mark) => match mark {
                Mark::Issue => ["#007544", "#a6f046"],
                Mark::Eligible => ["#649558", "#6a9a63"],
                Mark::Wait => ["#80807c", "#6b6b67"],
                Mark::Short => ["#1a91d3", "#6acbfb"],
                Mark::Long => ["#2a4cc0", "#4a80fa"],
                Mark::Throttle => ["#de6604", "#ec8b16"],
                Mark::Barrier => ["#9d1174", "#d5429d"],
                Mark::Branch => ["#573f00", "#ded09c"],
                Mark::Other => ["#383934", "#adadaa"],
                Mark::Idle => ["#c9c9c0", "#3a3f3b"],
            },
            Role::Pass(pass) => return PASSES[theme][pass_step(pass)],
            Role::OnPass(pass) => return ON_PASSES[theme][pass_step(pass)],
            Role::OnIssue => ["#ffffff", "#101211"],
            Role::Used | Role::WireLit => ["#007544", "#a6f046"],
            Role::Wasted => ["#de6604", "#ec8b16"],
            Role::Hit => ["#1a91d3", "#6acbfb"],
            Role::Miss => ["#2a4cc0", "#4a80fa"],
            Role::Paper1 => ["#ffffff", "#101211"],
            Role::Paper2 => ["#f4f4f0", "#181b19"],
            Role::Paper3 => ["#e9e9e3", "#232724"],
            Role::Paper4 => ["#deded6", "#2e332f"],
            Role::Ink1 | Role::Selection | Role::Now => ["#171814", "#f0f1ec"],
            Role::Ink2 => ["#4a4b45", "#bdc0b8"],
            Role::Ink3 | Role::Comment => ["#64655d", "#999d94"],
            Role::InkInverse => ["#ffffff", "#101211"],
            Role::Line1 => ["#dddcd4", "#2a2e2b"],
            Role::Line2 | Role::Wire => ["#b9b9ae", "#474c48"],
            Role::Edge => ["#84857b", "#6d736d"],
        };
        pair[theme]
    }
}

/// Draws a scene as an SVG document.
pub fn svg(scene: &Scene, theme: Theme) -> String {
    let (width, height) = (scene.size.width, scene.size.height);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\">\n"
    );
    let paper = theme.color(Role::Paper1);
    let _ = writeln!(out, "<title>{}</title>", escape(&scene.headline));
    let _ = writeln!(out, "<rect width=\"100%\" height=\"100%\" fill=\"{paper}\"/>");
    for item in &scene.items {
        draw(&mut out, item, theme);
    }
    out += "</svg>\n";
    out
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

fn points(points: &[(f32, f32)]) -> String {
    points
        .iter()
        .map(|(x, y)| format!("{x},{y}"))
        .collect::<Vec<_>>()
        .join(" ")
}

/// Attributes of a closed shape.
fn paint(texture: Texture, color: &str) -> String {
    match texture {
        Texture::Outline(width) => format!("fill=\"none\" stroke=\"{color}\" stroke-width=\"{width}\""),
        Texture::Ring(width) => {
            format!("fill=\"none\" stroke=\"{color}\" stroke-width=\"{width}\" rx=\"{RING_RADIUS}\"")
        }
        Texture::Dotted => format!("fill=\"none\" stroke=\"{color}\" stroke-dasharray=\"1.5 2\""),
        Texture::Fade(opacity) => format!("fill=\"{color}\" opacity=\"{opacity}\""),
        Texture::Hatch | Texture::Fence | Texture::Teeth | Texture::Dashes | Texture::Dots => {
            format!("fill=\"{color}\" opacity=\"0.4\" stroke=\"{color}\"")
        }
        Texture::Solid => format!("fill=\"{color}\""),
    }
}

fn stroke(texture: Texture, color: &str, width: f32) -> String {
    let opacity = if let Texture::Fade(opacity) = texture {
        opacity
    } else {
        1.0
    };
    format!("fill=\"none\" stroke=\"{color}\" stroke-width=\"{width}\" opacity=\"{opacity}\"")
}

fn rect(out: &mut String, x: f32, y: f32, w: f32, h: f32, paint: &str) {
    if w > 0.0 && h > 0.0 {
        let _ = writeln!(
            out,
            "<rect x=\"{x}\" y=\"{y}\" width=\"{w}\" height=\"{h}\" {paint}/>"
        );
    }
}

/// Draws an item of a scene.
fn draw(out: &mut String, item: &Item, theme: Theme) {
    let color = theme.color(item.role);
    if item.texture == Texture::Fade(0.0) {
        return;
    }
    match &item.shape {
        Shape::Rect { x, y, w, h } => draw_rect(out, (*x, *y, *w, *h), item.texture, color),
        Shape::Line {
            x1,
            y1,
            x2,
            y2,
            width,
        } => {
            let paint = stroke(item.texture, color, *width);
            let _ = writeln!(
                out,
                "<line x1=\"{x1}\" y1=\"{y1}\" x2=\"{x2}\" y2=\"{y2}\" {paint}/>"
            );
        }
        Shape::Polyline { points: of, width } => {
            let paint = stroke(item.texture, color, *width);
            let _ = writeln!(out, "<polyline points=\"{}\" {paint}/>", points(of));
        }
        Shape::Polygon { points: of } => {
            let _ = writeln!(
                out,
                "<polygon points=\"{}\" {}/>",
                points(of),
                paint(item.texture, color)
            );
        }
        Shape::Curve {
            from,
            c1,
            c2,
            to,
            width,
        } => {
            let paint = stroke(item.texture, color, *width);
            let _ = writeln!(
                out,
                "<path d=\"M{},{} C{},{} {},{} {},{}\" {paint}/>",
                from.0, from.1, c1.0, c1.1, c2.0, c2.1, to.0, to.1
            );
        }
        Shape::Text { .. } => draw_text(out, item, color),
        Shape::Tile { x, y, side, mark } => tile(out, (*x, *y), *side, *mark, theme),
        Shape::StatePixels {
            x,
            y,
            columns,
            cells,
            only,
        } => state_pixels(out, (*x, *y), usize::from(*columns), cells, *only, theme),
        Shape::Track { .. } => {}
        Shape::Band {
            x,
            y,
            w,
            h,
            mark,
            cycle_px,
        } => {
            let faded = if let Texture::Fade(opacity) = item.texture {
                opacity
            } else {
                1.0
            };
            let _ = writeln!(out, "<g opacity=\"{faded}\">");
            band(out, (*x, *y, *w, *h), *mark, *cycle_px, theme);
            out.push_str("</g>\n");
        }
    }
}

/// Draws a rectangle. An outline is inside the rectangle.
fn draw_rect(out: &mut String, (x, y, w, h): (f32, f32, f32, f32), texture: Texture, color: &str) {
    let inset = match texture {
        Texture::Outline(width) | Texture::Ring(width) => width / 2.0,
        Texture::Dotted => 0.5,
        _ => 0.0,
    };
    let paint = paint(texture, color);
    rect(
        out,
        x + inset,
        y + inset,
        w - 2.0 * inset,
        h - 2.0 * inset,
        &paint,
    );
}

/// Draws an item that is a text.
fn draw_text(out: &mut String, item: &Item, color: &str) {
    let Shape::Text {
        x,
        y,
        text,
        size,
        mono,
        strong,
        align,
    } = &item.shape
    else {
        return;
    };
    let face = if *mono { "monospace" } else { "sans-serif" };
    let weight = if *strong { 600 } else { 400 };
    let slant = if item.role == Role::Comment {
        "italic"
    } else {
        "normal"
    };
    let anchor = match align {
        Align::Left => "start",
        Align::Center => "middle",
        Align::Right => "end",
    };
    let px = if *size == TextSize::Micro { 9.5 } else { size.px() };
    let _ = writeln!(
        out,
        "<text x=\"{x}\" y=\"{y}\" font-family=\"{face}\" font-size=\"{px}\" font-weight=\"{weight}\" font-style=\"{slant}\" \
         text-anchor=\"{anchor}\" dominant-baseline=\"central\" fill=\"{color}\">{}</text>",
        escape(text)
    );
}

/// Draws state pixels with one path per mark; equal adjacent pixels of a row are one stroke.
fn state_pixels(
    out: &mut String,
    (x, y): (f32, f32),
    columns: usize,
    cells: &[u8],
    only: Option<Mark>,
    theme: Theme,
) {
    for mark in Mark::ALL {
        let wanted = mark as u8 + 1;
        let mut path = String::new();
        for (row, cells) in cells.chunks(columns.max(1)).enumerate() {
            let mut at = 0;
            for alike in cells.chunk_by(|one, other| one == other) {
                if alike[0] == wanted {
                    let _ = write!(path, "M{at} {row}.5h{}", alike.len());
                }
                at += alike.len();
            }
        }
        if !path.is_empty() {
            let opacity = if only.is_some_and(|only| only != mark) {
                0.15
            } else {
                1.0
            };
            let color = theme.color(Role::State(mark));
            let _ = writeln!(
                out,
                "<path d=\"{path}\" transform=\"translate({x} {y})\" fill=\"none\" stroke=\"{color}\" opacity=\"{opacity}\" shape-rendering=\"crispEdges\"/>"
            );
        }
    }
}

fn hatch(out: &mut String, (x, y, w, h): (f32, f32, f32, f32), step: f32, color: &str) {
    let mut at = x;
    while at < x + w {
        let end = (at + h).min(x + w);
        let low = y + h - (end - at);
        let _ = writeln!(
            out,
            "<line x1=\"{at}\" y1=\"{}\" x2=\"{end}\" y2=\"{low}\" stroke=\"{color}\" stroke-width=\"1.25\"/>",
            y + h
        );
        at += step;
    }
}

fn tile(out: &mut String, (x, y): (f32, f32), side: f32, mark: Mark, theme: Theme) {
    let color = theme.color(Role::State(mark));
    let fill = format!("fill=\"{color}\"");
    let arrow = |out: &mut String, color: &str| {
        let at = [(0.36, 0.24), (0.74, 0.5), (0.36, 0.76)].map(|(px, py)| (x + px * side, y + py * side));
        let _ = writeln!(out, "<polygon points=\"{}\" fill=\"{color}\"/>", points(&at));
    };
    let frame = |width: f32| format!("fill=\"none\" stroke=\"{color}\" stroke-width=\"{width}\"");
    match mark {
        Mark::Issue => {
            rect(out, x, y, side, side, &fill);
            arrow(out, theme.color(Role::OnIssue));
        }
        Mark::Eligible => {
            rect(out, x + 0.75, y + 0.75, side - 1.5, side - 1.5, &frame(1.5));
            arrow(out, color);
        }
        Mark::Wait => rect(out, x, y + side / 2.0 - 1.0, side, 2.0, &fill),
        Mark::Long => rect(out, x, y + side * 0.28, side, side * 0.44, &fill),
        Mark::Short => {
            for idx in 0..3 {
                let left = x + idx as f32 * side / 3.0;
                rect(out, left, y + side * 0.28, side / 3.0 - 1.5, side * 0.44, &fill);
            }
        }
        Mark::Throttle => {
            rect(out, x + 0.5, y + 0.5, side - 1.0, side - 1.0, &frame(1.0));
            hatch(out, (x, y, side, side), 3.5, color);
        }
        Mark::Barrier => {
            for idx in 0..4 {
                rect(out, x + idx as f32 * (side - 1.75) / 3.0, y, 1.75, side, &fill);
            }
        }
        Mark::Branch => {
            let at = [(0.0, 1.0), (0.5, 0.1), (1.0, 1.0), (0.5, 0.62)]
                .map(|(px, py)| (x + px * side, y + py * side));
            let _ = writeln!(out, "<polygon points=\"{}\" {fill}/>", points(&at));
        }
        Mark::Other => {
            for (px, py) in [(0.0, 0.0), (1.0, 1.0), (2.0, 0.0), (0.0, 2.0), (2.0, 2.0)] {
                let half = (side - 3.0) / 2.0;
                rect(out, x + px * half, y + py * half, 3.0, 3.0, &fill);
            }
        }
        Mark::Idle => {
            let line = theme.color(Role::Line2);
            let paint = format!("fill=\"none\" stroke=\"{line}\" stroke-dasharray=\"1.5 2\"");
            rect(out, x + 0.5, y + 0.5, side - 1.0, side - 1.0, &paint);
        }
    }
}

fn band(out: &mut String, (x, y, w, h): (f32, f32, f32, f32), mark: Mark, px: f32, theme: Theme) {
    let color = theme.color(Role::State(mark));
    let fill = format!("fill=\"{color}\"");
    let foot = y + h;
    if px < 4.0 {
        let share = match mark {
            Mark::Issue => 1.0,
            Mark::Eligible => 0.8,
            Mark::Wait => 0.2,
            Mark::Idle => return,
            Mark::Long | Mark::Short | Mark::Other => 0.45,
            Mark::Throttle | Mark::Barrier | Mark::Branch => 0.62,
        };
        rect(
            out,
            x,
            foot - (h * share).max(1.0),
            w,
            (h * share).max(1.0),
            &fill,
        );
        return;
    }
    let cycles = (w / px).round().max(1.0) as u32;
    let at = |cycle: u32| x + cycle as f32 * px;
    match mark {
        Mark::Issue => rect(out, x, y, w - 1.0, h, &fill),
        Mark::Eligible => {
            let paint = format!("fill=\"none\" stroke=\"{color}\" stroke-width=\"1.5\"");
            rect(out, x + 0.75, y + 0.75, w - 2.5, h - 1.5, &paint);
        }
        Mark::Wait => rect(out, x, foot - 2.0, w - 1.0, 2.0, &fill),
        Mark::Long => rect(out, x, foot - h * 0.4, w - 1.0, h * 0.4, &fill),
        Mark::Short => {
            for half in 0..2 * cycles {
                let left = x + half as f32 * px / 2.0;
                rect(out, left, foot - h * 0.4, px / 2.0 - 0.75, h * 0.4, &fill);
            }
        }
        Mark::Throttle => {
            hatch(out, (x, foot - h * 0.62, w - 1.0, h * 0.62), 3.5, color);
            rect(out, x, foot - 1.5, w - 1.0, 1.5, &fill);
        }
        Mark::Barrier => {
            for half in 0..2 * cycles {
                rect(
                    out,
                    x + half as f32 * px / 2.0,
                    foot - h * 0.62,
                    1.75,
                    h * 0.62,
                    &fill,
                );
            }
            rect(out, x, foot - 1.5, w - 1.0, 1.5, &fill);
        }
        Mark::Branch => {
            for cycle in 0..cycles {
                let left = at(cycle);
                let tooth = [
                    (left, foot),
                    (left + (px - 1.0) / 2.0, foot - h * 0.62),
                    (left + px - 1.0, foot),
                ];
                let _ = writeln!(out, "<polygon points=\"{}\" {fill}/>", points(&tooth));
            }
        }
        Mark::Other => {
            for cycle in 0..cycles {
                rect(out, at(cycle) + 1.0, foot - h * 0.4, 2.5, 2.5, &fill);
                rect(out, at(cycle) + px / 2.0, foot - 2.5, 2.5, 2.5, &fill);
            }
        }
        Mark::Idle => {
            for cycle in 0..cycles {
                rect(out, at(cycle) + px / 2.0 - 0.5, foot - 1.0, 1.0, 1.0, &fill);
            }
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
        let drawing = svg(&scene, Theme::Light);
        assert!(
            drawing.contains("<title>&lt;script&gt;&amp;\u{fffd}</title>"),
            "{drawing}"
        );
    }
}
