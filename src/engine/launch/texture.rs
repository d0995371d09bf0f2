//! Textures and surfaces: contents, memory layout, and the result of a fetch.
//!
//! The formulas are from the CUDA C++ Programming Guide, "Texture Fetching". The guide gives the weights of a linear
//! filter 8 fractional bits without stating the rounding. Assumed: round to nearest, because the guide states that 1 is
//! represented exactly. The weighted sum is rounded once.

use serde::{Deserialize, Serialize};

use super::{Fill, Role};
use crate::isa::{Boundary, ElemType, ImageShape, TexelChoice};

/// The maximum number of texels that one fetch of a lane reads: the corners of a cube.
pub const MAX_TEXELS: usize = 8;

/// The filter mode of a texture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Filter {
    /// The texel that contains the coordinates (`cudaFilterModePoint`).
    #[default]
    Point,
    /// Linear interpolation along each axis (`cudaFilterModeLinear`).
    Linear,
}

/// The address mode for coordinates outside the texture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum AddressMode {
    /// The nearest texel (`cudaAddressModeClamp`).
    #[default]
    Clamp,
    /// The texture repeats (`cudaAddressModeWrap`); normalized coordinates only.
    Wrap,
    /// The texture repeats with alternate copies mirrored (`cudaAddressModeMirror`); normalized coordinates only.
    Mirror,
    /// Zero (`cudaAddressModeBorder`).
    Border,
}

/// The memory layout of texels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Layout {
    /// A CUDA array, as `cudaMallocArray` allocates.
    ///
    /// Textures with two or more dimensions are stored in blocks of 64 bytes by 8 rows, row by row of blocks. A
    /// 32-byte sector of a block holds 16 bytes of two rows. This layout is an assumption: NVIDIA documents only that
    /// texels near each other in two dimensions are near each other in memory.
    #[default]
    Array,
    /// Row by row, as in memory from `cudaMallocPitch` and in linear memory.
    Linear,
}

/// The sampling parameters of a texture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sampler {
    /// The filter mode.
    pub filter: Filter,
    /// The address mode of each axis.
    pub address: [AddressMode; 3],
    /// Whether coordinates range from 0 to 1 instead of from 0 to the number of texels.
    pub normalized: bool,
    /// Whether integers are returned as fractions of their type's maximum (`cudaReadModeNormalizedFloat`).
    pub reads_fractions: bool,
}

/// A texture or surface: its elements and sampling parameters.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Texture {
    /// The type of a channel.
    pub elem: ElemType,
    /// The number of channels per texel: 1, 2, or 4.
    pub channels: u8,
    /// The shape.
    pub shape: ImageShape,
    /// Texels along x, y, and z, or 1 for a missing axis. Layers and cube faces (six per layer) count along z.
    pub extent: [u32; 3],
    /// The memory layout.
    pub layout: Layout,
    /// The sampling parameters.
    pub sampler: Sampler,
    /// The initial contents: channel by channel, then texel by texel, row by row, and layer by layer.
    pub fill: Fill,
    /// The role: `In` for textures, `InOut` for surfaces.
    pub role: Role,
}

/// The words of the four channels that a fetch returns.
pub type Texel = [u32; 4];

/// The texels that a fetch reads, and their weights.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Footprint {
    /// Byte offsets from the start of the texture; `None` outside a border.
    pub offsets: [Option<u64>; MAX_TEXELS],
    /// The weights in units of 2^-24.
    weights: [u32; MAX_TEXELS],
    /// The number of texels.
    pub num: usize,
    /// The channel of each texel that a gather returns.
    gathered: Option<u8>,
}

/// The error of an access outside a surface, or at an x coordinate that is not a multiple of the access size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BeyondSurface;

/// One or two texels along an axis, with weights in units of 1/256.
type Taps = [(Option<u32>, u32); 2];

const ONE: u32 = 256;

impl Texture {
    /// Returns the bytes per texel.
    pub const fn texel_bytes(&self) -> u32 {
        self.elem.bytes() * self.channels as u32
    }

    /// Returns the number of channels of all texels.
    pub fn num_elements(&self) -> u32 {
        self.extent
            .iter()
            .fold(u32::from(self.channels), |product, extent| {
                product.saturating_mul(*extent)
            })
    }

    /// Whether the layout stores blocks.
    fn is_blocked(&self) -> bool {
        self.layout == Layout::Array && !matches!(self.shape, ImageShape::D1 | ImageShape::Layered1)
    }

    /// Returns the bytes per row in memory and the rows per layer.
    fn pitch(&self) -> (u64, u64) {
        let row = u64::from(self.extent[0]) * u64::from(self.texel_bytes());
        if self.is_blocked() {
            (
                row.next_multiple_of(64),
                u64::from(self.extent[1]).next_multiple_of(8),
            )
        } else {
            (row, u64::from(self.extent[1]))
        }
    }

    /// Returns the bytes in memory, including the padding of blocks.
    pub fn memory_bytes(&self) -> u64 {
        let (row, rows) = self.pitch();
        row * rows * u64::from(self.extent[2])
    }

    /// Returns the offset of byte `x` of row `y` of layer `z` from the start of the texture.
    pub fn offset(&self, x: u64, y: u32, z: u32) -> u64 {
        let (row, rows) = self.pitch();
        let (y, z) = (u64::from(y), u64::from(z));
        if !self.is_blocked() {
            return (z * rows + y) * row + x;
        }
        let block = (y / 8) * (row / 64) + x / 64;
        let within = (x % 64 / 32) * 256 + (y % 8 / 2) * 64 + (x % 32 / 16) * 32 + (y % 2) * 16 + x % 16;
        z * row * rows + block * 512 + within
    }

    /// Returns the initial contents in memory layout.
    pub fn stored(&self) -> Vec<u8> {
        let plain = self.fill.bytes(self.elem, self.num_elements());
        let mut stored = vec![0; self.memory_bytes() as usize];
        self.pieces(|at, from, len| stored[from..from + len].copy_from_slice(&plain[at..at + len]));
        stored
    }

    /// Returns the row-by-row contents from memory layout.
    pub fn unstored(&self, stored: &[u8]) -> Vec<u8> {
        let mut plain = vec![0; (self.num_elements() * self.elem.bytes()) as usize];
        self.pieces(|at, from, len| plain[at..at + len].copy_from_slice(&stored[from..from + len]));
        plain
    }

    /// Visits contiguous pieces: offset in the row-by-row contents, offset in memory, and length in bytes.
    fn pieces(&self, mut visit: impl FnMut(usize, usize, usize)) {
        let row = u64::from(self.extent[0]) * u64::from(self.texel_bytes());
        let step = if self.is_blocked() { 16 } else { row.max(1) };
        let mut at = 0;
        for z in 0..self.extent[2] {
            for y in 0..self.extent[1] {
                let mut x = 0;
                while x < row {
                    let len = step.min(row - x);
                    visit(at, self.offset(x, y, z) as usize, len as usize);
                    at += len as usize;
                    x += len;
                }
            }
        }
    }

    /// Returns the texels that a fetch at `coordinates` (floats as words; the layer is an integer) reads.
    pub fn footprint(&self, shape: ImageShape, choice: TexelChoice, coordinates: [u32; 4]) -> Footprint {
        let float = |idx: usize| f32::from_bits(coordinates[idx]);
        let layer = |idx: usize, faces: u32| {
            let layers = (self.extent[2] / faces).max(1);
            (coordinates[idx] as i32).clamp(0, layers as i32 - 1) as u32
        };
        let nothing = [(Some(0), ONE), (None, 0)];
        let fixed = |idx: u32| [(Some(idx), ONE), (None, 0)];
        let gathered = match choice {
            TexelChoice::Gather(channel) => Some(channel),
            _ => None,
        };
        let filter = if gathered.is_some() {
            Filter::Linear
        } else {
            self.sampler.filter
        };
        let axis = |idx: usize| {
            let Sampler {
                address, normalized, ..
            } = self.sampler;
            taps(float(idx), self.extent[idx], normalized, address[idx], filter)
        };
        let [x, y, z] = match shape {
            ImageShape::D1 => [axis(0), nothing, nothing],
            ImageShape::D2 => [axis(0), axis(1), nothing],
            ImageShape::D3 => [axis(0), axis(1), axis(2)],
            ImageShape::Layered1 => [axis(0), nothing, fixed(layer(1, 1))],
            ImageShape::Layered2 => [axis(0), axis(1), fixed(layer(2, 1))],
            ImageShape::Cube | ImageShape::LayeredCube => {
                let (face, s, t) = face([float(0), float(1), float(2)]);
                let of_layer = if shape == ImageShape::Cube { 0 } else { layer(3, 6) };
                let on_face = |at: f32, extent| taps(at, extent, true, AddressMode::Clamp, filter);
                [
                    on_face(s, self.extent[0]),
                    on_face(t, self.extent[1]),
                    fixed(of_layer * 6 + face),
                ]
            }
        };
        let mut footprint = Footprint {
            offsets: [None; MAX_TEXELS],
            weights: [0; MAX_TEXELS],
            num: 0,
            gathered,
        };
        for (z_at, z_weight) in z {
            for (y_at, y_weight) in y {
                for (x_at, x_weight) in x {
                    let weight = x_weight * y_weight * z_weight;
                    if weight == 0 && gathered.is_none() {
                        continue;
                    }
                    if gathered.is_some() && (z_weight == 0 || footprint.num == 4) {
                        continue;
                    }
                    let at = match (x_at, y_at, z_at) {
                        (Some(x), Some(y), Some(z)) => {
                            Some(self.offset(u64::from(x) * u64::from(self.texel_bytes()), y, z))
                        }
                        _ => None,
                    };
                    footprint.offsets[footprint.num] = at;
                    footprint.weights[footprint.num] = weight;
                    footprint.num += 1;
                }
            }
        }
        footprint
    }

    /// Returns the result of a fetch with this footprint; `texel` reads the bytes at an offset.
    pub fn sample(&self, footprint: &Footprint, texel: impl Fn(u64, &mut [u8])) -> Texel {
        let read = |at: Option<u64>| {
            let mut bytes = [0; 16];
            if let Some(at) = at {
                texel(at, &mut bytes[..self.texel_bytes() as usize]);
            }
            self.words(&bytes)
        };
        let texels = &footprint.offsets[..footprint.num];
        if let Some(channel) = footprint.gathered {
            // Counterclockwise from (i, j + 1), as PTX specifies for tld4.
            return [2, 3, 1, 0].map(|idx| read(footprint.offsets[idx])[usize::from(channel & 3)]);
        }
        if let [only] = texels {
            return read(*only);
        }
        let mut sums = [0.0_f64; 4];
        for (at, weight) in texels.iter().zip(&footprint.weights) {
            let weight = f64::from(*weight) / f64::from(1 << 24);
            for (sum, word) in sums.iter_mut().zip(read(*at)) {
                *sum += weight * f64::from(f32::from_bits(word));
            }
        }
        sums.map(|sum| (sum as f32).to_bits())
    }

    /// Whether an access of this shape can address the texture.
    pub fn has_shape(&self, shape: ImageShape) -> bool {
        let is_cube = matches!(self.shape, ImageShape::Cube | ImageShape::LayeredCube);
        self.shape == shape || is_cube && shape == ImageShape::Layered2
    }

    /// Returns the offset of an access of `size` bytes to a surface, or `None` if the access has no effect.
    ///
    /// # Errors
    /// Returns an error if the access is out of bounds in trap mode, or if x is not a multiple of `size`.
    pub fn element(
        &self,
        shape: ImageShape,
        boundary: Boundary,
        coordinates: [u32; 4],
        size: u32,
    ) -> Result<Option<u64>, BeyondSurface> {
        let coordinate = |idx: usize| i64::from(coordinates[idx] as i32);
        let [x, y, z] = match shape {
            ImageShape::D1 => [coordinate(0), 0, 0],
            ImageShape::Layered1 => [coordinate(0), 0, coordinate(1)],
            ImageShape::D2 => [coordinate(0), coordinate(1), 0],
            _ => [coordinate(0), coordinate(1), coordinate(2)],
        };
        let row = i64::from(self.extent[0]) * i64::from(self.texel_bytes());
        let last = [
            row - i64::from(size),
            i64::from(self.extent[1]) - 1,
            i64::from(self.extent[2]) - 1,
        ];
        if x % i64::from(size) != 0 || last[0] < 0 {
            return Err(BeyondSurface);
        }
        let is_inside = [x, y, z]
            .iter()
            .zip(last)
            .all(|(at, last)| (0..=last).contains(at));
        let [x, y, z] = match boundary {
            _ if is_inside => [x, y, z],
            Boundary::Trap => return Err(BeyondSurface),
            Boundary::Zero => return Ok(None),
            Boundary::Clamp => [x.clamp(0, last[0]), y.clamp(0, last[1]), z.clamp(0, last[2])],
        };
        Ok(Some(self.offset(x as u64, y as u32, z as u32)))
    }

    /// Returns the words of a texel's channels, with zero for missing channels.
    fn words(&self, bytes: &[u8; 16]) -> Texel {
        let size = self.elem.bytes() as usize;
        let mut words = [0; 4];
        for (channel, word) in words.iter_mut().enumerate().take(usize::from(self.channels)) {
            let at = channel * size;
            let (low, pair) = (bytes[at], [bytes[at], bytes[(at + 1).min(15)]]);
            let fraction = |value: i32, most: f32| (value as f32 / most).max(-1.0).to_bits();
            let is_fraction = self.sampler.reads_fractions;
            *word = match self.elem {
                ElemType::U8 if is_fraction => fraction(i32::from(low), 255.0),
                ElemType::I8 if is_fraction => fraction(i32::from(low.cast_signed()), 127.0),
                ElemType::U16 if is_fraction => fraction(i32::from(u16::from_le_bytes(pair)), 65_535.0),
                ElemType::I16 if is_fraction => fraction(i32::from(i16::from_le_bytes(pair)), 32_767.0),
                ElemType::U8 => u32::from(low),
                ElemType::I8 => i32::from(low.cast_signed()) as u32,
                ElemType::U16 => u32::from(u16::from_le_bytes(pair)),
                ElemType::I16 => i32::from(i16::from_le_bytes(pair)) as u32,
                ElemType::F16 => half(u16::from_le_bytes(pair)).to_bits(),
                _ => u32::from_le_bytes([low, pair[1], bytes[at + 2], bytes[at + 3]]),
            };
        }
        words
    }
}

/// Returns the value of a half-precision number.
fn half(bits: u16) -> f32 {
    let magnitude = f32::from_bits(u32::from(bits & 0x7fff) << 13) * f32::from_bits(0x7780_0000);
    let magnitude = if bits & 0x7c00 == 0x7c00 {
        f32::from_bits(0x7f80_0000 | u32::from(bits & 0x3ff) << 13)
    } else {
        magnitude
    };
    if bits & 0x8000 == 0 { magnitude } else { -magnitude }
}

/// Returns the texels that a coordinate reads along an axis of `extent` texels.
fn taps(at: f32, extent: u32, normalized: bool, mode: AddressMode, filter: Filter) -> Taps {
    let (at, size) = (f64::from(at), f64::from(extent));
    let whole = libm::floor(at);
    let at = match (normalized, mode) {
        (true, AddressMode::Wrap) => (at - whole) * size,
        (true, AddressMode::Mirror) if libm::fmod(whole, 2.0) != 0.0 => (1.0 - (at - whole)) * size,
        (true, AddressMode::Mirror) => (at - whole) * size,
        (true, _) => at * size,
        (false, _) => at,
    };
    let texel = |idx: i64| {
        let extent = i64::from(extent);
        let inside = (0..extent).contains(&idx);
        match mode {
            AddressMode::Border => inside.then_some(idx as u32),
            AddressMode::Wrap if normalized => Some(idx.rem_euclid(extent) as u32),
            _ => Some(idx.clamp(0, extent - 1) as u32),
        }
    };
    match filter {
        Filter::Point => {
            // The rounded product can equal the extent of a repeating texture.
            let idx = (libm::floor(at) as i64).min(i64::MAX - 1);
            [(texel(idx), ONE), (None, 0)]
        }
        Filter::Linear => {
            let first = libm::floor(at - 0.5);
            let weight = libm::floor((at - 0.5 - first) * f64::from(ONE) + 0.5) as u32;
            let weight = weight.min(ONE);
            let idx = (first as i64).min(i64::MAX - 2);
            [(texel(idx), ONE - weight), (texel(idx + 1), weight)]
        }
    }
}

/// Returns the cube face in direction (x, y, z), and the normalized coordinates on this face.
fn face([x, y, z]: [f32; 3]) -> (u32, f32, f32) {
    let [ax, ay, az] = [x.abs(), y.abs(), z.abs()];
    let (face, s, t, m) = if ax >= ay && ax >= az {
        if x >= 0.0 { (0, -z, -y, ax) } else { (1, z, -y, ax) }
    } else if ay >= az {
        if y >= 0.0 { (2, x, z, ay) } else { (3, x, -z, ay) }
    } else if z >= 0.0 {
        (4, x, -y, az)
    } else {
        (5, -x, -y, az)
    };
    let on_face = |at: f32| 0.5 * (at / m) + 0.5;
    (face, on_face(s), on_face(t))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::launch::Pattern;

    fn texture(shape: ImageShape, extent: [u32; 3], sampler: Sampler) -> Texture {
        Texture {
            elem: ElemType::F32,
            channels: 1,
            shape,
            extent,
            layout: Layout::Array,
            sampler,
            fill: Fill::of(Pattern::Iota),
            role: Role::In,
        }
    }

    fn fetched(texture: &Texture, at: [f32; 4]) -> f32 {
        let stored = texture.stored();
        let footprint = texture.footprint(texture.shape, TexelChoice::Zero, at.map(f32::to_bits));
        let words = texture.sample(&footprint, |offset, out| {
            out.copy_from_slice(&stored[offset as usize..offset as usize + out.len()]);
        });
        f32::from_bits(words[0])
    }

    #[test]
    fn blocks_hold_every_texel_once() {
        let texture = texture(ImageShape::D3, [37, 11, 3], Sampler::default());
        assert_eq!(
            texture.unstored(&texture.stored()),
            texture.fill.bytes(ElemType::F32, 37 * 11 * 3)
        );
    }

    #[test]
    fn a_quad_of_words_is_in_one_sector() {
        let texture = texture(ImageShape::D2, [64, 64, 1], Sampler::default());
        let sector = |x: u64, y| texture.offset(4 * x, y, 0) / 32;
        assert_eq!(sector(0, 0), sector(1, 1));
        assert_eq!(sector(0, 0), sector(3, 1));
        assert_ne!(sector(0, 0), sector(4, 0));
        assert_ne!(sector(0, 0), sector(0, 2));
    }

    #[test]
    fn coordinates_outside_the_texture_follow_the_address_mode() {
        let with = |mode, at: f32| {
            let sampler = Sampler {
                address: [mode; 3],
                normalized: true,
                ..Sampler::default()
            };
            fetched(&texture(ImageShape::D1, [8, 1, 1], sampler), [at, 0.0, 0.0, 0.0])
        };
        for (mode, at, texel) in [
            (AddressMode::Clamp, -0.5, 0.0),
            (AddressMode::Clamp, 1.5, 7.0),
            (AddressMode::Wrap, -0.125, 7.0),
            (AddressMode::Wrap, 2.25, 2.0),
            (AddressMode::Mirror, 1.1, 7.0),
            (AddressMode::Mirror, -0.3, 2.0),
            (AddressMode::Border, 0.999, 7.0),
            (AddressMode::Border, 1.0, 0.0),
        ] {
            assert_eq!(with(mode, at), texel, "{mode:?} {at}");
        }
    }

    #[test]
    fn weights_have_eight_fractional_bits() {
        let sampler = Sampler {
            filter: Filter::Linear,
            ..Sampler::default()
        };
        let line = texture(ImageShape::D1, [8, 1, 1], sampler);
        let at = |x: f32| fetched(&line, [x, 0.0, 0.0, 0.0]);
        assert_eq!(at(2.5), 2.0);
        assert_eq!(at(2.75), 2.25);
        assert_eq!(at(2.5 + 1.0 / 3.0), 2.0 + 85.0 / 256.0);
        assert_eq!(at(0.1), 0.0);
        assert_eq!(at(9.0), 7.0);
    }

    #[test]
    fn half_precision_texels_return_their_values() {
        for (bits, value) in [
            (0x3c00, 1.0),
            (0xc000, -2.0),
            (0x7bff, 65_504.0),
            (1, 5.960_464_5e-8),
            (0x7c00, f32::INFINITY),
        ] {
            assert_eq!(half(bits), value);
        }
    }
}
