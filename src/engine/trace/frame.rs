//! One cycle of a run, as views query it.

use std::cell::OnceCell;

use super::Trace;
use super::record::Record;
use super::runs::Run;
use super::snapshot::Snapshot;
use crate::arch::{Architecture, Banks};
use crate::ids::{BlockId, Cycle, LaneMask, Pc, SlotIdx, WarpId};
use crate::isa::Instruction;
use crate::sim::view::WarpView;
use crate::sim::{WaitCause, WarpState};

/// One cycle of a trace. Creating a frame is cheap; the machine is replayed only when it is queried.
#[derive(Debug)]
pub struct Frame<'t> {
    trace: &'t Trace,
    cycle: Cycle,
    snapshot: OnceCell<Snapshot>,
}

impl<'t> Frame<'t> {
    pub(super) const fn new(trace: &'t Trace, cycle: Cycle) -> Self {
        Self {
            trace,
            cycle,
            snapshot: OnceCell::new(),
        }
    }

    /// The machine at the end of this cycle, by replay.
    pub fn snapshot(&self) -> &Snapshot {
        self.snapshot.get_or_init(|| self.trace.snapshot(self.cycle))
    }

    /// The cycle.
    pub const fn cycle(&self) -> Cycle {
        self.cycle
    }

    /// The trace.
    pub const fn trace(&self) -> &'t Trace {
        self.trace
    }

    /// The columns of the trace.
    pub fn record(&self) -> &'t Record {
        self.trace
    }

    /// The architecture that was simulated.
    pub const fn arch(&self) -> &'static Architecture {
        self.trace.arch()
    }

    /// The run of equal states that contains this cycle, for a slot.
    pub fn run(&self, slot: SlotIdx) -> Option<Run> {
        self.trace.run_at(slot, self.cycle)
    }

    /// A slot's state.
    pub fn state(&self, slot: SlotIdx) -> WarpState {
        self.run(slot).map_or(WarpState::Empty, |run| run.state)
    }

    /// The warp in a slot.
    pub fn warp(&self, slot: SlotIdx) -> Option<WarpId> {
        self.trace.warp_at(slot, self.cycle)
    }

    /// The block of the warp in a slot.
    pub fn block(&self, slot: SlotIdx) -> Option<BlockId> {
        self.warp(slot)?;
        self.trace.block_at(slot, self.cycle)
    }

    /// The name of the slot's warp, such as `W07`; the last warp if it has finished, and `–` if there was
    /// none.
    pub fn warp_name(&self, slot: SlotIdx) -> String {
        self.trace
            .tenancy(slot, self.cycle)
            .map_or_else(|| "–".to_owned(), |(_, warp)| format!("W{:02}", warp.0))
    }

    /// The scheduler of a slot.
    pub fn scheduler(&self, slot: SlotIdx) -> u8 {
        (usize::from(slot.0) % self.trace.num_schedulers().max(1)) as u8
    }

    /// A line of the source in words: `line 12`, or `line 12 of reduce.cuh`.
    pub fn line_text(&self, line: u32) -> String {
        self.trace.program().line_text(line)
    }

    /// An instruction of the program.
    pub fn instruction(&self, pc: Pc) -> Option<&'t Instruction> {
        self.trace.program().code.get(pc.0 as usize)
    }

    /// Mnemonic of a slot's next instruction; empty if there is none.
    pub fn opcode(&self, slot: SlotIdx) -> String {
        match self.run(slot) {
            Some(run) if run.state != WarpState::Empty => self.mnemonic(run.pc),
            _ => String::new(),
        }
    }

    /// Mnemonic of an instruction.
    pub fn mnemonic(&self, pc: Pc) -> String {
        self.instruction(pc)
            .map_or_else(String::new, |instruction| instruction.op.mnemonic(self.arch().id))
    }

    /// The configuration of shared memory banks in this run.
    pub fn banks(&self) -> Banks {
        self.arch().memory.banks(self.trace.options().bank_size)
    }

    /// The letter of an instruction on the timeline.
    pub fn letter(&self, pc: Pc) -> String {
        self.instruction(pc)
            .map_or_else(String::new, |instruction| instruction.letter().to_string())
    }

    fn view(&self, slot: SlotIdx) -> Option<&WarpView> {
        self.snapshot().warps.iter().find(|view| view.slot == slot)
    }

    /// The cause of the stall of the warp in a slot.
    pub fn cause(&self, slot: SlotIdx) -> WaitCause {
        self.view(slot).map_or(WaitCause::None, |view| view.cause)
    }

    /// Lanes of a slot's warp at its next instruction.
    pub fn active_lanes(&self, slot: SlotIdx) -> Option<LaneMask> {
        self.view(slot).map(|view| view.active)
    }

    /// Lanes of a slot's warp at its next instruction; empty if the slot is empty.
    pub fn lanes_of(&self, slot: SlotIdx) -> LaneMask {
        self.active_lanes(slot).unwrap_or(LaneMask::EMPTY)
    }
}
