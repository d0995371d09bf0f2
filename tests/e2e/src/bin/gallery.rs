//! Makes the pictures of a gallery from its list, `gallery.json`, and the page that shows them, `README.md`.
//!
//! An entry has a name, a title, a link, optionally a query, a size, a theme, and actions: `["click", TESTID]`, `["key", KEY]`,
//! `["type", TESTID, TEXT]`, `["until", JAVASCRIPT]`. With `moves`, the browser prefers no reduced motion.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde_json::json;
use warpscope_e2e::{Browser, Error, Host};

/// The most bytes of a picture.
const MAX_BYTES: usize = 200_000;
/// The most colors of a picture: PNG's palette.
const MAX_COLORS: usize = 256;

/// A picture of the gallery.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    name: String,
    title: String,
    /// The part of the address after `#`.
    link: String,
    /// The part of the address after `?`.
    #[serde(default)]
    query: String,
    size: (u32, u32),
    theme: String,
    #[serde(default)]
    moves: bool,
    actions: Vec<Vec<String>>,
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Error> {
    let mut args = std::env::args().skip(1);
    let folder = PathBuf::from(args.next().ok_or("usage: gallery FOLDER [NAME…]")?);
    let names: Vec<String> = args.collect();
    let list = std::fs::read_to_string(folder.join("gallery.json"))?;
    let entries: Vec<Entry> = serde_json::from_str(&list)?;
    let host = Host::start()?;
    for entry in &entries {
        if !names.is_empty() && !names.contains(&entry.name) {
            continue;
        }
        let picture = shot(&host, entry)
            .await
            .map_err(|error| format!("{}: {error}", entry.name))?;
        let bytes = with_palette(&picture)?;
        if bytes.len() > MAX_BYTES {
            return Err(format!(
                "{}.png has {} bytes, more than {MAX_BYTES}",
                entry.name,
                bytes.len()
            )
            .into());
        }
        println!("{}.png: {} KB", entry.name, bytes.len().div_ceil(1000));
        std::fs::write(folder.join(format!("{}.png", entry.name)), bytes)?;
    }
    write_readme(&folder, &entries)
}

/// The screenshot of an entry, as PNG.
async fn shot(host: &Host, entry: &Entry) -> Result<Vec<u8>, Error> {
    let (width, height) = entry.size;
    let browser = if entry.moves {
        Browser::start_with_motion(width, height).await?
    } else {
        Browser::start(width, height).await?
    };
    browser.resize(width, height).await?;
    let mut features = vec![json!({ "name": "prefers-color-scheme", "value": entry.theme })];
    if !entry.moves {
        features.push(json!({ "name": "prefers-reduced-motion", "value": "reduce" }));
    }
    browser
        .dev_tools("Emulation.setEmulatedMedia", json!({ "features": features }))
        .await?;
    let address = host.address(&entry.link);
    let (page, link) = address.split_once('#').unwrap_or((&address, ""));
    let query = if entry.query.is_empty() { "" } else { "?" };
    let address = format!("{page}{query}{}#{link}", entry.query);
    let address = address.trim_end_matches('#');
    if entry.query == "embed" {
        // The player starts with its actions.
        browser.client.goto(address).await?;
    } else {
        browser.open(address).await?;
    }
    if entry.link.contains("lesson=") {
        browser.find("lesson-title").await?;
    }
    for action in &entry.actions {
        let action: Vec<&str> = action.iter().map(String::as_str).collect();
        match action.as_slice() {
            ["click", testid] => browser.click(testid).await?,
            ["key", key] => {
                let key = key.chars().next().ok_or("an empty key")?;
                browser.press(key).await?;
            }
            ["type", testid, text] => {
                browser.click(testid).await?;
                for key in text.chars() {
                    browser.press(key).await?;
                }
            }
            ["until", condition] => {
                let condition = format!("return Boolean({condition});");
                browser.wait_until(&condition).await?;
            }
            other => return Err(format!("unknown action {other:?}").into()),
        }
    }
    // The pointer and the focus are not part of the picture, and messages have gone.
    browser
        .script("document.querySelector('.toast')?.remove(); if (!document.querySelector('dialog[open]')) document.activeElement?.blur();")
        .await?;
    tokio::time::sleep(std::time::Duration::from_millis(500)).await;
    let picture = browser.client.screenshot().await?;
    browser.close().await?;
    Ok(picture)
}

/// A PNG with a palette: the most frequent colors stay as they are, the others become the nearest of them.
fn with_palette(picture: &[u8]) -> Result<Vec<u8>, Error> {
    let mut decoder = png::Decoder::new(std::io::Cursor::new(picture));
    decoder.set_transformations(png::Transformations::normalize_to_color8());
    let mut reader = decoder.read_info()?;
    let mut pixels = vec![0; reader.output_buffer_size().ok_or("the picture is too large")?];
    let info = reader.next_frame(&mut pixels)?;
    let samples = info.color_type.samples();
    let colors: Vec<[u8; 3]> = pixels[..info.buffer_size()]
        .chunks_exact(samples)
        .map(|pixel| match pixel {
            [r, g, b, ..] => [*r, *g, *b],
            _ => [pixel[0]; 3],
        })
        .collect();
    let mut counts: HashMap<[u8; 3], usize> = HashMap::new();
    for color in &colors {
        *counts.entry(*color).or_default() += 1;
    }
    let mut frequent: Vec<([u8; 3], usize)> = counts.iter().map(|(color, count)| (*color, *count)).collect();
    frequent.sort_by_key(|(color, count)| (std::cmp::Reverse(*count), *color));
    frequent.truncate(MAX_COLORS);
    let palette: Vec<[u8; 3]> = frequent.into_iter().map(|(color, _)| color).collect();
    let nearest: HashMap<[u8; 3], u8> = counts
        .keys()
        .map(|color| (*color, nearest(&palette, *color)))
        .collect();
    let indices: Vec<u8> = colors.iter().map(|color| nearest[color]).collect();
    let mut out = Vec::new();
    let mut encoder = png::Encoder::new(&mut out, info.width, info.height);
    encoder.set_color(png::ColorType::Indexed);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_palette(palette.concat());
    encoder.set_compression(png::Compression::High);
    encoder.set_filter(png::Filter::NoFilter);
    encoder.write_header()?.write_image_data(&indices)?;
    Ok(out)
}

/// The index of the color of the palette that differs least.
fn nearest(palette: &[[u8; 3]], color: [u8; 3]) -> u8 {
    let distance = |other: &[u8; 3]| -> u32 {
        other
            .iter()
            .zip(color)
            .map(|(a, b)| u32::from(a.abs_diff(b)).pow(2))
            .sum()
    };
    let best = (0..palette.len()).min_by_key(|idx| distance(&palette[*idx]));
    // A palette has at most 256 colors.
    best.and_then(|idx| u8::try_from(idx).ok()).unwrap_or(0)
}

/// Writes the page that lists the pictures.
fn write_readme(folder: &Path, entries: &[Entry]) -> Result<(), Error> {
    let mut text = String::from(
        "# Gallery\n\n`cargo xtask gallery` makes these pictures from `gallery.json`; `cargo xtask gallery NAME` makes one. \
         The link of an entry opens what its picture shows, before the entry's actions.\n",
    );
    for entry in entries {
        let (width, height) = entry.size;
        let link = if entry.link.is_empty() {
            "(no link)".to_owned()
        } else {
            format!("`#{}`", entry.link)
        };
        write!(
            text,
            "\n## {}\n\n{link}, {width} × {height}, {} theme: `cargo xtask gallery {}`\n\n![{}]({}.png)\n",
            entry.title, entry.theme, entry.name, entry.title, entry.name
        )?;
    }
    Ok(std::fs::write(folder.join("README.md"), text)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frequent_colors_stay_and_the_others_become_the_nearest() {
        let (width, height) = (300_u32, 2);
        let mut pixels = Vec::new();
        for idx in 0..width * height {
            // Half of the picture is white, the rest is 300 shades.
            let shade = if idx < width {
                [255; 3]
            } else {
                [idx.to_le_bytes()[0], idx.to_le_bytes()[1], 7]
            };
            pixels.extend(shade);
        }
        let mut picture = Vec::new();
        let mut encoder = png::Encoder::new(&mut picture, width, height);
        encoder.set_color(png::ColorType::Rgb);
        encoder.write_header().unwrap().write_image_data(&pixels).unwrap();
        let small = with_palette(&picture).unwrap();
        let mut reader = png::Decoder::new(std::io::Cursor::new(&small))
            .read_info()
            .unwrap();
        assert_eq!(reader.info().color_type, png::ColorType::Indexed);
        let palette = reader.info().palette.clone().unwrap();
        assert_eq!((palette.len(), &palette[..3]), (3 * 256, &[255, 255, 255][..]));
        let mut indices = vec![0; 600];
        reader.next_frame(&mut indices).unwrap();
        assert_eq!((indices.len(), indices[0], indices[299]), (600, 0, 0));
        assert_eq!(nearest(&[[0; 3], [250; 3]], [200; 3]), 1);
    }
}
