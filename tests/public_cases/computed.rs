//! Cases whose answers are values.

use cli::Verdict;

use super::said;

/// Runs a launch on some architectures without findings: its outputs contain these.
fn gives(case: &str, launch: u32, archs: &[&str], outputs: &str) {
    for arch in archs {
        let flags = format!("--launch {launch} --outputs 32 --arch {arch}");
        let (verdict, text) = said("run", case, &flags);
        assert_eq!(verdict, Verdict::Good, "{case} {flags}: {text}");
        assert!(text.contains(outputs), "{case} {flags}: {text}");
        assert!(text.contains("no findings"), "{case} {flags}: {text}");
    }
}

#[test]
fn a_shuffle_of_two_lanes_ends_with_the_right_values() {
    let values =
        ": 64 33 34 35 36 37 38 39 64 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 32 49 50 51 52 53 54 55";
    gives(
        "31-partial-mask-shuffle",
        1,
        &["gk110", "gm204", "gp100", "gv100", "tu102", "gh100"],
        values,
    );
}

/// The values of cuRAND's guide.
#[test]
fn sequences_of_random_numbers_are_those_of_curand() {
    let archs = ["gk110", "gp100", "gh100"];
    let text = |launch: u32, arch: &str| {
        let flags = format!("--launch {launch} --outputs 10 --arch {arch}");
        let (verdict, text) = said("run", "36-curand-sequences", &flags);
        assert_eq!(verdict, Verdict::Good, "{text}");
        let line = text.lines().find(|line| line.contains("argument 0"));
        let values = line
            .and_then(|line| line.split_once(": "))
            .map(|(_, values)| values);
        let values: Vec<f64> = (values.unwrap_or_default().split_whitespace())
            .filter_map(|value| value.parse().ok())
            .collect();
        values
    };
    let guide = [
        0.1455, 0.8202, 0.5504, 0.2948, 0.9147, 0.8690, 0.3219, 0.7829, 0.0113, 0.2855,
    ];
    for arch in archs {
        let own = text(1, arch);
        assert_eq!(own.len(), guide.len(), "{arch}");
        for (own, guide) in own.iter().zip(guide) {
            assert!((own - guide).abs() < 5e-5, "{arch}: {own} {guide}");
        }
        let same = text(2, arch);
        assert_eq!(same, vec![own[0]; guide.len()], "{arch}");
    }
}

#[test]
fn sums_of_halves_stop_and_overflow() {
    let values = ": 2048 2048 2048 inf 0 65504 inf 65504";
    gives("43-half-sums", 1, &["gp100", "gv100", "tu102", "gh100"], values);
}

#[test]
fn a_guarded_atomic_sum_of_doubles_is_right_everywhere() {
    let archs = [
        "gt200", "gf100", "gf104", "gk110", "gm204", "gp100", "gp104", "gv100", "tu102", "ga100", "ga102",
        "ad102", "gh100",
    ];
    gives("46-atomic-double-guarded", 1, &archs, ": 32640");
}

/// A row i of all i, times the unit matrix, is the same in rows, and the transpose in columns.
#[test]
fn the_layout_of_a_fragment_decides_the_product() {
    let rows = ": 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1";
    let columns = ": 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15";
    let archs = ["gv100", "tu102", "ga100", "gh100"];
    gives("52-wmma-layout", 1, &archs, rows);
    gives("52-wmma-layout", 2, &archs, columns);
    let (_, text) = said("launches", "52-wmma-layout", "--arch gv100");
    assert!(text.contains("product<wmma::row_major> at line 22"), "{text}");
    assert!(!text.contains("does not compile"), "{text}");
}

/// Two blocks add to the same elements, which is a race; the run ends, and an assertion holds.
#[test]
fn blocks_with_a_fence_run() {
    for arch in ["gm204", "gp100", "gp104"] {
        let (verdict, text) = said("run", "68-fence-gp100", &format!("--arch {arch}"));
        assert_eq!(verdict, Verdict::Good, "{arch}: {text}");
        assert!(text.contains("outcome     finished"), "{arch}: {text}");
        assert!(
            !text.contains("memcheck") && !text.contains("initcheck"),
            "{arch}: {text}"
        );
    }
}

/// 63 registers for each of 1,024 threads are more than the 32,768 of 2.x; with bounds the kernel has 32.
#[test]
fn bounds_of_a_launch_limit_registers_on_fermi() {
    let (verdict, text) = said("run", "33-registers-512", "--arch gf100");
    assert_eq!(verdict, Verdict::Bad, "{text}");
    assert!(text.contains("exceed the limit of 32768"), "{text}");
    let (_, text) = said("check", "33-registers-512", "--arch gf100");
    assert!(
        text.contains("bounded(const float * in, float * out): 32 registers"),
        "{text}"
    );
    // From 3.5 on, 64 registers are left.
    for arch in ["gk110", "gp100", "tu102", "gh100"] {
        let (_, text) = said("check", "33-registers-512", &format!("--arch {arch}"));
        assert!(
            text.contains("bounded(const float * in, float * out): 64 registers"),
            "{arch}: {text}"
        );
    }
}
