//! The library's kernels on whole devices.

use super::tests::{differences, expected, program};
use super::{LibraryKernel, kernels};
use engine::arch::{ArchId, architecture};
use engine::sim::device::Device;
use engine::sim::{Machine, MachineOptions, Outcome};
use engine::trace::device::DeviceSimulation;

/// Runs a kernel on a device of `num_sms` SMs to its end.
fn run(kernel: &LibraryKernel, arch: ArchId, num_sms: u16) -> Option<Device> {
    let program = program(kernel, arch).ok()?;
    let mut sinks = vec![(); usize::from(num_sms)];
    let options = MachineOptions::default();
    let mut device = Device::new(
        architecture(arch),
        &program,
        &kernel.launch(),
        options,
        num_sms,
        &mut sinks,
    )
    .ok()?;
    device.run_until(engine::ids::Cycle(u64::MAX), &mut sinks);
    Some(device)
}

#[test]
fn a_device_of_one_sm_is_the_machine() {
    let mut compared = 0;
    for kernel in kernels() {
        for arch in ArchId::ALL {
            let Ok(program) = program(kernel, arch) else {
                continue;
            };
            let options = MachineOptions::default();
            let Ok(mut machine) = Machine::new(architecture(arch), &program, &kernel.launch(), options)
            else {
                continue;
            };
            machine.run(&mut ());
            if machine.outcome() != Some(&Outcome::Finished) {
                // A device does not search for livelocks.
                continue;
            }
            let device = run(kernel, arch, 1).unwrap();
            assert_eq!(
                (device.cycle(), device.outcome()),
                (machine.cycle(), machine.outcome()),
                "{} on {arch}",
                kernel.id
            );
            assert!(
                device.outputs().compared().eq(machine.outputs().compared()),
                "{}",
                kernel.id
            );
            compared += 1;
        }
    }
    assert!(compared > 500, "{compared}");
}

#[test]
fn kernels_compute_the_expected_values_on_many_sms() {
    let mut faults: Vec<String> = Vec::new();
    for kernel in kernels() {
        for (arch, num_sms) in [(ArchId::Tu102, 3), (ArchId::Gf100, 2), (ArchId::Gt200, 30)] {
            let Some(device) = run(kernel, arch, num_sms) else {
                continue;
            };
            let alone = run(kernel, arch, 1).unwrap();
            if alone.outcome() != Some(&Outcome::Finished) {
                // A kernel that shows a fault.
                continue;
            }
            if device.outcome() != Some(&Outcome::Finished) {
                faults.push(format!("{} on {arch}: {:?}", kernel.id, device.outcome()));
                continue;
            }
            let outputs = device.outputs();
            if outputs.compared().eq(alone.outputs().compared()) {
                continue;
            }
            // The order of updates may differ, and with it the last bits of sums.
            faults.extend(differences(kernel, arch, &outputs, &expected(kernel)));
        }
    }
    assert_eq!(faults, Vec::<String>::new());
}

/// A run's record, and global memory after it, do not depend on whether the SMs run apart, and in how many parts.
#[test]
fn parts_do_not_change_a_run() {
    let options = MachineOptions::default();
    let (mut compared, mut apart) = (0, 0);
    let mut restarted = Vec::new();
    for kernel in kernels() {
        for (arch, num_sms) in [
            (ArchId::Gt200, 5),
            (ArchId::Gf100, 4),
            (ArchId::Gk110, 3),
            (ArchId::Gp100, 4),
            (ArchId::Gv100, 6),
            (ArchId::Tu102, 5),
            (ArchId::Gh100, 7),
        ] {
            let Ok(program) = program(kernel, arch) else {
                continue;
            };
            let run = |num_parts: usize| {
                let model = architecture(arch);
                let launch = kernel.launch();
                let mut run =
                    DeviceSimulation::in_parts(model, &program, &launch, options, num_sms, num_parts).ok()?;
                let was_apart = run.is_apart();
                while run.advance(if num_parts == 2 { 1009 } else { u64::MAX }) {}
                let memory: Vec<_> = run.outputs().compared().collect();
                Some((run.trace(), memory, was_apart, run.is_apart()))
            };
            let Some((trace, memory, ..)) = run(0) else {
                continue;
            };
            for num_parts in [1, 2, 4] {
                let (other, other_memory, was_apart, is_apart) = run(num_parts).unwrap();
                assert!(
                    trace == other && memory == other_memory,
                    "{} on {arch} in {num_parts} parts: {} and {} cycles",
                    kernel.id,
                    trace.num_cycles,
                    other.num_cycles
                );
                compared += 1;
                apart += u32::from(is_apart);
                if was_apart && !is_apart && num_parts == 1 {
                    restarted.push(format!("{} on {arch}", kernel.id));
                }
            }
        }
    }
    println!("{apart} of {compared} apart; again in lock-step: {restarted:#?}");
    assert!(
        compared > 1000 && apart * 10 > compared * 9,
        "{apart} of {compared}"
    );
}

/// L2 and device memory never move more bytes in a part of a run than they can.
#[test]
fn no_part_of_a_run_is_over_the_peak() {
    let mut busiest: f64 = 0.0;
    for id in [
        "stream-float4",
        "vector-add",
        "matmul-naive",
        "strided-copy",
        "transpose-naive",
    ] {
        let kernel = super::kernel(id).unwrap();
        for arch in [ArchId::Gt200, ArchId::Gf100, ArchId::Tu102, ArchId::Gh100] {
            let Ok(program) = program(kernel, arch) else {
                continue;
            };
            let model = architecture(arch);
            let num_sms = model.chip.num_sms.value;
            let options = MachineOptions::default();
            let mut run = DeviceSimulation::new(model, &program, &kernel.launch(), options, num_sms).unwrap();
            run.advance(u64::MAX);
            let trace = run.trace();
            let dram = model.dram_bytes_per_cycle();
            let l2 = model
                .memory
                .l2
                .as_ref()
                .map(|l2| f64::from(l2.bytes_per_cycle.value));
            // An atom of 32 bytes may begin in one part and end in the next.
            for part in 0..trace.loads.len() {
                let atoms = 64.0 / trace.cycles_of(part) as f64;
                let (of_l2, of_dram) = trace.rates(part);
                assert!(
                    of_dram <= dram + atoms,
                    "{id} on {arch}, part {part}: {of_dram} of {dram}"
                );
                assert!(
                    l2.is_none_or(|l2| of_l2 <= l2 + atoms),
                    "{id} on {arch}, part {part}: {of_l2}"
                );
                busiest = busiest.max(of_dram / dram);
            }
        }
    }
    assert!(busiest > 0.5, "{busiest}");
}
