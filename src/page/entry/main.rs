//! The module of the page and of its workers.

#[cfg(target_arch = "wasm32")]
use wasm_bindgen::prelude::wasm_bindgen;

fn main() {
    // A worker starts by `serve`, once the page has sent a port.
    #[cfg(target_arch = "wasm32")]
    if page::is_on_page() {
        page::start();
    }
}

/// Serves the page at the other end of a port.
#[cfg(target_arch = "wasm32")]
#[wasm_bindgen]
pub fn serve(port: web_sys::MessagePort) {
    worker::serve(port);
}
