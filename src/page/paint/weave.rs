//! Warp states as pixels: the colors are looked up here, and the browser scales the cells as one image.

use std::cell::RefCell;

use wasm_bindgen::{Clamped, JsCast};
use web_sys::{CanvasRenderingContext2d, HtmlCanvasElement, ImageData};

use crate::browser;
use crate::browser::context;
use crate::palette::Palette;
use workbench::scene::paint::FAINT;
use workbench::scene::{Mark, Role};

/// Opacity of other marks while one mark is highlighted.
const FADED: u8 = (255.0 * FAINT) as u8;

/// Buffers reused from frame to frame.
#[derive(Default)]
struct Scratch {
    canvas: Option<HtmlCanvasElement>,
    pixels: Vec<u8>,
    /// The contents of the canvas.
    cells: Vec<u8>,
    columns: u16,
    colors: Colors,
}

/// Red, green, blue, and opacity of each cell value.
type Colors = [[u8; 4]; 11];

thread_local! {
    static SCRATCH: RefCell<Scratch> = RefCell::default();
}

/// Draws cells, one CSS pixel each.
pub(super) fn draw(
    target: &CanvasRenderingContext2d,
    palette: &Palette,
    (x, y): (f32, f32),
    columns: u16,
    cells: &[u8],
    only: Option<Mark>,
) {
    let colors = colors(target, palette, only);
    let width = u32::from(columns.max(1));
    let height = cells.len() as u32 / width;
    SCRATCH.with_borrow_mut(|scratch| {
        if scratch.canvas.is_none() {
            let made = browser::document().and_then(|document| document.create_element("canvas").ok());
            scratch.canvas = made.and_then(|made| made.dyn_into().ok());
        }
        let Some(canvas) = &scratch.canvas else { return };
        let stays = scratch.columns == columns && scratch.colors == colors && scratch.cells == cells;
        if !stays {
            scratch.pixels.clear();
            scratch.pixels.reserve(4 * cells.len());
            for cell in cells {
                let color = colors.get(usize::from(*cell)).copied().unwrap_or_default();
                scratch.pixels.extend_from_slice(&color);
            }
            canvas.set_width(width);
            canvas.set_height(height);
            let pixels = Clamped(scratch.pixels.as_slice());
            let data = ImageData::new_with_u8_clamped_array_and_sh(pixels, width, height);
            let (Ok(data), Some(own)) = (data, context(canvas)) else {
                return;
            };
            // The browser accepts an image of this size.
            let _ = own.put_image_data(&data, 0.0, 0.0);
            scratch.cells.clear();
            scratch.cells.extend_from_slice(cells);
            (scratch.columns, scratch.colors) = (columns, colors);
        }
        target.set_image_smoothing_enabled(false);
        // The browser accepts a canvas with pixels.
        let _ = target.draw_image_with_html_canvas_element_and_dw_and_dh(
            canvas,
            f64::from(x),
            f64::from(y),
            f64::from(width),
            f64::from(height),
        );
        target.set_image_smoothing_enabled(true);
    });
}

fn colors(target: &CanvasRenderingContext2d, palette: &Palette, only: Option<Mark>) -> Colors {
    let mut colors = Colors::default();
    for mark in Mark::ALL {
        let color = palette.color(Role::State(mark));
        let [red, green, blue] = rgb(target, color);
        let opacity = if only.is_some_and(|only| only != mark) {
            FADED
        } else {
            255
        };
        colors[mark as usize + 1] = [red, green, blue, opacity];
    }
    colors
}

/// The components of `#rrggbb`; other notations are converted by the canvas.
fn rgb(target: &CanvasRenderingContext2d, color: &str) -> [u8; 3] {
    let parse = |text: &str| {
        let digits = text.strip_prefix('#').filter(|digits| digits.len() == 6)?;
        let number = u32::from_str_radix(digits, 16).ok()?;
        Some([(number >> 16) as u8, (number >> 8) as u8, number as u8])
    };
    parse(color).unwrap_or_else(|| {
        target.save();
        target.set_fill_style_str(color);
        let written = target.fill_style().as_string().unwrap_or_default();
        target.restore();
        parse(&written).unwrap_or_default()
    })
}
