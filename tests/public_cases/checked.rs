//! Cases whose answers are findings of the checks, with their lines.

use cli::Verdict;

use super::said;

/// What is said of a launch on some architectures: all of these parts, and none of those.
fn reports(case: &str, flags: &str, archs: &[&str], parts: &[&str], missing: &[&str]) {
    for arch in archs {
        let (_, text) = said("run", case, &format!("{flags} --arch {arch}"));
        for part in parts {
            assert!(text.contains(part), "{case} {flags} {arch}: {part}: {text}");
        }
        for part in missing {
            assert!(!text.contains(part), "{case} {flags} {arch}: {part}: {text}");
        }
    }
}

#[test]
fn an_array_that_is_reused_without_a_barrier_is_a_race() {
    let race = "error: racecheck: Race reported between Read access at line 16 and Write access at line 20";
    let archs = ["gk110", "gp100", "gv100", "gh100"];
    reports(
        "10-reused-warp-array",
        "",
        &archs,
        &[race, "Add __syncthreads()"],
        &["initcheck"],
    );
}

#[test]
fn a_thread_that_adds_up_while_others_write_is_a_race() {
    // Which of the two comes first depends on the architecture.
    let race = [
        "error: racecheck: Race reported between",
        "Write access at line 7",
        "Read access at line 11",
        "Add __syncthreads()",
    ];
    let archs = ["gf100", "gm204", "gp100", "gv100", "gh100"];
    reports("12-thread0-reduces", "", &archs, &race, &["initcheck"]);
}

#[test]
fn a_scan_in_place_is_a_race() {
    let race = "racecheck: Race reported between Read access at line 10 and Write access at line 10";
    let (error, warning) = (format!("error: {race}"), format!("warning: {race}"));
    let case = "14-scan-in-place";
    reports(case, "--launch 2", &["gf100", "gp100", "gh100"], &[&error], &[]);
    // Threads of one warp: right by luck, and before Volta they run in lockstep.
    let sums = ": 0 1 3 6 10 15 21 28";
    reports(
        case,
        "--launch 1",
        &["gv100", "tu102", "gh100"],
        &[&warning, sums],
        &[],
    );
    reports(
        case,
        "--launch 1",
        &["gf100", "gp100"],
        &[sums, "no findings"],
        &[],
    );
}

#[test]
fn idle_threads_that_reset_a_result_are_a_race() {
    let race = "racecheck: Race reported between Read access at line 11 and Write access at line 7";
    let case = "17-idle-threads-overwrite";
    let error = format!("error: {race}");
    reports(
        case,
        "",
        &["gf100", "gp100", "gv100", "gh100"],
        &[&error, ": 5 5 5 5"],
        &[],
    );
    // One warp: in lockstep before Volta.
    reports(case, "--block 32", &["gf100", "gp100"], &["no findings"], &[]);
    reports(case, "--block 32", &["gv100", "gh100"], &[race], &[]);
}

#[test]
fn a_sum_without_barriers_of_the_warp_is_a_race_from_volta_on() {
    let case = "18-warp-volatile";
    reports(
        case,
        "",
        &["gt200", "gf100", "gk110", "gm204", "gp100"],
        &[": 32896", "no findings"],
        &[],
    );
    let race = "warning: racecheck: Race reported between Read access at line 15 and Write access at line 15";
    reports(
        case,
        "",
        &["gv100", "tu102", "gh100"],
        &[": 32896", race, "Add __syncwarp()"],
        &[],
    );
}

/// As compute-sanitizer: errors for the reduction, none for the scan.
#[test]
fn the_storage_of_a_reduction_in_a_loop_is_a_race() {
    let race = "error: racecheck: Race reported between Read access at line 9 and Write access at line 9";
    let (case, archs) = ("21-cub-storage-in-loop", ["gp100", "tu102", "gh100"]);
    reports(
        case,
        "--launch 1",
        &archs,
        &[race, "in shared memory", ": 383 386 366 397"],
        &[],
    );
    let positions = ": 383 383 387 387 392 393 397 398";
    reports(case, "--launch 2", &archs, &[positions, "no findings"], &[]);
}

#[test]
fn a_copy_of_the_storage_reads_what_no_thread_has_written() {
    let (case, archs) = ("23-cub-storage-copy", ["gk110", "gp100", "gh100"]);
    let copied = "23-cub-storage-copy.cu:8:18: error: initcheck: Uninitialized __shared__ memory read";
    reports(case, "--launch 1", &archs, &[copied], &[": 2080"]);
    reports(case, "--launch 2", &archs, &[": 2080", "no findings"], &[]);
}

#[test]
fn a_reduction_with_the_dimensions_of_another_block_is_reported() {
    let (case, archs) = ("24-cub-2d-block", ["gk110", "gp100", "gh100"]);
    let wrong = [
        "24-cub-2d-block.cu:8:16: error: racecheck",
        "24-cub-2d-block.cu:8:16: error: initcheck",
    ];
    reports(case, "--launch 1", &archs, &wrong, &[": 255"]);
    reports(case, "--launch 2", &archs, &[": 255", "no findings"], &[]);
}

#[test]
fn barriers_of_some_warps_meet_the_wrong_ones() {
    let parts = [
        "26-barriers-of-some-warps.cu:12:3: error: synccheck: Barrier error detected.",
        "other warps of the block wait at line 10",
        "racecheck: Race reported between Read access at line 15 and Write access at line 13",
    ];
    let archs = ["gk110", "gp100", "gv100", "gh100"];
    reports("26-barriers-of-some-warps", "", &archs, &parts, &[": 64 64"]);
}

/// The bodies of loops before Volta: one side of a branch runs until it ends.
#[test]
fn lanes_that_wait_for_a_lock_of_their_warp_hang_before_volta() {
    let case = "29-spin-lock-lanes";
    // The flags give the launch: the kernels need not run for their results.
    let of = |kernel: &str, arch: &str| {
        let flags = format!("--entry {kernel} --grid 1 --block 32 --args inout:i32*1:zero --arch {arch}");
        said("run", case, &flags)
    };
    let (verdict, text) = of("lock1", "gp100");
    assert_eq!(verdict, Verdict::Bad, "{text}");
    let reason = "lanes 1 to 31 of warp 0 spin at line 6: no value that is read there can change. Lane 0 waits at line 7";
    assert!(text.contains("Livelock") && text.contains(reason), "{text}");
    for (kernel, arch) in [
        ("lock1", "gv100"),
        ("lock1", "gh100"),
        ("lock2", "gp100"),
        ("lock2", "gh100"),
    ] {
        let (verdict, text) = of(kernel, arch);
        assert_eq!(verdict, Verdict::Good, "{kernel} {arch}: {text}");
        assert!(text.contains(": 32"), "{kernel} {arch}: {text}");
    }
}

#[test]
fn a_neighbor_beyond_the_input_is_a_read_of_what_no_thread_has_written() {
    let read = "39-puzzle-missing-bound.cu:12:51: error: initcheck: Uninitialized __shared__ memory read of size 4 bytes by thread (6,0,0) in block (1,0,0): no thread of the block has written cache[7]";
    let archs = ["gf100", "gp100", "gv100", "gh100"];
    reports(
        "39-puzzle-missing-bound",
        "",
        &archs,
        &[read, ": 28 "],
        &[": 28 77"],
    );
}

#[test]
fn a_sum_of_the_last_block_needs_a_fence() {
    let race = "error: racecheck: Race reported between Write access at line 10 and Read access at line 14";
    let (case, archs) = ("47-last-block-fence", ["gk110", "gp100", "gv100", "gh100"]);
    reports(
        case,
        "--launch 1",
        &archs,
        &[race, "in global memory", "a fence"],
        &[],
    );
    reports(case, "--launch 2", &archs, &[": 130816", "no findings"], &[]);
}
