//! Programs whose `main()` creates texture and surface objects. The head of each file says what is right.
#![cfg(not(target_arch = "wasm32"))]

use cli::{Verdict, run};

/// The verdict on a program, and what `run` prints with 32 values.
fn said(program: &str, flags: &str) -> (Verdict, String) {
    let path = format!(
        "{}/tests/texture_objects/{program}.cu",
        env!("CARGO_MANIFEST_DIR")
    );
    let args = ["warpscope", "run", &path, "--outputs", "32"];
    let mut out = Vec::new();
    let verdict = run(
        args.into_iter().chain(flags.split_whitespace()).map(Into::into),
        &mut out,
    )
    .unwrap_or_else(|error| panic!("{program} {flags}: {error}"));
    (verdict, String::from_utf8(out).expect("text"))
}

/// The values in the last line of an argument.
fn values(text: &str) -> Vec<f64> {
    let line = text
        .lines()
        .rfind(|line| line.contains("crc32"))
        .expect("an output");
    let (_, values) = line.split_once(": ").expect("values");
    values
        .split(' ')
        .map(|value| value.parse().expect("a number"))
        .collect()
}

#[test]
fn texture_objects_of_main_reach_the_run() {
    let ascending: Vec<f64> = (0..32).map(f64::from).collect();
    let descending: Vec<f64> = (0..32).rev().map(f64::from).collect();
    let fractions: Vec<f64> = (0..16).map(|at| f64::from(at * 10) / 255.0).collect();
    for (program, right) in [
        ("pitch2d", &ascending),
        ("linear", &descending),
        ("array2d", &fractions),
        ("surface", &ascending),
    ] {
        for arch in ["gk110", "gm204", "gv100", "tu102", "gh100"] {
            let (verdict, text) = said(program, &format!("--arch {arch}"));
            assert_eq!(verdict, Verdict::Good, "{program} {arch}: {text}");
            let values = values(&text);
            let is_near = |(value, right): (&f64, &f64)| (value - right).abs() < 1e-6;
            assert!(
                values.len() == right.len() && values.iter().zip(right).all(is_near),
                "{program} {arch}: {text}"
            );
        }
    }
}

#[test]
fn a_texture_that_is_not_read_is_refused_with_the_form_of_the_arguments() {
    let (verdict, text) = said("mipmapped", "--arch tu102");
    assert_eq!(verdict, Verdict::Estimated, "{text}");
    assert!(text.contains("The texture t is not read from main()"), "{text}");
    assert!(text.contains("--args \"tex:f32*"), "{text}");
    assert!(!text.contains("crc32"), "{text}");
    let (verdict, text) = said(
        "mipmapped",
        "--arch tu102 --args tex:f32*32:iota,out:f32*32:unset",
    );
    assert_eq!(verdict, Verdict::Good, "{text}");
    assert!(
        values(&text)
            .iter()
            .enumerate()
            .all(|(at, value)| *value == at as f64),
        "{text}"
    );
}
