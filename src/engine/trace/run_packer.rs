//! Packs the states of slots into runs. State changes are recorded as notes, and many notes are packed at
//! once.

use super::bytes::Stream;
use super::runs::{ONE_CYCLE_SHIFT, PC_NEXT, PC_SHIFT, num_bytes, packed};
use super::shared_runs::{COPY_BYTES, SharedRuns};
use crate::ids::Pc;
use crate::sim::WarpState;
use crate::sim::codec::Writer;

/// The maximum number of notes of a slot that are packed at once.
pub(super) const NUM_NOTES: usize = 256;

/// A note, in one number: the cycle in 32 bits, the number of the state in five bits, and the instruction in
/// the rest. A reserved state number marks that the slot joins a group. The rest then holds the group in
/// eight bits, and the group's change that began the slot's current state.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Note(u64);

const STATE_SHIFT: u32 = 32;
const STATE_BITS: u32 = 5;
const REST_SHIFT: u32 = STATE_SHIFT + STATE_BITS;
const JOINS: u8 = (1 << STATE_BITS) - 1;
const SELECTED: u8 = WarpState::Selected as u8;

impl Note {
    /// The empty note.
    pub(crate) const NONE: Self = Self(0);
    /// The number of instructions that a note can encode.
    pub(crate) const MAX_INSTRUCTIONS: usize = 1 << (u64::BITS - REST_SHIFT);

    #[inline(always)]
    const fn new(cycle: u32, state: u8, rest: u32) -> Self {
        Self(cycle as u64 | (state as u64) << STATE_SHIFT | (rest as u64) << REST_SHIFT)
    }

    /// A state begins. Each Selected note is an issue.
    #[inline(always)]
    pub(crate) const fn state(cycle: u32, state: WarpState, pc: Pc) -> Self {
        Self::new(cycle, state as u8, pc.0)
    }

    /// From the group's change `since` on, the slot follows the group, until the next note.
    #[inline(always)]
    pub(crate) const fn join(cycle: u32, group: u8, since: u32) -> Self {
        Self::new(cycle, JOINS, group as u32 | since << 8)
    }
}

/// The value of `group` for a slot outside all groups.
const ALONE: u32 = u32::MAX;

/// The size of the buffer for the runs of some notes: more than [`NUM_NOTES`] notes can need.
pub(super) const BUFFER_BYTES: usize = 1 << 14;
const MAX_RUN_BYTES: usize = 12;
const _: () = assert!(
    BUFFER_BYTES >= NUM_NOTES * (COPY_BYTES + 2 * MAX_RUN_BYTES),
    "the buffer holds the runs of all notes"
);

/// The unfinished run of a slot, and the end of the run before it.
#[derive(Clone, Copy, Debug)]
struct Open {
    /// State and instruction, encoded as in a note.
    what: u32,
    /// The slot's group, or [`ALONE`].
    group: u32,
    /// The change of the group that began the run.
    since: u32,
    /// End and instruction of the previous run.
    end: u32,
    last_pc: u32,
    num_runs: u32,
}

impl Open {
    const fn state(self) -> u8 {
        self.what as u8 & JOINS
    }

    const fn pc(self) -> u32 {
        self.what >> STATE_BITS
    }

    /// Packs the run, which ends before `end`, at position `at` of the buffer.
    #[inline(always)]
    fn close(&mut self, end: u32, buffer: &mut [u8; BUFFER_BYTES], at: &mut usize) {
        let length = end.wrapping_sub(self.end);
        let pc = self.pc();
        let step = pc.wrapping_sub(self.last_pc);
        // Most runs have the same instruction or the next one, and take one or two bytes.
        if step <= PC_NEXT.into() && length.wrapping_sub(1) < 0x7f {
            let is_one = usize::from(length == 1);
            buffer[*at % BUFFER_BYTES] =
                self.state() | (step as u8) << PC_SHIFT | (is_one as u8) << ONE_CYCLE_SHIFT;
            buffer[(*at + 1) % BUFFER_BYTES] = length as u8;
            *at += 2 - is_one;
        } else if length == 0 {
            return;
        } else {
            *at = close_far(*self, length, buffer, *at);
        }
        self.num_runs += 1;
        self.end = end;
        self.last_pc = pc;
    }
}

#[inline(never)]
fn close_far(open: Open, length: u32, buffer: &mut [u8; BUFFER_BYTES], at: usize) -> usize {
    let step = i64::from(open.pc()) - i64::from(open.last_pc);
    let (bytes, len) = packed(open.state(), step, length).padded();
    for (place, byte) in buffer[at..].iter_mut().zip(&bytes[..len]) {
        *place = *byte;
    }
    at + len
}

/// Packs the runs of a slot, and keeps them until the next flush.
#[derive(Clone, Debug)]
pub(crate) struct RunPacker {
    open: Open,
    /// Bytes that were flushed before these.
    flushed: u32,
    bytes: Stream<4096>,
}

impl Default for RunPacker {
    fn default() -> Self {
        Self {
            open: Open {
                what: WarpState::Empty as u32,
                group: ALONE,
                since: 0,
                end: 0,
                last_pc: 0,
                num_runs: 0,
            },
            flushed: 0,
            bytes: Stream::default(),
        }
    }
}

impl RunPacker {
    /// Packs at most [`NUM_NOTES`] notes, using `buffer` as scratch space.
    pub(crate) fn pack(
        &mut self,
        notes: &[Note],
        groups: &mut [SharedRuns],
        buffer: &mut [u8; BUFFER_BYTES],
    ) {
        let (mut open, mut at) = (self.open, 0);
        for Note(note) in notes {
            let (cycle, what) = (*note as u32, (note >> STATE_SHIFT) as u32);
            if open.group != ALONE {
                self.open = open;
                at = self.catch_up(cycle, groups, buffer, at);
                open = self.open;
                open.group = ALONE;
            }
            let state = what as u8 & JOINS;
            if state == JOINS {
                open.group = what >> STATE_BITS & 0xff;
                open.since = what >> (STATE_BITS + 8);
            } else if what != open.what || state == SELECTED {
                // Each issue is a run of its own.
                open.close(cycle, buffer, &mut at);
                open.what = what;
            }
        }
        self.open = open;
        self.bytes.extend(&buffer[..at]);
    }

    /// Packs the runs of the slot's group before cycle `end`. The group then drops all but its last change.
    pub(crate) fn count(&mut self, end: u32, groups: &mut [SharedRuns], buffer: &mut [u8; BUFFER_BYTES]) {
        let at = self.catch_up(end, groups, buffer, 0);
        self.bytes.extend(&buffer[..at]);
        debug_assert!(
            groups
                .get(self.open.group as usize)
                .is_none_or(|runs| self.open.since == runs.last()),
            "the run was packed to the end"
        );
        self.open.since = 0;
    }

    /// Appends the runs of the slot's group before `end`. Returns the free position in the buffer.
    fn catch_up(
        &mut self,
        end: u32,
        groups: &mut [SharedRuns],
        buffer: &mut [u8; BUFFER_BYTES],
        mut at: usize,
    ) -> usize {
        let open = &mut self.open;
        let Some(runs) = groups.get_mut(open.group as usize) else {
            return at;
        };
        let (first, last) = (open.since + 1, runs.last_before(end, open.since));
        if last < first {
            return at;
        }
        open.close(runs.cycle(first), buffer, &mut at);
        open.what = open.what & !u32::from(JOINS) | u32::from(runs.state_from(last));
        open.since = last;
        if first < last {
            open.end = runs.cycle(last);
            open.num_runs += last - first;
            let (bytes, len) = runs.packed(first, last);
            let place = buffer
                .get_mut(at..)
                .and_then(<[u8]>::first_chunk_mut::<COPY_BYTES>);
            if let (Some(place), Some(bytes)) = (place, bytes.first_chunk())
                && len <= COPY_BYTES
            {
                *place = *bytes;
                at += len;
            } else {
                self.bytes.extend(&buffer[..at]);
                self.bytes.extend(&bytes[..len]);
                at = 0;
            }
        }
        at
    }

    /// The size in bytes of all runs in the trace.
    pub(crate) fn num_bytes(&self) -> usize {
        num_bytes(self.flushed as usize + self.bytes.len(), self.open.num_runs)
    }

    /// Bytes since the last flush.
    pub(crate) const fn num_unflushed(&self) -> usize {
        self.bytes.len()
    }

    /// Flushes what was packed since the last flush: its size, the bytes in a separate buffer, and the
    /// unfinished run.
    pub(crate) fn flush(&mut self, to: &mut Writer, bytes: &mut Writer) {
        let open = self.open;
        to.put(&(self.bytes.len() as u32));
        to.put(&[open.num_runs, open.end, open.last_pc]);
        to.put(&WarpState::ALL[usize::from(open.state())]);
        to.put(&open.pc());
        self.flushed += self.bytes.len() as u32;
        self.bytes.flush(bytes);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::runs::RunColumn;
    use super::*;
    use crate::sim::codec::Reader;

    fn written(column: &RunColumn) -> Vec<u8> {
        let mut all = Writer::default();
        column.write(&mut all);
        all.bytes
    }

    /// Flushes a packer into a column, and collects the runs that the column reports.
    fn flush(packer: &mut RunPacker, column: &mut RunColumn, end: u32, reported: &mut Vec<(u32, u32)>) {
        let (mut head, mut bytes) = (Writer::default(), Writer::default());
        packer.flush(&mut head, &mut bytes);
        let (mut head, mut bytes) = (Reader::new(&head.bytes), Reader::new(&bytes.bytes));
        column.append(&mut head, &mut bytes, |start, end, _, _| {
            reported.push((start, end));
        });
        let (state, pc): (WarpState, u32) = head.get();
        assert!(head.is_good() && bytes.is_good());
        column.push_provisional(state, pc, end);
    }

    proptest! {
        #[test]
        fn packers_and_columns_have_equal_encodings(
            runs in prop::collection::vec((1_usize..19, -200_i64..200, 1_u32..400), 1..400),
            cut in 1_usize..300,
        ) {
            let (mut plain, mut grown) = (RunColumn::default(), RunColumn::default());
            let mut packer = RunPacker::default();
            let mut buffer = [0; BUFFER_BYTES];
            let (mut notes, mut reported) = (Vec::new(), Vec::new());
            let (mut pc, mut end) = (100_000_i64, 7);
            plain.push(WarpState::Empty, 0, end);
            let mut last = (WarpState::Empty, 0);
            for (idx, (state, step, length)) in runs.iter().enumerate() {
                // Most instructions follow the previous one.
                pc += if step % 3 == 0 { *step } else { step % 2 };
                let next = (WarpState::ALL[*state], pc as u32);
                if next == last && next.0 != WarpState::Selected {
                    continue;
                }
                last = next;
                notes.push(Note::state(end, next.0, Pc(next.1)));
                end += if length % 4 == 0 { *length } else { 1 };
                plain.push(next.0, next.1, end);
                if notes.len() == NUM_NOTES || idx % cut == 0 {
                    packer.pack(&notes, &mut [], &mut buffer);
                    notes.clear();
                }
                if idx % cut == 0 {
                    flush(&mut packer, &mut grown, end, &mut reported);
                    prop_assert!(written(&plain) == written(&grown));
                }
            }
            packer.pack(&notes, &mut [], &mut buffer);
            flush(&mut packer, &mut grown, end, &mut reported);
            prop_assert!(written(&plain) == written(&grown));
            prop_assert!(reported.is_sorted() && reported.windows(2).all(|pair| pair[0].1 == pair[1].0));
        }

        #[test]
        fn shared_runs_equal_the_runs_of_a_single_slot(
            lengths in prop::collection::vec(1_u32..400, 2..600),
            joins in 0_usize..20,
            cut in 1_usize..200,
        ) {
            let states = [WarpState::NotSelected, WarpState::MioThrottle];
            let (mut one, mut other) = (RunPacker::default(), RunPacker::default());
            let mut groups = [SharedRuns::default()];
            let mut buffer = [0; BUFFER_BYTES];
            let first = [
                Note::state(3, WarpState::Selected, Pc(7)),
                Note::state(5, states[0], Pc(8)),
            ];
            let mut notes = first.to_vec();
            one.pack(&first, &mut groups, &mut buffer);
            groups[0].join(2, states[0]);
            let mut at = 5;
            for (idx, length) in lengths.iter().enumerate() {
                let state = states[idx % 2];
                if idx > 0 {
                    one.pack(&[Note::state(at, state, Pc(8))], &mut groups, &mut buffer);
                    groups[0].change(at, state);
                }
                // Before the join, the packer receives each change.
                if idx < joins && idx > 0 {
                    notes.push(Note::state(at, state, Pc(8)));
                } else if idx == joins {
                    notes.push(Note::state(at, state, Pc(8)));
                    notes.push(Note::join(at, 0, groups[0].join(at, state)));
                }
                at += if length % 4 == 0 { *length } else { 1 };
                if idx % cut == 0 {
                    other.pack(&notes, &mut groups, &mut buffer);
                    notes.clear();
                    other.count(at, &mut groups, &mut buffer);
                    groups[0].forget();
                }
            }
            notes.push(Note::state(at, WarpState::Selected, Pc(8)));
            one.pack(&[Note::state(at, WarpState::Selected, Pc(8))], &mut groups, &mut buffer);
            other.pack(&notes, &mut groups, &mut buffer);
            let written = [one, other].map(|mut packer| {
                let (mut head, mut bytes) = (Writer::default(), Writer::default());
                packer.flush(&mut head, &mut bytes);
                (head.bytes, bytes.bytes)
            });
            prop_assert!(written[0] == written[1]);
        }
    }
}
