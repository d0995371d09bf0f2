//! Tests of the Device view.

use super::*;
use crate::app::{Event, update};
use crate::scene::{Size, Target};
use engine::arch::ArchId;
use engine::isa::ElemType;
use engine::launch::{Argument, Fill, Pattern, Role};

const SIZE: Size = Size {
    width: 900.0,
    height: 600.0,
};

fn session(link: &str) -> Session {
    let mut session = Session::new();
    let _ = update(&mut session, Event::Open(link.to_owned()));
    while session.work(10_000) {}
    session
}

/// A launch on TU102 that is large enough for several threads.
const LARGE: &str = "kernel=saxpy;arch=tu102;grid=1600";

/// The record of the run on this number of threads. `lost`: after this number of orders, another thread is lost.
fn record(num_threads: usize, lost: Option<usize>) -> String {
    let mut engine = DeviceEngine::start_on(LARGE, num_threads).unwrap();
    let (parts, num_parts) = engine.parts_elsewhere();
    assert_eq!(parts, 1..num_threads);
    let mut others: Vec<DevicePart> = parts
        .map(|part| DevicePart::start(LARGE, part, num_parts).unwrap())
        .collect();
    let mut num_orders = 0;
    loop {
        let orders = engine.orders();
        num_orders += orders.len();
        let (_, record) = engine.work(f64::INFINITY, || 0.0);
        if let Some(record) = record {
            return serde_json::to_string(&record).unwrap();
        }
        if lost.is_some_and(|lost| num_orders >= lost) && !others.is_empty() {
            others.clear();
            engine.restart_alone();
            continue;
        }
        // The last one replies first.
        for (part, order) in orders.iter().rev() {
            let reply = others[part - 1].obey(order).unwrap();
            engine.receive(&reply).unwrap();
        }
    }
}

#[test]
fn a_large_run_has_the_same_record_on_any_number_of_threads() {
    let alone = record(1, None);
    assert!(alone.contains("Finished"), "{alone:.200}");
    for num_threads in 2..5 {
        assert!(alone == record(num_threads, None), "{num_threads} threads");
    }
    assert!(alone == record(3, Some(20)), "after the loss of a thread");
}

/// By work, not by threads: a vector addition of 2^20 elements takes one thread, a product of 512 x 512 all.
#[test]
fn launches_with_much_work_are_spread_over_threads() {
    let parts_of = |kernel: &str| {
        let mut session = session(&format!("#v1;kernel={kernel};arch=tu102"));
        let _ = update(&mut session, Event::Choose(Choice::Full(true)));
        let link = crate::share::encode(&session.link());
        DeviceEngine::start_on(&link, 4).unwrap().parts_elsewhere().1
    };
    for light in ["vector-add", "transpose-padded", "transpose-naive", "saxpy-each"] {
        assert_eq!(parts_of(light), 1, "{light}");
    }
    for heavy in ["matmul-naive", "matmul-tiled"] {
        assert_eq!(parts_of(heavy), 4, "{heavy}");
    }
}

#[test]
fn small_runs_take_one_thread_and_damaged_messages_are_errors() {
    let small = DeviceEngine::start_on("kernel=vector-add", 4).unwrap();
    assert_eq!(small.parts_elsewhere(), (1..1, 1));
    assert!(DevicePart::start(LARGE, 9, 4).is_err());
    assert!(DeviceEngine::start_on(LARGE, 2).unwrap().receive(&[7]).is_err());
    assert!(DevicePart::start(LARGE, 1, 4).unwrap().obey(&[7]).is_err());
}

#[test]
fn the_view_runs_the_launch_on_all_sms_and_the_link_keeps_the_selected_one() {
    let link = "#v1;kernel=vector-add;grid=200;view=device;cycle=100;smid=5";
    let mut session = session(link);
    let trace = session.device_trace(0).expect("the device has run");
    assert_eq!((trace.num_sms, trace.num_blocks), (68, 200));
    assert_eq!(crate::share::encode(&session.link()), link);
    let scene = session.shown().picture(View::Device, SIZE).unwrap();
    assert!(scene.headline.contains("of 68 SMs"), "{}", scene.headline);
    assert_eq!(scene.table.rows.len(), 68);
    let inspection = session.inspection().unwrap();
    assert_eq!(inspection.title, "SM 5");
    update(&mut session, Event::Select(Target::DeviceSm(7)));
    assert_eq!(session.inspection().unwrap().title, "SM 7");
    update(&mut session, Event::Select(Target::DeviceSm(7)));
    assert_eq!(session.inspection().unwrap().title, "Device");
}

/// Between two waves, no SM has a block for a while.
#[test]
fn the_headline_never_says_that_blocks_finished_before_they_did() {
    let mut session = session("#v1;kernel=vector-add;grid=400;view=device");
    let cycles = session.device_trace(0).unwrap().num_cycles;
    for cycle in (0..cycles).step_by(20) {
        let _ = update(&mut session, Event::Seek(cycle));
        let headline = session.shown().picture(View::Device, SIZE).unwrap().headline;
        assert!(!headline.contains("finished"), "cycle {cycle}: {headline}");
    }
    let _ = update(&mut session, Event::Seek(cycles));
    let headline = session.shown().picture(View::Device, SIZE).unwrap().headline;
    assert!(headline.contains("All 400 blocks have finished"), "{headline}");
}

#[test]
fn a_kernel_fills_the_device_and_returns_by_undo() {
    let mut session = session("#v1;kernel=transpose-padded;view=device;arch=gt200");
    assert_eq!(session.controls(View::Device)[0].options.len(), 2);
    let _ = update(&mut session, Event::Choose(Choice::Full(true)));
    assert_eq!(session.setup().launch().num_blocks(), 1024);
    // The transport has the cycles of the picture.
    while session.work(100_000) {}
    assert_eq!(session.setup().machine.sm, Some(0));
    let cycles = session.device_trace(0).unwrap().num_cycles;
    assert_eq!(session.derived().num_cycles(), cycles);
    let note = |session: &Session| session.shown().picture(View::Device, SIZE).unwrap().note;
    assert!(
        note(&session).contains("show SM 0 of this run"),
        "{}",
        note(&session)
    );
    let _ = update(&mut session, Event::Choose(Choice::Full(false)));
    assert_eq!(session.setup().machine.sm, None);
    let _ = update(&mut session, Event::Undo);
    let _ = update(&mut session, Event::Undo);
    assert_eq!(
        (session.setup().launch().num_blocks(), session.setup().machine.sm),
        (4, None)
    );
    while session.work(100_000) {}
    assert!(
        note(&session).contains("one SM that runs all 4 blocks alone"),
        "{}",
        note(&session)
    );
    for kernel in library::kernels() {
        if let Some(full) = kernel.full_launch() {
            let (small, large) = (kernel.launch(), full);
            assert_eq!(small.block, large.block, "{}", kernel.id);
            assert!(large.num_blocks() >= 256 * small.num_blocks(), "{}", kernel.id);
        }
    }
}

/// The other views show an SM of the device: its blocks in the cycles of the Device view, in the link, and back.
#[test]
fn an_sm_of_the_device_opens_in_the_other_views() {
    let mut session = session("#v1;kernel=vector-add;grid=400;view=device;cycle=100;smid=5");
    let device = Arc::clone(session.device_trace(0).unwrap());
    let alone = session.derived().num_cycles();
    assert_eq!(
        session.controls(View::Device).last().unwrap().options[1].name,
        "SM 5 of the device"
    );
    let _ = update(&mut session, Event::Choose(Choice::SelectedSm));
    while session.work(10_000) {}
    let link = crate::share::encode(&session.link());
    assert!(link.contains(";sm=5;"), "{link}");
    // The device does not run again for another SM.
    assert!(Arc::ptr_eq(&device, session.device_trace(0).unwrap()));
    let trace = session.derived().trace().unwrap();
    assert_eq!(trace.num_cycles(), device.num_cycles);
    assert_ne!(trace.num_cycles(), alone);
    let spans: Vec<_> = device.blocks_of(5).collect();
    assert!(spans.len() >= 4, "{spans:?}");
    for span in &spans {
        let at = |cycle: u64| {
            let mut blocks = trace.blocks_at(engine::ids::Cycle(cycle));
            blocks.any(|other| other.block.0 == span.block)
        };
        assert!(at(span.started) && at(span.finished - 1), "{span:?}");
        assert!(
            !at(span.finished) && !at(span.started.wrapping_sub(1)),
            "{span:?}"
        );
    }
    for view in [
        View::Sm,
        View::Timeline,
        View::Stalls,
        View::Coalescing,
        View::Registers,
    ] {
        let _ = update(&mut session, Event::View(view));
        let scene = session.shown().picture(view, SIZE);
        let sentence = session.shown().sentence_in(view, scene.as_ref());
        assert!(sentence.starts_with("SM 5 of 68: "), "{view:?}: {sentence}");
    }
    let _ = update(&mut session, Event::Undo);
    while session.work(10_000) {}
    assert_eq!(
        (session.setup().machine.sm, session.derived().num_cycles()),
        (None, alone)
    );
    // The link alone opens the same run.
    let other = self::session(&link);
    assert_eq!(other.derived().trace().unwrap().digest(), {
        let _ = update(&mut session, Event::Redo);
        while session.work(10_000) {}
        session.derived().trace().unwrap().digest()
    });
    let _ = update(&mut session, Event::Choose(Choice::SelectedSm));
    assert_eq!(session.setup().machine.sm, None);
}

/// An SM beside another one of the same device, and an SM that the chip does not have.
#[test]
fn two_sms_compare_and_a_missing_sm_is_reported() {
    let session = session("#v1;kernel=vector-add;grid=200;view=sm;cycle=100;compare=tu102;2.sm=7");
    assert_eq!(session.num_sides(), 2);
    assert_eq!(session.sides[1].setup.machine.sm, Some(7));
    let missing = self::session("#v1;kernel=vector-add;arch=gf100;grid=20;sm=40");
    let problems = &missing.derived().problems;
    assert!(
        problems
            .iter()
            .any(|problem| problem.message.contains("has no SM 40")),
        "{problems:?}"
    );
    assert!(missing.derived().trace().is_some());
}

#[test]
fn no_sm_is_shown_before_one_is_selected() {
    let mut session = session("#v1;kernel=vector-add;grid=200;view=device");
    let _ = update(&mut session, Event::Choose(Choice::SelectedSm));
    assert_eq!(session.setup().machine.sm, None);
    assert_eq!(
        session.ui.toast.as_deref(),
        Some("Select an SM in the Device view first.")
    );
}

/// The heading of a pane is about the device's run, not about one SM alone.
#[test]
fn two_devices_have_their_own_cycles_and_blocks() {
    let session = session("#v1;kernel=vector-add;grid=200;arch=gf100;compare=tu102;view=device;cycle=300");
    for side in 0..2 {
        let trace = session.device_trace(side).unwrap();
        let at = session.cycle_on(side);
        let state = session.side_head(side).state;
        let finished = trace.blocks.iter().filter(|span| span.finished <= at).count();
        assert!(finished > 0 && at < trace.num_cycles, "{at}");
        let share = (100.0 * finished as f64 / 200.0).round();
        let cycles = thousands(trace.num_cycles);
        assert_eq!(state, format!("{share} % of blocks done, {cycles} cycles"));
        assert_eq!(session.side_head(side).elsewhere, "");
    }
}

/// A click on the load shows its cycle; a narrow picture has wider plots.
#[test]
fn the_load_over_the_run_is_an_axis_of_cycles() {
    let session = session("#v1;kernel=vector-add;grid=400;view=device;cycle=100");
    let num_cycles = session.device_trace(0).unwrap().num_cycles;
    for width in [350.0, 900.0] {
        let scene = session
            .shown()
            .picture(View::Device, Size { width, ..SIZE })
            .unwrap();
        let hits = |x: f32, y: f32| match scene.hit(x, y) {
            Some(Target::Cycle(cycle)) => Some(cycle),
            _ => None,
        };
        let mut rows = (0..scene.size.height as usize).map(|y| y as f32);
        let y = rows.find(|y| hits(width / 2.0, *y).is_some()).unwrap();
        let hit: Vec<u64> = (0..width as usize)
            .filter_map(|x| hits(x as f32, y + 1.0))
            .collect();
        assert!(hit.is_sorted(), "{hit:?}");
        assert!(hit.len() as f32 >= 0.7 * width, "{width}: {}", hit.len());
        assert!(hit[0] < num_cycles / 50, "{hit:?}");
        assert!(hit[hit.len() - 1] > num_cycles - num_cycles / 50, "{hit:?}");
    }
}

#[test]
fn a_device_runs_only_while_its_view_is_shown() {
    let mut session = session("#v1;kernel=vector-add");
    assert!(session.device_trace(0).is_none());
    let _ = update(&mut session, Event::View(View::Device));
    assert_eq!(session.devices.jobs().count(), 1);
    assert!(session.shown().empty_sentence_in(View::Device).contains("68 SMs"));
    while session.work(10_000) {}
    assert_eq!(session.devices.jobs().count(), 0);
    assert!(session.device_trace(0).is_some());
}

/// On GH100, the counts of a histogram wait at the units of L2; elsewhere, nothing is known of such queues.
#[test]
fn updates_after_the_last_block_are_explained() {
    for (arch, are_explained) in [("gh100", true), ("tu102", false)] {
        let session = session(&format!(
            "#v1;kernel=histogram-global;arch={arch};grid=264;view=device"
        ));
        let trace = session.device_trace(0).unwrap();
        assert_eq!(trace.blocks_end() + 1 < trace.num_cycles, are_explained, "{arch}");
        let text = format!("{:?}", session.inspection());
        assert_eq!(
            text.contains("finish the atomic updates"),
            are_explained,
            "{arch}: {text}"
        );
        assert_eq!(text.contains("Pass of an atomic unit"), are_explained, "{arch}");
    }
}

const GRID_BARRIER: &str = include_str!("../../../../tests/public_cases/28-grid-barrier-residency.cu");

#[test]
fn blocks_that_wait_for_each_other_are_shown_on_the_device() {
    let scenario = |arch| crate::share::Scenario {
        arch,
        source: Some(GRID_BARRIER.to_owned()),
        grid: Some([128, 1, 1]),
        block: Some([1024, 1, 1]),
        args: Some(vec![
            Argument::Buffer {
                elem: ElemType::I32,
                len: 128 * 1024,
                fill: Fill::of(Pattern::Const(0.0)),
                role: Role::InOut,
                start: 0,
            },
            Argument::Scalar {
                ty: ElemType::I32,
                bits: 2,
            },
            Argument::Scalar {
                ty: ElemType::U32,
                bits: 128,
            },
        ]),
        ..crate::share::Scenario::default()
    };
    for (arch, ends) in [(ArchId::Gv100, true), (ArchId::Gp100, false)] {
        let session = session(&crate::share::encode(&scenario(arch)));
        assert_eq!(session.setup().machine.sm, Some(0), "{arch}");
        let trace = session.derived().trace().unwrap();
        match trace.outcome() {
            Some(Outcome::Finished) => assert!(ends, "{arch}"),
            Some(Outcome::Fault(fault)) => {
                assert!(
                    !ends && fault.message.contains("Block 112 never starts"),
                    "{}",
                    fault.message
                );
            }
            other => panic!("{arch}: {other:?}"),
        }
    }
}

#[test]
fn the_transport_has_the_clock_of_the_view() {
    let mut session = session("#v1;arch=tu102;kernel=transpose-tiled;cycle=3000");
    let of_run = (session.clock_text(), session.clock_note());
    assert_eq!(of_run.0, "3,000");
    let _ = update(&mut session, Event::View(View::Device));
    while session.work(100_000) {}
    let end = session.device_trace(0).unwrap().num_cycles;
    assert!(end < 3000, "the device is faster than one SM");
    assert_eq!(
        session.clock_text(),
        thousands(end),
        "the end of the device's run"
    );
    assert_eq!(
        session.clock_note(),
        format!("of {} cycles on the device", thousands(end))
    );
    assert_eq!(session.strip_clock(), (end + 1, end));
    assert!(session.strip_run(SIZE).unwrap().headline.contains("device"));
    // The other views stay where they were.
    let _ = update(&mut session, Event::View(View::Sm));
    assert_eq!((session.clock_text(), session.clock_note()), of_run);
    // A step starts from what the transport shows.
    let _ = update(&mut session, Event::View(View::Device));
    let _ = update(&mut session, Event::Step(-1));
    assert_eq!(session.clock_text(), thousands(end - 1));
    let _ = update(&mut session, Event::SeekEnd);
    assert_eq!(session.clock_text(), thousands(end));
}
