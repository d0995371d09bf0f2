//! Schedulers, arithmetic units, and tools: T12 to T24, T36, and T42 to T45 of the Turing guide, V03, V05, V14 to V22,
//! V31, and V38 to V40 of the Volta guide.

use std::collections::BTreeMap;

use cuda::compile;
use engine::arch::{ArchId, Generation, architecture};
use engine::ids::Cycle;
use engine::isa::CompileOptions;
use engine::launch::Role;
use engine::sim::MachineOptions;
use engine::trace::Trace;
use workbench::check::{self, Tool};
use workbench::library;

use super::runs::{floats, int, launch, run, run_library};

const NEW: [ArchId; 2] = [ArchId::Gv100, ArchId::Tu102];

/// Runs one block of `warps` warps that execute `body` in a loop of `rounds` rounds.
fn looped(body: &str, arch: ArchId, warps: u32, rounds: u32) -> Trace {
    let source = format!(
        "__global__ void f(float *out, int n) {{
            float a = threadIdx.x, b = a + 1, c = a + 2, d = a + 3;
            int p = threadIdx.x, q = p + 1, r = p + 2, s = p + 3;
            double u = a, v = b, w = c, x = d;
            #pragma unroll 1
            for (int k = 0; k < n; ++k) {{
                #pragma unroll
                for (int j = 0; j < 32; ++j) {{ {body} }}
            }}
            out[threadIdx.x] = a + b + c + d + (p ^ q ^ r ^ s) + (float)(u + v + w + x);
        }}"
    );
    let args = vec![floats(32 * warps, Role::Out), int(rounds)];
    run(
        &source,
        arch,
        &launch(1, 32 * warps, 0, args),
        MachineOptions::default(),
    )
}

/// Returns the cycles of one round, which executes `body` 32 times. The difference of two runs excludes start and end.
fn cycles_of_round(body: &str, arch: ArchId, warps: u32) -> f64 {
    let cycles = |rounds| looped(body, arch, warps, rounds).num_cycles();
    (cycles(40) - cycles(8)) as f64 / 32.0
}

/// Returns the results of one of the `num` operations in `body` per cycle and SM, with `warps` warps.
fn results_per_cycle(body: &str, num: u32, arch: ArchId, warps: u32) -> f64 {
    f64::from(32 * num * 32 * warps) / cycles_of_round(body, arch, warps)
}

const FFMA_1: &str = "a = a * 0.5f + 1.0f;";
const FFMA_4: &str = "a = a * 0.5f + 1.0f; b = b * 0.5f + 1.0f; c = c * 0.5f + 1.0f; d = d * 0.5f + 1.0f;";
const DFMA_4: &str = "u = u * 0.5 + 1.0; v = v * 0.5 + 1.0; w = w * 0.5 + 1.0; x = x * 0.5 + 1.0;";
/// Additions of changing numbers, which cannot be combined.
const IADD_4: &str = "p = (p ^ q) + 1; q = (q ^ r) + 1; r = (r ^ s) + 1; s = (s ^ p) + 1;";

/// Compares a rate with its expected value. Loop counters and branches cost a few percent.
fn assert_rate(got: f64, want: f64, what: &str) {
    assert!(
        got > 0.85 * want && got <= 1.001 * want,
        "{what}: {got}, expected {want}"
    );
}

/// Both chips have compute capability 7.x. Both take fewer cycles than Pascal for a chain of FFMAs, and for floats mixed
/// with integers.
#[test]
fn claim_t12_turing_is_of_voltas_major_version() {
    for arch in NEW {
        assert_eq!(architecture(arch).compute_capability.major, 7, "{arch}");
        let pascal = ArchId::Gp104;
        let chain = |arch| cycles_of_round(&FFMA_1.repeat(4), arch, 1);
        assert!(chain(arch) < 0.7 * chain(pascal), "{arch}");
        let mixed = |arch| run_library("mixed-math", arch, MachineOptions::default()).num_cycles() as f64;
        assert!(mixed(arch) < 0.8 * mixed(ArchId::Gp100), "{arch}");
    }
}

/// Names of compute capabilities; GV100 is Volta's only chip, and has 80 of its 84 SMs on the V100.
#[test]
fn claim_v03_v05_v22_chips_and_compute_capabilities() {
    let of = |generation| {
        let chips = ArchId::ALL
            .into_iter()
            .filter(move |arch| architecture(*arch).generation == generation);
        chips
            .map(|arch| (arch, architecture(arch).compute_capability.major))
            .collect::<Vec<_>>()
    };
    assert_eq!(of(Generation::Maxwell), [(ArchId::Gm204, 5)]);
    assert_eq!(of(Generation::Pascal), [(ArchId::Gp100, 6), (ArchId::Gp104, 6)]);
    assert_eq!(of(Generation::Volta), [(ArchId::Gv100, 7)]);
    let num_sms = architecture(ArchId::Gv100).chip.num_sms;
    assert_eq!(num_sms.value, 80);
    assert!(num_sms.note.contains("84"), "{}", num_sms.note);
}

/// With enough warps, floats, and integers, four schedulers issue, each to its own warps: a warp never changes.
#[test]
fn claim_t13_t14_v14_v15_four_schedulers_with_their_own_warps() {
    for arch in NEW {
        let trace = looped(&format!("{FFMA_4} {IADD_4}"), arch, 16, 8);
        let mut scheduler_of = BTreeMap::new();
        for issue in trace.issues_from(Cycle(0)) {
            let scheduler = *scheduler_of.entry(issue.slot).or_insert(issue.scheduler);
            assert_eq!(issue.scheduler, scheduler, "{arch}: slot {:?}", issue.slot);
        }
        assert_eq!(scheduler_of.len(), 16, "{arch}");
        for scheduler in 0..4 {
            let num = scheduler_of.values().filter(|of| **of == scheduler).count();
            assert_eq!(num, 4, "{arch}: scheduler {scheduler}");
        }
        // One warp uses the units of one scheduler: a quarter of the SM's rate.
        let (one, four) = (
            results_per_cycle(FFMA_4, 4, arch, 1),
            results_per_cycle(FFMA_4, 4, arch, 4),
        );
        assert!((four / one - 4.0).abs() < 0.05, "{arch}: {one}, {four}");
    }
}

/// The 16 lanes of a scheduler execute an FFMA in two cycles, so FFMAs alone issue every second cycle. With floats and
/// integers in turn, a scheduler issues an independent instruction in nearly every cycle.
#[test]
fn claim_t15_t16_v16_two_cycles_to_execute_and_one_to_issue() {
    for arch in NEW {
        let issued = |body: &str| {
            let trace = looped(body, arch, 16, 40);
            let start = trace.num_cycles() / 4;
            let end = 3 * start;
            (trace.issues_before(end) - trace.issues_before(start)) as f64 / (end - start) as f64 / 4.0
        };
        let (floats, both) = (issued(FFMA_4), issued(&format!("{FFMA_4} {IADD_4}")));
        assert!((0.5..0.56).contains(&floats), "{arch}: {floats}");
        assert!(both > 0.65, "{arch}: {both}");
        // As many FFMAs as integer instructions.
        let alternating = issued(&format!("{FFMA_4} {FFMA_4} {IADD_4}"));
        assert!(alternating > 0.9, "{arch}: {alternating}");
    }
}

/// A dependent FFMA issues 4 cycles later, and 6 cycles later on Pascal.
#[test]
fn claim_t17_t18_v17_dependent_ffmas() {
    for (arch, latency) in [
        (ArchId::Gv100, 4.0),
        (ArchId::Tu102, 4.0),
        (ArchId::Gp100, 6.0),
        (ArchId::Gp104, 6.0),
    ] {
        let cycles = cycles_of_round(&FFMA_1.repeat(4), arch, 1) / 128.0;
        assert!(cycles >= latency && cycles < 1.15 * latency, "{arch}: {cycles}");
    }
}

/// Four warps with four independent chains reach the peak, as do 16 warps with one chain. Four warps with one chain reach
/// half of it.
#[test]
fn claim_t19_t20_v18_four_warps_with_parallelism_or_16_without() {
    for arch in NEW {
        assert_rate(results_per_cycle(FFMA_4, 4, arch, 4), 64.0, "4 warps, 4 chains");
        assert_rate(results_per_cycle(FFMA_1, 1, arch, 16), 64.0, "16 warps, 1 chain");
        let few = results_per_cycle(FFMA_1, 1, arch, 4);
        assert!(few < 0.51 * 64.0, "{arch}: {few}");
    }
}

/// 64 FP32 and 64 INT32 results per cycle and SM on both; 32 FP64 results on GV100 and 2 on TU102.
#[test]
fn claim_t21_t22_t24_v20_v21_units_of_an_sm() {
    for (arch, doubles) in [(ArchId::Gv100, 32.0), (ArchId::Tu102, 2.0)] {
        assert_rate(
            results_per_cycle(FFMA_4, 4, arch, 16),
            64.0,
            &format!("{arch}: FP32"),
        );
        assert_rate(
            results_per_cycle(DFMA_4, 4, arch, 8),
            doubles,
            &format!("{arch}: FP64"),
        );
        // A LOP3 and an IADD3 for each of the four.
        assert_rate(
            results_per_cycle(IADD_4, 8, arch, 16),
            64.0,
            &format!("{arch}: INT32"),
        );
    }
    assert_rate(
        results_per_cycle(FFMA_4, 4, ArchId::Gp100, 32),
        64.0,
        "GP100: FP32",
    );
    assert_rate(
        results_per_cycle(DFMA_4, 4, ArchId::Gp100, 32),
        32.0,
        "GP100: FP64",
    );
}

/// On Volta and Turing, floats and integers take about as long as the longer part alone. On GP100, they take the sum.
#[test]
fn claim_t42_t43_t44_v38_v39_v40_floats_and_integers_overlap() {
    // One FFMA for each integer instruction.
    let floats = FFMA_4.repeat(2);
    let both = format!("{floats} {IADD_4}");
    for (arch, warps, overlaps) in [
        (ArchId::Gv100, 16, true),
        (ArchId::Tu102, 16, true),
        (ArchId::Gp100, 32, false),
    ] {
        let of = |body: &str| cycles_of_round(body, arch, warps);
        let (alone, mixed) = (of(&floats) + of(IADD_4), of(&both));
        let share = mixed / alone;
        assert!(
            if overlaps { share < 0.65 } else { share > 0.95 },
            "{arch}: {share}"
        );
    }
}

/// A loop that loads the next iteration's value before the arithmetic takes about the longer of both times.
#[test]
fn claim_t45_a_pipelined_loop_hides_its_loads() {
    let source = |first: &str, load: &str| {
        format!(
            "__global__ void f(const float *in, float *out, int n) {{
                int i = threadIdx.x;
                float sum = 0;
                {first}
                #pragma unroll 1
                for (int k = 0; k < n; ++k) {{
                    {load}
                    float y = x;
                    #pragma unroll
                    for (int r = 0; r < 256; ++r) y = y * x + 0.5f;
                    sum += y;
                }}
                out[threadIdx.x] = sum;
            }}"
        )
    };
    let at_once = source("", "float x = in[i]; i += 128;");
    let ahead = source("float next = in[i];", "float x = next; i += 128; next = in[i];");
    for arch in NEW {
        let cycles = |source: &str| {
            let args = vec![floats(17 * 128, Role::In), floats(128, Role::Out), int(16)];
            run(source, arch, &launch(1, 128, 0, args), MachineOptions::default()).num_cycles()
        };
        let (at_once, ahead) = (cycles(&at_once), cycles(&ahead));
        assert!(
            (ahead as f64) < 0.8 * at_once as f64,
            "{arch}: {at_once}, {ahead}"
        );
        // 16 iterations of 256 FFMAs at 4 cycles: the arithmetic takes nearly the whole time.
        assert!(ahead < 16 * 256 * 4 * 108 / 100 + 600, "{arch}: {ahead}");
    }
}

/// racecheck reports data that lanes exchange without a barrier, synccheck a barrier that some threads skip.
#[test]
fn claim_t36_v31_racecheck_and_synccheck_find_hazards() {
    let findings = |id: &str, arch| {
        let kernel = library::kernel(id).expect("a kernel of the library");
        let compiled = compile(
            kernel.source,
            Some(kernel.entry),
            arch,
            &CompileOptions::default(),
        )
        .unwrap_or_else(|found| panic!("{id}: {found:?}"));
        let report = check::run(
            architecture(arch),
            &compiled.program,
            &kernel.launch(),
            MachineOptions::default(),
        );
        let report = report.unwrap_or_else(|error| panic!("{id}: {error}"));
        report
            .findings
            .iter()
            .map(|finding| finding.kind.tool())
            .collect::<Vec<_>>()
    };
    for arch in NEW {
        // Hazard 2: an exchange within a warp without and with __syncwarp().
        assert!(findings("warp-sum", arch).contains(&Tool::Racecheck), "{arch}");
        assert!(findings("warp-sum-sync", arch).is_empty(), "{arch}");
        assert!(
            findings("mistake-race", arch).contains(&Tool::Racecheck),
            "{arch}"
        );
        // Hazard 3: a barrier that a part of the threads skips.
        assert!(
            findings("mistake-barrier", arch).contains(&Tool::Synccheck),
            "{arch}"
        );
    }
}
