//! Dual issue, and shared arithmetic lanes, on Kepler and GF104.

use super::builder::{Asm, imm, launch, machine, param, r, run};
use crate::arch::{ArchId, architecture};
use crate::ids::{Cycle, Pc, SlotIdx};
use crate::isa::{CacheOp, Cmp, Op, Space, Width};
use crate::sim::{Issue, Sink, WaitCause};

/// Cycle, scheduler, instruction, and whether it is the second of a pair.
#[derive(Default)]
struct Issues(Vec<(u64, u8, Pc, bool)>);
impl Sink for Issues {
    fn issue(&mut self, cycle: Cycle, issue: &Issue) {
        self.0
            .push((cycle.0, issue.scheduler, issue.pc, issue.dispatch > 0));
    }
}

fn issues(asm: &mut Asm, threads: u32) -> Issues {
    asm.exit();
    let mut issues = Issues::default();
    run(&asm.clone().program(), &launch(1, threads, 1024), &mut issues);
    issues
}

fn num_pairs(asm: &mut Asm) -> usize {
    issues(asm, 32).0.iter().filter(|issue| issue.3).count()
}

#[test]
fn independent_adjacent_instructions_dual_issue() {
    for before in 0..2 {
        let mut asm = Asm::new(ArchId::Gk110);
        for _ in 0..before {
            asm.ffma(9, 9, 20, 21);
        }
        for _ in 0..10 {
            for chain in 1..5 {
                asm.ffma(chain, chain, 20, 21);
            }
        }
        // An instruction in front splits the first pair; the pairing recovers within one iteration.
        let pairs = num_pairs(&mut asm);
        assert!(pairs >= 19, "{before}: {pairs}");
    }
}

#[test]
fn incompatible_instructions_do_not_dual_issue() {
    let rows: [fn(&mut Asm, u8); 5] = [
        |asm, reg| {
            asm.op(Op::Shl, reg, &[r(20), imm(2)]);
        },
        |asm, reg| asm.compare(reg % 4, r(20), Cmp::Lt, r(21)),
        |asm, reg| asm.load(Space::Global, reg, r(22), 0),
        |asm, reg| asm.load(Space::Shared, reg, imm(0), 0),
        // Each instruction reads the result of the previous one.
        |asm, reg| asm.ffma(reg, reg - 1, 20, 21),
    ];
    for (number, row) in rows.iter().enumerate() {
        let mut asm = Asm::new(ArchId::Gk110);
        asm.mov(22, param(0));
        asm.mov(23, param(4));
        asm.mov(0, imm(0));
        for reg in 1..9 {
            row(&mut asm, reg);
        }
        let pairs = issues(&mut asm, 32)
            .0
            .iter()
            .filter(|issue| issue.3 && issue.2.0 > 3)
            .count();
        assert_eq!(pairs, 0, "{number}");
    }
}

/// The first of a pair waits for the second's operands, and the stall names the second.
#[test]
fn a_stall_on_the_second_instruction_of_a_pair_names_it() {
    let mut asm = Asm::new(ArchId::Gk110);
    asm.mov(20, imm(0));
    asm.mov(21, imm(0));
    for _ in 0..8 {
        for chain in 1..5 {
            asm.ffma(chain, chain, 20, 21);
        }
        // R3 is ready a cycle after R2; both instructions wait for it.
        asm.ffma(5, 2, 20, 21);
        asm.ffma(6, 3, 20, 21);
    }
    asm.exit();
    let program = asm.program();
    let mut machine = machine(&program, &launch(1, 32, 64));
    let mut num = [0, 0];
    while machine.step(&mut ()) {
        let Some(warp) = machine.warp(SlotIdx(0)) else {
            continue;
        };
        let WaitCause::Register { reg, for_second, .. } = warp.cause else {
            continue;
        };
        let instruction = &program.code[warp.pc.0 as usize];
        let own = instruction.sources().chain(instruction.destination());
        let is_own = own
            .flat_map(crate::isa::info::RegRange::regs)
            .any(|own| own.0 == reg);
        assert_eq!(for_second, !is_own, "R{reg} at {:?}", warp.pc);
        num[usize::from(for_second)] += 1;
    }
    assert!(num[0] > 0 && num[1] > 0, "{num:?}");
}

/// An access of more than 32 bits issues alone, also for constants.
#[test]
fn only_narrow_accesses_dual_issue() {
    let pairs = |width, load: fn(Width) -> Op| {
        let mut asm = Asm::new(ArchId::Gk110);
        asm.mov(0, imm(0));
        for reg in 1..9 {
            asm.op(load(width), 24, &[r(0)]);
            asm.ffma(reg, reg, 20, 21);
        }
        num_pairs(&mut asm)
    };
    let of_constants = |width| Op::Ldc { bank: 0, width };
    let of_shared = |width| Op::Ld {
        space: Space::Shared,
        width,
        cache: CacheOp::Default,
        wide: false,
    };
    for (name, load) in [
        ("constants", of_constants as fn(Width) -> Op),
        ("shared", of_shared),
    ] {
        assert!(pairs(Width::B32, load) > 0, "{name}");
        for width in [Width::B64, Width::B128] {
            assert_eq!(pairs(width, load), 0, "{name} {width:?}");
        }
    }
}

/// The maximum number of instructions that all schedulers issue in one cycle, and the issues of each in the
/// first half.
fn most_at_once(arch: ArchId, row: fn(&mut Asm, u8)) -> (usize, Vec<usize>) {
    let mut asm = Asm::new(arch);
    for _ in 0..40 {
        for chain in 1..9 {
            row(&mut asm, chain);
        }
    }
    let issues = issues(&mut asm, 1024);
    let last = issues.0.last().map_or(0, |issue| issue.0);
    let in_cycle = |cycle: u64| issues.0.iter().filter(move |issue| issue.0 == cycle);
    let interval = u64::from(architecture(arch).issue.issue_interval_cycles.value);
    let most = (0..last)
        .map(|cycle| {
            (cycle..cycle + interval)
                .map(|cycle| in_cycle(cycle).count())
                .sum()
        })
        .max()
        .unwrap_or(0);
    let schedulers = architecture(arch).issue.schedulers.value as u8;
    let early = |scheduler: u8| {
        let of = |issue: &&(u64, u8, Pc, bool)| issue.1 == scheduler && issue.0 < last / 2;
        issues.0.iter().filter(of).count()
    };
    (most, (0..schedulers).map(early).collect())
}

#[test]
fn lanes_are_shared_fairly() {
    let ffma: fn(&mut Asm, u8) = |asm, chain| asm.ffma(chain, chain, 20, 21);
    let iadd: fn(&mut Asm, u8) = |asm, chain| asm.add(chain, r(chain), r(20));
    for (arch, row, groups) in [
        (ArchId::Gk110, ffma, 6),
        // Five of the six groups of lanes add integers.
        (ArchId::Gk110, iadd, 5),
        (ArchId::Gf104, ffma, 3),
        (ArchId::Gf104, iadd, 3),
    ] {
        let (most, early) = most_at_once(arch, row);
        assert_eq!(most, groups, "{arch}");
        let (least, greatest) = (early.iter().min().unwrap(), early.iter().max().unwrap());
        assert!(least * 10 >= greatest * 9, "{arch}: {early:?}");
    }
}
