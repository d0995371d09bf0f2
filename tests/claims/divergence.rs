//! Divergence, independent thread scheduling, and porting hazards: F11 of the Fermi guide, T10 and T25 to T35 of the
//! Turing guide, V12, V23 to V30, V64, and V65 of the Volta guide.

use std::sync::Arc;

use cuda::compile;
use engine::arch::{ArchId, architecture};
use engine::ids::SlotIdx;
use engine::isa::{CompileOptions, ElemType};
use engine::launch::{Argument, Fill, Launch, Pattern, Role};
use engine::sim::{FaultKind, MachineOptions, Outcome};
use engine::trace::{Trace, simulate};
use workbench::app::{Event, Session, update};
use workbench::library;

/// The claims with tests in this file. One test covers a claim that several guides make.
const CLAIMS: &[&str] = &[
    "f11", "t10", "t25", "t26", "t27", "t28", "t29", "t30", "t31", "t32", "t33", "t34", "t35", "v12", "v23",
    "v24", "v25", "v26", "v27", "v28", "v29", "v30", "v64", "v65",
];

/// Architectures before Volta, and from Volta on.
const BEFORE: [ArchId; 4] = [ArchId::Gt200, ArchId::Gf100, ArchId::Gp100, ArchId::Gp104];
const SINCE: [ArchId; 2] = [ArchId::Gv100, ArchId::Tu102];

/// Options with worst-case interleaving of lanes.
fn adversarial() -> MachineOptions {
    MachineOptions {
        adversarial: true,
        ..MachineOptions::default()
    }
}

/// Runs a kernel's source.
fn run_text(source: &str, arch: ArchId, launch: &Launch, options: MachineOptions) -> Result<Trace, String> {
    let compiled =
        compile(source, None, arch, &CompileOptions::default()).map_err(|found| format!("{found:?}"))?;
    let program = Arc::new(compiled.program);
    simulate(architecture(arch), program, launch, options).map_err(|error| error.to_string())
}

/// Runs a library kernel with its default launch.
fn run(id: &str, arch: ArchId, options: MachineOptions) -> Result<Trace, String> {
    let kernel = library::kernel(id).expect("a kernel of the library");
    run_text(kernel.source, arch, &kernel.launch(), options)
}

/// Returns a launch of one block with an input buffer (0, 1, 2, …) and an output buffer.
fn launch(threads: u32) -> Launch {
    let buffer = |pattern, role| Argument::Buffer {
        elem: ElemType::I32,
        len: threads,
        fill: Fill::of(pattern),
        role,
        start: 0,
    };
    Launch {
        grid: [1, 1, 1],
        block: [threads, 1, 1],
        dynamic_shared: 0,
        args: vec![buffer(Pattern::Iota, Role::In), buffer(Pattern::Zero, Role::Out)],
        symbols: Vec::new(),
    }
}

/// Returns the first compared output buffer of a run.
fn output(trace: &Trace) -> Vec<i32> {
    let outputs = trace.outputs().expect("the run has ended");
    let (_, bytes) = outputs.compared().next().expect("a buffer is compared");
    bytes
        .chunks_exact(4)
        .map(|word| i32::from_le_bytes([word[0], word[1], word[2], word[3]]))
        .collect()
}

/// Returns the expected warp sums of the family `warp-sum`.
fn sums() -> Vec<i32> {
    let launch = library::kernel("warp-sum")
        .expect("a kernel of the library")
        .launch();
    let Argument::Buffer { elem, len, fill, .. } = &launch.args[0] else {
        panic!("the input is a buffer");
    };
    let bytes = fill.bytes(*elem, *len);
    let words = bytes
        .chunks_exact(4)
        .map(|word| i32::from_le_bytes([word[0], word[1], word[2], word[3]]));
    let words: Vec<i32> = words.collect();
    words
        .chunks(32)
        .map(|warp| warp.iter().fold(0i32, |sum, word| sum.wrapping_add(*word)))
        .collect()
}

/// Returns the page's message about a finished run.
fn page_message(link: &str) -> Option<String> {
    let mut session = Session::new();
    update(&mut session, Event::Open(link.to_owned()));
    while session.work(50_000) {}
    session.outcome_sentence()
}

#[test]
fn every_claim_in_the_list_has_a_test() {
    let text = include_str!("divergence.rs");
    for claim in CLAIMS {
        let name = format!("{claim}_");
        let has = |line: &str| line.trim_start().starts_with("fn claim_") && line.contains(&name);
        assert!(text.lines().any(has), "{claim} has no test");
    }
    let listed = |id: &str| CLAIMS.contains(&id);
    for line in text.lines().filter(|line| line.starts_with("fn claim_")) {
        let ids = line.trim_start_matches("fn claim_").split('_');
        let ids = ids.take_while(|id| id.len() == 3 && id[1..].bytes().all(|byte| byte.is_ascii_digit()));
        for id in ids {
            assert!(listed(id), "{id} is not in the list: {line}");
        }
    }
}

/// Different paths within a warp execute one after the other; different paths in different warps add no cost.
#[test]
fn claim_f11_t10_v12_paths_within_a_warp_cost_their_sum() {
    for arch in BEFORE.into_iter().chain(SINCE) {
        let issued = |id| {
            run(id, arch, MachineOptions::default())
                .expect("the kernel runs")
                .total()
                .issued
        };
        let (one, four, by_warp) = (issued("ladder-1"), issued("ladder-4"), issued("ladder-4-warps"));
        assert!(
            four > by_warp + by_warp / 3,
            "{arch}: {four} and {by_warp} by warp, {one} of one way"
        );
        assert!(issued("ladder-32") > 2 * issued("ladder-32-warps"), "{arch}");
        let lanes = |id| {
            let total = run(id, arch, MachineOptions::default())
                .expect("the kernel runs")
                .total();
            total.threads_active as f64 / total.issued as f64
        };
        assert!(lanes("ladder-32") < lanes("ladder-4"), "{arch}");
        assert!(
            lanes("ladder-4") < 31.0 && lanes("ladder-4-warps") > 31.9,
            "{arch}"
        );
    }
}

/// From Volta on, each lane has its own program counter: groups of one warp are at several instructions, and all groups
/// make progress. Before Volta, waiting groups are on a stack.
#[test]
fn claim_t25_v23_threads_are_scheduled_independently_from_volta_on() {
    for arch in BEFORE.into_iter().chain(SINCE) {
        let trace = run("divergence", arch, MachineOptions::default()).expect("the kernel runs");
        let mut turns = 0;
        let mut last = None;
        let mut has_stack = false;
        for row in trace
            .issues_from(engine::ids::Cycle(0))
            .filter(|row| row.slot == SlotIdx(0))
        {
            // The scheduler alternates between the paths of one loop.
            turns += u32::from(last.is_some_and(|last| last != row.active) && row.active.count() == 8);
            last = Some(row.active);
            if turns < 3 && row.active.count() == 8 {
                let view = trace.with_machine(row.cycle, |machine| machine.warp(SlotIdx(0)));
                has_stack |= view.is_some_and(|view| !view.stack.is_empty());
            }
        }
        let since = SINCE.contains(&arch);
        assert_eq!(has_stack, !since, "{arch}");
        assert!(if since { turns > 20 } else { turns < 20 }, "{arch}: {turns}");
    }
}

const HANDOFF: &str = "__global__ void handoff(const int *in, int *out) {
    __shared__ volatile int flag;
    int t = threadIdx.x;
    if (t == 0) flag = 0;
    __syncthreads();
    if (t == 5) {
        flag = 1;
        while (flag != 2) ;
        out[t] = in[t] + 100;
    } else if (t == 9) {
        while (flag != 1) ;
        flag = 2;
    }
}";

/// A thread waits for another thread of its warp: from Volta on the wait ends; before Volta the warp never exits.
#[test]
fn claim_t26_v24_threads_of_a_warp_can_wait_for_each_other() {
    for arch in SINCE {
        let trace = run_text(HANDOFF, arch, &launch(32), MachineOptions::default()).expect("the kernel runs");
        assert_eq!(trace.outcome(), Some(&Outcome::Finished), "{arch}");
        assert_eq!(output(&trace)[5], 105);
    }
    for arch in BEFORE {
        let trace = run_text(HANDOFF, arch, &launch(32), MachineOptions::default()).expect("the kernel runs");
        assert!(
            matches!(trace.outcome(), Some(Outcome::Fault(fault)) if fault.kind == FaultKind::DivergentLivelock),
            "{arch}: {:?}",
            trace.outcome()
        );
    }
}

/// A lock in CPU style, where each lane spins: from Volta on the run finishes with the correct sum. Before Volta the
/// run is reported as a livelock, with the waiting and the holding lanes.
#[test]
fn claim_t27_v24_cpu_code_ports_more_easily() {
    let fine = run("lock-lanes", ArchId::Tu102, MachineOptions::default()).expect("the kernel runs");
    for arch in SINCE {
        let trace = run("lock-spin", arch, MachineOptions::default()).expect("the kernel runs");
        assert_eq!(trace.outcome(), Some(&Outcome::Finished), "{arch}");
        assert_eq!(output(&trace), output(&fine), "{arch}");
    }
    for arch in BEFORE {
        let trace = run("lock-spin", arch, MachineOptions::default()).expect("the kernel runs");
        let Some(Outcome::Fault(fault)) = trace.outcome() else {
            panic!("{arch}: {:?}", trace.outcome());
        };
        assert_eq!(fault.kind, FaultKind::DivergentLivelock, "{arch}");
        assert_eq!(fault.lanes.count(), 15, "{arch}: {}", fault.message);
        assert!(fault.message.contains("spin at line 11"), "{}", fault.message);
        assert!(fault.message.contains("Lane 0 waits"), "{}", fault.message);
        // The livelock is reported early, before the cycle limit.
        assert!(trace.num_cycles() < 40_000, "{arch}");
    }
    let message = page_message("v1;arch=gp104;kernel=lock-spin").expect("the page shows a message");
    assert!(
        message.contains("would never end") && message.contains("Livelock"),
        "{message}"
    );
}

/// Warps that spin for another block's lock eventually acquire it, which is not a livelock.
#[test]
fn finite_spinning_is_not_a_livelock() {
    for arch in BEFORE.into_iter().chain(SINCE) {
        for kernel in ["lock", "lock-lanes"] {
            let trace = run(kernel, arch, MachineOptions::default()).expect("the kernel runs");
            assert_eq!(trace.outcome(), Some(&Outcome::Finished), "{kernel} on {arch}");
        }
    }
}

const VOTES: &str = "__global__ void votes(const int *in, int *out) {
    int t = threadIdx.x;
    int v = in[t];
    out[t] = __popc(__ballot(v & 1)) + 100 * __any(v == 31) + 1000 * __all(v < 32);
}";
const VOTES_SYNC: &str = "__global__ void votes(const int *in, int *out) {
    int t = threadIdx.x;
    int v = in[t];
    out[t] = __popc(__ballot_sync(~0u, v & 1)) + 100 * __any_sync(~0u, v == 31)
        + 1000 * __all_sync(~0u, v < 32);
}";

/// Intrinsics without masks are correct up to Pascal; from Volta on the compiler rejects them and names the
/// replacement. Intrinsics with the full mask are correct on any schedule; with the active mask they give wrong sums.
#[test]
fn claim_t30_v27_shuffles_and_votes_move_to_the_sync_forms() {
    let pascal = run("warp-shuffle", ArchId::Gp104, MachineOptions::default()).expect("the kernel runs");
    assert_eq!(output(&pascal), sums());
    for arch in SINCE {
        let refused =
            run("warp-shuffle", arch, MachineOptions::default()).expect_err("the kernel is rejected");
        assert!(refused.contains("__shfl_down_sync"), "{refused}");
        let refused = run_text(VOTES, arch, &launch(32), MachineOptions::default()).expect_err("refused");
        for form in ["__ballot_sync", "__any_sync", "__all_sync"] {
            assert!(refused.contains(form), "{refused}");
        }
        for options in [MachineOptions::default(), adversarial()] {
            let right = run("warp-shuffle-sync", arch, options).expect("the kernel runs");
            assert_eq!(output(&right), sums(), "{arch}");
            let votes = run_text(VOTES_SYNC, arch, &launch(32), options).expect("the kernel runs");
            assert_eq!(output(&votes), [1116; 32], "{arch}");
        }
        let wrong = run("warp-shuffle-active", arch, adversarial()).expect("the kernel runs");
        assert_ne!(output(&wrong), sums(), "{arch}");
    }
    for arch in [ArchId::Gf100, ArchId::Gp100] {
        let votes = run_text(VOTES, arch, &launch(32), MachineOptions::default()).expect("the kernel runs");
        assert_eq!(output(&votes), [1116; 32], "{arch}");
    }
}

const HALF: &str = "__global__ void half(const int *in, int *out) {
    int t = threadIdx.x;
    if (t < 16) out[t] = __shfl_xor_sync(0xffffu, in[t], 1);
    else out[t] = __shfl_xor_sync(0xffff0000u, in[t], 2);
}";

/// The mask names the participating lanes, which wait only for each other.
#[test]
fn claim_t31_the_mask_names_the_lanes_that_take_part() {
    for arch in SINCE {
        for options in [MachineOptions::default(), adversarial()] {
            let trace = run_text(HALF, arch, &launch(32), options).expect("the kernel runs");
            assert_eq!(trace.outcome(), Some(&Outcome::Finished), "{arch}");
            let expected: Vec<i32> = (0..32).map(|t| if t < 16 { t ^ 1 } else { t ^ 2 }).collect();
            assert_eq!(output(&trace), expected, "{arch}");
        }
    }
}

/// A lane's writes are visible to other lanes only after `__syncwarp()`: without it, a sum in shared memory is
/// correct up to Pascal and wrong if lanes are not in lockstep.
#[test]
fn claim_t28_t29_t32_t34_v25_v26_v29_lockstep_and_visibility_cannot_be_assumed() {
    for arch in BEFORE {
        let trace = run("warp-sum", arch, MachineOptions::default()).expect("the kernel runs");
        assert_eq!(output(&trace), sums(), "{arch}");
        // Such code assumes that every instruction of the steps issues for all lanes.
        assert_eq!(
            output(&run("warp-sum", arch, adversarial()).expect("the kernel runs")),
            sums(),
            "{arch}"
        );
    }
    for arch in SINCE {
        let trace = run("warp-sum", arch, adversarial()).expect("the kernel runs");
        assert_eq!(trace.outcome(), Some(&Outcome::Finished), "{arch}");
        assert_ne!(output(&trace), sums(), "{arch}");
    }
    let message =
        page_message("v1;arch=gv100;kernel=warp-sum;adversarial=on").expect("the page shows a message");
    assert!(
        message.contains("with the lanes of each warp in lockstep"),
        "{message}"
    );
    assert_eq!(
        page_message("v1;arch=gv100;kernel=warp-sum-sync;adversarial=on"),
        None
    );
}

/// With `__syncwarp()` between the steps, the same sum is correct on any schedule.
#[test]
fn claim_t33_v28_syncwarp_separates_the_steps() {
    for arch in BEFORE.into_iter().chain(SINCE) {
        for options in [MachineOptions::default(), adversarial()] {
            let trace = run("warp-sum-sync", arch, options).expect("the kernel runs");
            assert_eq!(output(&trace), sums(), "{arch}");
        }
    }
}

const EXITED: &str = "__global__ void exited(const int *in, int *out) {
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = in[t];
    if (t >= 40) return;
    __syncthreads();
    out[t] = s[39 - t];
}";

/// Some threads never reach a barrier: up to Pascal one lane counts for its warp, and the page reports it; from Volta
/// on the block hangs, and the page reports the position. Exited threads do not count.
#[test]
fn claim_t35_v30_every_thread_must_reach_the_barrier() {
    for arch in BEFORE {
        let trace = run("barrier-some", arch, MachineOptions::default()).expect("the kernel runs");
        assert_eq!(trace.outcome(), Some(&Outcome::Finished), "{arch}");
        let message = page_message(&format!("v1;arch={};kernel=barrier-some", arch.text()))
            .expect("the page shows a message");
        assert!(message.contains("16 of the 32 lanes of warp"), "{message}");
        assert_eq!(
            page_message(&format!("v1;arch={};kernel=barrier", arch.text())),
            None,
            "{arch}"
        );
    }
    for arch in SINCE {
        let trace = run("barrier-some", arch, MachineOptions::default()).expect("the kernel runs");
        let Some(Outcome::Deadlock { reason, waiting }) = trace.outcome() else {
            panic!("{arch}: {:?}", trace.outcome());
        };
        assert!(reason.contains("barrier"), "{reason}");
        assert_eq!(
            waiting.iter().map(|(_, _, lanes)| lanes.count()).sum::<u32>(),
            64,
            "{arch}"
        );
        let message = page_message(&format!("v1;arch={};kernel=barrier-some", arch.text()))
            .expect("the page shows a message");
        assert!(message.contains("with a deadlock"), "{message}");
    }
    for arch in BEFORE.into_iter().chain(SINCE) {
        let trace = run_text(EXITED, arch, &launch(64), MachineOptions::default()).expect("the kernel runs");
        assert_eq!(trace.outcome(), Some(&Outcome::Finished), "{arch}");
        assert_eq!(
            output(&trace)[..40],
            (0..40).rev().collect::<Vec<i32>>()[..],
            "{arch}"
        );
    }
}

/// Cooperative Groups synchronizes tiles of 8 lanes, the lanes of a branch, warps, and blocks. Sums of a tile need no
/// shared memory and no barrier of the block.
#[test]
fn claim_v64_v65_groups_of_threads_synchronize() {
    let source = "#include <cooperative_groups.h>
    #include <cooperative_groups/reduce.h>
    namespace cg = cooperative_groups;
    __global__ void sums(const int *in, int *out) {
        cg::thread_block block = cg::this_thread_block();
        auto tile = cg::tiled_partition<8>(block);
        int own = in[block.thread_rank()];
        int of_tile = cg::reduce(tile, own, cg::plus<int>());
        if (own % 3 == 0) {
            cg::coalesced_group active = cg::coalesced_threads();
            if (active.thread_rank() == 0) of_tile += 1000 * active.size();
            active.sync();
        }
        tile.sync();
        block.sync();
        out[block.thread_rank()] = of_tile;
    }";
    for arch in SINCE {
        let trace = run_text(source, arch, &launch(64), MachineOptions::default()).expect("the kernel runs");
        let want: Vec<i32> = (0..64)
            .map(|thread| {
                let first = thread / 8 * 8;
                let of_tile: i32 = (first..first + 8).sum();
                // The first lane of each warp whose input is a multiple of 3, and the number of such lanes.
                let (lane, num) = if thread < 32 { (0, 11) } else { (33, 11) };
                of_tile + if thread == lane { 1000 * num } else { 0 }
            })
            .collect();
        assert_eq!(output(&trace), want, "{arch}");
        let total = trace.total();
        assert_eq!(
            total.of_kind(engine::sim::RequestKind::SharedLoad).requests,
            0,
            "{arch}"
        );
    }
}
