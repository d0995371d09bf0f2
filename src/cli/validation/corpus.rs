//! Compares the corpus on GH100 with hardware counters: instructions, occupancy, and stall reasons.
//!
//! The hardware counters are in `tests/corpus`; the simulator's counts are recorded in [`PATH`].

use std::collections::BTreeMap;
use std::fmt::Write;

use engine::arch::{ArchId, LaunchResources, Limiter, architecture, occupancy};
use engine::ids::{Cycle, Pc, SlotIdx};
use engine::isa::Program;
use engine::launch::Launch;
use engine::sim::machine::Machine;
use engine::sim::{Issue, MachineOptions, Outcome, Sink, WarpState};
use engine::trace::stall_name;

/// The path of the record from the root of the project.
pub const PATH: &str = "tests/validation/corpus.csv";
const RECORDED: &str = include_str!("../../../tests/validation/corpus.csv");
const MEASURED: &str = include_str!("../../../tests/corpus/measured.csv");
const STALLS: &str = include_str!("../../../tests/corpus/stalls.csv");

/// The simulated architecture, on which the corpus was measured.
pub const ARCH: ArchId = ArchId::Gh100;
/// The number of top stall reasons that are compared.
const TOP: usize = 3;
/// The columns of the record before the stall reasons.
const COLUMNS: [&str; 5] = ["threads", "instructions", "cycles", "registers", "noisy"];

/// The results of a case on the simulator.
#[derive(Clone, Debug, PartialEq)]
pub struct Ours {
    /// Threads per block.
    pub threads: u32,
    /// Warp instructions of the whole grid.
    pub instructions: u64,
    /// Cycles of one SM with its share of the blocks.
    pub cycles: u64,
    /// Registers per thread of this project's compiler.
    pub registers: u32,
    /// Whether the number of instructions depends on timing.
    pub is_noisy: bool,
    /// Warps in each stall state per issue of the SM.
    pub stalls: Vec<(WarpState, f64)>,
}

/// A case on the hardware and on the simulator.
#[derive(Clone, Debug)]
pub struct CorpusRow {
    /// The name of the case.
    pub case: String,
    /// Instructions on the hardware; `None` if the count varies between runs.
    pub instructions: Option<u64>,
    /// Median cycles of the busiest SM with warm caches.
    pub cycles: u64,
    /// Theoretical occupancy in percent: hardware, simulator with hardware registers, simulator with own registers.
    pub occupancy: [f64; 3],
    /// Block limit of each resource: hardware, and simulator with hardware registers. The limit of shared memory
    /// depends on the carveout, which the driver picks differently.
    pub limits: [[Option<u32>; 4]; 2],
    /// The simulator's results, or the reason why the case does not run.
    pub ours: Result<Ours, String>,
    /// Warps in each stall state per issue on the hardware.
    pub stalls: Vec<(WarpState, f64)>,
}

const LIMITERS: [(Limiter, &str); 4] = [
    (Limiter::Warps, "launch__occupancy_limit_warps"),
    (Limiter::Blocks, "launch__occupancy_limit_blocks"),
    (Limiter::Registers, "launch__occupancy_limit_registers"),
    (Limiter::Shared, "launch__occupancy_limit_shared_mem"),
];

/// Returns the stall states.
fn reasons() -> impl Iterator<Item = WarpState> {
    let waits = |state: &WarpState| !matches!(state, WarpState::Empty | WarpState::Selected);
    WarpState::ALL.into_iter().filter(waits)
}

/// Counts instructions and the cycles of each warp state.
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

/// Runs a case on one SM of the chip.
///
/// Instructions cover all blocks; the other counts cover the busiest SM's share of the blocks.
///
/// # Errors
/// Returns a sentence if the run does not finish.
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
            outcome => Err(format!("the run does not finish: {outcome:?}")),
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

/// Returns the names of the cases measured on hardware, in order.
///
/// # Errors
/// Returns an error if the file is malformed.
pub fn cases() -> Result<Vec<String>, String> {
    let mut names = Vec::new();
    for line in csv::Reader::from_reader(MEASURED.as_bytes()).into_records() {
        let line = line.map_err(|error| format!("tests/corpus/measured.csv: {error}"))?;
        names.push(line.get(0).unwrap_or_default().to_owned());
    }
    Ok(names)
}

/// Returns the record as text.
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

/// Returns the rows of a table by their first column, each as cells by column name.
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

/// Returns all cases with the recorded results of the simulator.
///
/// # Errors
/// Returns an error if a file is malformed.
pub fn rows() -> Result<Vec<CorpusRow>, String> {
    rows_of(RECORDED)
}

/// Returns all cases with the results from a record as text.
///
/// # Errors
/// Returns an error if the text is malformed.
pub fn rows_of(recorded: &str) -> Result<Vec<CorpusRow>, String> {
    let measured = table(MEASURED, "tests/corpus/measured.csv")?;
    let stalls = table(STALLS, "tests/corpus/stalls.csv")?;
    let recorded = table(recorded, PATH)?;
    let row = |case: String| -> Option<CorpusRow> {
        let (measured, stalls) = (measured.get(&case)?, stalls.get(&case)?);
        let ours = recorded.get(&case).map_or_else(
            || Err("The case is not measured yet.".to_owned()),
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

/// Returns the top stall reasons in descending order.
pub fn top(stalls: &[(WarpState, f64)]) -> Vec<WarpState> {
    let mut order: Vec<&(WarpState, f64)> = stalls.iter().filter(|(_, warps)| *warps > 0.0).collect();
    order.sort_by(|a, b| b.1.total_cmp(&a.1));
    order.iter().take(TOP).map(|(state, _)| *state).collect()
}

/// Returns Spearman's rank correlation coefficient of two rankings of stall reasons, over the reasons in either
/// ranking.
///
/// Equal values share their rank. Returns `None` if a ranking is constant.
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

/// Summary statistics of the rows.
#[derive(Clone, Copy, Debug)]
pub struct CorpusSummary {
    /// The number of measured cases, and of those that run on the simulator.
    pub cases: (usize, usize),
    /// Instructions, simulator over hardware: geometric mean, minimum, and maximum.
    pub ratio: (f64, f64, f64),
    /// The number of cases whose occupancy and limits equal the hardware's.
    pub same_limits: usize,
    /// The number of cases whose occupancy equals the hardware's with the registers of this project's compiler.
    pub same_occupancy: usize,
    /// The number of cases whose top stall reason equals the hardware's.
    pub same_first: usize,
    /// The mean share of the hardware's top three reasons that are among the simulator's top three.
    pub overlap: f64,
    /// The median of Spearman's coefficient.
    pub spearman: f64,
}

impl CorpusRow {
    /// Returns the simulator's instructions divided by the hardware's.
    pub fn ratio(&self) -> Option<f64> {
        let ours = self.ours.as_ref().ok()?;
        Some(ours.instructions as f64 / self.instructions? as f64)
    }

    /// Whether occupancy, limiting resource, and all block limits except that of shared memory equal the hardware's.
    pub fn has_same_limits(&self) -> bool {
        let [theirs, ours, _] = self.occupancy;
        let same = |(theirs, ours): (&Option<u32>, &Option<u32>)| ours.is_none() || theirs == ours;
        (theirs - ours).abs() < 0.01
            && self.limiter(0) == self.limiter(1)
            && self.limits[0][..3].iter().zip(&self.limits[1][..3]).all(same)
    }

    /// Returns the first limiting resource: on the hardware (0) or in the simulator (1).
    pub fn limiter(&self, whose: usize) -> Option<Limiter> {
        let least = self.limits[whose].iter().flatten().min()?;
        let found = self.limits[whose]
            .iter()
            .position(|limit| limit.as_ref() == Some(least))?;
        Some(LIMITERS[found].0)
    }

    /// Returns the share of the hardware's top three reasons that are among the simulator's top three.
    pub fn overlap(&self) -> Option<f64> {
        let (theirs, ours) = (top(&self.stalls), top(&self.ours.as_ref().ok()?.stalls));
        let common = theirs.iter().filter(|state| ours.contains(state)).count();
        (!theirs.is_empty()).then(|| common as f64 / theirs.len() as f64)
    }
}

/// Returns the summary of the cases that run.
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
