//! What of the views' settings a link carries: one table of keys.

use serde::{Deserialize, Serialize};

use crate::ids::Cycle;
use crate::scene::{Mark, Settings, ViewState};

/// What is selected beside the warp, and how the views are set. What differs from the default is in
/// the link.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Look {
    /// Selected lane.
    pub lane: Option<u8>,
    /// Memory access that is shown, by its index in the run; `None`: the one in service.
    pub access: Option<u32>,
    /// Wavefront of it, from 0; `None`: the one being served.
    pub wavefront: Option<u16>,
    /// Zoom of the Timeline in pixels a cycle.
    pub cycle_px: Option<f32>,
    /// First cycle of the Timeline; `None`: it follows the present cycle.
    pub timeline_start: Option<u64>,
    /// The only mark that is shown in full.
    pub filter: Option<Mark>,
    /// What was chosen in the views' rows of choices.
    pub settings: Settings,
}

impl Look {
    /// What a link keeps of a view's state.
    pub fn of(view: &ViewState) -> Self {
        Self {
            lane: view.lane,
            access: view.access,
            wavefront: view.wavefront,
            cycle_px: view.cycle_px,
            timeline_start: view.timeline_start.map(|cycle| cycle.0),
            filter: view.filter,
            settings: view.settings,
        }
    }

    /// Sets a view as the link says.
    pub fn show(&self, view: &mut ViewState) {
        view.lane = self.lane;
        view.access = self.access;
        view.wavefront = self.wavefront;
        view.cycle_px = self.cycle_px;
        view.timeline_start = self.timeline_start.map(Cycle);
        view.filter = self.filter;
        view.settings = self.settings;
    }

    /// Gives each pair that a link needs.
    pub(super) fn write(&self, put: &mut impl FnMut(&str, String)) {
        if let Some(lane) = self.lane {
            put("lane", lane.to_string());
        }
        if let Some(access) = self.access {
            put("access", access.to_string());
        }
        if let Some(wavefront) = self.wavefront {
            put("wavefront", wavefront.to_string());
        }
        if let Some(px) = self.cycle_px {
            put("zoom", px.to_string());
        }
        if let Some(start) = self.timeline_start {
            put("from", start.to_string());
        }
        if let Some(mark) = self.filter {
            put("mark", mark.id().to_owned());
        }
        self.settings.write(put);
    }

    /// Takes a pair of a link. `None`: the key is another's.
    ///
    /// # Errors
    /// What the value should be.
    pub(super) fn read(&mut self, key: &str, value: &str) -> Option<Result<(), String>> {
        let number = |max: u64| {
            value
                .parse::<u64>()
                .ok()
                .filter(|number| *number <= max)
                .ok_or_else(|| format!("it is a whole number from 0 to {max}"))
        };
        Some(match key {
            "lane" => number(31).map(|lane| self.lane = Some(lane as u8)),
            "access" => number(u64::from(u32::MAX)).map(|idx| self.access = Some(idx as u32)),
            "wavefront" => number(u64::from(u16::MAX)).map(|pass| self.wavefront = Some(pass as u16)),
            "zoom" => match value.parse::<f32>() {
                Ok(px) if px.is_finite() && px > 0.0 => {
                    self.cycle_px = Some(px);
                    Ok(())
                }
                _ => Err("it is a number of pixels above 0".to_owned()),
            },
            "from" => number(u64::MAX).map(|start| self.timeline_start = Some(start)),
            "mark" => match Mark::ALL.into_iter().find(|mark| mark.id() == value) {
                Some(mark) => {
                    self.filter = Some(mark);
                    Ok(())
                }
                None => Err(format!("it can be {}", Mark::ALL.map(Mark::id).join(", "))),
            },
            _ => return self.settings.read(key, value),
        })
    }
}
