//! Colors and fonts by the names that the page's styles give them.

use super::Face;
use crate::scene::{Mark, Role};

/// Custom properties of the roles, in the order of [`slot`]. The warp states come first, in their order.
pub const TOKENS: [&str; 37] = [
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

/// Index of a role's color in [`TOKENS`].
pub const fn slot(role: Role) -> usize {
    match role {
        Role::State(mark) => mark as usize,
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
        Role::Wasted => Mark::Throttle as usize,
        Role::WireLit => Mark::Issue as usize,
        Role::Hit => 35,
        Role::Miss => 36,
    }
}

/// What a picture is drawn in: the colors of the roles, and the families of fonts, in CSS syntax.
#[derive(Clone, Debug, Default)]
pub struct Colors {
    /// In the order of [`TOKENS`].
    of_roles: Vec<String>,
    font_text: String,
    font_mono: String,
}

impl Colors {
    /// Reads the value of each custom property.
    pub fn read(value: impl Fn(&str) -> String) -> Self {
        Self {
            of_roles: TOKENS.iter().map(|name| value(name)).collect(),
            font_text: value("--font-text"),
            font_mono: value("--font-mono"),
        }
    }

    /// Names the custom properties instead of their values: for markup in a page, which any theme may show.
    pub fn of_tokens() -> Self {
        Self::read(|name| format!("var({name})"))
    }

    /// A role's color.
    pub fn color(&self, role: Role) -> &str {
        self.of_roles.get(slot(role)).map_or("", String::as_str)
    }

    /// The colors of all roles, in the order of [`TOKENS`].
    pub fn all(&self) -> &[String] {
        &self.of_roles
    }

    /// The font families of words, or of numbers.
    pub fn family(&self, is_mono: bool) -> &str {
        if is_mono { &self.font_mono } else { &self.font_text }
    }

    /// A font of a picture, as the value of the property `font`.
    pub fn font(&self, face: Face) -> String {
        let font = self.font_of(face.size.px(), face.is_mono, face.is_strong);
        if face.is_italic {
            format!("italic {font}")
        } else {
            font
        }
    }

    /// An upright font of a size in CSS pixels, as the value of the property `font`.
    pub fn font_of(&self, px: f32, is_mono: bool, is_strong: bool) -> String {
        let weight = if is_strong { 600 } else { 400 };
        format!("{weight} {px}px {}", self.family(is_mono))
    }
}
