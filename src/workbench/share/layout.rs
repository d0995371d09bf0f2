//! How the workbench is laid out, as far as a link carries it: one table of keys.

use serde::{Deserialize, Serialize};

/// Pixels that a column can be wide.
pub const COLUMN_PX: (u16, u16) = (200, 640);
/// Percent of the stage that the first pane can have.
pub const SHARE: (u8, u8) = (20, 80);

/// A part of the stage: one of the two halves where it is split, one of up to four sides in a
/// comparison; a whole stage is the first.
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
    /// All.
    pub const ALL: [Self; 4] = [Self::First, Self::Second, Self::Third, Self::Fourth];

    /// Its place in arrays.
    pub const fn idx(self) -> usize {
        self as usize
    }

    /// The other half of a split stage.
    pub const fn other(self) -> Self {
        match self {
            Self::First => Self::Second,
            Self::Second | Self::Third | Self::Fourth => Self::First,
        }
    }

    /// The one at a place.
    pub fn at(idx: usize) -> Self {
        Self::ALL.get(idx).copied().unwrap_or_default()
    }

    /// The id in links.
    const fn id(self) -> &'static str {
        match self {
            Self::First => "first",
            Self::Second => "second",
            Self::Third => "third",
            Self::Fourth => "fourth",
        }
    }
}

/// What lies over the workbench.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Panel {
    /// Set up, at one of its parts, on narrow pages.
    SetUp(SetUpPart),
    /// The explanation, on phones.
    Explanation,
    /// Help.
    Help,
    /// The key map.
    Keys,
    /// Every number of the architecture with its source.
    Sources,
    /// What the run leaves in its buffers.
    Outputs,
    /// The scenarios that were last looked at on this device.
    Recent,
    /// The field to find something in the run.
    Find,
    /// The field to find or do anything.
    Palette,
    /// The menu of what can be saved.
    Export,
    /// The menu of the phone's header.
    More,
}

/// The parts of the set up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "named after themselves")]
pub enum SetUpPart {
    Architecture,
    Kernel,
    Launch,
    Options,
}

impl Panel {
    /// The panels that a link opens, with their ids.
    pub const IN_LINKS: [(Self, &'static str); 11] = [
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
    ];
}

/// How large everything is drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Density {
    /// For a screen on a desk.
    #[default]
    Normal,
    /// For the last row of a hall.
    Projector,
}

/// A column beside the stage.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Side {
    /// As wide as the page has it.
    #[default]
    Usual,
    /// Put away.
    Closed,
    /// So many pixels.
    Wide(u16),
}

/// How the workbench is laid out. What differs from the default is in the link.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Layout {
    /// Whether a pane shows its table in place of its picture.
    pub tables: [bool; 2],
    /// The pane that has the keyboard.
    pub active: Pane,
    /// Percent of the stage that the first pane has.
    pub share: u8,
    /// The set up.
    pub left: Side,
    /// The explanation.
    pub right: Side,
    /// How large everything is.
    pub density: Density,
    /// Cycles a second.
    pub speed: u32,
    /// What lies over the workbench.
    pub panel: Option<Panel>,
}

impl Default for Layout {
    fn default() -> Self {
        Self {
            tables: [false; 2],
            active: Pane::First,
            share: 50,
            left: Side::Usual,
            right: Side::Usual,
            density: Density::Normal,
            speed: 8,
            panel: None,
        }
    }
}

impl Layout {
    /// Speeds that there are, in cycles a second.
    pub const SPEEDS: [u32; 5] = [1, 8, 60, 1_000, 10_000];

    /// Gives each pair that a link needs.
    pub(super) fn write(&self, put: &mut impl FnMut(&str, String)) {
        let usual = Self::default();
        match self.tables {
            [false, false] => {}
            [true, false] => put("table", "on".to_owned()),
            [false, true] => put("table", "second".to_owned()),
            [true, true] => put("table", "both".to_owned()),
        }
        if self.active != usual.active {
            put("pane", self.active.id().to_owned());
        }
        if self.share != usual.share {
            put("share", self.share.to_string());
        }
        for (key, side) in [("left", self.left), ("right", self.right)] {
            match side {
                Side::Usual => {}
                Side::Closed => put(key, "closed".to_owned()),
                Side::Wide(px) => put(key, px.to_string()),
            }
        }
        if self.density == Density::Projector {
            put("density", "projector".to_owned());
        }
        if self.speed != usual.speed {
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

    /// Takes a pair of a link. `None`: the key is another's.
    ///
    /// # Errors
    /// What the value should be.
    pub(super) fn read(&mut self, key: &str, value: &str) -> Option<Result<(), String>> {
        Some(match key {
            "table" => match value {
                "on" => take(&mut self.tables, [true, false]),
                "second" => take(&mut self.tables, [false, true]),
                "both" => take(&mut self.tables, [true, true]),
                _ => Err("it can be on, second, both".to_owned()),
            },
            "pane" => match Pane::ALL.into_iter().find(|pane| pane.id() == value) {
                Some(pane) => take(&mut self.active, pane),
                None => Err("it can be first, second, third, fourth".to_owned()),
            },
            "share" => match value.parse() {
                Ok(share) if (SHARE.0..=SHARE.1).contains(&share) => take(&mut self.share, share),
                _ => Err(format!("it is a whole number from {} to {}", SHARE.0, SHARE.1)),
            },
            "left" => side(value).map(|side| self.left = side),
            "right" => side(value).map(|side| self.right = side),
            "density" => match value {
                "normal" => take(&mut self.density, Density::Normal),
                "projector" => take(&mut self.density, Density::Projector),
                _ => Err("it can be normal, projector".to_owned()),
            },
            "speed" => match value.parse() {
                Ok(speed) if Self::SPEEDS.contains(&speed) => take(&mut self.speed, speed),
                _ => Err("it can be 1, 8, 60, 1000, 10000".to_owned()),
            },
            "panel" => {
                if let Some((panel, _)) = Panel::IN_LINKS.iter().find(|(_, id)| *id == value) {
                    take(&mut self.panel, Some(*panel))
                } else {
                    let ids: Vec<&str> = Panel::IN_LINKS.iter().map(|(_, id)| *id).collect();
                    Err(format!("it can be {}", ids.join(", ")))
                }
            }
            _ => return None,
        })
    }
}

fn take<T>(place: &mut T, value: T) -> Result<(), String> {
    *place = value;
    Ok(())
}

fn side(value: &str) -> Result<Side, String> {
    match value.parse() {
        Ok(px) if (COLUMN_PX.0..=COLUMN_PX.1).contains(&px) => Ok(Side::Wide(px)),
        _ if value == "closed" => Ok(Side::Closed),
        _ => Err(format!(
            "it can be closed, or a number of pixels from {} to {}",
            COLUMN_PX.0, COLUMN_PX.1
        )),
    }
}
