//! The picture of the whole run.

use super::*;
use crate::scene::TimelineScale;

impl Session {
    /// The inputs of the picture of the whole run.
    pub fn strip_key(&self, size: Size) -> (PictureKey, f32, u64) {
        let view = if self.device_end().is_some() {
            View::Device
        } else if self.shows(View::Timeline) {
            View::Timeline
        } else {
            View::Sm
        };
        (
            self.shown().picture_key(view, size),
            self.width_of(view),
            self.clock(),
        )
    }

    /// The picture of the whole run, without the overlay.
    pub fn strip_run(&self, size: Size) -> Option<Scene> {
        if self.is_comparing() {
            return Some(self.compare_strip(size));
        }
        if self.device_end().is_some() {
            let shown = self.shown();
            let data = shown.device_data()?;
            return Some(scene::device_strip(&data, self.strip_part(size.width), size));
        }
        Some(scene::strip_run(&self.shown().frame()?, &self.view_state(), size))
    }

    /// The inputs of [`Session::strip_run`].
    pub fn strip_run_key(&self, size: Size) -> StripKey {
        if self.is_comparing() {
            let scale = self.strip_part(size.width);
            let drawn = 4 * self.active_side() as u64 + self.ui.compare.sync as u64;
            return ((self.runs_number(), drawn), scale.start, scale.end, size);
        }
        let scale = self.strip_part(size.width);
        if self.device_end().is_some() {
            return ((self.devices.revision(), u64::MAX), scale.start, scale.end, size);
        }
        (self.derived().run_key(), scale.start, scale.end, size)
    }

    /// The overlay of the picture of the whole run.
    pub fn strip_marks(&self, size: Size) -> Option<Scene> {
        if self.is_comparing() {
            return Some(self.compare_marks(size));
        }
        if let Some(end) = self.device_end() {
            let now = Cycle(self.clock().min(end));
            return Some(scene::playhead_marks(self.strip_part(size.width), now, size));
        }
        let frame = self.shown().frame()?;
        let mut state = self.view_state();
        state.window = self.timeline_window();
        let note = self.shows(View::Timeline).then(|| {
            TimelineScale::new(&frame, &self.view_state(), self.width_of(View::Timeline)).shown_cycles(&frame)
        });
        Some(Scene {
            note: note.unwrap_or_default(),
            ..scene::strip_marks(&frame, &state, size)
        })
    }

    /// The cycles that the Timeline shows, if it is on the stage: the first cycle, and the cycle after the
    /// last.
    pub fn timeline_window(&self) -> Option<(Cycle, Cycle)> {
        let (scale, _) = self
            .shows(View::Timeline)
            .then(|| self.derived().timeline_scale(self))??;
        Some((Cycle(scale.start), Cycle(scale.end)))
    }
}

/// See [`Session::strip_run_key`]: run, first shown cycle, cycle after the last shown cycle, size.
pub type StripKey = (RunKey, u64, u64, Size);
