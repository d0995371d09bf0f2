//! The page: components, canvas, ticker, address. Knows nothing of the models' insides.
//!
//! Built natively, the same components render the first view as markup ([`prerender`]): there is no browser then,
//! so `browser::window` returns `None` and nothing calls JavaScript.

#![cfg_attr(
    not(target_arch = "wasm32"),
    expect(dead_code, reason = "events, painting, and workers need a browser")
)]

mod held;
mod browser;
mod timer;
mod worker_module;
mod compiler;
pub mod api;
mod icon;
mod button;
mod modal;
mod ask;
mod storage;
mod theme;
mod styled;
mod stops;
mod gestures;
mod palette;
mod paint;
mod panes;
mod canvas;
mod observer;
mod explain;
mod markup;
mod card;
mod twin;
mod menu;
mod export;
mod chart;
mod pane_id;
mod checks;
mod offers;
mod divider;
mod memo;
mod field;
mod overlay;
mod library;
mod header;
mod pane;
mod pane_parts;
mod listener;
mod editor_state;
mod channel;
mod chapters;
mod lesson;
mod claims;
mod arithmetic;
mod playground;
mod progress;
mod tabs;
mod compare;
mod dropped;
mod editor;
mod strip;
mod transport;
mod embed;
mod files;
mod film;
mod hits;
mod command_palette;
mod focus;
mod glossary;
mod help;
mod share;
mod handout;
mod picker;
mod sketch;
mod tour;
mod inspector;
mod launch;
mod lessons;
mod notes_window;
mod outputs;
mod overflow;
#[cfg(target_arch = "wasm32")]
mod panics;
mod presenter;
mod rail;
mod recent;
mod releases;
mod stage;
mod ticker;
mod workers;
mod root;
#[cfg(not(target_arch = "wasm32"))]
pub mod prerender;

use web_sys::HtmlCanvasElement;

use workbench::scene::Scene;

/// Draws a scene on a canvas with the colors of the document's theme, at the device's ratio.
/// Returns whether the canvas could be drawn on.
pub fn paint(canvas: &HtmlCanvasElement, scene: &Scene) -> bool {
    let Some(window) = browser::window() else {
        return false;
    };
    let palette = palette::Palette::read(&window);
    let painter = paint::begin(canvas, scene.size, browser::pixel_ratio(), &palette);
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
    paint::change(canvas, Some((old, &[])), (new, &[]), ratio, &palette).is_some()
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
