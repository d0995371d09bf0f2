//! Random programs: the machine and the reference compute the same results.

use proptest::prelude::*;

use super::builder::{ALWAYS, Asm, imm, launch, param, r, run_both, unless, when};
use crate::arch::{ArchId, architecture};
use crate::ids::Pc;
use crate::isa::{
    BarrierReg, Bf16Op, BoolOp, CacheOp, Cmp, Mufu, NumType, Op, Pred, PredSrc, Reg, Round, ShflMode, Space,
    Special, Src, Token, VoteMode, Width,
};

/// Registers of random instructions: R4 to R15, with pairs at even numbers.
fn reg() -> impl Strategy<Value = u8> {
    4_u8..16
}

fn pair() -> impl Strategy<Value = u8> {
    (2_u8..8).prop_map(|half| half * 2)
}

fn interesting() -> impl Strategy<Value = u32> {
    prop_oneof![
        any::<u32>(),
        0_u32..40,
        Just(u32::MAX),
        Just(0x8000_0000),
        Just(0x7fff_ffff),
        Just(0x7f80_0000),
        Just(0xff80_0000),
        Just(0x7fc0_0000),
        Just(0x0000_0001),
        Just(0x3f80_0000),
        Just(0x7f7f_ffff),
        Just(0x3c00_3c00),
        0x3f00_0000_u32..0x4100_0000,
    ]
}

fn source() -> impl Strategy<Value = Src> {
    (
        prop_oneof![3 => reg().prop_map(r), 1 => interesting().prop_map(imm)],
        any::<bool>(),
        any::<bool>(),
    )
        .prop_map(|(src, negate, absolute)| Src {
            negate,
            absolute,
            ..src
        })
}

/// 64-bit operands: register pairs or immediates.
fn wide_source() -> impl Strategy<Value = Src> {
    (
        prop_oneof![3 => pair().prop_map(r), 1 => interesting().prop_map(imm)],
        any::<bool>(),
        any::<bool>(),
    )
        .prop_map(|(src, negate, absolute)| Src {
            negate,
            absolute,
            ..src
        })
}

fn round() -> impl Strategy<Value = Round> {
    prop_oneof![Just(Round::Rn), Just(Round::Rz), Just(Round::Rm), Just(Round::Rp)]
}

fn cmp() -> impl Strategy<Value = Cmp> {
    prop::sample::select(vec![
        Cmp::Lt,
        Cmp::Le,
        Cmp::Gt,
        Cmp::Ge,
        Cmp::Eq,
        Cmp::Ne,
        Cmp::Ltu,
        Cmp::Leu,
        Cmp::Gtu,
        Cmp::Geu,
        Cmp::Equ,
        Cmp::Neu,
        Cmp::Num,
        Cmp::Nan,
    ])
}

fn bool_op() -> impl Strategy<Value = BoolOp> {
    prop_oneof![Just(BoolOp::And), Just(BoolOp::Or), Just(BoolOp::Xor)]
}

fn number() -> impl Strategy<Value = NumType> {
    prop::sample::select(vec![
        NumType::U8,
        NumType::S8,
        NumType::U16,
        NumType::S16,
        NumType::U32,
        NumType::S32,
        NumType::U64,
        NumType::S64,
    ])
}

fn float() -> impl Strategy<Value = NumType> {
    prop_oneof![Just(NumType::F16), Just(NumType::F32), Just(NumType::F64)]
}

fn operation() -> impl Strategy<Value = Op> {
    let f = any::<bool>;
    prop_oneof![
        (f(), f(), round()).prop_map(|(ftz, sat, round)| Op::Fadd { ftz, sat, round }),
        (f(), f(), round()).prop_map(|(ftz, sat, round)| Op::Fmul { ftz, sat, round }),
        (f(), f(), round()).prop_map(|(ftz, sat, round)| Op::Ffma { ftz, sat, round }),
        f().prop_map(|sat| Op::Fmad { sat }),
        (f(), f()).prop_map(|(max, ftz)| Op::Fmnmx { max, ftz }),
        (cmp(), bool_op(), f()).prop_map(|(cmp, bool_op, ftz)| Op::Fsetp { cmp, bool_op, ftz }),
        (
            prop::sample::select(vec![
                Mufu::Rcp,
                Mufu::Rsq,
                Mufu::Sqrt,
                Mufu::Ex2,
                Mufu::Lg2,
                Mufu::Sin,
                Mufu::Cos,
                Mufu::SinReduced,
                Mufu::CosReduced,
                Mufu::Ex2Reduced,
            ]),
            f()
        )
            .prop_map(|(func, ftz)| Op::Mufu { func, ftz }),
        f().prop_map(|ex2| Op::Rro { ex2 }),
        Just(Op::Fchk),
        round().prop_map(|round| Op::Dadd { round }),
        round().prop_map(|round| Op::Dmul { round }),
        round().prop_map(|round| Op::Dfma { round }),
        f().prop_map(|max| Op::Dmnmx { max }),
        (cmp(), bool_op()).prop_map(|(cmp, bool_op)| Op::Dsetp { cmp, bool_op }),
        f().prop_map(|ftz| Op::Hadd2 { ftz }),
        f().prop_map(|ftz| Op::Hmul2 { ftz }),
        f().prop_map(|ftz| Op::Hfma2 { ftz }),
        f().prop_map(|max| Op::Hmnmx2 { max }),
        (cmp(), bool_op()).prop_map(|(cmp, bool_op)| Op::Hsetp2 { cmp, bool_op }),
        f().prop_map(|high| Op::Hadd2F32 { high }),
        prop::sample::select(vec![
            Bf16Op::Add,
            Bf16Op::Mul,
            Bf16Op::Fma,
            Bf16Op::Min,
            Bf16Op::Max
        ])
        .prop_map(|op| Op::Bf16 { op }),
        f().prop_map(|bfloat16| Op::F2fp { bfloat16 }),
        f().prop_map(|e5m2| Op::F2fpFp8 { e5m2 }),
        (f(), f()).prop_map(|(e5m2, high)| Op::UnpackFp8 { e5m2, high }),
        (float(), float(), round(), f()).prop_map(|(from, to, round, ftz)| Op::F2f { from, to, round, ftz }),
        (float(), number(), round(), f()).prop_map(|(from, to, round, ftz)| Op::F2i { from, to, round, ftz }),
        (number(), float(), round()).prop_map(|(from, to, round)| Op::I2f { from, to, round }),
        number()
            .prop_filter("narrow", |ty| !ty.is_wide())
            .prop_map(|from| Op::I2i { from }),
        (float(), round(), f()).prop_map(|(ty, round, ftz)| Op::Frnd { ty, round, ftz }),
        (f(), f()).prop_map(|(carry_out, carry_in)| Op::Iadd3 { carry_out, carry_in }),
        (f(), f()).prop_map(|(signed, high)| Op::Imul { signed, high }),
        (f(), f()).prop_map(|(signed, high)| Op::Imad { signed, high }),
        f().prop_map(|signed| Op::ImadWide { signed }),
        f().prop_map(|signed| Op::Imad24 { signed }),
        (f(), f(), f(), f(), f(), f()).prop_map(|(a_hi, b_hi, a_signed, b_signed, shift_left, merge)| {
            Op::Xmad {
                a_hi,
                b_hi,
                a_signed,
                b_signed,
                shift_left,
                merge,
            }
        }),
        (0_u8..32).prop_map(|shift| Op::Lea { shift }),
        bool_op().prop_map(|op| Op::Lop { op }),
        any::<u8>().prop_map(|lut| Op::Lop3 { lut }),
        Just(Op::Shl),
        f().prop_map(|signed| Op::Shr { signed }),
        (f(), f(), f()).prop_map(|(left, wrap, signed)| Op::Shf { left, wrap, signed }),
        (f(), f()).prop_map(|(signed, max)| Op::Imnmx { signed, max }),
        (cmp(), f(), bool_op(), f()).prop_map(|(cmp, signed, bool_op, extended)| Op::Isetp {
            cmp,
            signed,
            bool_op,
            extended
        }),
        Just(Op::Iabs),
        Just(Op::Popc),
        f().prop_map(|signed| Op::Flo { signed }),
        Just(Op::Brev),
        Just(Op::Prmt),
        f().prop_map(|signed| Op::Bfe { signed }),
        Just(Op::Bfi),
        Just(Op::Sel),
        Just(Op::Mov),
        any::<u8>().prop_map(|lut| Op::Plop3 { lut }),
        prop_oneof![Just(VoteMode::All), Just(VoteMode::Any), Just(VoteMode::Eq)]
            .prop_map(|mode| Op::Vote { mode, sync: false }),
        prop_oneof![
            Just(ShflMode::Idx),
            Just(ShflMode::Up),
            Just(ShflMode::Down),
            Just(ShflMode::Bfly)
        ]
        .prop_map(|mode| Op::Shfl { mode, sync: false }),
    ]
}

/// One instruction: operation, registers, modifiers, and predicates.
#[derive(Clone, Debug)]
struct Step {
    op: Op,
    dst: u8,
    wide_dst: u8,
    srcs: [Src; 3],
    wide_srcs: [Src; 3],
    preds: [(u8, bool); 4],
    pdst: u8,
    guarded: bool,
}

fn step() -> impl Strategy<Value = Step> {
    (
        operation(),
        (reg(), pair(), 0_u8..4, any::<bool>()),
        prop::array::uniform3(source()),
        prop::array::uniform3(wide_source()),
        prop::array::uniform4((0_u8..4, any::<bool>())),
    )
        .prop_map(
            |(op, (dst, wide_dst, pdst, guarded), srcs, wide_srcs, preds)| Step {
                op,
                dst,
                wide_dst,
                srcs,
                wide_srcs,
                preds,
                pdst,
                guarded,
            },
        )
}

/// A statement of a random structured program.
#[derive(Clone, Debug)]
enum Statement {
    Steps(Vec<Step>),
    /// An if-else statement on a predicate.
    If(u8, Vec<Statement>, Vec<Statement>),
    /// A loop whose count is the thread index masked with the number.
    Loop(u32, Vec<Statement>),
    /// A store to shared memory, a warp-level barrier, and a load.
    Memory(u8, u8),
}

fn statements() -> impl Strategy<Value = Vec<Statement>> {
    let leaf = prop_oneof![
        4 => prop::collection::vec(step(), 1..8).prop_map(Statement::Steps),
        1 => (reg(), reg()).prop_map(|(a, b)| Statement::Memory(a, b)),
    ];
    let tree = leaf.prop_recursive(3, 24, 4, |inner| {
        let body = prop::collection::vec(inner, 1..4);
        prop_oneof![
            (0_u8..4, body.clone(), body.clone())
                .prop_map(|(pred, one, other)| Statement::If(pred, one, other)),
            (1_u32..4, body).prop_map(|(mask, body)| Statement::Loop(mask, body)),
        ]
    });
    prop::collection::vec(tree, 1..6)
}

fn pred((pred, negate): (u8, bool)) -> PredSrc {
    PredSrc {
        pred: Pred(pred),
        negate,
    }
}

fn emit_step(asm: &mut Asm, step: &Step) {
    let mut probe = crate::isa::Instruction::new(step.op);
    let widths = step.op.source_widths();
    #[expect(
        clippy::needless_range_loop,
        reason = "several arrays are read at the same index"
    )]
    for idx in 0..3 {
        probe.srcs[idx] = if widths[idx] == 2 {
            step.wide_srcs[idx]
        } else {
            step.srcs[idx]
        };
    }
    // Modifiers that the operation does not support are removed.
    let is_float = matches!(
        step.op,
        Op::Fadd { .. }
            | Op::Fmul { .. }
            | Op::Ffma { .. }
            | Op::Fmad { .. }
            | Op::Fmnmx { .. }
            | Op::Fsetp { .. }
            | Op::Mufu { .. }
            | Op::Rro { .. }
            | Op::Dadd { .. }
            | Op::Dmul { .. }
            | Op::Dfma { .. }
            | Op::Dmnmx { .. }
            | Op::Dsetp { .. }
            | Op::Hadd2 { .. }
            | Op::Hmul2 { .. }
            | Op::Hfma2 { .. }
            | Op::Hmnmx2 { .. }
            | Op::Hsetp2 { .. }
            | Op::Hadd2F32 { .. }
            | Op::Bf16 { .. }
            | Op::F2fp { .. }
            | Op::F2fpFp8 { .. }
    );
    let negates = is_float || matches!(step.op, Op::Iadd3 { .. } | Op::Lop { .. } | Op::Imad { .. });
    for src in &mut probe.srcs {
        src.absolute &= is_float;
        src.negate &= negates;
    }
    probe.dst = Reg(if step.op.destination_width() == 2 {
        step.wide_dst
    } else {
        step.dst
    });
    if step.op.destination_width() == 0 {
        probe.dst = crate::isa::RZ;
    }
    if step.op.writes_predicate() {
        probe.pdst = Pred(step.pdst);
    }
    probe.psrcs = [pred(step.preds[0]), pred(step.preds[1]), pred(step.preds[2])];
    if step.guarded {
        probe.guard = pred(step.preds[3]);
    }
    // An architecture without a cost for an operation does not support it.
    if architecture(asm.arch).cost(probe.class()).is_some() {
        asm.push(probe);
    }
}

fn emit(asm: &mut Asm, statements: &[Statement], depth: u8) {
    let independent = architecture(asm.arch).has_independent_threads();
    for statement in statements {
        match statement {
            Statement::Steps(steps) => {
                // A shuffle from a lane on the other side of a branch returns an undefined value.
                let defined = |step: &&Step| depth == 0 || !matches!(step.op, Op::Shfl { .. });
                steps.iter().filter(defined).for_each(|step| emit_step(asm, step));
            }
            Statement::Memory(value, into) => {
                // R2 is this thread's address in shared memory.
                asm.store(Space::Shared, r(2), 0, *value);
                let op = Op::Ld {
                    space: Space::Shared,
                    width: Width::S16,
                    cache: CacheOp::Default,
                    wide: false,
                };
                asm.op(op, *into, &[r(2)]);
            }
            Statement::If(pred, one, other) => {
                let opened = open(asm, depth);
                let to_other = asm.branch_if(unless(*pred), Pc(0));
                emit(asm, one, depth + 1);
                let end = if independent {
                    Some(asm.branch_if(ALWAYS, Pc(0)))
                } else {
                    asm.op(Op::Pop { token: Token::Ssy }, 255, &[]);
                    None
                };
                asm.land(to_other);
                emit(asm, other, depth + 1);
                close(asm, depth, opened, end);
            }
            Statement::Loop(mask, body) => {
                // R20 + depth is the counter.
                let counter = 20 + depth;
                asm.logic(counter, BoolOp::And, r(0), imm(*mask));
                let opened = open(asm, depth);
                let top = asm.here();
                emit(asm, body, depth + 1);
                asm.add(counter, r(counter), imm(u32::MAX));
                asm.compare(5, r(counter), Cmp::Ge, imm(0));
                asm.branch_if(when(5), top);
                close(asm, depth, opened, None);
            }
        }
    }
}

fn open(asm: &mut Asm, depth: u8) -> usize {
    let op = if architecture(asm.arch).has_independent_threads() {
        Op::Bssy {
            barrier: BarrierReg(depth),
            target: Pc(0),
        }
    } else {
        Op::Push {
            token: Token::Ssy,
            target: Pc(0),
        }
    };
    asm.op(op, 255, &[]);
    asm.code.len() - 1
}

fn close(asm: &mut Asm, depth: u8, opened: usize, end: Option<usize>) {
    let independent = architecture(asm.arch).has_independent_threads();
    if !independent {
        asm.op(Op::Pop { token: Token::Ssy }, 255, &[]);
    }
    if let Some(end) = end {
        asm.land(end);
    }
    asm.land(opened);
    if independent {
        asm.op(
            Op::Bsync {
                barrier: BarrierReg(depth),
            },
            255,
            &[],
        );
    }
}

fn check(arch: ArchId, seeds: &[u32; 12], statements: &[Statement]) {
    const THREADS: u32 = 80;
    let mut asm = Asm::new(arch);
    asm.special(0, Special::TidX);
    asm.op(Op::Shl, 2, &[r(0), imm(2)]);
    for (idx, seed) in seeds.iter().enumerate() {
        // The value differs in every thread.
        asm.op(Op::Shl, 3, &[r(0), imm(idx as u32 * 2)]);
        asm.logic(4 + idx as u8, BoolOp::Xor, r(3), imm(*seed));
    }
    for pred in 0..4 {
        asm.logic(3, BoolOp::And, r(0), imm(1 << pred));
        asm.compare(pred, r(3), Cmp::Ne, imm(0));
    }
    emit(&mut asm, statements, 0);
    // Stores predicates and registers to memory.
    asm.add(1, r(2), param(0));
    for idx in 0..12_u8 {
        asm.store(Space::Global, r(1), i32::from(idx) * THREADS as i32 * 4, 4 + idx);
    }
    for pred in 0..4_u8 {
        asm.op(Op::Sel, 3, &[imm(1), imm(0)]).psrcs[0] = when(pred);
        asm.store(
            Space::Global,
            r(1),
            (12 + i32::from(pred)) * THREADS as i32 * 4,
            3,
        );
    }
    asm.exit();
    run_both(&asm.program(), &launch(1, THREADS, THREADS * 16));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, ..ProptestConfig::default() })]

    #[test]
    fn random_programs_leave_the_same_memory(
        arch in prop::sample::select(ArchId::ALL.to_vec()),
        seeds in prop::array::uniform12(interesting()),
        statements in statements(),
    ) {
        check(arch, &seeds, &statements);
    }
}

#[test]
fn every_operation_agrees_on_every_architecture() {
    use proptest::strategy::ValueTree;
    use proptest::test_runner::TestRunner;
    let mut runner = TestRunner::deterministic();
    let steps = prop::collection::vec(step(), 60);
    let seeds = prop::array::uniform12(interesting());
    for round in 0..8 {
        for arch in ArchId::ALL {
            let steps = steps.new_tree(&mut runner).unwrap().current();
            let seeds = seeds.new_tree(&mut runner).unwrap().current();
            let _ = round;
            check(arch, &seeds, &[Statement::Steps(steps)]);
        }
    }
}
