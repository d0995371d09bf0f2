//! The values of the theme, read from the page's styles once per theme change.

#[cfg(target_arch = "wasm32")]
use js_sys::JsString as BrowserString;
use web_sys::{CssStyleDeclaration, Window};

use workbench::scene::{Mark, Role, TextSize};

/// A string as the painter's pen takes it: natively, one of Rust.
#[cfg(not(target_arch = "wasm32"))]
type BrowserString = String;

/// Colors and type of the theme that is shown.
#[derive(Clone, Debug, Default)]
pub(crate) struct Palette {
    colors: Vec<String>,
    text_px: [f32; 6],
    font_text: String,
    font_mono: String,
    /// The colors, and the fonts of pictures in the order of `font_value`, as the browser's strings.
    color_values: Vec<BrowserString>,
    font_values: Vec<BrowserString>,
}

/// Custom properties of the roles, in the order of `slot`.
const TOKENS: [&str; 37] = [
    "--st-issue",
    "--st-eligible",
    "--st-wait",
    "--st-short",
    "--st-long",
    "--st-throttle",
    "--st-barrier",
    "--st-branch",
    "--st-other",
    "--st-idle",
    "--pass-1",
    "--pass-2",
    "--pass-3",
    "--pass-5",
    "--pass-9",
    "--pass-17",
    "--on-pass-1",
    "--on-pass-2",
    "--on-pass-3",
    "--on-pass-5",
    "--on-pass-9",
    "--on-pass-17",
    "--on-issue",
    "--paper",
    "--paper-2",
    "--paper-3",
    "--paper-4",
    "--ink",
    "--ink-2",
    "--ink-3",
    "--ink-inv",
    "--line",
    "--line-2",
    "--edge",
    "--mem-used",
    "--mem-hit",
    "--mem-miss",
];

/// Index of a mark's color.
const fn mark_slot(mark: Mark) -> usize {
    match mark {
        Mark::Issue => 0,
        Mark::Eligible => 1,
        Mark::Wait => 2,
        Mark::Short => 3,
        Mark::Long => 4,
        Mark::Throttle => 5,
        Mark::Barrier => 6,
        Mark::Branch => 7,
        Mark::Other => 8,
        Mark::Idle => 9,
    }
}

/// Each doubling of the wavefronts is one step.
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

/// The type sizes, smallest first.
const SIZES: [TextSize; 6] = [
    TextSize::Micro,
    TextSize::Label,
    TextSize::Body,
    TextSize::Read,
    TextSize::Title,
    TextSize::Figure,
];

/// Index of a size in `SIZES`.
const fn size_slot(size: TextSize) -> usize {
    match size {
        TextSize::Micro => 0,
        TextSize::Label => 1,
        TextSize::Body => 2,
        TextSize::Read => 3,
        TextSize::Title => 4,
        TextSize::Figure => 5,
    }
}

/// Index of a role's color in `TOKENS`.
const fn slot(role: Role) -> usize {
    match role {
        Role::State(mark) => mark_slot(mark),
        Role::Pass(pass) => 10 + pass_step(pass),
        Role::OnPass(pass) => 16 + pass_step(pass),
        Role::OnIssue => 22,
        Role::Paper1 => 23,
        Role::Paper2 => 24,
        Role::Paper3 => 25,
        Role::Paper4 => 26,
        Role::Ink1 | Role::Selection | Role::Now => 27,
        Role::Ink2 => 28,
        Role::Ink3 | Role::Comment => 29,
        Role::InkInverse => 30,
        Role::Line1 => 31,
        Role::Line2 | Role::Wire => 32,
        Role::Edge => 33,
        Role::Used => 34,
        Role::Wasted => mark_slot(Mark::Throttle),
        Role::WireLit => mark_slot(Mark::Issue),
        Role::Hit => 35,
        Role::Miss => 36,
    }
}

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
            colors: TOKENS.iter().map(|name| value(name)).collect(),
            text_px: [
                px("--t-micro", 10.0),
                px("--t-label", 11.0),
                px("--t-body", 12.5),
                px("--t-read", 14.0),
                px("--t-title", 16.0),
                px("--t-figure", 24.0),
            ],
            font_text: value("--font-text"),
            font_mono: value("--font-mono"),
            color_values: Vec::new(),
            font_values: Vec::new(),
        };
        palette.make_values();
        palette
    }

    /// Names the tokens instead of their values: for markup, which any theme may show.
    #[cfg(not(target_arch = "wasm32"))]
    pub(crate) fn of_tokens() -> Self {
        let variable = |name: &str| format!("var({name})");
        let mut palette = Self {
            colors: TOKENS.iter().copied().map(variable).collect(),
            font_text: variable("--font-text"),
            font_mono: variable("--font-mono"),
            ..Self::default()
        };
        palette.make_values();
        palette
    }

    /// Makes the browser's strings of what pictures need all the time.
    fn make_values(&mut self) {
        self.color_values = self.colors.iter().map(|color| color.as_str().into()).collect();
        for size in SIZES {
            for (mono, strong) in [(false, false), (false, true), (true, false), (true, true)] {
                let font = self.font_of(size.px(), mono, strong);
                self.font_values.push(font.as_str().into());
                self.font_values.push(format!("italic {font}").as_str().into());
            }
        }
    }

    /// A role's color as the browser's string.
    pub(crate) fn color_value(&self, role: Role) -> Option<&BrowserString> {
        self.color_values.get(slot(role))
    }

    /// The canvas font of a picture, in the size for which the picture is laid out. Densities and phones
    /// enlarge the picture as a whole.
    pub(crate) fn font_value(
        &self,
        size: TextSize,
        mono: bool,
        strong: bool,
        italic: bool,
    ) -> Option<&BrowserString> {
        let face = usize::from(mono) * 2 + usize::from(strong);
        self.font_values
            .get((size_slot(size) * 4 + face) * 2 + usize::from(italic))
    }

    /// A role's color in CSS syntax.
    pub(crate) fn color(&self, role: Role) -> &str {
        self.colors.get(slot(role)).map_or("", String::as_str)
    }

    /// The type size in CSS pixels.
    pub(crate) fn px(&self, size: TextSize) -> f32 {
        let slot = size_slot(size);
        // The page's styles are missing, as in tests of the painter.
        if self.text_px[slot] > 0.0 {
            self.text_px[slot]
        } else {
            size.px()
        }
    }

    /// The CSS font families of words or of numbers.
    pub(crate) fn family(&self, mono: bool) -> &str {
        if mono { &self.font_mono } else { &self.font_text }
    }

    /// A font of the page, which is larger on phones and projectors.
    pub(crate) fn page_font(&self, size: TextSize, mono: bool, strong: bool) -> String {
        self.font_of(self.px(size), mono, strong)
    }

    fn font_of(&self, px: f32, mono: bool, strong: bool) -> String {
        let weight = if strong { 600 } else { 400 };
        format!("{weight} {px}px {}", self.family(mono))
    }
}

fn property(style: &CssStyleDeclaration, name: &str) -> String {
    let value = style.get_property_value(name).unwrap_or_default();
    value.trim().to_owned()
}

#[cfg(test)]
mod contrast;
