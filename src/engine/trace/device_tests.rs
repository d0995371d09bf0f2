//! One SM of a device in full: its trace has the blocks and cycles of the device's record, and its replay alone has the
//! state of the machine that ran among the others.

use std::sync::Arc;

use super::device::DeviceSimulation;
use super::testing::{transpose, transpose_launch};
use super::{Simulation, Trace, TraceOptions};
use crate::arch::{ArchId, architecture};
use crate::ids::{Cycle, SlotIdx};
use crate::isa::Reg;
use crate::sim::machine::Machine;
use crate::sim::{MachineOptions, Outcome};

const ARCHS: [ArchId; 3] = [ArchId::Gt200, ArchId::Gf100, ArchId::Gp104];

fn of_sm(sm: u16) -> MachineOptions {
    MachineOptions {
        sm: Some(sm),
        ..MachineOptions::default()
    }
}

/// The trace of an SM, in segments, and with so small checkpoints that there are several.
fn traced(arch: ArchId, blocks: u32, sm: u16, slice: u64) -> Trace {
    let (model, program, launch) = (architecture(arch), transpose(arch, 4), transpose_launch(blocks));
    let limits = TraceOptions {
        checkpoint_cost: 500,
        ..TraceOptions::default()
    };
    let mut simulation = Simulation::new(model, Arc::clone(&program), &launch, of_sm(sm), limits).unwrap();
    let mut trace = Trace::open(model, program, &launch, of_sm(sm)).unwrap();
    loop {
        let finished = simulation.advance(slice).finished;
        trace.append(simulation.segment()).unwrap();
        if finished {
            return trace;
        }
    }
}

/// The blocks of an SM start and end in equal cycles in both records, and the whole runs take equally long.
#[test]
fn an_sm_has_the_blocks_and_cycles_of_the_device() {
    for arch in ARCHS {
        let (model, program) = (architecture(arch), transpose(arch, 4));
        let num_sms = model.chip.num_sms.value;
        let blocks = u32::from(num_sms) * 9;
        let launch = transpose_launch(blocks);
        let mut device =
            DeviceSimulation::new(model, &program, &launch, MachineOptions::default(), num_sms).unwrap();
        device.advance(u64::MAX);
        let device = device.trace();
        for sm in [0, num_sms - 1] {
            let trace = traced(arch, blocks, sm, 5_000);
            assert_eq!(trace.outcome(), Some(&Outcome::Finished), "{arch}");
            assert_eq!(trace.num_cycles(), device.num_cycles, "{arch}, SM {sm}");
            assert_eq!(trace.num_issues(), device.issued_by(sm.into()), "{arch}, SM {sm}");
            let spans: Vec<_> = device.blocks_of(sm).copied().collect();
            assert!(spans.len() > 1, "{arch}");
            let at = |cycle: u64| {
                let mut all: Vec<u32> = trace.blocks_at(Cycle(cycle)).map(|span| span.block.0).collect();
                all.sort_unstable();
                all
            };
            for cycle in spans.iter().flat_map(|span| {
                [
                    span.started,
                    span.started + 1,
                    span.finished.saturating_sub(1),
                    span.finished,
                ]
            }) {
                let here = |span: &&super::device::BlockSpan| (span.started..span.finished).contains(&cycle);
                let mut wanted: Vec<u32> = spans.iter().filter(here).map(|span| span.block).collect();
                wanted.sort_unstable();
                assert_eq!(at(cycle), wanted, "{arch}, SM {sm}, cycle {cycle}");
            }
        }
    }
}

/// Everything that a picture reads from a machine.
fn state(machine: &Machine) -> String {
    let slots = (0..machine.num_slots() as u16).map(SlotIdx);
    let warps: Vec<_> = slots.clone().map(|slot| machine.warp(slot)).collect();
    let registers: Vec<_> = slots
        .flat_map(|slot| (0..32).map(move |reg| machine.register(slot, Reg(reg))))
        .collect();
    format!(
        "{:?} {warps:?} {registers:?} {:?} {:?} {:?} {:?} {:?}",
        machine.cycle(),
        machine.schedulers(),
        machine.requests(),
        machine.pipes(),
        machine.blocks(),
        machine.l1().map(|l1| l1.lines),
    )
}

/// At any cycle, the SM that repeats its run alone, from the start or a checkpoint, has the registers, requests, and
/// caches of the SM among the others.
#[test]
fn an_sm_alone_repeats_its_run_on_the_device() {
    for arch in ARCHS {
        let (model, program) = (architecture(arch), transpose(arch, 4));
        let num_sms = model.chip.num_sms.value;
        let blocks = u32::from(num_sms) * 9;
        let launch = transpose_launch(blocks);
        let trace = traced(arch, blocks, 3, 5_000);
        assert!(trace.checkpoints().0 > 2, "{arch}: {:?}", trace.checkpoints());
        let mut live = Machine::new(model, &program, &launch, of_sm(3)).unwrap();
        let end = trace.num_cycles();
        for part in 1..12 {
            let cycle = end * part / 12;
            live.run_until(Cycle(cycle + 1), &mut ());
            let alone = trace.replay.at(&trace.record, Cycle(cycle), state);
            assert!(state(&live) == alone, "{arch}, cycle {cycle} of {end}");
        }
        // Backward, too.
        let mut live = Machine::new(model, &program, &launch, of_sm(3)).unwrap();
        live.run_until(Cycle(end / 7 + 1), &mut ());
        let alone = trace.replay.at(&trace.record, Cycle(end / 7), state);
        assert!(state(&live) == alone, "{arch}");
    }
}

/// The trace does not depend on its segments, and has the outputs of the whole device.
#[test]
fn segments_of_an_sm_make_one_trace() {
    let (one, many) = (
        traced(ArchId::Gf100, 60, 5, u64::MAX),
        traced(ArchId::Gf100, 60, 5, 700),
    );
    assert_eq!(one.digest(), many.digest());
    let outputs = |trace: &Trace| -> Vec<_> { trace.outputs().unwrap().compared().collect() };
    assert_eq!(outputs(&one), outputs(&many));
}
