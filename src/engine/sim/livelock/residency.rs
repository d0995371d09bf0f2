//! Grids that wait for blocks that cannot be resident: barriers of a whole grid, and chains of flags between blocks.

use std::collections::BTreeSet;

use super::{Searched, WINDOW};
use crate::ids::Cycle;
use crate::sim::device::Device;
use crate::sim::{Access, FaultKind, RequestKind, Sink};

/// Cycles between two looks at the words that resident blocks read.
const LOOK_INTERVAL: u64 = 64;
/// Cycles for which blocks that have not started run at most, as long as they make progress. Assumption: a chain of flags
/// through 200 blocks takes a half of it.
const LONGEST_REST: u64 = 1 << 18;

/// The words of global memory that lanes read.
#[derive(Clone, Debug, Default)]
pub(in crate::sim) struct Polled(BTreeSet<u64>);

impl Sink for Polled {
    // The sink drops the states of warps.
    const SUPPORTS_GROUPS: bool = true;

    fn access(&mut self, _cycle: Cycle, access: &Access) {
        if !matches!(access.kind, RequestKind::GlobalLoad | RequestKind::GlobalAtomic) {
            return;
        }
        let words = u64::from(access.width_bits).div_ceil(32).max(1);
        for lane in access.mask.lanes() {
            let first = access.addresses[lane as usize] & !3;
            self.0.extend((0..words).map(|word| first + 4 * word));
        }
    }
}

/// Why resident blocks that spin wait for blocks that have not started, as a sentence. `None` if those would change nothing
/// that the resident blocks read, or if all blocks have started.
///
/// One SM alone holds a part of what its device holds. If the grid exceeds the device, the blocks that the SM would run next
/// can wait for others in turn, so only a run of the device shows the reason.
pub(super) fn of_waiting_grid<W: Searched>(world: &W, polled: &[Polled]) -> Option<(FaultKind, String)> {
    let queue = world.queue();
    let read: BTreeSet<u64> = polled.iter().flat_map(|of| of.0.iter().copied()).collect();
    if queue.started >= queue.num_blocks || read.is_empty() {
        return None;
    }
    let num_sms = if W::IS_ALONE {
        world.setup().arch.chip.num_sms.value
    } else {
        world.num_sms() as u16
    };
    let (num_blocks, started) = (u64::from(queue.num_blocks), queue.started);
    let fit = u64::from(world.occupancy().blocks_per_sm) * u64::from(num_sms);
    if W::IS_ALONE {
        let is_open = num_sms > 1 && (fit < num_blocks || changes(world, &read, num_sms));
        let why = format!(
            "One SM alone holds {} of {num_blocks} blocks, and they wait for the others. Run an SM of the whole device, \
             which holds {}.",
            world.occupancy().blocks_per_sm,
            fit.min(num_blocks)
        );
        return is_open.then_some((FaultKind::NotAlone, why));
    }
    let sms = name_of_sms(num_sms.into());
    let why = if queue.finished == 0 {
        format!(
            "Block {started} never starts: {fit} of {num_blocks} blocks fit on {sms}, and they wait for it."
        )
    } else {
        format!(
            "Block {started} never starts: {fit} blocks fit on {sms} at once, and {} of {num_blocks} have finished. The \
             resident blocks wait for it.",
            queue.finished
        )
    };
    changes(world, &read, num_sms).then_some((FaultKind::NotResident, why))
}

/// ` Blocks 68 to 199 have not started: 68 blocks fit on the 68 SMs.`; empty if all blocks have started, or for one SM alone.
pub(super) fn blocks_not_started<W: Searched>(world: &W) -> String {
    let queue = world.queue();
    if W::IS_ALONE || queue.started >= queue.num_blocks {
        return String::new();
    }
    let num_sms = world.num_sms() as u32;
    format!(
        " Blocks {} to {} have not started: {} blocks fit on {}.",
        queue.started,
        queue.num_blocks - 1,
        world.occupancy().blocks_per_sm * num_sms,
        name_of_sms(num_sms)
    )
}

/// `the 68 SMs`, or `the SM`.
fn name_of_sms(num_sms: u32) -> String {
    match num_sms {
        1 => "the SM".to_owned(),
        num => format!("the {num} SMs"),
    }
}

/// Whether the blocks that have not started would change words: they run on empty SMs, with memory as it is.
fn changes<W: Searched>(world: &W, read: &BTreeSet<u64>, num_sms: u16) -> bool {
    let setup = world.setup();
    let mut rest = Device::of(
        setup,
        *world.occupancy(),
        world.memory().clone(),
        world.queue(),
        num_sms,
    )
    .without_search();
    let mut unused = vec![(); num_sms.into()];
    rest.place_blocks(setup.arch, &mut unused);
    let words = |of: &Device| -> Vec<Option<Vec<u8>>> {
        let memory = of.memory();
        read.iter().map(|address| memory.bytes(*address, 4)).collect()
    };
    let before = words(&rest);
    let mut then = rest.clone();
    let mut goes_on = true;
    let mut end = 0;
    while goes_on && end < LONGEST_REST {
        end += LOOK_INTERVAL;
        goes_on = rest.run_until(Cycle(end), &mut unused);
        if words(&rest) != before {
            return true;
        }
        if end.is_multiple_of(WINDOW) {
            if !makes_progress(&then, &rest) {
                return false;
            }
            then = rest.clone();
        }
    }
    false
}

/// Whether a device has changed memory, started a block, or finished one.
fn makes_progress(then: &Device, now: &Device) -> bool {
    let blocks = |of: &Device| (of.queue().started, of.queue().finished);
    blocks(then) != blocks(now) || now.memory().pages_since(then.memory()).next().is_some()
}
