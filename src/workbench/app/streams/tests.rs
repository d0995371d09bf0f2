use super::*;
use crate::app::{Choice, Event, Gesture, update};
use crate::library;
use crate::scene::{Scene, Setting, Size, StreamSetting, Target};

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

fn picture(session: &Session) -> Scene {
    session
        .shown()
        .picture(View::Streams, SIZE)
        .expect("the program has run")
}

fn end_us(link: &str) -> f64 {
    let session = session(&format!("#v1;view=streams;{link}"));
    let record = session.streams_record(0).expect("the program has run");
    assert_eq!(
        record.launches.iter().find_map(|launch| launch.problem.as_ref()),
        None,
        "{link}"
    );
    record.trace.end_ns as f64 * 1e-3
}

#[test]
fn the_link_keeps_the_computer_the_processes_and_the_selected_call() {
    let link = "#v1;arch=gv100;kernel=clients-small;view=streams;computer=dgx1;processes=2;mps=on;threads=25;queues=2;fault=1;call=3";
    let mut session = session(link);
    assert_eq!(crate::share::encode(&session.link()), link);
    let _ = update(&mut session, Event::Select(Target::HostCall(5)));
    assert!(crate::share::encode(&session.link()).ends_with("call=5"));
    let _ = update(&mut session, Event::Select(Target::HostCall(5)));
    assert!(!crate::share::encode(&session.link()).contains("call"));
}

#[test]
fn every_program_of_the_library_runs_on_chips_of_all_ages() {
    let programs = ["streams", "overlap", "transfers", "clients", "peers"];
    for family in library::families().filter(|family| programs.contains(&family.id)) {
        for kernel in family.kernels {
            // 1.x has too little shared memory for the long kernel of the clients.
            let old = if family.id == "clients" { "gf100" } else { "gt200" };
            for arch in [old, "gv100"] {
                let more = match family.id {
                    "clients" => ";processes=2",
                    "peers" => ";computer=pcie2",
                    _ => "",
                };
                let session = session(&format!(
                    "#v1;view=streams;kernel={};arch={arch}{more}",
                    kernel.id
                ));
                let record = session.streams_record(0).unwrap();
                assert!(record.has_main, "{}", kernel.id);
                assert_eq!(record.trace.failures, [], "{} on {arch}", kernel.id);
                assert!(
                    record.launches.iter().all(|launch| launch.problem.is_none()),
                    "{:?}",
                    record.launches
                );
                let scene = picture(&session);
                assert!(scene.headline.starts_with("The p"), "{}", scene.headline);
                let calls: usize = record.processes.iter().map(|process| process.calls.len()).sum();
                assert_eq!(scene.table.rows.len(), calls);
            }
        }
    }
}

#[test]
fn launch_orders_hurt_on_fermi_and_not_on_kepler() {
    let ratio = |arch: &str| {
        end_us(&format!("kernel=streams-depth;arch={arch};queues=32"))
            / end_us(&format!("kernel=streams-breadth;arch={arch};queues=32"))
    };
    assert!(ratio("gf100") > 2.0, "{}", ratio("gf100"));
    assert!(ratio("gk110") < 1.1, "{}", ratio("gk110"));
    let one = |arch: &str| end_us(&format!("kernel=streams-one;arch={arch}"));
    assert!(one("gf100") > 4.0 * end_us("kernel=streams-breadth;arch=gf100"));
}

#[test]
fn fewer_transfers_take_less_time() {
    for arch in ["gf100", "gv100", "tu102"] {
        let of = |kernel: &str| end_us(&format!("kernel=transfers-{kernel};arch={arch}"));
        let (each, once, small) = (of("each"), of("once"), of("small"));
        assert!(
            each > 1.5 * once && small > 1.5 * once,
            "{arch}: {each} {once} {small}"
        );
    }
}

#[test]
fn a_kernel_without_main_is_copied_in_launched_and_copied_out() {
    let session = session("#v1;view=streams;kernel=vector-add;arch=tu102");
    let record = session.streams_record(0).unwrap();
    assert!(!record.has_main);
    let names: Vec<String> = picture(&session)
        .table
        .rows
        .into_iter()
        .map(|row| row[2].clone())
        .collect();
    let copies = names.iter().filter(|name| name.starts_with("copy")).count();
    assert_eq!(copies, 3, "{names:?}");
    assert!(
        session
            .shown()
            .picture(View::Streams, SIZE)
            .unwrap()
            .note
            .contains("no main()")
    );
}

#[test]
fn an_own_program_is_read_and_its_problems_are_said() {
    let source = "__global__ void k(float *x) { x[threadIdx.x] = 1; }\nint main() {\n  float *x; cudaMalloc(&x, 400);\n  \
                  k<<<1, 32>>>(x);\n  k<<<1, 4000>>>(x);\n  cudaSetDevice(3);\n}\n";
    let mut session = session("#v1;view=streams");
    let _ = update(&mut session, Event::Edit(source.to_owned()));
    let _ = update(&mut session, Event::Tick(200.0));
    while session.work(10_000) {}
    let record = session.streams_record(0).expect("the program has run").clone();
    // The runtime refuses the second launch.
    assert_eq!(record.launches.len(), 1);
    assert!(record.launches[0].problem.is_none());
    for (line, text) in [
        (5, "This launch fails with"),
        (5, "4000"),
        (6, "GPU 3 does not exist"),
    ] {
        let said = |(at, note): &(u32, String)| *at == line && note.contains(text);
        assert!(record.notes.iter().any(said), "{:?}", record.notes);
    }
}

#[test]
fn controls_change_the_program_and_undo_is_not_needed() {
    let mut session = session("#v1;view=streams;kernel=clients-mixed;arch=gv100");
    let names = |session: &Session| -> Vec<&str> {
        session.controls(View::Streams).iter().map(|row| row.id).collect()
    };
    assert_eq!(names(&session), ["computer", "processes", "connections"]);
    let _ = update(
        &mut session,
        Event::Choose(Choice::Set(Setting::Stream(StreamSetting::Processes(2)))),
    );
    assert_eq!(
        names(&session),
        ["computer", "processes", "service", "fault", "connections"]
    );
    let _ = update(
        &mut session,
        Event::Choose(Choice::Set(Setting::Stream(StreamSetting::Service(true)))),
    );
    assert!(names(&session).contains(&"threads"));
    while session.work(10_000) {}
    let scene = picture(&session);
    assert!(scene.also.iter().any(|(title, _)| title == "Processes"));
    assert!(
        scene.headline.starts_with("The processes take"),
        "{}",
        scene.headline
    );
}

#[test]
fn panes_beside_each_other_have_one_time_scale_unless_aligned_by_progress() {
    let session = session("#v1;view=streams;kernel=streams-depth;arch=gf100;compare=gk110;queues=32");
    let own = |side: usize| session.streams_record(side).expect("it has run").trace.end_ns;
    assert!(own(0) > 2 * own(1));
    assert_eq!(
        [session.streams_end_ns(0), session.streams_end_ns(1)],
        [own(0); 2]
    );
    let link = "#v1;view=streams;kernel=streams-depth;arch=gf100;compare=gk110;sync=progress;queues=32";
    let session = self::session(link);
    let own = |side: usize| session.streams_record(side).expect("it has run").trace.end_ns;
    assert_eq!(session.streams_end_ns(1), own(1));
}

#[test]
fn operations_after_a_fault_never_start() {
    let session = session("#v1;view=streams;kernel=clients-small;arch=gv100;processes=2;mps=on;fault=0");
    let rows = picture(&session).table.rows;
    let starts = |row: &&Vec<String>| row[2].starts_with("work") && row[5] != "never";
    assert_eq!(rows.iter().filter(starts).count(), 2);
    // The second launch of each process is called, and the later ones are not.
    assert!(rows.iter().any(|row| row[5] == "never" && row[4] != "never"));
    assert!(rows.iter().any(|row| row[4] == "never"));
}

const PROGRAM: &str = "#v1;arch=gf100;kernel=streams-depth;view=streams";

fn window(session: &Session) -> Option<(u64, u64)> {
    session.ui.state.settings.streams.window
}

/// The rows with a bar in the picture: targets of the operations that can be clicked.
fn shown_calls(session: &Session) -> Vec<u32> {
    let calls = picture(session)
        .stops()
        .into_iter()
        .filter_map(|stop| match stop.target {
            Target::HostCall(idx) => Some(idx),
            _ => None,
        });
    calls.collect()
}

#[test]
fn the_time_axis_zooms_around_the_pointer_and_the_link_keeps_its_part() {
    let mut session = session(PROGRAM);
    assert_eq!(window(&session), None);
    let end = session.streams_record(0).unwrap().trace.end_ns;
    let all = shown_calls(&session);
    let (left, width) = crate::scene::streams_axis(session.width_of(View::Streams));
    let x = f64::from(left + width / 4.0);
    let time = |session: &Session| {
        let (from, to) = window(session).unwrap_or((0, end));
        from as f64 + 0.25 * (to - from) as f64
    };
    for factor in [0.5, 0.7, 0.8, 1.3] {
        let before = time(&session);
        update(
            &mut session,
            Event::Gesture(Gesture::Time(StreamsMove::Zoom(factor, Some(x)))),
        );
        assert!(
            (time(&session) - before).abs() < 3.0,
            "{before} {}",
            time(&session)
        );
    }
    let (from, to) = window(&session).unwrap();
    assert!(to - from < end / 2);
    let link = crate::share::encode(&session.link());
    assert!(link.ends_with(&format!(";window={from}-{to}")), "{link}");
    let again = self::session(&link);
    assert_eq!(window(&again), Some((from, to)));
    // The twin names the part, and only calls in it can be clicked.
    let scene = picture(&again);
    assert!(
        scene.headline.contains("The picture shows "),
        "{}",
        scene.headline
    );
    assert_eq!(scene.table, picture(&self::session(PROGRAM)).table);
    let shown = shown_calls(&again);
    assert!(
        !shown.is_empty() && shown.len() < all.len(),
        "{} of {}",
        shown.len(),
        all.len()
    );
    for call in shown {
        let span = &again.streams_record(0).unwrap().trace.spans[call as usize];
        assert!(span.called_ns <= to && span.end_ns.max(span.returned_ns) >= from);
    }
}

#[test]
fn keys_zoom_move_and_reset_the_time_axis() {
    let mut session = session(PROGRAM);
    let end = session.streams_record(0).unwrap().trace.end_ns;
    let press = |session: &mut Session, name: &str| {
        let key = crate::app::keys::Key {
            name,
            shift: false,
            control: false,
        };
        update(session, crate::app::keys::event(key).expect("a key of the map"));
    };
    press(&mut session, ")");
    let (from, to) = window(&session).unwrap();
    assert!((to - from).abs_diff(end / 2) <= 1 && from.abs_diff(end - to) <= 2);
    press(&mut session, ">");
    let moved = window(&session).unwrap();
    assert_eq!(moved.1 - moved.0, to - from);
    assert!((moved.0 - from).abs_diff((to - from) / 4) <= 1);
    for _ in 0..20 {
        press(&mut session, ">");
    }
    assert_eq!(window(&session).unwrap().1, end);
    for _ in 0..60 {
        press(&mut session, ")");
    }
    let (from, to) = window(&session).unwrap();
    assert_eq!(to - from, crate::scene::MIN_STREAMS_NS);
    press(&mut session, "0");
    assert_eq!(window(&session), None);
    // With a selected call, the keys zoom around it.
    update(&mut session, Event::Select(Target::HostCall(5)));
    for _ in 0..6 {
        press(&mut session, ")");
    }
    assert!(shown_calls(&session).contains(&5));
    // A setting makes another program. All of it is shown.
    update(
        &mut session,
        Event::Choose(Choice::Set(Setting::Stream(StreamSetting::Connections(Some(1))))),
    );
    assert_eq!(window(&session), None);
    // In another view, the same keys leave the Streams view as it is.
    update(&mut session, Event::View(View::Timeline));
    press(&mut session, ")");
    assert_eq!(window(&session), None);
}

#[test]
fn by_progress_both_panes_show_the_same_part_of_their_programs() {
    let link = "#v1;view=streams;kernel=streams-depth;arch=gf100;compare=gk110;sync=progress";
    let end = session(link).streams_record(0).unwrap().trace.end_ns;
    let session = session(&format!("{link};window={}-{}", end / 4, end / 2));
    let ends = [0, 1].map(|side| session.streams_record(side).unwrap().trace.end_ns);
    assert_ne!(ends[0], ends[1]);
    for (side, own) in ends.into_iter().enumerate() {
        let (from, to) = session.streams_window(side).unwrap();
        assert!(from.abs_diff(own / 4) <= 1 && to.abs_diff(own / 2) <= 1, "{side}");
    }
}

/// A link can name times after the end of the program, which has another length on another chip.
#[test]
fn a_part_after_the_end_of_the_program_shows_its_last_time() {
    let session = session(&format!("{PROGRAM};window=4000000000-4000005000"));
    let end = session.streams_record(0).unwrap().trace.end_ns;
    assert!(end < 4_000_000_000);
    assert!(picture(&session).headline.contains("The picture shows "));
    let mut session = session;
    update(
        &mut session,
        Event::Gesture(Gesture::Time(StreamsMove::Drag(10.0))),
    );
    assert!(window(&session).is_some_and(|(from, to)| from < to && to <= end));
}

/// The second launch works on the memory of GPU 1: all its bytes take the link in both directions.
#[test]
fn a_kernel_on_the_memory_of_another_gpu_is_bound_by_the_link() {
    let launches = |link: &str| {
        let session = session(&format!("#v1;view=streams;kernel=peers-load;{link}"));
        let record = session.streams_record(0).expect("it has run");
        assert_eq!(record.trace.failures, [], "{link}");
        let calls = &record.processes[0].calls;
        let spans: Vec<u64> = record
            .trace
            .spans
            .iter()
            .filter(|span| {
                matches!(
                    calls[span.call as usize].kind,
                    engine::streams::CallKind::Launch(_)
                )
            })
            .map(|span| span.end_ns - span.start_ns)
            .collect();
        (spans, record.launches.clone())
    };
    let (times, known) = launches("arch=gv100;computer=nvlink2");
    assert_eq!((times.len(), known.len()), (2, 2));
    assert!(known[0].peers.is_empty());
    // 4 MB are loaded and stored.
    assert_eq!(known[1].peers, [(1, [4 << 20; 2])]);
    let gb_per_s = f64::from(4 << 20) / times[1] as f64;
    assert!((100.0..125.0).contains(&gb_per_s), "{gb_per_s} GB/s");
    assert!(times[1] > 2 * times[0], "{times:?}");
    let (slow, _) = launches("arch=gv100;computer=pcie2");
    let gb_per_s = f64::from(4 << 20) / slow[1] as f64;
    assert!((12.0..13.3).contains(&gb_per_s), "{gb_per_s} GB/s");
    assert_eq!(slow[0], times[0]);
}

#[test]
fn the_inspector_says_what_a_kernel_accesses_over_which_link() {
    let mut session = session("#v1;view=streams;kernel=peers-load;arch=gv100;computer=nvlink2");
    let calls = session.streams_record(0).unwrap().processes[0].calls.clone();
    let is_launch =
        |call: &engine::streams::HostCall| matches!(call.kind, engine::streams::CallKind::Launch(_));
    let last = calls.iter().rposition(is_launch).unwrap() as u32;
    update(&mut session, Event::Select(Target::HostCall(last)));
    let inspection = session.inspection().unwrap();
    let facts = inspection
        .facts
        .iter()
        .find(|facts| facts.title == "Memory of other GPUs")
        .unwrap();
    let row = |name: &str| {
        facts
            .rows
            .iter()
            .find(|(title, _)| title == name)
            .unwrap()
            .1
            .clone()
    };
    assert_eq!(row("loaded, GPU 1"), "4 MB over NVLink 1 to 0");
    assert_eq!(row("stored, GPU 1"), "4 MB over NVLink 0 to 1");
    let row = picture(&session).table.rows[last as usize].clone();
    assert!(
        row[8].ends_with("as long as alone: shares link to another GPU"),
        "{row:?}"
    );
}

#[test]
fn a_kernel_without_peer_access_ends_its_process() {
    let source = library::kernel("peers-load")
        .unwrap()
        .source
        .replace("cudaDeviceEnablePeerAccess(1, 0);", "");
    let mut session = session("#v1;view=streams;arch=gv100;computer=nvlink2");
    let _ = update(&mut session, Event::Edit(source));
    let _ = update(&mut session, Event::Tick(200.0));
    while session.work(10_000) {}
    let scene = picture(&session);
    assert!(
        scene.headline.contains("One process ends early."),
        "{}",
        scene.headline
    );
    let failures = session.streams_record(0).unwrap().trace.failures.clone();
    assert!(
        matches!(failures[..], [(0, engine::streams::Failure::NoPeerAccess(1), _)]),
        "{failures:?}"
    );
}

/// Two kernels that both fill device memory: beside each other, they take as long as one after the other.
#[test]
fn copies_of_a_kernel_that_fills_device_memory_gain_nothing_from_streams() {
    let program = |second: &str| {
        format!(
            "__global__ void copy(float4 *out, const float4 *in, int n) {{\n  for (int i = blockIdx.x * blockDim.x + \
             threadIdx.x; i < n; i += gridDim.x * blockDim.x)\n    out[i] = in[i];\n}}\nint main() {{\n  const int n = \
             1 << 20;\n  float4 *a, *b;\n  cudaStream_t s, t;\n  cudaMalloc(&a, n * 16);\n  cudaMalloc(&b, n * 16);\n  \
             cudaStreamCreate(&s);\n  cudaStreamCreate(&t);\n  copy<<<80, 1024, 0, s>>>(a, b, n);\n  \
             copy<<<80, 1024, 0, {second}>>>(a, b, n);\n  cudaDeviceSynchronize();\n}}\n"
        )
    };
    let end = |second: &str| {
        let mut session = session("#v1;view=streams;arch=gv100");
        let _ = update(&mut session, Event::Edit(program(second)));
        let _ = update(&mut session, Event::Tick(200.0));
        while session.work(10_000) {}
        let record = session.streams_record(0).expect("it has run");
        assert_eq!(record.launches[0].problem, None);
        let causes: Vec<_> = record
            .trace
            .spans
            .iter()
            .filter_map(|span| span.slowdown.cause())
            .collect();
        (record.trace.end_ns as f64, causes)
    };
    let (one_after_the_other, none) = end("s");
    let (together, causes) = end("t");
    assert_eq!(none, []);
    assert!(
        causes.len() == 2
            && causes
                .iter()
                .all(|cause| *cause == engine::streams::Resource::Dram),
        "{causes:?}"
    );
    assert!(
        (together / one_after_the_other - 1.0).abs() < 0.1,
        "{together} {one_after_the_other}"
    );
}
