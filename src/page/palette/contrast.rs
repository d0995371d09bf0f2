//! The contrast of each text in real pictures against what is painted below it, in both themes: WCAG 2.2, 1.4.3.

use std::collections::{BTreeMap, BTreeSet};

use workbench::app::{Event, Session, update};
use workbench::scene::paint::colors::{TOKENS, slot};
use workbench::scene::{Align, Item, Mark, Role, Scene, Shape, Size, TextSize, Texture};

const STYLES: &str = include_str!("../../../www/tokens.css");

/// Pictures of all views.
const LINKS: [&str; 18] = [
    "v1;cycle=1284",
    "v1;arch=gf100;kernel=matmul-tiled;cycle=900",
    "v1;view=timeline;cycle=1300",
    "v1;view=stalls;cycle=3000",
    "v1;view=banks;cycle=1400",
    "v1;view=banks;arch=gt200;cycle=900",
    "v1;view=coalescing;arch=gt200;kernel=strided-copy;cycle=300",
    "v1;view=coalescing;kernel=vector-add;cycle=300",
    "v1;view=caches;cycle=1300",
    "v1;view=carveout;arch=gv100;kernel=matmul-tiled;cycle=400",
    "v1;view=registers;arch=gp104;kernel=saxpy;cycle=200",
    "v1;view=source;cycle=3430",
    "v1;view=occupancy;arch=gf100;kernel=matmul-tiled;cycle=500",
    "v1;view=divergence;kernel=reduce-divergent;cycle=700",
    "v1;kernel=product-tensor;view=tensor;cycle=660;lane=9;sum=3.5",
    "v1;kernel=product-tensor;arch=gv100;view=tensor;cells=values;cycle=518",
    "v1;view=compare;compare=gv100;cycle=700",
    "v1;view=banks;play=shared;expr=tile[threadIdx.x][threadIdx.y]",
];

const SIZES: [(f32, f32); 2] = [(832.0, 636.0), (390.0, 550.0)];

type Color = [f64; 3];

/// The values of the tokens in the first rule that a selector begins.
fn tokens(selector: &str) -> BTreeMap<String, String> {
    let rule = STYLES
        .split(selector)
        .nth(1)
        .and_then(|rest| rest.split_once('{'));
    let body = rule
        .and_then(|(_, body)| body.split_once('}'))
        .map_or("", |(body, _)| body);
    let pairs = body.split(';').filter_map(|line| {
        let line = line.rsplit("*/").next()?.trim();
        let (name, value) = line.split_once(':')?;
        Some((name.trim().to_owned(), value.trim().to_owned()))
    });
    pairs.collect()
}

/// The colors of a theme in the order of [`TOKENS`].
fn theme(dark: bool) -> Vec<Color> {
    let mut all = tokens("[data-theme=\"light\"]");
    if dark {
        all.extend(tokens("\n[data-theme=\"dark\"]"));
    }
    let value = |name: &str| -> Color {
        // What memory borrows from the states is defined once, for all themes.
        let shared = || {
            STYLES
                .split(&format!("{name}:"))
                .nth(1)
                .and_then(|rest| rest.split(';').next())
        };
        let mut text = all
            .get(name)
            .map_or_else(|| shared().unwrap().trim(), String::as_str)
            .to_owned();
        if let Some(other) = text.strip_prefix("var(").and_then(|rest| rest.strip_suffix(')')) {
            text = all[other].clone();
        }
        let number = u32::from_str_radix(text.trim_start_matches('#'), 16).unwrap();
        [number >> 16, number >> 8 & 255, number & 255].map(f64::from)
    };
    TOKENS.iter().map(|name| value(name)).collect()
}

#[expect(
    clippy::disallowed_methods,
    reason = "a last digit does not change which contrasts are enough"
)]
fn luminance(color: Color) -> f64 {
    let linear = color.map(|part| {
        let part = part / 255.0;
        if part <= 0.04045 {
            part / 12.92
        } else {
            ((part + 0.055) / 1.055).powf(2.4)
        }
    });
    0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
}

fn contrast(a: Color, b: Color) -> f64 {
    let (a, b) = (luminance(a), luminance(b));
    (a.max(b) + 0.05) / (a.min(b) + 0.05)
}

/// The color below a point before item `idx` is painted.
fn below(scene: &Scene, idx: usize, (px, py): (f32, f32), colors: &[Color]) -> Color {
    let mut ground = colors[slot(Role::Paper1)];
    for item in &scene.items[..idx] {
        let opacity = match item.texture {
            Texture::Solid => 1.0,
            Texture::Fade(opacity) => f64::from(opacity),
            _ => continue,
        };
        let covers = match &item.shape {
            Shape::Rect { x, y, w, h }
            // The band of an issue is a solid block.
            | Shape::Band {
                x,
                y,
                w,
                h,
                mark: Mark::Issue,
                ..
            } => px >= *x && px <= x + w && py >= *y && py <= y + h,
            _ => false,
        };
        if covers {
            let role = match item.shape {
                Shape::Band { mark, .. } => Role::State(mark),
                _ => item.role,
            };
            let color = colors[slot(role)];
            ground = [0, 1, 2].map(|part| opacity * color[part] + (1.0 - opacity) * ground[part]);
        }
    }
    ground
}

/// The middle of a text, if it is one.
fn middle(item: &Item) -> Option<((f32, f32), TextSize, &str)> {
    let Shape::Text {
        x,
        y,
        text,
        size,
        align,
        ..
    } = &item.shape
    else {
        return None;
    };
    let half = text.chars().count() as f32 * size.px() * 0.28;
    let x = match align {
        Align::Left => x + half,
        Align::Center => *x,
        Align::Right => x - half,
    };
    Some(((x, *y), *size, text))
}

#[test]
fn every_text_of_every_picture_has_enough_contrast_in_both_themes() {
    let (mut weak, mut num) = (BTreeSet::new(), 0);
    let themes = [theme(false), theme(true)];
    for link in LINKS {
        let mut session = Session::new();
        update(&mut session, Event::Open(link.to_owned()));
        while session.work(100_000) {}
        assert_eq!(session.ui.warnings, [""; 0], "{link}");
        for (width, height) in SIZES {
            session.ui.widths = [width; 4];
            let Some(scene) = session.shown().picture(session.ui.view, Size { width, height }) else {
                panic!("{link} has no picture");
            };
            for (idx, item) in scene.items.iter().enumerate() {
                let Some((at, size, text)) = middle(item) else {
                    continue;
                };
                num += 1;
                for (colors, name) in themes.iter().zip(["light", "dark"]) {
                    let least = if size == TextSize::Figure { 3.0 } else { 4.5 };
                    let ratio = contrast(colors[slot(item.role)], below(&scene, idx, at, colors));
                    if ratio < least {
                        let view = session.ui.view.id();
                        weak.insert(format!(
                            "{view} {width} {name}: {:?} `{text}` {ratio:.2}",
                            item.role
                        ));
                    }
                }
            }
        }
    }
    assert!(num > 2_000, "{num} texts");
    assert!(weak.is_empty(), "{} of {num}: {weak:#?}", weak.len());
}
