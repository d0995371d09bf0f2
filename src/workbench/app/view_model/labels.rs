//! Names and sentences about the kernel and its run.

use super::*;
use crate::advice::verdict_text;
use crate::scene::counted;

/// A number on the tab of a view.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Badge {
    /// The number; with or only `?` where it is not known yet.
    pub text: String,
    /// The same in words.
    pub name: String,
}

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
        let blocks = launch.num_blocks();
        let threads = launch.threads_per_block();
        let name = if self.is_comparing() {
            self.sides_line()
        } else {
            self.arch().name.to_owned()
        };
        let first = match self.setup().machine.first_blocks {
            Some(first) if u64::from(first) < blocks => format!("the first {} of ", thousands(first.into())),
            _ => String::new(),
        };
        let line = format!(
            "{name}, {first}{} of {}",
            counted(blocks, "block"),
            thousands(threads)
        );
        let without = self.setup().machine.without;
        if without.is_empty() {
            line
        } else {
            format!("{line}, hypothetical: {}", without.text())
        }
    }

    /// What the machine of the active side lacks, as a sentence, if it is a hypothetical one.
    pub fn hypothetical_sentence(&self) -> Option<String> {
        let without = self.setup().machine.without;
        (!without.is_empty()).then(|| {
            format!(
                "Hypothetical machine {}: no hardware runs like this. The pictures of requests show the addresses of the real machine.",
                without.text()
            )
        })
    }

    /// The verdict of a finished run at its last cycle: its cycles, what limits it, and what helps.
    pub fn verdict(&self) -> Option<String> {
        let is_hidden = self.is_comparing()
            || self.ui.lessons.open.is_some()
            || self.ui.view == View::Findings
            || self.shown_playground().is_some();
        let at_end = self.cycle() > 0 && self.cycle() == self.last_cycle();
        if is_hidden || !at_end {
            return None;
        }
        Some(verdict_text(self.advice()?, &self.advice_runs()))
    }

    /// The number of findings of a finished run, with the errors that its checks report. Until the Findings view has
    /// measured the changes, these are possible causes.
    pub fn num_findings(&self) -> Option<usize> {
        let advice = self.advice().filter(|_| self.ui.lessons.open.is_none())?;
        Some(advice.shown().len() + self.num_check_errors())
    }

    /// The badge on the Findings tab: the number of findings, marked as long as their changes are not measured.
    pub fn findings_badge(&self) -> Option<Badge> {
        let num = self.num_findings()?;
        if self.has_settled_advice() || num == self.num_check_errors() {
            return Some(Badge {
                text: num.to_string(),
                name: counted(num as u64, "finding"),
            });
        }
        Some(Badge {
            text: format!("{num}?"),
            name: format!(
                "Up to {}: the view runs a change for each cause, and keeps those that gain",
                counted(num as u64, "finding")
            ),
        })
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
        if self.derived().is_compiling() {
            return "compiling".to_owned();
        }
        let cycles = thousands(self.derived().num_cycles());
        if self.derived().is_held() {
            return format!("stopped after {cycles}");
        }
        if let Some(slowness) = self.slowness() {
            return format!("of {cycles}, {slowness}");
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
