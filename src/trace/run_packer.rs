//! Packs the states of slots into runs while they happen.

use super::bytes::{Bytes, Stream};
use super::runs::{
    MARKS_A_SUM, Mark, ONE_CYCLE_SHIFT, PC_NEXT, PC_SAME, PC_SHIFT, RUNS_A_MARK, num_bytes, packed,
};
use crate::sim::WarpState;
use crate::sim::codec::Writer;

const NUM_STATES: usize = WarpState::ALL.len();
/// Numbers below this take a byte.
const ONE_BYTE: u32 = 0x80;

/// Packs the runs of a slot, and keeps what was not yet handed on.
#[derive(Clone, Debug, Default)]
pub(crate) struct RunPacker {
    end: u32,
    pc: u32,
    num_runs: u32,
    /// Bytes that were handed on before these.
    handed: u32,
    bytes: Stream<4096>,
    total: [u32; NUM_STATES],
    marks: Vec<Mark>,
    sums: Vec<[u32; NUM_STATES]>,
}

impl RunPacker {
    /// Where the last run ended.
    #[inline(always)]
    pub(crate) const fn end(&self) -> u32 {
        self.end
    }

    /// Appends a run that starts where the last one ended.
    #[inline(always)]
    pub(crate) fn push(&mut self, state: WarpState, pc: u32, end: u32) {
        debug_assert!(end > self.end, "a run lasts a cycle at least");
        self.mark();
        let length = end - self.end;
        let step = i64::from(pc) - i64::from(self.pc);
        // Most are the same instruction or the next one: these take a byte or two.
        if step as u64 <= PC_NEXT.into() && length < ONE_BYTE {
            let head = state as u8 | (step as u8) << PC_SHIFT;
            if length == 1 {
                self.bytes.put([head | 1 << ONE_CYCLE_SHIFT], 1);
            } else {
                self.bytes.put([head, length as u8], 2);
            }
        } else {
            self.push_long(state, step, length);
        }
        self.total[state as usize] += length;
        self.num_runs += 1;
        self.end = end;
        self.pc = pc;
    }

    #[inline(never)]
    fn push_long(&mut self, state: WarpState, step: i64, length: u32) {
        let (bytes, len) = packed(state, step, length).padded();
        self.bytes.put(bytes, len);
    }

    /// Appends runs at the pc of the last one: those of `shared` from its change `from`, at which the
    /// last run ended, to its change `to`.
    #[inline(always)]
    pub(crate) fn extend(&mut self, shared: &SharedRuns, mut from: usize, to: usize) {
        debug_assert!(
            from >= to || shared.changes[from].cycle == self.end,
            "runs have no gaps"
        );
        while from < to {
            self.mark();
            let room = (RUNS_A_MARK - self.num_runs % RUNS_A_MARK) as usize;
            let next = to.min(from + room);
            let (first, last) = (shared.changes[from], shared.changes[next]);
            let (start, end) = (first.offset as usize, last.offset as usize);
            match shared.bytes[start..].first_chunk::<BEYOND>() {
                Some(bytes) if end - start <= BEYOND => self.bytes.put(*bytes, end - start),
                _ => self.bytes.extend(&shared.bytes[start..end]),
            }
            let in_first = last.in_first - first.in_first;
            self.total[shared.states[0] as usize] += in_first;
            self.total[shared.states[1] as usize] += last.cycle - first.cycle - in_first;
            self.num_runs += (next - from) as u32;
            self.end = last.cycle;
            from = next;
        }
    }

    /// Sets a mark before the next run where one is due.
    #[inline(always)]
    fn mark(&mut self) {
        if self.num_runs.is_multiple_of(RUNS_A_MARK) {
            self.set_mark();
        }
    }

    #[cold]
    fn set_mark(&mut self) {
        if self.num_runs.is_multiple_of(RUNS_A_MARK * MARKS_A_SUM as u32) {
            self.sums.push(self.total);
        }
        self.marks.push(Mark {
            start: self.end,
            offset: self.handed + self.bytes.len() as u32,
            pc: self.pc,
        });
    }

    /// Memory that all runs take where they are asked for, in bytes.
    pub(crate) fn num_bytes(&self) -> usize {
        num_bytes(self.handed as usize + self.bytes.len(), self.num_runs)
    }

    /// Bytes that were not yet handed on, beside marks and sums.
    pub(crate) const fn num_fresh(&self) -> usize {
        self.bytes.len()
    }

    /// Hands on what was packed since the last time: marks and sums, and the bytes apart.
    pub(crate) fn hand_on(&mut self, to: &mut Writer, bytes: &mut Writer) {
        to.put(&(self.bytes.len() as u32));
        to.put(&self.marks);
        to.put(&self.sums);
        to.put(&self.total);
        to.put(&self.num_runs);
        to.put(&self.end);
        to.put(&self.pc);
        self.handed += self.bytes.len() as u32;
        self.bytes.hand_on(bytes);
        self.marks.clear();
        self.sums.clear();
    }
}

/// Runs that several slots have in common: two states in turn, which change for all of them at once.
#[derive(Clone, Debug)]
pub(crate) struct SharedRuns {
    /// The second is known from the second change on.
    states: [WarpState; 2],
    /// Begins of runs; the states take turns from the first on.
    changes: Vec<Change>,
    /// The runs between the changes, as a column of a slot has them, and at least [`BEYOND`] others.
    bytes: Vec<u8>,
}

/// Bytes that are copied at once.
const BEYOND: usize = 16;

#[derive(Clone, Copy, Debug)]
struct Change {
    cycle: u32,
    offset: u32,
    /// Cycles in the first state since the first change.
    in_first: u32,
}

impl SharedRuns {
    pub(crate) const fn new() -> Self {
        Self {
            states: [WarpState::Empty; 2],
            changes: Vec::new(),
            bytes: Vec::new(),
        }
    }

    /// Forgets all runs: the first state begins.
    pub(crate) fn begin(&mut self, cycle: u32, state: WarpState) {
        self.changes.clear();
        self.states = [state, WarpState::Empty];
        self.changes.push(Change {
            cycle,
            offset: 0,
            in_first: 0,
        });
    }

    /// The other state begins.
    #[inline(always)]
    pub(crate) fn change(&mut self, cycle: u32, to: WarpState) {
        let last = self.last();
        if last == 0 {
            self.states[1] = to;
        }
        debug_assert_eq!(self.states[(last + 1) % 2], to, "the states take turns");
        let state = self.state_from(last);
        let Change {
            cycle: since,
            offset,
            in_first,
        } = self.changes[last];
        let length = cycle - since;
        let head = state as u8 | PC_SAME << PC_SHIFT;
        let len = if length == 1 {
            self.write(offset as usize, [head | 1 << ONE_CYCLE_SHIFT]);
            1
        } else if length < ONE_BYTE {
            self.write(offset as usize, [head, length as u8]);
            2
        } else {
            let mut bytes = Bytes::of(head);
            bytes.varint(u64::from(length));
            let (bytes, len) = bytes.padded();
            self.write(offset as usize, bytes);
            len as u32
        };
        self.changes.push(Change {
            cycle,
            offset: offset + len,
            in_first: in_first + if last.is_multiple_of(2) { length } else { 0 },
        });
    }

    #[inline(always)]
    fn write<const N: usize>(&mut self, offset: usize, bytes: [u8; N]) {
        if self.bytes.len() < offset + N + BEYOND {
            self.grow();
        }
        self.bytes[offset..offset + N].copy_from_slice(&bytes);
    }

    #[cold]
    fn grow(&mut self) {
        self.bytes.resize(2 * self.bytes.len() + 256, 0);
    }

    /// Index of the last change.
    #[inline(always)]
    pub(crate) fn last(&self) -> usize {
        self.changes.len() - 1
    }

    /// When a change was.
    #[inline(always)]
    pub(crate) fn cycle(&self, change: usize) -> u32 {
        self.changes[change].cycle
    }

    /// The state that a change began.
    #[inline(always)]
    pub(crate) fn state_from(&self, change: usize) -> WarpState {
        self.states[change % 2]
    }

    /// The two states, the first one first.
    pub(crate) const fn states(&self) -> [WarpState; 2] {
        self.states
    }

    /// Cycles in the first state between two changes.
    #[inline(always)]
    pub(crate) fn in_first_between(&self, from: usize, to: usize) -> u32 {
        self.changes[to].in_first - self.changes[from].in_first
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::runs::RunColumn;
    use super::*;
    use crate::sim::codec::Reader;

    proptest! {
        #[test]
        fn packers_and_columns_pack_alike(
            runs in prop::collection::vec((0_usize..19, -200_i64..200, 1_u32..400), 1..300),
            cut in 1_usize..300,
        ) {
            let (mut plain, mut grown) = (RunColumn::default(), RunColumn::default());
            let mut packer = RunPacker::default();
            let (mut pc, mut end) = (100_000_i64, 0);
            for (idx, (state, step, length)) in runs.iter().enumerate() {
                // Most instructions follow the one before.
                pc += if step % 3 == 0 { *step } else { step % 2 };
                end += if length % 4 == 0 { *length } else { 1 };
                plain.push(WarpState::ALL[*state], pc as u32, end);
                packer.push(WarpState::ALL[*state], pc as u32, end);
                if idx % cut == 0 || idx + 1 == runs.len() {
                    prop_assert_eq!(packer.num_bytes(), plain.num_bytes());
                    let (mut head, mut bytes) = (Writer::default(), Writer::default());
                    packer.hand_on(&mut head, &mut bytes);
                    grown.append(&mut Reader::new(&head.bytes), &mut Reader::new(&bytes.bytes));
                }
            }
            let written = [plain, grown].map(|column| {
                let mut all = Writer::default();
                column.write(&mut all);
                all.bytes
            });
            prop_assert!(written[0] == written[1]);
        }

        #[test]
        fn shared_runs_are_those_of_a_slot(lengths in prop::collection::vec(1_u32..400, 2..200), cut in 1_usize..200) {
            let states = [WarpState::NotSelected, WarpState::MioThrottle];
            let (mut one, mut other) = (RunPacker::default(), RunPacker::default());
            let mut shared = SharedRuns::new();
            for packer in [&mut one, &mut other] {
                packer.push(WarpState::Selected, 7, 5);
            }
            shared.begin(5, states[0]);
            let (mut at, mut taken) = (5, 0);
            for (idx, length) in lengths.iter().enumerate() {
                at += if length % 4 == 0 { *length } else { 1 };
                one.push(states[idx % 2], 7, at);
                shared.change(at, states[(idx + 1) % 2]);
                if idx % cut == 0 || idx + 1 == lengths.len() {
                    other.extend(&shared, taken, shared.last());
                    taken = shared.last();
                }
            }
            let written = [one, other].map(|mut packer| {
                let (mut head, mut bytes) = (Writer::default(), Writer::default());
                packer.hand_on(&mut head, &mut bytes);
                (head.bytes, bytes.bytes)
            });
            prop_assert!(written[0] == written[1]);
        }
    }
}
