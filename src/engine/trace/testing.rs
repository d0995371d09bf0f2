//! Hand-written kernels that test traces and views without the compiler.

use std::sync::Arc;

use super::{Simulation, Trace, TraceOptions};
use crate::arch::{ArchId, Generation, architecture};
use crate::ids::{BlockId, Cycle, LaneMask, Pc, SlotIdx, Span};
use crate::isa::{
    BarMode, BoolOp, CacheOp, Cmp, CompileOptions, ElemType, Instruction, Op, Param, ParamType, Pred,
    PredSrc, Program, Reg, Round, Space, Special, Src, Symbol, SymbolSpace, Width, bank0,
};
use crate::launch::{Argument, Fill, Launch, Pattern, Role};
use crate::sim::{Access, Issue, MachineOptions, Sink, WarpState};

/// A log of all reported events.
#[derive(Default, PartialEq, Debug)]
pub struct Log {
    /// The states of slots, each with its first cycle and the next instruction.
    pub states: Vec<(Cycle, SlotIdx, WarpState, Pc)>,
    /// Instructions issued.
    pub issues: Vec<(Cycle, Issue)>,
    /// Memory accesses, in the order of their issue.
    pub accesses: Vec<Access>,
    /// Updates of accesses: index, start, and end.
    pub served: Vec<(u32, Cycle, Cycle)>,
    /// Blocks that became resident.
    pub starts: Vec<(Cycle, BlockId)>,
    /// Barriers released: block and barrier.
    pub releases: Vec<(Cycle, BlockId, u8)>,
    /// Lanes that reconverged.
    pub joins: Vec<(Cycle, SlotIdx, Pc, LaneMask)>,
}

impl Sink for Log {
    fn state(&mut self, cycle: Cycle, slot: SlotIdx, state: WarpState, pc: Pc) {
        self.states.push((cycle, slot, state, pc));
    }
    fn issue(&mut self, cycle: Cycle, issue: &Issue) {
        self.issues.push((cycle, *issue));
    }
    fn access(&mut self, _cycle: Cycle, access: &Access) {
        self.accesses.push(access.clone());
    }
    fn access_served(&mut self, number: u32, started: Cycle, done: Cycle) {
        self.served.push((number, started, done));
    }
    fn block_started(&mut self, cycle: Cycle, block: BlockId, _slots: &[SlotIdx]) {
        self.starts.push((cycle, block));
    }
    fn barrier_released(&mut self, cycle: Cycle, block: BlockId, barrier: u8) {
        self.releases.push((cycle, block, barrier));
    }
    fn reconverged(&mut self, cycle: Cycle, slot: SlotIdx, pc: Pc, active: LaneMask) {
        self.joins.push((cycle, slot, pc, active));
    }
}

impl Log {
    /// The log with the final times in its accesses. The log must start with the run.
    #[must_use]
    pub fn settled(mut self) -> Self {
        for (number, started, done) in &self.served {
            let access = &mut self.accesses[*number as usize];
            (access.started, access.done) = (*started, *done);
        }
        self
    }
}

const fn r(reg: u8) -> Src {
    Src::reg(Reg(reg))
}

fn op(op: Op, dst: u8, srcs: [Src; 3], line: u32) -> Instruction {
    Instruction {
        dst: Reg(dst),
        srcs,
        span: Span {
            start: 0,
            end: 0,
            line,
            column: 1,
        },
        ..Instruction::new(op)
    }
}

const NONE: Src = Src::ZERO;
const SHARED: Space = Space::Shared;
const WORD: Width = Width::B32;

fn load(space: Space, dst: u8, address: u8, offset: i32, wide: bool, line: u32) -> Instruction {
    let load = Op::Ld {
        space,
        width: WORD,
        cache: CacheOp::Default,
        wide,
    };
    Instruction {
        offset,
        ..op(load, dst, [r(address), NONE, NONE], line)
    }
}

fn store(space: Space, address: u8, value: u8, offset: i32, wide: bool, line: u32) -> Instruction {
    let store = Op::St {
        space,
        width: WORD,
        cache: CacheOp::Default,
        wide,
    };
    Instruction {
        offset,
        ..op(store, 255, [r(address), r(value), NONE], line)
    }
}

/// A tile of 32 by 32 floats is written by rows and read by columns, `rounds` times. In between, the lower
/// half of the lanes does additional arithmetic. The result is stored to `out`.
pub fn transpose(arch: ArchId, rounds: u32) -> Arc<Program> {
    let wide = arch.is_from(Generation::Fermi);
    let shl = |dst, a, by, line| op(Op::Shl, dst, [r(a), Src::imm(by), NONE], line);
    let add = |dst, a, b, line| {
        op(
            Op::Iadd3 {
                carry_out: false,
                carry_in: false,
            },
            dst,
            [r(a), b, NONE],
            line,
        )
    };
    let arithmetic = Op::Fadd {
        ftz: false,
        sat: false,
        round: Round::Rn,
    };
    let mut code = vec![
        op(
            Op::S2r {
                special: Special::TidX,
            },
            0,
            [NONE; 3],
            3,
        ),
        op(Op::Lop { op: BoolOp::And }, 1, [r(0), Src::imm(31), NONE], 4),
        op(Op::Shr { signed: false }, 2, [r(0), Src::imm(5), NONE], 5),
        shl(3, 2, 7, 6),
        shl(4, 1, 2, 6),
        add(3, 3, r(4), 6),
        shl(4, 1, 7, 7),
        shl(5, 2, 2, 7),
        add(4, 4, r(5), 7),
        shl(6, 0, 2, 8),
        op(Op::Mov, 20, [Src::constant(0, bank0::PARAMS), NONE, NONE], 8),
        add(20, 20, r(6), 8),
        op(Op::Mov, 21, [Src::constant(0, bank0::PARAMS + 4), NONE, NONE], 8),
        load(Space::Global, 7, 20, 0, wide, 9),
        op(Op::Mov, 30, [Src::imm(0), NONE, NONE], 10),
    ];
    let start = code.len() as u32;
    for row in 0..4 {
        code.push(store(SHARED, 3, 7, row * 1024, false, 12));
    }
    code.push(op(
        Op::Bar {
            mode: BarMode::Sync,
            id: 0,
        },
        255,
        [NONE; 3],
        13,
    ));
    for row in 0..4 {
        code.push(load(SHARED, 8 + row as u8, 4, row * 32, false, 15));
    }
    // The lower half of the lanes.
    let less = Op::Isetp {
        cmp: Cmp::Lt,
        signed: true,
        bool_op: BoolOp::And,
        extended: false,
    };
    code.push(Instruction {
        pdst: Pred(0),
        ..op(less, 255, [r(1), Src::imm(16), NONE], 16)
    });
    let lower = PredSrc {
        pred: Pred(0),
        negate: false,
    };
    for _ in 0..3 {
        let more = op(arithmetic, 7, [r(7), Src::imm(0x3f80_0000), NONE], 17);
        code.push(Instruction { guard: lower, ..more });
    }
    for row in 0..4 {
        code.push(op(arithmetic, 7, [r(7), r(8 + row), NONE], 18));
    }
    code.push(op(
        Op::Bar {
            mode: BarMode::Sync,
            id: 0,
        },
        255,
        [NONE; 3],
        19,
    ));
    code.push(add(30, 30, Src::imm(1), 10));
    code.push(Instruction {
        pdst: Pred(1),
        ..op(less, 255, [r(30), Src::imm(rounds), NONE], 10)
    });
    let again = PredSrc {
        pred: Pred(1),
        negate: false,
    };
    let back = op(Op::Bra { target: Pc(start) }, 255, [NONE; 3], 10);
    code.push(Instruction { guard: again, ..back });
    code.push(store(Space::Global, 20, 7, 0, wide, 20));
    code.push(op(Op::Exit, 255, [NONE; 3], 21));
    Arc::new(Program {
        name: "transpose".to_owned(),
        arch,
        code,
        functions: Vec::new(),
        registers_per_thread: 32,
        static_shared_bytes: 4096,
        local_bytes_per_thread: 0,
        spill_bytes: (0, 0),
        uses_dynamic_shared: false,
        params: vec![Param {
            name: "out".to_owned(),
            ty: ParamType::Pointer {
                elem: Some(ElemType::F32),
                lanes: 1,
                read_only: false,
            },
            c_type: "float *".to_owned(),
            offset: 0,
            size: if wide { 8 } else { 4 },
        }],
        param_bytes: if wide { 8 } else { 4 },
        symbols: vec![Symbol {
            name: "tile".to_owned(),
            space: SymbolSpace::Shared,
            offset: 0,
            size: 4096,
            elem: Some(ElemType::F32),
            dims: vec![32, 32],
        }],
        constant_image: Vec::new(),
        global_image: Vec::new(),
        launch_bounds: None,
        pointer_bits: if wide { 64 } else { 32 },
        options: CompileOptions::default(),
        source: String::new(),
    })
}

/// The launch of [`transpose`].
pub fn transpose_launch(blocks: u32) -> Launch {
    Launch {
        grid: [blocks, 1, 1],
        block: [256, 1, 1],
        dynamic_shared: 0,
        args: vec![Argument::Buffer {
            elem: ElemType::F32,
            len: 1024,
            fill: Fill::of(Pattern::Iota),
            role: Role::InOut,
            start: 0,
        }],
        symbols: Vec::new(),
    }
}

/// A run of [`transpose`].
///
/// # Panics
///
/// If the architecture cannot run the kernel.
pub fn run(arch: ArchId, blocks: u32, rounds: u32, limits: TraceOptions) -> Trace {
    let mut simulation = Simulation::new(
        architecture(arch),
        transpose(arch, rounds),
        &transpose_launch(blocks),
        MachineOptions::default(),
        limits,
    )
    .expect("the kernel fits every architecture");
    while !simulation.advance(777).finished {}
    simulation.finish()
}
