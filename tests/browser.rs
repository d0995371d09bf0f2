//! Tests that need a browser, run by wasm-bindgen-test in headless Chromium.
#![cfg(target_arch = "wasm32")]

#[path = "browser/painter.rs"]
mod painter;

use warpscope::ids::LaneMask;
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};

wasm_bindgen_test_configure!(run_in_browser);

#[wasm_bindgen_test]
fn a_full_mask_has_32_lanes() {
    assert_eq!(LaneMask::FULL.lanes().count(), 32);
}
