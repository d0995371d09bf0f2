//! Cases whose answers are counts: wavefronts, sectors, requests, branches, and the order of streams.

use cli::Verdict;

use super::said;

/// The value of a counter in what `run --counters` prints.
fn counter(text: &str, name: &str) -> Option<f64> {
    let line = text.lines().find(|line| line.trim_start().starts_with(name))?;
    line.split_once(" = ")?.1.split(' ').next()?.parse().ok()
}

/// The counters of a run that finishes without findings.
fn counters<const NUM: usize>(case: &str, flags: &str, names: [&str; NUM]) -> [f64; NUM] {
    let (verdict, text) = said("run", case, &format!("{flags} --counters"));
    assert_eq!(verdict, Verdict::Good, "{case} {flags}: {text}");
    names.map(|name| counter(&text, name).unwrap_or_else(|| panic!("{case} {flags}: {name}: {text}")))
}

const LOAD_REQUESTS: &str = "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum";
const LOAD_SECTORS: &str = "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum";

/// 128 requests of each kind: 8 sectors each, 2 wavefronts a load and 32 a store of shared memory.
#[test]
fn a_transpose_of_doubles_has_the_measured_counts() {
    let names = [
        LOAD_REQUESTS,
        LOAD_SECTORS,
        "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum",
        "smsp__inst_executed_op_shared_ld.sum",
        "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
        "smsp__inst_executed_op_shared_st.sum",
        "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum",
    ];
    for arch in ["gv100", "ga100", "gh100"] {
        let flags = format!("--arch {arch}");
        let counts = counters("01-transpose-double", &flags, names);
        assert_eq!(
            counts,
            [128.0, 1024.0, 1024.0, 128.0, 256.0, 128.0, 4096.0],
            "{arch}"
        );
        let (_, text) = said("run", "01-transpose-double", &flags);
        assert!(text.contains(": 0 64 128 192 256 320 384 448"), "{arch}: {text}");
        assert!(text.contains("no findings"), "{arch}: {text}");
    }
}

/// Each of four banks delivers 32 words. On 3.x a bank delivers two words of one row of 256 bytes at once.
#[test]
fn rows_of_the_same_banks_take_a_wavefront_each() {
    for (arch, wavefronts) in [
        ("gk110", 16.0),
        ("gm204", 32.0),
        ("gp100", 32.0),
        ("gv100", 32.0),
        ("tu102", 32.0),
        ("gh100", 32.0),
    ] {
        let names = [
            "smsp__inst_executed_op_shared_ld.sum",
            "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
        ];
        let counts = counters("03-float4-same-banks", &format!("--arch {arch}"), names);
        assert_eq!(counts, [1.0, wavefronts], "{arch}");
    }
}

/// 2.5, 1, and 4 sectors a request, as measured.
#[test]
fn index_patterns_of_a_product_have_the_measured_sectors() {
    for (launch, sectors) in [(1, 2.5), (2, 1.0), (3, 4.0)] {
        for arch in ["gv100", "tu102", "gh100"] {
            let flags = format!("--launch {launch} --arch {arch}");
            let [requests, read] = counters("06-matmul-patterns", &flags, [LOAD_REQUESTS, LOAD_SECTORS]);
            assert_eq!((requests, read / requests), (16_384.0, sectors), "{flags}");
        }
    }
}

/// Of 8 warps: one load each if the structure is aligned to 8 bytes, otherwise two.
#[test]
fn alignment_makes_one_load_of_two() {
    for (launch, loads) in [(1, 16.0), (2, 8.0), (3, 8.0)] {
        for arch in ["gk110", "gp100", "gv100", "gh100"] {
            // The program fills no buffer, which a check reports; the counts do not depend on it.
            let flags = format!("--launch {launch} --arch {arch} --no-checks");
            let names = ["smsp__inst_executed_op_global_ld.sum", LOAD_SECTORS];
            let [executed, sectors] = counters("08-float2-struct", &flags, names);
            assert_eq!(executed, loads, "{flags}");
            // Up to Pascal a request of L1 is a part of a warp's access: the sectors of a load are the same.
            assert_eq!(sectors, 8.0 * loads, "{flags}");
        }
    }
}

#[test]
fn short_bodies_are_predicated_and_no_branch_diverges() {
    for (launch, values) in [
        (1, "100 200 100 200"),
        (2, "100 100 100 100"),
        (3, "100 200 100 200"),
    ] {
        for arch in ["gf100", "gk110", "gp100", "tu102", "gh100"] {
            let flags = format!("--launch {launch} --arch {arch}");
            let names = [
                "smsp__sass_branch_targets.sum",
                "smsp__sass_branch_targets_threads_divergent.sum",
            ];
            assert_eq!(
                counters("48-branch-efficiency", &flags, names),
                [0.0, 0.0],
                "{flags}"
            );
            let (_, text) = said("run", "48-branch-efficiency", &flags);
            assert!(text.contains(values), "{flags}: {text}");
        }
    }
}

/// With one work queue the third launch waits for the second to start; from 3.5 on each stream has a queue.
#[test]
fn one_work_queue_makes_streams_wait_for_each_other() {
    for (arch, waits) in [("gf100", true), ("gk110", false), ("gh100", false)] {
        let (verdict, text) = said("streams", "50-fermi-false-dependency", &format!("--arch {arch}"));
        assert_eq!(verdict, Verdict::Good, "{arch}: {text}");
        // Beginning and end of the launch at a line, in microseconds.
        let times = |line: u32| {
            let start = format!("process 0 line  {line:>2} GPU 0 stream");
            let row = text.lines().find(|row| row.trim_start().starts_with(&start));
            let row = row.unwrap_or_else(|| panic!("{arch}: {line}: {text}"));
            assert!(row.contains("Launch"), "{row}");
            let (before, after) = row.split_once(" to ").expect("a time");
            let number = |word: Option<&str>| word.and_then(|word| word.parse::<f64>().ok()).expect("a time");
            let from = number(before.split_whitespace().last());
            let to = number(after.split_whitespace().next());
            (from, to, row.contains("work queue shared with another stream"))
        };
        let [first, second, third, fourth] = [8, 9, 10, 11].map(times);
        assert_eq!(third.2, waits, "{arch}: {text}");
        assert_eq!(third.0 >= second.0, waits, "{arch}: {text}");
        if waits {
            // Only the second and the third run at once.
            assert!(third.0 < second.1 && fourth.0 >= second.1, "{arch}: {text}");
        } else {
            assert!(third.0 < first.1 && fourth.0 < second.1, "{arch}: {text}");
        }
    }
}
