//! A kernel launch: dimensions, arguments, and the initial contents of buffers.

pub mod addresses;
mod repair;
pub mod texture;

use serde::{Deserialize, Serialize};

use self::addresses::{Target, Word};
pub use self::repair::Repair;
use self::texture::Texture;
use crate::isa::ElemType;

/// The initial contents of a buffer.
///
/// Element i is `(base mod modulo) * scale + offset`, where the pattern gives `base`. Floating-point types compute in
/// double precision; integer types compute exactly and truncate the result to the type's width.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Fill {
    /// The pattern of base values.
    pub pattern: Pattern,
    /// The modulus of base values, if any.
    pub modulo: Option<u64>,
    /// The factor; 1 if absent.
    pub scale: Option<f64>,
    /// The summand; 0 if absent.
    pub offset: Option<f64>,
}

/// The base values of a buffer's elements.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Pattern {
    /// Zero in every element.
    Zero,
    /// The same value in every element.
    Const(f64),
    /// A list of values; elements beyond the list are 0.
    List(Vec<f64>),
    /// The element index: 0, 1, 2, …
    Iota,
    /// A linear congruential sequence: x = x * 1664525 + 1013904223 mod 2^32 from this seed.
    Lcg(u32),
    /// A permutation of 0..len from this seed.
    Perm(u32),
    /// No initialization, as after cudaMalloc: every byte is [`UNWRITTEN_BYTE`], independent of modulus, factor, and
    /// summand. Initcheck reports reads of the buffer.
    Unset,
    /// Words of 8 bytes, including addresses, independent of modulus, factor, and summand; only for elements of 8
    /// bytes. Words beyond the list are 0.
    Words(Vec<Word>),
}

/// The byte that represents uninitialized memory.
pub const UNWRITTEN_BYTE: u8 = 0xcd;

/// The role of a buffer, which decides whether its contents are compared after a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs, reason = "named after themselves")]
pub enum Role {
    In,
    Out,
    InOut,
    Scratch,
}

/// An argument of a kernel.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Argument {
    /// A scalar, as bits in the low `ElemType::bytes` bytes.
    Scalar {
        /// The type.
        ty: ElemType,
        /// The bits.
        bits: u64,
    },
    /// A struct by value, as bytes.
    Bytes(Vec<u8>),
    /// A pointer into a buffer of its own, which is aligned to at least 256 bytes.
    Buffer {
        /// The element type.
        elem: ElemType,
        /// The number of elements.
        len: u32,
        /// The initial contents.
        fill: Fill,
        /// The role of the buffer.
        role: Role,
        /// Bytes from the buffer's first byte to where the pointer points. The place can be outside of the buffer.
        #[serde(default)]
        start: i64,
    },
    /// A pointer into the memory of another argument or of a variable.
    Pointer {
        /// The type of the elements behind it.
        elem: ElemType,
        /// Whether the kernel reads or writes through it.
        role: Role,
        /// Where it points.
        to: Target,
    },
    /// A struct by value that holds pointers, as words.
    Words(Vec<Word>),
    /// A texture or surface object, or a reference to one.
    Texture(Box<Texture>),
}

impl Argument {
    /// Returns the bytes that the argument takes in global memory; 0 for values.
    pub fn memory_bytes(&self) -> u64 {
        match self {
            Self::Scalar { .. } | Self::Bytes(_) | Self::Pointer { .. } | Self::Words(_) => 0,
            Self::Buffer { elem, len, .. } => u64::from(elem.bytes()) * u64::from(*len),
            Self::Texture(texture) => texture.memory_bytes(),
        }
    }

    /// Returns the bytes that the contents take; one value in all elements takes a page at most.
    pub fn stored_bytes(&self) -> u64 {
        match self {
            Self::Buffer { fill, .. } if fill.is_uniform() => self.memory_bytes().min(CHUNK_BYTES as u64),
            _ => self.memory_bytes(),
        }
    }

    /// Returns the type, number, initial contents, and role of the elements in the argument's own memory, if it has memory.
    /// [`Launch::elements`] gives those that an argument shows.
    pub fn elements(&self) -> Option<(ElemType, u32, &Fill, Role)> {
        match self {
            Self::Scalar { .. } | Self::Bytes(_) | Self::Pointer { .. } | Self::Words(_) => None,
            Self::Buffer {
                elem,
                len,
                fill,
                role,
                ..
            } => Some((*elem, *len, fill, *role)),
            Self::Texture(texture) => {
                Some((texture.elem, texture.num_elements(), &texture.fill, texture.role))
            }
        }
    }
}

/// The initial contents of a `__constant__` or `__device__` variable.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SymbolFill {
    /// The name of the variable.
    pub symbol: String,
    /// The element type.
    pub elem: ElemType,
    /// The number of elements.
    pub len: u32,
    /// The initial contents.
    pub fill: Fill,
}

/// Limit of the bytes that the contents of all buffers, textures, and surfaces of a launch take; one value in all elements takes
/// a page. Assumption: a run of 10 million cycles on one SM
/// reads about 200 MB; the page holds the start and the end of several runs, and a browser gives it 4 GB at most, on a
/// tablet about 1 GB.
pub const MAX_LAUNCH_BYTES: u64 = 256 << 20;

/// Limit of the addresses of all buffers of a launch. Assumption: no GPU of the architectures has more than 80 GB (H100), and a
/// program that runs on others takes less.
pub const MAX_ADDRESSED_BYTES: u64 = 64 << 30;

/// One launch of a kernel.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Launch {
    /// Blocks of the grid in x, y, z.
    pub grid: [u32; 3],
    /// Threads of a block in x, y, z.
    pub block: [u32; 3],
    /// Dynamic shared memory per block in bytes.
    pub dynamic_shared: u32,
    /// Arguments in order.
    pub args: Vec<Argument>,
    /// Initial contents of named variables.
    pub symbols: Vec<SymbolFill>,
}

impl Launch {
    /// Blocks of the grid.
    pub fn num_blocks(&self) -> u64 {
        product(self.grid)
    }

    /// Bytes of global memory that the arguments take.
    pub fn memory_bytes(&self) -> u64 {
        self.args
            .iter()
            .map(Argument::memory_bytes)
            .fold(0, u64::saturating_add)
    }

    /// Bytes that the contents of the arguments take.
    pub fn stored_bytes(&self) -> u64 {
        self.args
            .iter()
            .map(Argument::stored_bytes)
            .fold(0, u64::saturating_add)
    }

    /// Threads of a block.
    pub fn threads_per_block(&self) -> u64 {
        product(self.block)
    }
}

fn product(extents: [u32; 3]) -> u64 {
    // A link can state a grid whose product exceeds 64 bits.
    extents.iter().fold(1, |product: u64, extent| {
        product.saturating_mul(u64::from(*extent))
    })
}

impl Fill {
    /// Returns a fill with a pattern only, without modulus, factor, and summand.
    pub const fn of(pattern: Pattern) -> Self {
        Self {
            pattern,
            modulo: None,
            scale: None,
            offset: None,
        }
    }

    /// Whether all elements have one value.
    pub const fn is_uniform(&self) -> bool {
        matches!(self.pattern, Pattern::Zero | Pattern::Const(_) | Pattern::Unset)
    }

    /// Returns the bytes of a buffer of `len` elements, in little-endian order.
    pub fn bytes(&self, elem: ElemType, len: u32) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(len as usize * elem.bytes() as usize);
        self.write(elem, len, &mut |chunk| bytes.extend_from_slice(chunk));
        bytes
    }

    /// Writes the bytes of a buffer of `len` elements, in little-endian order, in chunks of [`CHUNK_BYTES`]; the last
    /// chunk can be shorter.
    pub fn write(&self, elem: ElemType, len: u32, sink: &mut dyn FnMut(&[u8])) {
        if let Pattern::Words(words) = &self.pattern {
            debug_assert!(elem.bytes() == 8, "words have 8 bytes");
            let bits = |i: u32| match words.get(i as usize) {
                Some(Word::Bits(bits)) => *bits,
                // The memory of the launch decides the address.
                Some(Word::Address(_)) | None => 0,
            };
            write_chunks((0..len).map(|i| bits(i).to_le_bytes()), sink);
            return;
        }
        let (scale, offset) = (self.scale.unwrap_or(1.0), self.offset.unwrap_or(0.0));
        let float = |base: f64| base * scale + offset;
        let is_whole = scale == scale.trunc() && offset == offset.trunc();
        // No element has more than 64 bits, so wrapping 64-bit products and sums are sufficient.
        let [whole_scale, whole_offset] = [scale, offset].map(|value| value as i128 as u64);
        let int = |base: i128| {
            if is_whole {
                (base as u64).wrapping_mul(whole_scale).wrapping_add(whole_offset)
            } else {
                float(base as f64) as i128 as u64
            }
        };
        match elem {
            ElemType::I8 | ElemType::U8 => {
                let draw = |x| i128::from(x >> 24);
                self.elements(len, draw, |base| (int(base) as u8).to_le_bytes(), sink);
            }
            ElemType::I16 | ElemType::U16 => {
                let draw = |x| i128::from(x >> 16);
                self.elements(len, draw, |base| (int(base) as u16).to_le_bytes(), sink);
            }
            ElemType::I32 | ElemType::U32 => {
                let draw = |x| i128::from(x >> 8);
                self.elements(len, draw, |base| (int(base) as u32).to_le_bytes(), sink);
            }
            ElemType::I64 | ElemType::U64 => {
                let draw = |x| (i128::from(x) << 32) + i128::from(x >> 8);
                self.elements(len, draw, |base| int(base).to_le_bytes(), sink);
            }
            ElemType::F16 => {
                let draw = |x| f64::from(x >> 21) / 2048.0;
                self.elements(len, draw, |base| f16_bits(float(base)).to_le_bytes(), sink);
            }
            ElemType::F32 => {
                // 24 bits, which a float represents exactly.
                let draw = |x| f64::from(x >> 8) / 16_777_216.0;
                self.elements(len, draw, |base| (float(base) as f32).to_le_bytes(), sink);
            }
            ElemType::F64 => {
                let draw = |x| f64::from(x) / 4_294_967_296.0;
                self.elements(len, draw, |base| float(base).to_le_bytes(), sink);
            }
        }
    }

    /// Writes elements of `N` bytes. `draw` maps random numbers to base values, and `encode` maps values to bytes.
    ///
    /// Generic over type and pattern for speed, because buffers are large and the page fills them in one task.
    fn elements<B: Base, const N: usize>(
        &self,
        len: u32,
        draw: impl Fn(u32) -> B,
        encode: impl Fn(B) -> [u8; N],
        sink: &mut dyn FnMut(&[u8]),
    ) {
        let modulo = self.modulo.filter(|modulo| *modulo != 0);
        let count = |count: u32| {
            let count = u64::from(count);
            encode(B::count(modulo.map_or(count, |modulo| count % modulo)))
        };
        let from_value = |value: f64| {
            let value = B::from_f64(value);
            encode(modulo.map_or(value, |modulo| value.modulo(modulo)))
        };
        let indices = 0..len;
        match &self.pattern {
            Pattern::Zero => write_repeated(count(0), len, sink),
            Pattern::Const(value) => write_repeated(from_value(*value), len, sink),
            Pattern::List(values) => {
                let value = |i: u32| values.get(i as usize).copied().unwrap_or(0.0);
                write_chunks(indices.map(|i| from_value(value(i))), sink);
            }
            Pattern::Iota => write_chunks(indices.map(count), sink),
            Pattern::Lcg(seed) => {
                let mut generator = Lcg(*seed);
                if self.modulo.is_some() {
                    write_chunks(indices.map(|_| count(generator.step() >> 8)), sink);
                } else {
                    write_chunks(indices.map(|_| encode(draw(generator.step()))), sink);
                }
            }
            Pattern::Perm(seed) => write_chunks(Lcg(*seed).permutation(len).into_iter().map(count), sink),
            Pattern::Unset => write_repeated([UNWRITTEN_BYTE; N], len, sink),
            // `write` has written them.
            Pattern::Words(_) => {}
        }
    }
}

/// Bytes of the chunks in which a buffer's contents are generated: a page of memory, so that a buffer is never in memory
/// twice.
pub const CHUNK_BYTES: usize = 4096;

fn write_chunks<const N: usize>(elements: impl Iterator<Item = [u8; N]>, sink: &mut dyn FnMut(&[u8])) {
    let capacity = CHUNK_BYTES / N;
    let mut chunk = Vec::with_capacity(capacity);
    for element in elements {
        chunk.push(element);
        if chunk.len() == capacity {
            sink(chunk.as_flattened());
            chunk.clear();
        }
    }
    if !chunk.is_empty() {
        sink(chunk.as_flattened());
    }
}

fn write_repeated<const N: usize>(element: [u8; N], len: u32, sink: &mut dyn FnMut(&[u8])) {
    let capacity = CHUNK_BYTES / N;
    let chunk = vec![element; capacity.min(len as usize)];
    let mut left = len as usize;
    while left > 0 {
        let num = left.min(capacity);
        sink(chunk[..num].as_flattened());
        left -= num;
    }
}

/// A base value: a double for floating-point types, an exact integer for integer types.
trait Base: Copy {
    fn from_f64(value: f64) -> Self;
    fn count(count: u64) -> Self;
    fn modulo(self, modulo: u64) -> Self;
}

impl Base for f64 {
    fn from_f64(value: f64) -> Self {
        value
    }

    fn count(count: u64) -> Self {
        count as Self
    }

    fn modulo(self, modulo: u64) -> Self {
        libm::fmod(self, modulo as Self)
    }
}

impl Base for i128 {
    fn from_f64(value: f64) -> Self {
        value as Self
    }

    fn count(count: u64) -> Self {
        count.into()
    }

    fn modulo(self, modulo: u64) -> Self {
        self.rem_euclid(modulo.into())
    }
}

struct Lcg(u32);

impl Lcg {
    fn step(&mut self) -> u32 {
        self.0 = self.0.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        self.0
    }

    fn permutation(mut self, len: u32) -> Vec<u32> {
        let mut p: Vec<u32> = (0..len).collect();
        for k in (1..len).rev() {
            let j = (self.step() >> 8) % (k + 1);
            p.swap(k as usize, j as usize);
        }
        p
    }
}

/// Returns the half-precision number nearest to a double, with ties to even.
pub fn f16_bits(value: f64) -> u16 {
    let sign = if value.is_sign_negative() { 0x8000 } else { 0 };
    let magnitude = value.abs();
    if magnitude.is_nan() {
        return 0x7fff;
    }
    if magnitude >= 65_520.0 {
        return sign | 0x7c00;
    }
    // Below 2^-14 the spacing is 2^-24; above, it is 2^-10 of the leading power of two.
    let exponent = ((magnitude.to_bits() >> 52) as i32 - 1023).max(-14);
    let scaled = libm::ldexp(magnitude, 10 - exponent);
    let rounded = libm::rint(scaled) as u16;
    // A significand that rounds to 2048 carries into the exponent without a special case.
    let biased = ((exponent + 14) << 10) as u16;
    sign | (biased + rounded)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first number of the generator is `0x3d20_bdba`.
    #[test]
    fn random_values_are_the_highest_bits() {
        use ElemType::{F16, F32, F64, I8, I16, I32, I64, U8, U16, U32, U64};
        for (elem, bits) in [
            (I8, 0x3d),
            (U8, 0x3d),
            (I16, 0x3d20),
            (U16, 0x3d20),
            (I32, 0x3d_20bd),
            (U32, 0x3d_20bd),
            (I64, 0x3d20_bdba_003d_20bd),
            (U64, 0x3d20_bdba_003d_20bd),
            (F16, 0x33a4),
            (F32, u64::from((4_006_077.0_f32 / 16_777_216.0).to_bits())),
            (F64, (1_025_555_898.0_f64 / 4_294_967_296.0).to_bits()),
        ] {
            let bits: [u8; 8] = bits.to_le_bytes();
            let bytes = Fill::of(Pattern::Lcg(7)).bytes(elem, 999);
            let width = elem.bytes() as usize;
            assert_eq!(bytes.len(), 999 * width);
            assert_eq!(bytes[..width], bits[..width], "{elem:?}");
        }
    }

    #[test]
    fn random_values_below_a_modulus_are_equal_in_every_type() {
        let below = Fill {
            modulo: Some(100),
            ..Fill::of(Pattern::Lcg(7))
        };
        assert_eq!(below.bytes(ElemType::U8, 1), [77]);
        assert_eq!(below.bytes(ElemType::I64, 1), 77_u64.to_le_bytes());
        assert_eq!(below.bytes(ElemType::F32, 1), 77.0_f32.to_le_bytes());
        assert_eq!(below.bytes(ElemType::F64, 1), 77.0_f64.to_le_bytes());
    }

    #[test]
    fn listed_values_are_truncated_after_the_arithmetic() {
        let values = Fill {
            modulo: Some(1000),
            scale: Some(0.5),
            ..Fill::of(Pattern::List(vec![-1.0, 70_000.0, 1e30]))
        };
        // -1 modulo 1000 is 999 for integers and -1 for floats. Elements beyond the list are 0.
        let last = (10_u128.pow(30) as f64 as u128 % 1000 / 2) as u16;
        let ints: Vec<u8> = [499, 0, last, 0].into_iter().flat_map(u16::to_le_bytes).collect();
        assert_eq!(values.bytes(ElemType::U16, 4), ints);
        assert_eq!(values.bytes(ElemType::F32, 1), (-0.5_f32).to_le_bytes());
    }

    #[test]
    fn a_permutation_holds_every_index_once() {
        let bytes = Fill::of(Pattern::Perm(8)).bytes(ElemType::I32, 1000);
        let mut seen = vec![false; 1000];
        for word in bytes.chunks_exact(4) {
            let i = u32::from_le_bytes([word[0], word[1], word[2], word[3]]) as usize;
            assert!(!seen[i]);
            seen[i] = true;
        }
    }

    #[test]
    fn halves_round_to_even() {
        for (value, bits) in [
            (1.0, 0x3c00),
            (-2.0, 0xc000),
            (65_504.0, 0x7bff),
            (65_519.9, 0x7bff),
            (65_520.0, 0x7c00),
            (5.960_464_477_539_063e-8, 0x0001),
            (2.980_232_238_769_531e-8, 0x0000),
            (6.103_515_625e-5, 0x0400),
            (6.097_555_160_522_461e-5, 0x03ff),
            (1.0 + 1.0 / 2048.0, 0x3c00),
            (1.0 + 3.0 / 2048.0, 0x3c02),
            (0.0, 0),
        ] {
            assert_eq!(f16_bits(value), bits, "{value}");
        }
    }

    #[test]
    fn integers_are_truncated_to_their_width() {
        let fill = Fill {
            pattern: Pattern::Iota,
            modulo: Some(3),
            scale: Some(-100.0),
            offset: Some(-100.0),
        };
        assert_eq!(fill.bytes(ElemType::I8, 4), [156, 56, 212, 156]);
    }
}
