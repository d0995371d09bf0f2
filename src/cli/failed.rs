//! Launches that the CUDA runtime refuses: what `run` prints instead of a simulation.

use std::io::Write;

use serde_json::{Value, json};

use super::CliError;
use super::outputs::OutputFlags;
use cuda::diagnostic::Diagnostic;
use cuda::host::HostError;
use engine::arch::{ArchId, architecture};
use engine::ids::Span;
use engine::launch::{Pattern, Role};
use workbench::app::host::ReadLaunch;
use workbench::scene::capital;
use workbench::share::Scenario;

/// A launch of `main()` that fails, so that its kernel does not run.
pub(super) struct FailedLaunch<'a> {
    pub(super) scenario: &'a Scenario,
    pub(super) arch: ArchId,
    pub(super) read: &'a ReadLaunch,
    pub(super) failure: &'a HostError,
}

impl<'a> FailedLaunch<'a> {
    /// The failing launch of a scenario; `None` if it runs, or if flags changed its sizes.
    pub(super) fn of(scenario: &'a Scenario, arch: ArchId, read: Option<&'a ReadLaunch>) -> Option<Self> {
        let read = read?;
        let failure = read.failure.as_ref()?;
        let sizes = |launch: &engine::launch::Launch| (launch.grid, launch.block, launch.dynamic_shared);
        (sizes(&scenario.launch()) == sizes(&read.launch)).then_some(Self {
            scenario,
            arch,
            read,
            failure,
        })
    }

    /// The error and its reason: `cudaErrorInvalidValue (invalid argument): the grid has size 0 in x`.
    fn reason(&self) -> String {
        format!(
            "{} ({}): {}",
            self.failure.error.name(),
            self.failure.error.text(),
            self.failure.why
        )
    }

    /// The launch as the message of a command that has nothing to simulate.
    pub(super) fn message(&self) -> String {
        format!(
            "the launch at line {} fails: {}",
            self.failure.line,
            self.reason()
        )
    }

    /// The launch as a JSON object.
    pub(super) fn json(&self) -> Value {
        json!({
            "arch": self.arch,
            "kernel": self.read.kernel,
            "error": self.message(),
            "failure": error_json(self.failure),
            "errors": self.read.unread_errors.iter().map(error_json).collect::<Vec<_>>(),
        })
    }

    /// Prints the launch, its error, the memory that stays as it is, and the errors that the program does not look at.
    pub(super) fn print(
        &self,
        file: &str,
        outputs: &OutputFlags,
        out: &mut dyn Write,
    ) -> Result<(), CliError> {
        let arch = architecture(self.arch);
        let launch = self.scenario.launch();
        let extent = |extent: [u32; 3]| extent.map(|n| n.to_string()).join(" x ");
        writeln!(
            out,
            "{} on {} (compute capability {})",
            self.read.kernel, arch.name, arch.compute_capability
        )?;
        writeln!(
            out,
            "  launch      {} blocks of {} threads",
            extent(launch.grid),
            extent(launch.block)
        )?;
        writeln!(out, "  read        {}", self.read.sentence())?;
        if self.read.num_launches > 1 {
            writeln!(
                out,
                "              This is launch {} of {}; --launch N takes another.",
                self.read.idx + 1,
                self.read.num_launches
            )?;
        }
        writeln!(out, "  outcome     not run: {}", self.reason())?;
        for (idx, arg) in launch.args.iter().enumerate() {
            let Some((.., fill, role)) = arg.elements() else {
                continue;
            };
            if matches!(role, Role::Out | Role::InOut) {
                let first = match fill.pattern {
                    Pattern::Unset => "not initialized".to_owned(),
                    _ => outputs.initial_text(&launch, idx),
                };
                writeln!(out, "  argument {idx}  unchanged: {first}")?;
            }
        }
        print_errors(self.read, file, self.scenario.source(), out)?;
        writeln!(out)?;
        Ok(())
    }
}

/// A failing call as a JSON object.
pub(super) fn error_json(error: &HostError) -> Value {
    json!({
        "line": error.line,
        "call": error.call,
        "name": error.error.name(),
        "code": error.error.code(),
        "text": error.error.text(),
        "why": error.why,
        "checked": error.is_looked_at,
    })
}

/// Prints the failing calls that the program does not look at, each at its line.
pub(super) fn print_errors(
    read: &ReadLaunch,
    file: &str,
    source: &str,
    out: &mut dyn Write,
) -> Result<(), CliError> {
    for error in &read.unread_errors {
        let diagnostic = Diagnostic::error(line_span(source, error.line), error.sentence())
            .note(format!("{}.", capital(&error.why)));
        write!(out, "{}", diagnostic.render(file, source))?;
    }
    Ok(())
}

/// The text of a line without white space at its ends.
fn line_span(source: &str, line: u32) -> Span {
    let Some(text) = source.lines().nth((line as usize).saturating_sub(1)) else {
        return Span::default();
    };
    let start = text.as_ptr() as usize - source.as_ptr() as usize;
    let indent = text.len() - text.trim_start().len();
    Span {
        start: (start + indent) as u32,
        end: (start + text.trim_end().len()) as u32,
        line,
        column: text[..indent].chars().count() as u32 + 1,
    }
}
