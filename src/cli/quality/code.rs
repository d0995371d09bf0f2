//! The compiler's code for kernels, and the instructions that launches execute.

use std::collections::BTreeMap;

use super::nvcc::NvccKernel;
use super::row::{Measure, Row};
use crate::{corpus, outcome_text};
use ::corpus::cases::Case;
use cuda::diagnostic::{Diagnostic, Severity};
use engine::arch::{ArchId, architecture};
use engine::ids::Cycle;
use engine::isa::{CompileOptions, Op, Program};
use engine::launch::Launch;
use engine::sim::machine::Machine;
use engine::sim::{Issue, MachineOptions, Outcome, Sink};

/// Kernel sources by file name, or the reason why a file cannot be read.
pub(super) type Sources = BTreeMap<String, Result<String, String>>;

/// Compiles a kernel for an architecture.
///
/// # Errors
/// Returns a sentence with the line of the first error.
pub(super) fn compile(sources: &Sources, file: &str, kernel: &str, arch: ArchId) -> Result<Program, String> {
    let source = match sources.get(file) {
        Some(source) => source.as_ref().map_err(String::clone)?,
        None => return Err(format!("{file} was not read")),
    };
    let options = CompileOptions::default();
    let known = cuda::parse_with(source, arch, &options).kernels;
    let wanted = canonical(kernel);
    let name = (known.iter().map(|signature| &signature.name))
        .find(|name| canonical(name) == wanted)
        .map_or(kernel, String::as_str);
    match cuda::compile(source, Some(name), arch, &options) {
        Ok(compiled) => Ok(compiled.program),
        Err(diagnostics) => Err(reason(&diagnostics)),
    }
}

/// Returns a kernel's name as in the source, without the namespaces, spaces, and unsigned suffixes that `c++filt` adds.
fn canonical(name: &str) -> String {
    let (name, arguments) = name
        .split_once('<')
        .map_or((name, None), |(name, rest)| (name, Some(rest)));
    let name = name.rsplit("::").next().unwrap_or(name).trim();
    let Some(arguments) = arguments else {
        return name.to_owned();
    };
    let arguments: Vec<String> = (arguments.trim_end_matches('>').split(','))
        .map(|argument| {
            let argument: String = argument.split_whitespace().collect();
            let number = argument.trim_end_matches(['u', 'U', 'l', 'L']);
            if !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()) {
                number.to_owned()
            } else {
                argument
            }
        })
        .collect();
    format!("{name}<{}>", arguments.join(","))
}

fn reason(diagnostics: &[Diagnostic]) -> String {
    let errors = || (diagnostics.iter()).filter(|found| found.severity == Severity::Error);
    // A kernel that does not compile also causes an error without a line, because the kernel is missing.
    let first = errors()
        .find(|error| error.line() > 0)
        .or_else(|| errors().next());
    first.map_or_else(
        || "does not compile".to_owned(),
        |error| match error.line() {
            0 => error.message.clone(),
            line => format!("line {line}: {}", error.message),
        },
    )
}

/// Returns the number of instructions without padding, including called functions.
pub(super) fn num_instructions(program: &Program) -> u64 {
    let padding = |op: &Op| matches!(op, Op::Nop);
    program
        .code
        .iter()
        .filter(|instruction| !padding(&instruction.op))
        .count() as u64
}

/// Returns rows that compare registers and instructions of kernels with nvcc's.
pub(super) fn static_rows(kernels: &[NvccKernel], sources: &Sources) -> Vec<Row> {
    let compiled = corpus::in_parallel(kernels, |theirs| {
        compile(sources, &theirs.file, &theirs.kernel, theirs.arch).map(|program| {
            (
                u64::from(program.registers_per_thread),
                num_instructions(&program),
            )
        })
    });
    let rows = kernels.iter().zip(compiled).map(|(theirs, ours)| {
        let row = |measure, reference: u32, ours| Row {
            file: theirs.file.clone(),
            name: theirs.kernel.clone(),
            arch: theirs.arch,
            measure,
            reference: reference.into(),
            ours,
        };
        let registers = ours.clone().map(|(registers, _)| registers);
        let instructions = ours.map(|(_, instructions)| instructions);
        [
            row(Measure::Registers, theirs.registers, registers),
            row(Measure::Instructions, theirs.instructions, instructions),
        ]
    });
    rows.flatten().collect()
}

/// The architecture on which the corpus was measured.
pub(super) const MEASURED: ArchId = ArchId::Gh100;
/// The profiler's counter of executed warp instructions.
pub(super) const EXECUTED: &str = "smsp__inst_executed.sum";

/// Returns rows that compare executed warp instructions of cases with the hardware's.
pub(super) fn executed_rows(cases: &[Case], sources: &Sources) -> Vec<Row> {
    let measured: Vec<(&Case, u64)> = cases
        .iter()
        .filter_map(|case| Some((case, case.count(EXECUTED)?)))
        .collect();
    let ours = corpus::in_parallel(&measured, |(case, _)| {
        if let Some(reason) = timing_dependence(case) {
            return Err(reason.to_owned());
        }
        let program = compile(sources, &case.file, &case.kernel, MEASURED)?;
        run(&program, &case.launch).map(|run| run.instructions)
    });
    let row = |((case, reference), ours): ((&Case, u64), _)| Row {
        file: case.file.clone(),
        name: case.name.clone(),
        arch: MEASURED,
        measure: Measure::Executed,
        reference,
        ours,
    };
    measured.into_iter().zip(ours).map(row).collect()
}

/// Returns the reason why a case's instructions are not compared, if they depend on timing.
pub(super) fn timing_dependence(case: &Case) -> Option<&'static str> {
    let unstable = case
        .measured
        .get("unstable")
        .is_some_and(|columns| columns.contains(EXECUTED));
    if case.noisy {
        Some("noisy: the number of instructions depends on timing")
    } else if unstable {
        Some("unstable: two measurements differ")
    } else {
        None
    }
}

/// The counts of a run.
#[derive(Clone, Copy, Debug)]
pub(super) struct Run {
    /// Cycles from the first to the last instruction.
    pub(super) cycles: u64,
    /// Warp instructions.
    pub(super) instructions: u64,
}

/// A trace sink that counts only instructions.
struct Count(u64);

impl Sink for Count {
    fn issue(&mut self, _: Cycle, _: &Issue) {
        self.0 += 1;
    }
}

/// Runs a launch on one SM.
///
/// # Errors
/// Returns a sentence if the run does not finish.
pub(super) fn run(program: &Program, launch: &Launch) -> Result<Run, String> {
    let options = MachineOptions {
        max_cycles: u64::from(u32::MAX),
        ..MachineOptions::default()
    };
    let mut machine = Machine::new(architecture(program.arch), program, launch, options)
        .map_err(|error| error.to_string())?;
    let mut count = Count(0);
    match machine.run(&mut count) {
        Outcome::Finished => Ok(Run {
            cycles: machine.cycle().0,
            instructions: count.0,
        }),
        outcome => Err(outcome_text(outcome)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn demangled_names_match_source_names() {
        assert_eq!(canonical("f_sum::block_sum<256u>"), canonical("block_sum<256>"));
        assert_eq!(canonical("sum_rows<float, 8>"), canonical("sum_rows<float,8>"));
        assert_eq!(canonical("saxpy"), "saxpy");
        assert_ne!(canonical("sum<int>"), canonical("sum<float>"));
    }

    #[test]
    fn a_kernel_has_a_row_for_its_registers_and_one_for_its_instructions() {
        let source = "__global__ void k(int *p) { p[threadIdx.x] = 1; }";
        let sources = Sources::from([("k.cu".to_owned(), Ok(source.to_owned()))]);
        let kernel = |kernel: &str| NvccKernel {
            file: "k.cu".to_owned(),
            kernel: kernel.to_owned(),
            arch: ArchId::Tu102,
            registers: 8,
            instructions: 7,
        };
        let rows = static_rows(&[kernel("k"), kernel("none")], &sources);
        let program = compile(&sources, "k.cu", "k", ArchId::Tu102).expect("it compiles");
        assert_eq!(rows.len(), 4);
        assert_eq!((rows[0].measure, rows[0].reference), (Measure::Registers, 8));
        assert_eq!(rows[0].ours, Ok(program.registers_per_thread.into()));
        assert_eq!(rows[1].ours, Ok(num_instructions(&program)));
        assert!(rows[2].ours.as_ref().is_err_and(|reason| reason.contains("none")));
    }
}
