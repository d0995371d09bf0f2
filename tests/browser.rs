//! Tests that need a browser; wasm-bindgen-test runs them in headless Chromium.
#![cfg(target_arch = "wasm32")]

#[path = "runs/answers.rs"]
mod answers;
#[path = "browser/api.rs"]
mod api;
#[path = "browser/painter.rs"]
mod painter;
#[path = "runs/digest.rs"]
mod digest;

use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};

wasm_bindgen_test_configure!(run_in_browser);

#[wasm_bindgen_test]
fn runs_match_the_native_runs() {
    assert_eq!(digest::digests(), include_str!("runs/digests.txt"));
}
