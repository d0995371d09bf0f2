//! The states of one slot over time: runs of cycles, packed into bytes, with marks for binary search.

use super::bytes::{Bytes, read_varint, unzigzag, zigzag};
use crate::ids::{Cycle, Pc};
use crate::sim::WarpState;
use crate::sim::codec::{Reader, Writer, coded};

/// Runs between two marks: the maximum that a search decodes.
pub(super) const RUNS_PER_MARK: u32 = 64;
/// Marks between two sums.
pub(super) const MARKS_PER_SUM: usize = 16;

/// Cycles (or slot-cycles) by state, indexed by `WarpState as usize`.
pub type StateCycles = [u64; WarpState::ALL.len()];

/// A run: consecutive cycles in which a slot has one state at one instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Run {
    /// The first cycle.
    pub start: Cycle,
    /// The cycle after the last one.
    pub end: Cycle,
    /// The state.
    pub state: WarpState,
    /// The next instruction of the warp; in state Selected, the issued instruction.
    pub pc: Pc,
}

impl Run {
    /// The length in cycles.
    pub const fn cycles(&self) -> u64 {
        self.end.0 - self.start.0
    }
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Mark {
    pub(super) start: u32,
    pub(super) offset: u32,
    pub(super) pc: u32,
}
coded!(Mark { start, offset, pc });

/// The packed runs of a slot. A run takes one byte (state, pc relative to the previous run, whether it lasts
/// one cycle) and at most two numbers. The last run is provisional while it is unfinished.
#[derive(Clone, Debug, Default)]
pub(crate) struct RunColumn {
    bytes: Vec<u8>,
    marks: Vec<Mark>,
    sums: Vec<[u32; WarpState::ALL.len()]>,
    total: [u32; WarpState::ALL.len()],
    num_runs: u32,
    end: u32,
    pc: u32,
    /// The column before the provisional run.
    certain: Certain,
}

/// The final part of a growing column, and the state of the run after it.
#[derive(Clone, Copy, Debug, Default)]
struct Certain {
    bytes: u32,
    marks: u32,
    sums: u32,
    num_runs: u32,
    end: u32,
    pc: u32,
    state: WarpState,
}

pub(super) const PC_SAME: u8 = 0;
pub(super) const PC_NEXT: u8 = 1;
pub(super) const PC_FAR: u8 = 2;

/// The bit positions in the first byte of a run.
pub(super) const PC_SHIFT: u8 = 5;
pub(super) const ONE_CYCLE_SHIFT: u8 = 7;

/// The encoding of a run whose pc is `step` instructions after the previous run's. `state` is the state's
/// number.
pub(super) fn packed(state: u8, step: i64, length: u32) -> Bytes {
    let code = match step {
        0 => PC_SAME,
        1 => PC_NEXT,
        _ => PC_FAR,
    };
    let one_cycle = u8::from(length == 1);
    let mut bytes = Bytes::of(state | code << PC_SHIFT | one_cycle << ONE_CYCLE_SHIFT);
    if code == PC_FAR {
        bytes.varint(zigzag(step));
    }
    if length != 1 {
        bytes.varint(u64::from(length));
    }
    bytes
}

/// The size in bytes of `num_runs` runs with `bytes` packed bytes.
pub(super) fn num_bytes(bytes: usize, num_runs: u32) -> usize {
    let marks = num_runs.div_ceil(RUNS_PER_MARK) as usize;
    bytes
        + marks * size_of::<Mark>()
        + marks.div_ceil(MARKS_PER_SUM) * size_of::<[u32; WarpState::ALL.len()]>()
}

impl RunColumn {
    /// Appends a run that starts where the last one ended.
    pub(crate) fn push(&mut self, state: WarpState, pc: u32, end: u32) {
        debug_assert!(end > self.end, "a run lasts at least one cycle");
        if self.num_runs.is_multiple_of(RUNS_PER_MARK) {
            if self.num_runs.is_multiple_of(RUNS_PER_MARK * MARKS_PER_SUM as u32) {
                self.sums.push(self.total);
            }
            self.marks.push(Mark {
                start: self.end,
                offset: self.bytes.len() as u32,
                pc: self.pc,
            });
        }
        let length = end - self.end;
        packed(state as u8, i64::from(pc) - i64::from(self.pc), length).append_to(&mut self.bytes);
        self.total[state as usize] += length;
        self.num_runs += 1;
        self.end = end;
        self.pc = pc;
    }

    /// The size in bytes.
    pub(crate) fn num_bytes(&self) -> usize {
        num_bytes(self.bytes.len(), self.num_runs)
    }

    /// Releases the unused capacity of the vectors.
    pub(crate) fn shrink(&mut self) {
        self.bytes.shrink_to_fit();
        self.marks.shrink_to_fit();
        self.sums.shrink_to_fit();
    }

    /// Appends what [`RunPacker::flush`](super::run_packer::RunPacker::flush) wrote, in place of a
    /// provisional run. Reports the start, end, state, and instruction of each run.
    pub(crate) fn append(
        &mut self,
        from: &mut Reader,
        bytes: &mut Reader,
        mut report: impl FnMut(u32, u32, WarpState, u32),
    ) {
        self.forget_provisional();
        let first = self.bytes.len();
        let new = bytes.take(from.get::<u32>() as usize);
        self.make_room(new.len());
        self.bytes.extend_from_slice(new);
        let mut runs = Runs {
            bytes: &self.bytes,
            offset: first,
            start: self.end,
            pc: self.pc,
        };
        loop {
            if self.num_runs.is_multiple_of(RUNS_PER_MARK) && runs.offset < self.bytes.len() {
                if self.num_runs.is_multiple_of(RUNS_PER_MARK * MARKS_PER_SUM as u32) {
                    self.sums.push(self.total);
                }
                self.marks.push(Mark {
                    start: runs.start,
                    offset: runs.offset as u32,
                    pc: runs.pc,
                });
            }
            let start = runs.start;
            let Some(state) = runs.step() else { break };
            self.total[state as usize] =
                self.total[state as usize].wrapping_add(runs.start.wrapping_sub(start));
            self.num_runs += 1;
            report(start, runs.start, state, runs.pc);
        }
        (self.end, self.pc) = (runs.start, runs.pc);
        let signature: [u32; 3] = from.get();
        if signature != [self.num_runs, self.end, self.pc] {
            from.damage();
        }
        self.certain = Certain {
            bytes: self.bytes.len() as u32,
            marks: self.marks.len() as u32,
            sums: self.sums.len() as u32,
            num_runs: self.num_runs,
            end: self.end,
            pc: self.pc,
            state: WarpState::Empty,
        };
    }

    /// Removes the provisional run.
    fn forget_provisional(&mut self) {
        let certain = self.certain;
        self.bytes.truncate(certain.bytes as usize);
        self.marks.truncate(certain.marks as usize);
        self.sums.truncate(certain.sums as usize);
        self.total[certain.state as usize] -= self.end - certain.end;
        (self.num_runs, self.end, self.pc) = (certain.num_runs, certain.end, certain.pc);
    }

    /// Reserves space for bytes, by a share that differs between columns: the columns of all slots have equal
    /// lengths and would otherwise all be reallocated at once.
    fn make_room(&mut self, num: usize) {
        let len = self.bytes.len() + num;
        if len > self.bytes.capacity() {
            let sixteenths = 3 + (self.num_runs % 8) as usize;
            self.bytes.reserve_exact(num + len / 16 * sixteenths);
        }
    }

    /// The end of the last run.
    pub(crate) const fn end(&self) -> u32 {
        self.end
    }

    /// Writes the whole column.
    pub(crate) fn write(&self, to: &mut Writer) {
        to.raw(&self.bytes);
        to.put(&self.marks);
        to.put(&self.sums);
        to.put(&self.total);
    }

    /// Adds the unfinished run, as known up to cycle `end`.
    pub(crate) fn push_provisional(&mut self, state: WarpState, pc: u32, end: u32) {
        if end > self.end {
            self.push(state, pc, end);
            self.certain.state = state;
        }
    }

    fn mark_at(&self, cycle: u32) -> usize {
        self.marks
            .partition_point(|mark| mark.start <= cycle)
            .saturating_sub(1)
    }

    fn iter_mark(&self, mark: usize) -> Runs<'_> {
        match self.marks.get(mark) {
            Some(mark) => Runs {
                bytes: &self.bytes,
                offset: mark.offset as usize,
                start: mark.start,
                pc: mark.pc,
            },
            None => Runs {
                bytes: &[],
                offset: 0,
                start: 0,
                pc: 0,
            },
        }
    }

    /// Runs from the one that contains `cycle` on.
    pub(crate) fn from(&self, cycle: Cycle) -> impl Iterator<Item = Run> + '_ {
        let at = u32::try_from(cycle.0).unwrap_or(u32::MAX);
        self.iter_mark(self.mark_at(at))
            .skip_while(move |run| run.end <= cycle)
    }

    /// The run that contains `cycle`.
    pub(crate) fn at(&self, cycle: Cycle) -> Option<Run> {
        self.from(cycle).next()
    }

    /// The last run that starts before `cycle` and satisfies `wanted`.
    pub(crate) fn last_before(&self, cycle: Cycle, wanted: impl Fn(&Run) -> bool) -> Option<Run> {
        let at = u32::try_from(cycle.0).unwrap_or(u32::MAX);
        let mut mark = self.mark_at(at);
        loop {
            let found = self
                .iter_mark(mark)
                .take(RUNS_PER_MARK as usize)
                .take_while(|run| run.start < cycle)
                .filter(&wanted)
                .last();
            if found.is_some() || mark == 0 {
                return found;
            }
            mark -= 1;
        }
    }

    /// Cycles by state before `cycle`.
    pub(crate) fn states_before(&self, cycle: Cycle) -> StateCycles {
        let at = u32::try_from(cycle.0).unwrap_or(u32::MAX).min(self.end);
        let mark = self.mark_at(at);
        let sum = mark / MARKS_PER_SUM;
        let mut states = StateCycles::default();
        let Some(sums) = self.sums.get(sum) else {
            return states;
        };
        for (state, cycles) in states.iter_mut().zip(sums) {
            *state = u64::from(*cycles);
        }
        for run in self.iter_mark(sum * MARKS_PER_SUM) {
            if run.start.0 >= u64::from(at) {
                break;
            }
            states[run.state as usize] += run.end.0.min(u64::from(at)) - run.start.0;
        }
        states
    }
}

/// Decodes runs in order.
struct Runs<'a> {
    bytes: &'a [u8],
    offset: usize,
    start: u32,
    pc: u32,
}

impl Runs<'_> {
    /// Advances to the end of the next run, and returns its state.
    #[inline(always)]
    fn step(&mut self) -> Option<WarpState> {
        let head = *self.bytes.get(self.offset)?;
        self.offset += 1;
        let code = head >> PC_SHIFT & 3;
        if code <= PC_NEXT {
            self.pc = self.pc.wrapping_add(code.into());
        } else {
            let step = unzigzag(read_varint(self.bytes, &mut self.offset));
            self.pc = (i64::from(self.pc) + step) as u32;
        }
        let length = if head >> ONE_CYCLE_SHIFT == 1 {
            1
        } else {
            read_varint(self.bytes, &mut self.offset) as u32
        };
        self.start = self.start.wrapping_add(length);
        // State numbers have five bits; an unknown number means damaged data.
        Some(
            WarpState::ALL
                .get(usize::from(head & 31))
                .copied()
                .unwrap_or_default(),
        )
    }
}

impl Iterator for Runs<'_> {
    type Item = Run;

    #[inline]
    fn next(&mut self) -> Option<Run> {
        let start = self.start;
        let state = self.step()?;
        Some(Run {
            start: Cycle(start.into()),
            end: Cycle(self.start.into()),
            state,
            pc: Pc(self.pc),
        })
    }
}
