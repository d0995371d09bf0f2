//! The corpus on GH100 beside the hardware's counters: instructions, occupancy, why warps wait.
//!
//! What the hardware counted is in `tests/corpus`, what the simulator counts is recorded in [`PATH`].

use std::collections::BTreeMap;
use std::fmt::Write;

use engine::arch::{ArchId, LaunchResources, Limiter, architecture, occupancy};
use engine::ids::{Cycle, Pc, SlotIdx};
use engine::isa::Program;
use engine::launch::Launch;
use engine::sim::machine::Machine;
use engine::sim::{Issue, MachineOptions, Outcome, Sink, WarpState};
use engine::trace::stall_name;

/// The record, from the root of the project.
pub const PATH: &str = "tests/validation/corpus.csv";
const RECORDED: &str = include_str!("../../../tests/validation/corpus.csv");
const MEASURED: &str = include_str!("../../../tests/corpus/measured.csv");
const STALLS: &str = include_str!("../../../tests/corpus/stalls.csv");

/// What is simulated: that on which the corpus was measured.
pub const ARCH: ArchId = ArchId::Gh100;
/// Reasons that are compared: the first so many.
const TOP: usize = 3;
/// The columns of the record before the reasons.
const COLUMNS: [&str; 5] = ["threads", "instructions", "cycles", "registers", "noisy"];

/// What is measured of a case on the simulator.
#[derive(Clone, Debug, PartialEq)]
pub struct Ours {
    /// Threads of a block.
    pub threads: u32,
    /// Warp instructions of the whole grid.
    pub instructions: u64,
    /// Cycles of an SM that has its share of the blocks.
    pub cycles: u64,
    /// Registers of a thread that our compiler takes.
    pub registers: u32,
    /// Whether its instructions depend on who comes first.
    pub is_noisy: bool,
    /// Warps in each state for each issue of that SM, without those that issue.
    pub stalls: Vec<(WarpState, f64)>,
}

/// A case on the hardware and on the simulator.
#[derive(Clone, Debug)]
pub struct CorpusRow {
    /// Its name.
    pub case: String,
    /// Instructions on the hardware; `None` where they change from run to run.
    pub instructions: Option<u64>,
    /// Cycles of the busiest SM, warm, the median.
    pub cycles: u64,
    /// Theoretical occupancy in percent: the hardware's, ours with its registers, ours with our registers.
    pub occupancy: [f64; 3],
    /// Blocks that each resource allows: the hardware's and ours with its registers. Those of shared memory
    /// hold for the size to which it is set, which the driver chooses otherwise than we do.
    pub limits: [[Option<u32>; 4]; 2],
    /// What the simulator gives, or why it does not.
    pub ours: Result<Ours, String>,
    /// Warps in each state for each issue on the hardware, without those that issue.
    pub stalls: Vec<(WarpState, f64)>,
}

const LIMITERS: [(Limiter, &str); 4] = [
    (Limiter::Warps, "launch__occupancy_limit_warps"),
    (Limiter::Blocks, "launch__occupancy_limit_blocks"),
    (Limiter::Registers, "launch__occupancy_limit_registers"),
    (Limiter::Shared, "launch__occupancy_limit_shared_mem"),
];

/// States that a warp waits in.
fn reasons() -> impl Iterator<Item = WarpState> {
    let waits = |state: &WarpState| !matches!(state, WarpState::Empty | WarpState::Selected);
    WarpState::ALL.into_iter().filter(waits)
}

/// Counts instructions and the cycles of each state.
struct Count {
    issued: u64,
    cycles: [u64; WarpState::ALL.len()],
    slots: Vec<(WarpState, u64)>,
}

impl Sink for Count {
    fn state(&mut self, cycle: Cycle, slot: SlotIdx, state: WarpState, _: Pc) {
        let slot = usize::from(slot.0);
        if self.slots.len() <= slot {
            self.slots.resize(slot + 1, (WarpState::Empty, 0));
        }
        let (before, since) = self.slots[slot];
        self.cycles[before as usize] += cycle.0 - since;
        self.slots[slot] = (state, cycle.0);
    }

    fn issue(&mut self, _: Cycle, _: &Issue) {
        self.issued += 1;
    }
}

/// Runs a case as one SM of the chip: instructions are those of all blocks, the rest is of the share that
/// the busiest SM gets.
///
/// # Errors
/// A sentence where it does not run to its end.
pub fn measure(program: &Program, launch: &Launch) -> Result<Ours, String> {
    let arch = architecture(ARCH);
    let num_blocks: u32 = launch.grid.iter().product();
    let share = num_blocks.div_ceil(u32::from(arch.chip.num_sms.value));
    let run = |blocks: u32| {
        let options = MachineOptions {
            max_cycles: u64::from(u32::MAX),
            ..MachineOptions::default()
        };
        let mut machine = Machine::new(arch, program, launch, options).map_err(|error| error.to_string())?;
        machine.limit_blocks(blocks);
        let mut count = Count {
            issued: 0,
            cycles: [0; WarpState::ALL.len()],
            slots: Vec::new(),
        };
        match machine.run(&mut count) {
            Outcome::Finished => Ok((machine.cycle().0, count)),
            outcome => Err(format!("the run ends otherwise: {outcome:?}")),
        }
    };
    let (cycles, count) = run(share)?;
    let instructions = if share == num_blocks {
        count.issued
    } else {
        run(num_blocks)?.1.issued
    };
    let ratio = |state: WarpState| count.cycles[state as usize] as f64 / count.issued.max(1) as f64;
    Ok(Ours {
        threads: launch.block.iter().product(),
        instructions,
        cycles,
        registers: u32::from(program.registers_per_thread),
        is_noisy: false,
        stalls: reasons().map(|state| (state, ratio(state))).collect(),
    })
}

/// Names of the cases that were measured on the hardware, in order.
///
/// # Errors
/// A file that is not as it should be.
pub fn cases() -> Result<Vec<String>, String> {
    let mut names = Vec::new();
    for line in csv::Reader::from_reader(MEASURED.as_bytes()).into_records() {
        let line = line.map_err(|error| format!("tests/corpus/measured.csv: {error}"))?;
        names.push(line.get(0).unwrap_or_default().to_owned());
    }
    Ok(names)
}

/// The record as text.
pub fn record(measured: &[(String, Result<Ours, String>)]) -> String {
    let columns: Vec<&str> = reasons().map(stall_name).collect();
    let mut out = format!("case,{},{},note\n", COLUMNS.join(","), columns.join(","));
    for (case, ours) in measured {
        let _ = write!(out, "{case},");
        match ours {
            Ok(ours) => {
                let _ = write!(
                    out,
                    "{},{},{},{},{}",
                    ours.threads,
                    ours.instructions,
                    ours.cycles,
                    ours.registers,
                    u32::from(ours.is_noisy)
                );
                for (_, warps) in &ours.stalls {
                    let _ = write!(out, ",{warps:.3}");
                }
                out.push_str(",\n");
            }
            Err(why) => {
                out += &",".repeat(COLUMNS.len() + columns.len() - 1);
                let _ = writeln!(out, ",\"{}\"", why.replace('"', "\"\""));
            }
        }
    }
    out
}

/// Rows of a table by their first column, each a cell by column.
fn table(text: &str, path: &str) -> Result<BTreeMap<String, BTreeMap<String, String>>, String> {
    let wrong = |error: csv::Error| format!("{path}: {error}");
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let columns = reader.headers().map_err(wrong)?.clone();
    let mut rows = BTreeMap::new();
    for line in reader.records() {
        let line = line.map_err(wrong)?;
        let cells = columns.iter().zip(&line);
        let row: BTreeMap<String, String> = cells
            .map(|(name, cell)| (name.to_owned(), cell.to_owned()))
            .collect();
        rows.insert(line.get(0).unwrap_or_default().to_owned(), row);
    }
    Ok(rows)
}

/// All cases, with what is recorded of ours.
///
/// # Errors
/// A file that is not as it should be.
pub fn rows() -> Result<Vec<CorpusRow>, String> {
    rows_of(RECORDED)
}

/// The same with a record as text.
///
/// # Errors
/// A text that is not a record.
pub fn rows_of(recorded: &str) -> Result<Vec<CorpusRow>, String> {
    let measured = table(MEASURED, "tests/corpus/measured.csv")?;
    let stalls = table(STALLS, "tests/corpus/stalls.csv")?;
    let recorded = table(recorded, PATH)?;
    let row = |case: String| -> Option<CorpusRow> {
        let (measured, stalls) = (measured.get(&case)?, stalls.get(&case)?);
        let ours = recorded.get(&case).map_or_else(
            || Err("It was not measured yet.".to_owned()),
            |row| ours(row).ok_or_else(|| row.get("note").cloned().unwrap_or_default()),
        );
        let is_steady = !measured["unstable"].contains("smsp__inst_executed.sum")
            && ours.as_ref().is_ok_and(|ours| !ours.is_noisy);
        let number = |column: &str| measured.get(column)?.parse::<u64>().ok();
        let warps = stalls_of(stalls);
        let limits = hardware_limits(measured);
        let by_rules = |registers: Option<u64>| -> Option<(f64, [Option<u32>; 4])> {
            let resources = LaunchResources {
                threads_per_block: ours.as_ref().ok()?.threads,
                registers_per_thread: registers? as u32,
                static_shared: number("launch__shared_mem_per_block_static")? as u32,
                dynamic_shared: number("launch__shared_mem_per_block_dynamic")? as u32,
                ..LaunchResources::default()
            };
            let found = occupancy(architecture(ARCH), &resources).ok()?;
            Some((
                100.0 * found.fraction(),
                LIMITERS.map(|(limiter, _)| found.limit(limiter)),
            ))
        };
        let theirs = by_rules(number("launch__registers_per_thread"));
        let own = by_rules(ours.as_ref().ok().map(|ours| ours.registers.into()));
        Some(CorpusRow {
            instructions: number("smsp__inst_executed.sum").filter(|_| is_steady),
            cycles: number("warm_cycles_median")?,
            occupancy: [
                measured
                    .get("sm__maximum_warps_per_active_cycle_pct")?
                    .parse()
                    .ok()?,
                theirs.map_or(f64::NAN, |(percent, _)| percent),
                own.map_or(f64::NAN, |(percent, _)| percent),
            ],
            limits: [limits, theirs.map_or([None; 4], |(_, limits)| limits)],
            ours,
            stalls: warps,
            case,
        })
    };
    Ok(cases()?.into_iter().filter_map(row).collect())
}

fn hardware_limits(measured: &BTreeMap<String, String>) -> [Option<u32>; 4] {
    LIMITERS.map(|(_, column)| measured.get(column)?.parse().ok())
}

fn stalls_of(row: &BTreeMap<String, String>) -> Vec<(WarpState, f64)> {
    let of = |state: WarpState| row.get(stall_name(state))?.parse().ok();
    reasons().map(|state| (state, of(state).unwrap_or(0.0))).collect()
}

fn ours(row: &BTreeMap<String, String>) -> Option<Ours> {
    let number = |column: &str| row.get(column)?.parse::<u64>().ok();
    Some(Ours {
        threads: number("threads")? as u32,
        instructions: number("instructions")?,
        cycles: number("cycles")?,
        registers: number("registers")? as u32,
        is_noisy: number("noisy")? == 1,
        stalls: stalls_of(row),
    })
}

/// The reasons for which most warps wait, the first first.
pub fn top(stalls: &[(WarpState, f64)]) -> Vec<WarpState> {
    let mut order: Vec<&(WarpState, f64)> = stalls.iter().filter(|(_, warps)| *warps > 0.0).collect();
    order.sort_by(|a, b| b.1.total_cmp(&a.1));
    order.iter().take(TOP).map(|(state, _)| *state).collect()
}

/// Spearman's coefficient of two rankings of the reasons, over those that either has; equal numbers share
/// their places. `None` where there is nothing to rank.
pub fn spearman(a: &[(WarpState, f64)], b: &[(WarpState, f64)]) -> Option<f64> {
    let pairs: Vec<(f64, f64)> = (a.iter().zip(b))
        .map(|((_, a), (_, b))| (*a, *b))
        .filter(|(a, b)| *a > 0.0 || *b > 0.0)
        .collect();
    let ranks = |values: Vec<f64>| -> Vec<f64> {
        let place = |value: &f64| {
            let above = values.iter().filter(|other| *other > value).count() as f64;
            let equal = values.iter().filter(|other| *other == value).count() as f64;
            above + f64::midpoint(equal, 1.0)
        };
        values.iter().map(place).collect()
    };
    let (a, b) = (
        ranks(pairs.iter().map(|pair| pair.0).collect()),
        ranks(pairs.iter().map(|pair| pair.1).collect()),
    );
    let middle = f64::midpoint(pairs.len() as f64, 1.0);
    let sum =
        |x: &[f64], y: &[f64]| -> f64 { x.iter().zip(y).map(|(x, y)| (x - middle) * (y - middle)).sum() };
    let spread = libm::sqrt(sum(&a, &a) * sum(&b, &b));
    (spread > 0.0).then(|| sum(&a, &b) / spread)
}

/// The rows in a few numbers.
#[derive(Clone, Copy, Debug)]
pub struct CorpusSummary {
    /// Cases of the hardware, and those that run here.
    pub cases: (usize, usize),
    /// Instructions, ours over the hardware's: the geometric mean, the least and the most.
    pub ratio: (f64, f64, f64),
    /// Cases whose occupancy and limits by our rules are the hardware's.
    pub same_limits: usize,
    /// Cases whose occupancy is the hardware's with our compiler's registers, too.
    pub same_occupancy: usize,
    /// Cases whose first reason is the hardware's.
    pub same_first: usize,
    /// Of the hardware's three first reasons, the share that is among our three: the mean.
    pub overlap: f64,
    /// Spearman's coefficient: the median.
    pub spearman: f64,
}

impl CorpusRow {
    /// Instructions, ours over the hardware's.
    pub fn ratio(&self) -> Option<f64> {
        let ours = self.ours.as_ref().ok()?;
        Some(ours.instructions as f64 / self.instructions? as f64)
    }

    /// Whether the occupancy, what limits it, and what all resources allow but shared memory are by our rules
    /// as on the hardware.
    pub fn has_same_limits(&self) -> bool {
        let [theirs, ours, _] = self.occupancy;
        let same = |(theirs, ours): (&Option<u32>, &Option<u32>)| ours.is_none() || theirs == ours;
        (theirs - ours).abs() < 0.01
            && self.limiter(0) == self.limiter(1)
            && self.limits[0][..3].iter().zip(&self.limits[1][..3]).all(same)
    }

    /// What allows no more blocks than are resident: on the hardware (0), by our rules (1). The first of those
    /// that allow as many.
    pub fn limiter(&self, whose: usize) -> Option<Limiter> {
        let least = self.limits[whose].iter().flatten().min()?;
        let found = self.limits[whose]
            .iter()
            .position(|limit| limit.as_ref() == Some(least))?;
        Some(LIMITERS[found].0)
    }

    /// How many of the hardware's first three reasons are among ours.
    pub fn overlap(&self) -> Option<f64> {
        let (theirs, ours) = (top(&self.stalls), top(&self.ours.as_ref().ok()?.stalls));
        let common = theirs.iter().filter(|state| ours.contains(state)).count();
        (!theirs.is_empty()).then(|| common as f64 / theirs.len() as f64)
    }
}

/// The summary; of cases that run.
pub fn summary(rows: &[CorpusRow]) -> CorpusSummary {
    let run = || rows.iter().filter(|row| row.ours.is_ok());
    let ratios: Vec<f64> = run().filter_map(CorpusRow::ratio).collect();
    let logs: f64 = ratios.iter().map(|ratio| libm::log(*ratio)).sum();
    let overlaps: Vec<f64> = run().filter_map(CorpusRow::overlap).collect();
    let mut coefficients: Vec<f64> = run()
        .filter_map(|row| spearman(&row.stalls, &row.ours.as_ref().ok()?.stalls))
        .collect();
    coefficients.sort_by(f64::total_cmp);
    let first = |row: &&CorpusRow| {
        let ours = row
            .ours
            .as_ref()
            .map(|ours| top(&ours.stalls))
            .unwrap_or_default();
        !ours.is_empty() && ours.first() == top(&row.stalls).first()
    };
    CorpusSummary {
        cases: (rows.len(), run().count()),
        ratio: (
            libm::exp(logs / ratios.len().max(1) as f64),
            ratios.iter().copied().fold(f64::INFINITY, f64::min),
            ratios.iter().copied().fold(0.0, f64::max),
        ),
        same_limits: run().filter(|row| row.has_same_limits()).count(),
        same_occupancy: run()
            .filter(|row| (row.occupancy[0] - row.occupancy[2]).abs() < 0.01)
            .count(),
        same_first: run().filter(first).count(),
        overlap: overlaps.iter().sum::<f64>() / overlaps.len().max(1) as f64,
        spearman: coefficients.get(coefficients.len() / 2).copied().unwrap_or(0.0),
    }
}
