//! Totals of a device's run, under Nsight Compute's metric names behind the prefix `device__`.

use super::super::counters::Counter;
use super::{BlockSpan, DeviceTrace};
use crate::arch::{Architecture, places};
use crate::launch::Launch;

/// The prefix of all counters of a device's run, so that no name is also a counter of the run of one SM.
pub const PREFIX: &str = "device__";

/// The least, the most, and the sum of a number over the SMs.
#[derive(Clone, Copy, Debug, Default)]
struct Spread {
    min: u64,
    max: u64,
    sum: u64,
}

impl Spread {
    fn of(values: impl Iterator<Item = u64> + Clone) -> Self {
        Self {
            min: values.clone().min().unwrap_or(0),
            max: values.clone().max().unwrap_or(0),
            sum: values.sum(),
        }
    }
}

/// A list of counters.
struct List(Vec<Counter>);

impl List {
    fn add(&mut self, name: &str, value: f64, unit: &'static str, note: &'static str) {
        self.0.push(Counter {
            name: format!("{PREFIX}{name}"),
            value,
            unit,
            note,
        });
    }

    /// Adds `name.avg`, `.max`, `.min`, and `.sum` over `num` SMs.
    fn spread(&mut self, name: &str, values: (Spread, f64), unit: &'static str, note: &'static str) {
        let (spread, num) = values;
        self.add(&format!("{name}.avg"), spread.sum as f64 / num, unit, note);
        self.add(&format!("{name}.max"), spread.max as f64, unit, note);
        self.add(&format!("{name}.min"), spread.min as f64, unit, note);
        self.add(&format!("{name}.sum"), spread.sum as f64, unit, note);
    }

    /// Adds the bytes of a unit, and their rates in a run of `cycles` at `ghz`.
    fn bytes(&mut self, name: &str, bytes: u64, peak: Option<f64>, (cycles, ghz): (f64, f64)) {
        let rate = bytes as f64 / cycles;
        self.add(
            &format!("{name}.sum"),
            bytes as f64,
            "B",
            "bytes that the run requested of this unit",
        );
        self.add(
            &format!("{name}.sum.per_cycle_elapsed"),
            rate,
            "B per cycle",
            "bytes per cycle of the run",
        );
        self.add(
            &format!("{name}.sum.per_second"),
            rate * ghz,
            "GB/s",
            "bytes over the time of the run",
        );
        if let Some(peak) = peak {
            self.add(
                &format!("{name}.sum.pct_of_peak_sustained_elapsed"),
                100.0 * rate / peak,
                "%",
                "share of the unit's peak",
            );
        }
    }
}

/// Cycles with at least one block of an SM's list, which is in the order of the starts.
fn active_cycles(spans: &[&BlockSpan]) -> u64 {
    let (mut sum, mut until) = (0, 0);
    for span in spans {
        sum += span.finished.saturating_sub(span.started.max(until));
        until = span.finished.max(until);
    }
    sum
}

impl DeviceTrace {
    /// The counters of the run on a device of `arch`, with the launch that ran.
    pub fn counters(&self, arch: &Architecture, launch: &Launch) -> Vec<Counter> {
        let mut list = List(Vec::new());
        let by_sm = self.by_sm();
        self.add_launch(&mut list, arch, launch, &by_sm);
        self.add_sms(&mut list, arch, &by_sm);
        let cycles = self.num_cycles.max(1) as f64;
        let time = (cycles, f64::from(arch.chip.sm_clock_mhz.value) / 1000.0);
        let l2 = arch.memory.l2.as_ref();
        let l2 = l2.map(|l2| f64::from(l2.bytes_per_cycle.value));
        list.bytes("lts__t_bytes", self.requested.l2_bytes, l2, time);
        let dram = arch.dram_bytes_per_cycle();
        list.bytes("dram__bytes", self.requested.dram_bytes, Some(dram), time);
        list.0
    }

    /// The value of the counter with this name.
    pub fn counter(&self, arch: &Architecture, launch: &Launch, name: &str) -> Option<f64> {
        let counters = self.counters(arch, launch).into_iter();
        let mut found = counters.filter(|counter| counter.name == name);
        found.next().map(|counter| counter.value)
    }

    fn add_launch(&self, list: &mut List, arch: &Architecture, launch: &Launch, by_sm: &[Vec<&BlockSpan>]) {
        let num_sms = f64::from(self.num_sms.max(1));
        list.add(
            "attribute_multiprocessor_count",
            f64::from(self.num_sms),
            "SMs",
            "SMs of the device",
        );
        list.add(
            "launch__grid_size",
            f64::from(self.num_blocks),
            "blocks",
            "blocks per grid",
        );
        list.add(
            "launch__waves_per_multiprocessor",
            self.waves(),
            "waves",
            "blocks over the blocks that fit on the device at once",
        );
        list.add(
            "warpscope__blocks_per_sm",
            f64::from(self.blocks_per_sm),
            "blocks",
            "blocks that are resident on an SM at most",
        );
        list.add(
            "warpscope__blocks_that_fit",
            self.capacity() as f64,
            "blocks",
            "blocks that are resident on the device at most",
        );
        let threads: u64 = launch.block.iter().map(|dim| u64::from(*dim)).product();
        let warps = threads.div_ceil(32) * u64::from(self.blocks_per_sm);
        let slots = f64::from(arch.occupancy.max_warps_per_sm.value);
        list.add(
            "sm__maximum_warps_per_active_cycle_pct",
            100.0 * warps as f64 / slots,
            "%",
            "theoretical occupancy of an SM",
        );
        list.spread(
            "warpscope__blocks_of_sm",
            (Spread::of(by_sm.iter().map(|spans| spans.len() as u64)), num_sms),
            "blocks",
            "blocks that ran on an SM",
        );
        let used = by_sm.iter().filter(|spans| !spans.is_empty()).count();
        list.add(
            "warpscope__sms_with_blocks",
            used as f64,
            "SMs",
            "SMs that ran a block",
        );
        if let Some(first) = self.blocks.first() {
            list.add(
                "warpscope__sm_of_first_block",
                f64::from(first.sm),
                "SM",
                "the SM of block 0",
            );
        }
        let groups = self.blocks_by_group(arch);
        list.spread(
            "warpscope__blocks_of_group",
            (Spread::of(groups.iter().copied()), groups.len().max(1) as f64),
            "blocks",
            "blocks that ran on a group of SMs: a GPC, or a TPC where there is no GPC",
        );
        list.add(
            "warpscope__groups_with_blocks",
            groups.iter().filter(|blocks| **blocks > 0).count() as f64,
            "groups",
            "groups of SMs that ran a block",
        );
    }

    /// Blocks that ran on each group of SMs.
    fn blocks_by_group(&self, arch: &Architecture) -> Vec<u64> {
        let places = places(arch);
        let mut groups = vec![0; arch.floor().groups.value.len()];
        for span in &self.blocks {
            let place = places.get(usize::from(span.sm));
            if let Some(blocks) = place.and_then(|(group, _)| groups.get_mut(usize::from(*group))) {
                *blocks += 1;
            }
        }
        groups
    }

    fn add_sms(&self, list: &mut List, arch: &Architecture, by_sm: &[Vec<&BlockSpan>]) {
        let (num_sms, cycles) = (f64::from(self.num_sms.max(1)), self.num_cycles.max(1) as f64);
        let mhz = f64::from(arch.chip.sm_clock_mhz.value);
        list.add(
            "gpu__cycles_elapsed.max",
            self.num_cycles as f64,
            "cycles",
            "cycles of the run",
        );
        list.add(
            "gpu__time_duration.sum",
            self.num_cycles as f64 * 1000.0 / mhz,
            "ns",
            "time of the run",
        );
        let active = Spread::of(by_sm.iter().map(|spans| active_cycles(spans)));
        list.spread(
            "sm__cycles_active",
            (active, num_sms),
            "cycles",
            "cycles in which an SM has a resident block",
        );
        list.add(
            "sm__cycles_active.avg.pct_of_peak_sustained_elapsed",
            100.0 * active.sum as f64 / num_sms / cycles,
            "%",
            "share of the run in which an SM has a resident block, mean over the SMs",
        );
        let issued = Spread::of((0..by_sm.len()).map(|sm| self.issued_by(sm)));
        list.spread(
            "sm__inst_executed",
            (issued, num_sms),
            "instructions",
            "warp instructions of an SM",
        );
        let slots =
            f64::from(arch.issue.schedulers.value) / f64::from(arch.issue.issue_interval_cycles.value.max(1));
        list.add(
            "sm__inst_executed.avg.pct_of_peak_sustained_elapsed",
            100.0 * issued.sum as f64 / (num_sms * cycles * slots),
            "%",
            "share of the issue slots of all SMs with an instruction",
        );
        let tail = self.num_cycles.saturating_sub(self.tail());
        list.add(
            "warpscope__tail_cycles",
            tail as f64,
            "cycles",
            "cycles from the first SM with blocks that has finished its last one to the end of the run",
        );
        list.add(
            "warpscope__tail.pct",
            100.0 * tail as f64 / cycles,
            "%",
            "share of the tail in the run",
        );
    }
}

#[cfg(test)]
mod tests {
    use super::super::DeviceSimulation;
    use super::*;
    use crate::arch::{ArchId, architecture};
    use crate::sim::MachineOptions;
    use crate::trace::{TraceOptions, testing};

    fn spans(all: &[(u32, u16, u64, u64)]) -> Vec<BlockSpan> {
        let span = |(block, sm, started, finished): &(u32, u16, u64, u64)| BlockSpan {
            block: *block,
            sm: *sm,
            started: *started,
            finished: *finished,
        };
        all.iter().map(span).collect()
    }

    /// Counters of a record that is written by hand.
    #[test]
    fn counters_are_those_of_the_record() {
        let arch = architecture(ArchId::Gf100);
        let trace = DeviceTrace {
            num_sms: 15,
            num_cycles: 200,
            num_blocks: 5,
            blocks_per_sm: 2,
            // SM 0 has two blocks that overlap, a gap, and another block.
            blocks: spans(&[
                (0, 0, 0, 100),
                (1, 1, 0, 60),
                (2, 0, 10, 120),
                (3, 4, 10, 150),
                (4, 0, 140, 200),
            ]),
            part_cycles: 100,
            issues: (0..15).map(|sm| vec![u32::from(sm == 0) * 10, 5]).collect(),
            requested: crate::sim::device::Load {
                l2_bytes: 2000,
                dram_bytes: 1000,
            },
            ..DeviceTrace::default()
        };
        let launch = testing::transpose_launch(5);
        let value = |name: &str| {
            let name = format!("{PREFIX}{name}");
            let value = trace.counter(arch, &launch, &name);
            value.unwrap_or_else(|| panic!("{name}"))
        };
        assert_eq!(value("launch__grid_size"), 5.0);
        assert_eq!(value("launch__waves_per_multiprocessor"), 5.0 / 30.0);
        assert_eq!(value("sm__cycles_active.max"), 120.0 + 60.0);
        assert_eq!(value("sm__cycles_active.sum"), 180.0 + 60.0 + 140.0);
        assert_eq!(value("sm__cycles_active.min"), 0.0);
        assert_eq!(value("warpscope__blocks_of_sm.max"), 3.0);
        assert_eq!(value("warpscope__sms_with_blocks"), 3.0);
        assert_eq!(value("warpscope__sm_of_first_block"), 0.0);
        // SMs 0 and 4 are the first and second SM of the first GPC.
        assert_eq!(value("warpscope__groups_with_blocks"), 2.0);
        assert_eq!(value("warpscope__blocks_of_group.max"), 4.0);
        assert_eq!(value("warpscope__tail_cycles"), 140.0);
        assert_eq!(value("warpscope__tail.pct"), 70.0);
        assert_eq!(value("sm__inst_executed.sum"), 10.0 + 15.0 * 5.0);
        assert_eq!(value("lts__t_bytes.sum.per_cycle_elapsed"), 10.0);
        assert_eq!(value("dram__bytes.sum"), 1000.0);
    }

    #[test]
    fn no_counter_of_a_device_is_one_of_the_run_of_one_sm() {
        for id in [ArchId::Gt200, ArchId::Gv100] {
            let arch = architecture(id);
            let launch = testing::transpose_launch(40);
            let program = testing::transpose(id, 6);
            let sms = arch.chip.num_sms.value;
            let mut simulation =
                DeviceSimulation::new(arch, &program, &launch, MachineOptions::default(), sms)
                    .expect("a legal launch");
            simulation.advance(u64::MAX);
            let trace = simulation.trace();
            let device = trace.counters(arch, &launch);
            let one = testing::run(id, 4, 6, TraceOptions::default()).counters();
            let mut names: Vec<&str> = device.iter().chain(&one).map(|counter| &*counter.name).collect();
            let num = names.len();
            names.sort_unstable();
            names.dedup();
            assert_eq!(names.len(), num, "{id}");
            assert!(device.iter().all(|counter| counter.value.is_finite()), "{id}");
            let value = |name| trace.counter(arch, &launch, name).expect("a counter");
            assert_eq!(
                value("device__sm__inst_executed.sum"),
                trace.issued() as f64,
                "{id}"
            );
            let share = value("device__dram__bytes.sum.pct_of_peak_sustained_elapsed");
            assert!(share > 0.0 && share <= 100.0, "{id}: {share}");
        }
    }
}
