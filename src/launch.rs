//! What a launch is: dimensions, arguments, and the rules by which buffers are filled.

use serde::{Deserialize, Serialize};

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
}

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
    /// The bytes of a buffer of `len` elements, little-endian.
    pub fn bytes(&self, elem: ElemType, len: u32) -> Vec<u8> {
        let mut out = Vec::with_capacity((len * elem.bytes()) as usize);
        let mut generator = Lcg(match self.pattern {
            Pattern::Lcg(seed) | Pattern::Perm(seed) => seed,
            _ => 0,
        });
        // Large buffers are mostly of these, and the page makes them in one task.
        if self.modulo.is_none() && self.scale.is_none() && self.offset.is_none() {
            match (&self.pattern, elem) {
                (Pattern::Zero, _) => {
                    out.resize((len * elem.bytes()) as usize, 0);
                    return out;
                }
                (Pattern::Lcg(_), ElemType::I32 | ElemType::U32) => {
                    for _ in 0..len {
                        out.extend_from_slice(&(generator.step() >> 8).to_le_bytes());
                    }
                    return out;
                }
                (Pattern::Lcg(_), ElemType::F32) => {
                    for _ in 0..len {
                        // 24 bits, which a float holds exactly.
                        let value = (generator.step() >> 8) as f32 / 16_777_216.0;
                        out.extend_from_slice(&value.to_le_bytes());
                    }
                    return out;
                }
                _ => {}
            }
        }
        let permutation = match self.pattern {
            Pattern::Perm(_) => generator.permutation(len),
            _ => Vec::new(),
        };
        for i in 0..len {
            let base = match &self.pattern {
                Pattern::Zero => Base::Int(0),
                Pattern::Const(value) => Base::of(*value, elem),
                Pattern::List(values) => Base::of(values.get(i as usize).copied().unwrap_or(0.0), elem),
                Pattern::Iota => Base::Int(i128::from(i)),
                Pattern::Perm(_) => Base::Int(i128::from(permutation[i as usize])),
                Pattern::Lcg(_) => generator.base(elem, self.modulo.is_some()),
            };
            let base = match (base, self.modulo) {
                (Base::Int(v), Some(m)) if m != 0 => Base::Int(v.rem_euclid(i128::from(m))),
                (Base::Float(v), Some(m)) if m != 0 => Base::Float(libm::fmod(v, m as f64)),
                (base, _) => base,
            };
            self.store(base, elem, &mut out);
        }
        out
    }

    fn store(&self, base: Base, elem: ElemType, out: &mut Vec<u8>) {
        if let ElemType::F16 | ElemType::F32 | ElemType::F64 = elem {
            let value = base.as_f64() * self.scale.unwrap_or(1.0) + self.offset.unwrap_or(0.0);
            match elem {
                ElemType::F16 => out.extend(f16_bits(value).to_le_bytes()),
                ElemType::F32 => out.extend((value as f32).to_le_bytes()),
                _ => out.extend(value.to_le_bytes()),
            }
            return;
        }
        let (scale, offset) = (self.scale.unwrap_or(1.0), self.offset.unwrap_or(0.0));
        let value = match base {
            Base::Int(v) if scale == scale.trunc() && offset == offset.trunc() => {
                v.wrapping_mul(scale as i128).wrapping_add(offset as i128)
            }
            base => (base.as_f64() * scale + offset) as i128,
        };
        out.extend_from_slice(&value.to_le_bytes()[..elem.bytes() as usize]);
    }
}

/// A base value: integers stay exact.
#[derive(Clone, Copy)]
enum Base {
    Int(i128),
    Float(f64),
}

impl Base {
    fn of(value: f64, elem: ElemType) -> Self {
        match elem {
            ElemType::F16 | ElemType::F32 | ElemType::F64 => Self::Float(value),
            _ => Self::Int(value as i128),
        }
    }

    fn as_f64(self) -> f64 {
        match self {
            Self::Int(v) => v as f64,
            Self::Float(v) => v,
        }
    }
}

struct Lcg(u32);

impl Lcg {
    fn step(&mut self) -> u32 {
        self.0 = self.0.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        self.0
    }

    fn base(&mut self, elem: ElemType, modulo: bool) -> Base {
        let x = self.step();
        if modulo {
            return Base::Int(i128::from(x >> 8));
        }
        match elem {
            ElemType::F32 => Base::Float(f64::from(x >> 8) / 16_777_216.0),
            ElemType::F64 => Base::Float(f64::from(x) / 4_294_967_296.0),
            ElemType::F16 => Base::Float(f64::from(x >> 21) / 2048.0),
            ElemType::I32 | ElemType::U32 => Base::Int(i128::from(x >> 8)),
            ElemType::I16 | ElemType::U16 => Base::Int(i128::from(x >> 16)),
            ElemType::I8 | ElemType::U8 => Base::Int(i128::from(x >> 24)),
            ElemType::I64 | ElemType::U64 => Base::Int((i128::from(x) << 32) + i128::from(x >> 8)),
        }
    }

    fn permutation(&mut self, len: u32) -> Vec<u32> {
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

    fn fill(pattern: Pattern) -> Fill {
        Fill {
            pattern,
            modulo: None,
            scale: None,
            offset: None,
        }
    }

    #[test]
    fn what_is_made_at_once_is_what_is_made_by_the_rule() {
        use ElemType::{F16, F32, F64, I8, I16, I32, I64, U8, U16, U32, U64};
        for elem in [I8, U8, I16, U16, I32, U32, I64, U64, F16, F32, F64] {
            for pattern in [Pattern::Zero, Pattern::Lcg(7), Pattern::Iota] {
                let by_rule = Fill {
                    offset: Some(0.0),
                    ..fill(pattern.clone())
                };
                assert_eq!(
                    fill(pattern).bytes(elem, 999),
                    by_rule.bytes(elem, 999),
                    "{elem:?}"
                );
            }
        }
    }

    #[test]
    fn a_permutation_holds_every_index_once() {
        let bytes = fill(Pattern::Perm(8)).bytes(ElemType::I32, 1000);
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
