//! The programs for which livelock detection runs.

use super::builder::{Asm, imm, r, unless, when};
use crate::arch::ArchId;
use crate::ids::Pc;
use crate::isa::{Cmp, Space};
use crate::sim::livelock::may_spin;

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
