//! Draws display lists on a canvas: roles map to theme colors, textures to strokes, and the edges of fills to
//! whole device pixels.

#[cfg(target_arch = "wasm32")]
mod pen;
#[cfg(not(target_arch = "wasm32"))]
#[path = "paint/svg_pen.rs"]
mod pen;
#[cfg(target_arch = "wasm32")]
mod weave;

use web_sys::HtmlCanvasElement;

use self::pen::{Context, pen};
use super::palette::Palette;
#[cfg(target_arch = "wasm32")]
use workbench::scene::damage::{Area, bounds, damage, overlap};
use workbench::scene::{Align, Item, Mark, RING_RADIUS, Role, Scene, Shape, Size, TextSize, Texture};

/// A canvas during painting. Coordinates are CSS pixels.
pub(crate) struct Painter<'a> {
    context: Context,
    palette: &'a Palette,
    /// Device pixels per CSS pixel.
    ratio: f64,
    fill: Option<Role>,
    stroke: Option<Role>,
    /// Size, mono, strong, italic.
    face: Option<(TextSize, bool, bool, bool)>,
    align: Option<Align>,
    /// The current line width; NaN before the first line.
    line: f64,
}

#[cfg(target_arch = "wasm32")]
impl<'a> Painter<'a> {
    /// Resizes the canvas at the device's ratio, and clears it.
    pub(crate) fn begin(
        canvas: &HtmlCanvasElement,
        size: Size,
        ratio: f64,
        palette: &'a Palette,
    ) -> Option<Self> {
        let painter = Self::go_on(canvas, size, ratio, palette)?;
        painter
            .context
            .clear_rect(0.0, 0.0, f64::from(size.width), f64::from(size.height));
        Some(painter)
    }

    /// Resizes the canvas at the device's ratio; a canvas of the same size keeps its picture.
    fn go_on(canvas: &HtmlCanvasElement, size: Size, ratio: f64, palette: &'a Palette) -> Option<Self> {
        let context = super::browser::context(canvas)?;
        let (width, height) = pixels(size, ratio);
        if canvas.width() != width || canvas.height() != height {
            canvas.set_width(width);
            canvas.set_height(height);
        }
        // Resetting the transform to finite numbers cannot fail.
        let _ = context.set_transform(ratio, 0.0, 0.0, ratio, 0.0, 0.0);
        context.set_text_baseline("middle");
        Some(Self {
            context,
            palette,
            ratio,
            fill: None,
            stroke: None,
            face: None,
            align: None,
            line: f64::NAN,
        })
    }

    /// Draws a scene where the canvas shows `old` at the same ratio and in the same colors: only what
    /// differs is painted. `over` lies over the scene, and lay over the old one.
    pub(crate) fn change(
        canvas: &HtmlCanvasElement,
        old: Option<(&Scene, &[Item])>,
        (new, over): (&Scene, &[Item]),
        ratio: f64,
        palette: &'a Palette,
    ) -> Option<()> {
        let stays = (canvas.width(), canvas.height()) == pixels(new.size, ratio);
        let areas = old
            .filter(|(old, _)| stays && old.size == new.size)
            .and_then(|(old, old_over)| damage(&old.items, &new.items, [old_over, over], new.size));
        let Some(areas) = areas else {
            let mut painter = Self::begin(canvas, new.size, ratio, palette)?;
            painter.scene(new);
            for item in over {
                painter.item(item);
            }
            return Some(());
        };
        let mut painter = Self::go_on(canvas, new.size, ratio, palette)?;
        let all: Vec<(Area, &Item)> = if areas.is_empty() {
            Vec::new()
        } else {
            new.items
                .iter()
                .chain(over)
                .map(|item| (bounds(item), item))
                .collect()
        };
        for area in &areas {
            let area = painter.device(area);
            painter.within(&area, |painter| {
                for (bounds, item) in &all {
                    if overlap(bounds, &area) {
                        painter.item(item);
                    }
                }
            });
        }
        Some(())
    }

    /// The area extended to whole device pixels, in CSS pixels, so that its edges leave no trace.
    fn device(&self, [left, top, right, bottom]: &Area) -> Area {
        let out = |value: f32| ((f64::from(value) * self.ratio).floor() / self.ratio) as f32;
        let on = |value: f32| ((f64::from(value) * self.ratio).ceil() / self.ratio) as f32;
        [out(*left), out(*top), on(*right), on(*bottom)]
    }

    /// Clears an area of whole device pixels, and clips painting to the area.
    fn within(&mut self, area: &Area, paint: impl FnOnce(&mut Self)) {
        let [left, top, right, bottom] = area.map(|edge| self.snap(f64::from(edge)));
        let (width, height) = (right - left, bottom - top);
        self.context.save();
        self.context.begin_path();
        self.context.rect(left, top, width, height);
        self.context.clip();
        self.context.clear_rect(left, top, width, height);
        let kept = (self.fill, self.stroke, self.face, self.align, self.line);
        paint(self);
        (self.fill, self.stroke, self.face, self.align, self.line) = kept;
        self.context.restore();
    }

    /// Copies another canvas of the same size and ratio.
    pub(crate) fn canvas(&mut self, canvas: &HtmlCanvasElement, size: Size) {
        // A canvas without pixels has no contents to draw.
        let _ = self.context.draw_image_with_html_canvas_element_and_dw_and_dh(
            canvas,
            0.0,
            0.0,
            f64::from(size.width),
            f64::from(size.height),
        );
    }
}

/// Without a browser there is no canvas.
#[cfg(not(target_arch = "wasm32"))]
impl<'a> Painter<'a> {
    pub(crate) const fn begin(_: &HtmlCanvasElement, _: Size, _: f64, _: &'a Palette) -> Option<Self> {
        None
    }

    pub(crate) const fn change(
        _: &HtmlCanvasElement,
        _: Option<(&Scene, &[Item])>,
        _: (&Scene, &[Item]),
        _: f64,
        _: &'a Palette,
    ) -> Option<()> {
        None
    }

    pub(crate) const fn canvas(&mut self, _: &HtmlCanvasElement, _: Size) {}

    /// Draws scenes over each other as the shapes of an SVG picture, at one device pixel a CSS pixel.
    pub(crate) fn markup(scenes: &[&Scene], palette: &'a Palette) -> String {
        let mut painter = Self {
            context: Context::default(),
            palette,
            ratio: 1.0,
            fill: None,
            stroke: None,
            face: None,
            align: None,
            line: f64::NAN,
        };
        for scene in scenes {
            painter.scene(scene);
        }
        painter.context.finish()
    }
}

impl Painter<'_> {
    /// Draws a whole scene.
    pub(crate) fn scene(&mut self, scene: &Scene) {
        for item in &scene.items {
            self.item(item);
        }
    }

    /// Draws one item.
    pub(crate) fn item(&mut self, item: &Item) {
        let fade = match item.texture {
            Texture::Fade(opacity) => opacity,
            _ => 1.0,
        };
        if fade <= 0.0 {
            // Only a pointer target, without a picture.
            return;
        }
        if fade < 1.0 {
            self.context.set_global_alpha(f64::from(fade));
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
            } => pen::weave(&self.context, self.palette, (*x, *y), *columns, cells, *only),
            Shape::Track { .. } => {}
        }
        if fade < 1.0 {
            self.context.set_global_alpha(1.0);
        }
    }

    // ---- styles

    fn fill_with(&mut self, role: Role) {
        if self.fill != Some(role) {
            if let Some(color) = self.palette.color_value(role) {
                pen(&self.context).fill_with(color);
            }
            self.fill = Some(role);
        }
    }

    fn stroke_with(&mut self, role: Role, width: f64) {
        if self.stroke != Some(role) {
            if let Some(color) = self.palette.color_value(role) {
                pen(&self.context).stroke_with(color);
            }
            self.stroke = Some(role);
        }
        if self.line != width {
            self.context.set_line_width(width);
            self.line = width;
        }
    }

    /// The nearest whole device pixel.
    fn snap(&self, value: f64) -> f64 {
        (value * self.ratio).round() / self.ratio
    }

    fn dash(&self, lengths: &[f64]) {
        pen::dash(&self.context, lengths);
    }

    // ---- shapes

    /// A fill with edges on device pixels.
    fn block(&mut self, [x, y, w, h]: [f64; 4], role: Role) {
        self.fill_with(role);
        let (left, top) = (self.snap(x), self.snap(y));
        let width = (self.snap(x + w) - left).max(1.0 / self.ratio);
        let height = (self.snap(y + h) - top).max(1.0 / self.ratio);
        self.context.fill_rect(left, top, width, height);
    }

    /// A frame inside its area.
    fn frame(&mut self, [x, y, w, h]: [f64; 4], role: Role, width: f64) {
        let (left, top) = (self.snap(x), self.snap(y));
        let (right, bottom) = (self.snap(x + w), self.snap(y + h));
        self.stroke_with(role, width);
        self.context.stroke_rect(
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
        self.stroke_with(role, width);
        self.context.begin_path();
        self.context.move_to(left + radius, top);
        // Each corner, and the directions of the path before and after it.
        let corners = [
            (right, top, (1.0, 0.0), (0.0, 1.0)),
            (right, bottom, (0.0, 1.0), (-1.0, 0.0)),
            (left, bottom, (-1.0, 0.0), (0.0, -1.0)),
            (left, top, (0.0, -1.0), (1.0, 0.0)),
        ];
        for (x, y, (from_x, from_y), (to_x, to_y)) in corners {
            let near = radius * (1.0 - QUARTER);
            self.context.line_to(x - radius * from_x, y - radius * from_y);
            self.context.bezier_curve_to(
                x - near * from_x,
                y - near * from_y,
                x + near * to_x,
                y + near * to_y,
                x + radius * to_x,
                y + radius * to_y,
            );
        }
        self.context.close_path();
        self.context.stroke();
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
                self.dash(&[1.5, 2.0]);
                self.frame(area, role, 1.0);
                self.dash(&[]);
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
        self.stroke_with(role, width);
        if !dash.is_empty() {
            self.dash(dash);
        }
        self.context.begin_path();
        // Odd widths are sharp at half pixels.
        let shift = if (width * self.ratio).round() as i64 % 2 == 1 {
            0.5 / self.ratio
        } else {
            0.0
        };
        let at = |value: f32, painter: &Self| painter.snap(f64::from(value) - shift) + shift;
        self.context.move_to(at(first.0, self), at(first.1, self));
        for point in &points[1..] {
            self.context.line_to(at(point.0, self), at(point.1, self));
        }
        self.context.stroke();
        if !dash.is_empty() {
            self.dash(&[]);
        }
    }

    fn polygon(&mut self, points: &[(f32, f32)], role: Role, texture: Texture) {
        let Some(first) = points.first() else { return };
        self.context.begin_path();
        self.context.move_to(f64::from(first.0), f64::from(first.1));
        for point in &points[1..] {
            self.context.line_to(f64::from(point.0), f64::from(point.1));
        }
        self.context.close_path();
        if let Texture::Outline(width) = texture {
            self.stroke_with(role, f64::from(width));
            self.context.stroke();
        } else {
            self.fill_with(role);
            self.context.fill();
        }
    }

    fn curve(&mut self, points: [(f32, f32); 4], width: f32, role: Role) {
        let [from, c1, c2, to] = points.map(|(x, y)| (f64::from(x), f64::from(y)));
        self.stroke_with(role, f64::from(width));
        self.context.begin_path();
        self.context.move_to(from.0, from.1);
        self.context.bezier_curve_to(c1.0, c1.1, c2.0, c2.1, to.0, to.1);
        self.context.stroke();
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
        self.fill_with(role);
        let face = (*size, *mono, *strong, role == Role::Comment);
        if self.face != Some(face) {
            self.face = Some(face);
            let font = self
                .palette
                .font_value(*size, *mono, *strong, role == Role::Comment);
            if let Some(font) = font {
                pen(&self.context).write_in(font);
            }
        }
        if self.align != Some(*align) {
            self.align = Some(*align);
            self.context.set_text_align(match align {
                Align::Left => "left",
                Align::Center => "center",
                Align::Right => "right",
            });
        }
        // The middle of a font's box is slightly above the middle of its capitals.
        let y = self.snap(f64::from(*y) + 0.5);
        pen(&self.context).write(text, f64::from(*x), y);
    }

    // ---- textures

    /// Diagonal lines, clipped to the area by arithmetic instead of a clip path.
    fn hatch(&mut self, [x, y, w, h]: [f64; 4], role: Role) {
        const STEP: f64 = 3.5;
        self.stroke_with(role, 1.5);
        self.context.begin_path();
        // Lines rise to the right: u - v = k, with u right and v down from the lower left.
        let mut k = ((x - h) / STEP).floor() * STEP - x;
        while k < w {
            let (from, to) = (k.max(0.0), (k + h).min(w));
            if to > from {
                self.context.move_to(x + from, y + h - (from - k));
                self.context.line_to(x + to, y + h - (to - k));
            }
            k += STEP;
        }
        self.context.stroke();
    }

    fn posts(&mut self, [x, y, w, h]: [f64; 4], role: Role, step: f64) {
        let mut at = x;
        while at < x + w - 1.0 {
            self.block([at, y, 1.75_f64.min(x + w - at), h], role);
            at += step;
        }
    }

    fn teeth(&mut self, [x, y, w, h]: [f64; 4], role: Role, step: f64) {
        self.fill_with(role);
        self.context.begin_path();
        let mut at = x;
        while at < x + w - 1.0 {
            let width = (step - 1.0).min(x + w - at);
            self.context.move_to(at, y + h);
            self.context.line_to(at + width / 2.0, y);
            self.context.line_to(at + width, y + h);
            at += step;
        }
        self.context.fill();
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
        self.fill_with(role);
        self.context.begin_path();
        for (index, (u, v)) in corners.into_iter().enumerate() {
            if index == 0 {
                self.context.move_to(x + u * n, y + v * n);
            } else {
                self.context.line_to(x + u * n, y + v * n);
            }
        }
        self.context.fill();
    }
}

/// Device pixels of a canvas of a size.
#[cfg(target_arch = "wasm32")]
fn pixels(size: Size, ratio: f64) -> (u32, u32) {
    let px = |length: f32| (f64::from(length) * ratio).round() as u32;
    (px(size.width), px(size.height))
}
