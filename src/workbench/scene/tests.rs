//! Scenes of real runs: labels do not overlap, nothing exceeds the width, and text agrees with the machine. If
//! `WARPSCOPE_PICTURES` names a folder, the tests write the scenes there as SVG.

use std::sync::Arc;

use super::paint::colors::Colors;
use super::paint::svg::svg;
use super::{
    CombinationRun, CombinationState, MemoryPart, caches, caches_tooltip, carveout, combination_result,
    combination_tooltip, combinations, divergence, launch_needs, occupancy,
};
use super::{
    Mark, Scene, Shape, Size, Target, Texture, ViewState, banks, coalescing, ending_cycle, inspect_banks,
    inspect_range, inspect_warp, playground, registers, shown_access, sm, source, stalls, strip, timeline,
    tooltip,
};
use crate::library;
use cuda::compile;
use engine::arch::{ArchId, BankSize, PipeKind, PipeScope, architecture};
use engine::ids::{Cycle, SlotIdx};
use engine::isa::{CompileOptions, ElemType};
use engine::launch::{Argument, Fill, Launch, Pattern, Role};
use engine::sim::WarpState;
use engine::sim::{MachineOptions, MemoryOptions, Outcome, RequestKind};
use engine::trace::simulate;
use engine::trace::testing::run;
use engine::trace::{Direction, Frame, Trace, TraceOptions};

const ARCHES: [ArchId; 12] = [
    ArchId::G80,
    ArchId::Gt200,
    ArchId::Gf100,
    ArchId::Gf104,
    ArchId::Gk110,
    ArchId::Gm204,
    ArchId::Gp100,
    ArchId::Gp104,
    ArchId::Gv100,
    ArchId::Tu102,
    ArchId::Ga100,
    ArchId::Ad102,
];
/// The design's three stage sizes.
const SIZES: [(&str, f32, f32); 3] = [
    ("wide", 832.0, 636.0),
    ("middle", 716.0, 504.0),
    ("phone", 390.0, 560.0),
];

type View = fn(&Frame, &ViewState, Size) -> Scene;
const VIEWS: &[(&str, View)] = &[
    ("sm", sm),
    ("carveout", |frame, view, size| carveout(frame, view, size, &[])),
    ("timeline", timeline),
    ("banks", banks),
    ("coalescing", coalescing),
    ("registers", registers),
    ("occupancy", occupancy),
    ("source", source),
    ("stalls", stalls),
    ("divergence", divergence),
    ("caches", caches),
    ("caches-device", |frame, view, size| {
        let mut view = *view;
        view.settings.cache = MemoryPart::Device;
        caches(frame, &view, size)
    }),
    ("carveout-all", |frame, view, size| {
        carveout(frame, view, size, &every_split(frame))
    }),
];

/// All combinations of a launch, in every state.
fn every_split(frame: &Frame) -> Vec<CombinationRun> {
    let (trace, needs) = (frame.trace(), launch_needs(frame.trace()));
    let caching = trace.options().load_caching;
    combinations(frame.arch(), &needs, 64, Some(20), caching)
        .into_iter()
        .enumerate()
        .map(|(idx, combination)| CombinationRun {
            combination,
            state: match idx {
                0 => CombinationState::Waits,
                1 => CombinationState::Runs { cycles: 1_234_567 },
                2 => CombinationState::Refused(
                    "a sentence with the reason why the combination is impossible".to_owned(),
                ),
                _ => CombinationState::Done(combination_result(trace)),
            },
            is_own: idx == 3,
        })
        .collect()
}

fn trace(arch: ArchId) -> Trace {
    run(arch, 4, 6, TraceOptions::default())
}

/// Representative cycles: the start, an issue, a stall, a conflict in service, and the end.
fn cycles(trace: &Trace) -> Vec<Cycle> {
    let middle = Cycle(trace.num_cycles() / 2);
    let mut cycles = vec![Cycle(0), middle, trace.last_cycle()];
    cycles.extend(trace.issue(middle, Direction::Forward, None).map(|row| row.cycle));
    cycles.extend(trace.stall(middle, Direction::Forward, None));
    let conflict = (0..trace.num_accesses() as u32)
        .filter_map(|idx| trace.access(idx))
        .find(|row| row.wavefronts > 8 && row.started > middle);
    cycles.extend(conflict.map(|row| Cycle(row.started.0 + 5)));
    cycles
}

/// Left, top, right, and bottom of a text.
fn text_box(shape: &Shape) -> Option<(f32, f32, f32, f32)> {
    shape.text_area(0.36).map(|(_, area)| area.into())
}

/// Overlapping texts, except those that a later fill hides.
pub(super) fn overlaps(scene: &Scene) -> Vec<(String, String)> {
    let mut shown: Vec<((f32, f32, f32, f32), String)> = Vec::new();
    for item in &scene.items {
        if let (Shape::Rect { x, y, w, h }, Texture::Solid) = (&item.shape, item.texture) {
            shown.retain(|((left, top, right, bottom), _)| {
                !(*left >= x - 1.0 && *right <= x + w + 1.0 && *top >= y - 1.0 && *bottom <= y + h + 1.0)
            });
        }
        if let (Some(at), Shape::Text { text, .. }) = (text_box(&item.shape), &item.shape) {
            shown.push((at, text.clone()));
        }
    }
    let mut found = Vec::new();
    for (idx, (a, text)) in shown.iter().enumerate() {
        for (b, other) in &shown[idx + 1..] {
            if a.0 + 0.5 < b.2 && b.0 + 0.5 < a.2 && a.1 + 0.5 < b.3 && b.1 + 0.5 < a.3 {
                found.push((text.clone(), other.clone()));
            }
        }
    }
    found
}

fn write_picture(name: &str, scene: &Scene) {
    #[expect(clippy::disallowed_methods, reason = "only if the variable names a folder")]
    if let Ok(folder) = std::env::var("WARPSCOPE_PICTURES") {
        let tokens = include_str!("../../../www/tokens.css");
        let style = format!("</title><style>{tokens}</style>");
        let drawing = svg(scene, &Colors::of_tokens()).replacen("</title>", &style, 1);
        std::fs::write(format!("{folder}/{name}.svg"), drawing).unwrap();
    }
}

#[test]
fn scenes_are_complete_at_every_size() {
    let mut faults = Vec::new();
    for arch in ARCHES {
        let trace = trace(arch);
        for (which, cycle) in cycles(&trace).into_iter().enumerate() {
            let frame = trace.frame(cycle);
            let view = ViewState {
                slot: Some(SlotIdx(1)),
                ..ViewState::default()
            };
            for &(view_name, draw) in VIEWS {
                for (size_name, width, height) in SIZES {
                    let scene = draw(&frame, &view, Size { width, height });
                    let name = format!("{view_name}-{arch}-{which}-{size_name}");
                    write_picture(&name, &scene);
                    for clash in overlaps(&scene) {
                        faults.push(format!("{name}, cycle {}: {clash:?} overlap", cycle.0));
                    }
                    for item in &scene.items {
                        if let Some((left, _, right, bottom)) = text_box(&item.shape)
                            && !(left >= -1.0 && right <= width + 1.0 && bottom <= scene.size.height + 1.0)
                        {
                            faults.push(format!("{name}: {:?} is outside", item.shape));
                        }
                    }
                    let length = scene.headline.chars().count();
                    assert!(length > 10 && length <= 90, "{name}: {}", scene.headline);
                    assert!(scene.headline.ends_with(['.', '…']), "{name}: {}", scene.headline);
                    assert!(
                        scene
                            .table
                            .rows
                            .iter()
                            .all(|row| row.len() == scene.table.columns.len()),
                        "{name}"
                    );
                }
            }
            for (width, height) in [(1424.0, 72.0), (390.0, 60.0)] {
                let scene = strip(&frame, &view, Size { width, height });
                write_picture(&format!("strip-{arch}-{which}-{width}"), &scene);
                assert_eq!(overlaps(&scene), [], "{arch}");
            }
        }
    }
    assert!(
        faults.is_empty(),
        "{} faults:\n{}",
        faults.len(),
        faults.join("\n")
    );
}

#[test]
fn playgrounds_are_complete_at_every_size() {
    use crate::playground::{EXAMPLES, Space};
    use engine::access::AccessOp;
    let mut faults = Vec::new();
    // One architecture per bank rule and coalescing rule.
    for arch in [
        ArchId::G80,
        ArchId::Gt200,
        ArchId::Gf100,
        ArchId::Gk110,
        ArchId::Tu102,
    ] {
        for example in EXAMPLES {
            for (space, op) in [
                (Space::Shared, AccessOp::Load),
                (Space::Global, AccessOp::Load),
                (Space::Shared, AccessOp::Atomic),
            ] {
                let typed = example.playground(space, op);
                for (size_name, width, height) in SIZES {
                    let view = ViewState::default();
                    let options = MemoryOptions {
                        bank_size: BankSize::EightByte,
                        ..MemoryOptions::default()
                    };
                    let size = Size { width, height };
                    let scene = playground(&typed, architecture(arch), options, &view, size);
                    let name = format!("playground-{arch}-{}-{space:?}-{size_name}", example.id);
                    write_picture(&name, &scene);
                    for clash in overlaps(&scene) {
                        faults.push(format!("{name}: {clash:?} overlap"));
                    }
                    for item in &scene.items {
                        if let Some((left, _, right, bottom)) = text_box(&item.shape)
                            && !(left >= -1.0 && right <= width + 1.0 && bottom <= scene.size.height + 1.0)
                        {
                            faults.push(format!("{name}: {:?} is outside", item.shape));
                        }
                    }
                }
            }
        }
    }
    faults.truncate(20);
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn the_floor_plan_matches_the_machine() {
    for arch in ARCHES {
        let trace = trace(arch);
        for cycle in cycles(&trace) {
            let frame = trace.frame(cycle);
            let scene = sm(
                &frame,
                &ViewState::default(),
                Size {
                    width: 832.0,
                    height: 636.0,
                },
            );
            let row_of = |slot: u16| scene.table.rows.iter().find(|row| row[1] == slot.to_string());
            for warp in &frame.snapshot().warps {
                let row = row_of(warp.slot.0).unwrap();
                assert_eq!(row[2], format!("W{:02}", warp.warp.0), "{arch}");
                assert_eq!(row[3], warp.state.name(), "{arch} cycle {}", cycle.0);
            }
            // One lit row per issuing warp.
            let lit = scene
                .items
                .iter()
                .filter(|item| matches!(item.target, Some(Target::Warp { .. })))
                .count();
            assert_eq!(lit, trace.num_slots(), "{arch}: every slot can be pointed at");
            let tiles = scene
                .items
                .iter()
                .filter(|item| matches!(item.shape, Shape::Tile { .. }))
                .count();
            let issuing = frame
                .snapshot()
                .warps
                .iter()
                .filter(|warp| warp.state == WarpState::Selected)
                .count();
            assert_eq!(tiles + issuing, trace.num_slots(), "{arch}");
        }
    }
}

/// Whether an area contains the issue color.
fn is_lit(scene: &Scene, (x, y, w, h): (f32, f32, f32, f32)) -> bool {
    let within = |px: f32, py: f32| px >= x - 0.1 && px <= x + w + 0.1 && py >= y - 0.1 && py <= y + h + 0.1;
    let green = super::Role::State(Mark::Issue);
    scene
        .items
        .iter()
        .filter(|item| item.role == green)
        .any(|item| match &item.shape {
            Shape::Rect { x, y, w, h } => within(*x, *y) && within(x + w, y + h),
            Shape::Polygon { points } => points.iter().all(|(x, y)| within(*x, *y)),
            _ => false,
        })
}

#[test]
fn every_pipe_is_drawn_and_lit_while_an_instruction_enters() {
    let mut seen = std::collections::BTreeSet::new();
    for arch in ARCHES {
        let trace = trace(arch);
        let schedulers = trace.num_schedulers() as u8;
        for cycle in cycles(&trace)
            .into_iter()
            .flat_map(|cycle| (0..4).map(move |more| Cycle(cycle.0 + more)))
        {
            let frame = trace.frame(cycle);
            for (size_name, width, height) in SIZES {
                let scene = sm(&frame, &ViewState::default(), Size { width, height });
                for (idx, pipe) in trace.arch().pipes.iter().enumerate() {
                    let owners = match pipe.scope {
                        PipeScope::Scheduler => (0..schedulers).map(Some).collect::<Vec<_>>(),
                        PipeScope::Sm => vec![None],
                    };
                    for owner in owners {
                        let target = Target::Pipe {
                            scheduler: owner.unwrap_or(u8::MAX),
                            pipe: idx as u8,
                        };
                        let areas: Vec<_> = scene
                            .items
                            .iter()
                            .filter(|item| item.target == Some(target))
                            .filter_map(|item| match item.shape {
                                Shape::Rect { x, y, w, h } => Some((x, y, w, h)),
                                _ => None,
                            })
                            .collect();
                        let name = format!(
                            "{arch} {size_name} cycle {} {:?} {owner:?}",
                            frame.cycle().0,
                            pipe.kind
                        );
                        assert_eq!(areas.len(), 1, "{name}");
                        let now = frame.cycle();
                        let busy = frame
                            .snapshot()
                            .pipes
                            .iter()
                            .filter(|view| view.kind == pipe.kind && view.scheduler == owner)
                            .flat_map(|view| &view.in_flight)
                            .any(|flight| {
                                flight.started <= now && flight.accepted.0.max(flight.started.0 + 1) > now.0
                            });
                        let lit = is_lit(&scene, areas[0]);
                        let deep = matches!(pipe.kind, PipeKind::Fp32 | PipeKind::Int32);
                        assert!(lit == busy || deep && lit, "{name}: busy {busy}, lit {lit}");
                        if busy {
                            seen.insert(format!("{:?}", pipe.kind));
                        }
                    }
                }
            }
        }
    }
    for kind in ["Fp32", "Lsu", "Branch"] {
        assert!(seen.contains(kind), "{seen:?}");
    }
}

#[test]
fn the_timeline_names_the_start_of_a_state() {
    for arch in [ArchId::Gt200, ArchId::Gf104, ArchId::Tu102] {
        let trace = trace(arch);
        for cycle in cycles(&trace) {
            let frame = trace.frame(cycle);
            let scene = timeline(
                &frame,
                &ViewState::default(),
                Size {
                    width: 832.0,
                    height: 636.0,
                },
            );
            for row in &scene.table.rows {
                let slot = SlotIdx(row[0].parse().unwrap());
                let since: u64 = row[3].replace(',', "").parse().unwrap();
                assert_eq!(row[2], frame.state(slot).name(), "{arch}");
                let state_at = |cycle: u64| trace.frame(Cycle(cycle)).run(slot).unwrap();
                let first = cycle.0 + 1 - since;
                assert_eq!(state_at(first).start.0, first, "{arch}");
                assert_eq!(state_at(first).state, frame.state(slot), "{arch}");
            }
        }
    }
}

#[test]
fn counters_of_a_range_add_up() {
    let trace = trace(ArchId::Gf100);
    let frame = trace.frame(Cycle(100));
    let seen = inspect_range(&frame, Cycle(50), Cycle(150));
    let count: u64 = (50..150)
        .flat_map(|cycle| (0..trace.num_slots() as u16).map(move |slot| (cycle, slot)))
        .filter(|(cycle, slot)| {
            trace.run_at(SlotIdx(*slot), Cycle(*cycle)).unwrap().state != WarpState::Empty
        })
        .count() as u64;
    assert_eq!(seen.bars.iter().map(|bar| bar.value).sum::<u64>(), count);
    assert!(
        seen.why_text().contains("% of their issue slots"),
        "{}",
        seen.why_text()
    );
}

#[test]
fn a_column_of_a_tile_is_one_bank() {
    for (arch, banks_num, lanes, passes) in [
        (ArchId::Tu102, 32, 32, 32),
        (ArchId::Gf100, 32, 32, 32),
        (ArchId::G80, 16, 16, 32),
    ] {
        let trace = trace(arch);
        let idx = (0..trace.num_accesses() as u32)
            .find(|idx| trace.access(*idx).is_some_and(|row| row.wavefronts > 8))
            .unwrap();
        let row = trace.access(idx).unwrap();
        assert_eq!(row.wavefronts, passes, "{arch}");
        let view = ViewState {
            access: Some(idx),
            wavefront: Some(11),
            lane: Some(11),
            ..ViewState::default()
        };
        let frame = trace.frame(row.started);
        let scene = banks(
            &frame,
            &view,
            Size {
                width: 832.0,
                height: 636.0,
            },
        );
        write_picture(&format!("conflict-{arch}"), &scene);
        let banks_asked: std::collections::BTreeSet<&str> =
            scene.table.rows.iter().map(|row| row[3].as_str()).collect();
        assert_eq!(banks_asked.len(), 1, "{arch}: {:?}", scene.table);
        assert_eq!(scene.table.rows.len(), 32);
        // Lane l reads word l * row length.
        for (lane, row) in scene.table.rows.iter().enumerate() {
            let word: usize = row[2].parse().unwrap();
            let first: usize = scene.table.rows[0][2].parse().unwrap();
            assert_eq!(word, first + 32 * lane);
            // One lane per pass, lower half-warps first.
            assert_eq!(row[4], (lane + 1).to_string(), "{arch}");
        }
        assert!(
            scene.headline.contains(if lanes == 32 {
                "32 wavefronts"
            } else {
                "32 wavefronts, not 2"
            }),
            "{arch}: {}",
            scene.headline
        );
        let seen = inspect_banks(&frame, &view);
        assert!(
            seen.facts[0]
                .rows
                .iter()
                .any(|(name, value)| name == "wavefront" && value == "12"),
            "{arch} {seen:?}"
        );
        assert!(
            seen.facts[0]
                .rows
                .iter()
                .any(|(name, _)| *name == format!("bank = word mod {banks_num}"))
        );
        // A row padded by one word has no conflict; with 16 banks, 33 words work like 17.
        let pads: Vec<&str> = texts(&scene).filter(|text| text.contains("pass")).collect();
        let free = if banks_num == 32 { "1 pass" } else { "2 passes" };
        assert_eq!(&pads[..2], &["32 passes", free], "{arch}: {pads:?}");
    }
}

fn texts(scene: &Scene) -> impl Iterator<Item = &str> {
    scene.items.iter().filter_map(|item| match &item.shape {
        Shape::Text { text, .. } => Some(text.as_str()),
        _ => None,
    })
}

#[test]
fn a_conflict_is_drawn_while_it_is_served() {
    for arch in [ArchId::Gf100, ArchId::Tu102, ArchId::Gh100] {
        let trace = trace(arch);
        let idx = (0..trace.num_accesses() as u32)
            .find(|idx| trace.access(*idx).is_some_and(|row| row.wavefronts == 32))
            .unwrap();
        let row = trace.access(idx).unwrap();
        let size = Size {
            width: 832.0,
            height: 636.0,
        };
        // Each pass appears exactly once, interleaved with other requests if units serve several in turn.
        let mut shown = Vec::new();
        for cycle in row.started.0..row.done.0 {
            let frame = trace.frame(Cycle(cycle));
            let Some(pass) = banks::pass_in_service(&frame).filter(|pass| pass.row == row) else {
                continue;
            };
            assert!(!pass.lanes.is_empty(), "{arch}");
            // If units serve several requests in turn, another request may have started since.
            let shown_now = shown_access(&frame, &ViewState::default());
            assert!(
                shown_now == Some(idx) || arch == ArchId::Gh100,
                "{arch}: {shown_now:?}"
            );
            if shown.last() != Some(&pass.index) {
                shown.push(pass.index);
                let view = ViewState {
                    access: Some(idx),
                    ..ViewState::default()
                };
                let scene = banks(&frame, &view, size);
                let wanted = format!("Wavefront {} of 32", pass.index + 1);
                assert!(texts(&scene).any(|text| text == wanted), "{arch}: {wanted}");
            }
        }
        assert_eq!(shown, (0..32).collect::<Vec<u16>>(), "{arch}");
    }
}

#[test]
fn a_stalled_warp_names_the_cause() {
    for arch in ARCHES {
        let trace = trace(arch);
        let mut seen_states = std::collections::BTreeSet::new();
        for slot in 0..8u16 {
            for run in trace
                .runs_from(SlotIdx(slot), Cycle(0))
                .filter(|run| run.state != WarpState::Empty)
                .take(60)
            {
                let frame = trace.frame(run.start);
                let seen = inspect_warp(&frame, SlotIdx(slot));
                assert_eq!(seen.state.as_ref().unwrap().0, Mark::of(run.state));
                assert!(
                    !seen.why.is_empty() && seen.why_text().ends_with('.'),
                    "{arch} {}",
                    seen.why_text()
                );
                if run.state == WarpState::LongScoreboard {
                    assert!(
                        seen.why_text().starts_with("Stalls on R7 from LD"),
                        "{arch} {}",
                        seen.why_text()
                    );
                }
                if run.state == WarpState::Barrier && run.cycles() > 2 {
                    assert!(
                        seen.why_text().contains(" of the block's 8 warps have arrived")
                            || seen.why_text().contains("left."),
                        "{arch} {}",
                        seen.why_text()
                    );
                }
                let total: u64 = seen.bars.iter().map(|bar| bar.value).sum();
                assert_eq!(super::thousands(total), seen.bars_title.1);
                seen_states.insert(run.state);
                assert!(tooltip(&frame, Target::Warp { slot }).is_some());
            }
        }
        assert!(
            seen_states.contains(&WarpState::LongScoreboard),
            "{arch} {seen_states:?}"
        );
        assert!(
            seen_states.contains(&WarpState::Barrier),
            "{arch} {seen_states:?}"
        );
    }
}

#[test]
fn every_target_has_a_tooltip() {
    let trace = trace(ArchId::Tu102);
    let frame = trace.frame(Cycle(trace.num_cycles() / 2));
    let size = Size {
        width: 832.0,
        height: 636.0,
    };
    let mut device = ViewState::default();
    device.settings.cache = MemoryPart::Device;
    for &(name, draw) in VIEWS {
        let scene = draw(&frame, &ViewState::default(), size);
        let mut found = 0;
        for y in (0..scene.size.height as u32).step_by(5) {
            for x in (0..832).step_by(5) {
                if let Some(target) = scene.hit(x as f32, y as f32) {
                    found += 1;
                    // The view itself explains targets that depend on its state.
                    let text = match target {
                        Target::Combination(idx) => combination_tooltip(&frame, idx, &every_split(&frame)),
                        Target::HitColumn(_) if name == "caches-device" => {
                            caches_tooltip(&frame, &device, target)
                        }
                        _ => tooltip(&frame, target),
                    };
                    assert!(text.is_some(), "{name}: {target:?}");
                }
            }
        }
        // A cache with few lines in use has few targets.
        assert!(found > 20, "{name}: {found}");
    }
}

/// A run of a library kernel with its own launch.
pub(super) fn library_run(id: &str, arch: ArchId, options: MachineOptions) -> Result<Trace, String> {
    let kernel = library::kernel(id).unwrap();
    let compiled = compile(
        kernel.source,
        Some(kernel.entry),
        arch,
        &CompileOptions::default(),
    )
    .map_err(|diagnostics| format!("{diagnostics:?}"))?;
    let program = Arc::new(compiled.program);
    simulate(architecture(arch), program, &kernel.launch(), options).map_err(|error| error.to_string())
}

#[test]
fn library_kernels_have_complete_scenes() {
    let mut faults = Vec::new();
    for kernel in library::kernels() {
        for arch in [ArchId::Gt200, ArchId::Gf100, ArchId::Gp100, ArchId::Tu102] {
            let trace = match library_run(kernel.id, arch, MachineOptions::default()) {
                Ok(trace) => trace,
                // The library's own tests hold which those are.
                Err(error)
                    if error.contains("needs compute capability")
                        || error.contains("is not supported on compute capability") =>
                {
                    continue;
                }
                Err(error) => {
                    faults.push(format!("{} does not run on {arch}: {error}", kernel.id));
                    continue;
                }
            };
            if trace.outcome() != Some(&Outcome::Finished) && !library::HAZARDS.contains(&kernel.id) {
                faults.push(format!("{} on {arch}: {:?}", kernel.id, trace.outcome()));
            }
            for (which, cycle) in cycles(&trace).into_iter().enumerate() {
                let frame = trace.frame(cycle);
                let view = ViewState {
                    slot: Some(SlotIdx(1)),
                    ..ViewState::default()
                };
                for &(view_name, draw) in VIEWS {
                    let scene = draw(
                        &frame,
                        &view,
                        Size {
                            width: 832.0,
                            height: 636.0,
                        },
                    );
                    let name = format!("{}-{view_name}-{arch}-{which}", kernel.id);
                    write_picture(&name, &scene);
                    for clash in overlaps(&scene) {
                        faults.push(format!("{name}, cycle {}: {clash:?} overlap", cycle.0));
                    }
                    if scene.headline.chars().count() > 90 || scene.headline.ends_with('…') {
                        faults.push(format!("{name}: {}", scene.headline));
                    }
                }
            }
        }
    }
    assert!(
        faults.is_empty(),
        "{} faults:\n{}",
        faults.len(),
        faults.join("\n")
    );
}

/// The Banks headline of the first shared memory access of this kind.
fn banks_headline(trace: &Trace, kind: RequestKind) -> String {
    let idx = (0..trace.num_accesses() as u32)
        .find(|idx| trace.access(*idx).is_some_and(|row| row.kind == kind))
        .unwrap();
    let view = ViewState {
        access: Some(idx),
        ..ViewState::default()
    };
    banks(
        &trace.frame(Cycle(0)),
        &view,
        Size {
            width: 832.0,
            height: 636.0,
        },
    )
    .headline
}

#[test]
fn headlines_match_the_guides_for_these_kernels() {
    for arch in [ArchId::Gf100, ArchId::Gp100, ArchId::Tu102] {
        let naive = library_run("transpose-tiled", arch, MachineOptions::default()).unwrap();
        let conflict = banks_headline(&naive, RequestKind::SharedLoad);
        assert!(
            conflict.starts_with("All 32 lanes access different words in bank ")
                && conflict.ends_with(": this load takes 32 wavefronts."),
            "{arch}: {conflict}"
        );
        let padded = library_run("transpose-padded", arch, MachineOptions::default()).unwrap();
        assert_eq!(
            banks_headline(&padded, RequestKind::SharedLoad),
            "All 32 lanes access different banks: this load takes 1 wavefront.",
            "{arch}"
        );
    }
    // Half-warps access the banks in turn: a padding of one word works there, too.
    let padded = library_run("transpose-padded", ArchId::G80, MachineOptions::default()).unwrap();
    assert_eq!(
        banks_headline(&padded, RequestKind::SharedLoad),
        "Each half-warp accesses different banks: 2 wavefronts, one per half-warp."
    );
}

/// A run of a given source: one block of 64 threads, and a buffer of `len` floats.
pub(super) fn own_run(source: &str, arch: ArchId, len: u32, options: MachineOptions) -> Trace {
    let compiled = compile(source, None, arch, &CompileOptions::default()).unwrap();
    let fill = Fill::of(Pattern::Zero);
    let launch = Launch {
        grid: [1; 3],
        block: [64, 1, 1],
        dynamic_shared: 0,
        args: vec![Argument::Buffer {
            elem: ElemType::F32,
            len,
            fill,
            role: Role::InOut,
            start: 0,
        }],
        symbols: Vec::new(),
    };
    simulate(architecture(arch), Arc::new(compiled.program), &launch, options).unwrap()
}

#[test]
fn the_headline_names_an_early_end() {
    let ending = |source: &str| {
        let options = MachineOptions {
            max_cycles: 50_000,
            ..MachineOptions::default()
        };
        let trace = own_run(source, ArchId::Tu102, 64, options);
        let size = Size {
            width: 832.0,
            height: 636.0,
        };
        let frame = trace.frame(trace.last_cycle());
        assert_eq!(
            ending_cycle(&trace),
            Some(trace.last_cycle()),
            "{:?}",
            trace.outcome()
        );
        let scene = sm(&frame, &ViewState::default(), size);
        assert_eq!(
            timeline(&frame, &ViewState::default(), size).headline,
            scene.headline
        );
        assert_ne!(
            sm(&trace.frame(Cycle(3)), &ViewState::default(), size).headline,
            scene.headline
        );
        scene.headline
    };
    let fault = ending("__global__ void k(float *a) {\n  a[threadIdx.x * 4096] = 1.0f;\n}");
    assert_eq!(fault, "W00 faults at line 2: out-of-bounds address in 31 lanes.");
    let spinning =
        ending("__global__ void k(float *a) {\n  volatile float *b = a;\n  while (b[0] < 1.0f) {}\n}");
    assert_eq!(
        spinning,
        "Livelock: 32 lanes of W00 spin at line 3 on a value that no lane changes."
    );
    let endless = ending(
        "__global__ void k(float *a) {\n  volatile float *b = a;\n  int n = 0;\n  while (b[0] < 1.0f) n++;\n  a[1] = n;\n}",
    );
    assert_eq!(
        endless,
        "The run stops here: it reached its limit of 50,000 cycles."
    );
    let waiting = ending(
        "__global__ void k(float *a) {\n  if (threadIdx.x % 32 < 16) __syncwarp(); else __syncthreads();\n  a[threadIdx.x] = 1.0f;\n}",
    );
    assert_eq!(waiting, "Deadlock: 2 warps wait for lanes that can never arrive.");
}
