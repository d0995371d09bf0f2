//! The record of a run, and the queries that need no machine.

use std::ops::Range;
use std::sync::{Mutex, PoisonError};

use super::accesses::{AccessFamily, AccessRow};
use super::columns::Columns;
use super::density::DensityColumn;
use super::issues::IssueRow;
use super::levels::SlotLevels;
use super::pc_states::PcStates;
use super::range::LastRange;
use super::recorder::{BarrierRelease, BlockSpan, Reconvergence};
use super::runs::{Run, StateCycles};
use super::tally::PcTally;
use super::wire::Opened;
use crate::ids::{BlockId, Cycle, Pc, SlotIdx, WarpId};
use crate::printf::Printed;
use crate::sim::WarpState;
use crate::sim::codec::Writer;

const NUM_STATES: usize = WarpState::ALL.len();
/// Ranges of at most this many cycles are summed directly.
const SUMMED_CYCLES: u64 = 1 << 14;

/// The direction of a search from a cycle. The cycle itself is never a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// Toward later cycles.
    Forward,
    /// Toward earlier cycles.
    Backward,
}

/// The columns of a run, as far as it was simulated. Queries of cycle 0 to the last cycle return the same
/// results as the complete run.
#[derive(Debug)]
pub struct Record {
    columns: Columns,
    /// The levels of each slot.
    levels: Vec<SlotLevels>,
    end: Cycle,
    num_schedulers: usize,
    issue_interval: u64,
    /// Computed on first use, then extended.
    pc_states: Mutex<PcStates>,
    last_range: LastRange,
}

impl Record {
    /// Creates the record of a run before its first cycle, on an SM whose schedulers issue at most once in
    /// `issue_interval` cycles.
    pub(crate) fn new(
        num_slots: usize,
        num_instructions: usize,
        num_schedulers: usize,
        issue_interval: u64,
    ) -> Self {
        Self {
            columns: Columns::new(num_slots, num_instructions),
            levels: vec![SlotLevels::default(); num_slots],
            end: Cycle(0),
            num_schedulers,
            issue_interval: issue_interval.max(1),
            pc_states: Mutex::new(PcStates::new(num_instructions)),
            last_range: LastRange::default(),
        }
    }

    /// Appends what a recorder flushed at cycle `end`.
    pub(crate) fn append(&mut self, end: Cycle, from: &mut Opened) {
        if end < self.end {
            from.head.damage();
            return;
        }
        self.columns.append(end, from, &mut self.levels);
        self.end = end;
    }

    /// The cached counters of the last queried range.
    pub(crate) const fn last_range(&self) -> &LastRange {
        &self.last_range
    }

    /// Writes all columns. Equal runs have equal bytes, however they were appended.
    pub(crate) fn write(&self, to: &mut Writer) {
        to.put(&self.end);
        self.columns.write(to);
    }

    /// Releases the unused capacity of the columns of a complete run.
    pub(crate) fn shrink(&mut self) {
        self.columns.shrink();
    }

    /// The number of cycles so far: cycles 0 to `num_cycles() - 1` are simulated.
    pub const fn num_cycles(&self) -> u64 {
        self.end.0
    }

    /// The last cycle (0 for an empty run).
    pub const fn last_cycle(&self) -> Cycle {
        Cycle(self.end.0.saturating_sub(1))
    }

    /// Warp slots of the SM.
    pub fn num_slots(&self) -> usize {
        self.columns.runs.len()
    }

    /// Schedulers of the SM.
    pub const fn num_schedulers(&self) -> usize {
        self.num_schedulers
    }

    /// Cycles per issue slot of a scheduler.
    pub const fn issue_interval(&self) -> u64 {
        self.issue_interval
    }

    /// Issue slots of all schedulers in `cycles` cycles.
    pub const fn issue_slots(&self, cycles: u64) -> u64 {
        cycles * self.num_schedulers as u64 / self.issue_interval
    }

    /// Warp instructions issued.
    pub const fn num_issues(&self) -> u64 {
        self.columns.issues.num()
    }

    /// Scheduler-cycles with an issue.
    pub const fn issue_cycles(&self) -> u64 {
        self.columns.issue_cycles
    }

    /// Warps that became resident.
    pub const fn warps_launched(&self) -> u64 {
        self.columns.warps_launched
    }

    /// The size of the columns in bytes.
    pub fn num_bytes(&self) -> usize {
        let levels = self.levels.iter().map(SlotLevels::num_bytes);
        self.columns.num_bytes() + levels.sum::<usize>()
    }

    // ---- slots

    /// The run of a slot that contains `cycle`.
    pub fn run_at(&self, slot: SlotIdx, cycle: Cycle) -> Option<Run> {
        self.columns.runs.get(usize::from(slot.0))?.at(cycle)
    }

    /// Runs of a slot, from the one that contains `cycle` on.
    pub fn runs_from(&self, slot: SlotIdx, cycle: Cycle) -> impl Iterator<Item = Run> + '_ {
        self.columns
            .runs
            .get(usize::from(slot.0))
            .into_iter()
            .flat_map(move |column| column.from(cycle))
    }

    /// The warp in a slot at `cycle`; `None` between the end of a warp and the start of the next.
    pub fn warp_at(&self, slot: SlotIdx, cycle: Cycle) -> Option<WarpId> {
        let run = self.run_at(slot, cycle)?;
        if run.state == WarpState::Empty {
            return None;
        }
        self.tenancy(slot, cycle).map(|(_, warp)| warp)
    }

    /// The warps of each slot, each with its first cycle.
    pub(crate) fn tenancies(&self) -> &[Vec<(Cycle, WarpId)>] {
        &self.columns.warps
    }

    /// The slot's last warp at or before `cycle`, and its first cycle.
    pub fn tenancy(&self, slot: SlotIdx, cycle: Cycle) -> Option<(Cycle, WarpId)> {
        let warps = self.columns.warps.get(usize::from(slot.0))?;
        let at = warps.partition_point(|(start, _)| *start <= cycle);
        at.checked_sub(1).map(|at| warps[at])
    }

    /// The slot and first cycle of a warp.
    pub fn slot_of(&self, warp: WarpId) -> Option<(SlotIdx, Cycle)> {
        self.columns.warps.iter().enumerate().find_map(|(slot, warps)| {
            warps
                .iter()
                .find(|(_, held)| *held == warp)
                .map(|(start, _)| (SlotIdx(slot as u16), *start))
        })
    }

    /// The nearest state change of a slot: the start of a run.
    pub fn change(&self, slot: SlotIdx, from: Cycle, direction: Direction) -> Option<Run> {
        self.run_where(slot, from, direction, |_| true)
    }

    /// The nearest run of a slot in one of `states` that starts after (or before) `from`.
    pub fn state_start(
        &self,
        slot: SlotIdx,
        from: Cycle,
        direction: Direction,
        states: &[WarpState],
    ) -> Option<Run> {
        self.run_where(slot, from, direction, |run| states.contains(&run.state))
    }

    fn run_where(
        &self,
        slot: SlotIdx,
        from: Cycle,
        direction: Direction,
        wanted: impl Fn(&Run) -> bool,
    ) -> Option<Run> {
        let column = self.columns.runs.get(usize::from(slot.0))?;
        match direction {
            Direction::Forward => column.from(from).find(|run| run.start > from && wanted(run)),
            Direction::Backward => column.last_before(from, wanted),
        }
    }

    /// Cycles by state in `from..to`, of one slot or (with `None`) of all slots.
    pub fn states_between(&self, slot: Option<SlotIdx>, from: Cycle, to: Cycle) -> StateCycles {
        let mut states = StateCycles::default();
        let columns = match slot {
            Some(slot) => {
                let at = usize::from(slot.0).min(self.columns.runs.len());
                &self.columns.runs[at..(at + 1).min(self.columns.runs.len())]
            }
            None => &self.columns.runs,
        };
        for column in columns {
            let (late, early) = (column.states_before(to), column.states_before(from));
            for (sum, (late, early)) in states.iter_mut().zip(late.iter().zip(early)) {
                *sum += late.saturating_sub(early);
            }
        }
        states
    }

    // ---- issues

    /// Issues from `cycle` on.
    pub fn issues_from(&self, cycle: Cycle) -> impl Iterator<Item = IssueRow> + '_ {
        self.columns.issues.from(cycle)
    }

    /// Issues of one cycle.
    pub fn issues_at(&self, cycle: Cycle) -> impl Iterator<Item = IssueRow> + '_ {
        self.issues_from(cycle).take_while(move |row| row.cycle == cycle)
    }

    /// The cycle of an issue by its index in order of time, from 0.
    pub fn cycle_of_issue(&self, idx: u64) -> Option<Cycle> {
        self.columns.issues.cycle_of(idx)
    }

    /// The number of issues before a cycle.
    pub fn issues_before(&self, cycle: u64) -> u64 {
        self.columns.issues.num_before(Cycle(cycle))
    }

    /// The nearest issue, of one slot or of any slot.
    pub fn issue(&self, from: Cycle, direction: Direction, slot: Option<SlotIdx>) -> Option<IssueRow> {
        let wanted = |row: &IssueRow| slot.is_none_or(|slot| row.slot == slot);
        match direction {
            Direction::Forward => self.issues_from(Cycle(from.0 + 1)).find(wanted),
            Direction::Backward => self.columns.issues.last_before(from, wanted),
        }
    }

    /// The last issue before a cycle that a condition accepts.
    pub fn last_issue(&self, before: Cycle, accepts: impl Fn(&IssueRow) -> bool) -> Option<IssueRow> {
        self.columns.issues.last_before(before, accepts)
    }

    /// The first and last issue of an instruction; `None` if it never issued.
    pub fn issue_span(&self, pc: Pc) -> Option<(Cycle, Cycle)> {
        self.columns.issue_spans.get(pc.0 as usize).copied().flatten()
    }

    /// The nearest issue of any of the given instructions.
    pub fn issue_of(&self, from: Cycle, direction: Direction, pcs: &[Pc]) -> Option<IssueRow> {
        // There are no issues outside the first and last one.
        let mut spans = pcs.iter().filter_map(|pc| self.issue_span(*pc));
        let wanted = |row: &IssueRow| pcs.contains(&row.pc);
        match direction {
            Direction::Forward => {
                spans.any(|(_, last)| last > from).then_some(())?;
                self.issues_from(Cycle(from.0 + 1)).find(wanted)
            }
            Direction::Backward => {
                spans.any(|(first, _)| first < from).then_some(())?;
                self.columns.issues.last_before(from, wanted)
            }
        }
    }

    /// The nearest issue of any of the given instructions by a slot, or by any slot.
    pub fn issue_by(
        &self,
        from: Cycle,
        direction: Direction,
        slot: Option<SlotIdx>,
        pcs: &[Pc],
    ) -> Option<IssueRow> {
        let spans = || pcs.iter().filter_map(|pc| self.issue_span(*pc));
        let wanted = |row: &IssueRow| pcs.contains(&row.pc) && slot.is_none_or(|slot| row.slot == slot);
        // There are no issues outside the first and last one.
        match direction {
            Direction::Forward => {
                let first = spans().map(|(first, _)| first).min()?;
                self.issues_from(first.max(Cycle(from.0 + 1))).find(wanted)
            }
            Direction::Backward => {
                let last = spans().map(|(_, last)| last).max()?;
                self.columns
                    .issues
                    .last_before(from.min(Cycle(last.0 + 1)), wanted)
            }
        }
    }

    /// The nearest start of a stall: the first cycle in which a scheduler (any, or the given one) could have
    /// issued again after an issue, but did not. The start of the run counts if nothing issues there.
    pub fn stall(&self, from: Cycle, direction: Direction, scheduler: Option<u8>) -> Option<Cycle> {
        let wanted = |row: &IssueRow| scheduler.is_none_or(|scheduler| row.scheduler == scheduler);
        let step = self.issue_interval;
        match direction {
            Direction::Forward => {
                let before = Cycle((from.0 + 1).saturating_sub(step));
                let mut idle = None;
                for row in self.issues_from(before).filter(wanted) {
                    if idle.is_some_and(|idle| row.cycle.0 > idle && idle > from.0) {
                        break;
                    }
                    idle = Some(row.cycle.0 + step);
                }
                idle.filter(|idle| *idle > from.0 && *idle < self.end.0)
                    .map(Cycle)
            }
            Direction::Backward => {
                let mut later = from.0;
                loop {
                    let row = self.columns.issues.last_before(Cycle(later), wanted);
                    let Some(row) = row else {
                        return (later > 0).then_some(Cycle(0));
                    };
                    let idle = row.cycle.0 + step;
                    if idle < later {
                        return Some(Cycle(idle));
                    }
                    later = row.cycle.0;
                }
            }
        }
    }

    /// The use of each scheduler's last 32 issue slots up to `cycle`; bit 0 is the newest.
    pub fn issue_bits(&self, cycle: Cycle) -> Vec<u32> {
        let mut bits = vec![0; self.num_schedulers];
        let start = Cycle(cycle.0.saturating_sub(32 * self.issue_interval - 1));
        for row in self.issues_from(start).take_while(|row| row.cycle <= cycle) {
            if let Some(bits) = bits.get_mut(usize::from(row.scheduler)) {
                *bits |= 1u32 << ((cycle.0 - row.cycle.0) / self.issue_interval);
            }
        }
        bits
    }

    // ---- memory accesses

    /// The number of memory accesses.
    pub const fn num_accesses(&self) -> usize {
        self.columns.accesses.len()
    }

    /// The index of the first memory access that its unit accepted at or after a cycle.
    pub fn first_access_at(&self, cycle: Cycle) -> u32 {
        self.columns.accesses.first_accepted(cycle)
    }

    /// A memory access by its index.
    pub fn access(&self, idx: u32) -> Option<AccessRow> {
        self.columns.accesses.row(idx)
    }

    /// A family's accesses in order of their start.
    pub fn accesses_of(&self, family: AccessFamily) -> &[u32] {
        self.columns.accesses.by_start(family)
    }

    /// The position of an access in its family's order by start.
    pub fn access_place(&self, idx: u32) -> Option<usize> {
        self.columns.accesses.place(idx)
    }

    /// The last access of a family that starts at or before `cycle`.
    pub fn access_before(&self, family: AccessFamily, cycle: Cycle) -> Option<u32> {
        let started = self.columns.accesses.started(family, cycle);
        Some(self.accesses_of(family)[started.checked_sub(1)?])
    }

    /// The first access of a family that starts after `cycle`.
    pub fn access_after(&self, family: AccessFamily, cycle: Cycle) -> Option<u32> {
        let started = self.columns.accesses.started(family, cycle);
        self.accesses_of(family).get(started).copied()
    }

    /// The last shared memory access that starts at or before `cycle`.
    pub fn shared_access_before(&self, cycle: Cycle) -> Option<u32> {
        self.access_before(AccessFamily::Shared, cycle)
    }

    /// The first shared memory access that starts after `cycle`.
    pub fn shared_access_after(&self, cycle: Cycle) -> Option<u32> {
        self.access_after(AccessFamily::Shared, cycle)
    }

    /// The shared memory access in service at `cycle`, at `pass_cycles` cycles per wavefront.
    pub fn shared_access_at(&self, cycle: Cycle, pass_cycles: u64) -> Option<u32> {
        let idx = self.shared_access_before(cycle)?;
        let row = self.access(idx)?;
        let busy = u64::from(row.wavefronts.max(1)) * pass_cycles.max(1);
        (cycle.0 < row.started.0 + busy).then_some(idx)
    }

    /// The shared memory access that the warp in a slot issued at a cycle.
    pub fn shared_access_issued(&self, slot: SlotIdx, issued: Cycle) -> Option<(u32, AccessRow)> {
        let of_slot = self.columns.accesses.of_slot(slot);
        let after = of_slot.partition_point(|idx| self.access(*idx).is_some_and(|row| row.issued <= issued));
        let rows = of_slot[..after]
            .iter()
            .rev()
            .map_while(|idx| Some((*idx, self.access(*idx)?)));
        // A generic access can also have parts in other spaces.
        rows.take_while(|(_, row)| row.issued == issued)
            .find(|(_, row)| row.kind.is_shared())
    }

    /// The last access of a slot that issued at or before `cycle`.
    pub fn access_of_slot(&self, slot: SlotIdx, cycle: Cycle) -> Option<u32> {
        let of_slot = self.columns.accesses.of_slot(slot);
        let at = of_slot.partition_point(|idx| self.access(*idx).is_some_and(|row| row.issued <= cycle));
        at.checked_sub(1).map(|at| of_slot[at])
    }

    /// Accesses in flight at `cycle`: issued, and not yet done. Only accesses that were accepted in the last
    /// `window` cycles are considered.
    pub fn accesses_in_flight(
        &self,
        cycle: Cycle,
        window: u64,
    ) -> impl Iterator<Item = (u32, AccessRow)> + '_ {
        let first = self
            .columns
            .accesses
            .first_accepted(Cycle(cycle.0.saturating_sub(window)));
        (first..self.num_accesses() as u32)
            .filter_map(|idx| self.access(idx).map(|row| (idx, row)))
            .take_while(move |(_, row)| row.accepted <= cycle)
            .filter(move |(_, row)| row.issued <= cycle && row.done > cycle)
    }

    // ---- blocks and the rest

    /// Blocks in the order in which they became resident.
    pub fn blocks(&self) -> &[BlockSpan] {
        &self.columns.blocks
    }

    /// Blocks that are resident at `cycle`.
    pub fn blocks_at(&self, cycle: Cycle) -> impl Iterator<Item = &BlockSpan> + '_ {
        self.columns
            .blocks
            .iter()
            .take_while(move |span| span.started <= cycle)
            .filter(move |span| span.finished.is_none_or(|finished| finished > cycle))
    }

    /// The block of a warp in a slot.
    pub fn block_at(&self, slot: SlotIdx, cycle: Cycle) -> Option<BlockId> {
        self.columns
            .blocks
            .iter()
            .rev()
            .find(|span| span.started <= cycle && span.slots.contains(&slot))
            .map(|span| span.block)
    }

    /// Barrier releases in order of time.
    pub fn barrier_releases(&self) -> &[BarrierRelease] {
        &self.columns.barriers
    }

    /// The output of `printf` in order of time; within a call of a warp, in lane order.
    pub fn printed(&self) -> &[Printed] {
        &self.columns.printed
    }

    /// Reconvergences in order of time.
    pub fn reconvergences(&self) -> &[Reconvergence] {
        &self.columns.reconvergences
    }

    /// Totals of an instruction.
    pub fn tally(&self, pc: Pc) -> Option<&PcTally> {
        self.columns.tallies.get(pc.0 as usize)
    }

    /// Totals of all instructions, by pc.
    pub fn tallies(&self) -> &[PcTally] {
        &self.columns.tallies
    }

    /// Totals of the whole program.
    pub fn total(&self) -> PcTally {
        let mut sum = PcTally::default();
        for tally in &self.columns.tallies {
            sum.merge(tally);
        }
        sum
    }

    /// Warp cycles in `from..to` by state for each instruction that was the next one of its warp.
    pub fn pc_states_between(&self, from: Cycle, to: Cycle) -> Vec<StateCycles> {
        let num = self.columns.tallies.len();
        let to = Cycle(to.0.min(self.end.0));
        let from = Cycle(from.0.min(to.0));
        if from.0 == 0 && to == self.end {
            return self.columns.tallies.iter().map(|tally| tally.states).collect();
        }
        if to.0 - from.0 <= SUMMED_CYCLES {
            let mut sums = vec![StateCycles::default(); num];
            self.add_pc_states(from, to, &mut sums);
            return sums;
        }
        let mut points = self.pc_states.lock().unwrap_or_else(PoisonError::into_inner);
        points.reach(to, |from, to, sums| self.add_pc_states(from, to, sums));
        let up_to = |cycle: Cycle| {
            let (at, sums) = points.before(cycle);
            let mut sums = sums.map_or_else(|| vec![StateCycles::default(); num], <[_]>::to_vec);
            self.add_pc_states(at, cycle, &mut sums);
            sums
        };
        let mut sums = vec![StateCycles::default(); num];
        if points.before(from).0 == points.before(to).0 {
            self.add_pc_states(from, to, &mut sums);
            return sums;
        }
        let (early, late) = (up_to(from), up_to(to));
        for (sum, (late, early)) in sums.iter_mut().zip(late.iter().zip(&early)) {
            for (state, cycles) in sum.iter_mut().enumerate() {
                *cycles = late[state] - early[state];
            }
        }
        sums
    }

    /// Computes the next cumulative point for [`Record::pc_states_between`], which otherwise computes the
    /// points on its first call. Returns whether there was a point to compute.
    pub fn count_ahead(&self) -> bool {
        let mut points = self.pc_states.lock().unwrap_or_else(PoisonError::into_inner);
        let next = points.next();
        if next > self.end {
            return false;
        }
        points.reach(next, |from, to, sums| self.add_pc_states(from, to, sums));
        true
    }

    /// Adds the warp cycles of a range to those of each instruction.
    fn add_pc_states(&self, from: Cycle, to: Cycle, sums: &mut [StateCycles]) {
        for column in &self.columns.runs {
            for run in column.from(from).take_while(|run| run.start < to) {
                let cycles = run.end.0.min(to.0).saturating_sub(run.start.0.max(from.0));
                if let Some(sum) = sums.get_mut(run.pc.0 as usize)
                    && run.state != WarpState::Empty
                {
                    sum[run.state as usize] += cycles;
                }
            }
        }
    }

    // ---- density

    /// The use of warp slots and issue slots in `num` equal buckets of `from..to`. The bounds of buckets
    /// longer than two grid steps are rounded to grid points; each column holds its actual bounds.
    pub fn density(&self, from: Cycle, to: Cycle, num: usize) -> Vec<DensityColumn> {
        let to = Cycle(to.0.min(self.end.0));
        let span = to.0.saturating_sub(from.0);
        if num == 0 || span == 0 {
            return Vec::new();
        }
        // Cycles have 32 bits, so the product does not overflow.
        let at = |idx: usize| Cycle(from.0 + span * idx as u64 / num as u64);
        if span / num as u64 >= 2 * self.columns.density.grid_cycles() {
            return (0..num)
                .map(|idx| self.columns.density.between(at(idx), at(idx + 1), self.end))
                .collect();
        }
        self.density_exact(from, to, num, at)
    }

    /// Shares of the states of one slot in buckets of 2^shift cycles, numbered from the start of the run,
    /// indexed by state. They come from precomputed rows with a resolution of 1/255, or are exact for short
    /// buckets. The previous contents of `shares` are dropped.
    pub fn slot_buckets(
        &self,
        slot: SlotIdx,
        shift: u32,
        buckets: Range<u64>,
        shares: &mut Vec<[f32; NUM_STATES]>,
    ) {
        shares.clear();
        shares.resize((buckets.end - buckets.start) as usize, [0.0; NUM_STATES]);
        let Some(levels) = self.levels.get(usize::from(slot.0)) else {
            return;
        };
        if levels.add_shares(shift, buckets.clone(), shares) {
            return;
        }
        let scale = 1.0 / (1u64 << shift) as f32;
        let (from, to) = (buckets.start << shift, buckets.end << shift);
        for run in self
            .runs_from(slot, Cycle(from))
            .take_while(|run| run.start.0 < to)
        {
            let (mut at, end) = (run.start.0.max(from), run.end.0.min(to));
            while at < end {
                let bucket = at >> shift;
                let next = ((bucket + 1) << shift).min(end);
                shares[(bucket - buckets.start) as usize][run.state as usize] += (next - at) as f32 * scale;
                at = next;
            }
        }
    }

    fn density_exact(
        &self,
        from: Cycle,
        to: Cycle,
        num: usize,
        at: impl Fn(usize) -> Cycle,
    ) -> Vec<DensityColumn> {
        let mut columns: Vec<DensityColumn> = (0..num)
            .map(|idx| DensityColumn {
                start: at(idx),
                end: at(idx + 1),
                ..DensityColumn::default()
            })
            .collect();
        let span = to.0 - from.0;
        // The index of the last bucket that starts at or before a cycle.
        let bucket = |cycle: u64| {
            let mut idx = (u128::from(cycle - from.0) * num as u128 / u128::from(span)) as usize;
            while idx + 1 < num && at(idx + 1).0 <= cycle {
                idx += 1;
            }
            idx.min(num - 1)
        };
        for runs in &self.columns.runs {
            for run in runs.from(from).take_while(|run| run.start < to) {
                let (mut cycle, end) = (run.start.0.max(from.0), run.end.0.min(to.0));
                while cycle < end {
                    let column = &mut columns[bucket(cycle)];
                    let next = column.end.0.max(cycle + 1).min(end);
                    column.states[run.state as usize] += next - cycle;
                    cycle = next;
                }
            }
        }
        for row in self.issues_from(from).take_while(|row| row.cycle < to) {
            if row.dispatch == 0 {
                columns[bucket(row.cycle.0)].issue_cycles += 1;
            }
        }
        columns
    }
}
