//! A scenario gives the same run, bit for bit, natively and in the browser: both are held to one file.
//! `UPDATE=1 cargo test --test runs` writes it anew after a change of the machine or the compiler.
#![allow(clippy::disallowed_methods, reason = "the digests are a file")]
#![cfg(not(target_arch = "wasm32"))]

#[path = "runs/answers.rs"]
mod answers;
#[path = "runs/digest.rs"]
mod digest;

#[test]
fn runs_are_those_of_every_browser() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/runs/digests.txt");
    let digests = digest::digests();
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(path, &digests).expect("the file can be written");
    }
    let expected = std::fs::read_to_string(path).expect("the file can be read");
    assert_eq!(digests, expected, "UPDATE=1 writes the file anew");
    assert_eq!(digests, digest::digests(), "a second run differs from the first");
}

/// The answers of `window.warpscope`, which the browser's test asks by JavaScript.
#[test]
fn answers_are_those_of_every_browser() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/runs/answers.txt");
    let answers: String = answers::LINKS.iter().map(|link| answers::native(link)).collect();
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(path, &answers).expect("the file can be written");
    }
    let expected = std::fs::read_to_string(path).expect("the file can be read");
    assert_eq!(answers, expected, "UPDATE=1 writes the file anew");
}
