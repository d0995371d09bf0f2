//! The page: components, canvas, ticker, address. Only on wasm32; knows nothing of the models' insides.

#![cfg(target_arch = "wasm32")]

pub mod api;
mod browser;
mod canvas;
mod chart;
mod checks;
mod compare;
mod compiler;
mod divider;
mod dropped;
mod editor;
mod export;
mod field;
mod files;
mod find;
mod finder;
mod gestures;
mod header;
mod help;
mod icon;
mod inspector;
mod launch;
mod library;
mod memo;
mod observer;
mod outputs;
mod paint;
mod palette;
mod pane;
mod panes;
mod picker;
mod playground;
mod progress;
mod rail;
mod recent;
mod root;
mod sketch;
mod stage;
mod strip;
mod ticker;
mod timer;
mod transport;
mod twin;
mod worker_module;
mod workers;

use web_sys::HtmlCanvasElement;

use workbench::scene::Scene;

/// Draws a scene on a canvas with the colors of the document's theme, at the device's ratio.
/// Returns whether the canvas could be drawn on.
pub fn paint(canvas: &HtmlCanvasElement, scene: &Scene) -> bool {
    let Some(window) = browser::window() else {
        return false;
    };
    let palette = palette::Palette::read(&window);
    let painter = paint::Painter::begin(canvas, scene.size, browser::pixel_ratio(), &palette);
    painter.is_some_and(|mut painter| {
        painter.scene(scene);
        true
    })
}

/// Draws a scene on a canvas that shows another one, drawn by this or by [`paint`]: only what differs
/// is painted. Returns whether the canvas could be drawn on.
pub fn repaint(canvas: &HtmlCanvasElement, old: &Scene, new: &Scene) -> bool {
    let Some(window) = browser::window() else {
        return false;
    };
    let palette = palette::Palette::read(&window);
    let ratio = browser::pixel_ratio();
    paint::Painter::change(canvas, Some((old, &[])), (new, &[]), ratio, &palette).is_some()
}

/// Whether this thread has a page; workers have none.
pub fn is_on_page() -> bool {
    browser::window().is_some()
}

/// Installs `window.warpscope`, and mounts the page in the document's body in place of its contents. An address
/// with `?api` only installs `window.warpscope`: other pages open the address in an invisible frame.
pub fn start() {
    browser::show_panics();
    compiler::start();
    api::install();
    if browser::wants_api_alone() {
        return;
    }
    let session = root::RootProps::opened();
    timer::soon(move || {
        if let Some(body) = browser::document().and_then(|document| document.body()) {
            body.set_inner_html("");
            yew::Renderer::<root::Root>::with_root_and_props(body.into(), session).render();
        }
    });
}
