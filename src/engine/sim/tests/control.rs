//! Divergence, barriers, atomics, and faults.

use super::builder::{
    ALWAYS, Asm, atomic, imm, launch, load_word, machine, param, r, run_both, unless, when,
};
use crate::arch::{ArchId, architecture};
use crate::ids::{LaneMask, Pc};
use crate::isa::{
    AtomOp, BarMode, BarrierReg, BoolOp, CacheOp, Cmp, NumType, Op, PredSrc, ShflMode, Space, Special, Token,
    VoteMode, Width,
};
use crate::sim::{FaultKind, Issue, Outcome, Sink};

/// Opens a reconvergence region; `close` ends it.
fn open(asm: &mut Asm) -> usize {
    let op = if architecture(asm.arch).has_independent_threads() {
        Op::Bssy {
            barrier: BarrierReg(0),
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

/// Sends the lanes of a branch side to the reconvergence point.
fn join(asm: &mut Asm, to: &mut Vec<usize>) {
    if architecture(asm.arch).has_independent_threads() {
        to.push(asm.branch_if(ALWAYS, Pc(0)));
    } else {
        asm.op(Op::Pop { token: Token::Ssy }, 255, &[]);
    }
}

fn close(asm: &mut Asm, opened: usize, joins: Vec<usize>) {
    for at in joins {
        asm.land(at);
    }
    asm.land(opened);
    if architecture(asm.arch).has_independent_threads() {
        asm.op(
            Op::Bsync {
                barrier: BarrierReg(0),
            },
            255,
            &[],
        );
    }
}

/// R1 = address of this thread's word; R0 = thread index in the grid.
fn prologue(asm: &mut Asm, threads: u32) {
    asm.special(0, Special::TidX);
    asm.special(2, Special::CtaidX);
    let op = Op::Shl;
    asm.op(op, 2, &[r(2), imm(threads.trailing_zeros())]);
    asm.add(0, r(0), r(2));
    asm.op(op, 1, &[r(0), imm(2)]);
    asm.add(1, r(1), param(0));
}

#[test]
fn both_sides_of_a_branch_run_and_reconverge() {
    struct Slots(Vec<(u32, u32)>);
    impl Sink for Slots {
        fn issue(&mut self, _: crate::ids::Cycle, issue: &Issue) {
            self.0.push((issue.pc.0, issue.active.0));
        }
    }
    for arch in ArchId::ALL {
        let mut asm = Asm::new(arch);
        prologue(&mut asm, 32);
        asm.mov(3, imm(7));
        asm.compare(0, r(0), Cmp::Lt, imm(10));
        let opened = open(&mut asm);
        let to_else = asm.branch_if(unless(0), Pc(0));
        asm.mov(3, imm(100));
        let mut joins = Vec::new();
        join(&mut asm, &mut joins);
        asm.land(to_else);
        asm.add(3, r(3), r(0));
        join(&mut asm, &mut joins);
        close(&mut asm, opened, joins);
        let after = asm.here().0;
        asm.store(Space::Global, r(1), 0, 3);
        asm.exit();
        let program = asm.program();
        let launch = launch(1, 32, 32);
        let words = run_both(&program, &launch);
        for (lane, word) in words.into_iter().enumerate() {
            assert_eq!(word, if lane < 10 { 100 } else { 7 + lane as u32 });
        }
        let mut slots = Slots(Vec::new());
        machine(&program, &launch).run(&mut slots);
        // The common code runs once, with all lanes.
        let common: Vec<_> = slots.0.iter().filter(|slot| slot.0 == after).collect();
        assert_eq!(common, [&(after, u32::MAX)], "{arch}");
    }
}

#[test]
fn each_lane_leaves_a_loop_on_its_own() {
    for arch in ArchId::ALL {
        let mut asm = Asm::new(arch);
        prologue(&mut asm, 32);
        asm.mov(3, imm(0));
        asm.mov(4, r(0));
        let opened = open(&mut asm);
        let top = asm.here();
        asm.add(3, r(3), imm(3));
        asm.add(4, r(4), imm(u32::MAX));
        asm.compare(0, r(4), Cmp::Ge, imm(0));
        asm.branch_if(when(0), top);
        let mut joins = Vec::new();
        join(&mut asm, &mut joins);
        close(&mut asm, opened, joins);
        asm.store(Space::Global, r(1), 0, 3);
        asm.exit();
        let words = run_both(&asm.program(), &launch(3, 32, 96));
        for (thread, word) in words.into_iter().enumerate() {
            assert_eq!(word, (thread as u32 + 1) * 3, "{arch}");
        }
    }
}

#[test]
fn breaks_pop_the_token_of_the_loop() {
    for arch in [ArchId::G80, ArchId::Gf100, ArchId::Gp104] {
        let mut asm = Asm::new(arch);
        prologue(&mut asm, 32);
        asm.mov(3, imm(0));
        asm.op(
            Op::Push {
                token: Token::Brk,
                target: Pc(0),
            },
            255,
            &[],
        );
        let outer = asm.code.len() - 1;
        let top = asm.here();
        asm.add(3, r(3), imm(1));
        asm.compare(0, r(3), Cmp::Gt, r(0));
        // An `if` inside the loop that a `break` leaves.
        asm.op(
            Op::Push {
                token: Token::Ssy,
                target: Pc(0),
            },
            255,
            &[],
        );
        let inner = asm.code.len() - 1;
        let skip = asm.branch_if(unless(0), Pc(0));
        asm.op(Op::Pop { token: Token::Brk }, 255, &[]);
        asm.land(skip);
        asm.op(Op::Pop { token: Token::Ssy }, 255, &[]);
        asm.land(inner);
        asm.branch_if(ALWAYS, top);
        asm.land(outer);
        asm.store(Space::Global, r(1), 0, 3);
        asm.exit();
        let words = run_both(&asm.program(), &launch(1, 32, 32));
        assert_eq!(words, (1..=32).collect::<Vec<_>>(), "{arch}");
    }
}

#[test]
fn calls_return_to_their_call_site() {
    for arch in ArchId::ALL {
        let mut asm = Asm::new(arch);
        prologue(&mut asm, 32);
        asm.mov(3, imm(1));
        asm.op(Op::Call { target: Pc(0) }, 255, &[]);
        let first = asm.code.len() - 1;
        asm.add(3, r(3), r(3));
        asm.op(Op::Call { target: Pc(0) }, 255, &[]);
        let second = asm.code.len() - 1;
        asm.store(Space::Global, r(1), 0, 3);
        asm.exit();
        asm.land(first);
        asm.land(second);
        asm.compare(0, r(0), Cmp::Lt, imm(16));
        asm.op(Op::Ret, 255, &[]).guard = when(0);
        asm.add(3, r(3), imm(5));
        asm.op(Op::Ret, 255, &[]);
        let words = run_both(&asm.program(), &launch(1, 32, 32));
        for (lane, word) in words.into_iter().enumerate() {
            assert_eq!(word, if lane < 16 { 2 } else { 17 }, "{arch}");
        }
    }
}

#[test]
fn a_block_exchanges_words_across_a_barrier() {
    for arch in ArchId::ALL {
        let mut asm = Asm::new(arch);
        prologue(&mut asm, 128);
        asm.special(4, Special::TidX);
        asm.op(Op::Shl, 4, &[r(4), imm(2)]);
        asm.store(Space::Shared, r(4), 0, 0);
        asm.op(
            Op::Bar {
                mode: BarMode::Sync,
                id: 0,
            },
            255,
            &[],
        );
        asm.logic(4, BoolOp::Xor, r(4), imm(127 * 4));
        asm.load(Space::Shared, 5, r(4), 0);
        asm.store(Space::Global, r(1), 0, 5);
        asm.exit();
        let words = run_both(&asm.program(), &launch(20, 128, 128 * 20));
        for (thread, word) in words.into_iter().enumerate() {
            assert_eq!(word, thread as u32 ^ 127, "{arch}");
        }
    }
}

#[test]
fn barriers_count_votes() {
    for arch in ArchId::ALL.into_iter().filter(|arch| *arch >= ArchId::Gf100) {
        let mut asm = Asm::new(arch);
        prologue(&mut asm, 128);
        asm.compare(0, r(0), Cmp::Lt, imm(77));
        asm.op(
            Op::Bar {
                mode: BarMode::RedPopc,
                id: 0,
            },
            5,
            &[],
        )
        .psrcs[0] = when(0);
        asm.store(Space::Global, r(1), 0, 5);
        asm.exit();
        assert_eq!(
            run_both(&asm.program(), &launch(1, 128, 128)),
            vec![77; 128],
            "{arch}"
        );
    }
}

#[test]
fn atomics_lose_no_update() {
    for arch in ArchId::ALL.into_iter().filter(|arch| *arch != ArchId::G80) {
        let mut asm = Asm::new(arch);
        asm.mov(1, param(0));
        asm.mov(2, imm(1));
        let op = Op::Red {
            space: Space::Global,
            op: AtomOp::Add,
            ty: NumType::U32,
            wide: false,
        };
        asm.op(op, 255, &[r(1), r(2)]);
        asm.exit();
        assert_eq!(run_both(&asm.program(), &launch(7, 96, 4))[0], 7 * 96, "{arch}");
    }
}

/// Each lane of a warp acquires a lock, adds to a word, and releases the lock.
fn spin_lock(arch: ArchId) -> Asm {
    let mut asm = Asm::new(arch);
    asm.mov(1, param(0));
    asm.mov(5, imm(0));
    let cas = atomic(Space::Global, AtomOp::Cas);
    let opened = open(&mut asm);
    let top = asm.here();
    // Word 0 is the lock (0 from the fill), word 1 the sum.
    asm.op(cas, 3, &[r(1), imm(0), imm(1)]);
    asm.compare(0, r(3), Cmp::Ne, imm(0));
    asm.branch_if(when(0), top);
    let mut joins = Vec::new();
    join(&mut asm, &mut joins);
    close(&mut asm, opened, joins);
    let volatile = load_word(Space::Global, CacheOp::Cv);
    asm.op(volatile, 4, &[r(1)]).offset = 4;
    asm.add(4, r(4), imm(1));
    asm.store(Space::Global, r(1), 4, 4);
    let exch = atomic(Space::Global, AtomOp::Exch);
    asm.op(exch, 3, &[r(1), imm(0)]);
    asm.exit();
    asm
}

#[test]
fn a_lock_between_lanes_of_a_warp_terminates_from_volta_on_only() {
    for arch in [ArchId::Gv100, ArchId::Tu102] {
        assert_eq!(
            run_both(&spin_lock(arch).program(), &launch(1, 32, 2))[1],
            1 + 32,
            "{arch}"
        );
    }
    let mut machine = machine(&spin_lock(ArchId::Gp104).program(), &launch(1, 32, 2));
    let Outcome::Fault(fault) = machine.run(&mut ()).clone() else {
        panic!("{:?}", machine.outcome());
    };
    assert_eq!(
        (fault.kind, fault.lanes),
        (FaultKind::DivergentLivelock, LaneMask(!1))
    );
}

#[test]
fn a_barrier_that_some_threads_skip_deadlocks_from_volta_on_only() {
    let program = |arch| {
        let mut asm = Asm::new(arch);
        prologue(&mut asm, 64);
        asm.compare(0, r(0), Cmp::Lt, imm(40));
        asm.op(
            Op::Bar {
                mode: BarMode::Sync,
                id: 0,
            },
            255,
            &[],
        )
        .guard = when(0);
        // The other threads wait at another barrier.
        asm.op(
            Op::Bar {
                mode: BarMode::Sync,
                id: 1,
            },
            255,
            &[],
        )
        .guard = unless(0);
        asm.exit();
        asm.program()
    };
    let mut volta = machine(&program(ArchId::Gv100), &launch(1, 64, 64));
    match volta.run(&mut ()).clone() {
        Outcome::Deadlock { waiting, .. } => {
            assert_eq!(waiting.iter().map(|group| group.2.count()).sum::<u32>(), 64);
        }
        other => panic!("{other:?}"),
    }
    // Exited threads do not count.
    let mut asm = Asm::new(ArchId::Gv100);
    prologue(&mut asm, 64);
    asm.compare(0, r(0), Cmp::Lt, imm(40));
    asm.op(Op::Exit, 255, &[]).guard = when(0);
    asm.op(
        Op::Bar {
            mode: BarMode::Sync,
            id: 0,
        },
        255,
        &[],
    );
    asm.store(Space::Global, r(1), 0, 0);
    asm.exit();
    run_both(&asm.program(), &launch(1, 64, 64));
}

#[test]
fn bad_addresses_fault_with_lane_and_location() {
    for arch in ArchId::ALL {
        let mut asm = Asm::new(arch);
        prologue(&mut asm, 32);
        asm.store(Space::Global, r(1), 0, 0);
        asm.exit();
        let mut over = machine(&asm.program(), &launch(1, 32, 20));
        match over.run(&mut ()).clone() {
            Outcome::Fault(fault) => {
                assert_eq!(fault.kind, FaultKind::OutOfBounds);
                assert_eq!(fault.lanes, LaneMask(0xfff0_0000));
                assert!(
                    fault.message.contains("out, which has 80 bytes"),
                    "{}",
                    fault.message
                );
            }
            other => panic!("{other:?}"),
        }
        let mut asm = Asm::new(arch);
        prologue(&mut asm, 32);
        asm.store(Space::Shared, r(1), 2, 0);
        asm.exit();
        let mut odd = machine(&asm.program(), &launch(1, 32, 32));
        assert!(matches!(odd.run(&mut ()), Outcome::Fault(fault) if fault.kind == FaultKind::Misaligned));
    }
}

#[test]
fn votes_and_shuffles_exchange_values_between_lanes() {
    for arch in [ArchId::Gp104, ArchId::Gv100, ArchId::Tu102] {
        let sync = architecture(arch).has_independent_threads();
        let mut asm = Asm::new(arch);
        prologue(&mut asm, 32);
        asm.compare(0, r(0), Cmp::Ge, imm(28));
        asm.op(
            Op::Vote {
                mode: VoteMode::Any,
                sync,
            },
            3,
            &[],
        )
        .psrcs[0] = when(0);
        asm.op(
            Op::Shfl {
                mode: ShflMode::Bfly,
                sync,
            },
            4,
            &[r(0), imm(1), imm(31)],
        );
        asm.add(3, r(3), r(4));
        asm.store(Space::Global, r(1), 0, 3);
        asm.exit();
        let words = run_both(&asm.program(), &launch(1, 32, 32));
        for (lane, word) in words.into_iter().enumerate() {
            assert_eq!(word, 0xf000_0000 + (lane as u32 ^ 1), "{arch}");
        }
    }
}

#[test]
fn a_shuffle_waits_for_the_lanes_of_its_member_mask() {
    for arch in [ArchId::Gv100, ArchId::Tu102] {
        for adversarial in [false, true] {
            let mut asm = Asm::new(arch);
            prologue(&mut asm, 32);
            asm.compare(0, r(0), Cmp::Lt, imm(5));
            // The lanes diverge without a convergence barrier: the shuffle itself reconverges them.
            let skip = asm.branch_if(when(0), Pc(0));
            asm.add(0, r(0), imm(100));
            asm.add(0, r(0), imm(100));
            asm.land(skip);
            asm.op(
                Op::Shfl {
                    mode: ShflMode::Idx,
                    sync: true,
                },
                4,
                &[r(0), imm(31), imm(31)],
            );
            asm.store(Space::Global, r(1), 0, 4);
            asm.exit();
            let program = asm.program();
            let launch = launch(1, 32, 32);
            assert_eq!(run_both(&program, &launch), vec![231; 32], "{arch}");
            let options = crate::sim::MachineOptions {
                adversarial,
                ..Default::default()
            };
            let mut machine =
                crate::sim::Machine::new(architecture(arch), &program, &launch, options).unwrap();
            machine.run(&mut ());
            assert_eq!(super::builder::words(&machine.outputs()), vec![231; 32], "{arch}");
        }
    }
}

#[test]
fn local_memory_is_private_to_each_thread() {
    for arch in ArchId::ALL {
        let mut asm = Asm::new(arch);
        prologue(&mut asm, 32);
        asm.mov(3, imm(8));
        asm.store(Space::Local, r(3), 4, 0);
        let byte = Op::St {
            space: Space::Local,
            width: Width::U8,
            cache: CacheOp::Default,
            wide: false,
        };
        asm.op(byte, 255, &[r(3), r(3)]).offset = 6;
        asm.load(Space::Local, 5, r(3), 4);
        asm.store(Space::Global, r(1), 0, 5);
        asm.exit();
        let words = run_both(&asm.program(), &launch(2, 32, 64));
        for (thread, word) in words.into_iter().enumerate() {
            assert_eq!(word, 0x8_0000 + thread as u32, "{arch}");
        }
    }
}

#[test]
fn predicates_guard_every_kind_of_instruction() {
    let odd = PredSrc { ..when(0) };
    for arch in ArchId::ALL {
        let mut asm = Asm::new(arch);
        prologue(&mut asm, 32);
        asm.logic(3, BoolOp::And, r(0), imm(1));
        asm.compare(0, r(3), Cmp::Ne, imm(0));
        asm.add(4, r(0), imm(50));
        asm.code.last_mut().unwrap().guard = odd;
        asm.store(Space::Global, r(1), 0, 4);
        asm.code.last_mut().unwrap().guard = odd;
        asm.op(Op::Exit, 255, &[]).guard = odd;
        asm.exit();
        let words = run_both(&asm.program(), &launch(1, 32, 32));
        for (lane, word) in words.into_iter().enumerate() {
            let lane = lane as u32;
            assert_eq!(word, if lane % 2 == 1 { lane + 50 } else { lane }, "{arch}");
        }
    }
}
