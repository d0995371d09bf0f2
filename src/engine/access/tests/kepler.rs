//! Tests of the two bank sizes of 3.x.

use super::*;

/// A row of the table: bits per lane, mask, passes in the 4-byte and the 8-byte mode, and offsets.
struct Row {
    bits: u32,
    mask: LaneMask,
    passes: [u32; 2],
    offsets: [u32; 32],
}

fn rows() -> impl Iterator<Item = Row> {
    let table = include_str!("../../../../tests/golden/kepler_banks.csv");
    table.lines().skip(1).map(|line| {
        let cells: Vec<&str> = line.split(',').collect();
        let number = |text: &str| text.parse::<u32>().expect("a number");
        let offsets = if let Some((start, stride)) = cells[4].split_once('+') {
            std::array::from_fn(|lane| number(start) + number(stride) * lane as u32)
        } else {
            let mut listed = cells[4].split(' ').map(number);
            std::array::from_fn(|_| listed.next().expect("an offset for each lane"))
        };
        Row {
            bits: 8 * number(cells[0]),
            mask: LaneMask(u32::from_str_radix(cells[1], 16).expect("a mask")),
            passes: [number(cells[2]), number(cells[3])],
            offsets,
        }
    })
}

fn passes(size: BankSize, bits: u32, offsets: &[u32; 32], mask: LaneMask) -> u32 {
    let banks = architecture(ArchId::Gk110).memory.banks(size);
    shared(banks, AccessOp::Load, bits, offsets, mask).wavefronts()
}

/// Returns the passes of a load with a stride of `words` 32-bit words.
fn stride(size: BankSize, words: u32) -> u32 {
    let offsets = std::array::from_fn(|lane| 4 * words * lane as u32);
    passes(size, 32, &offsets, LaneMask::FULL)
}

#[test]
fn both_modes_match_the_table_at_every_stride_and_width() {
    let mut num = 0;
    for row in rows() {
        let got = BankSize::ALL.map(|size| passes(size, row.bits, &row.offsets, row.mask));
        assert_eq!(
            got, row.passes,
            "{} bits, {} {:?}",
            row.bits, row.mask, row.offsets
        );
        num += 1;
    }
    assert_eq!(num, 535);
}

/// Mei & Chu 2017, Figure 19, on a GTX 780: at a stride of 6 words, the 8-byte mode has no conflict and the
/// 4-byte mode a two-way conflict. Powers of two cost the same in both modes, half of their cost on Fermi.
#[test]
fn even_strides_match_the_published_measurements() {
    for (words, four, eight) in [
        (2, 1, 1),
        (4, 2, 2),
        (6, 2, 1),
        (8, 4, 4),
        (10, 2, 1),
        (12, 4, 2),
        (16, 8, 8),
        (32, 16, 16),
        (64, 32, 32),
    ] {
        assert_eq!(stride(BankSize::FourByte, words), four, "stride {words}");
        assert_eq!(stride(BankSize::EightByte, words), eight, "stride {words}");
    }
}

/// The row rule of the 8-byte mode predicts these conflicts; no measurement is published. The 4-byte mode has no
/// conflict at these strides.
#[test]
fn odd_strides_from_three_on_conflict_in_the_eight_byte_mode_only() {
    for words in (3..32).step_by(2) {
        assert_eq!(stride(BankSize::FourByte, words), 1, "stride {words}");
        assert_eq!(stride(BankSize::EightByte, words), 2, "stride {words}");
    }
}

#[test]
fn contiguous_doubles_take_one_pass_and_stride_two_takes_two() {
    for (elements, eight) in [(1, 1), (2, 2), (3, 1), (4, 4), (32, 32), (33, 1)] {
        let offsets = std::array::from_fn(|lane| 8 * elements * lane as u32);
        let got = passes(BankSize::EightByte, 64, &offsets, LaneMask::FULL);
        assert_eq!(got, eight, "stride {elements}");
    }
}

/// A 64-bit atomic changes one word of one bank; a 32-bit atomic blocks the other half of its 64-bit word.
#[test]
fn atomics_serialize_by_64_bit_words() {
    let banks = architecture(ArchId::Gk110).memory.banks(BankSize::EightByte);
    let turns = |bits, step: u32| {
        let offsets = std::array::from_fn(|lane| step * lane as u32);
        let got = shared(banks, AccessOp::Atomic, bits, &offsets, LaneMask::FULL);
        let counts = shared_wavefronts(banks, AccessOp::Atomic, bits, &offsets, LaneMask::FULL);
        assert_eq!(u32::from(counts.wavefronts), got.wavefronts());
        got.wavefronts()
    };
    assert_eq!(turns(64, 8), 1);
    assert_eq!(turns(32, 4), 2);
    assert_eq!(turns(64, 0), 32);
}

#[test]
fn bank_size_affects_only_kepler() {
    for id in ArchId::ALL {
        let arch = architecture(id);
        let [four, eight] = BankSize::ALL.map(|size| arch.memory.banks(size));
        assert_eq!(four != eight, arch.compute_capability.major == 3, "{id}");
        assert_eq!(four.size, BankSize::FourByte, "{id}");
        assert_eq!(BankSize::of_bytes(arch, 8).is_ok(), four != eight, "{id}");
        assert!(BankSize::of_bytes(arch, 16).is_err(), "{id}");
    }
}
