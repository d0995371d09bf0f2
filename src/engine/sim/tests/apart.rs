//! Random programs whose SMs share memory: run apart, in any number of parts, they do in every cycle what they do in
//! lock-step.

use proptest::prelude::*;

use super::builder::{Asm, atomic, imm, launch, load_word, param, r, when, words};
use crate::arch::{ArchId, architecture};
use crate::ids::{BlockId, Cycle};
use crate::isa::{AtomOp, BarMode, BoolOp, CacheOp, Cmp, Op, Program, Space, Special};
use crate::launch::Launch;
use crate::sim::device::{Device, Load};
use crate::sim::parts::{Apart, PartMaker};
use crate::sim::{Issue, MachineOptions, Outcome, Sink};

/// What an SM does.
#[derive(Clone, Debug, Default, PartialEq)]
struct Acts {
    issues: Vec<(Cycle, Issue)>,
    starts: Vec<(Cycle, BlockId)>,
    ends: Vec<(Cycle, BlockId)>,
    releases: Vec<(Cycle, BlockId, u8)>,
}

impl Sink for Acts {
    fn issue(&mut self, cycle: Cycle, issue: &Issue) {
        self.issues.push((cycle, *issue));
    }
    fn block_started(&mut self, cycle: Cycle, block: BlockId, _slots: &[crate::ids::SlotIdx]) {
        self.starts.push((cycle, block));
    }
    fn block_finished(&mut self, cycle: Cycle, block: BlockId) {
        self.ends.push((cycle, block));
    }
    fn barrier_released(&mut self, cycle: Cycle, block: BlockId, barrier: u8) {
        self.releases.push((cycle, block, barrier));
    }
}

/// A run: what each SM does, the end, memory, what was requested of L2 and device memory, and the outcome.
type Run = (Vec<Acts>, u64, Vec<u32>, Load, Option<Outcome>);

const THREADS: u32 = 64;
const BLOCKS: u32 = 26;
const NUM_SMS: u16 = 3;
const WORDS: u32 = BLOCKS * THREADS;

/// A step of a random program. Registers R4 to R9 hold data.
#[derive(Clone, Debug)]
enum Step {
    /// Loads the word that a register selects, or the thread's own.
    Load(u8, u8, CacheOp, bool),
    Store(u8, u8, bool),
    Atomic(u8, u8, AtomOp, bool),
    Add(u8, u8, u8),
    Fence(u8),
    Barrier,
    /// A constant that changes with the register: far apart, so the caches for constants miss.
    Constant(u8, u8),
}

fn step() -> impl Strategy<Value = Step> {
    let reg = || 4_u8..10;
    let caches = vec![CacheOp::Default, CacheOp::Ca, CacheOp::Cg, CacheOp::Cv];
    let ops = vec![AtomOp::Add, AtomOp::Exch, AtomOp::Cas, AtomOp::Max];
    prop_oneof![
        4 => (reg(), reg(), prop::sample::select(caches), any::<bool>())
            .prop_map(|(to, by, cache, own)| Step::Load(to, by, cache, own)),
        2 => (reg(), reg(), any::<bool>()).prop_map(|(from, by, own)| Step::Store(from, by, own)),
        1 => (reg(), reg(), prop::sample::select(ops), any::<bool>())
            .prop_map(|(to, by, op, own)| Step::Atomic(to, by, op, own)),
        3 => (reg(), reg(), reg()).prop_map(|(to, a, b)| Step::Add(to, a, b)),
        1 => (0_u8..3).prop_map(Step::Fence),
        1 => Just(Step::Barrier),
        1 => (reg(), reg()).prop_map(|(to, by)| Step::Constant(to, by)),
    ]
}

/// Puts the address of the word that `by` selects into R3, or that of the thread's own word. `mask`: words that all
/// threads share.
fn address(asm: &mut Asm, by: u8, own: bool, mask: u32) {
    if own {
        asm.mov(3, r(2));
    } else {
        asm.logic(3, BoolOp::And, r(by), imm(mask));
        asm.op(Op::Shl, 3, &[r(3), imm(2)]);
        asm.add(3, r(3), param(0));
    }
}

/// The program: a few rounds of the steps, in which each thread also changes its registers.
fn program(arch: ArchId, rounds: u32, mask: u32, steps: &[Step]) -> Program {
    let mut asm = Asm::new(arch);
    // The first architecture has no atomics.
    let has_atomics = arch != ArchId::G80;
    asm.special(0, Special::TidX);
    asm.special(1, Special::CtaidX);
    asm.op(Op::Shl, 2, &[r(1), imm(6)]);
    asm.add(2, r(2), r(0));
    for data in 4..10_u8 {
        asm.op(Op::Shl, 3, &[r(2), imm(u32::from(data) - 3)]);
        asm.logic(data, BoolOp::Xor, r(3), r(1));
    }
    asm.op(Op::Shl, 2, &[r(2), imm(2)]);
    asm.add(2, r(2), param(0));
    asm.mov(12, imm(rounds));
    let top = asm.here();
    for step in steps {
        match *step {
            Step::Load(to, by, cache, own) => {
                address(&mut asm, by, own, mask);
                asm.op(load_word(Space::Global, cache), to, &[r(3)]);
            }
            Step::Store(from, by, own) => {
                address(&mut asm, by, own, mask);
                asm.store(Space::Global, r(3), 0, from);
            }
            Step::Atomic(..) if !has_atomics => {}
            Step::Atomic(to, by, op, own) => {
                address(&mut asm, by, own, mask);
                asm.op(atomic(Space::Global, op), to, &[r(3), r(by), r(4)]);
            }
            Step::Add(to, a, b) => asm.add(to, r(a), r(b)),
            Step::Fence(level) => {
                asm.op(Op::Membar { level }, 255, &[]);
            }
            Step::Barrier => {
                asm.op(
                    Op::Bar {
                        id: 0,
                        mode: BarMode::Sync,
                    },
                    255,
                    &[],
                );
            }
            Step::Constant(to, by) => {
                asm.logic(3, BoolOp::And, r(by), imm(0x3ffc));
                let load = Op::Ldc {
                    bank: 3,
                    width: crate::isa::Width::B32,
                };
                asm.op(load, to, &[r(3)]);
            }
        }
    }
    asm.add(12, r(12), imm(u32::MAX));
    asm.compare(5, r(12), Cmp::Gt, imm(0));
    asm.branch_if(when(5), top);
    for data in 5..10_u8 {
        asm.add(4, r(4), r(data));
    }
    if has_atomics {
        asm.op(atomic(Space::Global, AtomOp::Add), 255, &[r(2), r(4)]);
    } else {
        asm.store(Space::Global, r(2), 0, 4);
    }
    asm.exit();
    asm.program()
}

fn options() -> MachineOptions {
    MachineOptions {
        max_cycles: 3_000_000,
        ..MachineOptions::default()
    }
}

fn in_lock_step(program: &Program, launch: &Launch) -> Run {
    let model = architecture(program.arch);
    let mut acts = vec![Acts::default(); usize::from(NUM_SMS)];
    let mut device = Device::new(model, program, launch, options(), NUM_SMS, &mut acts).unwrap();
    device.run_until(Cycle(u64::MAX), &mut acts);
    let memory = words(&device.outputs());
    (
        acts,
        device.cycle().0,
        memory,
        device.requested(),
        device.outcome().cloned(),
    )
}

/// The run in parts, stepped in either order; `None` if it needs lock-step.
fn apart(program: &Program, launch: &Launch, num_parts: usize, backward: bool, stride: u64) -> Option<Run> {
    let model = architecture(program.arch);
    let mut acts = vec![Acts::default(); usize::from(NUM_SMS)];
    let maker = PartMaker::new(model, program, launch, options(), NUM_SMS, num_parts).unwrap();
    let mut parts = Apart::new(maker.unwrap(), options().max_cycles, num_parts, &mut acts);
    parts.backward = backward;
    let mut end = stride;
    while parts.run_until(Cycle(end), &mut acts, |_, _| ()) {
        end = end.saturating_add(stride);
    }
    let memory = words(&parts.outputs());
    let run = (
        acts,
        parts.cycle(),
        memory,
        parts.requested(),
        parts.outcome().cloned(),
    );
    (!parts.is_lost()).then_some(run)
}

fn check(arch: ArchId, rounds: u32, mask: u32, steps: &[Step]) -> (u32, u32) {
    let (program, launch) = (program(arch, rounds, mask, steps), launch(BLOCKS, THREADS, WORDS));
    let together = in_lock_step(&program, &launch);
    assert_eq!(together.4, Some(Outcome::Finished), "{arch}");
    let (mut same, mut lost) = (0, 0);
    for (num_parts, backward, stride) in [(1, false, u64::MAX), (2, true, 999), (3, false, 47)] {
        match apart(&program, &launch, num_parts, backward, stride) {
            Some(run) => {
                assert!(
                    run == together,
                    "{arch}, {num_parts} parts: {} and {} cycles",
                    run.1,
                    together.1
                );
                same += 1;
            }
            None => lost += 1,
        }
    }
    (same, lost)
}

#[test]
fn sms_run_apart_for_most_of_the_way_to_l2() {
    for arch in ArchId::ALL {
        let program = program(
            arch,
            1,
            0,
            &[Step::Load(4, 4, CacheOp::Default, true), Step::Barrier],
        );
        let mut sinks = vec![(); usize::from(NUM_SMS)];
        let launch = launch(BLOCKS, THREADS, WORDS);
        let maker = PartMaker::new(architecture(arch), &program, &launch, options(), NUM_SMS, 1);
        let parts = Apart::new(maker.unwrap().unwrap(), options().max_cycles, 1, &mut sinks);
        let quantum = parts.quantum();
        assert!((150..=253).contains(&quantum), "{arch}: {quantum}");
    }
}

/// In a deterministic sample: enough runs stay apart, and loads that hit in L1 after another SM's store are noticed.
#[test]
fn random_programs_that_share_memory_run_apart_as_in_lock_step() {
    use proptest::strategy::ValueTree;
    use proptest::test_runner::TestRunner;
    let mut runner = TestRunner::deterministic();
    let steps = prop::collection::vec(step(), 3..14);
    let (mut same, mut lost) = (0, 0);
    for round in 0..8_u32 {
        for arch in ArchId::ALL {
            let steps = steps.new_tree(&mut runner).unwrap().current();
            // Of 1, 64, or all words.
            let mask = [0, 63, 1023][round as usize % 3];
            let found = check(arch, 1 + round % 4, mask, &steps);
            same += found.0;
            lost += found.1;
        }
    }
    println!("{same} runs apart, {lost} in lock-step");
    assert!(same > 200 && lost > 0, "{same} runs apart, {lost} in lock-step");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, ..ProptestConfig::default() })]

    #[test]
    fn any_program_runs_apart_as_in_lock_step(
        arch in prop::sample::select(ArchId::ALL.to_vec()),
        rounds in 1_u32..5,
        mask in prop::sample::select(vec![0_u32, 7, 63, 1023]),
        steps in prop::collection::vec(step(), 1..20),
    ) {
        check(arch, rounds, mask, &steps);
    }
}
