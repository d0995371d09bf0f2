//! Findings of a run whose launch is not known: what can follow from an estimated value is no error of the program.

use super::finding::{Finding, FindingKind, Severity, Tool};

/// What is not known of a launch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unknown {
    /// The first value that is not known, why, and how many more there are, as a clause: "the launch is not known: the grid (it
    /// comes from the user)".
    pub clause: String,
    /// Whether sizes or numbers are estimated, from which all findings can follow; otherwise only contents of memory are.
    pub is_of_sizes: bool,
    /// Whether the values are chosen, as no `main()` has the launch.
    pub is_chosen: bool,
}

impl Unknown {
    /// What the values are: "estimated" or "chosen".
    pub const fn word(&self) -> &'static str {
        if self.is_chosen { "chosen" } else { "estimated" }
    }

    /// The findings of a run with estimated values. Those that can follow from an estimate become warnings of
    /// [`Tool::Warpscope`]: accesses and waits of all kinds if sizes are estimated, and those other than races and barriers if
    /// only contents are.
    pub fn qualify(&self, findings: Vec<Finding>) -> Vec<Finding> {
        let mut findings = findings;
        for finding in &mut findings {
            if !self.is_of_sizes && matches!(finding.tool, Tool::Racecheck | Tool::Synccheck) {
                finding.advice += &format!(" The launch is {}.", self.word());
                continue;
            }
            finding.severity = Severity::Warning;
            finding.message = format!(
                "{}. With the {} values: {}",
                self.clause,
                self.word(),
                finding.message
            );
            finding.kind = FindingKind::Estimated;
            finding.tool = finding.kind.tool();
        }
        findings
    }
}
