use super::charts::carveout_charts;
use super::splits::splits;
use super::*;
use crate::scene::{Role, Target};
use engine::arch::{ArchId, GlobalCaching, L1Capacity, architecture, occupancy};
use engine::ids::Cycle;
use engine::trace::TraceOptions;
use engine::trace::testing::run;

fn needs(static_shared: u32, threads_per_block: u32) -> LaunchResources {
    LaunchResources {
        threads_per_block,
        registers_per_thread: 24,
        static_shared,
        dynamic_shared: 0,
        carveout_percent: None,
        global_caching: GlobalCaching::Default,
    }
}

#[test]
fn every_split_holds_the_blocks_that_occupancy_says() {
    for id in ArchId::ALL {
        let arch = architecture(id);
        for (bytes, threads) in [
            (0, 128),
            (1, 64),
            (2048, 256),
            (4224, 256),
            (9000, 64),
            (16384, 512),
        ] {
            let needs = needs(bytes, threads);
            for split in splits(arch, &needs, 0) {
                let largest = u32::from(arch.occupancy.shared_per_sm_kib.value);
                let percent = u32::from(split.shared_kib) * 100 / largest;
                let needs = LaunchResources {
                    carveout_percent: Some(percent),
                    ..needs
                };
                // A launch that the chip refuses for another reason has no occupancy.
                let Ok(filled) = occupancy(arch, &needs) else {
                    continue;
                };
                let enough =
                    u64::from(filled.allocated_shared_per_block) <= u64::from(split.shared_kib) * 1024;
                assert_eq!(split.refusal.is_none(), enough, "{id} {split:?}");
                assert_eq!(split.occupancy, enough.then_some(filled), "{id}");
                if !enough {
                    assert!(
                        filled.shared_kib > split.shared_kib,
                        "{id}: the driver takes more"
                    );
                }
            }
        }
    }
}

#[test]
fn a_split_is_the_whole_memory() {
    let kinds = [
        (ArchId::Gf100, vec![(16, 48), (48, 16)]),
        (
            ArchId::Gv100,
            vec![(0, 128), (8, 120), (16, 112), (32, 96), (64, 64), (96, 32)],
        ),
        (ArchId::Tu102, vec![(32, 64), (64, 32)]),
        (ArchId::Gp104, vec![(96, 48)]),
    ];
    for (id, expected) in kinds {
        let splits = splits(architecture(id), &needs(0, 64), 0);
        let sizes: Vec<(u16, u16)> = splits
            .iter()
            .map(|split| (split.shared_kib, split.l1_kib.unwrap()))
            .collect();
        assert_eq!(sizes, expected, "{id}");
        let capacity = architecture(id).memory.l1.as_ref().unwrap().capacity.value;
        if let L1Capacity::Unified(total) = capacity {
            assert!(sizes.iter().all(|(shared, l1)| shared + l1 == total), "{id}");
        }
    }
}

#[test]
fn every_request_is_rounded_up_to_one_split() {
    for id in [ArchId::Gv100, ArchId::Tu102, ArchId::Gh100] {
        let arch = architecture(id);
        let splits = splits(arch, &needs(0, 64), 0);
        for kib in 0..=u32::from(arch.occupancy.shared_per_sm_kib.value) {
            let given = legal_carveout(arch, kib);
            let requests: Vec<&str> = splits
                .iter()
                .filter(|split| {
                    let bounds: Vec<u32> = split
                        .requests
                        .split(|letter: char| !letter.is_ascii_digit())
                        .filter_map(|part| part.parse().ok())
                        .collect();
                    let (first, last) = (bounds[0], bounds[bounds.len() - 1]);
                    (first..=last).contains(&kib)
                })
                .map(|split| split.requests.as_str())
                .collect();
            assert_eq!(requests.len(), 1, "{id}: {kib} KB is in {requests:?}");
            assert!(
                requests[0].ends_with(&format!("{given} KB")),
                "{id}: {kib} gets {given}, {requests:?}"
            );
        }
    }
}

#[test]
fn a_click_on_a_column_names_its_split() {
    for id in ArchId::ALL {
        let trace = run(id, 4, 2, TraceOptions::default());
        let frame = trace.frame(Cycle(trace.num_cycles() / 2));
        let size = Size {
            width: 832.0,
            height: 636.0,
        };
        let scene = carveout(&frame, &ViewState::default(), size, &[]);
        let targets: Vec<u16> = scene
            .items
            .iter()
            .filter_map(|item| match item.target {
                Some(Target::Carveout(kib)) => Some(kib),
                _ => None,
            })
            .collect();
        assert_eq!(targets, architecture(id).occupancy.carveouts_kib.value, "{id}");
        let framed = scene.items.iter().filter(|item| item.role == Role::Selection);
        assert_eq!(framed.count(), 1, "{id}: one split is set");
        for kib in targets {
            let (name, reason) = carveout_tooltip(&frame, kib, &[]).unwrap();
            assert!(name.starts_with(&format!("{kib} KB shared")), "{name}");
            assert!(reason.ends_with('.'), "{reason}");
        }
        let inspection = inspect_carveout(&frame, &[]);
        assert!(inspection.why_text().ends_with('.'), "{}", inspection.why_text());
    }
}

#[test]
fn plots_say_what_a_request_gets() {
    let trace = run(ArchId::Gv100, 4, 2, TraceOptions::default());
    let (arch, needs) = (trace.arch(), crate::scene::occupancy::needs_of(&trace));
    let plots = carveout_charts(&trace, &[]);
    assert_eq!(plots.len(), 3);
    let max = f64::from(arch.occupancy.max_warps_per_sm.value);
    for kib in 0..=96u32 {
        let given = legal_carveout(arch, kib);
        let split = splits(arch, &needs, 0)
            .into_iter()
            .find(|split| u32::from(split.shared_kib) == given)
            .unwrap();
        let warps = split.occupancy.map(|filled| f64::from(filled.warps_per_sm()));
        let share = warps.map(|warps| 100.0 * warps / max);
        assert_eq!(plots[0].series[0].value(f64::from(kib)), share, "{kib} KB");
        assert_eq!(plots[1].series[0].value(f64::from(kib)), warps, "{kib} KB");
        let l1 = split.refusal.is_none().then(|| f64::from(split.l1_kib.unwrap()));
        assert_eq!(plots[2].series[0].value(f64::from(kib)), l1, "{kib} KB");
    }
    let fixed = run(ArchId::G80, 4, 2, TraceOptions::default());
    assert!(carveout_charts(&fixed, &[]).is_empty(), "nothing to choose");
}
