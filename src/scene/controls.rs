//! Rows of choices by which a view is set: data that the page shows as buttons, keeps in the link
//! and hands back as a [`Choice`].

use serde::{Deserialize, Serialize};

/// A row of choices over a picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Control {
    /// Its id on the page.
    pub id: &'static str,
    /// What it sets, in a word or two.
    pub label: &'static str,
    /// What it can be.
    pub options: Vec<ControlOption>,
}

/// One of the things a control can be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ControlOption {
    /// In a word or two.
    pub name: String,
    /// What it does.
    pub choice: Choice,
    /// Whether it is so now.
    pub chosen: bool,
}

/// A setting of a view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// How values are written.
    Format(NumberFormat),
    /// Another memory request: a step, not a setting, so nothing stays chosen.
    Request(RequestStep),
}

/// From the memory request that is shown to another of the run, in the order in which their units
/// take them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RequestStep {
    /// The one before.
    Previous,
    /// The one after.
    Next,
    /// The first of the same warp.
    FirstOfWarp,
    /// The first of the same source line.
    FirstOfLine,
}

/// How values of 32 bits are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum NumberFormat {
    /// As eight hexadecimal digits.
    #[default]
    Hex,
    /// As a signed whole number.
    Int,
    /// As a number of 32-bit floating point.
    Float,
}

impl NumberFormat {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Hex, Self::Int, Self::Float];

    /// In links, and on the page.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Hex => "hex",
            Self::Int => "int",
            Self::Float => "float",
        }
    }
}

/// What was chosen, for all views; plain values.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Settings {
    /// How values are written.
    pub format: NumberFormat,
}

impl Choice {
    /// Whether it is a step and not a setting.
    pub const fn is_step(self) -> bool {
        matches!(self, Self::Request(_))
    }
}

impl Settings {
    /// Takes a choice.
    pub fn choose(&mut self, choice: Choice) {
        match choice {
            Choice::Format(format) => self.format = format,
            Choice::Request(_) => {}
        }
    }

    /// Gives each pair that a link needs.
    pub fn write(&self, put: &mut impl FnMut(&str, String)) {
        let usual = Self::default();
        if self.format != usual.format {
            put("format", self.format.id().to_owned());
        }
    }

    /// Takes a pair of a link. `None`: the key is another's.
    ///
    /// # Errors
    /// What the value should be.
    pub fn read(&mut self, key: &str, value: &str) -> Option<Result<(), String>> {
        Some(match key {
            "format" => pick(&NumberFormat::ALL, NumberFormat::id, value).map(|format| self.format = format),
            _ => return None,
        })
    }
}

/// The item with this id.
///
/// # Errors
/// What it can be.
fn pick<T: Copy>(all: &[T], id: fn(T) -> &'static str, value: &str) -> Result<T, String> {
    all.iter()
        .copied()
        .find(|item| id(*item) == value)
        .ok_or_else(|| {
            let ids: Vec<&str> = all.iter().map(|item| id(*item)).collect();
            format!("it can be {}", ids.join(", "))
        })
}
