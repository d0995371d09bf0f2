//! Banks of eight bytes as they are drawn.

use std::collections::BTreeSet;

use super::*;
use crate::arch::{ArchId, BankSize};
use crate::ids::Cycle;
use crate::scene::tests::{library_run, overlaps};
use crate::sim::MachineOptions;
use crate::trace::Trace;

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

/// Frames at the first, the middle and the last wavefront of requests spread over a run.
fn frames(trace: &Trace) -> impl Iterator<Item = (Frame<'_>, ViewState)> {
    let num = trace.num_accesses() as u32;
    let shared = (0..num).filter_map(|idx| Some((idx, trace.access(idx)?)));
    let shared: Vec<_> = shared
        .filter(|(_, row)| crate::trace::is_shared(row.kind))
        .collect();
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

/// A word stands in the column of its bank, and no label lies over another.
#[test]
fn words_stand_in_the_columns_of_their_banks() {
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

/// Lanes side by side in pairs ask a bank for the halves of its word: drawn apart, served together.
#[test]
fn halves_of_a_word_are_drawn_apart_and_served_together() {
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
        "All 32 lanes ask 16 banks, and words of one come together: this store takes 1 wavefront."
    );
    let served = scene
        .items
        .iter()
        .filter(|item| matches!(item.target, Some(Target::Word(_))) && item.role == Role::Ink1);
    assert_eq!(served.count(), 32);
    // Both say the bank of lane 3 as `access` has it.
    let (_, tip) = banks_tooltip(&frame, &view, Target::Lane(3)).unwrap();
    assert!(tip.starts_with("word 3 of bank 1,"), "{tip}");
    assert_eq!(scene.table.rows[3][3], "1");
}
