//! What the language leaves undefined and no access to memory shows: integer division by zero, variables
//! that are read before their value is set, accesses that leave their array for another one, functions
//! that end without their result.
//!
//! The interpreter of the checked program finds them, statement by statement and without the machine. An
//! instruction of the machine's run that belongs to the same source text gives the cycle.

use std::collections::{BTreeMap, BTreeSet};

use super::finding::{Finding, FindingKind, Role, Site, Tool};
use super::names::Names;
use cuda::interpret::{self, Limits, Undefined, UndefinedKind};
use engine::ids::{Cycle, Pc, SlotIdx, Span, WarpId};
use engine::isa::Program;
use engine::launch::Launch;
use engine::sim::Issue;

/// Statements of single threads after which the interpreter stops, so that it takes a second or two.
const MAX_THREAD_STEPS: u64 = 20_000_000;
/// Calls within each other: the interpreter uses the stack of whoever runs the checks.
const MAX_CALL_DEPTH: u32 = 40;

/// Where a thread was first at an instruction.
type First = (Cycle, Pc, SlotIdx);

/// What the interpreter found, and where the machine is at the same places.
#[derive(Clone, Debug, Default)]
pub(super) struct Language {
    found: Vec<Undefined>,
    /// Whether the interpreter came to its end.
    is_whole: bool,
    /// For each instruction: which findings belong to its source text, and how exactly.
    watched: BTreeMap<Pc, Vec<(usize, Fit)>>,
    /// The best instruction that was seen for each finding.
    seen: BTreeMap<usize, (Fit, First)>,
}

/// How an instruction belongs to a finding: the smaller the better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Fit {
    /// The same text.
    Same,
    /// The text is a part of the instruction's, or the other way round.
    Part,
    /// The same line.
    Line,
    /// A line so many lines away: the compiler left no instruction of this one.
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
        // What a bad access reads means nothing, and neither does what follows from it.
        let ends = |finding: &Undefined| {
            matches!(
                finding.kind,
                UndefinedKind::OutOfBounds | UndefinedKind::Misaligned
            )
        };
        if let Some(first) = found.iter().position(ends) {
            found.truncate(first + 1);
        }
        let mut watched: BTreeMap<Pc, Vec<(usize, Fit)>> = BTreeMap::new();
        for (pc, instruction) in (0..).map(Pc).zip(&program.code) {
            for (idx, finding) in found.iter().enumerate() {
                let fit = Fit::of(finding.span, instruction.span);
                watched.entry(pc).or_default().push((idx, fit));
            }
        }
        Self {
            found,
            is_whole,
            watched,
            seen: BTreeMap::new(),
        }
    }

    /// Whether the interpreter came to the end of the run.
    pub(super) const fn is_whole(&self) -> bool {
        self.is_whole
    }

    /// An instruction issues.
    pub(super) fn issue(&mut self, cycle: Cycle, issue: &Issue, warps_per_block: u32) {
        let Some(watched) = self.watched.get(&issue.pc) else {
            return;
        };
        for (idx, fit) in watched {
            let finding = self.found[*idx];
            let warp = WarpId(finding.block * warps_per_block + finding.thread / 32);
            let is_executed = issue.executed.0 >> (finding.thread % 32) & 1 == 1;
            if warp != issue.warp || !is_executed {
                continue;
            }
            let here = (*fit, (cycle, issue.pc, issue.slot));
            let seen = self.seen.entry(*idx).or_insert(here);
            // The first one of the best fit.
            if here.0 < seen.0 {
                *seen = here;
            }
        }
    }

    fn site(&self, idx: usize, role: Role, names: &Names) -> Option<Site> {
        let finding = self.found[idx];
        let (_, (cycle, pc, slot)) = *self.seen.get(&idx)?;
        let warp = WarpId(finding.block * names.warps_per_block + finding.thread / 32);
        let by = names.executor(warp, slot, pc, cycle);
        Some(Site {
            span: finding.span,
            ..names.site(&by, finding.thread % 32, role)
        })
    }

    /// The findings that no other tool has, and the overflow that a bad access follows from.
    pub(super) fn findings(&self, names: &Names, others: &mut Vec<Finding>) {
        let is_read = |other: &&Finding| other.kind == FindingKind::UninitializedRead;
        let reads = others
            .iter()
            .filter(is_read)
            .filter_map(|other| other.sites.first());
        let spans: BTreeSet<(u32, u32)> = reads.map(|site| (site.span.start, site.span.end)).collect();
        // The run ends at a bad access, which the machine knows better.
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

    /// Adds to an access out of bounds the integer overflow before it.
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

/// The variable that an expression reads: of `sum`, `sum += x`, or `sum++`.
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

/// What is said of something undefined; `None` for what other tools find.
fn finding(kind: UndefinedKind, site: Site, text: &str) -> Option<Finding> {
    let thread = site.thread_name();
    let (kind, message, advice) = match kind {
        UndefinedKind::Uninitialized => match variable(text) {
            Some(name) => (
                FindingKind::UninitializedRead,
                format!("Variable {name} is used before its value is set, by {thread}"),
                format!("Set {name} before this line on every path, best where it is declared."),
            ),
            None => (
                FindingKind::UninitializedRead,
                format!("`{text}` is read before {thread} has written all of it"),
                "Write the variable or array before the read: it does not start as zeros.".to_owned(),
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
                "Access outside of its array by {thread}: `{text}`. It reaches the memory of other variables, and the GPU \
                 reports no error"
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
