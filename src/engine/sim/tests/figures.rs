//! Figures of NVIDIA's guides and of published measurements, reproduced by the machine.

use super::builder::{Asm, atomic, imm, launch, load_word, machine, param, r, run, when};
use crate::arch::{ArchId, OpClass, architecture, curve_at};
use crate::ids::{Cycle, Pc, SlotIdx};
use crate::isa::{BoolOp, Cmp, Op, Space};
use crate::sim::{Access, Issue, Sink, WarpState};

/// The cycles in which instructions issue.
#[derive(Default)]
struct Issues(Vec<(u64, SlotIdx, Pc)>);
impl Sink for Issues {
    fn issue(&mut self, cycle: Cycle, issue: &Issue) {
        self.0.push((cycle.0, issue.slot, issue.pc));
    }
}

/// Cycles from one instruction to the next in the middle of a dependent chain.
fn step_of_chain(asm: &mut Asm, body: impl Fn(&mut Asm)) -> u64 {
    let first = asm.code.len() as u32;
    for _ in 0..20 {
        body(asm);
    }
    asm.exit();
    let program = asm.clone().program();
    let mut issues = Issues::default();
    run(&program, &launch(1, 32, 4096), &mut issues);
    let at = |pc: u32| issues.0.iter().find(|issue| issue.2 == Pc(pc)).unwrap().0;
    (at(first + 15) - at(first + 5)) / 10
}

#[test]
fn core_math_takes_four_cycles_on_volta_and_turing_and_six_on_pascal() {
    for (arch, cycles) in [
        (ArchId::Gv100, 4),
        (ArchId::Tu102, 4),
        (ArchId::Gh100, 4),
        (ArchId::Gp100, 6),
        (ArchId::Gp104, 6),
        (ArchId::G80, 22),
    ] {
        let mut asm = Asm::new(arch);
        let step = step_of_chain(&mut asm, |asm| asm.ffma(1, 1, 2, 3));
        assert_eq!(step, cycles, "{arch}");
    }
}

#[test]
fn every_fixed_latency_matches_the_table() {
    for arch in ArchId::ALL {
        let mut asm = Asm::new(arch);
        let step = step_of_chain(&mut asm, |asm| asm.logic(1, BoolOp::Xor, r(1), imm(3)));
        let table = u64::from(
            architecture(arch)
                .cost(OpClass::IntLogic)
                .unwrap()
                .latency_cycles
                .value,
        );
        let interval = u64::from(architecture(arch).issue.issue_interval_cycles.value);
        assert!(
            step >= table && step < table + interval,
            "{arch}: {step} for {table}"
        );
    }
}

/// The issue slots that independent FP32 and integer instructions fill, in percent. A warp runs `ilp` chains.
/// In a mix, half of the chains, or every second warp of a scheduler, are integer.
fn slots_filled(arch: ArchId, warps: u32, ilp: u8, mixed: bool) -> f64 {
    let schedulers = u32::from(architecture(arch).issue.schedulers.value);
    let mut asm = Asm::new(arch);
    asm.special(0, crate::isa::Special::TidX);
    asm.logic(0, BoolOp::And, r(0), imm(32 * schedulers));
    asm.compare(0, r(0), Cmp::Ne, imm(0));
    let to_integers = (mixed && ilp == 1).then(|| asm.branch_if(when(0), Pc(0)));
    let first = asm.here().0;
    for _ in 0..200 {
        for chain in 0..ilp {
            if mixed && chain % 2 == 1 {
                asm.logic(1 + chain, BoolOp::Xor, r(1 + chain), imm(5));
            } else {
                // One register, without a bank conflict.
                asm.ffma(1 + chain, 1 + chain, 1 + chain, 1 + chain);
            }
        }
    }
    asm.exit();
    if let Some(branch) = to_integers {
        asm.land(branch);
        for _ in 0..200 {
            asm.logic(1, BoolOp::Xor, r(1), imm(5));
        }
        asm.exit();
    }
    let program = asm.program();
    let mut issues = Issues::default();
    run(&program, &launch(1, warps * 32, 64), &mut issues);
    let exits = |pc: Pc| matches!(program.code[pc.0 as usize].op, Op::Exit);
    let arithmetic: Vec<u64> = issues
        .0
        .iter()
        .filter(|issue| issue.2.0 >= first && !exits(issue.2))
        .map(|issue| issue.0)
        .collect();
    let cycles = arithmetic.iter().max().unwrap() + 1 - arithmetic.iter().min().unwrap();
    100.0 * arithmetic.len() as f64 / (cycles * u64::from(schedulers)) as f64
}

#[test]
fn sixteen_instructions_in_flight_fill_the_issue_slots_of_volta_and_turing() {
    for arch in [ArchId::Gv100, ArchId::Tu102] {
        for (warps, ilp) in [(4, 4), (16, 1)] {
            let filled = slots_filled(arch, warps, ilp, true);
            assert!(filled >= 90.0, "{arch}: {warps} warps x {ilp}: {filled}");
            let half = slots_filled(arch, warps / 2, ilp, true);
            assert!(half < 60.0, "{arch}: half of {warps} warps x {ilp}: {half}");
        }
    }
}

#[test]
fn fp32_alone_fills_half_of_the_issue_slots_of_volta_and_turing() {
    for arch in [ArchId::Gv100, ArchId::Tu102] {
        for (warps, ilp) in [(4, 4), (16, 1), (4, 2), (8, 1)] {
            let filled = slots_filled(arch, warps, ilp, false);
            assert!(
                (45.0..=50.5).contains(&filled),
                "{arch}: {warps} x {ilp}: {filled}"
            );
        }
    }
}

/// Measured on an H200 (tests/microbenchmarks/banks.csv): cycles per instruction of a scheduler, for
/// independent instructions with operands in these registers.
#[test]
fn operands_in_one_bank_are_read_serially_on_hopper() {
    let cycles = |operands: &[[u8; 3]], warps| {
        let mut asm = Asm::new(ArchId::Gh100);
        for step in 0..240 {
            let [a, b, c] = operands[step % operands.len()];
            asm.ffma(40 + (step % 8) as u8, a, b, c);
        }
        asm.exit();
        let mut issues = Issues::default();
        run(&asm.program(), &launch(1, warps * 32, 64), &mut issues);
        let last = issues.0.iter().map(|issue| issue.0).max().unwrap();
        let first = issues.0.iter().map(|issue| issue.0).min().unwrap();
        (last - first) as f64 / f64::from(240 * warps / 4)
    };
    // No operand is reused from the previous instruction, because the operands change positions.
    for (operands, measured) in [
        (vec![[2, 3, 3], [6, 7, 7]], 1.0),
        (vec![[2, 4, 3], [6, 8, 7]], 2.0),
        (vec![[2, 3, 4], [6, 7, 8]], 2.0),
        (vec![[2, 4, 6], [8, 10, 12]], 3.0),
        (vec![[2, 4, 3], [7, 7, 7]], 1.0),
        (vec![[2, 4, 3], [6, 6, 6]], 1.5),
        (vec![[2, 4, 3], [7, 9, 6]], 1.5),
        (vec![[2, 4, 6], [7, 7, 7]], 1.5),
        (vec![[2, 4, 6], [7, 7, 7], [9, 9, 9]], 1.0),
        (vec![[2, 4, 6], [8, 10, 3]], 2.5),
        (vec![[2, 4, 3], [6, 8, 7], [7, 7, 7], [9, 9, 9]], 1.25),
        // Reused: b and c keep their positions.
        (vec![[2, 4, 3], [6, 4, 3]], 1.0),
    ] {
        // With several warps, the scheduler switches after each instruction, which the hardware does not do
        // here.
        let alike = operands
            .iter()
            .all(|first| operands[0][0] % 2 == first[0] % 2 && operands[0][2] % 2 == first[2] % 2);
        for warps in if alike { &[4_u32, 32][..] } else { &[4][..] } {
            let warps = *warps;
            let got = cycles(&operands, warps);
            assert!(
                (got - measured).abs() < 0.05,
                "{operands:?}, {warps} warps: {got} for {measured}"
            );
        }
    }
}

/// The issue cycles of a sequence of loads, and of the reader of one of the results, relative to the first load.
fn load_sequence(arch: ArchId, reader_of: u8) -> (Vec<u64>, u64) {
    const CHAINS: u8 = 8;
    let mut asm = Asm::new(arch);
    asm.logic(1, BoolOp::And, r(1), imm(0));
    let first = asm.here();
    for chain in 0..CHAINS {
        asm.load(Space::Shared, 10 + chain, r(1), 0);
    }
    asm.logic(2, BoolOp::Xor, r(10 + reader_of), imm(1));
    asm.exit();
    let mut issues = Issues::default();
    run(&asm.program(), &launch(1, 32, 64), &mut issues);
    let at = |place: u8| {
        issues
            .0
            .iter()
            .find(|issue| issue.2 == Pc(first.0 + u32::from(place)))
            .unwrap()
            .0
    };
    let start = at(0);
    (
        (0..CHAINS).map(|place| at(place) - start).collect(),
        at(CHAINS) - start,
    )
}

/// As read in SASS and timed on an H200 (tests/microbenchmarks/README.md): 4 cycles from load to load, 23
/// cycles from a load to its reader, and the sixth to the eighth load share a scoreboard.
#[test]
fn consecutive_loads_issue_four_cycles_apart_and_share_six_scoreboards_on_hopper() {
    for (reader_of, arrives) in [(0, 23), (4, 16 + 23), (5, 28 + 23), (6, 28 + 23), (7, 28 + 23)] {
        let (loads, reader) = load_sequence(ArchId::Gh100, reader_of);
        assert_eq!(loads, [0, 4, 8, 12, 16, 20, 24, 28]);
        // The reader follows the sequence in any case.
        assert_eq!(reader, arrives.max(29), "of {reader_of}");
    }
    let (loads, reader) = load_sequence(ArchId::Gv100, 5);
    assert_eq!((loads[7], reader), (7, 5 + 19));
}

#[test]
fn unevenly_distributed_warps_leave_issue_slots_empty_on_hopper() {
    // Measured on an H200: 94, 92, and 73 percent.
    assert!(slots_filled(ArchId::Gh100, 4, 4, false) >= 90.0);
    assert!(slots_filled(ArchId::Gh100, 16, 1, false) >= 90.0);
    let uneven = slots_filled(ArchId::Gh100, 6, 4, false);
    assert!((68.0..=78.0).contains(&uneven), "{uneven}");
}

#[test]
fn integers_run_concurrently_with_floats_on_volta_and_turing_but_not_on_pascal() {
    for (arch, beside) in [
        (ArchId::Gv100, true),
        (ArchId::Tu102, true),
        (ArchId::Gp100, false),
        (ArchId::Gp104, false),
    ] {
        let filled = |mixed| slots_filled(arch, 32, 4, mixed);
        let (alone, mixed) = (filled(false), filled(true));
        assert_eq!(
            mixed > 1.5 * alone,
            beside,
            "{arch}: {alone} alone, {mixed} mixed"
        );
    }
}

/// Cycles per load of a chain of shared memory loads whose lanes are `stride` words apart.
fn shared_chain(arch: ArchId, stride: u32) -> u64 {
    let mut asm = Asm::new(arch);
    // word[lane * stride] holds lane * stride * 4: each load returns the address of the next.
    asm.special(0, crate::isa::Special::LaneId);
    asm.op(
        Op::Imul {
            signed: false,
            high: false,
        },
        1,
        &[r(0), imm(stride * 4)],
    );
    asm.store(Space::Shared, r(1), 0, 1);
    step_of_chain(&mut asm, |asm| asm.load(Space::Shared, 1, r(1), 0))
}

/// G80 to Fermi have no such 32-bit multiplication, so shifts compute the chain's address.
fn shared_chain_by_shift(arch: ArchId, shift: u32) -> u64 {
    let mut asm = Asm::new(arch);
    asm.special(0, crate::isa::Special::TidX);
    asm.op(Op::Shl, 1, &[r(0), imm(shift + 2)]);
    asm.store(Space::Shared, r(1), 0, 1);
    step_of_chain(&mut asm, |asm| asm.load(Space::Shared, 1, r(1), 0))
}

#[test]
fn each_additional_wavefront_adds_two_cycles_on_volta() {
    // Jia et al. 2018, Figure 3.9.
    for (stride, cycles) in [(1, 19), (2, 21), (4, 25), (8, 33), (16, 49), (32, 81)] {
        assert_eq!(shared_chain(ArchId::Gv100, stride), cycles, "stride {stride}");
    }
    // The same figure, P100.
    for (stride, cycles) in [(1, 24), (2, 26), (4, 30), (8, 38), (16, 54), (32, 86)] {
        assert_eq!(
            shared_chain_by_shift(ArchId::Gp100, u32::trailing_zeros(stride)),
            cycles,
            "stride {stride}"
        );
    }
    // Measured on an H200, rounded.
    for (stride, cycles) in [(1, 23), (2, 25), (4, 29), (8, 37), (16, 53), (32, 85)] {
        assert_eq!(shared_chain(ArchId::Gh100, stride), cycles, "stride {stride}");
    }
}

#[test]
fn bank_conflicts_on_fermi_follow_the_measured_table() {
    // Mei & Chu 2017, Table 8: 50, 87, 162, 311, 611, 1209.
    for (ways, cycles) in [
        (1_u32, 50_u64),
        (2, 87),
        (4, 162),
        (8, 311),
        (16, 611),
        (32, 1209),
    ] {
        let step = shared_chain_by_shift(ArchId::Gf104, ways.trailing_zeros());
        assert!(
            step.abs_diff(cycles) <= 2 + cycles / 100,
            "{ways} ways: {step} for {cycles}"
        );
    }
}

#[test]
fn one_access_costs_differently_on_tesla_fermi_and_volta() {
    #[derive(Default)]
    struct Passes(Vec<u16>);
    impl Sink for Passes {
        fn access(&mut self, _: Cycle, access: &Access) {
            self.0.push(access.wavefronts);
        }
    }
    // Stride of 16 words: all lanes of a half-warp access one of 16 banks, or two of 32 banks.
    let passes = |arch| {
        let mut asm = Asm::new(arch);
        asm.special(0, crate::isa::Special::TidX);
        asm.op(Op::Shl, 1, &[r(0), imm(6)]);
        asm.load(Space::Shared, 2, r(1), 0);
        asm.exit();
        let mut passes = Passes::default();
        run(&asm.program(), &launch(1, 32, 64), &mut passes);
        passes.0[0]
    };
    assert_eq!(passes(ArchId::Gt200), 32);
    assert_eq!(passes(ArchId::Gf100), 16);
    assert_eq!(passes(ArchId::Gv100), 16);
    let cycles = |arch| shared_chain_by_shift(arch, 4);
    let all = [
        cycles(ArchId::Gt200),
        cycles(ArchId::Gf100),
        cycles(ArchId::Gv100),
    ];
    assert!(
        all[0] != all[1] && all[1] != all[2] && all[0] != all[2],
        "{all:?}"
    );
}

/// Cycles per load of a pointer chase by one lane over `words` words with a stride of `stride` words; `warm`
/// measures a second lap.
fn chase(arch: ArchId, stride: u32, words: u32, warm: bool) -> Vec<u64> {
    use crate::isa::CacheOp;
    let mut asm = Asm::new(arch);
    asm.mov(1, param(0));
    // The chain: each element holds the address of the next.
    let op = load_word(Space::Global, CacheOp::Default);
    let num = words / stride;
    let laps = if warm { 2 } else { 1 };
    // Builds the chain first.
    asm.mov(2, param(0));
    for step in 0..num {
        let next = (step + 1) % num * stride * 4;
        asm.add(3, param(0), imm(next));
        asm.store(Space::Global, r(2), (step * stride * 4) as i32, 3);
    }
    asm.op(Op::Membar { level: 1 }, 255, &[]);
    let first = asm.code.len() as u32;
    for _ in 0..num * laps {
        asm.op(op, 1, &[r(1)]);
    }
    asm.exit();
    let program = asm.program();
    let mut issues = Issues::default();
    run(&program, &launch(1, 1, words), &mut issues);
    let at: Vec<u64> = issues
        .0
        .iter()
        .filter(|issue| issue.2.0 >= first)
        .map(|issue| issue.0)
        .collect();
    at.windows(2)
        .map(|pair| pair[1] - pair[0])
        .skip(((laps - 1) * num) as usize)
        .take(num as usize - 1)
        .collect()
}

#[test]
fn a_pointer_chase_in_l1_measures_the_l1_latency() {
    for arch in [
        ArchId::Gf100,
        ArchId::Gp100,
        ArchId::Gv100,
        ArchId::Tu102,
        ArchId::Gh100,
    ] {
        let architecture = architecture(arch);
        let l1 = architecture.memory.l1.as_ref().unwrap();
        if !l1.caches_globals_by_default.value {
            continue;
        }
        let table = u64::from(l1.hit_latency_cycles.value);
        let interval = u64::from(architecture.issue.issue_interval_cycles.value);
        let steps = chase(arch, 32, 256, true);
        assert!(
            steps.iter().all(|step| (table..table + interval).contains(step)),
            "{arch}: {steps:?} for {table}"
        );
    }
}

/// A chain of loads at separate addresses, without a chain in memory: the buffer holds zeros.
fn cold_loads(arch: ArchId, cache: crate::isa::CacheOp) -> Vec<(u64, u64)> {
    let mut asm = Asm::new(arch);
    asm.mov(1, param(0));
    let op = load_word(Space::Global, cache);
    let first = asm.code.len() as u32;
    for lap in 0..2 {
        for step in 0..8 {
            // The address of the next load depends on this load's value, masked to zero.
            asm.op(op, 2, &[r(1)]).offset = step * 4096;
            asm.logic(2, BoolOp::And, r(2), imm(0));
            asm.add(1, r(2), param(0));
            let _ = lap;
        }
    }
    asm.exit();
    let mut issues = Issues::default();
    run(&asm.program(), &launch(1, 1, 16384), &mut issues);
    let at = |pc: u32| issues.0.iter().find(|issue| issue.2 == Pc(pc)).unwrap().0;
    let wait = |idx: u32| at(first + idx * 3 + 1) - at(first + idx * 3);
    (0..8).map(|idx| (wait(idx), wait(idx + 8))).collect()
}

#[test]
fn device_memory_and_l2_respond_after_their_latencies() {
    for arch in ArchId::ALL {
        let architecture = architecture(arch);
        let interval = u64::from(architecture.issue.issue_interval_cycles.value);
        let near = |got: u64, table: u16| (u64::from(table)..u64::from(table) + interval).contains(&got);
        for (cold, warm) in cold_loads(arch, crate::isa::CacheOp::Cg) {
            let memory = &architecture.memory;
            assert!(near(cold, memory.device.latency_cycles.value), "{arch}: {cold}");
            match &memory.l2 {
                Some(l2) => assert!(near(warm, l2.hit_latency_cycles.value), "{arch}: {warm}"),
                None => assert!(near(warm, memory.device.latency_cycles.value), "{arch}: {warm}"),
            }
        }
    }
}

#[test]
fn atomics_on_one_address_follow_the_measured_curve() {
    use crate::isa::AtomOp;
    let mut asm = Asm::new(ArchId::Gv100);
    let step = step_of_chain(&mut asm, |asm| {
        let _ = asm.op(atomic(Space::Shared, AtomOp::Add), 1, &[r(20), r(1)]);
    });
    let curve = architecture(ArchId::Gv100)
        .memory
        .atomics
        .shared_latency_curve
        .value;
    // The old value returns as late as a load's value, plus the serialization of the other lanes.
    assert_eq!(step, 19 + u64::from(curve_at(curve, 32) - curve_at(curve, 1)));
}

#[test]
fn a_divergent_constant_load_is_serialized_by_address() {
    // Jia et al. 2018, Figure 3.7: 27 + 11 (n - 1).
    use crate::isa::Width;
    for (mask, num) in [(0, 1), (1, 2), (7, 8), (31, 32)] {
        let mut asm = Asm::new(ArchId::Gv100);
        asm.special(0, crate::isa::Special::LaneId);
        asm.logic(1, BoolOp::And, r(0), imm(mask));
        asm.op(Op::Shl, 1, &[r(1), imm(2)]);
        let op = Op::Ldc {
            bank: 0,
            width: Width::B32,
        };
        // Two loads, so that the second hits; then a reader of its result.
        for _ in 0..2 {
            asm.op(op, 2, &[r(1)]);
            asm.logic(3, BoolOp::And, r(2), imm(0));
            asm.add(1, r(1), r(3));
        }
        asm.exit();
        let mut issues = Issues::default();
        run(&asm.program(), &launch(1, 32, 64), &mut issues);
        let at = |pc: u32| issues.0.iter().find(|issue| issue.2 == Pc(pc)).unwrap().0;
        assert_eq!(at(7) - at(6), 27 + 11 * (num - 1), "{num} addresses");
    }
}

#[test]
fn a_barrier_takes_longer_with_more_warps() {
    // Measured on an H200: 14, 28, and 76 cycles with 1, 8, and 32 warps.
    for (warps, cycles) in [(1, 14), (8, 28), (32, 76)] {
        let mut asm = Asm::new(ArchId::Gh100);
        for _ in 0..6 {
            asm.op(
                Op::Bar {
                    mode: crate::isa::BarMode::Sync,
                    id: 0,
                },
                255,
                &[],
            );
        }
        asm.exit();
        let mut issues = Issues::default();
        run(&asm.program(), &launch(1, warps * 32, 64), &mut issues);
        let at = |pc: u32| {
            issues
                .0
                .iter()
                .find(|issue| issue.2 == Pc(pc) && issue.1 == SlotIdx(0))
                .unwrap()
                .0
        };
        let step = at(4) - at(3);
        assert!(step.abs_diff(cycles) <= 2, "{warps} warps: {step}");
    }
}

#[test]
fn schedulers_with_two_dispatch_units_dual_issue() {
    assert_eq!(architecture(ArchId::Gf104).issue.dispatches.value, 2);
    for arch in ArchId::ALL {
        let mut asm = Asm::new(arch);
        for step in 0..50 {
            // Instructions for two pipes.
            asm.ffma(1, 1, 20, 21);
            asm.load(Space::Shared, 30 + step, r(22), 0);
        }
        asm.exit();
        let mut issues = Issues::default();
        run(&asm.program(), &launch(1, 32, 64), &mut issues);
        let pairs = issues.0.windows(2).filter(|pair| pair[0].0 == pair[1].0).count();
        match architecture(arch).issue.dispatches.value {
            1 => assert_eq!(pairs, 0, "{arch}"),
            _ => assert!(pairs >= 40, "{arch}: {pairs}"),
        }
    }
}

#[test]
fn every_warp_has_exactly_one_state_in_every_cycle() {
    struct States {
        last: Vec<(WarpState, u64)>,
        counts: Vec<u64>,
        issued: u64,
    }
    impl Sink for States {
        fn state(&mut self, cycle: Cycle, slot: SlotIdx, state: WarpState, _: Pc) {
            let (old, since) = self.last[usize::from(slot.0)];
            assert!(
                old != WarpState::Selected || cycle.0 == since + 1,
                "{slot:?} {since} to {cycle:?}"
            );
            self.counts[old as usize] += cycle.0 - since;
            assert!(cycle.0 >= since);
            self.last[usize::from(slot.0)] = (state, cycle.0);
        }
        fn issue(&mut self, _: Cycle, issue: &Issue) {
            self.issued += u64::from(issue.dispatch == 0);
        }
    }
    for arch in ArchId::ALL {
        let mut asm = Asm::new(arch);
        asm.special(0, crate::isa::Special::TidX);
        asm.op(Op::Shl, 1, &[r(0), imm(2)]);
        asm.add(1, r(1), param(0));
        for _ in 0..4 {
            asm.load(Space::Global, 2, r(1), 0);
            asm.ffma(3, 2, 2, 3);
            asm.op(
                Op::Bar {
                    mode: crate::isa::BarMode::Sync,
                    id: 0,
                },
                255,
                &[],
            );
        }
        asm.store(Space::Global, r(1), 0, 3);
        asm.exit();
        let mut machine = machine(&asm.program(), &launch(8, 128, 128));
        let slots = machine.num_slots();
        let mut states = States {
            last: vec![(WarpState::Empty, 0); slots],
            counts: vec![0; WarpState::ALL.len()],
            issued: 0,
        };
        while machine.step(&mut states) {}
        let end = machine.cycle().0;
        for (state, since) in states.last.clone() {
            states.counts[state as usize] += end - since;
        }
        assert_eq!(states.counts.iter().sum::<u64>(), end * slots as u64, "{arch}");
        assert_eq!(
            states.counts[WarpState::Selected as usize],
            states.issued,
            "{arch}"
        );
    }
}

#[test]
fn skipping_quiet_cycles_changes_nothing() {
    for arch in ArchId::ALL {
        let mut asm = Asm::new(arch);
        asm.special(0, crate::isa::Special::TidX);
        asm.op(Op::Shl, 1, &[r(0), imm(2)]);
        asm.add(1, r(1), param(0));
        asm.load(Space::Global, 2, r(1), 0);
        asm.ffma(3, 2, 2, 3);
        asm.store(Space::Global, r(1), 0, 3);
        asm.exit();
        let program = asm.program();
        let launch = launch(5, 96, 128);
        let (mut stepped, mut skipped) = (Issues::default(), Issues::default());
        let mut one = machine(&program, &launch);
        while one.step(&mut stepped) {}
        let mut other = machine(&program, &launch);
        other.run(&mut skipped);
        assert_eq!(one.cycle(), other.cycle());
        assert_eq!(stepped.0, skipped.0);
        // A clone made halfway continues exactly as the original.
        let mut half = machine(&program, &launch);
        half.run_until(Cycle(one.cycle().0 / 2), &mut ());
        let mut copy = half.clone();
        let (mut rest, mut copied) = (Issues::default(), Issues::default());
        half.run(&mut rest);
        copy.run(&mut copied);
        assert_eq!(rest.0, copied.0);
        assert_eq!(half.cycle(), one.cycle());
    }
}
