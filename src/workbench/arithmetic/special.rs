//! The functions that the special function unit approximates: their values, and the documented maximum errors.

use super::exact::{DOUBLE, Exact, Rounding};
use super::function::Special;

/// A maximum error.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Bound {
    /// In units of the last place of a float.
    Ulp(f64),
    /// An absolute error.
    Absolute(f64),
}

/// The documented maximum error of a function.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Documented {
    /// The rule, as the guide gives it.
    pub rule: &'static str,
    /// The bound for the operand; `None`: the guide has no number for it.
    pub bound: Option<Bound>,
    /// Where the guide says it.
    pub source: &'static str,
}

/// The nearest double of a number.
fn double(exact: &Exact) -> f64 {
    f64::from_bits(exact.rounded(DOUBLE, Rounding::Nearest))
}

/// The value of a function to 53 bits, which is exact enough for the last bit of a float; `None`: it is not finite.
pub(super) fn value(function: Special, a: Exact, b: Option<Exact>) -> Option<Exact> {
    let x = double(&a);
    let value = match function {
        Special::ReciprocalRoot => 1.0 / libm::sqrt(x),
        Special::Sine => libm::sin(x),
        Special::Cosine => libm::cos(x),
        Special::Exponential => libm::exp(x),
        Special::Exponential10 => libm::exp10(x),
        Special::Logarithm => libm::log(x),
        Special::Logarithm2 => libm::log2(x),
        Special::Logarithm10 => libm::log10(x),
        Special::Power => libm::pow(x, double(&b?)),
    };
    let bits = value.to_bits();
    let mut exact = Exact::of(bits, DOUBLE)?;
    // A value with a short fraction, such as the cosine of 0, is exact.
    exact.endless = bits & 0x00ff_ffff != 0;
    Some(exact)
}

/// The documented maximum error for an operand.
pub fn documented_error(function: Special, x: f64) -> Documented {
    let intrinsic = |rule: &'static str, bound: Option<Bound>| Documented {
        rule,
        bound,
        source: "Programming Guide 4.2, Table C-4",
    };
    let near_one = (0.5..=2.0).contains(&x);
    let logarithm = |exponent: f64, ulp: f64| {
        Some(if near_one {
            Bound::Absolute(libm::exp2(exponent))
        } else {
            Bound::Ulp(ulp)
        })
    };
    let in_turn = x.abs() <= std::f64::consts::PI;
    let angle = |exponent: f64| in_turn.then(|| Bound::Absolute(libm::exp2(exponent)));
    match function {
        Special::ReciprocalRoot => Documented {
            source: "Programming Guide 4.2, Table C-1",
            ..intrinsic("2 ulp", Some(Bound::Ulp(2.0)))
        },
        Special::Sine => intrinsic("2^-21.41 for x in [-π, π], larger otherwise", angle(-21.41)),
        Special::Cosine => intrinsic("2^-21.19 for x in [-π, π], larger otherwise", angle(-21.19)),
        Special::Exponential => intrinsic(
            "2 + floor(abs(1.16 * x)) ulp",
            Some(Bound::Ulp(2.0 + (1.16 * x).abs().floor())),
        ),
        Special::Exponential10 => intrinsic(
            "2 + floor(abs(2.95 * x)) ulp",
            Some(Bound::Ulp(2.0 + (2.95 * x).abs().floor())),
        ),
        Special::Logarithm => intrinsic(
            "2^-21.41 for x in [0.5, 2], otherwise 3 ulp",
            logarithm(-21.41, 3.0),
        ),
        Special::Logarithm2 => intrinsic("2^-22 for x in [0.5, 2], otherwise 2 ulp", logarithm(-22.0, 2.0)),
        Special::Logarithm10 => intrinsic("2^-24 for x in [0.5, 2], otherwise 3 ulp", logarithm(-24.0, 3.0)),
        Special::Power => intrinsic("that of exp2f(y * __log2f(x))", None),
    }
}
