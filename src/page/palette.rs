//! The values of the theme, read from the page's styles once per theme change.

use js_sys::JsString;
use web_sys::{CssStyleDeclaration, Window};

use workbench::scene::paint::Face;
use workbench::scene::paint::colors::{Colors, slot};
use workbench::scene::{Role, TextSize};

/// Colors and type of the theme that is shown.
#[derive(Clone, Debug, Default)]
pub(crate) struct Palette {
    /// What pictures are drawn in.
    pub(crate) colors: Colors,
    text_px: [f32; 6],
    /// The colors, and the fonts of pictures in the order of `font_value`, as the browser's strings.
    color_values: Vec<JsString>,
    font_values: Vec<JsString>,
}

/// The type sizes, smallest first.
const SIZES: [TextSize; 6] = [
    TextSize::Micro,
    TextSize::Label,
    TextSize::Body,
    TextSize::Read,
    TextSize::Title,
    TextSize::Figure,
];

impl Palette {
    /// Reads the custom properties of the document.
    pub(crate) fn read(window: &Window) -> Self {
        let style = window
            .document()
            .and_then(|document| document.document_element())
            .and_then(|element| window.get_computed_style(&element).ok().flatten());
        let Some(style) = style else {
            return Self::default();
        };
        let value = |name: &str| property(&style, name);
        let px = |name: &str, fallback: f32| value(name).trim_end_matches("px").parse().unwrap_or(fallback);
        let mut palette = Self {
            colors: Colors::read(value),
            text_px: [
                px("--t-micro", 10.0),
                px("--t-label", 11.0),
                px("--t-body", 12.5),
                px("--t-read", 14.0),
                px("--t-title", 16.0),
                px("--t-figure", 24.0),
            ],
            color_values: Vec::new(),
            font_values: Vec::new(),
        };
        palette.make_values();
        palette
    }

    /// Makes the browser's strings of what pictures need all the time.
    fn make_values(&mut self) {
        let all = self.colors.all();
        self.color_values = all.iter().map(|color| color.as_str().into()).collect();
        for size in SIZES {
            for (is_mono, is_strong) in [(false, false), (false, true), (true, false), (true, true)] {
                for is_italic in [false, true] {
                    let face = Face {
                        size,
                        is_mono,
                        is_strong,
                        is_italic,
                    };
                    self.font_values.push(self.colors.font(face).as_str().into());
                }
            }
        }
    }

    /// A role's color as the browser's string.
    pub(crate) fn color_value(&self, role: Role) -> Option<&JsString> {
        self.color_values.get(slot(role))
    }

    /// The canvas font of a picture, in the size for which the picture is laid out. Densities and phones
    /// enlarge the picture as a whole.
    pub(crate) fn font_value(&self, face: Face) -> Option<&JsString> {
        let style = usize::from(face.is_mono) * 2 + usize::from(face.is_strong);
        self.font_values
            .get((face.size as usize * 4 + style) * 2 + usize::from(face.is_italic))
    }

    /// A role's color in CSS syntax.
    pub(crate) fn color(&self, role: Role) -> &str {
        self.colors.color(role)
    }

    /// The type size in CSS pixels.
    pub(crate) fn px(&self, size: TextSize) -> f32 {
        let px = self.text_px[size as usize];
        // The page's styles are missing, as in tests of the painter.
        if px > 0.0 { px } else { size.px() }
    }

    /// The CSS font families of words or of numbers.
    pub(crate) fn family(&self, mono: bool) -> &str {
        self.colors.family(mono)
    }

    /// A font of the page, which is larger on phones and projectors.
    pub(crate) fn page_font(&self, size: TextSize, mono: bool, strong: bool) -> String {
        self.colors.font_of(self.px(size), mono, strong)
    }
}

fn property(style: &CssStyleDeclaration, name: &str) -> String {
    let value = style.get_property_value(name).unwrap_or_default();
    value.trim().to_owned()
}

#[cfg(test)]
mod contrast;
