//! Runs scenarios to completion and condenses each run to one line, which is equal on every platform.

use std::sync::Arc;

use engine::arch::architecture;
use engine::ids::Cycle;
use engine::trace::{Simulation, Trace, TraceOptions};
use workbench::share;

/// The scenarios: most kinds of library kernels, on each divergence model and memory system.
const LINKS: [&str; 6] = [
    "#v1",
    "#v1;arch=g80",
    "#v1;arch=gf100;kernel=saxpy;dlcm=cg",
    "#v1;arch=gp104;kernel=histogram;policy=lrr",
    "#v1;arch=gv100;kernel=divergence;adversarial=on",
    "#v1;arch=gt200;kernel=mixed-math",
];

/// Returns a line per link: the link, cycles, instructions, a checksum of memory, warp states, and counters, and a
/// checksum of the trace's columns.
pub(crate) fn digests() -> String {
    LINKS.iter().map(|link| digest(link)).collect()
}

fn digest(link: &str) -> String {
    let scenario = share::decode(link).scenario;
    let program = cuda::compile(
        scenario.source(),
        scenario.entry(),
        scenario.arch,
        &scenario.compile,
    )
    .unwrap_or_else(|diagnostics| panic!("{link}: {diagnostics:?}"))
    .program;
    let (arch, program) = (architecture(scenario.arch), Arc::new(program));
    let (launch, machine) = (scenario.launch(), scenario.machine);
    let begin = |limits| {
        Simulation::new(arch, Arc::clone(&program), &launch, machine, limits)
            .unwrap_or_else(|error| panic!("{link}: {error}"))
    };
    let mut simulation = begin(TraceOptions::default());
    simulation.advance(u64::MAX);
    let mut sum = 0xcbf2_9ce4_8422_2325_u64;
    let mut add = |bytes: &[u8]| {
        for byte in bytes {
            sum = (sum ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    };
    for (_, bytes) in simulation.machine().outputs().compared() {
        add(&bytes);
    }
    let trace = simulation.finish();
    add(trace.states_csv().as_bytes());
    add(trace.counters_csv().as_bytes());
    // A run in pieces produces the same trace, and every way of seeking to a cycle restores the same state.
    let mut pieces = begin(TraceOptions {
        checkpoint_cost: 1500,
        ..TraceOptions::default()
    });
    let mut grown = Trace::open(arch, Arc::clone(&program), &launch, machine)
        .unwrap_or_else(|error| panic!("{link}: {error}"));
    while !grown.is_whole() {
        pieces.advance(997);
        grown
            .append(pieces.segment())
            .unwrap_or_else(|error| panic!("{link}: {error}"));
    }
    assert_eq!(grown.digest(), trace.digest(), "{link}");
    for part in [1, 7, 3, 0, 5, 8, 2] {
        let cycle = Cycle(trace.num_cycles() * part / 8);
        assert_eq!(
            grown.machine_digest(cycle),
            trace.machine_digest(cycle),
            "{link}, cycle {}",
            cycle.0
        );
    }
    format!(
        "{link} {} {} {sum:016x} {:016x}\n",
        trace.num_cycles(),
        trace.num_issues(),
        trace.digest()
    )
}
