//! Names and sentences about the kernel and its run.

use super::*;
use crate::scene::counted;

impl Session {
    /// The scenario's name, or else its kernel's name.
    pub fn name(&self) -> String {
        self.ui.name.clone().unwrap_or_else(|| self.kernel_name())
    }

    /// The kernel's name.
    pub fn kernel_name(&self) -> String {
        let program = self.derived().program().filter(|_| self.setup().source.is_some());
        program.map_or_else(
            || self.setup().library_kernel().id.to_owned(),
            |program| program.name.clone(),
        )
    }

    /// Architecture and launch configuration in one line.
    pub fn launch_line(&self) -> String {
        let launch = self.setup().launch();
        let blocks = launch.grid.iter().map(|extent| u64::from(*extent)).product();
        let threads: u64 = launch.block.iter().map(|extent| u64::from(*extent)).product();
        let name = if self.is_comparing() {
            self.sides_line()
        } else {
            self.arch().name.to_owned()
        };
        format!("{name}, {} of {}", counted(blocks, "block"), thousands(threads))
    }

    /// The line with a compile error.
    pub fn broken_line(&self) -> Option<u32> {
        if self.shown_playground().is_some() {
            return None;
        }
        let problem = self.derived().problems.iter().find(|problem| problem.fatal)?;
        problem.span.map(|span| span.line)
    }

    /// The text beside the cycle.
    pub fn cycle_note(&self) -> String {
        if self.derived().trace().is_none() && !self.derived().is_running() {
            return "no run yet".to_owned();
        }
        let cycles = thousands(self.derived().num_cycles());
        if self.derived().is_held() {
            return format!("stopped after {cycles}");
        }
        let stride = self.playback.stride();
        match (self.derived().is_running(), stride) {
            (true, _) => format!(
                "simulating, {} so far",
                thousands(self.derived().simulated_cycles())
            ),
            (false, 0 | 1) => format!("of {cycles} cycles"),
            (false, stride) => format!("of {cycles}, 1 in {stride} shown"),
        }
    }

    /// The label of the button for the warp's next event.
    pub fn next_of_warp_text(&self) -> String {
        match self.derived().warp_name(self.slot(), self.cycle()) {
            Some(name) => format!("Next of {name}"),
            None => "Next of warp".to_owned(),
        }
    }
}
