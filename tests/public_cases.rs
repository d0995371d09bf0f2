//! Small cases after public questions and bug reports: what the command line says of each, on several architectures. The head
//! of each file names the source and says what is right.
#![cfg(not(target_arch = "wasm32"))]

#[path = "public_cases/checked.rs"]
mod checked;
#[path = "public_cases/computed.rs"]
mod computed;
#[path = "public_cases/counted.rs"]
mod counted;

use cli::{Verdict, run};

/// What the command line prints for a command on a case.
fn said(command: &str, case: &str, flags: &str) -> (Verdict, String) {
    let path = format!("{}/tests/public_cases/{case}.cu", env!("CARGO_MANIFEST_DIR"));
    let args = ["warpscope", command, &path];
    let mut out = Vec::new();
    let verdict = run(
        args.into_iter().chain(flags.split_whitespace()).map(Into::into),
        &mut out,
    )
    .unwrap_or_else(|error| panic!("{case} {flags}: {error}"));
    (verdict, String::from_utf8(out).expect("text"))
}

#[test]
fn a_race_is_reported_though_the_write_leaves_the_value() {
    for arch in ["gf100", "gm204", "gp100", "gv100", "tu102", "gh100"] {
        let (_, text) = said("run", "76-war-same-value", &format!("--arch {arch}"));
        assert!(
            text.contains("Race reported between Read access at line 11 and Write access at line 9"),
            "{arch}: {text}"
        );
    }
}

#[test]
fn the_remedy_for_a_lost_update_is_an_atomic_operation() {
    for (launch, arch) in [("1", "tu102"), ("2", "tu102"), ("1", "gp100"), ("2", "gh100")] {
        let (_, text) = said(
            "run",
            "70-counter-remedy",
            &format!("--launch {launch} --arch {arch}"),
        );
        assert!(text.contains("Race reported"), "{launch} {arch}: {text}");
        assert!(
            text.contains("Use one atomic operation"),
            "{launch} {arch}: {text}"
        );
        assert!(!text.contains("__syncthreads()"), "{launch} {arch}: {text}");
        assert!(!text.contains("__syncwarp()"), "{launch} {arch}: {text}");
    }
}

#[test]
fn a_pointer_into_an_allocation_keeps_the_allocation() {
    for arch in ["gf100", "gm204", "gp100", "gv100", "tu102", "gh100"] {
        let (verdict, text) = said("run", "65-offset-pointer", &format!("--arch {arch}"));
        assert_eq!(verdict, Verdict::Good, "{text}");
        assert!(
            text.contains("7 7 7 7 7 7 7 7") && text.contains("no findings"),
            "{arch}: {text}"
        );
    }
}

/// 800 MB for each array: the loop of the host is evaluated at once, and the first blocks run.
#[test]
fn arrays_of_a_textbook_run_as_written() {
    let (_, text) = said("launches", "73-large-buffers", "");
    assert!(
        text.contains("in:f64*100000000:const1.23") && !text.contains("guess"),
        "{text}"
    );
    // 2.x has at most 65,535 blocks.
    let (verdict, text) = said("run", "73-large-buffers", "--arch gf100");
    assert_eq!(verdict, Verdict::Bad, "{text}");
    assert!(
        text.contains("781250 blocks in x exceed the limit of 65535"),
        "{text}"
    );
    for arch in ["gk110", "gp100", "gh100"] {
        // The first blocks are enough for the values; the whole cut takes longer.
        let (verdict, text) = said("run", "73-large-buffers", &format!("--arch {arch} --blocks 64"));
        assert_eq!(verdict, Verdict::Good, "{text}");
        assert!(
            text.contains("2.46 2.46") && text.contains("no findings"),
            "{arch}: {text}"
        );
        assert!(text.contains("the first 64 run"), "{arch}: {text}");
    }
}

/// The values that the forum's thread measured.
#[test]
fn a_texture_object_of_main_is_read() {
    let measured =
        "1.1015625 1.1992188 1.3007813 1.3984375 1.5 1.6015625 1.6992188 1.8007813 1.8984375 2 2 2 2 2";
    for arch in ["gk110", "gp104", "gv100", "tu102", "gh100"] {
        let (verdict, text) = said("run", "41-tex1d-accuracy", &format!("--arch {arch} --outputs 20"));
        assert_eq!(verdict, Verdict::Good, "{text}");
        assert!(text.contains(measured), "{arch}: {text}");
    }
}

#[test]
fn a_launch_with_no_blocks_fails_and_nothing_is_guessed() {
    for arch in ["gt200", "gk110", "tu102", "gh100"] {
        let (verdict, text) = said("run", "71-zero-blocks", &format!("--arch {arch}"));
        assert_eq!(verdict, Verdict::Bad, "{text}");
        assert!(text.contains("the grid has size 0 in x"), "{arch}: {text}");
        assert!(!text.contains("1 1 1 1"), "{arch}: {text}");
    }
    let (_, text) = said("launches", "71-zero-blocks", "");
    assert!(!text.contains("guessed"), "{text}");
}

#[test]
fn an_error_that_the_program_ignores_is_named() {
    let (_, text) = said("run", "71-zero-blocks", "--arch tu102");
    for part in [
        "not run: cudaErrorInvalidConfiguration (invalid configuration argument)",
        "argument 0  unchanged: 0 0 0",
        "71-zero-blocks.cu:7:3: error: This launch fails with invalid configuration argument, and the program does not look.",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let (_, text) = said("launches", "71-zero-blocks", "");
    assert!(text.contains("fails: cudaErrorInvalidConfiguration"), "{text}");
    assert!(
        text.contains(
            "line 7: This launch fails with invalid configuration argument, and the program does not look."
        ),
        "{text}"
    );
}

#[test]
fn dynamic_shared_memory_needs_the_attribute() {
    // Launch, and the architectures on which it runs.
    let runs = [
        (1, &[][..]),
        (
            2,
            &["gf100", "gk110", "gp104", "gv100", "tu102", "ga100", "gh100"][..],
        ),
        (3, &[][..]),
        (4, &["gv100", "ga100", "gh100"][..]),
    ];
    for (launch, on) in runs {
        for arch in ["gf100", "gk110", "gp104", "gv100", "tu102", "ga100", "gh100"] {
            let flags = format!("--launch {launch} --arch {arch}");
            let (verdict, text) = said("run", "34-dynamic-48k", &flags);
            let is_run = on.contains(&arch);
            assert_eq!(verdict == Verdict::Good, is_run, "{flags}: {text}");
            assert_eq!(
                text.contains("cudaErrorInvalidValue (invalid argument)"),
                !is_run,
                "{flags}: {text}"
            );
            assert_eq!(text.contains("crc32"), is_run, "{flags}: {text}");
            assert!(launch == 1 || text.contains(": 31 30 29 28"), "{flags}: {text}");
            // The array of another kernel is no reason.
            assert!(launch == 1 || !text.contains(".cu:7:"), "{flags}: {text}");
        }
    }
}

#[test]
fn numbers_are_short() {
    let (_, text) = said("run", "16-overlapping-arrays", "--arch tu102");
    assert!(text.contains("Race reported"), "{text}");
    let longest = text.split_whitespace().map(str::len).max();
    assert!(longest.is_some_and(|longest| longest < 120), "{text}");
    let digits = text.split(|c: char| !c.is_ascii_digit()).map(str::len).max();
    assert!(digits < Some(20), "{text}");
}

#[test]
fn no_advice_rests_on_an_assumed_number() {
    let verdict = |arch: &str| {
        let (_, text) = said("findings", "07-body-aos", &format!("--arch {arch}"));
        text.lines().take(2).collect::<Vec<_>>().join(" ")
    };
    for arch in ["gp100", "gv100", "tu102", "ga100", "ad102", "gh100"] {
        let verdict = verdict(arch);
        assert!(verdict.contains("Uncoalesced accesses"), "{arch}: {verdict}");
        assert!(!verdict.contains("Cache global loads"), "{arch}: {verdict}");
    }
    // Fermi's L1 reads lines of 128 bytes, L2 segments of 32: documented in the Fermi Tuning Guide.
    let verdict = verdict("gf100");
    assert!(verdict.contains("Cache global loads in L2 only"), "{verdict}");
}

#[test]
fn an_unknown_type_in_a_template_argument_is_an_error() {
    for command in ["check", "run"] {
        let (verdict, text) = said(command, "56-unknown-type-in-template", "");
        assert_eq!(verdict, Verdict::Bad, "{text}");
        let error = "56-unknown-type-in-template.cu:5:9: error: The type `half8x` is not declared.";
        assert!(text.contains(error), "{text}");
    }
}

#[test]
fn mixed_arguments_of_a_power_are_double() {
    for flags in [
        "--arch tu102",
        "--arch gh100",
        "--arch gk110",
        "--arch tu102 --fast-math on",
    ] {
        let (_, text) = said("run", "74-pow-float-int", flags);
        assert!(
            text.contains("1.210000052452088 1.3310000865459461 8"),
            "{flags}: {text}"
        );
        let (_, text) = said("run", "74-pow-float-int", &format!("--launch 2 {flags}"));
        assert!(text.contains(": 16 16 8"), "{flags}: {text}");
    }
}

#[test]
fn a_function_is_a_template_argument() {
    for arch in ["gk110", "tu102", "gh100"] {
        let case = "54-function-template-argument";
        let (verdict, text) = said("run", case, &format!("--launch 1 --arch {arch}"));
        assert_eq!(verdict, Verdict::Good, "{text}");
        assert!(text.contains(": 31 "), "{arch}: {text}");
        let (verdict, text) = said("run", case, &format!("--launch 2 --arch {arch}"));
        assert_ne!(verdict, Verdict::Bad, "{text}");
        assert!(text.contains("copyAll<copyOne>"), "{arch}: {text}");
    }
}

#[test]
fn asynchronous_copies_in_ptx_have_the_values() {
    for arch in ["ga100", "ad102", "gh100"] {
        let (verdict, text) = said("run", "61-cp-async", &format!("--arch {arch}"));
        assert_eq!(verdict, Verdict::Good, "{text}");
        assert!(text.contains(": 0 1 2 3 4 5 6 7"), "{arch}: {text}");
    }
    let (verdict, text) = said("check", "61-cp-async", "--arch tu102");
    assert_eq!(verdict, Verdict::Bad, "{text}");
    assert!(
        text.contains("`cp.async` needs compute capability 8.0; Turing TU102 has 7.5."),
        "{text}"
    );
}

#[test]
fn a_launch_names_types_in_namespaces() {
    for (launch, name, value) in [
        ("1", "which<ns::Row>", ": 1 1 1"),
        ("2", "which<ns::Col>", ": 2 2 2"),
    ] {
        let (verdict, text) = said(
            "run",
            "63-qualified-template-argument",
            &format!("--launch {launch} --arch tu102"),
        );
        assert_eq!(verdict, Verdict::Good, "{text}");
        assert!(text.contains(name) && text.contains(value), "{text}");
    }
    let (_, text) = said("launches", "63-qualified-template-argument", "");
    assert!(text.contains("which<ns::Row> at line 5"), "{text}");
    assert!(!text.contains("does not compile"), "{text}");
}

#[test]
fn no_assertion_of_the_simulator_fails() {
    for case in ["28-grid-barrier-residency", "68-fence-gp100"] {
        for arch in ["gm204", "gp100", "gp104", "gv100", "tu102"] {
            let (_, text) = said("run", case, &format!("--arch {arch}"));
            assert!(text.contains("outcome"), "{case} {arch}: {text}");
        }
    }
}

#[test]
fn gnu_s_words_are_accepted() {
    let (verdict, text) = said("run", "59-gnu-words", "--arch tu102");
    assert_eq!(verdict, Verdict::Good, "{text}");
    assert!(text.contains(": 5 5 5 5"), "{text}");
}

#[test]
fn a_constant_of_host_code_is_a_template_argument() {
    let (verdict, text) = said("check", "77-constant-template-argument", "--arch tu102");
    assert_eq!(verdict, Verdict::Good, "{text}");
    assert!(text.contains("which<128>"), "{text}");
    assert!(!text.contains("does not launch"), "{text}");
}

#[test]
fn a_grid_that_waits_for_blocks_that_do_not_fit_is_named() {
    let case = "28-grid-barrier-residency";
    for (arch, fit, sms) in [("gp100", 112, 56), ("tu102", 68, 68)] {
        let named = format!(
            "Block {fit} never starts: {fit} of 128 blocks fit on the {sms} SMs, and they wait for it."
        );
        for command in ["run", "device"] {
            let (verdict, text) = said(command, case, &format!("--arch {arch}"));
            assert_eq!(verdict, Verdict::Bad, "{text}");
            assert!(text.contains(&named), "{arch}: {text}");
        }
    }
    for flags in [
        "--arch gp100 --grid 112",
        "--arch gp100 --grid 56",
        "--arch gv100",
    ] {
        // The kernel waits for as many blocks as its last argument says.
        let blocks = flags
            .rsplit(' ')
            .next()
            .and_then(|last| last.parse().ok())
            .unwrap_or(128);
        let flags = format!("{flags} --args inout:i32*131072:zero,i32:2,u32:{blocks}");
        for command in ["run", "device"] {
            let (verdict, text) = said(command, case, &flags);
            assert_eq!(verdict, Verdict::Good, "{flags}: {text}");
        }
        let (_, text) = said("run", case, &flags);
        assert!(text.contains(": 3 3 3 3"), "{flags}: {text}");
        assert!(text.contains("this is SM 0 of the device"), "{flags}: {text}");
        assert!(text.contains("no findings"), "{flags}: {text}");
    }
}

#[test]
fn a_tiled_product_of_1024_threads_is_launched_everywhere() {
    for arch in [
        "gf100", "gf104", "gk110", "gm204", "gp100", "gp104", "gv100", "tu102", "ga100", "ga102", "ad102",
        "gh100",
    ] {
        let (verdict, text) = said("run", "64-tiled-matmul-1024", &format!("--arch {arch}"));
        assert_eq!(verdict, Verdict::Good, "{arch}: {text}");
        assert!(text.contains(": 64 64 64 64"), "{arch}: {text}");
    }
    // Two blocks, with 64 of 64 warps.
    let (_, text) = said("run", "64-tiled-matmul-1024", "--arch gh100");
    assert!(text.contains("2 blocks, 64 of 64 warps"), "{text}");
}

#[test]
fn registers_that_a_kernel_needs_are_refused() {
    for arch in ["gk110", "tu102", "gh100"] {
        let (verdict, text) = said("run", "33-registers-512", &format!("--arch {arch}"));
        assert_eq!(verdict, Verdict::Bad, "{arch}: {text}");
        assert!(text.contains("registers per block"), "{arch}: {text}");
        let (verdict, text) = said("run", "33-registers-512", &format!("--launch 2 --arch {arch}"));
        assert_eq!(verdict, Verdict::Good, "{arch}: {text}");
    }
}
