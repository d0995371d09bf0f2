//! Errors of a run that finishes nevertheless: it relies on lanes in lockstep, or on a barrier that not all lanes
//! reach.

use super::number::text_of;
use crate::scene::thousands;
use engine::ids::{Cycle, Pc};
use engine::isa::{ElemType, Op};
use engine::launch::Argument;
use engine::sim::memory::argument_name;
use engine::sim::{Machine, MachineOptions, Outcome};
use engine::trace::{Direction, Trace};

/// Limit of cycles for a second run with lanes in lockstep on the same thread.
const AGAIN_CYCLES: u64 = 100_000;
/// Limit of barrier issues to examine.
const LOOKED_AT: usize = 256;

/// The findings of a run in one or two sentences; `None` if there are none, or the run has not finished.
pub(super) fn finding(trace: &Trace) -> Option<String> {
    if trace.outcome() != Some(&Outcome::Finished) {
        return None;
    }
    partial_barrier(trace).or_else(|| out_of_step(trace))
}

/// A block barrier that only a part of a warp reaches. Up to Pascal the barrier counts arrivals per warp and
/// passes; from Volta on it counts threads, and a run that finishes had none missing.
fn partial_barrier(trace: &Trace) -> Option<String> {
    if trace.arch().has_independent_threads() {
        return None;
    }
    let code = &trace.program().code;
    let barriers: Vec<Pc> = code
        .iter()
        .zip(trace.tallies())
        .zip(0..)
        .filter(|((instruction, tally), _)| {
            matches!(instruction.op, Op::Bar { .. }) && tally.threads_executed < 32 * tally.issued
        })
        .map(|(_, pc)| Pc(pc))
        .collect();
    let mut from = trace
        .issue_span(*barriers.first()?)
        .map_or(Cycle(0), |(first, _)| first);
    for pc in &barriers {
        from = from.min(trace.issue_span(*pc).map_or(from, |(first, _)| first));
    }
    let mut next = trace.issues_at(from).find(|row| barriers.contains(&row.pc));
    for _ in 0..LOOKED_AT {
        let row = next?;
        let view = trace.with_machine(row.cycle, |machine| machine.warp(row.slot));
        let live = view.map_or(row.executed.0, |view| !view.exited.0);
        let missing = live & !row.executed.0;
        if missing != 0 {
            let line = code
                .get(row.pc.0 as usize)
                .map_or(0, |instruction| instruction.span.line);
            let warp = trace.tenancy(row.slot, row.cycle).map_or(0, |(_, warp)| warp.0);
            return Some(format!(
                "{} of the {} lanes of warp {warp} reached the barrier at {} in cycle {}. On this architecture one arrival \
                     counts for the whole warp. From Volta on, every thread must arrive, and the block would hang.",
                row.executed.count(),
                live.count_ones(),
                trace.program().line_text(line),
                thousands(row.cycle.0),
            ));
        }
        next = trace.issue_of(row.cycle, Direction::Forward, &barriers);
    }
    None
}

/// Outputs that change when the lanes of each warp run in lockstep.
fn out_of_step(trace: &Trace) -> Option<String> {
    let options = *trace.options();
    if !options.adversarial || !trace.arch().has_independent_threads() || trace.num_cycles() > AGAIN_CYCLES {
        return None;
    }
    let in_step = MachineOptions {
        adversarial: false,
        max_cycles: AGAIN_CYCLES,
        ..options
    };
    let mut machine = Machine::new(trace.arch(), trace.program(), trace.launch(), in_step).ok()?;
    if *machine.run(&mut ()) != Outcome::Finished {
        return None;
    }
    let others = machine.outputs();
    let launch = trace.launch();
    let both = trace.outputs()?.compared().zip(others.compared());
    for ((idx, got), (_, expected)) in both {
        let Some(elem) = launch.args.get(idx).and_then(Argument::elem) else {
            continue;
        };
        let size = elem.bytes() as usize;
        let differ = got.chunks(size).zip(expected.chunks(size)).enumerate();
        let mut differ = differ.filter(|(_, (got, expected))| got != expected);
        if let Some((at, (got, expected))) = differ.next() {
            let num = differ.count() + 1;
            let name = argument_name(trace.program(), launch, idx);
            let more = match num {
                1 => String::new(),
                num => format!(", and {} more differ", thousands(num as u64 - 1)),
            };
            return Some(format!(
                "{name}[{at}] is {}; with the lanes of each warp in lockstep it is {}{more}. The kernel relies on lockstep, \
                     which no architecture from Volta on guarantees.",
                number(elem, got),
                number(elem, expected),
            ));
        }
    }
    None
}

/// An element as text.
fn number(elem: ElemType, bytes: &[u8]) -> String {
    let mut padded = [0; 8];
    let num = bytes.len().min(8);
    padded[..num].copy_from_slice(&bytes[..num]);
    let bits = u64::from_le_bytes(padded);
    text_of(elem, bits)
}
