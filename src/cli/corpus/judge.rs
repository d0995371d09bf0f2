//! Runs one case on one architecture and compares its outputs and counts with the expected ones.

use super::counts;
use crate::outcome_text;
use crate::tesla_reference::{self, Before, Threads};
use ::corpus::cases::{Case, Compare};
use ::corpus::compare::difference;
use cuda::diagnostic::{Cause, Diagnostic, Severity};
use engine::arch::{ArchId, Architecture, architecture};
use engine::ids::Cycle;
use engine::isa::{CompileOptions, ElemType, Program};
use engine::launch::{Argument, Launch, Role};
use engine::sim::machine::{LaunchError, Machine};
use engine::sim::memory::Outputs;
use engine::sim::{Access, MachineOptions, Outcome, Sink, reference};
use engine::trace::{AccessRow, PcTally};

/// One comparison.
pub(super) struct Row {
    pub(super) measure: String,
    pub(super) expected: String,
    pub(super) got: String,
    pub(super) ok: bool,
    /// Whether the row compares a hardware count instead of an output.
    pub(super) is_count: bool,
}

impl Row {
    fn output(measure: &str, expected: impl ToString, got: impl ToString, ok: bool) -> Self {
        Self {
            measure: measure.to_owned(),
            expected: expected.to_string(),
            got: got.to_string(),
            ok,
            is_count: false,
        }
    }
}

/// The result of a case.
pub(super) enum Judgement {
    /// The case uses unsupported language features, for this reason.
    OutOfScope(String),
    /// The architecture cannot run the case, for this reason.
    Refused(String),
    /// The comparisons.
    Rows(Vec<Row>),
}

/// The simulator or interpreter that runs the cases.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Runner {
    /// The cycle-level simulator.
    Machine,
    /// The untimed reference interpreter.
    Reference,
}

pub(super) fn judge(case: &Case, source: &str, arch: ArchId, runner: Runner) -> Judgement {
    let program = match cuda::compile(source, Some(&case.kernel), arch, &CompileOptions::default()) {
        Ok(compiled) => compiled.program,
        Err(diagnostics) => return not_compiled(&diagnostics),
    };
    let arch = architecture(arch);
    let (outputs, tally) = match runner {
        Runner::Machine => match run(arch, &program, &case.launch) {
            Ok(done) => done,
            Err(judgement) => return judgement,
        },
        Runner::Reference => match reference::run(&program, &case.launch) {
            Ok(outputs) => (outputs, None),
            Err(error) => return Judgement::Rows(vec![Row::output("outcome", "finished", error, false)]),
        },
    };
    let mut rows = compare_outputs(case, arch, &outputs);
    if let Some(tally) = tally
        && arch.id == ArchId::Tu102
        && !case.noisy
    {
        rows.extend(counts::rows(case, &tally));
    }
    Judgement::Rows(rows)
}

fn not_compiled(diagnostics: &[Diagnostic]) -> Judgement {
    let errors = || diagnostics.iter().filter(|d| d.severity == Severity::Error);
    let caused_by = |cause: Cause| errors().find(|error| error.cause == cause);
    let reason = |error: &Diagnostic| format!("line {}: {}", error.line(), error.message);
    // A missing kernel can be a template; the error for it has no position in the source.
    let is_missing = caused_by(Cause::Source).is_some_and(|error| error.line() == 0);
    if let Some(error) = caused_by(Cause::Source)
        && !(is_missing
            && (caused_by(Cause::Unsupported).is_some() || caused_by(Cause::Architecture).is_some()))
    {
        return Judgement::Rows(vec![Row::output(
            "compilation",
            "a program",
            reason(error),
            false,
        )]);
    }
    match (caused_by(Cause::Unsupported), caused_by(Cause::Architecture)) {
        (Some(error), _) => Judgement::OutOfScope(reason(error)),
        (None, Some(error)) => Judgement::Refused(reason(error)),
        (None, None) => Judgement::Rows(vec![Row::output("compilation", "a program", "none", false)]),
    }
}

/// Runs a launch on the simulator and returns its outputs and access counts.
fn run(
    arch: &'static Architecture,
    program: &Program,
    launch: &Launch,
) -> Result<(Outputs, Option<PcTally>), Judgement> {
    let wrong = |measure: &str, expected: &str, got: String| {
        Judgement::Rows(vec![Row::output(measure, expected, got, false)])
    };
    let options = MachineOptions {
        max_cycles: u64::from(u32::MAX),
        ..MachineOptions::default()
    };
    let mut machine = Machine::new(arch, program, launch, options).map_err(|error| match error {
        LaunchError::Refused(refusal) => Judgement::Refused(refusal.to_string()),
        error => wrong("launch", "a run", error.to_string()),
    })?;
    let mut tally = Tally::default();
    match machine.run(&mut tally) {
        Outcome::Finished => Ok((machine.outputs(), Some(tally.0))),
        outcome => Err(wrong("outcome", "finished", outcome_text(outcome))),
    }
}

/// A trace sink that sums access counts and records nothing else.
#[derive(Default)]
struct Tally(PcTally);

impl Sink for Tally {
    fn access(&mut self, cycle: Cycle, access: &Access) {
        self.0.access(&AccessRow::new(cycle, access));
    }
}

/// Compares the outputs of the kernel.
fn compare_outputs(case: &Case, arch: &Architecture, got: &Outputs) -> Vec<Row> {
    let got: Vec<(usize, Vec<u8>)> = got.compared().collect();
    let expected = expected(case, arch, &got);
    let Some(expected) = expected else {
        let mut hasher = crc32fast::Hasher::new();
        for (_, bytes) in &got {
            hasher.update(bytes);
        }
        let got = format!("{:08x}", hasher.finalize());
        let expected = case.measured.get("outputs_crc32").map_or("", String::as_str);
        return vec![Row::output("outputs_crc32", expected, &got, expected == got)];
    };
    let mut rows = Vec::new();
    for ((argument, got), expected) in got.iter().zip(&expected) {
        let elem = element(case, *argument);
        let measure = format!("argument {argument}");
        rows.push(match difference(elem, case.compare, expected, got) {
            _ if expected.len() != got.len() => Row::output(
                &measure,
                format!("{} bytes", expected.len()),
                format!("{} bytes", got.len()),
                false,
            ),
            None => Row::output(&measure, rule_text(case.compare), "equal", true),
            Some(d) => Row::output(
                &measure,
                format!("[{}] = {}", d.first_idx, d.expected),
                format!("{} ({} wrong)", d.got, d.num_wrong),
                false,
            ),
        });
    }
    rows
}

fn rule_text(rule: Compare) -> String {
    match rule {
        Compare::Exact => "equal".to_owned(),
        Compare::Ulp(max) => format!("within {max} ulp"),
        Compare::Rel { atol, rtol } => format!("within {atol} + {rtol} x"),
    }
}

fn element(case: &Case, argument: usize) -> ElemType {
    match case.launch.args.get(argument) {
        Some(Argument::Buffer { elem, .. }) => *elem,
        _ => ElemType::U8,
    }
}

/// Returns the expected bytes of the compared buffers in argument order, or `None` if only a checksum is stored.
fn expected(case: &Case, arch: &Architecture, got: &[(usize, Vec<u8>)]) -> Option<Vec<Vec<u8>>> {
    let is_fused = case
        .measured
        .get("differs_without_fma")
        .is_some_and(|flag| flag == "1");
    if is_fused
        && arch.truncates_mad()
        && let Some(reference) = truncating(case)
    {
        // Buffers that the reference does not write keep their initial contents.
        return got
            .iter()
            .map(|(argument, _)| {
                let written = reference.iter().find(|(written, _)| written == argument);
                written
                    .map(|(_, bytes)| bytes.clone())
                    .or_else(|| initial(case, *argument))
            })
            .collect();
    }
    let mut rest = case.expected.as_deref()?;
    let mut buffers = Vec::new();
    for (argument, _) in got {
        let bytes = case.launch.args[*argument]
            .elements()
            .map_or(0, |(elem, len, ..)| (elem.bytes() * len) as usize);
        let (buffer, after) = rest.split_at(bytes.min(rest.len()));
        buffers.push(buffer.to_vec());
        rest = after;
    }
    Some(buffers)
}

fn initial(case: &Case, argument: usize) -> Option<Vec<u8>> {
    let (elem, len, fill, _) = case.launch.args.get(argument)?.elements()?;
    Some(fill.bytes(elem, len))
}

/// Returns the buffers written by the separate reference implementation of 1.x arithmetic.
fn truncating(case: &Case) -> Option<Vec<(usize, Vec<u8>)>> {
    let buffers: Vec<Vec<u8>> = (0..case.launch.args.len())
        .map(|argument| initial(case, argument).unwrap_or_default())
        .collect();
    let before: Vec<Before<'_>> = (case.launch.args.iter().zip(&buffers))
        .map(|(arg, bytes)| match arg {
            Argument::Scalar { bits, .. } => Before::Scalar(*bits),
            Argument::Bytes(bytes) => Before::Bytes(bytes),
            // Cases of the corpus have no addresses beside buffers.
            Argument::Buffer { .. }
            | Argument::Texture(_)
            | Argument::Pointer { .. }
            | Argument::Words(_) => Before::Buffer(bytes),
        })
        .collect();
    let (grid, block) = (case.launch.grid, case.launch.block);
    let threads = Threads {
        total: [(grid[0] * block[0]) as usize, (grid[1] * block[1]) as usize],
    };
    let symbols: Vec<Vec<u8>> = (case.launch.symbols.iter())
        .map(|symbol| symbol.fill.bytes(symbol.elem, symbol.len))
        .collect();
    let mut written = tesla_reference::outputs(&case.kernel, threads, &before, &symbols)?;
    // A reference can also compute scratch space, which is not compared.
    written.retain(|(argument, _)| {
        matches!(
            case.launch.args.get(*argument),
            Some(Argument::Buffer {
                role: Role::Out | Role::InOut,
                ..
            })
        )
    });
    Some(written)
}
