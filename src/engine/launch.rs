//! What a launch is: dimensions, arguments, and the rules by which buffers are filled.

pub mod texture;

use serde::{Deserialize, Serialize};

use self::texture::Texture;
use crate::isa::ElemType;

/// How a buffer is filled before the launch.
///
/// The base value of element i is given by the variant, taken modulo `modulo` if there is one, then
/// multiplied by `scale` and added to `offset` (in double precision for floating types, in exact
/// integers cut to the type's width for integers).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Fill {
    /// Base values.
    pub pattern: Pattern,
    /// Base values are taken modulo this.
    pub modulo: Option<u64>,
    /// Factor; 1 if absent.
    pub scale: Option<f64>,
    /// Summand; 0 if absent.
    pub offset: Option<f64>,
}

/// Base values of a buffer's elements.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Pattern {
    /// All zero.
    Zero,
    /// All this value.
    Const(f64),
    /// These values.
    List(Vec<f64>),
    /// 0, 1, 2, …
    Iota,
    /// A linear congruential sequence: x = x * 1664525 + 1013904223 mod 2^32 from this seed.
    Lcg(u32),
    /// A permutation of 0..len from this seed.
    Perm(u32),
    /// Nothing is written, as cudaMalloc leaves a buffer: every byte is [`UNWRITTEN_BYTE`], whatever the
    /// modulus, factor, and summand. Initcheck reports reads of it.
    Unset,
}

/// The byte that stands for memory that nobody wrote.
pub const UNWRITTEN_BYTE: u8 = 0xcd;

/// What a buffer is for; decides what is compared after a run.
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
    /// A number, as its bits (low `ElemType::bytes` bytes).
    Scalar {
        /// Its type.
        ty: ElemType,
        /// Its bits.
        bits: u64,
    },
    /// A struct by value: its bytes.
    Bytes(Vec<u8>),
    /// A pointer to a buffer of its own, aligned to 256 bytes at least.
    Buffer {
        /// Element type.
        elem: ElemType,
        /// Elements.
        len: u32,
        /// First contents.
        fill: Fill,
        /// What it is for.
        role: Role,
    },
    /// A texture or surface object, or a reference to one.
    Texture(Box<Texture>),
}

impl Argument {
    /// Type, number, first contents, and purpose of the elements that the argument stands for, if any.
    pub fn elements(&self) -> Option<(ElemType, u32, &Fill, Role)> {
        match self {
            Self::Scalar { .. } | Self::Bytes(_) => None,
            Self::Buffer {
                elem,
                len,
                fill,
                role,
            } => Some((*elem, *len, fill, *role)),
            Self::Texture(texture) => {
                Some((texture.elem, texture.num_elements(), &texture.fill, texture.role))
            }
        }
    }
}

/// `__constant__` or `__device__` contents given with the launch.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SymbolFill {
    /// The variable's name.
    pub symbol: String,
    /// Element type.
    pub elem: ElemType,
    /// Elements.
    pub len: u32,
    /// Contents.
    pub fill: Fill,
}

/// One launch of a kernel.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Launch {
    /// Blocks in x, y, z.
    pub grid: [u32; 3],
    /// Threads of a block in x, y, z.
    pub block: [u32; 3],
    /// Dynamic shared memory in bytes.
    pub dynamic_shared: u32,
    /// Arguments in order.
    pub args: Vec<Argument>,
    /// Contents of named variables.
    pub symbols: Vec<SymbolFill>,
}

impl Fill {
    /// A pattern as it is, without modulus, factor or offset.
    pub const fn of(pattern: Pattern) -> Self {
        Self {
            pattern,
            modulo: None,
            scale: None,
            offset: None,
        }
    }

    /// The bytes of a buffer of `len` elements, little-endian.
    pub fn bytes(&self, elem: ElemType, len: u32) -> Vec<u8> {
        let (scale, offset) = (self.scale.unwrap_or(1.0), self.offset.unwrap_or(0.0));
        let float = |base: f64| base * scale + offset;
        let is_whole = scale == scale.trunc() && offset == offset.trunc();
        // No element has more than 64 bits, so no more are needed of products and sums.
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
                self.elements(len, draw, |base| (int(base) as u8).to_le_bytes())
            }
            ElemType::I16 | ElemType::U16 => {
                let draw = |x| i128::from(x >> 16);
                self.elements(len, draw, |base| (int(base) as u16).to_le_bytes())
            }
            ElemType::I32 | ElemType::U32 => {
                let draw = |x| i128::from(x >> 8);
                self.elements(len, draw, |base| (int(base) as u32).to_le_bytes())
            }
            ElemType::I64 | ElemType::U64 => {
                let draw = |x| (i128::from(x) << 32) + i128::from(x >> 8);
                self.elements(len, draw, |base| int(base).to_le_bytes())
            }
            ElemType::F16 => {
                let draw = |x| f64::from(x >> 21) / 2048.0;
                self.elements(len, draw, |base| f16_bits(float(base)).to_le_bytes())
            }
            ElemType::F32 => {
                // 24 bits, which a float holds exactly.
                let draw = |x| f64::from(x >> 8) / 16_777_216.0;
                self.elements(len, draw, |base| (float(base) as f32).to_le_bytes())
            }
            ElemType::F64 => {
                let draw = |x| f64::from(x) / 4_294_967_296.0;
                self.elements(len, draw, |base| float(base).to_le_bytes())
            }
        }
    }

    /// Elements of `N` bytes: what `encode` makes of base values, which `draw` makes of numbers of the
    /// generator. Compiled for each type and pattern, as buffers are large and the page makes them in one task.
    fn elements<B: Base, const N: usize>(
        &self,
        len: u32,
        draw: impl Fn(u32) -> B,
        encode: impl Fn(B) -> [u8; N],
    ) -> Vec<u8> {
        let modulo = self.modulo.filter(|modulo| *modulo != 0);
        let count = |count: u32| {
            let count = u64::from(count);
            encode(B::count(modulo.map_or(count, |modulo| count % modulo)))
        };
        let given = |value: f64| {
            let value = B::given(value);
            encode(modulo.map_or(value, |modulo| value.modulo(modulo)))
        };
        let indices = 0..len;
        let elements: Vec<[u8; N]> = match &self.pattern {
            Pattern::Zero => vec![count(0); len as usize],
            Pattern::Const(value) => vec![given(*value); len as usize],
            Pattern::List(values) => {
                let value = |i: u32| values.get(i as usize).copied().unwrap_or(0.0);
                indices.map(|i| given(value(i))).collect()
            }
            Pattern::Iota => indices.map(count).collect(),
            Pattern::Lcg(seed) => {
                let mut generator = Lcg(*seed);
                if self.modulo.is_some() {
                    indices.map(|_| count(generator.step() >> 8)).collect()
                } else {
                    indices.map(|_| encode(draw(generator.step()))).collect()
                }
            }
            Pattern::Perm(seed) => Lcg(*seed).permutation(len).into_iter().map(count).collect(),
            Pattern::Unset => vec![[UNWRITTEN_BYTE; N]; len as usize],
        };
        elements.into_flattened()
    }
}

/// A base value: a double for floating types; those of integers stay exact.
trait Base: Copy {
    fn given(value: f64) -> Self;
    fn count(count: u64) -> Self;
    fn modulo(self, modulo: u64) -> Self;
}

impl Base for f64 {
    fn given(value: f64) -> Self {
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
    fn given(value: f64) -> Self {
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

/// The half-precision number nearest to a double, ties to even.
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
    // A rounded significand of 2048 carries into the exponent by itself.
    let biased = ((exponent + 14) << 10) as u16;
    sign | (biased + rounded)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first number of the generator is `0x3d20_bdba`.
    #[test]
    fn a_random_number_is_its_highest_bits() {
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
    fn a_random_number_below_another_is_the_same_in_every_type() {
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
    fn given_values_beyond_a_type_are_cut_after_the_arithmetic() {
        let values = Fill {
            modulo: Some(1000),
            scale: Some(0.5),
            ..Fill::of(Pattern::List(vec![-1.0, 70_000.0, 1e30]))
        };
        // -1 modulo 1000 is 999 of integers and -1 of floats; what is not in the list is 0.
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
    fn integers_are_cut_to_their_width() {
        let fill = Fill {
            pattern: Pattern::Iota,
            modulo: Some(3),
            scale: Some(-100.0),
            offset: Some(-100.0),
        };
        assert_eq!(fill.bytes(ElemType::I8, 4), [156, 56, 212, 156]);
    }
}
