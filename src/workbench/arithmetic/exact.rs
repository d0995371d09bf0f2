//! Exact binary numbers, and their rounding to the formats of IEEE 754. Independent of the simulator's arithmetic.

use std::cmp::Ordering;

/// Bits of a quotient or a root that are computed; a sticky flag stands for the others.
const FRACTION_BITS: u32 = 90;

/// A rounding direction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rounding {
    /// To nearest, ties to even.
    #[default]
    Nearest,
    /// Toward zero.
    Zero,
    /// Toward positive infinity.
    Up,
    /// Toward negative infinity.
    Down,
}

/// A binary format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Format {
    /// Bits of the significand, with the leading bit.
    pub precision: u32,
    /// Bits of the exponent field.
    pub exponent_bits: u32,
}

/// Half precision.
pub const HALF: Format = Format {
    precision: 11,
    exponent_bits: 5,
};
/// Single precision.
pub const SINGLE: Format = Format {
    precision: 24,
    exponent_bits: 8,
};
/// Double precision.
pub const DOUBLE: Format = Format {
    precision: 53,
    exponent_bits: 11,
};

impl Format {
    /// Bits of the fraction field.
    pub const fn fraction_bits(self) -> u32 {
        self.precision - 1
    }

    /// Bits of a number.
    pub const fn bits(self) -> u32 {
        self.precision + self.exponent_bits
    }

    /// The bias of the exponent field, which is also the largest exponent.
    pub const fn bias(self) -> i32 {
        (1 << (self.exponent_bits - 1)) - 1
    }

    /// The weight of the last bit of subnormal numbers, as a power of two.
    const fn lowest(self) -> i32 {
        1 - self.bias() - self.fraction_bits() as i32
    }

    /// The exponent field with all bits set: infinities and NaN.
    const fn special(self) -> u64 {
        (1 << self.exponent_bits) - 1
    }

    /// The sign bit of a number.
    pub const fn is_negative(self, bits: u64) -> bool {
        bits >> (self.bits() - 1) & 1 == 1
    }

    /// The exponent field of a number.
    pub const fn exponent_field(self, bits: u64) -> u64 {
        bits >> self.fraction_bits() & self.special()
    }

    /// The fraction field of a number.
    pub const fn fraction(self, bits: u64) -> u64 {
        bits & ((1 << self.fraction_bits()) - 1)
    }

    /// Whether a number is subnormal, and not zero.
    pub const fn is_subnormal(self, bits: u64) -> bool {
        self.exponent_field(bits) == 0 && self.fraction(bits) != 0
    }

    /// A subnormal number replaced by zero with its sign.
    pub const fn flushed(self, bits: u64) -> u64 {
        if self.is_subnormal(bits) {
            bits & 1 << (self.bits() - 1)
        } else {
            bits
        }
    }
}

/// A finite binary number: a sign, a whole number, and a power of two.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exact {
    /// Whether it is negative; zero has a sign, too.
    pub negative: bool,
    /// The whole number, in words of 32 bits, lowest first, without leading zeros.
    words: Vec<u32>,
    /// Its unit, as a power of two.
    unit: i32,
    /// Whether nonzero bits follow the last one: a quotient or a root that does not end.
    pub endless: bool,
}

impl Exact {
    /// `number` times 2 to the power `unit`.
    pub fn new(negative: bool, number: u128, unit: i32) -> Self {
        let words = (0..4).map(|word| (number >> (32 * word)) as u32).collect();
        Self {
            negative,
            words,
            unit,
            endless: false,
        }
        .trimmed()
    }

    /// The value of a number in a format; `None`: an infinity or NaN.
    pub fn of(bits: u64, format: Format) -> Option<Self> {
        let (field, fraction) = (format.exponent_field(bits), format.fraction(bits));
        if field == format.special() {
            return None;
        }
        let hidden = u64::from(field > 0) << format.fraction_bits();
        let unit = format.lowest() + field.max(1) as i32 - 1;
        Some(Self::new(
            format.is_negative(bits),
            u128::from(hidden | fraction),
            unit,
        ))
    }

    /// Whether it is zero.
    pub fn is_zero(&self) -> bool {
        self.words.is_empty() && !self.endless
    }

    fn trimmed(mut self) -> Self {
        while self.words.last() == Some(&0) {
            self.words.pop();
        }
        self
    }

    /// The weight of the highest bit, as a power of two; 0 for zero.
    pub fn top(&self) -> i32 {
        match self.words.last() {
            Some(word) => self.unit + 32 * self.words.len() as i32 - 1 - word.leading_zeros() as i32,
            None => 0,
        }
    }

    /// The weight of the lowest bit that is set, as a power of two; 0 for zero.
    pub fn low(&self) -> i32 {
        let first = self.words.iter().position(|word| *word != 0);
        first.map_or(0, |idx| {
            self.unit + 32 * idx as i32 + self.words[idx].trailing_zeros() as i32
        })
    }

    /// The bit with a weight, as a power of two.
    pub fn bit(&self, weight: i32) -> bool {
        let Ok(at) = usize::try_from(weight - self.unit) else {
            return false;
        };
        self.words
            .get(at / 32)
            .is_some_and(|word| word >> (at % 32) & 1 == 1)
    }

    /// The same value with a lower unit.
    fn with_unit(&self, unit: i32) -> Self {
        let by = (self.unit - unit).max(0) as usize;
        let mut words = vec![0; by / 32];
        let mut carry = 0_u64;
        for word in &self.words {
            let moved = u64::from(*word) << (by % 32) | carry;
            words.push(moved as u32);
            carry = moved >> 32;
        }
        words.push(carry as u32);
        Self {
            words,
            unit: self.unit - by as i32,
            ..*self
        }
        .trimmed()
    }

    /// The opposite number.
    #[must_use]
    pub fn negated(mut self) -> Self {
        self.negative = !self.negative;
        self
    }

    /// The product.
    #[must_use]
    pub fn times(&self, other: &Self) -> Self {
        let mut words = vec![0_u32; self.words.len() + other.words.len()];
        for (i, a) in self.words.iter().enumerate() {
            let mut carry = 0_u64;
            for (j, b) in other.words.iter().enumerate() {
                let sum = u64::from(*a) * u64::from(*b) + u64::from(words[i + j]) + carry;
                words[i + j] = sum as u32;
                carry = sum >> 32;
            }
            words[i + other.words.len()] = carry as u32;
        }
        Self {
            negative: self.negative != other.negative,
            words,
            unit: self.unit + other.unit,
            endless: false,
        }
        .trimmed()
    }

    /// The sum. A sum of opposite numbers is zero, negative only if it is rounded down or both are.
    #[must_use]
    pub fn plus(&self, other: &Self, rounding: Rounding) -> Self {
        let unit = self.unit.min(other.unit);
        let (a, b) = (self.with_unit(unit), other.with_unit(unit));
        if a.negative == b.negative {
            let words = added(&a.words, &b.words);
            return Self { words, ..a }.trimmed();
        }
        match compared(&a.words, &b.words) {
            Ordering::Equal => Self::new(rounding == Rounding::Down, 0, unit),
            Ordering::Greater => Self {
                words: subtracted(&a.words, &b.words),
                ..a
            }
            .trimmed(),
            Ordering::Less => Self {
                words: subtracted(&b.words, &a.words),
                ..b
            }
            .trimmed(),
        }
    }

    /// The whole number below it, if it has at most 64 bits.
    fn number(&self) -> u128 {
        let word = |idx: usize| u128::from(self.words.get(idx).copied().unwrap_or(0)) << (32 * idx);
        (0..4).map(word).sum()
    }

    /// The quotient, if the divisor is not zero. Both must come from a format.
    pub fn over(&self, other: &Self) -> Option<Self> {
        let divisor = other.number();
        if divisor == 0 {
            return None;
        }
        let number = self.number();
        let (mut rest, mut quotient) = (number % divisor, number / divisor);
        // Bits of the fraction follow the whole part.
        let bits = FRACTION_BITS.min(quotient.leading_zeros());
        for _ in 0..bits {
            rest <<= 1;
            quotient = quotient << 1 | u128::from(rest >= divisor);
            rest %= divisor;
        }
        let unit = self.unit - other.unit - bits as i32;
        let mut exact = Self::new(self.negative != other.negative, quotient, unit);
        exact.endless = rest != 0;
        Some(exact)
    }

    /// The square root of a number that is not negative. It must come from a format.
    pub fn root(&self) -> Option<Self> {
        if self.negative && !self.is_zero() {
            return None;
        }
        // An even power of two below the number leaves room for the fraction.
        let number = self.number();
        let mut by = number.leading_zeros().saturating_sub(1);
        if (self.unit - by as i32).rem_euclid(2) == 1 {
            by -= 1;
        }
        let number = number << by;
        let root = number.isqrt();
        let mut exact = Self::new(self.negative, root, (self.unit - by as i32) / 2);
        exact.endless = root * root != number;
        Some(exact)
    }

    /// The bits from a weight on, and whether a lower bit is set.
    fn cut(&self, weight: i32) -> (u64, bool) {
        let kept = (0..64).fold(0, |bits, at| bits | u64::from(self.bit(weight + at)) << at);
        let lost = self.endless || !self.words.is_empty() && self.low() < weight;
        (kept, lost)
    }

    /// The value without the bits below a weight.
    #[must_use]
    pub fn truncated(&self, weight: i32) -> Self {
        Self::new(self.negative, self.cut(weight).0.into(), weight)
    }

    /// The weight of the last bit that a format keeps, as a power of two.
    pub fn last_kept(&self, format: Format) -> i32 {
        (self.top() - format.fraction_bits() as i32).max(format.lowest())
    }

    /// The number of a format that rounding gives.
    pub fn rounded(&self, format: Format, rounding: Rounding) -> u64 {
        let sign = u64::from(self.negative) << (format.bits() - 1);
        if self.is_zero() {
            return sign;
        }
        let last = self.last_kept(format);
        let (mut kept, lost) = self.cut(last);
        let half = self.bit(last - 1);
        let beyond = self.endless || self.low() < last - 1;
        let up = match rounding {
            Rounding::Nearest => half && (beyond || kept & 1 == 1),
            Rounding::Zero => false,
            Rounding::Up => lost && !self.negative,
            Rounding::Down => lost && self.negative,
        };
        kept += u64::from(up);
        // A carry out of the significand goes to the exponent field by itself.
        let is_normal = kept >> format.fraction_bits() > 0;
        let field = if is_normal {
            (last - format.lowest() + 1) as u64
        } else {
            0
        };
        let hidden = u64::from(is_normal) << format.fraction_bits();
        let bits = (field << format.fraction_bits()) + (kept - hidden);
        let infinity = format.special() << format.fraction_bits();
        let toward_zero = match rounding {
            Rounding::Nearest => false,
            Rounding::Zero => true,
            Rounding::Up => self.negative,
            Rounding::Down => !self.negative,
        };
        if bits >= infinity {
            return sign | (infinity - u64::from(toward_zero));
        }
        sign | bits
    }

    /// The distance to another number in units of a weight.
    pub fn distance(&self, other: &Self, weight: i32) -> f64 {
        let difference = self.plus(&other.clone().negated(), Rounding::Nearest);
        let top = difference.top();
        let leading = (0..53).fold(0_u64, |bits, at| bits << 1 | u64::from(difference.bit(top - at)));
        libm::ldexp(leading as f64, top - 52 - weight)
    }
}

fn added(a: &[u32], b: &[u32]) -> Vec<u32> {
    let mut carry = 0_u64;
    let mut words: Vec<u32> = (0..a.len().max(b.len()))
        .map(|idx| {
            let word = |words: &[u32]| u64::from(words.get(idx).copied().unwrap_or(0));
            let sum = word(a) + word(b) + carry;
            carry = sum >> 32;
            sum as u32
        })
        .collect();
    words.push(carry as u32);
    words
}

/// `a` must be the larger one.
fn subtracted(a: &[u32], b: &[u32]) -> Vec<u32> {
    let mut borrow = 0_i64;
    let word = |words: &[u32], idx: usize| i64::from(words.get(idx).copied().unwrap_or(0));
    (0..a.len())
        .map(|idx| {
            let difference = word(a, idx) - word(b, idx) - borrow;
            borrow = i64::from(difference < 0);
            difference as u32
        })
        .collect()
}

fn compared(a: &[u32], b: &[u32]) -> Ordering {
    a.len()
        .cmp(&b.len())
        .then_with(|| a.iter().rev().cmp(b.iter().rev()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Numbers of every kind: near one, subnormal, and any finite bits.
    fn single() -> impl Strategy<Value = f32> {
        let bits = prop_oneof![
            any::<u32>(),
            0x3f7f_ff00_u32..0x3f80_0100,
            0_u32..0x0100_0000,
            any::<u32>().prop_map(|bits| bits & 0xffff_f000),
        ];
        bits.prop_map(f32::from_bits)
            .prop_filter("finite", |x| x.is_finite())
    }

    fn double() -> impl Strategy<Value = f64> {
        let bits = prop_oneof![
            any::<u64>(),
            0x3fef_ffff_ffff_ff00_u64..0x3ff0_0000_0000_0100,
            0_u64..0x0020_0000_0000_0000,
        ];
        bits.prop_map(f64::from_bits)
            .prop_filter("finite", |x| x.is_finite())
    }

    fn of(x: f32) -> Exact {
        Exact::of(x.to_bits().into(), SINGLE).unwrap()
    }

    fn of_double(x: f64) -> Exact {
        Exact::of(x.to_bits(), DOUBLE).unwrap()
    }

    fn nearest(exact: &Exact) -> u32 {
        exact.rounded(SINGLE, Rounding::Nearest) as u32
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(3000))]

        /// The oracles are the processor's arithmetic and the C library's fma.
        #[test]
        fn rounded_results_are_those_of_the_processor(x in single(), y in single(), z in single()) {
            prop_assert_eq!(nearest(&of(x).times(&of(y))), (x * y).to_bits());
            prop_assert_eq!(nearest(&of(x).plus(&of(y), Rounding::Nearest)), (x + y).to_bits());
            let sum = of(x).times(&of(y)).plus(&of(z), Rounding::Nearest);
            prop_assert_eq!(nearest(&sum), libm::fmaf(x, y, z).to_bits());
            if y != 0.0 {
                prop_assert_eq!(nearest(&of(x).over(&of(y)).unwrap()), (x / y).to_bits(), "{} / {}", x, y);
            }
            if x >= 0.0 {
                prop_assert_eq!(nearest(&of(x).root().unwrap()), x.sqrt().to_bits(), "{}", x);
            }
        }

        #[test]
        fn doubles_too(x in double(), y in double(), z in double()) {
            let nearest = |exact: &Exact| exact.rounded(DOUBLE, Rounding::Nearest);
            prop_assert_eq!(nearest(&of_double(x).times(&of_double(y))), (x * y).to_bits());
            let sum = of_double(x).times(&of_double(y)).plus(&of_double(z), Rounding::Nearest);
            prop_assert_eq!(nearest(&sum), libm::fma(x, y, z).to_bits());
            if y != 0.0 {
                prop_assert_eq!(nearest(&of_double(x).over(&of_double(y)).unwrap()), (x / y).to_bits());
            }
            if x >= 0.0 {
                prop_assert_eq!(nearest(&of_double(x).root().unwrap()), x.sqrt().to_bits(), "{}", x);
            }
            // A double as a single: the processor's conversion.
            prop_assert_eq!(of_double(x).rounded(SINGLE, Rounding::Nearest) as u32, (x as f32).to_bits());
        }

        #[test]
        fn directed_roundings_enclose_the_exact_value(x in single(), y in single()) {
            let exact = of(x).times(&of(y));
            let [down, up, zero] = [Rounding::Down, Rounding::Up, Rounding::Zero]
                .map(|rounding| f32::from_bits(exact.rounded(SINGLE, rounding) as u32));
            let wide = f64::from(x) * f64::from(y);
            prop_assert!(f64::from(down) <= wide && wide <= f64::from(up));
            prop_assert!(zero.abs() <= down.abs().min(up.abs()));
            prop_assert!(down == up || down.next_up() == up);
        }
    }

    #[test]
    fn a_distance_is_counted_in_units_of_the_last_place() {
        let third = of(1.0).over(&of(3.0)).unwrap();
        let last = third.last_kept(SINGLE);
        let near = Exact::of((1.0_f32 / 3.0).to_bits().into(), SINGLE).unwrap();
        let distance = near.distance(&third, last);
        assert!((distance - 1.0 / 3.0).abs() < 1e-9, "{distance}");
    }
}
