//! Integer operations of one lane without an equivalent Rust operator.

use crate::isa::{BoolOp, Cmp};

/// The sum of three operands with carries: the low word, and whether bit 31 overflows. A negated operand is
/// its complement plus one, or only its complement if there is a carry-in.
#[inline(always)]
pub fn add3(operands: [(u32, bool); 3], carry_in: Option<bool>) -> (u32, bool) {
    let mut sum = 0_u64;
    for (value, negate) in operands {
        sum += u64::from(if negate { !value } else { value });
        if negate && carry_in.is_none() {
            sum += 1;
        }
    }
    sum += u64::from(carry_in == Some(true));
    (sum as u32, sum >> 32 != 0)
}

/// The high word of a product.
#[inline(always)]
pub const fn mul_high(a: u32, b: u32, signed: bool) -> u32 {
    if signed {
        ((a as i32 as i64 * b as i32 as i64) >> 32) as u32
    } else {
        ((a as u64 * b as u64) >> 32) as u32
    }
}

/// The whole product.
#[inline(always)]
pub const fn mul_wide(a: u32, b: u32, signed: bool) -> u64 {
    if signed {
        (a as i32 as i64 * b as i32 as i64) as u64
    } else {
        a as u64 * b as u64
    }
}

/// The low word of the product of the low 24 bits.
#[inline(always)]
pub const fn mul24(a: u32, b: u32, signed: bool) -> u32 {
    if signed {
        let (a, b) = ((a << 8) as i32 >> 8, (b << 8) as i32 >> 8);
        a.wrapping_mul(b) as u32
    } else {
        (a & 0xff_ffff).wrapping_mul(b & 0xff_ffff)
    }
}

/// A 16-bit half of a word, sign- or zero-extended.
#[inline(always)]
pub const fn half_word(value: u32, high: bool, signed: bool) -> u32 {
    let half = if high { value >> 16 } else { value & 0xffff };
    if signed {
        half as u16 as i16 as i32 as u32
    } else {
        half
    }
}

/// Returns a << b; zero from 32 bits on.
#[inline(always)]
pub const fn shift_left(a: u32, b: u32) -> u32 {
    if b >= 32 { 0 } else { a << b }
}

/// Returns a >> b; only sign bits remain from 32 bits on.
#[inline(always)]
pub const fn shift_right(a: u32, b: u32, signed: bool) -> u32 {
    match (signed, b >= 32) {
        (true, true) => ((a as i32) >> 31) as u32,
        (true, false) => ((a as i32) >> b) as u32,
        (false, true) => 0,
        (false, false) => a >> b,
    }
}

/// Shifts the pair (low, high): the high word of a left shift, or the low word of a right shift.
#[inline(always)]
pub const fn funnel_shift(low: u32, high: u32, by: u32, left: bool, wrap: bool, signed: bool) -> u32 {
    let value = (high as u64) << 32 | low as u64;
    let by = if wrap {
        by & 31
    } else if by > 64 {
        64
    } else {
        by
    };
    match (left, by == 64) {
        (true, true) => 0,
        (true, false) => ((value << by) >> 32) as u32,
        (false, true) if signed => ((high as i32) >> 31) as u32,
        (false, true) => 0,
        (false, false) if signed => ((value as i64) >> by) as u32,
        (false, false) => (value >> by) as u32,
    }
}

/// The index of the highest set bit, or of the highest bit that differs from the sign; all ones if there is
/// none.
#[inline(always)]
pub const fn find_leading_one(value: u32, signed: bool) -> u32 {
    let value = if signed && (value as i32) < 0 {
        !value
    } else {
        value
    };
    if value == 0 { u32::MAX } else { value.ilog2() }
}

/// The bytes of (a, c), a being the low word, that the nibbles of `selector` select. Bit 3 of a nibble
/// replicates the byte's sign.
#[inline(always)]
pub const fn permute_bytes(a: u32, selector: u32, c: u32) -> u32 {
    let bytes = (c as u64) << 32 | a as u64;
    let mut result = 0;
    let mut position = 0;
    while position < 4 {
        let nibble = selector >> (4 * position) & 15;
        let mut byte = (bytes >> (8 * (nibble & 7))) as u8;
        if nibble & 8 != 0 {
            byte = ((byte as i8) >> 7) as u8;
        }
        result |= (byte as u32) << (8 * position);
        position += 1;
    }
    result
}

/// The field of `len` bits of `value` at bit `start`. The sign is the field's highest bit, or bit 31 if the
/// field extends beyond it.
#[inline(always)]
pub const fn extract_field(value: u32, start: u32, len: u32, signed: bool) -> u32 {
    if len == 0 {
        return 0;
    }
    let end = start + len;
    let sign_at = if end > 32 { 31 } else { end - 1 };
    let fill = if signed && value >> sign_at & 1 == 1 {
        u32::MAX
    } else {
        0
    };
    let field = if start >= 32 { fill } else { value >> start };
    let len = if start >= 32 {
        0
    } else if end > 32 {
        32 - start
    } else {
        len
    };
    if len >= 32 {
        field
    } else {
        let mask = (1_u32 << len) - 1;
        field & mask | fill & !mask
    }
}

/// Inserts the low `len` bits of `value` into `base` at bit `start`.
#[inline(always)]
pub const fn insert_field(value: u32, start: u32, len: u32, base: u32) -> u32 {
    let end = start + len;
    let mask = low_mask(end) & !low_mask(start);
    base & !mask | shift_left(value, start) & mask
}

const fn low_mask(bits: u32) -> u32 {
    if bits >= 32 { u32::MAX } else { (1 << bits) - 1 }
}

/// The bitwise lookup of LOP3: each result bit is the table's entry for the bits of a, b, and c at that
/// position.
#[inline(always)]
pub const fn lookup3(a: u32, b: u32, c: u32, lut: u8) -> u32 {
    let mut result = 0;
    let mut entry = 0;
    while entry < 8 {
        if lut >> entry & 1 == 1 {
            let x = if entry & 4 != 0 { a } else { !a };
            let y = if entry & 2 != 0 { b } else { !b };
            let z = if entry & 1 != 0 { c } else { !c };
            result |= x & y & z;
        }
        entry += 1;
    }
    result
}

/// Whether a comparison of two integers holds.
#[inline(always)]
pub const fn compare(a: u32, b: u32, cmp: Cmp, signed: bool) -> bool {
    // Flipping the sign bit converts signed order to unsigned order.
    let flip = if signed { 0x8000_0000 } else { 0 };
    let (a, b) = (a ^ flip, b ^ flip);
    match cmp {
        Cmp::Lt | Cmp::Ltu => a < b,
        Cmp::Le | Cmp::Leu => a <= b,
        Cmp::Gt | Cmp::Gtu => a > b,
        Cmp::Ge | Cmp::Geu => a >= b,
        Cmp::Eq | Cmp::Equ => a == b,
        Cmp::Ne | Cmp::Neu => a != b,
        Cmp::Num => true,
        Cmp::Nan => false,
    }
}

/// Combines two predicates.
#[inline(always)]
pub const fn combine(a: u32, b: u32, op: BoolOp) -> u32 {
    match op {
        BoolOp::And => a & b,
        BoolOp::Or => a | b,
        BoolOp::Xor => a ^ b,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn carries_make_sixty_four_bit_sums() {
        let values = [
            0_u64,
            1,
            0xffff_ffff,
            0x1_0000_0000,
            u64::MAX,
            0x8000_0000_0000_0000,
            0x1234_5678_9abc_def0,
        ];
        for a in values {
            for b in values {
                for subtract in [false, true] {
                    let (low, carry) = add3([(a as u32, false), (b as u32, subtract), (0, false)], None);
                    let high = [
                        ((a >> 32) as u32, false),
                        ((b >> 32) as u32, subtract),
                        (0, false),
                    ];
                    let (high, _) = add3(high, Some(carry));
                    let expected = if subtract {
                        a.wrapping_sub(b)
                    } else {
                        a.wrapping_add(b)
                    };
                    assert_eq!(u64::from(high) << 32 | u64::from(low), expected);
                }
            }
        }
    }

    #[test]
    fn fields_are_extracted_and_inserted() {
        assert_eq!(extract_field(0xabcd_1234, 8, 8, false), 0x12);
        assert_eq!(extract_field(0xabcd_1234, 16, 16, true), 0xffff_abcd);
        assert_eq!(extract_field(0x8000_0000, 40, 4, true), u32::MAX);
        assert_eq!(extract_field(0x8000_0000, 28, 8, true), 0xffff_fff8);
        assert_eq!(extract_field(u32::MAX, 0, 32, false), u32::MAX);
        assert_eq!(insert_field(0xff, 8, 4, 0), 0xf00);
        assert_eq!(insert_field(0, 0, 32, u32::MAX), 0);
        assert_eq!(insert_field(0xff, 32, 4, 5), 5);
    }

    #[test]
    fn table_entries_are_numbered_by_a_b_c() {
        let (a, b, c) = (0xf0, 0xcc, 0xaa);
        for lut in 0..=255 {
            assert_eq!(lookup3(a, b, c, lut) & 0xff, u32::from(lut));
        }
    }

    #[test]
    fn bytes_are_chosen_by_nibbles() {
        assert_eq!(permute_bytes(0x3322_1100, 0x0123, 0x7766_5544), 0x0011_2233);
        assert_eq!(permute_bytes(0x3322_1180, 0x8745, 0x7766_5544), 0xff77_4455);
    }

    #[test]
    fn funnels_shift_pairs() {
        assert_eq!(funnel_shift(0x8000_0000, 1, 1, true, true, false), 3);
        assert_eq!(funnel_shift(0, 0x8000_0000, 36, false, false, true), 0xf800_0000);
        assert_eq!(funnel_shift(1, 2, 33, true, true, false), 4);
        assert_eq!(funnel_shift(1, 2, 100, true, false, false), 0);
    }
}
