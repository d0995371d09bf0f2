//! The building blocks of every scene: the item list, font faces, and text widths.

use super::{Align, Item, Mark, Role, Scene, Shape, Size, Table, Target, TextSize, Texture};

impl TextSize {
    /// The font size in CSS pixels at normal density.
    pub const fn px(self) -> f32 {
        match self {
            Self::Micro => 10.0,
            Self::Label => 11.0,
            Self::Body => 12.5,
            Self::Read => 14.0,
            Self::Title => 16.0,
            Self::Figure => 24.0,
        }
    }
}

impl Shape {
    /// Moves the shape right and down.
    pub(super) fn move_by(&mut self, right: f32, down: f32) {
        let moved = |point: &mut (f32, f32)| *point = (point.0 + right, point.1 + down);
        match self {
            Self::Rect { x, y, .. }
            | Self::Text { x, y, .. }
            | Self::Tile { x, y, .. }
            | Self::Band { x, y, .. }
            | Self::StatePixels { x, y, .. }
            | Self::Track { x, y, .. } => (*x, *y) = (*x + right, *y + down),
            Self::Line { x1, y1, x2, y2, .. } => {
                (*x1, *x2) = (*x1 + right, *x2 + right);
                (*y1, *y2) = (*y1 + down, *y2 + down);
            }
            Self::Polyline { points, .. } | Self::Polygon { points } => points.iter_mut().for_each(moved),
            Self::Curve { from, c1, c2, to, .. } => [from, c1, c2, to].into_iter().for_each(moved),
        }
    }
}

/// Estimated width of a line of text in CSS pixels: 0.6 em per character in the mono face, 0.52 em in
/// the text face, and 0.56 em in strong text.
pub fn text_width(text: &str, size: TextSize, mono: bool, strong: bool) -> f32 {
    let em = match (mono, strong) {
        (true, _) => 0.6,
        (false, false) => 0.52,
        (false, true) => 0.56,
    };
    text.chars().count() as f32 * em * size.px()
}

/// Size, font, weight, alignment, and role of a text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Face {
    pub(super) size: TextSize,
    pub(super) mono: bool,
    pub(super) strong: bool,
    pub(super) align: Align,
    pub(super) role: Role,
}

impl Face {
    pub(super) const fn text(size: TextSize, role: Role) -> Self {
        Self {
            size,
            mono: false,
            strong: false,
            align: Align::Left,
            role,
        }
    }

    pub(super) const fn mono(size: TextSize, role: Role) -> Self {
        Self {
            size,
            mono: true,
            strong: false,
            align: Align::Left,
            role,
        }
    }

    pub(super) const fn strong(self) -> Self {
        Self { strong: true, ..self }
    }

    pub(super) const fn center(self) -> Self {
        Self {
            align: Align::Center,
            ..self
        }
    }

    pub(super) const fn right(self) -> Self {
        Self {
            align: Align::Right,
            ..self
        }
    }

    pub(super) const fn role(self, role: Role) -> Self {
        Self { role, ..self }
    }

    pub(super) fn width(self, text: &str) -> f32 {
        text_width(text, self.size, self.mono, self.strong)
    }

    /// A text in lines of at most a width, broken at spaces.
    pub(super) fn wrap(self, text: &str, width: f32) -> Vec<String> {
        let mut lines: Vec<String> = Vec::new();
        for word in text.split(' ') {
            match lines.last_mut() {
                Some(line) if self.width(&format!("{line} {word}")) <= width => {
                    line.push(' ');
                    line.push_str(word);
                }
                _ => lines.push(word.to_owned()),
            }
        }
        lines
    }

    /// The first of the texts that fits a width; the last one is cut if none does.
    pub(super) fn first_fit(self, texts: &[&str], max: f32) -> String {
        let fits = texts.iter().find(|text| self.width(text) <= max);
        let last = || texts.last().map(|text| self.fit(text, max));
        fits.map(|text| (*text).to_owned())
            .or_else(last)
            .unwrap_or_default()
    }

    /// The text cut to a width, with an ellipsis if anything is cut.
    pub(super) fn fit(self, text: &str, max: f32) -> String {
        if self.width(text) <= max {
            return text.to_owned();
        }
        let mut kept: Vec<char> = text.chars().collect();
        while let Some(_cut) = kept.pop() {
            let candidate: String = kept.iter().collect::<String>().trim_end().to_owned() + "…";
            if self.width(&candidate) <= max {
                return if kept.is_empty() { String::new() } else { candidate };
            }
        }
        String::new()
    }
}

/// The item list of a scene under construction.
#[derive(Debug, Default)]
pub(super) struct Sheet {
    pub(super) items: Vec<Item>,
}

impl Sheet {
    pub(super) fn put(&mut self, shape: Shape, role: Role, texture: Texture, target: Option<Target>) {
        self.items.push(Item {
            shape,
            role,
            texture,
            target,
        });
    }

    pub(super) fn rect(&mut self, x: f32, y: f32, w: f32, h: f32, role: Role) {
        self.put(Shape::Rect { x, y, w, h }, role, Texture::Solid, None);
    }

    pub(super) fn fill(&mut self, x: f32, y: f32, w: f32, h: f32, role: Role, texture: Texture) {
        self.put(Shape::Rect { x, y, w, h }, role, texture, None);
    }

    pub(super) fn frame(&mut self, x: f32, y: f32, w: f32, h: f32, role: Role, width: f32) {
        self.put(Shape::Rect { x, y, w, h }, role, Texture::Outline(width), None);
    }

    /// An invisible area for hit-testing: paper at zero opacity.
    pub(super) fn area(&mut self, x: f32, y: f32, w: f32, h: f32, target: Target) {
        self.put(
            Shape::Rect { x, y, w, h },
            Role::Paper1,
            Texture::Fade(0.0),
            Some(target),
        );
    }

    pub(super) fn line(&mut self, from: (f32, f32), to: (f32, f32), width: f32, role: Role) {
        self.put(
            Shape::Line {
                x1: from.0,
                y1: from.1,
                x2: to.0,
                y2: to.1,
                width,
            },
            role,
            Texture::Solid,
            None,
        );
    }

    pub(super) fn polyline(&mut self, points: &[(f32, f32)], width: f32, role: Role) {
        self.put(
            Shape::Polyline {
                points: points.to_vec(),
                width,
            },
            role,
            Texture::Solid,
            None,
        );
    }

    pub(super) fn polygon(&mut self, points: &[(f32, f32)], role: Role) {
        self.put(
            Shape::Polygon {
                points: points.to_vec(),
            },
            role,
            Texture::Solid,
            None,
        );
    }

    pub(super) fn tile(&mut self, x: f32, y: f32, side: f32, mark: Mark) {
        self.put(
            Shape::Tile { x, y, side, mark },
            Role::State(mark),
            Texture::Solid,
            None,
        );
    }

    /// One line of text; y is its middle.
    pub(super) fn text(&mut self, text: &str, x: f32, y: f32, face: Face) {
        if text.is_empty() {
            return;
        }
        let shape = Shape::Text {
            x,
            y,
            text: text.to_owned(),
            size: face.size,
            mono: face.mono,
            strong: face.strong,
            align: face.align,
        };
        self.put(shape, face.role, Texture::Solid, None);
    }

    /// The outline of a selection: two pixels of ink, and one pixel of paper around them.
    pub(super) fn selection(&mut self, x: f32, y: f32, w: f32, h: f32) {
        self.frame(x - 1.0, y - 1.0, w + 2.0, h + 2.0, Role::Paper1, 1.0);
        self.frame(x, y, w, h, Role::Selection, 2.0);
    }

    /// Draws a label on ink with its left edge at x, and returns its width.
    pub(super) fn flag(&mut self, text: &str, x: f32, y: f32, h: f32, face: Face) -> f32 {
        let width = face.width(text) + 10.0;
        self.rect(x, y, width, h, Role::Now);
        self.text(text, x + 5.0, y + h / 2.0, face.role(Role::InkInverse));
        width
    }

    pub(super) fn finish(self, size: Size, headline: String, table: Table) -> Scene {
        Scene {
            size,
            items: self.items,
            headline,
            note: String::new(),
            table,
            also: Vec::new(),
            panes: Vec::new(),
        }
    }
}

/// A table from rows of text.
pub(super) fn table<const N: usize>(columns: [&str; N], rows: Vec<[String; N]>) -> Table {
    Table {
        columns: columns.iter().map(|column| (*column).to_owned()).collect(),
        rows: rows.into_iter().map(Vec::from).collect(),
    }
}

/// The smallest step of 1, 2, or 5 times a power of ten that is at least `least`.
pub(super) fn round_step(least: f64) -> u64 {
    let mut step = 1u64;
    loop {
        for factor in [1, 2, 5] {
            if (step * factor) as f64 >= least {
                return step * factor;
            }
        }
        let Some(next) = step.checked_mul(10) else {
            return step;
        };
        step = next;
    }
}
