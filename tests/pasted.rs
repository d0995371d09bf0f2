//! Kernels as people paste them, without a `main()`: the command line chooses a launch, the run has no findings, and what was chosen
//! is named.
#![cfg(not(target_arch = "wasm32"))]

use cli::{Verdict, run};

fn said(command: &str, kernel: &str, flags: &str) -> (Verdict, String) {
    let path = format!("{}/tests/pasted/{kernel}.cu", env!("CARGO_MANIFEST_DIR"));
    let args = ["warpscope", command, &path];
    let mut out = Vec::new();
    let verdict = run(
        args.into_iter().chain(flags.split_whitespace()).map(Into::into),
        &mut out,
    )
    .unwrap_or_else(|error| panic!("{kernel} {flags}: {error}"));
    (verdict, String::from_utf8(out).expect("text"))
}

/// The values of the outputs that are printed.
fn outputs(text: &str) -> Vec<f64> {
    let lines = text
        .lines()
        .filter(|line| line.trim_start().starts_with("argument "));
    let values = lines
        .filter_map(|line| line.split_once(": "))
        .flat_map(|(_, values)| values.split_whitespace());
    values.filter_map(|value| value.parse().ok()).collect()
}

/// Runs a kernel on some architectures. `chosen` are parts of what is said about the chosen values.
fn runs(kernel: &str, archs: &[&str], chosen: &[&str]) {
    for arch in archs {
        let flags = format!("--arch {arch} --outputs 1024");
        let (verdict, text) = said("run", kernel, &flags);
        assert_eq!(verdict, Verdict::Estimated, "{kernel} {arch}: {text}");
        assert!(
            text.contains("outcome     the launch is chosen"),
            "{kernel} {arch}: {text}"
        );
        assert!(
            text.contains("with the chosen values: finished"),
            "{kernel} {arch}: {text}"
        );
        assert!(text.contains("no findings"), "{kernel} {arch}: {text}");
        assert!(
            outputs(&text).iter().any(|value| *value != 0.0),
            "{kernel} {arch}: {text}"
        );
        assert!(
            text.contains("  chosen      No main() launches this kernel. Chosen: "),
            "{kernel} {arch}: {text}"
        );
        for part in chosen {
            assert!(text.contains(part), "{kernel} {arch}: {part}: {text}");
        }
    }
}

const USUAL: &[&str] = &["gf100", "gp100", "gh100"];

#[test]
fn inputs_that_index_a_histogram_vary() {
    let chosen = [
        "`keys`: 1,024 elements: random below 1024, as they are indices.",
        "`counts`: 1,024 elements: zero, for results.",
        "`n`: 1,024, it bounds the threads in x.",
    ];
    runs("histogram", USUAL, &chosen);
    let chosen = [
        "The block: 256, as the shared array `part` has 256 elements.",
        "`data`: 1,024 elements: random below 128, as they are indices.",
        "`total`: 256 elements: zero, for results.",
    ];
    runs("histogram-shared", USUAL, &chosen[..1]);
    let (_, text) = said("run", "histogram-shared", "--arch gp100 --outputs 256");
    assert_eq!(outputs(&text).iter().sum::<f64>(), 1_024.0, "{text}");
    let (_, text) = said("run", "histogram", "--arch gp100 --outputs 1024");
    assert_eq!(outputs(&text).iter().sum::<f64>(), 1_024.0, "{text}");
}

#[test]
fn matrices_have_sizes_that_fit() {
    let chosen = [
        "The grid: 4 × 4, so that several blocks share the work.",
        "The block: 32 × 32, as the shared array `tile` has rows of 33 elements.",
        "`width`: 128, it bounds the threads in x and y.",
        "`height`: 128, it bounds the threads in x and y.",
        "`in`: 16,384 elements: random numbers from 0 to 1.",
    ];
    runs("transpose", USUAL, &chosen);
    let chosen = [
        "The block: 16 × 16, a usual size.",
        "`M`: 64, it bounds the threads in y.",
        "`N`: 64, it bounds the threads in x.",
        "`K`: 64, it bounds a loop, and multiplies an index.",
        "`alpha`: 2, for a factor.",
        "`A`: 4,096 elements: random numbers from 0 to 1.",
        "`B`: 4,096 elements: random numbers from 0 to 1.",
        "`C`: 4,096 elements: random numbers from 0 to 1.",
    ];
    runs("matmul", USUAL, &chosen);
}

#[test]
fn offsets_of_rows_delimit_ranges() {
    let chosen = [
        "`numRows`: 1,024, it bounds the threads in x.",
        "`rowOffsets`: 1,056 elements: 0, 4, 8, …, as they delimit ranges.",
        "`columns`: 4,096 elements: random below 1024, as they are indices.",
        "`values`: 4,096 elements: random numbers from 0 to 1.",
        "`y`: 1,024 elements: zero, for results.",
    ];
    runs("spmv", USUAL, &chosen);
}

#[test]
fn a_border_in_front_is_in_memory() {
    let chosen = [
        "The block: 128, as the shared array `part` has 134 elements.",
        "it points 12 bytes into them, as the kernel accesses what is in front",
    ];
    runs("stencil", USUAL, &chosen);
}

#[test]
fn dynamic_shared_memory_is_as_large_as_the_kernel_uses_it() {
    let chosen = [
        "Dynamic shared memory: 1,024 bytes, the kernel accesses as much.",
        "`n`: 1,024, it bounds the threads in x.",
        "`output`: 4 elements: zero, for results.",
    ];
    runs("reduction", USUAL, &chosen);
    runs(
        "scan",
        USUAL,
        &[
            "The grid: 1, as the kernel does not read the index of its block.",
            "Dynamic shared memory: ",
        ],
    );
}

#[test]
fn numbers_and_contents_follow_names_and_uses() {
    runs(
        "saxpy",
        USUAL,
        &[
            "`a`: 2, for a factor.",
            "`x`: 1,024 elements",
            "`y`: 1,024 elements",
        ],
    );
    let chosen = [
        "`width`: 64, it bounds the threads in x.",
        "`height`: 64, it bounds the threads in y.",
        "`pitch`: 512, long enough for a row, in elements or bytes.",
        "random bytes",
    ];
    runs("image", USUAL, &chosen);
    runs(
        "particles",
        USUAL,
        &[
            "`dt`: 0.01, for a step.",
            "`px`: 1,024 elements: random numbers from 0 to 1.",
        ],
    );
    runs(
        "bodies",
        USUAL,
        &["`bodies`: 4,096 elements: random numbers from 0 to 1."],
    );
    runs(
        "bytes",
        USUAL,
        &[
            "`text`: 1,024 elements: random letters.",
            "`numLetters`: 1 element: zero, for results.",
        ],
    );
    let (_, text) = said("run", "bytes", "--arch gp100");
    assert!(text.contains("argument 2") && text.contains(": 1024"), "{text}");
    runs(
        "convolution",
        USUAL,
        &["`weights`: random numbers from 0 to 1, as the source does not set it."],
    );
    runs(
        "gather",
        USUAL,
        &["`index`: 1,024 elements: random below 1024, as they are indices."],
    );
}

#[test]
fn doubles_and_halves_are_chosen_too() {
    let block = "The block: 128, as the shared array `cache` has 128 elements.";
    runs(
        "dot-double",
        &["gt200", "gp100", "gh100"],
        &[block, "`result`: 1 element"],
    );
    runs(
        "half",
        &["gp100", "tu102", "gh100"],
        &["`n`: 1,024", "`a`: 2, for a factor."],
    );
}

#[test]
fn flags_and_json_replace_and_name_chosen_values() {
    let (verdict, text) = said("run", "saxpy", "--arch tu102 --grid 2 --block 64");
    assert_eq!(verdict, Verdict::Estimated, "{text}");
    assert!(text.contains("2 x 1 x 1 blocks of 64 x 1 x 1 threads"), "{text}");
    assert!(text.contains("`n`: 128, it bounds the threads in x."), "{text}");
    assert!(
        !text.contains("The grid: ") && !text.contains("The block: "),
        "{text}"
    );
    // With arguments nothing is chosen.
    let args = "--args i32:32,f32:2,in:f32*32:iota,inout:f32*32:zero";
    let (verdict, text) = said("run", "saxpy", &format!("--arch tu102 {args}"));
    assert_eq!(verdict, Verdict::Good, "{text}");
    assert!(!text.contains("chosen"), "{text}");
    let (_, text) = said("run", "saxpy", "--arch tu102 --json");
    let json: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(json[0]["chosen"]["kernel"], "saxpy", "{text}");
    let values = json[0]["chosen"]["values"].as_array().expect("values");
    assert!(values.iter().any(|value| value["what"] == "`n`"), "{text}");
    assert!(json[0]["read"].is_null(), "{text}");
    let (verdict, text) = said("check", "saxpy", "--run --arch tu102");
    assert_eq!(verdict, Verdict::Estimated, "{text}");
    assert!(text.contains("no findings"), "{text}");
}
