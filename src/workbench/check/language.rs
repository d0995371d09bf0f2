//! Undefined behavior of the language that no memory access shows: integer division by zero, reads of
//! uninitialized variables, accesses that leave their array for another one, and functions that end without
//! returning their value.
//!
//! The interpreter of the checked program finds these cases statement by statement, without the machine. The
//! cycle comes from the instruction of the machine's run that belongs to the same source text.

use std::collections::{BTreeMap, BTreeSet};

use super::finding::{Finding, FindingKind, Role, Site, Tool};
use super::names::Names;
use cuda::interpret::{self, Limits, Undefined, UndefinedKind};
use engine::ids::{Cycle, Pc, SlotIdx, Span, WarpId};
use engine::isa::Program;
use engine::launch::Launch;
use engine::sim::Issue;

/// Limit on single-thread statements that the interpreter executes; it takes one or two seconds to reach it.
const MAX_THREAD_STEPS: u64 = 20_000_000;
/// Limit on nested calls: the interpreter runs on its caller's stack.
const MAX_CALL_DEPTH: u32 = 40;

/// The first execution of an instruction by a thread.
type First = (Cycle, Pc, SlotIdx);

/// Findings of the interpreter, and the machine instructions at the same source locations.
#[derive(Clone, Debug, Default)]
pub(super) struct Language {
    found: Vec<Undefined>,
    /// Whether the interpreter finished the run.
    is_whole: bool,
    /// For each instruction: the findings in its source text, and how closely they match.
    candidates: BTreeMap<Pc, Vec<(usize, Fit)>>,
    /// The best-matching executed instruction of each finding.
    best: BTreeMap<usize, (Fit, First)>,
}

/// How closely an instruction matches a finding; smaller is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Fit {
    /// Same source text.
    Same,
    /// One text contains the other.
    Part,
    /// Same line.
    Line,
    /// A line this many lines away: the compiler left no instruction for the finding's own line.
    Near(u32),
}

impl Fit {
    fn of(finding: Span, instruction: Span) -> Self {
        let is_in = |inner: Span, outer: Span| outer.start <= inner.start && inner.end <= outer.end;
        if instruction.line == 0 {
            Self::Near(u32::MAX)
        } else if (finding.start, finding.end) == (instruction.start, instruction.end) {
            Self::Same
        } else if is_in(finding, instruction) || is_in(instruction, finding) {
            Self::Part
        } else if finding.line == instruction.line {
            Self::Line
        } else {
            Self::Near(finding.line.abs_diff(instruction.line))
        }
    }
}

impl Language {
    /// Interprets a program's source.
    pub(super) fn new(program: &Program, launch: &Launch) -> Self {
        let kernel = cuda::parse_kernel(&program.source, &program.name, program.arch, &program.options);
        let Some((unit, name)) = kernel else {
            return Self::default();
        };
        let limits = Limits {
            max_thread_steps: MAX_THREAD_STEPS,
            max_call_depth: MAX_CALL_DEPTH,
            finds_signed_overflow: true,
            ..Limits::default()
        };
        let Ok((mut found, is_whole)) = interpret::examine(&unit, &name, launch, limits) else {
            return Self::default();
        };
        // The value that a bad access reads is undefined, and so is everything computed from it.
        let ends = |finding: &Undefined| {
            matches!(
                finding.kind,
                UndefinedKind::OutOfBounds | UndefinedKind::Misaligned
            )
        };
        if let Some(first) = found.iter().position(ends) {
            found.truncate(first + 1);
        }
        let mut candidates: BTreeMap<Pc, Vec<(usize, Fit)>> = BTreeMap::new();
        for (pc, instruction) in (0..).map(Pc).zip(&program.code) {
            for (idx, finding) in found.iter().enumerate() {
                let fit = Fit::of(finding.span, instruction.span);
                candidates.entry(pc).or_default().push((idx, fit));
            }
        }
        Self {
            found,
            is_whole,
            candidates,
            best: BTreeMap::new(),
        }
    }

    /// Whether the interpreter finished the run.
    pub(super) const fn is_whole(&self) -> bool {
        self.is_whole
    }

    /// Records an issued instruction.
    pub(super) fn issue(&mut self, cycle: Cycle, issue: &Issue, warps_per_block: u32) {
        let Some(candidates) = self.candidates.get(&issue.pc) else {
            return;
        };
        for (idx, fit) in candidates {
            let finding = self.found[*idx];
            let warp = WarpId(finding.block * warps_per_block + finding.thread / 32);
            let is_executed = issue.executed.0 >> (finding.thread % 32) & 1 == 1;
            if warp != issue.warp || !is_executed {
                continue;
            }
            let here = (*fit, (cycle, issue.pc, issue.slot));
            let best = self.best.entry(*idx).or_insert(here);
            // Keep the earliest one of the best fit.
            if here.0 < best.0 {
                *best = here;
            }
        }
    }

    fn site(&self, idx: usize, role: Role, names: &Names) -> Option<Site> {
        let finding = self.found[idx];
        let (_, (cycle, pc, slot)) = *self.best.get(&idx)?;
        let warp = WarpId(finding.block * names.warps_per_block + finding.thread / 32);
        let by = names.executor(warp, slot, pc, cycle);
        Some(Site {
            span: finding.span,
            ..names.site(&by, finding.thread % 32, role)
        })
    }

    /// Adds the findings that no other tool reports, and the overflow that causes a bad access.
    pub(super) fn findings(&self, names: &Names, others: &mut Vec<Finding>) {
        let is_read = |other: &&Finding| other.kind == FindingKind::UninitializedRead;
        let reads = others
            .iter()
            .filter(is_read)
            .filter_map(|other| other.sites.first());
        let spans: BTreeSet<(u32, u32)> = reads.map(|site| (site.span.start, site.span.end)).collect();
        // The run ends at a bad access; memcheck describes it better.
        let has_fault = others.iter().any(|other| other.tool == Tool::Memcheck);
        let overlaps = |span: Span| {
            let mut spans = spans.iter();
            spans.any(|(start, end)| span.start < *end && *start < span.end)
        };
        let mut found = Vec::new();
        for (idx, undefined) in self.found.iter().enumerate() {
            let is_known = match undefined.kind {
                UndefinedKind::OutOfBounds => has_fault,
                UndefinedKind::Uninitialized => overlaps(undefined.span),
                _ => false,
            };
            if is_known {
                continue;
            }
            let role = match undefined.kind {
                UndefinedKind::Uninitialized => Role::Read,
                _ => Role::Execution,
            };
            let Some(site) = self.site(idx, role, names) else {
                continue;
            };
            found.extend(finding(undefined.kind, site, names.text(undefined.span)));
        }
        if has_fault {
            self.explain_fault(names, others);
        }
        others.extend(found);
    }

    /// Adds the integer overflow that preceded an out-of-bounds access to its advice.
    fn explain_fault(&self, names: &Names, others: &mut [Finding]) {
        let is_overflow = |found: &Undefined| found.kind == UndefinedKind::SignedOverflow;
        let overflow = self.found.iter().rposition(is_overflow);
        let fault = others
            .iter_mut()
            .find(|other| other.kind == FindingKind::OutOfBounds);
        let (Some(idx), Some(fault)) = (overflow, fault) else {
            return;
        };
        let span = self.found[idx].span;
        let text = names.text(span);
        fault.advice = format!(
            "A signed integer overflowed before, at {}: `{text}`. Compute the index in size_t or long long, and \
             convert an operand before the multiplication or addition.",
            names.line_text(span.line)
        );
        fault.sites.extend(self.site(idx, Role::Execution, names));
    }
}

/// The variable that an expression reads, for `sum`, `sum += x`, or `sum++`.
fn variable(text: &str) -> Option<&str> {
    let is_letter = |c: char| c.is_alphanumeric() || c == '_';
    let text = text.trim_start_matches("++").trim_start_matches("--");
    let end = text.find(|c| !is_letter(c)).unwrap_or(text.len());
    let (name, rest) = text.split_at(end);
    let rest = rest.trim_start();
    let is_operator = |op: &str| !op.is_empty() && op.chars().all(|c| "+-*/%&|^<>".contains(c));
    let is_changed = match rest.split_once('=') {
        Some((op, _)) => is_operator(op) && !matches!(op, "<" | ">"),
        None => matches!(rest, "++" | "--"),
    };
    (!name.is_empty() && (rest.is_empty() || is_changed)).then_some(name)
}

/// The finding for undefined behavior; `None` for kinds that other tools report.
fn finding(kind: UndefinedKind, site: Site, text: &str) -> Option<Finding> {
    let thread = site.thread_name();
    let (kind, message, advice) = match kind {
        UndefinedKind::Uninitialized => match variable(text) {
            Some(name) => (
                FindingKind::UninitializedRead,
                format!("Variable {name} is used uninitialized by {thread}"),
                format!("Initialize {name} at its declaration, or set it on every path to this line."),
            ),
            None => (
                FindingKind::UninitializedRead,
                format!("`{text}` is read before {thread} has written all of it"),
                "Write the variable or array before the read: local variables are not initialized to zero."
                    .to_owned(),
            ),
        },
        UndefinedKind::DivisionByZero => (
            FindingKind::DivisionByZero,
            format!(
                "Integer division by zero by {thread}: `{text}`. The result is undefined, and the GPU reports no error"
            ),
            "Check the divisor before the division.".to_owned(),
        ),
        UndefinedKind::OutOfBounds => (
            FindingKind::OutOfBounds,
            format!(
                "Access outside the bounds of its array by {thread}: `{text}`. It reaches the memory of other variables, \
                 and the GPU reports no error"
            ),
            "Check the index against the length of the array.".to_owned(),
        ),
        UndefinedKind::MissingReturn => (
            FindingKind::MissingReturn,
            format!(
                "Missing return statement: {thread} reaches the end of a function that returns a value, which is used"
            ),
            "Return a value on every path through the function.".to_owned(),
        ),
        _ => return None,
    };
    Some(Finding::error(kind, message, &advice, site))
}
