//! Paints display lists on canvases.

mod pen;
mod weave;

use web_sys::HtmlCanvasElement;

use self::pen::CanvasPen;
use super::palette::Palette;
use workbench::scene::damage::{Area, bounds, damage, overlap};
use workbench::scene::paint::Painter;
use workbench::scene::{Item, Scene, Size};

/// A canvas during painting. Coordinates are CSS pixels.
pub(crate) type CanvasPainter<'a> = Painter<CanvasPen<'a>>;

/// Resizes the canvas at the device's ratio, and clears it.
pub(crate) fn begin<'a>(
    canvas: &HtmlCanvasElement,
    size: Size,
    ratio: f64,
    palette: &'a Palette,
) -> Option<CanvasPainter<'a>> {
    let painter = resume(canvas, size, ratio, palette)?;
    painter.pen.clear(size);
    Some(painter)
}

/// Resizes the canvas at the device's ratio; a canvas of the same size keeps its picture.
fn resume<'a>(
    canvas: &HtmlCanvasElement,
    size: Size,
    ratio: f64,
    palette: &'a Palette,
) -> Option<CanvasPainter<'a>> {
    let context = super::browser::context(canvas)?;
    let (width, height) = pixels(size, ratio);
    if canvas.width() != width || canvas.height() != height {
        canvas.set_width(width);
        canvas.set_height(height);
    }
    // Resetting the transform to finite numbers cannot fail.
    let _ = context.set_transform(ratio, 0.0, 0.0, ratio, 0.0, 0.0);
    let pen = CanvasPen::new(context, palette);
    Some(Painter { pen, ratio })
}

/// Draws a scene where the canvas shows `old` at the same ratio and in the same colors: only what
/// differs is painted. `over` lies over the scene, and lay over the old one.
pub(crate) fn change(
    canvas: &HtmlCanvasElement,
    old: Option<(&Scene, &[Item])>,
    (new, over): (&Scene, &[Item]),
    ratio: f64,
    palette: &Palette,
) -> Option<()> {
    let stays = (canvas.width(), canvas.height()) == pixels(new.size, ratio);
    let areas = old
        .filter(|(old, _)| stays && old.size == new.size)
        .and_then(|(old, old_over)| damage(&old.items, &new.items, [old_over, over], new.size));
    let Some(areas) = areas else {
        let mut painter = begin(canvas, new.size, ratio, palette)?;
        painter.scene(new);
        for item in over {
            painter.item(item);
        }
        return Some(());
    };
    let mut painter = resume(canvas, new.size, ratio, palette)?;
    let all: Vec<(Area, &Item)> = if areas.is_empty() {
        Vec::new()
    } else {
        new.items
            .iter()
            .chain(over)
            .map(|item| (bounds(item), item))
            .collect()
    };
    for area in &areas {
        let area = device(area, ratio);
        let before = painter.pen.enter(area.map(|edge| painter.snap(f64::from(edge))));
        for (bounds, item) in &all {
            if overlap(bounds, &area) {
                painter.item(item);
            }
        }
        painter.pen.leave(before);
    }
    Some(())
}

/// The area extended to whole device pixels, in CSS pixels, so that its edges leave no trace.
fn device([left, top, right, bottom]: &Area, ratio: f64) -> Area {
    let out = |value: f32| ((f64::from(value) * ratio).floor() / ratio) as f32;
    let on = |value: f32| ((f64::from(value) * ratio).ceil() / ratio) as f32;
    [out(*left), out(*top), on(*right), on(*bottom)]
}

/// Device pixels of a canvas of a size.
fn pixels(size: Size, ratio: f64) -> (u32, u32) {
    let px = |length: f32| (f64::from(length) * ratio).round() as u32;
    (px(size.width), px(size.height))
}
