//! Tests of the painter on a canvas: draws every mark and texture and reads pixels back.

use wasm_bindgen::JsCast;
use wasm_bindgen_test::wasm_bindgen_test;
use web_sys::{CanvasRenderingContext2d, Document, HtmlCanvasElement};
use workbench::app::{Event, Session, update};
use workbench::scene::{Align, Item, Mark, Role, Scene, Shape, Size, TextSize, Texture};
use workbench::share::View;

const SIDE: f32 = 20.0;
const MARKS: [Mark; 10] = Mark::ALL;

fn document() -> Document {
    web_sys::window()
        .and_then(|window| window.document())
        .expect("tests run in a page")
}

/// Returns a canvas with the theme's tokens.
fn canvas(theme: &str) -> HtmlCanvasElement {
    let document = document();
    if document.get_element_by_id("tokens").is_none() {
        let style = document.create_element("style").expect("a style element");
        style.set_id("tokens");
        style.set_text_content(Some(include_str!("../../www/tokens.css")));
        document
            .query_selector("head")
            .expect("a selector")
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

fn context(canvas: &HtmlCanvasElement) -> CanvasRenderingContext2d {
    let context = canvas.get_context("2d").ok().flatten();
    context
        .and_then(|context| context.dyn_into().ok())
        .expect("a context")
}

/// Returns red, green, blue, and opacity at a point in CSS pixels.
fn pixel(canvas: &HtmlCanvasElement, x: f64, y: f64) -> [u8; 4] {
    let data = context(canvas)
        .get_image_data((x * ratio()).floor(), (y * ratio()).floor(), 1.0, 1.0)
        .expect("pixels")
        .data();
    [data[0], data[1], data[2], data[3]]
}

/// Returns the share of painted pixels in an area.
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
fn fills_have_the_token_color_in_both_themes() {
    // The color of issue in the design.
    for (theme, color) in [
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
        assert!(page::paint(
            &canvas,
            &scene(vec![item(shape, Role::State(Mark::Issue), Texture::Solid)])
        ));
        assert_eq!(pixel(&canvas, 20.0, 20.0), color, "{theme}");
        assert_eq!(pixel(&canvas, 5.0, 5.0)[3], 0, "nothing is painted outside");
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
    page::paint(&canvas, &scene(vec![item(shape, Role::Ink1, Texture::Solid)]));
    for x in 8..34 {
        for y in 8..20 {
            let opacity = pixel(&canvas, f64::from(x) + 0.5, f64::from(y) + 0.5)[3];
            assert!(opacity == 0 || opacity == 255, "{opacity} at {x}, {y}");
        }
    }
}

#[wasm_bindgen_test]
fn every_mark_has_a_distinct_tile_and_band() {
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
    page::paint(&canvas, &scene(items));
    let mut coverage = Vec::new();
    for (idx, mark) in MARKS.into_iter().enumerate() {
        let x = idx as u32 * 24;
        let tile = covered(&canvas, x, 0, 20, 20);
        let upper = covered(&canvas, x, 40, 17, 5);
        let lower = covered(&canvas, x, 50, 17, 5);
        assert!(tile > 0.05, "{mark:?} has a tile: {tile}");
        // The band of issue has full height; bands of stall reasons are low.
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
fn textures_cover_different_pixels() {
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
        page::paint(
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

/// Returns all pixels of a canvas.
fn pixels(canvas: &HtmlCanvasElement) -> Vec<u8> {
    let (width, height) = (f64::from(canvas.width()), f64::from(canvas.height()));
    context(canvas)
        .get_image_data(0.0, 0.0, width, height)
        .expect("pixels")
        .data()
        .to_vec()
}

/// Returns the pixels in which two canvases of equal size differ.
fn differing(one: &HtmlCanvasElement, other: &HtmlCanvasElement) -> Vec<(usize, usize)> {
    let width = one.width() as usize;
    let (one, other) = (pixels(one), pixels(other));
    assert_eq!(one.len(), other.len());
    let pairs = one.chunks(4).zip(other.chunks(4)).enumerate();
    pairs
        .filter(|(_, (one, other))| one != other)
        .map(|(idx, _)| (idx % width, idx / width))
        .collect()
}

#[wasm_bindgen_test]
fn painting_in_parts_equals_painting_at_once() {
    let size = Size {
        width: 900.0,
        height: 700.0,
    };
    let mut session = Session::new();
    update(&mut session, Event::Open("v1;arch=gf100".to_owned()));
    while session.work(100_000) {}
    // A single architecture has no comparison view, and findings have no canvas.
    for view in View::ALL
        .into_iter()
        .filter(|view| !matches!(view, View::Compare | View::Checks))
    {
        update(&mut session, Event::View(view));
        // A device and the changes of findings are runs of their own.
        while session.work(100_000) {}
        let (grown, whole) = (canvas("light"), canvas("light"));
        let mut before: Option<Scene> = None;
        for cycle in [40, 41, 42, 43, 60, 300, 301, 299, 40] {
            update(&mut session, Event::Seek(cycle));
            let scene = session.shown().picture(view, size).expect("a picture");
            page::paint(&whole, &scene);
            match &before {
                Some(before) => page::repaint(&grown, before, &scene),
                None => page::paint(&grown, &scene),
            };
            let found = differing(&grown, &whole);
            assert!(
                found.is_empty(),
                "{} at cycle {cycle}: {} pixels differ, the first is {:?}",
                view.name(),
                found.len(),
                found.first()
            );
            before = Some(scene);
        }
    }
}

/// Returns every mark and texture, and all kinds of lines, at fractional positions.
fn gallery() -> Vec<Item> {
    let mut items = Vec::new();
    for (idx, mark) in MARKS.into_iter().enumerate() {
        let x = 4.3 + idx as f32 * 23.7;
        let (role, side) = (Role::State(mark), SIDE);
        items.push(item(
            Shape::Tile {
                x,
                y: 3.4,
                side,
                mark,
            },
            role,
            Texture::Solid,
        ));
        for (row, cycle_px) in [2.5, 6.0, 9.3].into_iter().enumerate() {
            let band = Shape::Band {
                x,
                y: 26.2 + row as f32 * 17.6,
                w: 18.6,
                h: 15.0,
                mark,
                cycle_px,
            };
            items.push(item(band, role, Texture::Solid));
        }
    }
    let textures = [
        Texture::Solid,
        Texture::Outline(1.5),
        Texture::Hatch,
        Texture::Fence,
        Texture::Teeth,
        Texture::Dashes,
        Texture::Dots,
        Texture::Dotted,
        Texture::Fade(0.4),
    ];
    for (idx, texture) in textures.into_iter().enumerate() {
        let (x, y) = (3.6 + idx as f32 * 26.3, 84.7);
        items.push(item(
            Shape::Rect {
                x,
                y,
                w: 22.4,
                h: 16.9,
            },
            Role::Ink3,
            texture,
        ));
        let points = vec![(x, 108.2), (x + 9.3, 121.7), (x + 22.1, 106.4)];
        let line = Shape::Polyline { points, width: 1.5 };
        items.push(item(line, Role::Wire, texture));
    }
    let curve = Shape::Curve {
        from: (5.2, 128.1),
        c1: (80.0, 160.0),
        c2: (120.0, 100.0),
        to: (230.4, 140.6),
        width: 1.5,
    };
    items.push(item(curve, Role::WireLit, Texture::Solid));
    let points = vec![(20.5, 145.2), (60.1, 170.8), (33.3, 172.2)];
    items.push(item(Shape::Polygon { points }, Role::Used, Texture::Outline(1.5)));
    let points = vec![(90.5, 145.2), (130.1, 170.8), (103.3, 172.2)];
    items.push(item(Shape::Polygon { points }, Role::Used, Texture::Solid));
    let text = Shape::Text {
        x: 140.3,
        y: 160.0,
        text: "wavefronts".to_owned(),
        size: TextSize::Title,
        mono: false,
        strong: true,
        align: Align::Left,
    };
    items.push(item(text, Role::Ink1, Texture::Solid));
    items
}

#[wasm_bindgen_test]
fn overlays_leave_no_trace_on_marks() {
    let size = Size {
        width: 250.0,
        height: 180.0,
    };
    let (grown, whole) = (canvas("light"), canvas("light"));
    let mut before: Option<Scene> = None;
    for step in 0_u8..60 {
        let step = f32::from(step);
        let mut items = gallery();
        let moving = Shape::Rect {
            x: 37.7 * step % 240.0,
            y: 3.1 * step % 175.0,
            w: 7.5,
            h: 6.3,
        };
        items.insert(0, item(moving, Role::Paper3, Texture::Solid));
        let mut scene = scene(items);
        scene.size = size;
        page::paint(&whole, &scene);
        match &before {
            Some(before) => page::repaint(&grown, before, &scene),
            None => page::paint(&grown, &scene),
        };
        let found = differing(&grown, &whole);
        assert!(found.is_empty(), "step {step}: {found:?}");
        before = Some(scene);
    }
}
