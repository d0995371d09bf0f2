//! Functions of the device library that are one instruction here: `printf` and failed assertions.

use super::{Setup, Sm, context, pending};
use crate::ids::Cycle;
use crate::isa::{Op, Operand, Space, Special};
use crate::printf::{self, Memory, Printed};
use crate::sim::decode::Decoded;
use crate::sim::space::{Place, place};
use crate::sim::{FaultKind, Sink};

/// The memory of a lane, as a library function accesses it. The error is the address outside every
/// allocation.
struct LaneMemory<'a> {
    sm: &'a Sm,
    slot: usize,
    lane: usize,
    pointer_bits: u32,
    arguments: u64,
}

impl Memory for LaneMemory<'_> {
    type Error = u64;

    fn argument(&mut self, offset: u32, bytes: u32) -> Result<u64, u64> {
        let mut word = [0; 8];
        for (idx, byte) in word[..bytes as usize].iter_mut().enumerate() {
            *byte = self.byte(self.arguments + u64::from(offset) + idx as u64)?;
        }
        Ok(u64::from_le_bytes(word))
    }

    fn byte(&mut self, address: u64) -> Result<u8, u64> {
        let warp = &self.sm.warps[self.slot];
        let found = match place(Space::Generic, address, self.pointer_bits) {
            Place::Local(at) => {
                (warp.local.get(at as usize / 4)).map(|row| row[self.lane].to_le_bytes()[at as usize % 4])
            }
            Place::Shared(at) => (self.sm.blocks.places[warp.block_place].as_ref())
                .and_then(|block| block.shared.get(at as usize).copied()),
            Place::Global(at) => self.sm.device.allocation_of(at, 1).map(|_| {
                let mut byte = [0];
                self.sm.device.read(at, &mut byte);
                byte[0]
            }),
        };
        found.ok_or(address)
    }
}

impl Sm {
    /// Calls the function for the executing lanes, in lane order.
    #[expect(clippy::too_many_arguments, reason = "the parameters of every instruction")]
    pub(super) fn call_library<S: Sink>(
        &mut self,
        setup: &Setup,
        decoded: &Decoded,
        slot: usize,
        scheduler: usize,
        executed: u32,
        now: u64,
        sink: &mut S,
    ) {
        let start = self.dispatch(decoded, slot, scheduler, now, decoded.occupancy);
        let by = self.executor(slot, executed, now);
        let instruction = decoded.instruction;
        let warp = &self.warps[slot];
        let ctx = context(setup, warp, slot, now);
        let address = |idx: usize, lane: usize| {
            let src = &instruction.srcs[idx];
            let (low, high) = match (src.operand, instruction.op.source_widths()[idx]) {
                (Operand::Reg(reg), 2) => (warp.regs.row(reg)[lane], warp.regs.row(reg.word(1))[lane]),
                (Operand::Reg(reg), _) => (warp.regs.row(reg)[lane], 0),
                _ => (warp.regs.integer(src, &ctx)[lane], 0),
            };
            u64::from(high) << 32 | u64::from(low)
        };
        let index = [Special::TidX, Special::TidY, Special::TidZ].map(|special| ctx.special(special));
        let block = warp.block_idx;
        let mut results = [0; 32];
        let mut bad = None;
        let mut failed = None;
        for lane in (0..32).filter(|lane| executed >> lane & 1 == 1) {
            let thread = index.each_ref().map(|row| row[lane]);
            let (a, b) = (address(0, lane), address(1, lane));
            let mut memory = LaneMemory {
                sm: self,
                slot,
                lane,
                pointer_bits: setup.pointer_bits,
                arguments: b,
            };
            let call = match instruction.op {
                Op::AssertFail { .. } => printf::failed_assertion(&mut memory, a, b, block, thread),
                _ => printf::call(&mut memory, a, b != 0, setup.pointer_bits / 8),
            };
            match call {
                Ok(call) => {
                    results[lane] = call.result as u32;
                    if matches!(instruction.op, Op::AssertFail { .. }) && failed.is_none() {
                        failed = Some(String::from_utf8_lossy(call.bytes.trim_ascii_end()).into_owned());
                    }
                    if call.buffer_bytes > 0 {
                        sink.printed(Printed {
                            cycle: Cycle(now),
                            pc: by.pc,
                            warp: by.warp,
                            lane: lane as u8,
                            block,
                            thread,
                            bytes: call.bytes,
                            buffer_bytes: call.buffer_bytes,
                        });
                    }
                }
                Err(address) => {
                    bad.get_or_insert((lane, address));
                }
            }
        }
        if let Some((lane, address)) = bad {
            let message = printf::unreadable(lane, address);
            self.raise(slot, now, FaultKind::OutOfBounds, 1 << lane, address, message);
        } else if let Some(message) = failed {
            self.raise(slot, now, FaultKind::Trap, executed, 0, message);
        }
        let warp = &mut self.warps[slot];
        if matches!(instruction.op, Op::Vprintf { .. }) {
            warp.regs.set_row(instruction.dst, executed, &results);
            let result = pending(decoded, by.pc.0, now, start + decoded.latency);
            warp.expect(decoded.writes(), result);
        }
        warp.lanes.advance();
    }
}
