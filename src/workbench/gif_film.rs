//! An animated GIF from frames of pixels.
//!
//! The page's pictures have few colors besides those of blended edges, so the most frequent colors of a frame are
//! exact, and the rest take the nearest of them. A frame holds only what changed: the rectangle around the changed
//! pixels, in which unchanged pixels are transparent.

use std::collections::BTreeMap;

use gif::{DisposalMethod, Encoder, EncodingError, Frame, Repeat};

/// Colors of a frame: one of the 256 entries is transparent.
const MAX_COLORS: usize = 255;
/// Bytes of a pixel: red, green, blue, and alpha.
const PIXEL: usize = 4;

/// A GIF that grows frame by frame.
pub struct GifFilm {
    encoder: Encoder<Vec<u8>>,
    width: usize,
    height: usize,
    /// The pixels of the frame before.
    before: Vec<u8>,
}

impl std::fmt::Debug for GifFilm {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "GifFilm({} x {})", self.width, self.height)
    }
}

/// A rectangle of pixels.
#[derive(Clone, Copy)]
struct Area {
    left: usize,
    top: usize,
    width: usize,
    height: usize,
}

impl GifFilm {
    /// A GIF of this size in pixels, which repeats for ever.
    ///
    /// # Errors
    /// The encoder refuses the size.
    pub fn new(width: u16, height: u16) -> Result<Self, EncodingError> {
        let mut encoder = Encoder::new(Vec::new(), width, height, &[])?;
        encoder.set_repeat(Repeat::Infinite)?;
        Ok(Self {
            encoder,
            width: width.into(),
            height: height.into(),
            before: Vec::new(),
        })
    }

    /// Adds a frame: rows of pixels with four bytes each. The last byte, the opacity, is ignored. `delay`: for how
    /// many hundredths of a second it is shown.
    ///
    /// # Errors
    /// The encoder has no memory.
    ///
    /// # Panics
    /// If the frame has another size than the film.
    pub fn push(&mut self, pixels: &[u8], delay: u16) -> Result<(), EncodingError> {
        assert_eq!(pixels.len(), self.width * self.height * PIXEL, "the film's size");
        let area = self.changed(pixels);
        let (palette, buffer) = self.indexed(pixels, area);
        let transparent = (palette.len() / 3) as u8;
        let mut frame = Frame {
            delay,
            dispose: DisposalMethod::Keep,
            transparent: (!self.before.is_empty()).then_some(transparent),
            left: area.left as u16,
            top: area.top as u16,
            width: area.width as u16,
            height: area.height as u16,
            ..Frame::default()
        };
        frame.buffer = buffer.into();
        // The transparent entry has a color, too.
        frame.palette = Some([palette.as_slice(), &[0, 0, 0]].concat());
        self.encoder.write_frame(&frame)?;
        self.before.clear();
        self.before.extend_from_slice(pixels);
        Ok(())
    }

    /// The file.
    ///
    /// # Errors
    /// The encoder has no memory.
    pub fn finish(self) -> Result<Vec<u8>, EncodingError> {
        self.encoder.into_inner()
    }

    /// The rectangle around the changed pixels; of an unchanged frame, one pixel.
    fn changed(&self, pixels: &[u8]) -> Area {
        let whole = Area {
            left: 0,
            top: 0,
            width: self.width,
            height: self.height,
        };
        if self.before.is_empty() {
            return whole;
        }
        let row_bytes = self.width * PIXEL;
        let rows = || {
            pixels
                .chunks_exact(row_bytes)
                .zip(self.before.chunks_exact(row_bytes))
        };
        let differs = |(new, old): (&[u8], &[u8])| new != old;
        let Some(top) = rows().position(differs) else {
            return Area {
                width: 1,
                height: 1,
                ..whole
            };
        };
        let bottom = self.height - rows().rev().position(differs).unwrap_or(0);
        let (mut left, mut right) = (self.width, 0);
        for (new, old) in rows().skip(top).take(bottom - top) {
            let mut cells = new.chunks_exact(PIXEL).zip(old.chunks_exact(PIXEL));
            if let Some(first) = cells.clone().position(differs) {
                left = left.min(first);
            }
            if let Some(last) = cells.rposition(differs) {
                right = right.max(last + 1);
            }
        }
        Area {
            left,
            top,
            width: right - left,
            height: bottom - top,
        }
    }

    /// The palette of an area, and the palette index of each of its pixels; after the first frame, unchanged pixels have
    /// the index after the last color.
    fn indexed(&self, pixels: &[u8], area: Area) -> (Vec<u8>, Vec<u8>) {
        let mut cells: Vec<Option<[u8; 3]>> = Vec::with_capacity(area.width * area.height);
        for y in area.top..area.top + area.height {
            let start = (y * self.width + area.left) * PIXEL;
            let row = start..start + area.width * PIXEL;
            let new = pixels[row.clone()].chunks_exact(PIXEL);
            if self.before.is_empty() {
                cells.extend(new.map(|cell| Some([cell[0], cell[1], cell[2]])));
            } else {
                let old = self.before[row].chunks_exact(PIXEL);
                cells.extend(
                    new.zip(old)
                        .map(|(new, old)| (new != old).then(|| [new[0], new[1], new[2]])),
                );
            }
        }
        let colors = frequent_colors(&cells);
        let mut indices: BTreeMap<[u8; 3], u8> =
            (0_u8..).zip(&colors).map(|(idx, color)| (*color, idx)).collect();
        let transparent = colors.len() as u8;
        let mut last = None;
        let buffer = cells
            .iter()
            .map(|cell| {
                let Some(color) = cell else { return transparent };
                if let Some((same, idx)) = last
                    && same == *color
                {
                    return idx;
                }
                let idx = *indices.entry(*color).or_insert_with(|| nearest(&colors, *color));
                last = Some((*color, idx));
                idx
            })
            .collect();
        (colors.concat(), buffer)
    }
}

/// The most frequent colors, at most [`MAX_COLORS`]. Equally frequent ones are in the order of their values.
fn frequent_colors(cells: &[Option<[u8; 3]>]) -> Vec<[u8; 3]> {
    let mut counts: BTreeMap<[u8; 3], usize> = BTreeMap::new();
    let mut runs = cells.iter().flatten().peekable();
    while let Some(color) = runs.next() {
        let mut length = 1;
        while runs.next_if_eq(&color).is_some() {
            length += 1;
        }
        *counts.entry(*color).or_default() += length;
    }
    let mut ranked: Vec<([u8; 3], usize)> = counts.into_iter().collect();
    ranked.sort_by_key(|(color, count)| (usize::MAX - count, *color));
    ranked.truncate(MAX_COLORS);
    ranked.into_iter().map(|(color, _)| color).collect()
}

/// The index of the nearest color.
fn nearest(colors: &[[u8; 3]], color: [u8; 3]) -> u8 {
    let distance = |other: &[u8; 3]| -> u32 {
        let channels = other.iter().zip(&color);
        channels.map(|(a, b)| u32::from(a.abs_diff(*b)).pow(2)).sum()
    };
    let best = (0_u8..).zip(colors).min_by_key(|(_, other)| distance(other));
    best.map_or(0, |(idx, _)| idx)
}

#[cfg(test)]
mod tests {
    use super::*;

    const WIDTH: usize = 20;
    const HEIGHT: usize = 10;

    fn decoded(file: &[u8]) -> Vec<(u16, Vec<u8>)> {
        let mut options = gif::DecodeOptions::new();
        options.set_color_output(gif::ColorOutput::RGBA);
        let mut reader = options.read_info(file).unwrap();
        assert_eq!((reader.width(), reader.height()), (WIDTH as u16, HEIGHT as u16));
        let mut screen = vec![0; WIDTH * HEIGHT * PIXEL];
        let mut frames = Vec::new();
        while let Some(frame) = reader.read_next_frame().unwrap() {
            for y in 0..usize::from(frame.height) {
                for x in 0..usize::from(frame.width) {
                    let from = (y * usize::from(frame.width) + x) * PIXEL;
                    let to = ((y + usize::from(frame.top)) * WIDTH + x + usize::from(frame.left)) * PIXEL;
                    if frame.buffer[from + 3] > 0 {
                        screen[to..to + PIXEL].copy_from_slice(&frame.buffer[from..from + PIXEL]);
                    }
                }
            }
            frames.push((frame.delay, screen.clone()));
        }
        frames
    }

    /// A frame of one color with some pixels of others.
    fn frame(color: [u8; 3], others: &[(usize, [u8; 3])]) -> Vec<u8> {
        let mut pixels = [color[0], color[1], color[2], 255].repeat(WIDTH * HEIGHT);
        for (at, other) in others {
            pixels[at * PIXEL..at * PIXEL + 3].copy_from_slice(other);
        }
        pixels
    }

    #[test]
    fn frames_with_few_colors_come_back_as_they_were() {
        let frames = [
            frame([255, 255, 255], &[(3, [0, 117, 68])]),
            frame(
                [255, 255, 255],
                &[(3, [0, 117, 68]), (105, [222, 102, 4]), (64, [0, 0, 0])],
            ),
            frame(
                [255, 255, 255],
                &[(3, [0, 117, 68]), (105, [222, 102, 4]), (64, [0, 0, 0])],
            ),
            frame([16, 18, 17], &[]),
        ];
        let mut film = GifFilm::new(WIDTH as u16, HEIGHT as u16).unwrap();
        for (idx, pixels) in frames.iter().enumerate() {
            film.push(pixels, 12 + idx as u16).unwrap();
        }
        let read = decoded(&film.finish().unwrap());
        assert_eq!(
            read.iter().map(|(delay, _)| *delay).collect::<Vec<_>>(),
            [12, 13, 14, 15]
        );
        for (idx, (_, pixels)) in read.iter().enumerate() {
            assert_eq!(*pixels, frames[idx], "frame {idx}");
        }
    }

    #[test]
    fn rare_colors_take_the_nearest_frequent_one() {
        let shades: Vec<(usize, [u8; 3])> = (0..199).map(|at| (at, [at as u8, 0, 0])).collect();
        let mut pixels = frame([255, 255, 255], &shades);
        // 200 shades, and 99 more that replace some of the white pixels of a larger frame.
        let mut film = GifFilm::new(WIDTH as u16, 2 * HEIGHT as u16).unwrap();
        let more: Vec<(usize, [u8; 3])> = (0..199).map(|at| (at, [0, 0, at as u8 + 1])).collect();
        pixels.extend(frame([255, 255, 255], &more));
        film.push(&pixels, 10).unwrap();
        let file = film.finish().unwrap();
        let mut options = gif::DecodeOptions::new();
        options.set_color_output(gif::ColorOutput::RGBA);
        let mut reader = options.read_info(file.as_slice()).unwrap();
        let frame = reader.read_next_frame().unwrap().unwrap();
        let worst = frame
            .buffer
            .iter()
            .zip(&pixels)
            .map(|(a, b)| a.abs_diff(*b))
            .max();
        assert!(worst > Some(0) && worst < Some(150), "{worst:?}");
        // The most frequent color is exact.
        assert_eq!(frame.buffer[199 * PIXEL..200 * PIXEL], [255; 4]);
    }
}
