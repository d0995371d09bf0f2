//! The pen: puts items into a scene, and measures text without a browser.

use super::{Align, Item, Role, Shape, Target, TextSize, Texture};

/// Width of a character in parts of the type size, in the monospaced stack (0.6) and on average in
/// the proportional one (0.52, of letters and digits in the stacks of the design system).
const MONO_EM: f32 = 0.6;
const TEXT_EM: f32 = 0.52;

impl TextSize {
    /// Size in CSS pixels at normal density.
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

/// The width of a text in CSS pixels, about.
pub fn text_width(text: &str, size: TextSize, mono: bool) -> f32 {
    text.chars().count() as f32 * size.px() * if mono { MONO_EM } else { TEXT_EM }
}

/// Collects items in painting order.
#[derive(Debug, Default)]
pub struct Pen {
    /// What has been drawn so far.
    pub items: Vec<Item>,
}

/// How a text is set.
#[derive(Clone, Copy, Debug)]
pub struct Type {
    /// Size.
    pub size: TextSize,
    /// Monospaced.
    pub mono: bool,
    /// Semibold.
    pub strong: bool,
    /// Where x lies in it.
    pub align: Align,
    /// Colour.
    pub role: Role,
}

impl Type {
    /// Labels and axes.
    pub const LABEL: Self = Self {
        size: TextSize::Label,
        mono: false,
        strong: false,
        align: Align::Left,
        role: Role::Ink3,
    };
    /// Numbers in cells.
    pub const MICRO: Self = Self {
        size: TextSize::Micro,
        mono: true,
        strong: false,
        align: Align::Centre,
        role: Role::Ink3,
    };
    /// Text of the picture.
    pub const BODY: Self = Self {
        size: TextSize::Body,
        mono: false,
        strong: false,
        align: Align::Left,
        role: Role::Ink1,
    };

    /// The same, semibold.
    pub const fn strong(self) -> Self {
        Self { strong: true, ..self }
    }
    /// The same, monospaced.
    pub const fn mono(self) -> Self {
        Self { mono: true, ..self }
    }
    /// The same in another colour.
    pub const fn role(self, role: Role) -> Self {
        Self { role, ..self }
    }
    /// The same, set otherwise at x.
    pub const fn align(self, align: Align) -> Self {
        Self { align, ..self }
    }
}

impl Pen {
    fn put(&mut self, shape: Shape, role: Role, texture: Texture) -> &mut Item {
        self.items.push(Item {
            shape,
            role,
            texture,
            target: None,
        });
        let last = self.items.len() - 1;
        &mut self.items[last]
    }

    /// A filled rectangle.
    pub fn fill(&mut self, x: f32, y: f32, w: f32, h: f32, role: Role) -> &mut Item {
        self.put(Shape::Rect { x, y, w, h }, role, Texture::Solid)
    }

    /// A rectangle with a texture.
    pub fn textured(&mut self, x: f32, y: f32, w: f32, h: f32, role: Role, texture: Texture) -> &mut Item {
        self.put(Shape::Rect { x, y, w, h }, role, texture)
    }

    /// An outlined rectangle; the line lies inside.
    pub fn outline(&mut self, x: f32, y: f32, w: f32, h: f32, role: Role, width: f32) -> &mut Item {
        self.put(Shape::Rect { x, y, w, h }, role, Texture::Outline(width))
    }

    /// An area that can be pointed at and shows nothing.
    pub fn hot(&mut self, x: f32, y: f32, w: f32, h: f32, target: Target) {
        self.put(Shape::Rect { x, y, w, h }, Role::Paper1, Texture::Fade(0.0))
            .target = Some(target);
    }

    /// A straight line.
    pub fn line(&mut self, from: (f32, f32), to: (f32, f32), role: Role, width: f32) -> &mut Item {
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
        )
    }

    /// An open line through points.
    pub fn polyline(&mut self, points: Vec<(f32, f32)>, role: Role, width: f32) -> &mut Item {
        self.put(Shape::Polyline { points, width }, role, Texture::Solid)
    }

    /// A filled polygon.
    pub fn polygon(&mut self, points: Vec<(f32, f32)>, role: Role) -> &mut Item {
        self.put(Shape::Polygon { points }, role, Texture::Solid)
    }

    /// A text; y is its middle.
    pub fn text(&mut self, x: f32, y: f32, text: impl Into<String>, style: Type) -> &mut Item {
        let Type {
            size,
            mono,
            strong,
            align,
            role,
        } = style;
        self.put(
            Shape::Text {
                x,
                y,
                text: text.into(),
                size,
                mono,
                strong,
                align,
            },
            role,
            Texture::Solid,
        )
    }

    /// A curve from one point straight down and into another from straight above.
    pub fn drop(&mut self, from: (f32, f32), to: (f32, f32), role: Role, width: f32) -> &mut Item {
        let bend = (to.1 - from.1) * 0.55;
        let shape = Shape::Curve {
            from,
            c1: (from.0, from.1 + bend),
            c2: (to.0, to.1 - bend),
            to,
            width,
        };
        self.put(shape, role, Texture::Solid)
    }
}
