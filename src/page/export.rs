//! Files that the page saves, and their menu.

use std::sync::Arc;

use js_sys::Array;
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Blob, BlobPropertyBag, HtmlCanvasElement};
use yew::{Callback, Html, html};

use super::browser;
use super::menu::menu;
use super::paint;
use super::palette::Palette;
use engine::trace::{ChromeTrace, Trace};
use workbench::app::{Event, ExportKind};
use workbench::scene::paint::svg::svg;
use workbench::scene::{Item, Role, Scene, Shape, Texture};

/// Pixels per CSS pixel of a saved picture.
const RATIO: f64 = 2.0;
/// Duration of a slice of work before the page handles other events, in milliseconds.
const SLICE_MS: f64 = 12.0;

/// The menu of exports.
pub(super) fn export_menu(dispatch: &Callback<Event>) -> Html {
    let item = |kind: ExportKind| {
        let onclick = dispatch.reform(move |_| Event::Export(kind));
        let (what, format) = kind.words();
        html! {
            <button class="btn" role="menuitem" data-testid={format!("export-{}", kind.id())} {onclick}>
                <span>{ what }</span><small>{ format }</small>
            </button>
        }
    };
    menu(
        "Export",
        "export",
        html! { <>{ for ExportKind::ALL.map(item) }</> },
        dispatch,
    )
}

/// Draws a scene at twice its size on the theme's background, and saves it.
pub(super) fn save_picture(name: &str, scene: &Scene, palette: &Palette) {
    let canvas = browser::document()
        .and_then(|document| document.create_element("canvas").ok())
        .and_then(|canvas| canvas.dyn_into::<HtmlCanvasElement>().ok());
    let Some(canvas) = canvas else { return };
    let Some(mut painter) = paint::begin(&canvas, scene.size, RATIO, palette) else {
        return;
    };
    painter.item(&Item {
        shape: Shape::Rect {
            x: 0.0,
            y: 0.0,
            w: scene.size.width,
            h: scene.size.height,
        },
        role: Role::Paper1,
        texture: Texture::Solid,
        target: None,
    });
    painter.scene(scene);
    save_blob_of(name.to_owned(), &canvas);
}

/// Saves the contents of a canvas on a background of this color.
pub(super) fn save_canvas(name: String, canvas: &HtmlCanvasElement, paper: &str) {
    let Some(context) = super::browser::context(canvas) else {
        return;
    };
    // Paint below the existing content. These are valid names and numbers, which a canvas accepts.
    let _ = context.set_global_composite_operation("destination-over");
    let _ = context.reset_transform();
    context.set_fill_style_str(paper);
    context.fill_rect(0.0, 0.0, f64::from(canvas.width()), f64::from(canvas.height()));
    save_blob_of(name, canvas);
}

fn save_blob_of(name: String, canvas: &HtmlCanvasElement) {
    let save = Closure::once_into_js(move |blob: Option<Blob>| {
        if let Some(blob) = blob {
            browser::save_blob(&name, &blob);
        }
    });
    // Without enough memory, the browser calls back with no blob.
    let _ = canvas.to_blob(save.unchecked_ref());
}

/// Saves a scene as SVG.
pub(super) fn save_drawing(name: &str, scene: &Scene, palette: &Palette) {
    save_parts(
        name,
        "image/svg+xml",
        &Array::of1(&svg(scene, &palette.colors).into()),
    );
}

/// Saves text. The file name's extension determines its media type.
pub(super) fn save_text(name: &str, text: &str) {
    let kind = match name.rsplit('.').next() {
        Some("json") => "application/json",
        Some("svg") => "image/svg+xml",
        _ => "text/csv;charset=utf-8",
    };
    save_parts(name, kind, &Array::of1(&text.into()));
}

/// Writes a run in Chrome's trace format and saves it, in slices that keep the page responsive. `done` receives
/// the file's size in bytes.
pub(super) fn save_trace(name: String, trace: Arc<Trace>, done: Callback<u64>) {
    wasm_bindgen_futures::spawn_local(async move {
        let parts = Array::new();
        let mut pieces = ChromeTrace::default();
        let mut until = browser::now_ms() + SLICE_MS;
        while let Some(piece) = pieces.piece(&trace) {
            // The browser keeps the blob's parts outside wasm memory.
            if let Ok(blob) = Blob::new_with_str_sequence(&Array::of1(&piece.into())) {
                parts.push(&blob);
            }
            if browser::now_ms() >= until {
                if browser::turn().await.is_err() {
                    return;
                }
                until = browser::now_ms() + SLICE_MS;
            }
        }
        if let Some(bytes) = save_parts(&name, "application/json", &parts) {
            done.emit(bytes);
        }
    });
}

/// Saves parts as one file. Returns its size in bytes.
pub(super) fn save_parts(name: &str, kind: &str, parts: &Array) -> Option<u64> {
    let options = BlobPropertyBag::new();
    options.set_type(kind);
    let parts: &JsValue = parts.as_ref();
    let blob = Blob::new_with_blob_sequence_and_options(parts, &options).ok()?;
    browser::save_blob(name, &blob);
    Some(blob.size() as u64)
}
