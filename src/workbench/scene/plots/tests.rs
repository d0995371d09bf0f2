use super::roofline::{bandwidth, level, work_kind};
use super::*;
use crate::app::golden::opened;
use crate::app::{Event, Session, update};
use crate::scene::Target;
use crate::share::View;
use engine::ids::Cycle;

fn picture(session: &Session, size: Size) -> Scene {
    session.shown().picture(View::Plots, size).unwrap()
}

/// Left, top, right, and bottom of each text, with its words.
fn texts(scene: &Scene) -> Vec<([f32; 4], String)> {
    let areas = scene.items.iter().filter_map(|item| item.shape.text_area(0.5));
    areas.map(|(text, area)| (area, text.to_owned())).collect()
}

/// The stage of windows of 390, 1024, 1440, and 1920 pixels.
const SIZES: [Size; 4] = [
    Size {
        width: 390.0,
        height: 420.0,
    },
    Size {
        width: 560.0,
        height: 420.0,
    },
    Size {
        width: 832.0,
        height: 600.0,
    },
    Size {
        width: 1240.0,
        height: 760.0,
    },
];

#[test]
fn texts_of_plots_never_overlap() {
    for arch in ["g80", "gk110", "tu102", "gh100"] {
        for kernel in ["saxpy", "matmul-tiled", "reduce-shuffle"] {
            for plot in [
                "roofline",
                "roofline;per=chip;with=gp104",
                "years",
                "years;figure=tensor",
                "years;figure=latency-l2",
                "throughput",
                "throughput;class=lds;with=gp104",
                "bandwidth",
                "bandwidth;bytes=shared",
            ] {
                let link = format!("v1;arch={arch};kernel={kernel};view=plots;plot={plot};cycle=500");
                let mut session = Session::new();
                update(&mut session, Event::Open(link.clone()));
                while session.work(10_000) {}
                if session.derived().trace().is_none() {
                    // The kernel needs a newer architecture.
                    assert!((arch, kernel) == ("g80", "reduce-shuffle"), "{link}");
                    continue;
                }
                for size in SIZES {
                    let scene = picture(&session, size);
                    let texts = texts(&scene);
                    assert!(texts.len() > 10, "{link}");
                    for (idx, (a, text)) in texts.iter().enumerate() {
                        assert!(
                            a[0] >= -0.5 && a[2] <= scene.size.width + 0.5 && a[3] <= scene.size.height + 0.5,
                            "{text} leaves the picture of {link} at {size:?}: {a:?}"
                        );
                        for (b, other) in &texts[idx + 1..] {
                            let apart = a[2] <= b[0] || b[2] <= a[0] || a[3] <= b[1] || b[3] <= a[1];
                            assert!(apart, "`{text}` and `{other}` overlap in {link} at {size:?}");
                        }
                    }
                }
            }
        }
    }
}

/// Known intensities: two operations for two loads and one store of four bytes. Without L2, all twelve bytes are those
/// of device memory; with L2, the store stays there.
#[test]
fn saxpy_is_memory_bound_at_its_known_intensity() {
    for (arch, at, intensity) in [
        ("g80", TrafficLevel::Device, 1.0 / 6.0),
        ("gt200", TrafficLevel::Device, 1.0 / 6.0),
        ("tu102", TrafficLevel::L2, 1.0 / 6.0),
        ("tu102", TrafficLevel::Device, 1.0 / 4.0),
        ("gp104", TrafficLevel::Device, 1.0 / 4.0),
    ] {
        let session = opened(&format!("v1;arch={arch};kernel=saxpy;view=plots"));
        let trace = session.derived().trace().unwrap();
        let total = trace.work().total;
        let found = total.of(WorkKind::Fp32) as f64 / total.at(at) as f64;
        assert!((found / intensity - 1.0).abs() < 0.02, "{arch} {at:?}: {found}");
        let frame = trace.frame(Cycle(0));
        let settings = PlotSettings::default();
        assert_eq!(level(&frame, &settings), TrafficLevel::Device, "{arch}");
        assert_eq!(work_kind(&frame, &settings), WorkKind::Fp32, "{arch}");
    }
}

/// A tiled product of matrices has more operations per byte of device memory than of shared memory.
#[test]
fn tiles_raise_the_intensity_of_device_memory() {
    let of = |kernel: &str, level: TrafficLevel| {
        let session = opened(&format!("v1;arch=tu102;kernel={kernel}"));
        let total = session.derived().trace().unwrap().work().total;
        total.of(WorkKind::Fp32) as f64 / total.at(level) as f64
    };
    let naive = of("matmul-naive", TrafficLevel::L1);
    let tiled = of("matmul-tiled", TrafficLevel::L1);
    assert!(tiled > 2.0 * naive, "{tiled} {naive}");
    assert!(of("matmul-tiled", TrafficLevel::Device) > of("matmul-tiled", TrafficLevel::Shared));
}

#[test]
fn roofs_equal_the_published_peaks() {
    let gv100 = architecture(ArchId::Gv100);
    let chip = f64::from(gv100.chip.num_sms.value) * f64::from(gv100.chip.sm_clock_mhz.value) / 1e6;
    let peak = |kind: WorkKind| kind.peak_per_cycle(gv100).unwrap() * chip;
    // V100 white paper, Table 1: 15.7, 7.8, and 125 TFLOP/s at the boost clock.
    assert!(
        (peak(WorkKind::Fp32) - 15.7).abs() < 0.05,
        "{}",
        peak(WorkKind::Fp32)
    );
    assert!((peak(WorkKind::Fp64) - 7.8).abs() < 0.05);
    assert!((peak(WorkKind::Tensor) - 125.0).abs() < 0.5);
    for id in ArchId::ALL {
        let arch = architecture(id);
        let device = bandwidth(arch, TrafficLevel::Device).unwrap();
        let gb = device.share * f64::from(arch.chip.num_sms.value) * f64::from(arch.chip.sm_clock_mhz.value)
            / 1000.0;
        let cited = arch.chip.dram_gb_per_s.value * f64::from(arch.memory.device.efficiency.value);
        assert!((gb / cited - 1.0).abs() < 1e-9, "{id}");
        assert_eq!(
            bandwidth(arch, TrafficLevel::L2).is_some(),
            arch.memory.l2.is_some()
        );
        assert_eq!(
            bandwidth(arch, TrafficLevel::L1).is_some(),
            arch.memory.l1.is_some()
        );
    }
}

/// In the simulation, one SM alone never exceeds what its units deliver.
#[test]
fn no_part_of_a_run_is_above_the_roofs_of_one_sm_alone() {
    for arch in ["gt200", "gf100", "gk110", "gp104", "tu102", "gh100"] {
        for kernel in [
            "saxpy",
            "matmul-tiled",
            "transpose-tiled",
            "stream-float4",
            "ilp-4",
        ] {
            let session = opened(&format!("v1;arch={arch};kernel={kernel}"));
            let trace = session.derived().trace().unwrap();
            let frame = trace.frame(Cycle(0));
            let state = ViewState::default();
            for part in roofline::parts(&frame, &state) {
                let cycles = (part.cycles.1 - part.cycles.0) as f64;
                for kind in WorkKind::ALL {
                    let peak = kind.peak_per_cycle(trace.arch()).unwrap_or(0.0);
                    let rate = part.work.of(kind) as f64 / cycles;
                    // Integers include classes of other pipes than additions.
                    let slack = if kind == WorkKind::Int { 2.0 } else { 1.0 };
                    assert!(
                        rate <= peak * slack * 1.001,
                        "{arch} {kernel} {kind:?}: {rate} of {peak}"
                    );
                }
            }
            let work = trace.work();
            // Stores can leave the port after the last warp has exited.
            let accesses = (0..trace.num_accesses() as u32).filter_map(|idx| trace.access(idx));
            let last = accesses.map(|row| row.done.0).max().unwrap_or(0);
            let cycles = trace.num_cycles().max(last) as f64;
            for level in [TrafficLevel::Shared, TrafficLevel::L2, TrafficLevel::Device] {
                let Some(roof) = bandwidth(trace.arch(), level) else {
                    continue;
                };
                let rate = work.total.at(level) as f64 / cycles;
                assert!(
                    rate <= roof.alone * 1.001,
                    "{arch} {kernel} {level:?}: {rate} of {}",
                    roof.alone
                );
            }
        }
    }
}

#[test]
fn the_table_has_the_operations_and_bytes_of_the_counters() {
    let session = opened("v1;arch=tu102;kernel=matmul-tiled;view=plots;bytes=shared");
    let trace = session.derived().trace().unwrap();
    let counter = |name: &str| trace.counter(name).unwrap() as u64;
    let group = |name: &str| counter(&format!("smsp__sass_thread_inst_executed_op_{name}_pred_on.sum"));
    let operations = group("fadd") + group("fmul") + 2 * group("ffma");
    let wavefronts = counter("l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum")
        + counter("l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum");
    let scene = picture(&session, SIZES[2]);
    let row = scene
        .table
        .rows
        .iter()
        .find(|row| row[0] == "Run, bytes of shared memory")
        .unwrap();
    assert_eq!(row[2], crate::scene::thousands(operations));
    assert_eq!(row[3], crate::scene::thousands(wavefronts * 128));
    // The stretches add up to the run.
    let number = |cell: &String| cell.replace(',', "").parse::<u64>().unwrap();
    let parts: Vec<_> = scene
        .table
        .rows
        .iter()
        .filter(|row| row[0].starts_with("Stretch"))
        .collect();
    assert_eq!(parts.len(), STRETCHES);
    assert_eq!(parts.iter().map(|row| number(&row[2])).sum::<u64>(), operations);
    assert_eq!(
        parts.iter().map(|row| number(&row[3])).sum::<u64>(),
        wavefronts * 128
    );
}

#[test]
fn a_click_selects_a_point_and_the_link_keeps_it() {
    let mut session = opened("v1;kernel=saxpy;view=plots");
    let scene = picture(&session, SIZES[2]);
    let stops: Vec<PlotPoint> = scene
        .stops()
        .into_iter()
        .filter_map(|stop| match stop.target {
            Target::PlotPoint(point) => Some(point),
            _ => None,
        })
        .collect();
    assert!(stops.contains(&PlotPoint::Stretch(3)), "{stops:?}");
    assert!(
        stops.iter().any(|point| matches!(point, PlotPoint::Roof(_))),
        "{stops:?}"
    );
    assert!(
        stops.iter().any(|point| matches!(point, PlotPoint::Peak(_))),
        "{stops:?}"
    );
    update(
        &mut session,
        Event::Select(Target::PlotPoint(PlotPoint::Stretch(3))),
    );
    let link = crate::share::encode(&session.link());
    assert!(link.contains("x=stretch-4"), "{link}");
    let seen = session.inspection().unwrap();
    assert_eq!(seen.title, "Stretch 4 of 8");
    assert!(seen.sources.iter().all(|source| !source.source.is_empty()));
    update(&mut session, Event::Select(Target::PlotPoint(PlotPoint::Roof(3))));
    assert_eq!(session.inspection().unwrap().title, "Roof of device memory");
    update(&mut session, Event::Select(Target::PlotPoint(PlotPoint::Roof(3))));
    assert!(!crate::share::encode(&session.link()).contains("x="));
}

#[test]
fn points_read_what_they_write() {
    let mut points = vec![PlotPoint::Range, PlotPoint::Chip(ArchId::Gp104)];
    points.extend((0..4).flat_map(|idx| [PlotPoint::Run(idx), PlotPoint::Roof(idx)]));
    points.extend((0..8).flat_map(|idx| [PlotPoint::Stretch(idx), PlotPoint::Peak(idx)]));
    points.push(PlotPoint::Simulated {
        parallel: 2,
        warps: 16,
    });
    for point in points {
        assert_eq!(PlotPoint::read(&point.text()), Some(point));
    }
    for wrong in [
        "",
        "run",
        "stretch-9",
        "stretch-0",
        "roof-l3",
        "simulated-1",
        "gx1",
    ] {
        assert_eq!(PlotPoint::read(wrong), None, "{wrong}");
    }
}

#[test]
fn every_figure_has_values_with_sources_and_lists_what_is_absent() {
    let session = opened("v1;kernel=saxpy;view=plots;plot=years");
    for (idx, figure) in years::FIGURES.iter().enumerate() {
        let mut state = session.view_state();
        state.settings.plot.figure = idx as u8;
        let trace = session.derived().trace().unwrap();
        let scene = plots(&trace.frame(Cycle(0)), &state, SIZES[2]);
        assert_eq!(scene.table.rows.len(), ArchId::ALL.len());
        let known = scene.table.rows.iter().filter(|row| row[2] != "absent");
        let mut num = 0;
        for row in known {
            assert!(!row[3].is_empty(), "{}: {row:?}", figure.name);
            num += 1;
        }
        assert!(num >= 4, "{} has values of {num} architectures", figure.name);
        let absent = ArchId::ALL.len() - num;
        let listed = texts(&scene).iter().any(|(_, text)| text.starts_with("Absent"));
        assert_eq!(absent > 0, listed, "{}", figure.name);
    }
}

/// Curves of Little's law pass through the origin's slope and end at the peak; simulated points are near them.
#[test]
fn simulated_points_follow_the_curves_of_the_model() {
    let (mut near, mut num) = (0, 0);
    for row in SIMULATED.iter() {
        let Some(class) = THROUGHPUT_CLASSES.iter().find(|class| class.id == row.what) else {
            continue;
        };
        let arch = architecture(row.arch);
        for (warps, rate) in &row.rates {
            let curve = throughput::allowed(arch, class.class, f64::from(*warps), row.parallel).unwrap();
            num += 1;
            near += usize::from((rate / curve - 1.0).abs() < 0.25);
        }
    }
    assert!(num > 500, "{num}");
    assert!(
        near * 10 >= num * 8,
        "{near} of {num} points are within a quarter of the curve"
    );
}

#[test]
fn every_architecture_has_simulated_points() {
    for id in ArchId::ALL {
        for what in ["ffma", "lds", "device"] {
            assert!(
                SIMULATED.iter().any(|row| row.arch == id && row.what == what),
                "{id} {what}"
            );
        }
    }
}

/// The labels of the charts in Occupancy and Carveout, at the widths of a phone, of a column, and of the stage, in both
/// densities.
#[test]
fn labels_of_the_other_charts_never_overlap() {
    use crate::scene::chart::{Layout, estimate};
    for (arch, kernel) in [
        ("gf100", "pressure"),
        ("gk110", "matmul-tiled"),
        ("gh100", "matmul-tiled"),
    ] {
        let session = opened(&format!("v1;arch={arch};kernel={kernel};view=occupancy"));
        for view in [View::Occupancy, View::Carveout] {
            for chart in session.shown().charts(view) {
                for (width, px) in [
                    (250.0, 11.0),
                    (330.0, 14.0),
                    (366.0, 11.0),
                    (560.0, 14.0),
                    (800.0, 11.0),
                ] {
                    let measure = |text: &str, strong: bool| estimate(text, px, strong);
                    let size = Size { width, height: 196.0 };
                    let layout = Layout::new(&chart, size, px, false, &measure);
                    for (idx, a) in layout.labels.iter().enumerate() {
                        let one = a.area(px, &measure);
                        for b in &layout.labels[idx + 1..] {
                            let two = b.area(px, &measure);
                            let apart = one.2 <= two.0 || two.2 <= one.0 || one.3 <= two.1 || two.3 <= one.1;
                            assert!(
                                apart,
                                "{a:?} and {b:?} in {} of {arch} at {width}, {px} px",
                                chart.id
                            );
                        }
                    }
                }
            }
        }
    }
}

/// The points of an experiment, as a function of the number that changes.
fn measured(arch: ArchId, what: &str) -> impl Fn(f64) -> f64 {
    let rows = crate::scene::EXPERIMENT_ROWS.iter();
    let row = rows
        .clone()
        .find(|row| row.arch == arch && row.what == what)
        .unwrap();
    move |x| row.points.iter().find(|(at, _)| *at == x).unwrap().1
}

/// Turing Tuning Guide, 1.4.1.4: floats and integers execute together; Pascal's units execute both kinds in turn.
#[test]
fn integers_beside_floats_add_results_only_with_units_of_their_own() {
    for arch in [ArchId::Gv100, ArchId::Tu102] {
        let rate = measured(arch, "mix");
        assert!(rate(2.0) > 1.1 * rate(0.0), "{arch}: {} {}", rate(2.0), rate(0.0));
    }
    for arch in [ArchId::Gm204, ArchId::Gp100, ArchId::Gp104] {
        let rate = measured(arch, "mix");
        assert!((1..=8).all(|num| rate(num.into()) <= 1.05 * rate(0.0)), "{arch}");
    }
}

/// Fermi has 8 resident blocks: blocks of one warp leave 40 of 48 places of warps empty.
#[test]
fn small_blocks_leave_fermi_without_warps() {
    for arch in [ArchId::Gf100, ArchId::Gf104] {
        let rate = measured(arch, "block");
        assert!(rate(32.0) < 0.6 * rate(128.0), "{arch}");
    }
    let rate = measured(ArchId::Gv100, "block");
    assert!(rate(32.0) > 0.8 * rate(128.0), "32 blocks are resident");
}

#[test]
fn one_large_block_waits_longer_at_barriers() {
    for arch in [ArchId::Gf100, ArchId::Gp104, ArchId::Tu102] {
        let cycles = measured(arch, "barrier");
        assert!(cycles(512.0) > 1.02 * cycles(64.0), "{arch}");
    }
}

#[test]
fn a_part_of_a_wave_takes_the_time_of_a_whole_one() {
    for arch in ArchId::ALL {
        let cycles = measured(arch, "waves");
        let next = cycles(1.1) / cycles(1.0);
        assert!(next > 1.6, "{arch}: {next}");
        assert!(cycles(2.0) < 1.15 * cycles(1.1), "{arch}");
        assert!(cycles(0.5) > 0.7 * cycles(1.0), "{arch}");
    }
}

#[test]
fn an_experiment_is_in_the_link_and_its_points_are_explained() {
    let session = opened("v1;view=plots;plot=experiments;experiment=waves;x=point-5;with=gf100");
    let scene = session.shown().picture(View::Plots, SIZES[0]).unwrap();
    assert!(
        scene.headline.starts_with("Waves on Turing TU102"),
        "{}",
        scene.headline
    );
    assert_eq!(scene.table.rows.len(), 12);
    assert_eq!(scene.also[0].0, "Fermi GF100");
    let inspection = session.inspection().unwrap();
    assert!(inspection.place.ends_with(": 1.1"), "{}", inspection.place);
    let link = crate::share::encode(&session.link());
    assert!(
        link.contains("plot=experiments") && link.contains("experiment=waves"),
        "{link}"
    );
    assert!(link.contains("x=point-5"), "{link}");
}
