//! Limits of what a launch may take.

use super::builder::{Asm, launch};
use crate::arch::{ArchId, architecture};
use crate::isa::Program;
use crate::launch::Launch;
use crate::sim::{LaunchError, Machine, MachineOptions};

#[test]
fn local_memory_of_a_device_is_limited() {
    let arch = architecture(ArchId::Gv100);
    let mut asm = Asm::new(ArchId::Gv100);
    asm.exit();
    let mut program = asm.program();
    program.local_bytes_per_thread = 8 << 10;
    let mut launch = launch(100_000, 1024, 1);
    let refusal = |program: &Program, launch: &Launch, sm: Option<u16>| {
        let options = MachineOptions {
            sm,
            ..MachineOptions::default()
        };
        Machine::new(arch, program, launch, options)
            .err()
            .map(|error| error.to_string())
    };
    // 2,048 resident threads take 16 MB on one SM, and 80 times as much on the device.
    assert_eq!(refusal(&program, &launch, None), None);
    assert_eq!(
        refusal(&program, &launch, Some(0)).unwrap_or_default(),
        "Each thread has 8192 bytes of local memory, so that 163840 resident threads take 1280 MB. The simulator has at \
         most 512 MB of local memory; use smaller local arrays, fewer blocks, or the run on one SM."
    );
    program.local_bytes_per_thread = 0;
    launch.grid = [2_147_483_647, 65_535, 65_535];
    let blocks = launch.num_blocks();
    assert!(matches!(
        Machine::new(arch, &program, &launch, MachineOptions::default()),
        Err(LaunchError::TooManyBlocks(num)) if num == blocks
    ));
    launch.grid = [u32::MAX; 3];
    assert_eq!(launch.num_blocks(), u64::MAX);
}
