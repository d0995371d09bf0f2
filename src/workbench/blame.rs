//! Who is charged for the cycles in which warps cannot issue.
//!
//! The counters of a run hold a stall at the instruction that waits. This module charges it to the instruction that is
//! waited for: to the one that produces the missing value, or to those that keep a pipe or a queue busy. Findings, and the
//! charged cycles of the Source view, use these sums alone, so that one can be added up from the other.

use engine::arch::{Architecture, PipeKind};
use engine::isa::info::RegRange;
use engine::isa::{Instruction, Op, Program, Space};
use engine::sim::WarpState;
use engine::trace::{AccessTally, PcTally, StateCycles, Trace};

/// The longest way back from an instruction in the state Wait to the producer that it waits for, in instructions.
/// Assumption: no fixed latency is longer than this number of issues of one warp, so that what lies further back is ready.
const MAX_BACK_FOR_WAIT: usize = 32;

/// Warp cycles by the instruction that is charged for them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Blame {
    /// Warp cycles by state, for each instruction of the program.
    by_pc: Vec<StateCycles>,
}

impl Blame {
    /// The charges of a run or of its part: every warp cycle of the trace is charged to one instruction.
    pub fn of(trace: &Trace) -> Self {
        Self::new(trace.arch(), trace.program(), trace.tallies())
    }

    /// The charges of these sums over the instructions of a program.
    pub fn new(arch: &Architecture, program: &Program, tallies: &[PcTally]) -> Self {
        let code = &program.code;
        let writers = Writers::of(code);
        let mut by_pc = vec![StateCycles::default(); tallies.len()];
        let mut busy: Vec<(Busy, WarpState, u64)> = Vec::new();
        for (pc, tally) in tallies.iter().enumerate() {
            for state in WarpState::ALL {
                let cycles = tally.states[state as usize];
                if cycles == 0 {
                    continue;
                }
                if let Some(unit) = Busy::of(arch, code.get(pc), state) {
                    match busy
                        .iter_mut()
                        .find(|(of, in_state, _)| *of == unit && *in_state == state)
                    {
                        Some((.., sum)) => *sum += cycles,
                        None => busy.push((unit, state, cycles)),
                    }
                    continue;
                }
                let to = waited_for(arch, code, &writers, pc, state).unwrap_or(pc);
                by_pc[to][state as usize] += cycles;
            }
        }
        for (unit, state, cycles) in busy {
            let loads: Vec<u64> = (code.iter().zip(tallies))
                .map(|(instruction, tally)| unit.load(arch, instruction, tally))
                .collect();
            for (to, part) in shares(cycles, &loads).into_iter().enumerate() {
                by_pc[to][state as usize] += part;
            }
        }
        Self { by_pc }
    }

    /// Warp cycles by state, for each instruction of the program.
    pub fn by_pc(&self) -> &[StateCycles] {
        &self.by_pc
    }

    /// Warp cycles by state that these instructions are charged for.
    pub fn sum(&self, pcs: impl Iterator<Item = usize>) -> StateCycles {
        let mut sum = StateCycles::default();
        for states in pcs.filter_map(|pc| self.by_pc.get(pc)) {
            for (to, from) in sum.iter_mut().zip(states) {
                *to += from;
            }
        }
        sum
    }
}

/// What is busy while warps wait for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Busy {
    /// A pipe.
    Pipe(PipeKind),
    /// The queues of memory input and output.
    Mio,
    /// The queue of local, global, and texture memory.
    Far,
    /// Memory that a warp waits for at its end.
    Stores,
}

impl Busy {
    /// What a warp with this next instruction waits for in this state; `None` if it is one instruction, not a unit.
    fn of(arch: &Architecture, next: Option<&Instruction>, state: WarpState) -> Option<Self> {
        match state {
            WarpState::MathPipeThrottle => {
                let cost = arch.cost(next?.class())?;
                Some(Self::Pipe(cost.pipe))
            }
            WarpState::MioThrottle => Some(Self::Mio),
            WarpState::LgThrottle | WarpState::TexThrottle => Some(Self::Far),
            WarpState::Drain => Some(Self::Stores),
            _ => None,
        }
    }

    /// For how long an instruction keeps the unit busy in the whole run, in cycles or in parts of requests.
    fn load(self, arch: &Architecture, instruction: &Instruction, tally: &PcTally) -> u64 {
        let Some(cost) = arch.cost(instruction.class()) else {
            return 0;
        };
        let occupied = tally.issued * u64::from(cost.occupancy_cycles.value).max(1);
        let sum = |of: fn(&AccessTally) -> u64| -> u64 {
            tally.accesses.iter().map(|(_, access)| of(access)).sum()
        };
        let wavefronts = sum(|access| access.wavefronts);
        let sectors = sum(|access| access.sectors.max(access.requests));
        match self {
            Self::Pipe(PipeKind::Lsu) if cost.pipe == PipeKind::Lsu => occupied.max(wavefronts).max(sectors),
            Self::Pipe(kind) if cost.pipe == kind => occupied,
            Self::Mio if !cost.fixed_latency && cost.pipe != PipeKind::Branch && !is_far(instruction) => {
                occupied.max(wavefronts)
            }
            Self::Far if is_far(instruction) => sectors.max(tally.issued),
            Self::Stores if is_far(instruction) && instruction.destination().is_none() => {
                sectors.max(tally.issued)
            }
            _ => 0,
        }
    }
}

/// The instructions that write each register and each predicate, in program order.
struct Writers {
    regs: Vec<Vec<usize>>,
    predicates: Vec<Vec<usize>>,
}

impl Writers {
    fn of(code: &[Instruction]) -> Self {
        let mut writers = Self {
            regs: vec![Vec::new(); 256],
            predicates: vec![Vec::new(); 256],
        };
        for (pc, instruction) in code.iter().enumerate() {
            for reg in instruction.destination().into_iter().flat_map(RegRange::regs) {
                writers.regs[usize::from(reg.0)].push(pc);
            }
            if let Some(pred) = instruction.predicate_destination() {
                writers.predicates[usize::from(pred.0)].push(pc);
            }
        }
        writers
    }

    /// The instruction that writes an operand of this instruction and satisfies a condition: the nearest one before it in
    /// the code, or, in a loop, after it, at most this number of instructions back.
    fn producer(
        &self,
        code: &[Instruction],
        pc: usize,
        most_back: usize,
        is_wanted: impl Fn(&Instruction) -> bool,
    ) -> Option<usize> {
        let reader = code.get(pc)?;
        // A write after a load into the same register waits, too.
        let reads = (reader.sources())
            .chain(reader.destination())
            .flat_map(RegRange::regs)
            .map(|reg| &self.regs[usize::from(reg.0)]);
        let predicates = reader
            .predicate_sources()
            .map(|pred| &self.predicates[usize::from(pred.0)]);
        let back = |writer: usize| (pc + code.len() - writer - 1) % code.len() + 1;
        reads
            .chain(predicates)
            .flatten()
            .copied()
            .filter(|writer| back(*writer) <= most_back && is_wanted(&code[*writer]))
            .min_by_key(|writer| back(*writer))
    }
}

/// The instruction that a warp with the next instruction `pc` waits for in a state; `None` if it waits for no other one.
fn waited_for(
    arch: &Architecture,
    code: &[Instruction],
    writers: &Writers,
    pc: usize,
    state: WarpState,
) -> Option<usize> {
    let is_fixed = |instruction: &Instruction| {
        arch.cost(instruction.class())
            .is_some_and(|cost| cost.fixed_latency)
    };
    let all = code.len();
    match state {
        WarpState::LongScoreboard => writers.producer(code, pc, all, is_far),
        WarpState::ShortScoreboard => writers.producer(code, pc, all, |of| !is_far(of) && !is_fixed(of)),
        WarpState::Wait => writers.producer(code, pc, MAX_BACK_FOR_WAIT, is_fixed),
        // A warp that arrived waits with the instruction after the barrier as the next one.
        WarpState::Barrier => {
            let is_barrier = |at: usize| {
                code.get(at)
                    .is_some_and(|instruction| matches!(instruction.op, Op::Bar { .. }))
            };
            pc.checked_sub(1)
                .filter(|before| is_barrier(*before) && !is_barrier(pc))
        }
        _ => None,
    }
}

/// Whether an instruction accesses local, global, or texture memory, perhaps through a generic address.
fn is_far(instruction: &Instruction) -> bool {
    match instruction.op {
        Op::Ld { space, .. } | Op::St { space, .. } | Op::Atom { space, .. } | Op::Red { space, .. } => {
            space != Space::Shared
        }
        Op::Ldgsts { .. } | Op::Tld { .. } | Op::Tex { .. } => true,
        _ => false,
    }
}

/// A whole number in parts that are proportional to the loads and add up to it: the parts with the largest remainders are
/// rounded up, the first ones of equal ones. Without loads, all parts are 0, except that the whole goes to the first one.
pub(crate) fn shares(whole: u64, loads: &[u64]) -> Vec<u64> {
    let sum: u64 = loads.iter().sum();
    let mut parts = vec![0; loads.len()];
    if sum == 0 {
        if let Some(first) = parts.first_mut() {
            *first = whole;
        }
        return parts;
    }
    let scaled = |load: u64| u128::from(load) * u128::from(whole);
    let mut given = 0;
    for (part, load) in parts.iter_mut().zip(loads) {
        *part = (scaled(*load) / u128::from(sum)) as u64;
        given += *part;
    }
    let mut order: Vec<usize> = (0..loads.len()).collect();
    order.sort_by_key(|idx| std::cmp::Reverse(scaled(loads[*idx]) % u128::from(sum)));
    for idx in order.into_iter().take((whole - given) as usize) {
        parts[idx] += 1;
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_proportional_and_add_up() {
        assert_eq!(shares(10, &[1, 1, 1]), [4, 3, 3]);
        assert_eq!(shares(98, &[0, 980, 20]), [0, 96, 2]);
        assert_eq!(shares(5, &[0, 0]), [5, 0]);
        assert_eq!(shares(5, &[]), [0_u64; 0]);
        assert_eq!(shares(u64::MAX, &[3, 1]).iter().sum::<u64>(), u64::MAX);
    }
}
