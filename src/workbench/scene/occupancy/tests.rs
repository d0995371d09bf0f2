use proptest::prelude::*;

use super::charts::charts;
use super::wording::long_needs;
use super::*;
use crate::scene::{Role, Shape, Texture};
use engine::arch::{ArchId, GlobalCaching, architecture};
use engine::ids::Cycle;
use engine::trace::TraceOptions;
use engine::trace::testing::run;

const STAGE: Size = Size {
    width: 832.0,
    height: 636.0,
};

fn archs() -> impl Strategy<Value = &'static Architecture> {
    prop::sample::select(ArchId::ALL.to_vec()).prop_map(architecture)
}

fn launches() -> impl Strategy<Value = LaunchResources> {
    (1..=1024u32, 1..=255u32, 0..48u32 * 1024, 0..64u32 * 1024).prop_map(
        |(threads_per_block, registers_per_thread, static_shared, dynamic_shared)| LaunchResources {
            threads_per_block,
            registers_per_thread,
            static_shared,
            dynamic_shared,
            carveout_percent: None,
            global_caching: GlobalCaching::Default,
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn the_bars_add_up_to_the_sm(arch in archs(), needs in launches()) {
        let Ok(filled) = engine::arch::occupancy(arch, &needs) else { return Ok(()) };
        for amount in bars::amounts(arch, &filled) {
            let taken = amount.per_block * u64::from(filled.blocks_per_sm);
            prop_assert_eq!(taken + amount.left, amount.capacity, "{:?}", &amount);
            let Some(fit) = &amount.fit else { continue };
            let whole: u32 = fit.split('.').next().unwrap().parse().unwrap();
            prop_assert_eq!(Some(whole), filled.limit(amount.limiter));
            prop_assert_eq!(amount.limits, whole == filled.blocks_per_sm);
        }
    }

    #[test]
    fn every_point_of_a_plot_is_the_occupancy_there(
        arch in archs(), needs in launches(), threads in 1..=32u32, registers in 1..=32u32, kib in 0..=96u32,
    ) {
        let plots = charts(arch, &needs);
        let varied = [
            (f64::from(threads * 32), LaunchResources { threads_per_block: threads * 32, ..needs }),
            (f64::from(registers * 8), LaunchResources { registers_per_thread: registers * 8, ..needs }),
            (f64::from(kib), LaunchResources { static_shared: 0, dynamic_shared: kib * 1024, ..needs }),
        ];
        for (plot, (x, needs)) in plots.iter().zip(varied) {
            for id in ArchId::ALL {
                let other = architecture(id);
                let name = charts_name(other);
                let series = if id == arch.id {
                    plot.series.first()
                } else {
                    plot.series[1..].iter().find(|series| series.name.split(", ").any(|part| part == name))
                };
                let filled = engine::arch::occupancy(other, &needs).ok();
                let inside = x <= plot.x.range.1;
                if let Some(series) = series.filter(|_| inside) {
                    let expected = filled.map(|filled| f64::from(filled.warps_per_sm()));
                    prop_assert_eq!(series.value(x), expected, "{} at {} on {}", &plot.id, x, id);
                }
            }
        }
    }
}

fn charts_name(arch: &Architecture) -> &'static str {
    super::charts::chip(arch)
}

#[test]
fn a_bar_has_one_segment_per_block() {
    for arch in ArchId::ALL {
        let trace = run(arch, 4, 2, TraceOptions::default());
        let frame = trace.frame(Cycle(trace.num_cycles() / 2));
        let plan = Plan::of(&frame);
        let scene = occupancy(&frame, &ViewState::default(), STAGE);
        let resident = frame.record().blocks_at(frame.cycle()).count();
        assert_eq!(plan.places.iter().flatten().count(), resident, "{arch}");
        // Solid ink is a block on a bar that limits.
        let solid = scene.items.iter().filter(|item| {
            item.role == Role::Ink1
                && item.texture == Texture::Solid
                && matches!(item.shape, Shape::Rect { .. })
        });
        let limiting = plan
            .amounts()
            .iter()
            .filter(|amount| amount.limits && amount.per_block > 0)
            .count();
        assert_eq!(solid.count(), resident * limiting, "{arch}");
        assert!(scene.headline.contains(&format!(
            "{} of {} warps",
            plan.occupancy.warps_per_sm(),
            plan.occupancy.max_warps_per_sm
        )));
    }
}

#[test]
fn the_mean_of_the_run_equals_nsight_computes() {
    for arch in [ArchId::G80, ArchId::Gf100, ArchId::Tu102] {
        let trace = run(arch, 4, 6, TraceOptions::default());
        let frame = trace.frame(Cycle(0));
        let mean = Plan::of(&frame).warps_mean;
        assert_eq!(trace.counter("sm__warps_active.avg.per_cycle_active"), Some(mean));
        let needs = inspect_occupancy(&frame);
        let row = needs.facts[2]
            .rows
            .iter()
            .find(|(name, _)| name == "mean of the run")
            .unwrap();
        assert!(row.1.starts_with(&format!("{mean:.1} of ")), "{row:?}");
    }
}

#[test]
fn register_needs_name_their_granularity() {
    let trace = run(ArchId::Tu102, 4, 1, TraceOptions::default());
    let needs = long_needs(&trace.frame(Cycle(0)));
    assert!(
        needs[2].contains("in units of 256 per warp, from 4 register files"),
        "{needs:?}"
    );
    let trace = run(ArchId::G80, 4, 1, TraceOptions::default());
    let needs = long_needs(&trace.frame(Cycle(0)));
    assert!(needs[2].contains("in units of 256 per block"), "{needs:?}");
}
