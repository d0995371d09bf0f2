//! Register and memory values as text.

use super::super::NumberFormat;

/// A value of 32 bits, or of 64 bits if `wide`, in full.
pub(in crate::scene) fn number(bits: u64, wide: bool, format: NumberFormat) -> String {
    match (format, wide) {
        (NumberFormat::Hex, false) => format!("{:08x}", bits as u32),
        (NumberFormat::Hex, true) => format!("{bits:016x}"),
        (NumberFormat::Int, false) => (bits as u32 as i32).to_string(),
        (NumberFormat::Int, true) => (bits as i64).to_string(),
        (NumberFormat::Unsigned, false) => (bits as u32).to_string(),
        (NumberFormat::Unsigned, true) => bits.to_string(),
        (NumberFormat::Float, false) => format!("{:?}", f32::from_bits(bits as u32)),
        (NumberFormat::Float, true) => format!("{:?}", f64::from_bits(bits)),
    }
}

/// A value in at most `max` characters: floating-point values lose digits, other formats are unchanged.
pub(super) fn short_number(bits: u64, wide: bool, format: NumberFormat, max: usize) -> String {
    let text = number(bits, wide, format);
    if format != NumberFormat::Float || text.len() <= max {
        return text;
    }
    let value = if wide {
        f64::from_bits(bits)
    } else {
        f64::from(f32::from_bits(bits as u32))
    };
    (0..9)
        .rev()
        .map(|digits| format!("{value:.digits$e}"))
        .find(|text| text.len() <= max)
        .unwrap_or(text)
}

/// The pattern of 32 values: one value in all lanes, or a first value and a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pattern {
    Same(u64),
    Step { first: u64, step: u64 },
}

/// The pattern of the values in some lanes; `None` for fewer than three lanes.
pub(super) fn pattern(values: &[u64; 32], lanes: u32, wide: bool) -> Option<Pattern> {
    let mask = if wide { u64::MAX } else { u64::from(u32::MAX) };
    let mut of = (0..32).filter(|lane| lanes >> lane & 1 == 1);
    let (first, second) = (of.next()?, of.next()?);
    of.next()?;
    let gap = (second - first) as u64;
    let rise = values[second].wrapping_sub(values[first]) & mask;
    if !rise.is_multiple_of(gap) {
        return None;
    }
    let step = rise / gap;
    let base = values[first].wrapping_sub(step.wrapping_mul(first as u64)) & mask;
    let fits = (0..32)
        .filter(|lane| lanes >> lane & 1 == 1)
        .all(|lane| base.wrapping_add(step.wrapping_mul(lane as u64)) & mask == values[lane]);
    fits.then_some(if step == 0 {
        Pattern::Same(base)
    } else {
        Pattern::Step { first: base, step }
    })
}

/// A pattern as text; `None` for steps of floating-point values.
pub(super) fn pattern_text(pattern: Pattern, wide: bool, format: NumberFormat) -> Option<String> {
    match pattern {
        Pattern::Same(value) => Some(format!("{} in all lanes", number(value, wide, format))),
        Pattern::Step { .. } if format == NumberFormat::Float => None,
        Pattern::Step { first, step } => {
            let negative = if wide {
                (step as i64) < 0
            } else {
                (step as u32 as i32) < 0
            };
            let size = if negative { step.wrapping_neg() } else { step };
            let size = if wide { size } else { u64::from(size as u32) };
            let step = match format {
                NumberFormat::Hex => format!("0x{size:x}"),
                _ => size.to_string(),
            };
            let sign = if negative { '−' } else { '+' };
            Some(format!("{} {sign} {step} × lane", number(first, wide, format)))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_written_as_chosen() {
        let minus_one = u64::from(u32::MAX);
        assert_eq!(number(minus_one, false, NumberFormat::Hex), "ffffffff");
        assert_eq!(number(minus_one, false, NumberFormat::Int), "-1");
        assert_eq!(number(minus_one, false, NumberFormat::Unsigned), "4294967295");
        assert_eq!(
            number(u64::from(1.5_f32.to_bits()), false, NumberFormat::Float),
            "1.5"
        );
        assert_eq!(number(2.5_f64.to_bits(), true, NumberFormat::Float), "2.5");
        assert_eq!(number(u64::MAX, true, NumberFormat::Int), "-1");
        let third = u64::from((1.0_f32 / 3.0).to_bits());
        assert_eq!(short_number(third, false, NumberFormat::Float, 8), "3.333e-1");
    }

    #[test]
    fn steps_are_found_and_rebuilt() {
        let ramp: [u64; 32] = std::array::from_fn(|lane| 0x100 + 4 * lane as u64);
        let found = pattern(&ramp, u32::MAX, false).unwrap();
        assert_eq!(
            found,
            Pattern::Step {
                first: 0x100,
                step: 4
            }
        );
        assert_eq!(
            pattern_text(found, false, NumberFormat::Hex).unwrap(),
            "00000100 + 0x4 × lane"
        );
        let down: [u64; 32] = std::array::from_fn(|lane| u64::from(7_u32.wrapping_sub(lane as u32)));
        let found = pattern(&down, u32::MAX, false).unwrap();
        assert_eq!(
            pattern_text(found, false, NumberFormat::Int).unwrap(),
            "7 − 1 × lane"
        );
        let mut odd = ramp;
        odd[9] = 0;
        assert_eq!(pattern(&odd, u32::MAX, false), None);
        assert_eq!(pattern(&[5; 32], 0xff, false), Some(Pattern::Same(5)));
    }
}
