//! The layout of the workbench in a link: one table of keys.

use serde::{Deserialize, Serialize};

/// Range of a column's width, in pixels.
pub const COLUMN_PX: (u16, u16) = (200, 640);
/// Range of the first pane's share of the stage, in percent.
pub const SHARE: (u8, u8) = (20, 80);

/// A pane of the stage: one of two panes of a split stage, or one of up to four sides of a comparison. A whole stage
/// is the first pane.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "named after themselves")]
pub enum Pane {
    #[default]
    First,
    Second,
    Third,
    Fourth,
}

impl Pane {
    /// All panes.
    pub const ALL: [Self; 4] = [Self::First, Self::Second, Self::Third, Self::Fourth];

    /// The index in arrays.
    pub const fn idx(self) -> usize {
        self as usize
    }

    /// The other pane of a split stage.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::First => Self::Second,
            Self::Second | Self::Third | Self::Fourth => Self::First,
        }
    }

    /// The pane at an index.
    pub fn at(idx: usize) -> Self {
        Self::ALL.get(idx).copied().unwrap_or_default()
    }

    /// The ID in links.
    const fn id(self) -> &'static str {
        match self {
            Self::First => "first",
            Self::Second => "second",
            Self::Third => "third",
            Self::Fourth => "fourth",
        }
    }
}

/// The open panel or dialog.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Panel {
    /// The setup panel at one of its parts, on narrow pages.
    SetUp(SetUpPart),
    /// The inspector, on phones.
    Explanation,
    /// Help.
    Help,
    /// The key map.
    Keys,
    /// All numbers of the architecture, with sources.
    Sources,
    /// The outputs dialog.
    Outputs,
    /// The recent scenarios on this device.
    Recent,
    /// The search in the run.
    Find,
    /// The command palette.
    Palette,
    /// The export menu.
    Export,
    /// The menu in the phone's header.
    More,
    /// The menu of views without content for the run.
    Views,
    /// The transport's menu of further steps.
    Steps,
    /// The lessons, by course.
    Lessons,
    /// The claims of the tuning guides, in the window of the lessons.
    Guides,
    /// The glossary.
    Glossary,
    /// The link, its parts, and its QR code.
    Share,
    /// The chapters, and the notes on the picture.
    Chapters,
}

/// The parts of the setup panel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "named after themselves")]
pub enum SetUpPart {
    Architecture,
    Kernel,
    Launch,
    Options,
}

impl Panel {
    /// Whether the panel is a sheet over the picture on narrow pages, and beside the picture on wide ones. A link shows the
    /// picture: no address has a sheet, and the sheet of an older link stays closed.
    pub const fn is_sheet(self) -> bool {
        matches!(self, Self::SetUp(_) | Self::Explanation)
    }

    /// The panels that links have or had, with their IDs.
    pub const IN_LINKS: [(Self, &'static str); 16] = [
        (Self::SetUp(SetUpPart::Architecture), "architecture"),
        (Self::SetUp(SetUpPart::Kernel), "kernel"),
        (Self::SetUp(SetUpPart::Launch), "launch"),
        (Self::SetUp(SetUpPart::Options), "options"),
        (Self::Explanation, "explanation"),
        (Self::Help, "help"),
        (Self::Keys, "keys"),
        (Self::Sources, "sources"),
        (Self::Recent, "recent"),
        (Self::Outputs, "outputs"),
        (Self::Find, "find"),
        (Self::Lessons, "lessons"),
        (Self::Guides, "guides"),
        (Self::Glossary, "glossary"),
        (Self::Share, "share"),
        (Self::Chapters, "chapters"),
    ];
}

/// The display density.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Density {
    /// Normal size.
    #[default]
    Normal,
    /// Projector size.
    Projector,
}

/// The color theme.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Theme {
    /// The system's theme, or the theme of the page around a frame.
    #[default]
    System,
    /// Dark text on a light background.
    Light,
    /// Light text on a dark background.
    Dark,
}

impl Theme {
    /// The value in links and in the document, except for the system's theme.
    pub const fn id(self) -> Option<&'static str> {
        match self {
            Self::System => None,
            Self::Light => Some("light"),
            Self::Dark => Some("dark"),
        }
    }
}

/// The width of a side column.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Side {
    /// The default width.
    #[default]
    Default,
    /// Hidden.
    Closed,
    /// This many pixels.
    Wide(u16),
}

/// The layout of the workbench. A link contains the differences from the default.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Layout {
    /// Whether a pane shows its table instead of its picture.
    pub tables: [bool; 2],
    /// The active pane.
    pub active: Pane,
    /// The first pane's share of the stage, in percent.
    pub share: u8,
    /// The setup panel.
    pub left: Side,
    /// The inspector.
    pub right: Side,
    /// The display density.
    pub density: Density,
    /// The theme that the link sets; the system's theme: the reader's own choice.
    #[serde(default)]
    pub theme: Theme,
    /// The playback speed in cycles per second; 0: the whole run in half a minute.
    pub speed: u32,
    /// The open panel.
    pub panel: Option<Panel>,
}

impl Default for Layout {
    fn default() -> Self {
        Self {
            tables: [false; 2],
            active: Pane::First,
            share: 50,
            left: Side::Default,
            right: Side::Default,
            density: Density::Normal,
            theme: Theme::System,
            speed: 0,
            panel: None,
        }
    }
}

impl Layout {
    /// The available speeds, in cycles per second; 0 plays the whole run in half a minute.
    pub const SPEEDS: [u32; 7] = [0, 1, 2, 8, 60, 1_000, 10_000];

    /// Writes the pairs of the layout.
    pub(super) fn write(&self, put: &mut impl FnMut(&str, String)) {
        let defaults = Self::default();
        match self.tables {
            [false, false] => {}
            [true, false] => put("table", "on".to_owned()),
            [false, true] => put("table", "second".to_owned()),
            [true, true] => put("table", "both".to_owned()),
        }
        if self.active != defaults.active {
            put("pane", self.active.id().to_owned());
        }
        if self.share != defaults.share {
            put("share", self.share.to_string());
        }
        for (key, side) in [("left", self.left), ("right", self.right)] {
            match side {
                Side::Default => {}
                Side::Closed => put(key, "closed".to_owned()),
                Side::Wide(px) => put(key, px.to_string()),
            }
        }
        if self.density == Density::Projector {
            put("density", "projector".to_owned());
        }
        if let Some(id) = self.theme.id() {
            put("theme", id.to_owned());
        }
        if self.speed != defaults.speed {
            put("speed", self.speed.to_string());
        }
        let id = |panel: Panel| {
            Panel::IN_LINKS
                .iter()
                .find(|(other, _)| *other == panel)
                .map(|(_, id)| *id)
        };
        if let Some(id) = self.panel.and_then(id) {
            put("panel", id.to_owned());
        }
    }

    /// Reads a pair. `None`: the key does not belong to the layout.
    ///
    /// # Errors
    /// The valid values.
    pub(super) fn read(&mut self, key: &str, value: &str) -> Option<Result<(), String>> {
        Some(match key {
            "table" => match value {
                "on" => take(&mut self.tables, [true, false]),
                "second" => take(&mut self.tables, [false, true]),
                "both" => take(&mut self.tables, [true, true]),
                _ => Err("it must be on, second, or both".to_owned()),
            },
            "pane" => match Pane::ALL.into_iter().find(|pane| pane.id() == value) {
                Some(pane) => take(&mut self.active, pane),
                None => Err("it must be first, second, third, or fourth".to_owned()),
            },
            "share" => match value.parse() {
                Ok(share) if (SHARE.0..=SHARE.1).contains(&share) => take(&mut self.share, share),
                _ => Err(format!(
                    "it must be a whole number from {} to {}",
                    SHARE.0, SHARE.1
                )),
            },
            "left" => side(value).map(|side| self.left = side),
            "right" => side(value).map(|side| self.right = side),
            "density" => match value {
                "normal" => take(&mut self.density, Density::Normal),
                "projector" => take(&mut self.density, Density::Projector),
                _ => Err("it must be normal or projector".to_owned()),
            },
            "theme" => match value {
                "light" => take(&mut self.theme, Theme::Light),
                "dark" => take(&mut self.theme, Theme::Dark),
                _ => Err("it must be light or dark".to_owned()),
            },
            "speed" => match value.parse() {
                Ok(speed) if Self::SPEEDS.contains(&speed) => take(&mut self.speed, speed),
                _ => Err("it must be 1, 2, 8, 60, 1000, or 10000".to_owned()),
            },
            "panel" => {
                if let Some((panel, _)) = Panel::IN_LINKS.iter().find(|(_, id)| *id == value) {
                    take(&mut self.panel, Some(*panel))
                } else {
                    let ids: Vec<&str> = Panel::IN_LINKS.iter().map(|(_, id)| *id).collect();
                    Err(format!("it must be one of {}", ids.join(", ")))
                }
            }
            _ => return None,
        })
    }
}

#[expect(
    clippy::unnecessary_wraps,
    reason = "it is an arm of matches whose other arms fail"
)]
fn take<T>(place: &mut T, value: T) -> Result<(), String> {
    *place = value;
    Ok(())
}

fn side(value: &str) -> Result<Side, String> {
    match value.parse() {
        Ok(px) if (COLUMN_PX.0..=COLUMN_PX.1).contains(&px) => Ok(Side::Wide(px)),
        _ if value == "closed" => Ok(Side::Closed),
        _ => Err(format!(
            "it must be closed, or a number of pixels from {} to {}",
            COLUMN_PX.0, COLUMN_PX.1
        )),
    }
}
