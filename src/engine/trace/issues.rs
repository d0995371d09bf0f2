//! Every issued instruction in order of time, packed into bytes.

use super::bytes::{Bytes, Stream, read_varint};
use crate::ids::{Cycle, LaneMask, Pc, SlotIdx};
use crate::sim::Issue;
use crate::sim::codec::{Coded, Reader, Writer, coded};

const ISSUES_PER_MARK: u32 = 64;
/// Issues that are packed at once.
const NUM_NOTES: usize = 512;

/// An instruction that a scheduler issued.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IssueRow {
    /// The issue cycle.
    pub cycle: Cycle,
    /// Slot of the warp.
    pub slot: SlotIdx,
    /// Scheduler index.
    pub scheduler: u8,
    /// Dispatch unit: 0, or 1 for the second instruction of a pair.
    pub dispatch: u8,
    /// The instruction.
    pub pc: Pc,
    /// Active lanes at this instruction.
    pub active: LaneMask,
    /// Active lanes whose guard predicate is true.
    pub executed: LaneMask,
    /// Whether this is a branch whose active lanes diverged.
    pub diverged: bool,
}

#[derive(Clone, Copy, Debug)]
struct Mark {
    cycle: u32,
    offset: u32,
}
coded!(Mark { cycle, offset });

/// Packs issues. Most take three or four bytes: only masks that are not full are stored.
#[derive(Clone, Debug, Default)]
pub(crate) struct IssuePacker {
    /// Issues that are not yet packed.
    notes: Vec<(u32, Issue)>,
    /// Bytes that were flushed before these.
    flushed: u32,
    bytes: Stream<{ 1 << 16 }>,
    marks: Vec<Mark>,
    num: u64,
    cycle: u32,
}

/// Packed issues.
#[derive(Clone, Debug, Default)]
pub(crate) struct IssueColumn {
    bytes: Vec<u8>,
    marks: Vec<Mark>,
    num: u64,
    /// The cycle of the last issue.
    cycle: u32,
}

const ACTIVE_PART: u8 = 1;
const EXECUTED_PART: u8 = 2;
const DIVERGED: u8 = 4;
const STEP_SHIFT: u8 = 3;
/// Longer steps than this are stored as a separate number.
const STEP_FAR: u32 = 31;

impl IssuePacker {
    /// Records an issue.
    #[inline(always)]
    pub(crate) fn push(&mut self, cycle: u32, issue: &Issue) {
        if self.notes.len() == self.notes.capacity() {
            self.make_room();
        }
        self.notes.push((cycle, *issue));
    }

    #[cold]
    fn make_room(&mut self) {
        self.pack();
        self.notes.reserve_exact(NUM_NOTES);
    }

    /// Packs the recorded issues.
    pub(crate) fn pack(&mut self) {
        let mut notes = std::mem::take(&mut self.notes);
        for (cycle, issue) in notes.drain(..) {
            self.pack_one(cycle, &issue);
        }
        self.notes = notes;
    }

    #[inline(always)]
    fn pack_one(&mut self, cycle: u32, issue: &Issue) {
        if self.num.is_multiple_of(u64::from(ISSUES_PER_MARK)) {
            self.set_mark();
        }
        let step = cycle - self.cycle;
        self.num += 1;
        self.cycle = cycle;
        let active_part = issue.active != LaneMask::FULL;
        let executed_part = issue.executed != issue.active;
        let mut head = (step.min(STEP_FAR) as u8) << STEP_SHIFT;
        head |= u8::from(active_part) * ACTIVE_PART;
        head |= u8::from(executed_part) * EXECUTED_PART;
        head |= u8::from(issue.diverged) * DIVERGED;
        let place = issue.scheduler << 1 | issue.dispatch;
        let (active, executed) = (u64::from(issue.active.0), u64::from(issue.executed.0));
        let masks = if active_part {
            active | executed << 32
        } else {
            executed
        };
        let num_masks = usize::from(active_part) + usize::from(executed_part);
        if step < STEP_FAR && issue.pc.0 < 0x80 {
            let first = u32::from_le_bytes([head, issue.slot.0 as u8, place, issue.pc.0 as u8]);
            // One number, whose last four bytes are never part of the encoding.
            let bytes = u128::from(first) | u128::from(masks) << 32;
            self.bytes.put(bytes.to_le_bytes(), 4 + 4 * num_masks);
        } else {
            self.push_far(head, step, issue, place);
            self.bytes.put(masks.to_le_bytes(), 4 * num_masks);
        }
    }

    #[inline(never)]
    fn push_far(&mut self, head: u8, step: u32, issue: &Issue, place: u8) {
        let mut bytes = Bytes::of(head);
        if step >= STEP_FAR {
            bytes.varint(u64::from(step));
        }
        bytes.push(issue.slot.0 as u8);
        bytes.push(place);
        bytes.varint(u64::from(issue.pc.0));
        let (bytes, len) = bytes.padded();
        self.bytes.put(bytes, len);
    }

    #[cold]
    fn set_mark(&mut self) {
        self.marks.push(Mark {
            cycle: self.cycle,
            offset: self.flushed + self.bytes.len() as u32,
        });
    }

    /// The number of issues so far.
    pub(crate) const fn num(&self) -> u64 {
        self.num + self.notes.len() as u64
    }

    /// The size in bytes of all issues so far in the trace.
    pub(crate) const fn num_bytes(&self) -> usize {
        num_bytes(self.flushed as usize + self.bytes.len(), self.num)
    }

    /// Flushes what was packed since the last flush.
    pub(crate) fn flush(&mut self, to: &mut Writer, bytes: &mut Writer) {
        self.pack();
        to.put(&self.marks);
        to.put(&self.num);
        bytes.bytes.reserve_exact(self.bytes.len());
        self.flushed += self.bytes.len() as u32;
        self.bytes.flush(bytes);
        self.marks.clear();
    }
}

const fn num_bytes(bytes: usize, num: u64) -> usize {
    bytes + num.div_ceil(ISSUES_PER_MARK as u64) as usize * size_of::<Mark>()
}

impl IssueColumn {
    /// The number of issues.
    pub(crate) const fn num(&self) -> u64 {
        self.num
    }

    pub(crate) fn num_bytes(&self) -> usize {
        num_bytes(self.bytes.len(), self.num)
    }

    /// Appends what [`IssuePacker::flush`] wrote, and reports each issue.
    pub(crate) fn append(&mut self, from: &mut Reader, bytes: &[u8], mut report: impl FnMut(&IssueRow)) {
        let first = self.bytes.len();
        self.bytes.extend_from_slice(bytes);
        for _ in 0..from.num(8) {
            self.marks.push(Coded::decode(from));
        }
        let mut issues = Issues {
            bytes: &self.bytes,
            offset: first,
            cycle: self.cycle,
        };
        for row in issues.by_ref() {
            self.num += 1;
            report(&row);
        }
        self.cycle = issues.cycle;
        if from.get::<u64>() != self.num {
            from.damage();
        }
    }

    /// Writes the whole column.
    pub(crate) fn write(&self, to: &mut Writer) {
        to.raw(&self.bytes);
        to.put(&self.marks);
        to.put(&self.num);
    }

    pub(crate) fn shrink(&mut self) {
        self.bytes.shrink_to_fit();
        self.marks.shrink_to_fit();
    }

    fn iter_mark(&self, mark: usize) -> Issues<'_> {
        let (offset, cycle) = self
            .marks
            .get(mark)
            .map_or((self.bytes.len(), 0), |mark| (mark.offset as usize, mark.cycle));
        Issues {
            bytes: &self.bytes,
            offset,
            cycle,
        }
    }

    /// The last mark that precedes all issues of `cycle` and later. A mark holds the cycle of the issue
    /// before it, so issues of one cycle can be on both sides of the mark.
    fn mark_before(&self, cycle: Cycle) -> usize {
        self.marks
            .partition_point(|mark| u64::from(mark.cycle) < cycle.0)
            .saturating_sub(1)
    }

    /// Issues from `cycle` on.
    pub(crate) fn from(&self, cycle: Cycle) -> impl Iterator<Item = IssueRow> + '_ {
        self.iter_mark(self.mark_before(cycle))
            .skip_while(move |row| row.cycle < cycle)
    }

    /// The cycle of an issue by its index in order of time.
    pub(crate) fn cycle_of(&self, idx: u64) -> Option<Cycle> {
        let marks = u64::from(ISSUES_PER_MARK);
        let mut issues = self.iter_mark((idx / marks) as usize);
        Some(issues.nth((idx % marks) as usize)?.cycle)
    }

    /// The number of issues before a cycle.
    pub(crate) fn num_before(&self, cycle: Cycle) -> u64 {
        let mark = self.mark_before(cycle);
        let within = self.iter_mark(mark).take_while(|row| row.cycle < cycle).count();
        mark as u64 * u64::from(ISSUES_PER_MARK) + within as u64
    }

    /// The last issue before `cycle` that satisfies `wanted`.
    pub(crate) fn last_before(&self, cycle: Cycle, wanted: impl Fn(&IssueRow) -> bool) -> Option<IssueRow> {
        let mut mark = self.mark_before(cycle);
        loop {
            let found = self
                .iter_mark(mark)
                .take(ISSUES_PER_MARK as usize)
                .take_while(|row| row.cycle < cycle)
                .filter(&wanted)
                .last();
            if found.is_some() || mark == 0 {
                return found;
            }
            mark -= 1;
        }
    }
}

struct Issues<'a> {
    bytes: &'a [u8],
    offset: usize,
    cycle: u32,
}

impl Issues<'_> {
    fn byte(&mut self) -> u8 {
        let byte = self.bytes.get(self.offset).copied().unwrap_or(0);
        self.offset += 1;
        byte
    }

    fn mask(&mut self) -> LaneMask {
        LaneMask(u32::from_le_bytes([
            self.byte(),
            self.byte(),
            self.byte(),
            self.byte(),
        ]))
    }
}

impl Iterator for Issues<'_> {
    type Item = IssueRow;

    #[inline]
    fn next(&mut self) -> Option<IssueRow> {
        if self.offset >= self.bytes.len() {
            return None;
        }
        let head = self.byte();
        let mut step = u32::from(head >> STEP_SHIFT);
        if step >= STEP_FAR {
            step = read_varint(self.bytes, &mut self.offset) as u32;
        }
        self.cycle = self.cycle.wrapping_add(step);
        let slot = self.byte();
        let place = self.byte();
        let pc = read_varint(self.bytes, &mut self.offset) as u32;
        let active = if head & ACTIVE_PART == 0 {
            LaneMask::FULL
        } else {
            self.mask()
        };
        let executed = if head & EXECUTED_PART == 0 {
            active
        } else {
            self.mask()
        };
        Some(IssueRow {
            cycle: Cycle(self.cycle.into()),
            slot: SlotIdx(slot.into()),
            scheduler: place >> 1,
            dispatch: place & 1,
            pc: Pc(pc),
            active,
            executed,
            diverged: head & DIVERGED != 0,
        })
    }
}
