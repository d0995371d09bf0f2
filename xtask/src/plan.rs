//! Progress of a command that takes minutes: its steps, and how long the rest takes.

use std::time::Instant;

use crate::step::announce;

/// One step.
#[derive(Clone, Copy)]
pub(crate) struct Step {
    pub(crate) what: &'static str,
    /// Seconds that it takes on two cores, measured on an x86-64 server of 2023.
    pub(crate) seconds: u32,
}

/// The steps of a command, in their order.
pub(crate) struct Plan {
    steps: Vec<Step>,
    next_idx: usize,
    started: Instant,
}

impl Plan {
    /// A plan that begins now.
    pub(crate) fn new(steps: Vec<Step>) -> Self {
        Self {
            steps,
            next_idx: 0,
            started: Instant::now(),
        }
    }

    /// Begins the next step: prints its number and what is left, its own time included.
    pub(crate) fn begin_next(&mut self) {
        if let Some(line) = self.line() {
            announce(&line);
        }
        self.next_idx += 1;
    }

    fn line(&self) -> Option<String> {
        let step = self.steps.get(self.next_idx)?;
        let left: u32 = self.steps[self.next_idx..].iter().map(|step| step.seconds).sum();
        Some(format!(
            "step {} of {}: {} (left: {} on two cores)",
            self.next_idx + 1,
            self.steps.len(),
            step.what,
            duration(left)
        ))
    }

    /// Seconds since the plan began.
    pub(crate) fn seconds(&self) -> f64 {
        self.started.elapsed().as_secs_f64()
    }
}

/// A duration as a person says it.
fn duration(seconds: u32) -> String {
    match seconds {
        0..60 => "less than a minute".to_owned(),
        60..90 => "about a minute".to_owned(),
        _ => format!("about {} minutes", (seconds + 30) / 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_step_says_what_is_left_with_itself() {
        let step = |what, seconds| Step { what, seconds };
        let mut plan = Plan::new(vec![
            step("installing Trunk", 100),
            step("compiling the page", 80),
        ]);
        assert_eq!(
            plan.line().as_deref(),
            Some("step 1 of 2: installing Trunk (left: about 3 minutes on two cores)")
        );
        plan.begin_next();
        assert_eq!(
            plan.line().as_deref(),
            Some("step 2 of 2: compiling the page (left: about a minute on two cores)")
        );
        plan.begin_next();
        assert_eq!(plan.line(), None);
    }
}
