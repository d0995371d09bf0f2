//! A builder for hand-written programs.

use crate::arch::{ArchId, architecture};
use crate::ids::Pc;
use crate::isa::{
    AtomOp, BoolOp, CacheOp, Cmp, CompileOptions, ElemType, Instruction, NumType, Op, PT, Param, ParamType,
    Pred, PredSrc, Program, RZ, Reg, Round, Space, Special, Src, Width, bank0,
};
use crate::launch::{Argument, Fill, Launch, Pattern, Role};
use crate::sim::memory::Outputs;
use crate::sim::{Machine, MachineOptions, Outcome, Sink, reference};

/// A register operand.
pub(super) const fn r(reg: u8) -> Src {
    Src::reg(Reg(reg))
}

/// An immediate operand.
pub(super) const fn imm(bits: u32) -> Src {
    Src::imm(bits)
}

/// A kernel parameter as an operand.
pub(super) const fn param(offset: u16) -> Src {
    Src::constant(0, bank0::PARAMS + offset)
}

/// A list of instructions.
#[derive(Clone)]
pub(super) struct Asm {
    pub(super) arch: ArchId,
    pub(super) code: Vec<Instruction>,
}

impl Asm {
    pub(super) fn new(arch: ArchId) -> Self {
        Self {
            arch,
            code: Vec::new(),
        }
    }

    pub(super) fn here(&self) -> Pc {
        Pc(self.code.len() as u32)
    }

    pub(super) fn push(&mut self, instruction: Instruction) -> &mut Instruction {
        self.code.push(instruction);
        self.code.last_mut().unwrap()
    }

    pub(super) fn op(&mut self, op: Op, dst: u8, srcs: &[Src]) -> &mut Instruction {
        let mut instruction = Instruction::new(op);
        instruction.dst = if dst == 255 { RZ } else { Reg(dst) };
        for (place, src) in instruction.srcs.iter_mut().zip(srcs) {
            *place = *src;
        }
        self.push(instruction)
    }

    pub(super) fn ffma(&mut self, dst: u8, a: u8, b: u8, c: u8) {
        if architecture(self.arch).truncates_mad() {
            self.op(Op::Fmad { sat: false }, dst, &[r(a), r(b), r(c)]);
        } else {
            self.op(
                Op::Ffma {
                    ftz: false,
                    sat: false,
                    round: Round::Rn,
                },
                dst,
                &[r(a), r(b), r(c)],
            );
        }
    }

    pub(super) fn add(&mut self, dst: u8, a: Src, b: Src) {
        self.op(
            Op::Iadd3 {
                carry_out: false,
                carry_in: false,
            },
            dst,
            &[a, b],
        );
    }

    pub(super) fn logic(&mut self, dst: u8, op: BoolOp, a: Src, b: Src) {
        self.op(Op::Lop { op }, dst, &[a, b]);
    }

    pub(super) fn mov(&mut self, dst: u8, a: Src) {
        self.op(Op::Mov, dst, &[a]);
    }

    pub(super) fn special(&mut self, dst: u8, special: Special) {
        self.op(Op::S2r { special }, dst, &[]);
    }

    /// Emits pred = (a cmp b).
    pub(super) fn compare(&mut self, pred: u8, a: Src, cmp: Cmp, b: Src) {
        let op = Op::Isetp {
            cmp,
            signed: true,
            bool_op: BoolOp::And,
            extended: false,
        };
        self.op(op, 255, &[a, b]).pdst = Pred(pred);
    }

    pub(super) fn load(&mut self, space: Space, dst: u8, address: Src, offset: i32) {
        let op = load_word(space, CacheOp::Default);
        self.op(op, dst, &[address]).offset = offset;
    }

    pub(super) fn store(&mut self, space: Space, address: Src, offset: i32, value: u8) {
        let op = Op::St {
            space,
            width: Width::B32,
            cache: CacheOp::Default,
            wide: false,
        };
        self.op(op, 255, &[address, r(value)]).offset = offset;
    }

    /// Emits a guarded branch.
    pub(super) fn branch_if(&mut self, guard: PredSrc, target: Pc) -> usize {
        self.op(Op::Bra { target }, 255, &[]).guard = guard;
        self.code.len() - 1
    }

    /// Points a branch, PUSH, or BSSY at the next instruction.
    pub(super) fn land(&mut self, at: usize) {
        let next = self.here();
        let target = self.code[at].op.target_mut();
        *target.expect("the instruction has a target") = next;
    }

    pub(super) fn exit(&mut self) {
        self.op(Op::Exit, 255, &[]);
    }

    /// The program, with one buffer parameter `out` and 32-bit addresses.
    pub(super) fn program(self) -> Program {
        Program {
            name: "test".into(),
            arch: self.arch,
            code: self.code,
            functions: Vec::new(),
            registers_per_thread: 32,
            static_shared_bytes: 4096,
            local_bytes_per_thread: 64,
            spill_bytes: (0, 0),
            uses_dynamic_shared: false,
            params: vec![Param {
                name: "out".into(),
                ty: ParamType::Pointer {
                    elem: Some(ElemType::U32),
                    lanes: 1,
                    read_only: false,
                },
                c_type: "unsigned *".into(),
                offset: 0,
                size: 4,
            }],
            param_bytes: 4,
            symbols: Vec::new(),
            constant_image: Vec::new(),
            global_image: Vec::new(),
            launch_bounds: None,
            pointer_bits: 32,
            options: CompileOptions::default(),
            source: String::new(),
        }
    }
}

/// A load of a word at a 32-bit address.
pub(super) const fn load_word(space: Space, cache: CacheOp) -> Op {
    Op::Ld {
        space,
        width: Width::B32,
        cache,
        wide: false,
    }
}

/// An atomic operation on a word at a 32-bit address.
pub(super) const fn atomic(space: Space, op: AtomOp) -> Op {
    Op::Atom {
        space,
        op,
        ty: NumType::U32,
        wide: false,
    }
}

/// The lanes for which P`pred` is true.
pub(super) const fn when(pred: u8) -> PredSrc {
    PredSrc {
        pred: Pred(pred),
        negate: false,
    }
}

/// The lanes for which P`pred` is false.
pub(super) const fn unless(pred: u8) -> PredSrc {
    PredSrc {
        pred: Pred(pred),
        negate: true,
    }
}

/// The predicate PT.
pub(super) const ALWAYS: PredSrc = PredSrc {
    pred: PT,
    negate: false,
};

/// A launch of `blocks` blocks of `threads` threads, with a buffer of `words` words 0, 1, 2, …
pub(super) fn launch(blocks: u32, threads: u32, words: u32) -> Launch {
    Launch {
        grid: [blocks, 1, 1],
        block: [threads, 1, 1],
        dynamic_shared: 0,
        args: vec![Argument::Buffer {
            elem: ElemType::U32,
            len: words,
            fill: Fill::of(Pattern::Iota),
            role: Role::InOut,
            start: 0,
        }],
        symbols: Vec::new(),
    }
}

/// Runs a program to the end without a fault.
pub(super) fn run<S: Sink>(program: &Program, launch: &Launch, sink: &mut S) -> Machine {
    let mut machine = machine(program, launch);
    assert_eq!(*machine.run(sink), Outcome::Finished, "{:?}", program.arch);
    machine
}

/// A machine with a small cycle limit.
pub(super) fn machine(program: &Program, launch: &Launch) -> Machine {
    let options = MachineOptions {
        max_cycles: 2_000_000,
        ..MachineOptions::default()
    };
    Machine::new(architecture(program.arch), program, launch, options).unwrap()
}

/// The words of the first argument.
pub(super) fn words(outputs: &Outputs) -> Vec<u32> {
    let bytes = outputs.argument(0).unwrap();
    bytes
        .chunks_exact(4)
        .map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]]))
        .collect()
}

/// Runs a program on the machine and on the reference, asserts that both leave the same memory, and returns
/// it.
pub(super) fn run_both(program: &Program, launch: &Launch) -> Vec<u32> {
    let expected = words(&reference::run(program, launch).unwrap());
    let machine = run(program, launch, &mut ());
    let got = words(&machine.outputs());
    if expected != got {
        let listing: Vec<String> = program
            .code
            .iter()
            .enumerate()
            .map(|(pc, i)| format!("{pc}: {i:?}"))
            .collect();
        let first = (0..got.len()).find(|idx| got[*idx] != expected[*idx]).unwrap();
        panic!(
            "{:?}: word {first}: machine {:#x}, reference {:#x}\n{}",
            program.arch,
            got[first],
            expected[first],
            listing.join("\n")
        );
    }
    got
}
