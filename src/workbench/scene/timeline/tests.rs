use proptest::prelude::*;

use super::state_pixels::bucket_shift;
use super::*;
use crate::scene::{Mark, StripScale, WindowPart};
use engine::arch::ArchId;
use engine::trace::testing::run;
use engine::trace::{Trace, TraceOptions};

const SIZE: Size = Size {
    width: 832.0,
    height: 636.0,
};

fn view(px: f32, start: u64) -> ViewState {
    ViewState {
        cycle_px: Some(px),
        timeline_start: Some(Cycle(start)),
        ..ViewState::default()
    }
}

fn traces() -> &'static [Trace; 2] {
    static TRACES: std::sync::OnceLock<[Trace; 2]> = std::sync::OnceLock::new();
    TRACES
        .get_or_init(|| [ArchId::Gf100, ArchId::Tu102].map(|arch| run(arch, 6, 12, TraceOptions::default())))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    #[test]
    fn items_are_bounded_by_pixels_at_every_zoom_and_place(which in 0..2_usize, zoom in -14.0_f32..10.0, place in 0.0_f64..1.0) {
        let trace = &traces()[which];
        let start = (place * trace.num_cycles() as f64) as u64;
        let frame = trace.frame(Cycle(start));
        let view = view(zoom.exp2(), start);
        let scene = timeline(&frame, &view, SIZE);
        let scale = TimelineScale::new(&frame, &view, SIZE.width);
        let rows: usize = used_slots(&frame).iter().map(Vec::len).sum();
        // A band is at least a cycle, and a cycle with bands four pixels; the rest are a few labels a
        // row and the issue slots of a scheduler.
        let bands = if scale.px < BANDS_PX { 0 } else { rows * (SIZE.width / BANDS_PX) as usize };
        let most = 2 * bands + 8 * rows + trace.num_schedulers() * SIZE.width as usize + 200;
        prop_assert!(scene.items.len() <= most, "{} at {}", scene.items.len(), scale.px);
        for item in &scene.items {
            if let Shape::StatePixels { columns, cells, .. } = &item.shape {
                prop_assert!(f32::from(*columns) <= SIZE.width);
                prop_assert!(cells.len() <= (SIZE.width * scene.size.height) as usize);
            }
        }
    }
}

#[test]
fn columns_of_shares_match_the_runs() {
    let trace = &traces()[1];
    let frame = trace.frame(Cycle(0));
    let view = view(0.2, trace.num_cycles() / 3);
    let scale = TimelineScale::new(&frame, &view, SIZE.width);
    let (slot, height) = (used_slots(&frame)[0][0], 20);
    let mut pixels = StatePixels::new(scale, 0.0, 20.0);
    pixels.row(&frame, scale, slot, (0.0, 20.0));
    let Shape::StatePixels { columns, cells, .. } = pixels.finish(&view) else {
        panic!("no state pixels");
    };
    let shift = bucket_shift(scale.px);
    let (mut seen, mut all) = (0.0, 0.0);
    for bucket in (scale.start >> shift) + 1..(scale.end >> shift) - 1 {
        let exact = trace.states_between(Some(slot), Cycle(bucket << shift), Cycle((bucket + 1) << shift));
        let issue = exact[WarpState::Selected as usize] as f32 / (1u64 << shift) as f32 * height as f32;
        let x = (scale.x(bucket << shift) - scale.x0).round() as usize;
        let high = (0..height)
            .filter(|row| cells[row * usize::from(columns) + x] == Mark::Issue as u8 + 1)
            .count();
        assert!(
            (high as f32 - issue).abs() < 1.0,
            "bucket {bucket}: {high} for {issue}"
        );
        seen += high as f32;
        all += issue;
    }
    assert!(all > 8.0 && (seen - all).abs() < 0.1 * all, "{seen} for {all}");
}

#[test]
fn a_pointer_finds_the_cycle_under_it_at_every_zoom() {
    let trace = &traces()[1];
    let frame = trace.frame(Cycle(0));
    for px in [0.05, 0.5, 1.7, 3.9] {
        let view = view(px, 500);
        let (scene, scale) = (
            timeline(&frame, &view, SIZE),
            TimelineScale::new(&frame, &view, SIZE.width),
        );
        let x = 500.3;
        let Some(Target::WarpAt { cycle, .. }) = scene.hit(x, 200.0) else {
            panic!("nothing at {px}");
        };
        assert_eq!(cycle, scale.cycle(x).0, "{px}");
    }
}

#[test]
fn one_cycle_or_the_whole_run_can_fill_the_width() {
    let trace = &traces()[0];
    let frame = trace.frame(Cycle(700));
    let shown = |px: f32| {
        let scale = TimelineScale::new(&frame, &view(px, 700), SIZE.width);
        (scale.start, scale.end)
    };
    assert_eq!(shown(ZOOM.1), (700, 701));
    assert_eq!(shown(ZOOM.0), (0, trace.num_cycles()));
    let sentence = TimelineScale::new(&frame, &view(ZOOM.1, 700), SIZE.width).shown_cycles(&frame);
    assert!(
        sentence.starts_with("The Timeline shows cycle 700 of "),
        "{sentence}"
    );
}

#[test]
fn the_window_is_dragged_by_its_bar_and_its_edges() {
    let scale = StripScale::of(1_000_000, Cycle(0), None, 1064.0);
    let part = |window: (u64, u64), x: f32, y: f32| {
        scale.window_part((Cycle(window.0), Cycle(window.1)), (x, y), 80.0, 3.0)
    };
    // 100 to 300 pixels into the run.
    let wide = (100_000, 300_000);
    assert_eq!(part(wide, 264.0, 30.0), None);
    assert_eq!(part(wide, 264.0, 66.0), Some(WindowPart::Whole));
    assert_eq!(part(wide, 164.5, 30.0), Some(WindowPart::Start));
    assert_eq!(part(wide, 363.0, 30.0), Some(WindowPart::End));
    assert_eq!(part(wide, 400.0, 66.0), None);
    // Less than a pixel: a bar all the same, with an end at each side.
    let narrow = (500_000, 500_080);
    assert_eq!(part(narrow, 564.0, 30.0), None);
    assert_eq!(part(narrow, 564.0, 66.0), Some(WindowPart::Whole));
    assert_eq!(part(narrow, 545.0, 66.0), Some(WindowPart::Start));
    assert_eq!(part(narrow, 583.0, 66.0), Some(WindowPart::End));
    // At the very end of the run the bar stays on the strip.
    assert_eq!(part((999_990, 1_000_000), 1050.0, 66.0), Some(WindowPart::Whole));
}
