//! A resident warp: registers, scoreboard, lane positions, and stall state.

use super::codec::coded;
use super::decode::{Code, Decoded, NUM_PREDICATES, READS_PER_BATCH, WRITES_PER_BATCH, copies_entry};
use super::divergence::Lanes;
use super::exec::{Registers, Row};
use super::image::{ImageReader, ImageWriter, Section};
use super::sm::Setup;
use super::view::{ScoreboardEntry, ScoreboardTarget};
use super::{WaitCause, WarpState};
use crate::ids::{BlockId, Cycle, Pc, WarpId};

/// A pending result.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Pending {
    pub(super) ready: u64,
    pub(super) issued: u64,
    pub(super) producer: u32,
    /// The stall state of a warp that reads the result.
    pub(super) state: WarpState,
}

/// The location of a warp's block.
#[derive(Clone, Copy, Debug)]
pub(super) struct BlockPlace {
    pub(super) block: BlockId,
    /// Index among the resident blocks.
    pub(super) place: usize,
    /// Coordinates in the grid.
    pub(super) index: [u32; 3],
}

/// A warp slot.
#[derive(Clone, Debug)]
pub(super) struct Warp {
    pub(super) resident: bool,
    pub(super) id: WarpId,
    pub(super) block: BlockId,
    /// Index among the resident blocks.
    pub(super) block_place: usize,
    pub(super) block_idx: [u32; 3],
    pub(super) place_in_block: u32,
    /// Lanes that hold a thread of the block.
    pub(super) valid: u32,
    pub(super) lanes: Lanes,
    pub(super) regs: Registers,
    /// Local memory: one row per word.
    pub(super) local: Vec<Row>,
    /// Pending results of registers, then predicates, then one entry that no instruction writes. Behind them, entry n is
    /// about all groups of copies but the newest n.
    pub(super) scoreboard: Vec<Pending>,
    /// The last landing of its copies that are not in a group yet.
    pub(super) open_copies: Pending,
    /// The cycle in which the last pending result arrives.
    pub(super) all_ready: u64,
    /// The warp is stalled in `resume_state` before this cycle.
    pub(super) resume_at: u64,
    pub(super) resume_state: WarpState,
    /// The block barrier at which the whole warp waits (before Volta).
    pub(super) barrier: Option<u8>,
    /// The cycle in which its last memory operation is acknowledged.
    pub(super) memory_done: u64,
    /// The cycle in which its loads have returned and its stores have left the SM. An exited warp then frees
    /// its slot.
    pub(super) drained: u64,
    /// Whether all lanes have exited.
    pub(super) exited: bool,
    /// On a machine without divergence: the lanes of a full warp that issues with idle lanes have filled.
    pub(super) filled: u8,
}

impl Warp {
    pub(super) fn empty(independent: bool) -> Self {
        Self {
            resident: false,
            id: WarpId(0),
            block: BlockId(0),
            block_place: 0,
            block_idx: [0; 3],
            place_in_block: 0,
            valid: 0,
            lanes: Lanes::new(0, independent),
            regs: Registers::new(0),
            local: Vec::new(),
            scoreboard: Vec::new(),
            open_copies: Pending::default(),
            all_ready: 0,
            resume_at: 0,
            resume_state: WarpState::Empty,
            barrier: None,
            memory_done: 0,
            drained: 0,
            exited: false,
            filled: 0,
        }
    }

    /// Starts a new warp in the slot. Buffers of the last warp are reused.
    pub(super) fn start(
        &mut self,
        setup: &Setup,
        id: WarpId,
        place: BlockPlace,
        warp_in_block: u32,
        valid: u32,
    ) {
        let num_registers = setup.code.num_registers;
        self.resident = true;
        self.id = id;
        self.block = place.block;
        self.block_place = place.place;
        self.block_idx = place.index;
        self.place_in_block = warp_in_block;
        self.valid = valid;
        self.lanes.restart(valid);
        self.regs.restart(num_registers);
        self.local.clear();
        let local_words = setup.local_bytes.div_ceil(4).next_multiple_of(4);
        self.local.resize(local_words as usize, [0; 32]);
        self.scoreboard.clear();
        let num_entries = copies_entry(num_registers, setup.code.num_copy_waits);
        self.scoreboard.resize(num_entries, Pending::default());
        self.open_copies = Pending::default();
        self.all_ready = 0;
        self.barrier = None;
        self.memory_done = 0;
        self.drained = 0;
        self.exited = false;
        self.filled = 0;
    }

    /// On a machine without divergence: whether an issue with these lanes costs nothing, because issues with idle lanes do
    /// not fill a warp yet. Lanes that have exited are idle, too. `fills` counts it.
    #[cold]
    pub(super) fn is_spared(&mut self, lanes: u32, fills: bool) -> bool {
        let (busy, full) = (lanes.count_ones() as u8, self.valid.count_ones() as u8);
        if busy >= full {
            return false;
        }
        let sum = self.filled + busy;
        let is_spared = sum < full;
        if fills {
            self.filled = if is_spared { sum } else { sum - full };
        }
        is_spared
    }

    /// The cycle in which its last matrix product of a fixed latency is ready, if that is after `now`.
    #[cold]
    pub(super) fn products_ready(&self, code: &Code, now: u64) -> u64 {
        let late = self.scoreboard.iter().filter(|pending| pending.ready > now);
        let products = late.filter(|pending| {
            let producer = code.instructions.get(pending.producer as usize);
            producer.is_some_and(Decoded::is_fixed_product)
        });
        products.map(|pending| pending.ready).max().unwrap_or(0)
    }

    /// Records a result that arrives at `ready`.
    #[inline(always)]
    pub(super) fn expect(&mut self, entries: &[u16], pending: Pending) {
        for entry in entries {
            self.scoreboard[usize::from(*entry)] = pending;
        }
        if !entries.is_empty() {
            self.all_ready = self.all_ready.max(pending.ready);
        }
    }

    /// Notes a copy, which lands in `copy.ready`.
    pub(super) fn note_copy(&mut self, copy: Pending) {
        if copy.ready >= self.open_copies.ready {
            self.open_copies = copy;
        }
        self.drained = self.drained.max(copy.ready);
    }

    /// Makes its copies since the last call a group.
    pub(super) fn commit_copies(&mut self) {
        let first = copies_entry(self.num_registers(), 0);
        let group = std::mem::take(&mut self.open_copies);
        let Some(groups) = self
            .scoreboard
            .get_mut(first..)
            .filter(|groups| !groups.is_empty())
        else {
            return;
        };
        groups.copy_within(..groups.len() - 1, 1.min(groups.len() - 1));
        // Groups complete in order.
        if group.ready > groups[0].ready {
            groups[0] = group;
        }
        self.all_ready = self.all_ready.max(groups[0].ready);
    }

    /// Merges the scoreboard of earlier loads with this instruction's: a warp that waits for one waits for
    /// all.
    pub(super) fn share_scoreboard(&mut self, earlier: &[u16], written: &[u16]) {
        let Some(last) = written.first() else { return };
        let ready = self.scoreboard[usize::from(*last)].ready;
        for entry in earlier {
            let pending = &mut self.scoreboard[usize::from(*entry)];
            pending.ready = pending.ready.max(ready);
        }
    }

    /// Delays fixed-latency results that are still pending at `now`.
    pub(super) fn delay(&mut self, entries: &[u16], now: u64, cycles: u64) {
        for (at, entry) in entries.iter().enumerate() {
            let pending = &mut self.scoreboard[usize::from(*entry)];
            if pending.ready > now && pending.state == WarpState::Wait && !entries[..at].contains(entry) {
                pending.ready += cycles;
                self.all_ready = self.all_ready.max(pending.ready);
            }
        }
    }

    /// The scoreboard entry that stalls an instruction the longest at `now`, if any: an operand that it
    /// reads, or a result that would be overwritten too late. Both lists are padded with the entry that no
    /// instruction writes.
    #[inline(always)]
    pub(super) fn hazard(
        &self,
        reads: &[[u16; READS_PER_BATCH]],
        writes: &[[u16; WRITES_PER_BATCH]],
        latency: u64,
        now: u64,
    ) -> Option<(u16, Pending)> {
        if self.all_ready <= now {
            return None;
        }
        let (mut worst, mut longest) = (0, now);
        for entry in reads.as_flattened() {
            let ready = self.scoreboard[usize::from(*entry)].ready;
            worst = if ready > longest { *entry } else { worst };
            longest = longest.max(ready);
        }
        for entry in writes.as_flattened() {
            let pending = &self.scoreboard[usize::from(*entry)];
            // Fixed-latency results are written in order.
            let early = if pending.state == WarpState::Wait {
                latency
            } else {
                0
            };
            let free = pending.ready.saturating_sub(early);
            worst = if free > longest { *entry } else { worst };
            longest = longest.max(free);
        }
        (longest > now).then(|| {
            let pending = Pending {
                ready: longest,
                ..self.scoreboard[usize::from(worst)]
            };
            (worst, pending)
        })
    }

    /// The cause of a stall on a scoreboard entry.
    pub(super) fn cause_of(&self, decoded: &Decoded, entry: u16, pending: Pending) -> WaitCause {
        let for_second = decoded.waits_for_second(entry);
        let (producer, issued, ready) = (
            Pc(pending.producer),
            Cycle(pending.issued),
            Some(Cycle(pending.ready)),
        );
        let num_registers = self.num_registers();
        if let Some(left) = usize::from(entry).checked_sub(copies_entry(num_registers, 0)) {
            return WaitCause::Copies {
                left: left as u8,
                producer,
                issued,
                ready,
            };
        }
        if usize::from(entry) < num_registers {
            WaitCause::Register {
                reg: entry as u8,
                producer,
                issued,
                ready,
                for_second,
                is_earliest: false,
            }
        } else {
            WaitCause::Predicate {
                pred: (usize::from(entry) - num_registers) as u8,
                producer,
                issued,
                ready,
                for_second,
            }
        }
    }

    pub(super) fn num_registers(&self) -> usize {
        self.regs.rows.len()
    }

    /// Results that are still pending at `now`.
    pub(super) fn pending(&self, now: u64) -> Vec<ScoreboardEntry> {
        let num_registers = self.num_registers();
        self.scoreboard
            .iter()
            .enumerate()
            .take(num_registers + NUM_PREDICATES)
            .filter(|(_, pending)| pending.ready > now)
            .map(|(idx, pending)| ScoreboardEntry {
                target: if idx < num_registers {
                    ScoreboardTarget::Register(idx as u8)
                } else {
                    ScoreboardTarget::Predicate((idx - num_registers) as u8)
                },
                producer: Pc(pending.producer),
                issued: Cycle(pending.issued),
                ready: Cycle(pending.ready),
                is_earliest: false,
                state: pending.state,
            })
            .collect()
    }
}

coded!(Pending {
    ready,
    issued,
    producer,
    state,
});

impl Warp {
    /// Writes the warp to an image. The lane positions, which vary in size, have a section of their own.
    pub(super) fn write_state(&self, slot: u64, to: &mut ImageWriter) {
        let Self {
            resident,
            id,
            block,
            block_place,
            block_idx,
            place_in_block,
            valid,
            lanes,
            regs: Registers { rows, preds },
            local,
            scoreboard,
            open_copies,
            all_ready,
            resume_at,
            resume_state,
            barrier,
            memory_done,
            drained,
            exited,
            filled,
        } = self;
        to.section(Section::Warp, slot, |to| {
            to.put(resident);
            to.put(&(*id, *block));
            to.put(block_place);
            to.put(block_idx);
            to.put(&(*place_in_block, *valid));
            to.put(rows);
            to.put(preds);
            to.put(local);
            to.put(scoreboard);
            to.put(open_copies);
            to.put(&(*all_ready, *resume_at));
            to.put(resume_state);
            to.put(&(barrier.is_some(), barrier.unwrap_or(0)));
            to.put(&(*memory_done, *drained));
            to.put(&(*exited, *filled));
        });
        to.put(Section::Lanes, slot, lanes);
    }

    /// Restores what [`Warp::write_state`] wrote.
    pub(super) fn read_state(&mut self, slot: u64, from: &mut ImageReader) {
        from.section(Section::Warp, slot, |from| {
            self.resident = from.get();
            (self.id, self.block) = from.get();
            self.block_place = from.get();
            self.block_idx = from.get();
            (self.place_in_block, self.valid) = from.get();
            self.regs.rows = from.get();
            self.regs.preds = from.get();
            self.local = from.get();
            self.scoreboard = from.get();
            self.open_copies = from.get();
            (self.all_ready, self.resume_at) = from.get();
            self.resume_state = from.get();
            let (waits, barrier) = from.get::<(bool, u8)>();
            self.barrier = waits.then_some(barrier);
            (self.memory_done, self.drained) = from.get();
            (self.exited, self.filled) = from.get();
        });
        from.get(Section::Lanes, slot, &mut self.lanes);
    }
}
