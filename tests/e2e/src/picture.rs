//! Comparison of pictures from different engines.
//!
//! Engines round coverage of edges differently, so single pixels differ. Pictures are compared in cells of
//! [`CELL`] × [`CELL`] pixels by their mean color: an edge moves the mean a little, a missing shape moves the mean of
//! all its cells.

use super::Error;

/// The edge of a cell in pixels.
pub const CELL: usize = 4;
/// The sum of the differences along an edge of [`CELL`] pixels with 255 levels.
const EDGE: f64 = 4.0 * 255.0;
/// The largest allowed difference of a cell's mean, in levels of 255, for each color.
/// Assumption: the coverage of an edge through the cell differs by at most a quarter of a pixel between engines, and
/// the colors at an edge by at most 255 levels, which moves the mean of 4 × 4 pixels by at most 255 / 16 levels.
pub const TOLERANCE: f64 = 16.0;

/// A picture as RGBA bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    /// In pixels.
    pub width: usize,
    /// In pixels.
    pub height: usize,
    /// Four bytes for each pixel, row by row.
    pub rgba: Vec<u8>,
}

impl Picture {
    /// Reads a PNG file with 8-bit colors.
    ///
    /// # Errors
    /// The bytes are no such file.
    pub fn of_png(bytes: &[u8]) -> Result<Self, Error> {
        let mut decoder = png::Decoder::new(std::io::Cursor::new(bytes));
        decoder.set_transformations(png::Transformations::ALPHA | png::Transformations::STRIP_16);
        let mut reader = decoder.read_info()?;
        let mut rgba = vec![0; reader.output_buffer_size().ok_or("a picture without a size")?];
        let info = reader.next_frame(&mut rgba)?;
        if info.color_type != png::ColorType::Rgba {
            return Err(format!("a PNG of {:?}", info.color_type).into());
        }
        let (width, height) = (info.width as usize, info.height as usize);
        rgba.truncate(width * height * 4);
        Ok(Self { width, height, rgba })
    }

    /// A rectangle of the picture, which is inside.
    #[must_use]
    pub fn part(&self, (x, y): (usize, usize), (width, height): (usize, usize)) -> Self {
        let rows = (y..y + height).flat_map(|row| {
            let start = (row * self.width + x) * 4;
            &self.rgba[start..start + width * 4]
        });
        Self {
            width,
            height,
            rgba: rows.copied().collect(),
        }
    }

    /// Overwrites a rectangle with the color of its left upper corner's left upper neighbor: removes what is inside.
    pub fn erase(&mut self, (x, y): (usize, usize), (width, height): (usize, usize)) {
        let at = |x: usize, y: usize| (y * self.width + x) * 4;
        let from = at(x.saturating_sub(1), y.saturating_sub(1));
        let color: [u8; 4] = std::array::from_fn(|idx| self.rgba[from + idx]);
        for row in y..(y + height).min(self.height) {
            for column in x..(x + width).min(self.width) {
                let to = (row * self.width + column) * 4;
                self.rgba[to..to + 4].copy_from_slice(&color);
            }
        }
    }

    /// The mean color of a cell, each channel weighted with alpha.
    fn mean(&self, column: usize, row: usize) -> [f64; 4] {
        let mut sum = [0.0; 4];
        let mut num = 0.0;
        for y in row..(row + CELL).min(self.height) {
            for x in column..(column + CELL).min(self.width) {
                let at = (y * self.width + x) * 4;
                let alpha = f64::from(self.rgba[at + 3]);
                for (channel, sum) in sum.iter_mut().enumerate().take(3) {
                    *sum += f64::from(self.rgba[at + channel]) * alpha / 255.0;
                }
                sum[3] += alpha;
                num += 1.0;
            }
        }
        sum.map(|sum| sum / num)
    }

    /// The length of all edges in a cell, in edges of [`CELL`] pixels with 255 levels: the differences between neighbors,
    /// summed along rows and along columns, which are the two components of the length. A hatching of thin lines has several.
    fn edges(&self, column: usize, row: usize) -> f64 {
        let at = |x: usize, y: usize, channel: usize| {
            let at = (y * self.width + x) * 4;
            f64::from(self.rgba[at + channel]) * f64::from(self.rgba[at + 3]) / 255.0
        };
        let (end_x, end_y) = ((column + CELL).min(self.width), (row + CELL).min(self.height));
        let mut most = 0.0_f64;
        for channel in 0..3 {
            let (mut along_rows, mut along_columns) = (0.0, 0.0);
            for y in row..end_y {
                for x in column..end_x {
                    let here = at(x, y, channel);
                    if x + 1 < end_x {
                        along_rows += (at(x + 1, y, channel) - here).abs();
                    }
                    if y + 1 < end_y {
                        along_columns += (at(x, y + 1, channel) - here).abs();
                    }
                }
            }
            most = most.max(f64::hypot(along_rows, along_columns));
        }
        most / EDGE
    }

    /// The cells whose means differ by more than [`TOLERANCE`], as positions in pixels with the difference. A cell that has
    /// several edges in both pictures may differ as often as it has edges. A cell may differ twice as much if it does alone
    /// among its neighbors: engines divide a curve into different lines.
    ///
    /// # Errors
    /// The pictures have different sizes.
    pub fn differences(&self, other: &Self) -> Result<Vec<(usize, usize, f64)>, Error> {
        if (self.width, self.height) != (other.width, other.height) {
            return Err(format!(
                "{}x{} and {}x{} pixels",
                self.width, self.height, other.width, other.height
            )
            .into());
        }
        let mut found = Vec::new();
        for y in (0..self.height).step_by(CELL) {
            for x in (0..self.width).step_by(CELL) {
                let (here, there) = (self.mean(x, y), other.mean(x, y));
                let difference = here
                    .iter()
                    .zip(there)
                    .map(|(here, there)| (here - there).abs())
                    .fold(0.0, f64::max);
                if difference > TOLERANCE && difference > TOLERANCE * self.edges(x, y).min(other.edges(x, y))
                {
                    found.push((x, y, difference));
                }
            }
        }
        let is_near = |one: usize, other: usize| one.abs_diff(other) <= CELL;
        let has_neighbor = |&(x, y, _): &(usize, usize, f64)| {
            let near = found
                .iter()
                .filter(|other| is_near(x, other.0) && is_near(y, other.1));
            // Itself, and another.
            near.count() > 1
        };
        let found = found
            .iter()
            .filter(|cell| cell.2 > 2.0 * TOLERANCE || has_neighbor(cell))
            .copied()
            .collect();
        Ok(found)
    }
}

#[cfg(test)]
mod tests {
    use super::{CELL, Picture};

    /// A white picture with a gray square.
    fn square(gray: u8, at: usize) -> Picture {
        let (width, height) = (64, 48);
        let mut rgba = vec![255; width * height * 4];
        for y in at..at + 3 * CELL {
            for x in at..at + 3 * CELL {
                let at = (y * width + x) * 4;
                rgba[at..at + 3].fill(gray);
            }
        }
        Picture { width, height, rgba }
    }

    #[test]
    fn a_missing_or_moved_shape_differs_and_a_soft_edge_does_not() {
        let picture = square(150, 10);
        assert_eq!(picture.differences(&picture).expect("one size"), []);
        assert_eq!(picture.differences(&square(160, 10)).expect("one size"), []);
        let mut missing = picture.clone();
        missing.erase((10, 10), (3 * CELL, 3 * CELL));
        assert_eq!(missing, square(255, 10));
        assert!(picture.differences(&missing).expect("one size").len() >= 9);
        assert!(
            !picture
                .differences(&square(150, 11))
                .expect("one size")
                .is_empty()
        );
        // Columns of two grays in turn, in 12 rows of cells: three edges in each row of a cell.
        let columns = |dark: u8| {
            let mut hatched = square(255, 10);
            for (idx, pixel) in hatched.rgba.chunks_exact_mut(4).enumerate() {
                pixel[..3].fill(if idx % 2 == 0 { dark } else { 255 });
            }
            hatched
        };
        assert_eq!(columns(0).differences(&columns(60)).expect("one size"), []);
        assert!(
            !columns(0)
                .differences(&columns(120))
                .expect("one size")
                .is_empty()
        );
        // One color in place of the columns, with nearly their mean.
        let mut even = square(255, 10);
        for pixel in even.rgba.chunks_exact_mut(4) {
            pixel[..3].fill(105);
        }
        assert!(!columns(0).differences(&even).expect("one size").is_empty());
        // A spot in one cell, a darker one, and one that reaches into the next cell.
        let spot = |columns: usize| {
            let mut spotted = picture.clone();
            for x in 32..32 + columns {
                for y in 32..34 {
                    let at = (y * picture.width + x) * 4;
                    spotted.rgba[at..at + 3].fill(60);
                }
            }
            spotted.differences(&picture).expect("one size").len()
        };
        assert_eq!((spot(1), spot(2), spot(5)), (0, 1, 2));
        let mut other = picture.clone();
        other.height -= 1;
        assert!(picture.differences(&other).is_err());
    }
}
