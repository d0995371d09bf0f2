//! Drawing and headlines of banks, 8-byte banks among them.

use std::collections::BTreeSet;

use super::*;
use crate::scene::tests::{library_run, overlaps};
use engine::access::{AccessOp, SharedAccess, shared};
use engine::arch::{ArchId, BankRule, BankSize, Banks, architecture};
use engine::ids::{Cycle, LaneMask, Pc, SlotIdx, WarpId};
use engine::sim::{Access, MachineOptions, MemoryLevel, RequestKind};
use engine::trace::Trace;

const SIZES: [Size; 3] = [
    Size {
        width: 832.0,
        height: 636.0,
    },
    Size {
        width: 716.0,
        height: 504.0,
    },
    Size {
        width: 390.0,
        height: 560.0,
    },
];

fn run(kernel: &str, bank_size: BankSize) -> Trace {
    let options = MachineOptions {
        bank_size,
        ..MachineOptions::default()
    };
    library_run(kernel, ArchId::Gk110, options).unwrap()
}

/// Frames at the first, the middle, and the last wavefront of requests spread over a run.
fn frames(trace: &Trace) -> impl Iterator<Item = (Frame<'_>, ViewState)> {
    let num = trace.num_accesses() as u32;
    let shared = (0..num).filter_map(|idx| Some((idx, trace.access(idx)?)));
    let shared: Vec<_> = shared.filter(|(_, row)| row.kind.is_shared()).collect();
    let step = (shared.len() / 6).max(1);
    let chosen: Vec<_> = shared.into_iter().step_by(step).collect();
    chosen.into_iter().flat_map(|(idx, row)| {
        [0, row.wavefronts / 2, row.wavefronts].map(|wavefront| {
            let view = ViewState {
                access: Some(idx),
                wavefront: Some(wavefront),
                ..ViewState::default()
            };
            (trace.frame(Cycle(row.started.0)), view)
        })
    })
}

/// A word is in the column of its bank, and no label overlaps another.
#[test]
fn words_are_in_the_columns_of_their_banks() {
    for kernel in ["transpose-tiled", "transpose-padded", "reduce-sum"] {
        for bank_size in BankSize::ALL {
            let trace = run(kernel, bank_size);
            for (frame, view) in frames(&trace) {
                for size in SIZES {
                    let scene = banks(&frame, &view, size);
                    assert_eq!(overlaps(&scene), [], "{kernel} {bank_size:?} {size:?}");
                    let grid = Grid::new(size.width);
                    let mut rows = BTreeSet::new();
                    for item in &scene.items {
                        let (Some(Target::Word(offset)), Shape::Rect { x, w, .. }) =
                            (item.target, &item.shape)
                        else {
                            continue;
                        };
                        let column = ((x + w / 2.0 - grid.x) / grid.lane).floor() as u32;
                        assert_eq!(
                            column,
                            frame.banks().bank(offset),
                            "{kernel} {bank_size:?} {offset}"
                        );
                        rows.insert(offset / frame.banks().row_bytes());
                    }
                    assert!(rows.len() >= 8, "{kernel}: {rows:?}");
                }
            }
        }
    }
}

/// Pairs of adjacent lanes access the halves of a bank's word: drawn separately, served together.
#[test]
fn halves_of_a_word_are_drawn_separately_and_served_together() {
    let trace = run("transpose-tiled", BankSize::EightByte);
    let idx = (0..trace.num_accesses() as u32)
        .find(|idx| {
            trace
                .access(*idx)
                .is_some_and(|row| row.kind == RequestKind::SharedStore && row.warp.0 == 0)
        })
        .unwrap();
    let view = ViewState {
        access: Some(idx),
        wavefront: Some(0),
        ..ViewState::default()
    };
    let row = trace.access(idx).unwrap();
    let frame = trace.frame(row.started);
    let scene = banks(&frame, &view, SIZES[0]);
    assert_eq!(
        scene.headline,
        "All 32 lanes access 16 banks, two words at a time: this store takes 1 wavefront."
    );
    let served = scene
        .items
        .iter()
        .filter(|item| matches!(item.target, Some(Target::Word(_))) && item.role == Role::Ink1);
    assert_eq!(served.count(), 32);
    // The tooltip and the table both give the bank of lane 3.
    let (_, tip) = banks_tooltip(&frame, &view, Target::Lane(3)).unwrap();
    assert!(tip.starts_with("word 3, bank 1,"), "{tip}");
    assert_eq!(scene.table.rows[3][3], "1");
}

/// A load with a stride between lanes of `stride` times the access width.
fn load(banks: Banks, mask: LaneMask, width_bits: u16, stride: u32) -> (Access, SharedAccess) {
    let step = u32::from(width_bits) / 8 * stride;
    let offsets: [u32; 32] = std::array::from_fn(|lane| step * lane as u32);
    let served = shared(banks, AccessOp::Load, width_bits.into(), &offsets, mask);
    let access = Access {
        slot: SlotIdx(0),
        warp: WarpId(0),
        pc: Pc(0),
        issued: Cycle(0),
        started: Cycle(0),
        done: Cycle(0),
        kind: RequestKind::SharedLoad,
        width_bits,
        mask,
        addresses: offsets.map(u64::from),
        wavefronts: served.wavefronts() as u16,
        ideal_wavefronts: served.ideal_wavefronts() as u16,
        requests: 1,
        sectors: 0,
        transactions: 0,
        bytes: 0,
        l1_hits: 0,
        l2_hits: 0,
        level: MemoryLevel::Shared,
    };
    (access, served)
}

fn headline_of(arch: ArchId, bank_size: BankSize, width_bits: u16, stride: u32) -> String {
    let banks = architecture(arch).memory.banks(bank_size);
    let (access, _) = load(banks, LaneMask::FULL, width_bits, stride);
    headline(&Plan::of(banks, &access), &access)
}

#[test]
fn conflicts_of_wide_accesses_count_within_lane_groups() {
    use ArchId::{Gf100, Gk110, Gt200, Tu102};
    use BankSize::{EightByte, FourByte};
    for (arch, bank_size, width_bits, stride, expected) in [
        (
            Gf100,
            FourByte,
            128,
            2,
            "A quarter-warp accesses 16 banks, 2 words each; 128 bits add one: 3 wavefronts, not 2.",
        ),
        (
            Gf100,
            FourByte,
            128,
            8,
            "A quarter-warp accesses 4 banks, 8 words each; 128 bits add one: 9 wavefronts, not 2.",
        ),
        (
            Gk110,
            FourByte,
            128,
            2,
            "A half-warp accesses 4 words in each of 16 banks, two at a time: 4 wavefronts, not 2.",
        ),
        (
            Gk110,
            FourByte,
            32,
            4,
            "Lanes access 4 words in each of 8 banks, two at a time: 2 wavefronts, not 1.",
        ),
        (
            Gk110,
            EightByte,
            32,
            4,
            "Lanes access 2 words of 64 bits in each of 16 banks: 2 wavefronts, not 1.",
        ),
        (
            Tu102,
            FourByte,
            128,
            2,
            "A quarter-warp accesses 2 words in each of 16 banks: 8 wavefronts, not 4.",
        ),
        (
            Gt200,
            FourByte,
            32,
            16,
            "A half-warp accesses 16 different words in bank 0: 32 wavefronts, not 2.",
        ),
    ] {
        assert_eq!(
            headline_of(arch, bank_size, width_bits, stride),
            expected,
            "{arch}"
        );
    }
}

/// Only banks of 3.x in the 4-byte mode serve two words at a time, and no headline is cut.
#[test]
fn only_banks_of_3_x_serve_two_words_at_a_time() {
    for arch in ArchId::ALL {
        for bank_size in BankSize::ALL {
            let banks = architecture(arch).memory.banks(bank_size);
            for (width_bits, mask) in [32, 64, 128]
                .into_iter()
                .flat_map(|bits| [u32::MAX, 0x7fff_ffff, 0x00ff_00ff, 0x1111_1111].map(|mask| (bits, mask)))
            {
                for stride in 0..=33 {
                    let (mut access, _) = load(banks, LaneMask(mask), width_bits, stride);
                    for kind in [RequestKind::SharedLoad, RequestKind::SharedStore] {
                        access.kind = kind;
                        let text = headline(&Plan::of(banks, &access), &access);
                        assert!(text.chars().count() <= 90, "{text}");
                        assert!(
                            banks.rule == BankRule::WarpMulticastRows || !text.contains("two at a time"),
                            "{arch} {width_bits} {stride}: {text}"
                        );
                    }
                }
            }
        }
    }
}

/// The reason for an access without conflicts is true for every lane group that it names.
#[test]
fn the_conflict_free_reason_is_true() {
    for arch in ArchId::ALL {
        for bank_size in BankSize::ALL {
            let banks = architecture(arch).memory.banks(bank_size);
            for width_bits in [32, 64, 128] {
                for stride in 0..=33 {
                    let (access, served) = load(banks, LaneMask::FULL, width_bits, stride);
                    if served.conflicts() > 0 {
                        continue;
                    }
                    let text = conflict_free_reason(&served);
                    let group = [("quarter-warp", 8), ("half-warp", 16)]
                        .into_iter()
                        .find(|(name, _)| text.contains(name))
                        .map_or(32, |(_, lanes)| lanes);
                    for lanes in access.addresses.chunks(group) {
                        let mut wanted = [const { BTreeSet::new() }; 32];
                        for address in lanes {
                            for word in address / 4..address / 4 + u64::from(width_bits) / 32 {
                                // Words that a bank serves together count as one.
                                let unit = match banks.rule {
                                    BankRule::WarpMulticastWide => word / 2,
                                    BankRule::WarpMulticastRows => word / 64 * 32 + word % 32,
                                    _ => word,
                                };
                                wanted[banks.bank(word as u32 * 4) as usize].insert(unit);
                            }
                        }
                        assert!(
                            wanted.iter().all(|units| units.len() <= 1),
                            "{arch} {bank_size:?}, {width_bits} bits, stride {stride}: {text}"
                        );
                    }
                }
            }
        }
    }
}
