//! A scenario produces the same run, bit for bit, natively and in the browser: both are compared with one file.
//! `UPDATE=1 cargo test --test runs` rewrites the file after a change of the simulator or the compiler.
#![expect(clippy::disallowed_methods, reason = "the digests are a file")]
#![cfg(not(target_arch = "wasm32"))]

#[path = "runs/answers.rs"]
mod answers;
#[path = "runs/digest.rs"]
mod digest;
#[path = "runs/made_up.rs"]
mod made_up;

use serde_json::Value;

#[test]
fn runs_match_the_recorded_digests() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/runs/digests.txt");
    let digests = digest::digests();
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(path, &digests).expect("the file is writable");
    }
    let expected = std::fs::read_to_string(path).expect("the file is readable");
    assert_eq!(digests, expected, "UPDATE=1 rewrites the file");
    assert_eq!(digests, digest::digests(), "a second run differs from the first");
}

/// The browser test compares the answers of `window.warpscope` in JavaScript with the same file.
#[test]
fn api_answers_match_the_recorded_answers() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/runs/answers.txt");
    let answers: String = answers::LINKS.iter().map(|link| native(link)).collect();
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(path, &answers).expect("the file is writable");
    }
    let expected = std::fs::read_to_string(path).expect("the file is readable");
    assert_eq!(answers, expected, "UPDATE=1 rewrites the file");
}

/// Returns the answers about a run without a browser.
fn native(link: &str) -> String {
    let mut job = workbench::api::Job::start(&Value::from(link), Value::Null).expect("it runs");
    while !job.advance(4096).finished {}
    let (_, run) = job.finish();
    let summary = run.summary();
    let middle = summary["cycles"].as_u64().unwrap_or_default() / 2;
    let outputs: Vec<Vec<u8>> = run.outputs().into_iter().map(|output| output.bytes).collect();
    answers::line(
        link,
        &summary,
        &run.frame(middle).expect("the cycle exists"),
        &outputs,
    )
}
