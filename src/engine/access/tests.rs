//! Tests of accesses against hardware counters, the guides' examples, and an independent brute-force count.

mod brute_force;
mod kepler;

use super::*;
use crate::arch::{ArchId, Architecture, BankRule, BankSize, Banks, architecture};
use crate::ids::LaneMask;
use brute_force::{brute_force_transactions, brute_force_wavefronts};

/// Returns the default bank configuration of an architecture.
fn banks(arch: &Architecture) -> Banks {
    arch.memory.banks(BankSize::default())
}

/// Returns every bank size that an architecture supports.
fn bank_choices(arch: &Architecture) -> impl Iterator<Item = BankSize> {
    let has_choice = arch.memory.eight_byte_banks.is_some();
    BankSize::ALL
        .into_iter()
        .filter(move |size| has_choice || *size == BankSize::default())
}

fn tu102() -> &'static Architecture {
    architecture(ArchId::Tu102)
}

/// A row of the measured table: name, space, operation, width, mask, counts (none if empty), and offsets.
struct Measured<'a> {
    id: &'a str,
    space: &'a str,
    op: AccessOp,
    width_bits: u32,
    mask: LaneMask,
    counts: [Option<u32>; 4],
    offsets: [u32; 32],
}

fn measured() -> impl Iterator<Item = Measured<'static>> {
    include_str!("../../../tests/golden/warp_access_h200.csv")
        .lines()
        .skip(1)
        .map(|line| {
            let cells: Vec<&str> = line.split(',').collect();
            Measured {
                id: cells[0],
                space: cells[1],
                op: if cells[2] == "ld" {
                    AccessOp::Load
                } else {
                    AccessOp::Store
                },
                width_bits: cells[3].parse().expect("a width"),
                mask: LaneMask(u32::from_str_radix(cells[4], 16).expect("a mask")),
                counts: [5, 6, 7, 8].map(|idx| cells[idx].parse().ok()),
                offsets: std::array::from_fn(|lane| cells[9 + lane].parse().expect("an offset")),
            }
        })
}

#[test]
fn accesses_match_the_measured_counters() {
    let mut num = (0, 0);
    let of_7x_on = ArchId::ALL.into_iter().filter(|id| *id >= ArchId::Gv100);
    for id in of_7x_on {
        let arch = architecture(id);
        for row in measured() {
            if row.space == "shared" {
                let got = shared(banks(arch), row.op, row.width_bits, &row.offsets, row.mask);
                assert_eq!(
                    [Some(got.wavefronts()), Some(got.conflicts())],
                    row.counts[..2],
                    "{id} {}",
                    row.id
                );
                num.0 += 1;
            } else {
                let addresses = row.offsets.map(|offset| 0x7000_0000 + u64::from(offset));
                let got = global(arch, CacheLevel::L1, row.op, row.width_bits, &addresses, row.mask);
                let counts = [Some(got.counts.sectors.into()), Some(got.counts.requests.into())];
                assert_eq!(counts, row.counts[2..], "{id} {}", row.id);
                assert_eq!(got.sectors.len(), got.transactions.len(), "{id} {}", row.id);
                num.1 += 1;
            }
        }
    }
    assert!(num.0 > 300 && num.1 > 200, "{num:?} rows");
}

/// Returns the worked examples of a kind: name, contents, addresses, and mask.
fn examples(kind: &str) -> Vec<(String, serde_json::Value, [u64; 32], LaneMask)> {
    let all: serde_json::Value =
        serde_json::from_str(include_str!("../../../tests/facts/worked_examples.json")).expect("JSON");
    let of_kind = all[kind].as_object().expect("examples");
    of_kind
        .iter()
        .map(|(name, example)| {
            let mut mask = 0;
            let addresses = std::array::from_fn(|lane| match example["addresses"][lane].as_u64() {
                Some(address) => {
                    mask |= 1 << lane;
                    address
                }
                None => 0,
            });
            (name.clone(), example.clone(), addresses, LaneMask(mask))
        })
        .collect()
}

#[test]
fn coalescing_matches_the_worked_examples() {
    let columns = [
        (ArchId::G80, CacheLevel::L1, "cc1.0_1.1"),
        (ArchId::Gt200, CacheLevel::L1, "cc1.2_1.3"),
        (ArchId::Gf100, CacheLevel::L1, "cc2.x_ca"),
        (ArchId::Gf104, CacheLevel::L1, "cc2.x_ca"),
        (ArchId::Gf100, CacheLevel::L2, "cc2.x_cg"),
        (ArchId::Gf104, CacheLevel::L2, "cc2.x_cg"),
        (ArchId::Gk110, CacheLevel::L1, "cc2.x_ca"),
        (ArchId::Gk110, CacheLevel::L2, "cc2.x_cg"),
        (ArchId::Gm204, CacheLevel::L1, "cc5.x+_sectors"),
        (ArchId::Gp100, CacheLevel::L1, "cc5.x+_sectors"),
        (ArchId::Gp104, CacheLevel::L1, "cc5.x+_sectors"),
        (ArchId::Gv100, CacheLevel::L1, "cc5.x+_sectors"),
        (ArchId::Tu102, CacheLevel::L1, "cc5.x+_sectors"),
        (ArchId::Ga100, CacheLevel::L1, "cc5.x+_sectors"),
        (ArchId::Ga102, CacheLevel::L1, "cc5.x+_sectors"),
        (ArchId::Ad102, CacheLevel::L1, "cc5.x+_sectors"),
    ];
    let examples = examples("coalescing");
    assert_eq!(examples.len(), 19);
    for (name, example, addresses, mask) in &examples {
        let bits = example["size"].as_u64().expect("a size") as u32 * 8;
        for (id, level, column) in columns {
            let got = global(architecture(id), level, AccessOp::Load, bits, addresses, *mask);
            let expected = &example[column];
            let list: Vec<(u64, u64)> = got
                .transactions
                .iter()
                .map(|transaction| (transaction.base, transaction.bytes.into()))
                .collect();
            let expected_list: Vec<(u64, u64)> =
                serde_json::from_value(expected["list"].clone()).expect("base and bytes");
            assert_eq!(list, expected_list, "{name} {id} {column}");
            assert_eq!(
                u64::from(got.counts.transactions),
                expected["transactions"],
                "{name} {id}"
            );
            assert_eq!(u64::from(got.counts.bytes), expected["bytes"], "{name} {id}");
            assert_eq!(u64::from(got.used_bytes), example["useful_bytes"], "{name} {id}");
            if column == "cc5.x+_sectors" {
                assert_eq!(u64::from(got.counts.lines), expected["lines128"], "{name} {id}");
            }
            if matches!(id, ArchId::Gp100 | ArchId::Gp104) {
                assert_eq!(
                    u64::from(got.counts.requests),
                    example["l1_requests_maxwell_pascal"],
                    "{name} {id}"
                );
            }
            if matches!(id, ArchId::Gv100 | ArchId::Tu102) {
                assert_eq!(
                    u64::from(got.counts.tag_cycles),
                    example["l1_tag_cycles_volta"],
                    "{name} {id}"
                );
            }
        }
    }
}

#[test]
fn bank_conflicts_match_the_worked_examples() {
    let columns = [
        (
            ArchId::G80,
            "cc1.x_steps_per_halfwarp_request",
            Some("cc1.x_ways"),
        ),
        (
            ArchId::Gt200,
            "cc1.x_steps_per_halfwarp_request",
            Some("cc1.x_ways"),
        ),
        (ArchId::Gf100, "cc2.x_requests", Some("cc2.x_ways")),
        (ArchId::Gf104, "cc2.x_requests", Some("cc2.x_ways")),
        (ArchId::Gp100, "cc5.x+_phases", None),
        (ArchId::Gp104, "cc5.x+_phases", None),
    ];
    let examples = examples("banks");
    assert_eq!(examples.len(), 31);
    for (name, example, addresses, mask) in &examples {
        let bits = example["size"].as_u64().expect("a size") as u32 * 8;
        let offsets = addresses.map(|address| address as u32);
        for (id, column, ways) in columns {
            let got = shared(banks(architecture(id)), AccessOp::Load, bits, &offsets, *mask);
            let passes: Vec<u64> = got
                .requests
                .iter()
                .map(|request| request.passes.len() as u64)
                .collect();
            let expected: Vec<u64> = serde_json::from_value(example[column].clone()).expect("passes");
            assert_eq!(passes, expected, "{name} {id}");
            if let Some(ways) = ways {
                assert_eq!(u64::from(got.ways()), example[ways], "{name} {id}");
            }
        }
        let kepler = |size| {
            let banks = architecture(ArchId::Gk110).memory.banks(size);
            let got = shared(banks, AccessOp::Load, bits, &offsets, *mask);
            u64::from(got.wavefronts())
        };
        for (size, column) in [
            (BankSize::FourByte, "cc3.x_4byte_mode"),
            (BankSize::EightByte, "cc3.x_8byte_mode"),
        ] {
            if let Some(passes) = example[column].as_u64() {
                assert_eq!(kepler(size), passes, "{name} on 3.x, {size:?}");
            }
        }
        // A bank of 3.x delivers 64 bits, so doubles without conflicts take one pass.
        if name == "double_array" {
            assert_eq!(BankSize::ALL.map(kepler), [1, 1], "{name} on 3.x");
        }
        // The measured rule of 7.x differs from the examples only for wide loads with equal neighboring addresses.
        let got = shared(banks(tu102()), AccessOp::Load, bits, &offsets, *mask);
        let expected = if name == "float4_same" {
            2
        } else {
            example["cc5.x+_total_wavefronts"].as_u64().expect("a number")
        };
        assert_eq!(u64::from(got.wavefronts()), expected, "{name}");
    }
}

/// Programming Guide 4.2, Figure F-1, third row: 1.0 takes one transaction per lane from byte 132 on.
#[test]
fn misaligned_accesses_match_the_guides_figure() {
    let addresses = std::array::from_fn(|lane| 132 + 4 * lane as u64);
    let bases = |id| -> Vec<(u64, u16)> {
        let access = global(
            architecture(id),
            CacheLevel::L1,
            AccessOp::Load,
            32,
            &addresses,
            LaneMask::FULL,
        );
        access
            .transactions
            .iter()
            .map(|transaction| (transaction.base, transaction.bytes))
            .collect()
    };
    let strict = bases(ArchId::G80);
    let count = |base| {
        strict
            .iter()
            .filter(|transaction| **transaction == (base, 32))
            .count()
    };
    assert_eq!(
        [count(128), count(160), count(192), count(224), count(256)],
        [7, 8, 8, 8, 1]
    );
    assert_eq!(bases(ArchId::Gt200), [(128, 128), (192, 64), (256, 32)]);
    assert_eq!(bases(ArchId::Gf100), [(128, 128), (256, 128)]);
}

#[test]
fn atomics_serve_one_lane_of_a_word_at_a_time() {
    let same = [0; 32];
    let counts =
        |id, op| shared_wavefronts(banks(architecture(id)), op, 32, &same, LaneMask::FULL).wavefronts;
    assert_eq!(counts(ArchId::Tu102, AccessOp::Load), 1);
    assert_eq!(counts(ArchId::Tu102, AccessOp::Atomic), 32);
    assert_eq!(counts(ArchId::Gt200, AccessOp::Atomic), 32);
    let sectors = |addresses: &[u64; 32]| {
        global_counts(
            tu102(),
            CacheLevel::L1,
            AccessOp::Atomic,
            32,
            addresses,
            LaneMask::FULL,
        )
        .sectors
    };
    assert_eq!(sectors(&[64; 32]), 32);
    // Two words of one sector, 16 lanes each: the word with more lanes counts. Four sectors in order: one each.
    assert_eq!(sectors(&std::array::from_fn(|lane| 4 * (lane as u64 % 2))), 16);
    assert_eq!(sectors(&std::array::from_fn(|lane| 4 * lane as u64)), 4);
}

#[test]
fn constant_loads_take_one_request_per_distinct_address() {
    let lanes = |modulo: u32| -> [u32; 32] { std::array::from_fn(|lane| lane as u32 % modulo * 4) };
    for (id, modulo, expected) in [
        (ArchId::Tu102, 1, 1),
        (ArchId::Tu102, 32, 32),
        (ArchId::Tu102, 5, 5),
        (ArchId::G80, 1, 2),
        (ArchId::G80, 5, 10),
        (ArchId::G80, 32, 32),
    ] {
        let access = constant(architecture(id), &lanes(modulo), LaneMask::FULL);
        assert_eq!(access.requests.len(), expected, "{id} {modulo}");
        assert_eq!(
            constant_requests(architecture(id), &lanes(modulo), LaneMask::FULL),
            expected as u32
        );
    }
    assert_eq!(constant_requests(tu102(), &[0; 32], LaneMask::EMPTY), 0);
}

/// A fast random number generator, so a million cases take seconds.
struct Random(u64);

impl Random {
    fn next(&mut self, below: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % below
    }
}

/// Returns a random access: realistic patterns (strides, gathers in windows of all sizes, equal neighboring addresses),
/// every width, and every kind of mask.
fn random_access(random: &mut Random) -> (AccessOp, u32, [u64; 32], LaneMask) {
    let op = match random.next(5) {
        0 | 1 => AccessOp::Load,
        2 | 3 => AccessOp::Store,
        _ => AccessOp::Atomic,
    };
    let size = if op == AccessOp::Atomic {
        4 << random.next(2)
    } else {
        1 << random.next(5)
    };
    let mask = match random.next(4) {
        0 => random.next(1 << 32) as u32,
        1 => u32::MAX << random.next(32),
        _ => u32::MAX,
    };
    let window = 1 << random.next(11);
    let (start, stride) = (random.next(64), random.next(40));
    let shape = random.next(5);
    let mut addresses = [0; 32];
    for lane in 0..32 {
        let element = match shape {
            0 => start + lane as u64 * stride,
            1 if lane % 2 == 1 => addresses[lane - 1] / size,
            2 if lane % 4 > 1 => addresses[lane - 2] / size,
            _ => start + random.next(window),
        };
        addresses[lane] = element * size;
    }
    (op, 8 * size as u32, addresses, LaneMask(mask))
}

#[test]
fn a_million_random_accesses_match_a_brute_force_count() {
    let mut random = Random(2026);
    let mut num = 0;
    for _ in 0..72_000 {
        let (op, bits, addresses, mask) = random_access(&mut random);
        let offsets = addresses.map(|address| address as u32);
        for id in ArchId::ALL {
            if matches!(
                id,
                ArchId::Gf104 | ArchId::Gm204 | ArchId::Ga100 | ArchId::Ga102 | ArchId::Ad102 | ArchId::Gh100
            ) {
                continue;
            }
            let arch = architecture(id);
            for size in bank_choices(arch) {
                let counts = shared_wavefronts(arch.memory.banks(size), op, bits, &offsets, mask);
                let expected = brute_force_wavefronts((arch, size), op, bits, &offsets, mask);
                assert_eq!(
                    u32::from(counts.wavefronts),
                    expected,
                    "{id} {size:?} {op:?} {bits} {mask} {offsets:?}"
                );
            }
            let level = if num % 3 == 0 {
                CacheLevel::L2
            } else {
                CacheLevel::L1
            };
            let counts = global_counts(arch, level, op, bits, &addresses, mask);
            let expected = brute_force_transactions(arch, level, op, bits, &addresses, mask);
            let got = (u32::from(counts.transactions), counts.bytes);
            assert_eq!(got, expected, "{id} {level:?} {op:?} {bits} {mask} {addresses:?}");
            num += 2;
        }
    }
    assert!(num >= 1_000_000);
}

#[test]
fn passes_and_transactions_agree_with_the_counts() {
    let mut random = Random(7);
    for round in 0..30_000 {
        let (op, bits, addresses, mask) = random_access(&mut random);
        let offsets = addresses.map(|address| address as u32);
        let arch = architecture(ArchId::ALL[round % ArchId::ALL.len()]);
        let size = BankSize::ALL[round / ArchId::ALL.len() % 2];
        let banks = arch.memory.banks(size);
        let got = shared(banks, op, bits, &offsets, mask);
        let counts = shared_wavefronts(banks, op, bits, &offsets, mask);
        assert_eq!(got.wavefronts(), u32::from(counts.wavefronts));
        assert_eq!(got.ideal_wavefronts(), u32::from(counts.ideal_wavefronts));
        // Every lane receives each of its words exactly once, from the correct bank and row.
        let mut wanted: Vec<(u32, u32)> = Vec::new();
        for lane in mask.lanes() {
            let first = offsets[lane as usize] / 4;
            wanted.extend((first..first + bits.div_ceil(32)).map(|word| (lane, word)));
        }
        let mut delivered: Vec<(u32, u32)> = got
            .passes()
            .flat_map(|(_, pass)| &pass.words)
            .flat_map(|word| {
                let first = (word.row * banks.num + u32::from(word.bank)) * banks.words();
                assert!((first..first + banks.words()).contains(&word.word));
                word.lanes.lanes().map(move |lane| (lane, word.word))
            })
            .collect();
        wanted.sort_unstable();
        delivered.sort_unstable();
        assert_eq!(
            delivered, wanted,
            "{} {op:?} {bits} {mask} {offsets:?}",
            arch.name
        );
        // No bank serves two words in a pass, except in the passes of 2.x without a published order.
        // A bank of 3.x serves two words of an aligned segment of 64 words, or both halves of a 64-bit word.
        if !(arch.compute_capability.major == 2 && bits == 128) {
            for (_, pass) in got.passes() {
                for pair in pass.words.windows(2) {
                    let (first, second) = (&pair[0], &pair[1]);
                    let together = match banks.rule {
                        BankRule::WarpMulticastRows => {
                            first.word + 32 == second.word && first.word / 64 == second.word / 64
                        }
                        BankRule::WarpMulticastWide => first.word / 2 == second.word / 2,
                        _ => false,
                    };
                    let one_lane = op != AccessOp::Atomic || first.lanes == second.lanes;
                    assert!(
                        first.bank < second.bank || first.bank == second.bank && together && one_lane,
                        "{} {pass:?}",
                        arch.name
                    );
                }
            }
        }

        let level = if round % 2 == 0 {
            CacheLevel::L1
        } else {
            CacheLevel::L2
        };
        let got = global(arch, level, op, bits, &addresses, mask);
        assert_eq!(got.counts, global_counts(arch, level, op, bits, &addresses, mask));
        assert_eq!(got.requests.len(), usize::from(got.counts.requests));
        let served = got.transactions.iter().fold(0, |lanes, transaction| {
            assert_eq!(lanes & transaction.lanes.0, 0, "a lane in two transactions");
            assert!(transaction.used_bytes <= transaction.bytes);
            lanes | transaction.lanes.0
        });
        assert_eq!(served, mask.0);
        let loads = constant(arch, &offsets, mask);
        assert_eq!(
            loads.requests.len() as u32,
            constant_requests(arch, &offsets, mask)
        );
    }
}
