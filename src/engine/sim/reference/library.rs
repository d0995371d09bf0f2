//! Functions of the device library that are one instruction here: `printf` and failed assertions.

use super::{Instruction, ReferenceError, Run, Thread, Warp, lanes_of};
use crate::ids::{Cycle, Pc, WarpId};
use crate::isa::{Op, Space, Special};
use crate::printf::{self, Memory, Printed};
use crate::sim::FaultKind;
use crate::sim::space::{Place, place};

/// The memory of a thread. The error is the address outside every allocation.
struct ThreadMemory<'a, 'r> {
    run: &'a Run<'r>,
    thread: &'a Thread,
    arguments: u64,
}

impl Memory for ThreadMemory<'_, '_> {
    type Error = u64;

    fn argument(&mut self, offset: u32, bytes: u32) -> Result<u64, u64> {
        let mut word = [0; 8];
        for (idx, byte) in word[..bytes as usize].iter_mut().enumerate() {
            *byte = self.byte(self.arguments + u64::from(offset) + idx as u64)?;
        }
        Ok(u64::from_le_bytes(word))
    }

    fn byte(&mut self, address: u64) -> Result<u8, u64> {
        let found = match place(Space::Generic, address, self.run.program.pointer_bits) {
            Place::Local(at) => self.thread.local.get(at as usize).copied(),
            Place::Shared(at) => self.run.shared.get(at as usize).copied(),
            Place::Global(at) => self
                .run
                .device
                .bytes(at, 1)
                .and_then(|bytes| bytes.first().copied()),
        };
        found.ok_or(address)
    }
}

impl Run<'_> {
    /// Calls the function for the executing lanes, in lane order.
    pub(super) fn call_library(
        &mut self,
        warp: &mut Warp,
        block: u32,
        i: &Instruction,
        pc: u32,
        executed: u32,
        wide: bool,
    ) -> Result<(), ReferenceError> {
        let warps_per_block = self.launch.block.iter().product::<u32>().div_ceil(32);
        let is_assertion = matches!(i.op, Op::AssertFail { .. });
        let mut failed = None;
        for lane in lanes_of(executed) {
            let thread = &warp.threads[lane];
            let [a, b] = [0, 1].map(|idx| {
                if wide {
                    self.wide_operand(thread, &i.srcs[idx], false)
                } else {
                    u64::from(self.operand(thread, &i.srcs[idx]) as u32)
                }
            });
            let special = |special| self.special(warp, block, special, lane, executed);
            let block_idx = [Special::CtaidX, Special::CtaidY, Special::CtaidZ].map(special);
            let thread_idx = [Special::TidX, Special::TidY, Special::TidZ].map(special);
            let mut memory = ThreadMemory {
                run: self,
                thread,
                arguments: b,
            };
            let call = if is_assertion {
                printf::failed_assertion(&mut memory, a, b, block_idx, thread_idx)
            } else {
                printf::call(&mut memory, a, b != 0, self.program.pointer_bits / 8)
            };
            let call = call.map_err(|address| {
                let message = printf::unreadable(lane, address);
                self.fault(
                    warp,
                    block,
                    pc,
                    1 << lane,
                    FaultKind::OutOfBounds,
                    address,
                    message,
                )
            })?;
            if is_assertion && failed.is_none() {
                failed = Some(String::from_utf8_lossy(call.bytes.trim_ascii_end()).into_owned());
            }
            if call.buffer_bytes > 0 {
                self.printed.push(Printed {
                    cycle: Cycle(0),
                    pc: Pc(pc),
                    warp: WarpId(block * warps_per_block + warp.index),
                    lane: lane as u8,
                    block: block_idx,
                    thread: thread_idx,
                    bytes: call.bytes,
                    buffer_bytes: call.buffer_bytes,
                });
            }
            if !is_assertion {
                warp.threads[lane].set(i.dst, call.result as u32);
            }
        }
        match failed {
            Some(message) => Err(self.fault(warp, block, pc, executed, FaultKind::Trap, 0, message)),
            None => Ok(()),
        }
    }
}
