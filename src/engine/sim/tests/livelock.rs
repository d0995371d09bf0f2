//! The programs for which livelock detection runs, and grids that wait for blocks that do not fit.

use super::builder::{Asm, atomic, imm, launch, load_word, param, r, unless, when};
use crate::arch::{ArchId, architecture};
use crate::ids::Pc;
use crate::isa::{AtomOp, CacheOp, Cmp, Op, Program, Space, Special};
use crate::sim::livelock::may_spin;
use crate::sim::{FaultKind, Machine, MachineOptions, Outcome};
use crate::trace::device::{DeviceSimulation, DeviceTrace};

/// A loop with `body` that reads shared memory and ends with a guarded backward branch.
fn looping(body: impl FnOnce(&mut Asm)) -> Asm {
    let mut asm = Asm::new(ArchId::Gv100);
    asm.mov(1, imm(0));
    let top = asm.here();
    asm.load(Space::Shared, 2, r(3), 0);
    body(&mut asm);
    asm.compare(0, r(1), Cmp::Lt, imm(100));
    asm.branch_if(when(0), top);
    asm.exit();
    asm
}

#[test]
fn a_counting_loop_cannot_spin() {
    let spins = |body: fn(&mut Asm)| may_spin(&looping(body).program());
    assert!(!spins(|asm| asm.add(1, r(1), imm(1))));
    assert!(!spins(|asm| asm.add(1, r(1), imm(0_u32.wrapping_sub(4)))));
    assert!(spins(|_| {}), "the exit depends on a loaded value");
    assert!(
        spins(|asm| asm.add(1, r(4), imm(1))),
        "the sum is the same in each iteration"
    );
    assert!(spins(|asm| asm.add(1, r(1), r(4))), "the step can be zero");
    assert!(
        spins(|asm| asm.add(1, r(1), imm(1 << 30))),
        "the counter wraps after four iterations"
    );
    assert!(spins(|asm| {
        asm.add(1, r(1), imm(1));
        asm.mov(1, imm(7));
    }));
    assert!(spins(|asm| {
        asm.add(1, r(1), imm(1));
        asm.code.last_mut().unwrap().guard = unless(0);
    }));
    assert!(spins(|asm| {
        // Some lanes skip the counter.
        let skip = asm.branch_if(when(1), Pc(0));
        asm.add(1, r(1), imm(1));
        asm.land(skip);
    }));
}

#[test]
fn a_counting_loop_can_contain_a_spinning_loop() {
    let inner = |counts: bool| {
        may_spin(
            &looping(|asm| {
                let top = asm.here();
                asm.load(Space::Shared, 4, r(3), 0);
                if counts {
                    asm.add(5, r(5), imm(1));
                }
                asm.compare(1, r(4), Cmp::Ne, imm(0));
                asm.branch_if(when(1), top);
                asm.add(1, r(1), imm(1));
            })
            .program(),
        )
    };
    assert!(inner(false) && !inner(true));
}

/// A thread of each block adds one to word 0, and waits until the word is the number of blocks.
fn grid_barrier(arch: ArchId, blocks: u32) -> Program {
    let mut asm = Asm::new(arch);
    asm.special(0, Special::TidX);
    asm.mov(1, param(0));
    asm.compare(0, r(0), Cmp::Ne, imm(0));
    asm.op(Op::Exit, 255, &[]).guard = when(0);
    asm.mov(2, imm(1));
    asm.op(atomic(Space::Global, AtomOp::Add), 3, &[r(1), r(2)]);
    let top = asm.here();
    asm.op(load_word(Space::Global, CacheOp::Cv), 4, &[r(1)]);
    asm.compare(1, r(4), Cmp::Lt, imm(blocks));
    asm.branch_if(when(1), top);
    asm.exit();
    asm.program()
}

/// A thread of each block waits for word 1, which is taken from the start and which nobody frees.
fn taken_lock(arch: ArchId) -> Program {
    let mut asm = Asm::new(arch);
    asm.special(0, Special::TidX);
    asm.mov(1, param(0));
    asm.compare(0, r(0), Cmp::Ne, imm(0));
    asm.op(Op::Exit, 255, &[]).guard = when(0);
    asm.mov(2, imm(1));
    let top = asm.here();
    asm.op(atomic(Space::Global, AtomOp::Exch), 3, &[r(1), r(2)])
        .offset = 4;
    asm.compare(1, r(3), Cmp::Ne, imm(0));
    asm.branch_if(when(1), top);
    asm.exit();
    asm.program()
}

/// Each block waits for a flag of the next one, and then sets its own: word 0, 1, 2, … The last one waits for nobody.
fn chain(arch: ArchId, blocks: u32) -> Program {
    let mut asm = Asm::new(arch);
    asm.special(0, Special::TidX);
    asm.special(1, Special::CtaidX);
    asm.compare(0, r(0), Cmp::Ne, imm(0));
    asm.op(Op::Exit, 255, &[]).guard = when(0);
    asm.op(Op::Shl, 2, &[r(1), imm(2)]);
    asm.add(2, r(2), param(0));
    asm.compare(1, r(1), Cmp::Lt, imm(blocks - 1));
    let skip = asm.branch_if(unless(1), Pc(0));
    let top = asm.here();
    // The buffer starts as 0, 1, 2, …: a flag is set if it is 1000.
    asm.op(load_word(Space::Global, CacheOp::Cv), 3, &[r(2)]).offset = 4;
    asm.compare(0, r(3), Cmp::Ne, imm(1000));
    asm.branch_if(when(0), top);
    asm.land(skip);
    asm.mov(4, imm(1000));
    asm.store(Space::Global, r(2), 0, 4);
    asm.exit();
    asm.program()
}

#[test]
fn a_chain_through_blocks_that_do_not_fit_is_named() {
    // 6 blocks fit, and 4 more make the chain.
    let trace = on_device(&chain(ArchId::Gp100, 10), 10, 3, 1);
    let (kind, message) = fault(trace.outcome.as_ref());
    assert_eq!(kind, FaultKind::NotResident, "{message}");
    assert!(message.contains("Block 6 never starts"), "{message}");
    let whole = on_device(&chain(ArchId::Gp100, 6), 6, 3, 1);
    assert_eq!(whole.outcome, Some(Outcome::Finished));
}

fn fault(outcome: Option<&Outcome>) -> (FaultKind, String) {
    match outcome {
        Some(Outcome::Fault(fault)) => (fault.kind, fault.message.clone()),
        other => panic!("{other:?}"),
    }
}

/// The record of a launch on the first SMs of a device. `parts`: into how many the SMs are split; 0: in lock-step.
fn on_device(program: &Program, blocks: u32, num_sms: u16, parts: usize) -> DeviceTrace {
    let (arch, launch) = (architecture(program.arch), launch(blocks, 1024, 32));
    let options = MachineOptions::default();
    let mut run = DeviceSimulation::in_parts(arch, program, &launch, options, num_sms, parts).unwrap();
    run.advance(u64::MAX);
    run.trace()
}

#[test]
fn one_sm_alone_does_not_decide_about_a_barrier_of_the_grid() {
    for (arch, fit) in [(ArchId::Gp100, 112), (ArchId::Tu102, 68)] {
        for blocks in [4, fit, fit + 1] {
            let mut machine = Machine::new(
                architecture(arch),
                &grid_barrier(arch, blocks),
                &launch(blocks, 1024, 32),
                MachineOptions::default(),
            )
            .unwrap();
            machine.run(&mut ());
            let (kind, message) = fault(machine.outcome());
            assert_eq!(kind, FaultKind::NotAlone, "{arch} {blocks}: {message}");
            assert!(machine.outcome().is_some_and(Outcome::needs_device));
            assert!(
                message.contains(&format!("of {blocks} blocks, and they wait for the others")),
                "{message}"
            );
        }
    }
}

#[test]
fn a_grid_that_waits_for_blocks_that_do_not_fit_is_named() {
    for parts in [0, 1, 3] {
        let trace = on_device(&grid_barrier(ArchId::Gp100, 128), 128, 56, parts);
        let (kind, message) = fault(trace.outcome.as_ref());
        assert_eq!(kind, FaultKind::NotResident, "{message}");
        let named = "Block 112 never starts: 112 of 128 blocks fit on the 56 SMs, and they wait for it.";
        assert!(message.contains(named), "{message}");
        assert!(trace.num_cycles < 20_000, "{parts} parts: {}", trace.num_cycles);
    }
    let few = on_device(&grid_barrier(ArchId::Gp100, 7), 7, 3, 1);
    assert!(fault(few.outcome.as_ref()).1.contains("Block 6 never starts"));
}

#[test]
fn a_grid_that_waits_for_itself_ends_if_it_fits() {
    for parts in [0, 1] {
        let trace = on_device(&grid_barrier(ArchId::Gp100, 112), 112, 56, parts);
        assert_eq!(trace.outcome, Some(Outcome::Finished));
    }
    let mut machine = Machine::new(
        architecture(ArchId::Gp100),
        &grid_barrier(ArchId::Gp100, 112),
        &launch(112, 1024, 32),
        MachineOptions {
            sm: Some(0),
            ..MachineOptions::default()
        },
    )
    .unwrap();
    assert_eq!(machine.run(&mut ()), &Outcome::Finished);
}

#[test]
fn a_lock_that_nobody_frees_does_not_wait_for_blocks() {
    for arch in [ArchId::Gp100, ArchId::Gv100] {
        let trace = on_device(&taken_lock(arch), 100, 3, 1);
        let (kind, message) = fault(trace.outcome.as_ref());
        assert_eq!(kind, FaultKind::Livelock, "{message}");
        assert!(
            message.ends_with("Blocks 6 to 99 have not started: 6 blocks fit on the 3 SMs."),
            "{message}"
        );
        let mut machine = Machine::new(
            architecture(arch),
            &taken_lock(arch),
            &launch(100, 1024, 32),
            MachineOptions::default(),
        )
        .unwrap();
        machine.run(&mut ());
        assert_eq!(fault(machine.outcome()).0, FaultKind::Livelock);
    }
}
