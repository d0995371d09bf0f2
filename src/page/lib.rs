//! The page: components, canvas, ticker, address. Knows nothing of the models' insides.
//!
//! Built natively, the same components render the first view as markup ([`prerender`]): there is no browser then,
//! so `browser::window` returns `None` and nothing calls JavaScript.

#![cfg_attr(
    not(target_arch = "wasm32"),
    expect(dead_code, reason = "events, painting, and workers need a browser")
)]

pub mod api;
mod ask;
mod browser;
mod canvas;
mod channel;
mod chapters;
mod card;
mod chart;
mod checks;
mod claims;
mod compare;
mod compiler;
mod divider;
mod dropped;
mod editor;
mod embed;
mod explain;
mod export;
mod field;
mod files;
mod film;
mod find;
mod finder;
mod focus;
mod gestures;
mod glossary;
mod handout;
mod header;
mod held;
mod help;
mod icon;
mod inspector;
mod launch;
mod lesson;
mod lessons;
mod library;
mod markup;
mod memo;
mod menu;
mod notes_window;
mod observer;
mod outputs;
mod overlay;
mod overflow;
mod paint;
mod palette;
mod pane;
mod panes;
#[cfg(target_arch = "wasm32")]
mod panics;
mod picker;
mod arithmetic;
mod playground;
#[cfg(not(target_arch = "wasm32"))]
pub mod prerender;
mod presenter;
mod progress;
mod rail;
mod recent;
mod releases;
mod root;
mod share;
mod sketch;
mod stage;
mod storage;
mod strip;
mod styled;
mod tabs;
mod ticker;
mod timer;
mod tour;
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
#[cfg(target_arch = "wasm32")]
pub fn is_on_page() -> bool {
    browser::window().is_some()
}

/// Puts `window.warpscope` up, and mounts the page in the document's body, under the first view of `index.html`.
/// An address with `?api` starts only the API: other pages open it in a frame that nobody sees.
#[cfg(target_arch = "wasm32")]
pub fn start() {
    panics::report();
    compiler::start();
    api::install();
    if browser::wants_api_alone() {
        return;
    }
    let session = root::RootProps::opened();
    timer::soon(move || {
        if let Some(root) = browser::page_root() {
            yew::Renderer::<root::Root>::with_root_and_props(root, session).render();
        }
    });
}
