//! `printf`: lays out the arguments of each thread as C does, and formats them as the machine does.

use super::UndefinedKind;
use super::code::{Expr, Kind};
use super::machine::Machine;
use super::mask::Mask;
use super::memory::Fault;
use engine::ids::{Cycle, Pc, WarpId};
use engine::printf::{self, Memory, Printed};

struct ThreadMemory<'m, 'a, const W: usize> {
    machine: &'m mut Machine<'a, W>,
    lane: usize,
    arguments: Vec<u8>,
}

impl<const W: usize> Memory for ThreadMemory<'_, '_, W> {
    type Error = Fault;

    /// Arguments beyond the last one read as zeros.
    fn argument(&mut self, offset: u32, bytes: u32) -> Result<u64, Fault> {
        let at = |idx: u32| u64::from(self.arguments.get((offset + idx) as usize).copied().unwrap_or(0));
        Ok((0..bytes).rev().fold(0, |word, idx| word << 8 | at(idx)))
    }

    fn byte(&mut self, address: u64) -> Result<u8, Fault> {
        match self.machine.memory.load(address, Kind::U8, self.lane) {
            (bits, None | Some(Fault::Race)) => Ok(bits as u8),
            (_, Some(fault)) => Err(fault),
        }
    }
}

impl<'a, const W: usize> Machine<'a, W> {
    pub(super) fn printf(&mut self, kinds: &[Kind], args: &'a [Expr], expr: &'a Expr, mask: &Mask<W>) {
        let [dim_x, dim_y, _] = self.block_dim;
        for lane in mask.lanes() {
            let values: Vec<u64> = args.iter().map(|arg| self.row(arg.row)[lane]).collect();
            let mut arguments = Vec::new();
            for (value, kind) in values.iter().zip(kinds).skip(1) {
                let bytes = kind.bytes() as usize;
                arguments.resize(arguments.len().next_multiple_of(bytes), 0);
                arguments.extend(&value.to_le_bytes()[..bytes]);
            }
            let (has_arguments, pointer_bytes) = (!arguments.is_empty(), self.pointer_bytes);
            let mut memory = ThreadMemory {
                machine: self,
                lane,
                arguments,
            };
            let call = match printf::call(&mut memory, values[0], has_arguments, pointer_bytes) {
                Ok(call) => call,
                Err(fault) => {
                    let kind = match fault {
                        Fault::Uninitialized => UndefinedKind::Uninitialized,
                        _ => UndefinedKind::OutOfBounds,
                    };
                    self.report(kind, expr.span, lane);
                    continue;
                }
            };
            self.with_row(expr.row, |_, to| to[lane] = u64::from(call.result as u32));
            if call.buffer_bytes > 0 {
                let thread = lane as u32;
                self.printed.push(Printed {
                    cycle: Cycle(0),
                    pc: Pc(0),
                    warp: WarpId(0),
                    lane: (lane % 32) as u8,
                    block: self.block_idx,
                    thread: [thread % dim_x, thread / dim_x % dim_y, thread / dim_x / dim_y],
                    bytes: call.bytes,
                    buffer_bytes: call.buffer_bytes,
                });
            }
        }
    }
}
