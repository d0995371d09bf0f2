//! The painter, on a real canvas: a gallery of every mark and texture, and the pixels they leave.

use warpscope::app::{Event, Session, update};
use warpscope::scene::{Item, Mark, Role, Scene, Shape, Size, Texture};
use warpscope::share::View;
use wasm_bindgen::JsCast;
use wasm_bindgen_test::wasm_bindgen_test;
use web_sys::{CanvasRenderingContext2d, Document, HtmlCanvasElement};

const SIDE: f32 = 20.0;
const MARKS: [Mark; 10] = Mark::ALL;

fn document() -> Document {
    web_sys::window()
        .and_then(|window| window.document())
        .expect("tests run in a page")
}

/// A canvas under the theme's tokens.
fn canvas(theme: &str) -> HtmlCanvasElement {
    let document = document();
    if document.get_element_by_id("tokens").is_none() {
        let style = document.create_element("style").expect("a style element");
        style.set_id("tokens");
        style.set_text_content(Some(include_str!("../../www/tokens.css")));
        document
            .head()
            .expect("a head")
            .append_child(&style)
            .expect("the head takes a style");
    }
    let root = document.document_element().expect("a root");
    root.set_attribute("data-theme", theme).expect("an attribute");
    document
        .create_element("canvas")
        .expect("a canvas")
        .dyn_into()
        .expect("it is a canvas")
}

fn item(shape: Shape, role: Role, texture: Texture) -> Item {
    Item {
        shape,
        role,
        texture,
        target: None,
    }
}

fn scene(items: Vec<Item>) -> Scene {
    Scene {
        size: Size {
            width: 240.0,
            height: 80.0,
        },
        items,
        ..Scene::default()
    }
}

fn ratio() -> f64 {
    web_sys::window()
        .map_or(1.0, |window| window.device_pixel_ratio())
        .max(1.0)
}

/// Red, green, blue and opacity at a point of CSS pixels.
fn pixel(canvas: &HtmlCanvasElement, x: f64, y: f64) -> [u8; 4] {
    let context: CanvasRenderingContext2d = canvas
        .get_context("2d")
        .ok()
        .flatten()
        .and_then(|context| context.dyn_into().ok())
        .expect("a context");
    let data = context
        .get_image_data((x * ratio()).floor(), (y * ratio()).floor(), 1.0, 1.0)
        .expect("pixels")
        .data();
    [data[0], data[1], data[2], data[3]]
}

/// Share of the pixels of an area that are painted.
fn covered(canvas: &HtmlCanvasElement, x: u32, y: u32, w: u32, h: u32) -> f64 {
    let mut painted = 0;
    for row in y..y + h {
        for column in x..x + w {
            painted += u32::from(pixel(canvas, f64::from(column) + 0.5, f64::from(row) + 0.5)[3] > 64);
        }
    }
    f64::from(painted) / f64::from(w * h)
}

#[wasm_bindgen_test]
fn fills_have_the_tokens_colour_in_both_themes() {
    // The values that the design fixes for issue.
    for (theme, colour) in [
        ("light", [0x00, 0x75, 0x44, 255]),
        ("dark", [0xa6, 0xf0, 0x46, 255]),
    ] {
        let canvas = canvas(theme);
        let shape = Shape::Rect {
            x: 10.0,
            y: 10.0,
            w: 20.0,
            h: 20.0,
        };
        assert!(warpscope::web::paint(
            &canvas,
            &scene(vec![item(shape, Role::State(Mark::Issue), Texture::Solid)])
        ));
        assert_eq!(pixel(&canvas, 20.0, 20.0), colour, "{theme}");
        assert_eq!(pixel(&canvas, 5.0, 5.0)[3], 0, "beside it nothing");
    }
}

#[wasm_bindgen_test]
fn fills_end_on_whole_pixels() {
    let canvas = canvas("light");
    let shape = Shape::Rect {
        x: 10.3,
        y: 10.4,
        w: 19.7,
        h: 5.2,
    };
    warpscope::web::paint(&canvas, &scene(vec![item(shape, Role::Ink1, Texture::Solid)]));
    for x in 8..34 {
        for y in 8..20 {
            let opacity = pixel(&canvas, f64::from(x) + 0.5, f64::from(y) + 0.5)[3];
            assert!(opacity == 0 || opacity == 255, "{opacity} at {x}, {y}");
        }
    }
}

#[wasm_bindgen_test]
fn every_mark_leaves_a_tile_and_a_band_of_its_own() {
    let canvas = canvas("light");
    let mut items = Vec::new();
    for (idx, mark) in MARKS.into_iter().enumerate() {
        let x = idx as f32 * 24.0;
        items.push(item(
            Shape::Tile {
                x,
                y: 0.0,
                side: SIDE,
                mark,
            },
            Role::State(mark),
            Texture::Solid,
        ));
        let band = Shape::Band {
            x,
            y: 40.0,
            w: 18.0,
            h: 15.0,
            mark,
            cycle_px: 9.0,
        };
        items.push(item(band, Role::State(mark), Texture::Solid));
    }
    warpscope::web::paint(&canvas, &scene(items));
    let mut coverage = Vec::new();
    for (idx, mark) in MARKS.into_iter().enumerate() {
        let x = idx as u32 * 24;
        let tile = covered(&canvas, x, 0, 20, 20);
        let upper = covered(&canvas, x, 40, 17, 5);
        let lower = covered(&canvas, x, 50, 17, 5);
        assert!(tile > 0.05, "{mark:?} has a tile: {tile}");
        // Issue stands, waiting lies.
        match mark {
            Mark::Issue => assert!(upper > 0.8, "{upper}"),
            Mark::Eligible => assert!(upper > 0.1 && upper < 0.8, "{upper}"),
            _ => assert!(upper < 0.05, "{mark:?} {upper}"),
        }
        if mark != Mark::Idle {
            assert!(lower > 0.1, "{mark:?} {lower}");
        }
        coverage.push((mark, tile));
    }
    let solid = coverage.iter().filter(|(_, tile)| *tile > 0.99).count();
    assert_eq!(solid, 1, "only issue fills its tile: {coverage:?}");
}

#[wasm_bindgen_test]
fn textures_differ_in_what_they_cover() {
    let textures = [
        (Texture::Solid, 0.99, 1.0),
        (Texture::Hatch, 0.25, 0.8),
        (Texture::Fence, 0.25, 0.7),
        (Texture::Dashes, 0.6, 0.95),
        (Texture::Outline(1.0), 0.1, 0.4),
        (Texture::Dotted, 0.02, 0.3),
        (Texture::Dots, 0.05, 0.6),
    ];
    let canvas = canvas("light");
    for (texture, least, most) in textures {
        let shape = Shape::Rect {
            x: 10.0,
            y: 10.0,
            w: 20.0,
            h: 20.0,
        };
        warpscope::web::paint(
            &canvas,
            &scene(vec![item(shape, Role::State(Mark::Throttle), texture)]),
        );
        let share = covered(&canvas, 10, 10, 20, 20);
        assert!((least..=most).contains(&share), "{texture:?} covers {share}");
        assert!(
            covered(&canvas, 32, 8, 6, 24) < 0.01,
            "{texture:?} stays inside on the right"
        );
        assert!(
            covered(&canvas, 8, 32, 24, 6) < 0.01,
            "{texture:?} stays inside below"
        );
    }
}

/// All pixels of a canvas.
fn pixels(canvas: &HtmlCanvasElement) -> Vec<u8> {
    let context: CanvasRenderingContext2d = canvas
        .get_context("2d")
        .ok()
        .flatten()
        .and_then(|context| context.dyn_into().ok())
        .expect("a context");
    let (width, height) = (f64::from(canvas.width()), f64::from(canvas.height()));
    context
        .get_image_data(0.0, 0.0, width, height)
        .expect("pixels")
        .data()
        .to_vec()
}

#[wasm_bindgen_test]
fn a_picture_painted_in_parts_is_the_one_painted_whole() {
    let size = Size {
        width: 900.0,
        height: 700.0,
    };
    let mut session = Session::new();
    update(&mut session, Event::Open("v1;arch=gf100".to_owned()));
    while session.work(100_000) {}
    // One machine alone is not compared.
    for view in View::ALL.into_iter().filter(|view| *view != View::Compare) {
        update(&mut session, Event::View(view));
        let (grown, whole) = (canvas("light"), canvas("light"));
        let mut before: Option<Scene> = None;
        for cycle in [40, 41, 42, 43, 60, 300, 301, 299, 40] {
            update(&mut session, Event::Seek(cycle));
            let scene = session.picture(view, size).expect("a picture");
            warpscope::web::paint(&whole, &scene);
            match &before {
                Some(before) => warpscope::web::repaint(&grown, before, &scene),
                None => warpscope::web::paint(&grown, &scene),
            };
            let (grown, whole) = (pixels(&grown), pixels(&whole));
            let differ = grown
                .chunks(4)
                .zip(whole.chunks(4))
                .filter(|(one, other)| one.iter().zip(*other).any(|(a, b)| a.abs_diff(*b) > 2))
                .count();
            assert_eq!(grown.len(), whole.len());
            // Edges of slanted lines at the border of a part may be smoothed otherwise.
            assert!(
                differ <= 64,
                "{differ} pixels of {} differ at cycle {cycle}",
                view.name()
            );
            before = Some(scene);
        }
    }
}
