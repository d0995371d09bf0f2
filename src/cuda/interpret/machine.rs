//! Executes one block at a time: statements and expressions with their set of active threads.

mod expr;
mod stmt;

use super::code::{Code, Function, POOL, Param, Row};
use super::mask::Mask;
use super::memory::{FIRST, Fault, Memory, OUTSIDE};
use super::{InterpretError, Limits, Undefined, UndefinedKind};
use engine::ids::Span;
use engine::printf::Printed;

/// Maximum number of findings that are kept.
const MAX_FINDINGS: usize = 64;

/// The result of an execution that can end early.
pub(super) type Run<T> = Result<T, InterpretError>;

pub(super) struct Machine<'a, const W: usize> {
    code: &'a Code,
    pub(super) memory: Memory,
    limits: Limits,
    pub(super) address_mask: u64,
    pub(super) num_threads: usize,
    /// The block's linear index.
    pub(super) block: u32,
    /// Rows of all frames, one frame after the other.
    rows: Vec<Vec<u64>>,
    /// For each row, the threads that have written it.
    written: Vec<Mask<W>>,
    pool: Vec<Vec<u64>>,
    /// The first row of the current frame, and its offset in local memory.
    base: usize,
    frame: u32,
    /// Number of rows and bytes of the current frame.
    num_rows: u32,
    frame_bytes: u32,
    depth: u32,
    /// The nesting depths of the open functions, without the kernel's.
    levels: u32,
    /// Threads that have not exited.
    pub(super) live: Mask<W>,
    /// Where the user's code called the running prelude function.
    library_call: Option<Span>,
    steps: u64,
    pub(super) total_steps: u64,
    pub(super) undefined: Vec<Undefined>,
    pub(super) approximate: bool,
    pub(super) printed: Vec<Printed>,
    /// `blockIdx` and `blockDim`.
    pub(super) block_idx: [u32; 3],
    pub(super) block_dim: [u32; 3],
    pub(super) pointer_bytes: u32,
    pub(super) reads_clock: bool,
    pub(super) clock: u64,
}

/// The threads of a function call that are currently inactive.
struct Flow<const W: usize> {
    breaks: Mask<W>,
    continues: Mask<W>,
    /// Threads that jump to each label.
    jumps: Vec<Mask<W>>,
}

impl<'a, const W: usize> Machine<'a, W> {
    pub(super) fn new(code: &'a Code, memory: Memory, limits: Limits, num_threads: usize) -> Self {
        Self {
            code,
            memory,
            limits,
            address_mask: u64::MAX,
            num_threads,
            block: 0,
            rows: Vec::new(),
            written: Vec::new(),
            pool: vec![vec![0; num_threads]; code.pool.len()],
            base: 0,
            frame: FIRST,
            num_rows: 0,
            frame_bytes: 0,
            depth: 0,
            levels: 0,
            live: Mask::EMPTY,
            library_call: None,
            steps: 0,
            total_steps: 0,
            undefined: Vec::new(),
            approximate: false,
            printed: Vec::new(),
            block_idx: [0; 3],
            block_dim: [1; 3],
            pointer_bytes: 8,
            reads_clock: false,
            clock: 0,
        }
    }

    pub(super) fn fill_pool(&mut self, row: usize, value: impl Fn(u32) -> u64) {
        for (thread, place) in self.pool[row].iter_mut().enumerate() {
            *place = value(thread as u32);
        }
    }

    /// Runs a block of the kernel; `params` holds the scalars of the parameters.
    pub(super) fn block(&mut self, params: &[Vec<u64>], shared: &[u8]) -> Run<()> {
        self.memory.reset_shared(shared);
        let code = self.code;
        let kernel = &code.functions[0];
        let all = Mask::first(self.num_threads);
        self.live = all;
        self.steps = 0;
        (self.num_rows, self.frame_bytes) = (kernel.num_rows, kernel.frame.len() as u32);
        self.enter(kernel, &all);
        for (param, scalars) in kernel.params.iter().zip(params) {
            for (idx, bits) in scalars.iter().enumerate() {
                match param {
                    Param::Registers { row, .. } => {
                        let row = self.base + *row as usize + idx;
                        self.rows[row].fill(*bits);
                        self.written[row] = all;
                    }
                    Param::Frame { offset, leaves } => {
                        let address = self.frame_address(*offset) + u64::from(leaves[idx].offset);
                        for lane in 0..self.num_threads {
                            self.memory.store(address, leaves[idx].kind, *bits, lane);
                        }
                    }
                }
            }
        }
        self.body(kernel, &all)?;
        self.leave(kernel, &all);
        self.total_steps += self.steps;
        Ok(())
    }

    fn frame_address(&self, offset: u32) -> u64 {
        self.memory.local_address(self.frame + offset)
    }

    /// Pushes a frame for a function: rows and local memory.
    fn enter(&mut self, function: &Function, mask: &Mask<W>) {
        let needed = self.base + function.num_rows as usize;
        if self.rows.len() < needed {
            self.rows.resize_with(needed, || vec![0; self.num_threads]);
            self.written.resize(needed, Mask::EMPTY);
        }
        self.written[self.base..self.base + function.num_registers as usize].fill(Mask::EMPTY);
        if !function.frame.is_empty() {
            self.memory
                .reserve_local(self.frame as usize + function.frame.len());
            for lane in mask.lanes() {
                self.memory.set_local_state(lane, self.frame, &function.frame);
            }
        }
    }

    /// Pops a function's frame and ends the lifetime of its variables.
    fn leave(&mut self, function: &Function, mask: &Mask<W>) {
        if !function.frame.is_empty() {
            for lane in mask.lanes() {
                let size = function.frame.len() as u32;
                self.memory.fill_local(lane, self.frame, size, OUTSIDE);
            }
        }
    }

    /// The values of a row.
    #[inline]
    pub(super) fn row(&self, row: Row) -> &[u64] {
        if row & POOL != 0 {
            &self.pool[(row & !POOL) as usize]
        } else {
            &self.rows[self.base + row as usize]
        }
    }

    /// Computes a row from other rows.
    #[inline]
    pub(super) fn with_row(&mut self, row: Row, fill: impl FnOnce(&mut Self, &mut [u64])) {
        let idx = self.base + row as usize;
        let mut values = std::mem::take(&mut self.rows[idx]);
        fill(self, &mut values);
        self.rows[idx] = values;
    }

    /// Records undefined behavior, once for each kind and source location.
    pub(super) fn report(&mut self, kind: UndefinedKind, span: Span, thread: usize) {
        let span = self.library_call.unwrap_or(span);
        let mut known = self.undefined.iter();
        let is_known = known.any(|finding| finding.kind == kind && finding.span == span);
        if self.undefined.len() < MAX_FINDINGS && !is_known {
            self.undefined.push(Undefined {
                kind,
                span,
                block: self.block,
                thread: thread as u32,
            });
        }
    }

    pub(super) fn report_fault(&mut self, fault: Option<Fault>, span: Span, thread: usize) {
        let kind = match fault {
            None => return,
            Some(Fault::Race) => UndefinedKind::Race,
            Some(Fault::Uninitialized) => UndefinedKind::Uninitialized,
            Some(Fault::Misaligned) => UndefinedKind::Misaligned,
            Some(Fault::OutOfBounds) => UndefinedKind::OutOfBounds,
        };
        self.report(kind, span, thread);
    }

    /// The threads of a set for which a row is true.
    #[inline]
    fn true_lanes(&self, row: Row, mask: &Mask<W>) -> Mask<W> {
        let values = self.row(row);
        Mask::from_fn(self.num_threads, |lane| values[lane] & 1 == 1).and(mask)
    }

    /// Counts a statement or a loop iteration.
    fn step(&mut self) -> Run<()> {
        self.steps += 1;
        if self.steps > self.limits.max_steps {
            return Err(InterpretError::StepLimit(self.limits.max_steps));
        }
        let total = self.total_steps + self.steps;
        if total.saturating_mul(self.num_threads as u64) > self.limits.max_thread_steps {
            return Err(InterpretError::StepLimit(total));
        }
        Ok(())
    }
}
