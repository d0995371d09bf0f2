//! Draws display lists: textures become strokes, and the edges of fills lie on whole device pixels. What it draws with is
//! a [`Pen`]: a canvas on the screen, and [`svg`] in files, on paper, and before the program is there.

pub mod colors;
pub mod svg;

use super::{Align, Item, Mark, RING_RADIUS, Role, Scene, Shape, TextSize, Texture};

/// Opacity of other states while one state is highlighted.
pub const FAINT: f64 = 0.15;

/// The font of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Face {
    /// The type size, for which pictures are laid out.
    pub size: TextSize,
    /// Numbers and code.
    pub is_mono: bool,
    /// Semibold.
    pub is_strong: bool,
    /// Comments.
    pub is_italic: bool,
}

/// Strokes and fills. Coordinates and widths are CSS pixels, from the top left.
pub trait Pen {
    /// The color of the fills and texts to come.
    fn fill_in(&mut self, role: Role);
    /// The color and the width of the lines to come.
    fn stroke_in(&mut self, role: Role, width: f64);
    /// The opacity of what comes, from 0 to 1.
    fn set_opacity(&mut self, opacity: f64);
    /// The lengths of the dashes and gaps of the lines to come; none for whole lines.
    fn dash(&mut self, lengths: &[f64]);
    /// Fills a rectangle: left, top, width, and height.
    fn fill_rect(&mut self, x: f64, y: f64, w: f64, h: f64);
    /// Strokes the edge of a rectangle: left, top, width, and height.
    fn stroke_rect(&mut self, x: f64, y: f64, w: f64, h: f64);
    /// Begins a path.
    fn begin_path(&mut self);
    /// Begins a part of the path at a point.
    fn move_to(&mut self, x: f64, y: f64);
    /// Continues the path with a line.
    fn line_to(&mut self, x: f64, y: f64);
    /// Continues the path with a cubic curve to the third point.
    fn curve_to(&mut self, x1: f64, y1: f64, x2: f64, y2: f64, x: f64, y: f64);
    /// Ends a part of the path with a line to where it began.
    fn close_path(&mut self);
    /// Fills the path.
    fn fill(&mut self);
    /// Strokes the path.
    fn stroke(&mut self);
    /// Writes a text whose middle line is at a height. `align` says which end of the text is at x.
    fn write(&mut self, text: &str, at: (f64, f64), face: Face, align: Align);
    /// Draws cells, a CSS pixel each, in rows from the top left: 0 for an empty one, or 1 and the number of a warp state. All
    /// states but `only` are faint.
    fn cells(&mut self, at: (f32, f32), columns: u16, cells: &[u8], only: Option<Mark>);
}

/// A picture that is being drawn.
#[derive(Debug)]
pub struct Painter<P> {
    /// What draws.
    pub pen: P,
    /// Device pixels per CSS pixel.
    pub ratio: f64,
}

impl<P: Pen> Painter<P> {
    /// Draws a whole scene.
    pub fn scene(&mut self, scene: &Scene) {
        for item in &scene.items {
            self.item(item);
        }
    }

    /// Draws one item.
    pub fn item(&mut self, item: &Item) {
        let fade = match item.texture {
            Texture::Fade(opacity) => opacity,
            _ => 1.0,
        };
        if fade <= 0.0 {
            // Only a pointer target, without a picture.
            return;
        }
        if fade < 1.0 {
            self.pen.set_opacity(f64::from(fade));
        }
        match &item.shape {
            Shape::Rect { x, y, w, h } => self.rect([*x, *y, *w, *h].map(f64::from), item.role, item.texture),
            Shape::Line {
                x1,
                y1,
                x2,
                y2,
                width,
            } => {
                self.polyline(&[(*x1, *y1), (*x2, *y2)], *width, item.role, item.texture);
            }
            Shape::Polyline { points, width } => self.polyline(points, *width, item.role, item.texture),
            Shape::Polygon { points } => self.polygon(points, item.role, item.texture),
            Shape::Curve {
                from,
                c1,
                c2,
                to,
                width,
            } => self.curve([*from, *c1, *c2, *to], *width, item.role),
            Shape::Text { .. } => self.text(&item.shape, item.role),
            Shape::Tile { x, y, side, mark } => {
                self.tile(f64::from(*x), f64::from(*y), f64::from(*side), *mark);
            }
            Shape::Band {
                x,
                y,
                w,
                h,
                mark,
                cycle_px,
            } => {
                self.band([*x, *y, *w, *h].map(f64::from), *mark, f64::from(*cycle_px));
            }
            Shape::StatePixels {
                x,
                y,
                columns,
                cells,
                only,
            } => self.pen.cells((*x, *y), *columns, cells, *only),
            Shape::Track { .. } => {}
        }
        if fade < 1.0 {
            self.pen.set_opacity(1.0);
        }
    }

    // ---- shapes

    /// The nearest whole device pixel.
    pub fn snap(&self, value: f64) -> f64 {
        (value * self.ratio).round() / self.ratio
    }

    /// A fill with edges on device pixels.
    fn block(&mut self, [x, y, w, h]: [f64; 4], role: Role) {
        self.pen.fill_in(role);
        let (left, top) = (self.snap(x), self.snap(y));
        let width = (self.snap(x + w) - left).max(1.0 / self.ratio);
        let height = (self.snap(y + h) - top).max(1.0 / self.ratio);
        self.pen.fill_rect(left, top, width, height);
    }

    /// A frame inside its area.
    fn frame(&mut self, [x, y, w, h]: [f64; 4], role: Role, width: f64) {
        let (left, top) = (self.snap(x), self.snap(y));
        let (right, bottom) = (self.snap(x + w), self.snap(y + h));
        self.pen.stroke_in(role, width);
        self.pen.stroke_rect(
            left + width / 2.0,
            top + width / 2.0,
            right - left - width,
            bottom - top - width,
        );
    }

    /// A frame with round corners inside its area.
    fn round_frame(&mut self, [x, y, w, h]: [f64; 4], role: Role, width: f64) {
        /// Where the control points of a quarter of a circle lie, in radii from its ends.
        const QUARTER: f64 = 0.552_285;
        let half = width / 2.0;
        let (left, top) = (self.snap(x) + half, self.snap(y) + half);
        let (right, bottom) = (self.snap(x + w) - half, self.snap(y + h) - half);
        let radius = f64::from(RING_RADIUS)
            .min((right - left) / 2.0)
            .min((bottom - top) / 2.0);
        self.pen.stroke_in(role, width);
        self.pen.begin_path();
        self.pen.move_to(left + radius, top);
        // Each corner, and the directions of the path before and after it.
        let corners = [
            (right, top, (1.0, 0.0), (0.0, 1.0)),
            (right, bottom, (0.0, 1.0), (-1.0, 0.0)),
            (left, bottom, (-1.0, 0.0), (0.0, -1.0)),
            (left, top, (0.0, -1.0), (1.0, 0.0)),
        ];
        for (x, y, (from_x, from_y), (to_x, to_y)) in corners {
            let near = radius * (1.0 - QUARTER);
            self.pen.line_to(x - radius * from_x, y - radius * from_y);
            self.pen.curve_to(
                x - near * from_x,
                y - near * from_y,
                x + near * to_x,
                y + near * to_y,
                x + radius * to_x,
                y + radius * to_y,
            );
        }
        self.pen.close_path();
        self.pen.stroke();
    }

    fn rect(&mut self, area: [f64; 4], role: Role, texture: Texture) {
        let [x, y, w, h] = area;
        match texture {
            Texture::Solid | Texture::Fade(_) => self.block(area, role),
            Texture::Outline(width) => self.frame(area, role, f64::from(width)),
            Texture::Ring(width) => self.round_frame(area, role, f64::from(width)),
            Texture::Hatch => self.hatch(area, role),
            Texture::Fence => self.posts(area, role, 4.0),
            Texture::Teeth => self.teeth(area, role, 8.0),
            Texture::Dashes => {
                let mut at = x;
                while at < x + w - 0.5 {
                    self.block([at, y, (x + w - at).min(4.0), h], role);
                    at += 5.0;
                }
            }
            Texture::Dots => self.dots(area, role, 6.0),
            Texture::Dotted => {
                self.pen.dash(&[1.5, 2.0]);
                self.frame(area, role, 1.0);
                self.pen.dash(&[]);
            }
        }
    }

    fn polyline(&mut self, points: &[(f32, f32)], width: f32, role: Role, texture: Texture) {
        let (Some(first), width) = (points.first(), f64::from(width)) else {
            return;
        };
        if let ([(x1, y1), (x2, y2)], Texture::Solid | Texture::Fade(_)) = (points, texture)
            && (x1 == x2 || y1 == y2)
        {
            // A horizontal or vertical line is drawn as a fill, which is sharp.
            let (left, top) = (f64::from(x1.min(*x2)), f64::from(y1.min(*y2)));
            let (w, h) = (f64::from((x2 - x1).abs()), f64::from((y2 - y1).abs()));
            let area = if x1 == x2 {
                [left - width / 2.0, top, width, h]
            } else {
                [left, top - width / 2.0, w, width]
            };
            return self.block(area, role);
        }
        let dash: &[f64] = match texture {
            Texture::Dashes => &[4.0, 3.0],
            Texture::Dotted | Texture::Dots => &[1.5, 2.5],
            _ => &[],
        };
        self.pen.stroke_in(role, width);
        if !dash.is_empty() {
            self.pen.dash(dash);
        }
        self.pen.begin_path();
        // Odd widths are sharp at half pixels.
        let shift = if (width * self.ratio).round() as i64 % 2 == 1 {
            0.5 / self.ratio
        } else {
            0.0
        };
        let at = |value: f32, painter: &Self| painter.snap(f64::from(value) - shift) + shift;
        self.pen.move_to(at(first.0, self), at(first.1, self));
        for point in &points[1..] {
            self.pen.line_to(at(point.0, self), at(point.1, self));
        }
        self.pen.stroke();
        if !dash.is_empty() {
            self.pen.dash(&[]);
        }
    }

    fn polygon(&mut self, points: &[(f32, f32)], role: Role, texture: Texture) {
        let Some(first) = points.first() else { return };
        self.pen.begin_path();
        self.pen.move_to(f64::from(first.0), f64::from(first.1));
        for point in &points[1..] {
            self.pen.line_to(f64::from(point.0), f64::from(point.1));
        }
        self.pen.close_path();
        if let Texture::Outline(width) = texture {
            self.pen.stroke_in(role, f64::from(width));
            self.pen.stroke();
        } else {
            self.pen.fill_in(role);
            self.pen.fill();
        }
    }

    fn curve(&mut self, points: [(f32, f32); 4], width: f32, role: Role) {
        let [from, c1, c2, to] = points.map(|(x, y)| (f64::from(x), f64::from(y)));
        self.pen.stroke_in(role, f64::from(width));
        self.pen.begin_path();
        self.pen.move_to(from.0, from.1);
        self.pen.curve_to(c1.0, c1.1, c2.0, c2.1, to.0, to.1);
        self.pen.stroke();
    }

    fn text(&mut self, shape: &Shape, role: Role) {
        let Shape::Text {
            x,
            y,
            text,
            size,
            mono,
            strong,
            align,
        } = shape
        else {
            return;
        };
        self.pen.fill_in(role);
        let face = Face {
            size: *size,
            is_mono: *mono,
            is_strong: *strong,
            is_italic: role == Role::Comment,
        };
        // The middle of a font's box is slightly above the middle of its capitals.
        let y = self.snap(f64::from(*y) + 0.5);
        self.pen.write(text, (f64::from(*x), y), face, *align);
    }

    // ---- textures

    /// Diagonal lines, clipped to the area by arithmetic instead of a clip path.
    fn hatch(&mut self, [x, y, w, h]: [f64; 4], role: Role) {
        const STEP: f64 = 3.5;
        self.pen.stroke_in(role, 1.5);
        self.pen.begin_path();
        // Lines rise to the right: u - v = k, with u right and v down from the lower left.
        let mut k = ((x - h) / STEP).floor() * STEP - x;
        while k < w {
            let (from, to) = (k.max(0.0), (k + h).min(w));
            if to > from {
                self.pen.move_to(x + from, y + h - (from - k));
                self.pen.line_to(x + to, y + h - (to - k));
            }
            k += STEP;
        }
        self.pen.stroke();
    }

    fn posts(&mut self, [x, y, w, h]: [f64; 4], role: Role, step: f64) {
        let mut at = x;
        while at < x + w - 1.0 {
            self.block([at, y, 1.75_f64.min(x + w - at), h], role);
            at += step;
        }
    }

    fn teeth(&mut self, [x, y, w, h]: [f64; 4], role: Role, step: f64) {
        self.pen.fill_in(role);
        self.pen.begin_path();
        let mut at = x;
        while at < x + w - 1.0 {
            let width = (step - 1.0).min(x + w - at);
            self.pen.move_to(at, y + h);
            self.pen.line_to(at + width / 2.0, y);
            self.pen.line_to(at + width, y + h);
            at += step;
        }
        self.pen.fill();
    }

    fn dots(&mut self, [x, y, w, h]: [f64; 4], role: Role, step: f64) {
        let mut at = x;
        while at < x + w - 1.0 {
            self.block([at + 1.0, y, 2.5, 2.5], role);
            if at + step / 2.0 + 2.0 < x + w {
                self.block([at + step / 2.0, y + h - 2.5, 2.5, 2.5], role);
            }
            at += step;
        }
    }

    // ---- states

    /// A warp state over some cycles in a row: issue fills the row's height, stalls are low.
    fn band(&mut self, [x, y, w, h]: [f64; 4], mark: Mark, cycle: f64) {
        let role = Role::State(mark);
        let base = y + h;
        if cycle < 4.0 {
            let share = match mark {
                Mark::Issue => 1.0,
                Mark::Eligible => 0.8,
                Mark::Wait => 0.2,
                Mark::Idle => return,
                Mark::Long | Mark::Short | Mark::Other => 0.45,
                Mark::Throttle | Mark::Barrier | Mark::Branch => 0.62,
            };
            let height = (h * share).max(1.0);
            return self.block([x, base - height, w, height], role);
        }
        let low = [x, base - h * 0.4, w - 1.0, h * 0.4];
        let tall = [x, base - h * 0.62, w - 1.0, h * 0.62];
        let ground = [x, base - 1.5, w - 1.0, 1.5];
        match mark {
            Mark::Issue => {
                let mut at = x;
                while at < x + w - 0.5 {
                    self.block([at, y, cycle - 1.0, h], role);
                    at += cycle;
                }
            }
            Mark::Eligible => self.frame([x, y, w - 1.0, h], role, 1.5),
            Mark::Wait => self.block([x, base - 2.0, w - 1.0, 2.0], role),
            Mark::Long => self.block(low, role),
            Mark::Short => {
                let half = (cycle / 2.0).clamp(3.0, 12.0);
                let mut at = x;
                while at < x + w - 0.5 {
                    self.block([at, low[1], (half - 1.0).min(x + w - at), low[3]], role);
                    at += half;
                }
            }
            Mark::Throttle => {
                self.hatch(tall, role);
                self.block(ground, role);
            }
            Mark::Barrier => {
                self.posts(tall, role, (cycle / 2.0).clamp(3.5, 12.0));
                self.block(ground, role);
            }
            Mark::Branch => self.teeth(tall, role, cycle.clamp(6.0, 24.0)),
            Mark::Other => self.dots(low, role, cycle.clamp(6.0, 24.0)),
            Mark::Idle => {
                let mut at = x;
                while at < x + w - 0.5 {
                    self.block([at + cycle / 2.0 - 0.5, base - 1.0, 1.0, 1.0], role);
                    at += cycle;
                }
            }
        }
    }

    /// The same textures for a square mark.
    fn tile(&mut self, x: f64, y: f64, n: f64, mark: Mark) {
        let role = Role::State(mark);
        match mark {
            Mark::Issue => {
                self.block([x, y, n, n], role);
                self.triangle([(0.34, 0.22), (0.76, 0.5), (0.34, 0.78)], x, y, n, Role::OnIssue);
            }
            Mark::Eligible => {
                self.frame([x, y, n, n], role, 1.5);
                self.triangle([(0.36, 0.26), (0.72, 0.5), (0.36, 0.74)], x, y, n, role);
            }
            Mark::Wait => self.block([x, y + n / 2.0 - 1.0, n, 2.0], role),
            Mark::Long => self.block([x, y + n * 0.28, n, n * 0.44], role),
            Mark::Short => {
                for dash in 0..3 {
                    let at = x + f64::from(dash) * n / 3.0;
                    self.block([at, y + n * 0.28, n / 3.0 - 1.5, n * 0.44], role);
                }
            }
            Mark::Throttle => {
                self.hatch([x, y, n, n], role);
                self.frame([x, y, n, n], role, 1.0);
            }
            Mark::Barrier => {
                for post in 0..4 {
                    self.block([x + f64::from(post) * (n - 1.75) / 3.0, y, 1.75, n], role);
                }
            }
            Mark::Branch => {
                self.triangle([(0.0, 1.0), (0.5, 0.1), (0.5, 0.62)], x, y, n, role);
                self.triangle([(1.0, 1.0), (0.5, 0.1), (0.5, 0.62)], x, y, n, role);
            }
            Mark::Other => {
                for (column, row) in [(0, 0), (1, 1), (2, 0), (0, 2), (2, 2)] {
                    let at = |step: i32| f64::from(step) * (n - 3.0) / 2.0;
                    self.block([x + at(column), y + at(row), 3.0, 3.0], role);
                }
            }
            Mark::Idle => self.rect([x, y, n, n], Role::Line2, Texture::Dotted),
        }
    }

    fn triangle(&mut self, corners: [(f64, f64); 3], x: f64, y: f64, n: f64, role: Role) {
        self.pen.fill_in(role);
        self.pen.begin_path();
        for (index, (u, v)) in corners.into_iter().enumerate() {
            if index == 0 {
                self.pen.move_to(x + u * n, y + v * n);
            } else {
                self.pen.line_to(x + u * n, y + v * n);
            }
        }
        self.pen.fill();
    }
}
