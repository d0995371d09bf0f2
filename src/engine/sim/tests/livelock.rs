//! In which programs it is looked for warps that spin.

use super::builder::{Asm, imm, r, unless, when};
use crate::arch::ArchId;
use crate::ids::Pc;
use crate::isa::{Cmp, Space};
use crate::sim::livelock::may_spin;

/// A loop that `body` fills, which reads shared memory and ends with a jump back under a guard.
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
fn a_loop_that_counts_does_not_spin() {
    let spins = |body: fn(&mut Asm)| may_spin(&looping(body).program());
    assert!(!spins(|asm| asm.add(1, r(1), imm(1))));
    assert!(!spins(|asm| asm.add(1, r(1), imm(0_u32.wrapping_sub(4)))));
    assert!(spins(|_| {}), "it waits for what it reads");
    assert!(spins(|asm| asm.add(1, r(4), imm(1))), "each time the same sum");
    assert!(spins(|asm| asm.add(1, r(1), r(4))), "perhaps of zero");
    assert!(
        spins(|asm| asm.add(1, r(1), imm(1 << 30))),
        "after four passes it is as before"
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
        // Some lanes leave the counter out.
        let skip = asm.branch_if(when(1), Pc(0));
        asm.add(1, r(1), imm(1));
        asm.land(skip);
    }));
}

#[test]
fn a_loop_that_counts_may_have_one_that_spins() {
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
