//! Points that the simulator measured with the microbenchmarks of the validation (`warpscope plots`).

use std::sync::LazyLock;

use engine::arch::{ArchId, OpClass};

/// The rates of a microbenchmark with a number of independent instructions or loads of each thread.
#[derive(Clone, Debug, PartialEq)]
pub struct SimulatedRow {
    /// The architecture.
    pub arch: ArchId,
    /// The id of a class of [`THROUGHPUT_CLASSES`], or a memory level: `l2`, `device`.
    pub what: String,
    /// Independent instructions, or loads in flight, of each thread.
    pub parallel: u8,
    /// Warps, and results (instructions) or bytes (memory) per clock of one SM.
    pub rates: Vec<(u8, f64)>,
}

/// A class of instructions of the throughput plot.
#[derive(Clone, Copy, Debug)]
pub struct ThroughputClass {
    /// The id in links.
    pub id: &'static str,
    /// The name on the page.
    pub name: &'static str,
    /// The class.
    pub class: OpClass,
    /// The quantity of its microbenchmark in the validation.
    pub benchmark: &'static str,
}

/// The classes of the throughput plot.
pub const THROUGHPUT_CLASSES: [ThroughputClass; 5] = [
    ThroughputClass {
        id: "ffma",
        name: "FFMA",
        class: OpClass::Fp32,
        benchmark: "issue ffma",
    },
    ThroughputClass {
        id: "dfma",
        name: "DFMA",
        class: OpClass::Fp64,
        benchmark: "issue dfma",
    },
    ThroughputClass {
        id: "imad",
        name: "IMAD",
        class: OpClass::IntMul,
        benchmark: "issue imad",
    },
    ThroughputClass {
        id: "mufu",
        name: "MUFU.EX2",
        class: OpClass::Mufu,
        benchmark: "issue mufu_ex2",
    },
    ThroughputClass {
        id: "lds",
        name: "LDS",
        class: OpClass::Shared,
        benchmark: "issue shared",
    },
];

/// All simulated rows.
pub static SIMULATED: LazyLock<Vec<SimulatedRow>> =
    LazyLock::new(|| include_str!("simulated.csv").lines().filter_map(read).collect());

fn read(line: &str) -> Option<SimulatedRow> {
    let mut cells = line.split(',');
    let arch = cells.next()?.parse().ok()?;
    let what = cells.next()?.to_owned();
    let parallel = cells.next()?.parse().ok()?;
    let rate = |cell: &str| {
        let (warps, rate) = cell.split_once(':')?;
        Some((warps.parse().ok()?, rate.parse().ok()?))
    };
    Some(SimulatedRow {
        arch,
        what,
        parallel,
        rates: cells.filter_map(rate).collect(),
    })
}

/// The rows of an architecture and a microbenchmark.
pub(super) fn rows(arch: ArchId, what: &str) -> impl Iterator<Item = &'static SimulatedRow> {
    SIMULATED
        .iter()
        .filter(move |row| row.arch == arch && row.what == what)
}
