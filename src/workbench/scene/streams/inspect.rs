//! The inspector and the tooltips of the Streams view.

use super::super::inspector::{Facts, Inspection, Source, cited, phrases};
use super::wording::{bytes_text, call_text, headline, process_name, slowdown_text, time_text};
use super::{StreamsData, Target, plot, rows};
use crate::host_record::TimedLaunch;
use crate::words::counted;
use engine::streams::{CallKind, Link, Span, WaitReason};

/// The tooltip of a call.
pub fn streams_tooltip(data: &StreamsData, target: Target) -> Option<(String, String)> {
    let Target::HostCall(idx) = target else {
        return None;
    };
    let span = data.spans().get(idx as usize)?;
    let longest = span.waits.iter().max_by_key(|wait| wait.to_ns - wait.from_ns);
    let waited = longest.map_or_else(String::new, |wait| {
        format!(
            " It waits {} for: {}.",
            time_text(wait.to_ns - wait.from_ns),
            wait.reason.text()
        )
    });
    let kind = data.kind(span)?;
    let text = if kind.is_operation() && !StreamsData::began(span) {
        format!("It never starts.{waited}")
    } else if kind.is_operation() {
        let slowdown = slowdown_text(&span.slowdown);
        let slowdown = if slowdown.is_empty() {
            String::new()
        } else {
            format!(" Its blocks take {slowdown}.")
        };
        format!(
            "Starts at {}, takes {}.{waited}{slowdown}",
            time_text(span.start_ns),
            time_text(span.end_ns - span.start_ns)
        )
    } else {
        format!("The call takes {}.", time_text(span.returned_ns - span.called_ns))
    };
    Some((super::super::capital(&call_text(data, span)), text))
}

/// Explains the selected call, or the program.
pub fn inspect_streams(data: &StreamsData) -> Inspection {
    match data.selected.and_then(|idx| data.spans().get(idx as usize)) {
        Some(span) => inspect_call(data, span),
        None => inspect_program(data),
    }
}

/// The sources of what decides the picture on this chip.
fn sources(data: &StreamsData) -> Vec<Source> {
    let host = data.arch.host();
    let options = &data.record.options;
    let mut sources = vec![
        cited(
            "Kernels at once",
            &data.arch.occupancy.max_resident_grids,
            "kernels",
        ),
        cited("Hardware work queues", &host.work_queues, "queues"),
        cited("Copy engines", &host.copy_engines, "engines"),
        cited("Launch call", &host.launch_call_ns, "ns"),
        cited("Launch and wait", &host.launch_and_wait_ns, "ns"),
        cited("Gap in a stream", &host.gap_ns, "ns"),
        cited("Gap through an event", &host.event_gap_ns, "ns"),
        cited("Latency of a copy", &host.copy_latency_ns, "ns"),
        cited("Copies, page-locked", &host.pinned_gb_per_s, "GB/s"),
        cited("Copies, pageable", &host.pageable_gb_per_s, "GB/s"),
        cited("PCIe link", &host.pcie_gb_per_s, "GB/s"),
    ];
    if let Some(nvlink) = host.nvlink.filter(|_| options.computer.num_gpus() > 1) {
        sources.push(cited("NVLinks of a GPU", &nvlink.num_links, "links"));
        sources.push(cited("NVLink, each direction", &nvlink.link_gb_per_s, "GB/s"));
        sources.push(cited("Share that a copy reaches", &nvlink.efficiency, ""));
        sources.push(cited("Share that loads reach", &nvlink.access_efficiency, ""));
        sources.push(cited("Loads of one SM", &nvlink.sm_load_gb_per_s, "GB/s"));
    }
    if data.is_several() {
        let sharing = host.sharing;
        sources.push(cited("Time slice", &sharing.slice_ns, "ns"));
        sources.push(cited("Switch between processes", &sharing.switch_ns, "ns"));
        sources.push(cited("Clients of the service", &sharing.mps_clients, "clients"));
        sources.push(cited("Work queues of a client", &sharing.mps_queues, "queues"));
    }
    sources
}

fn inspect_program(data: &StreamsData) -> Inspection {
    let trace = &data.record.trace;
    let options = &data.record.options;
    let [(kernels, at_once), (copies, copies_at_once)] = data.record.overlap();
    let mut rows = vec![
        ("takes".to_owned(), time_text(trace.end_ns)),
        ("kernels run".to_owned(), time_text(kernels)),
        ("kernels at once, at most".to_owned(), at_once.to_string()),
        ("copies run".to_owned(), time_text(copies)),
        ("copies at once, at most".to_owned(), copies_at_once.to_string()),
    ];
    if let Some((from, to)) = data.part() {
        let text = |ns| plot::exact_text(ns, to - from);
        rows.push((
            "the picture shows".to_owned(),
            format!("{} to {}", text(from), text(to)),
        ));
    }
    for reason in [WaitReason::WorkQueue, WaitReason::DependencyCheck] {
        rows.push((
            format!("waits: {}", reason.text()),
            time_text(trace.waited_ns(reason)),
        ));
    }
    let launches = data.record.launches.iter().map(|launch| {
        let peers = launch
            .peers
            .iter()
            .map(|(gpu, _)| format!(", memory of GPU {gpu}"));
        let peers: String = peers.collect();
        (
            format!(
                "{}, {}{peers}",
                launch.kernel,
                counted(launch.num_blocks.into(), "block")
            ),
            format!("{} per block", time_text(launch.block_ns)),
        )
    });
    let mut facts = vec![
        Facts {
            title: "This program".to_owned(),
            rows,
        },
        Facts {
            title: "Launches".to_owned(),
            rows: launches.collect(),
        },
        Facts {
            title: "Computer".to_owned(),
            rows: vec![
                ("GPUs".to_owned(), options.computer.text().to_owned()),
                (
                    "work queues of a process".to_owned(),
                    options.connections_on(data.arch).to_string(),
                ),
            ],
        },
    ];
    if data.is_several() {
        let waits = (0..data.record.processes.len() as u8).map(|process| {
            let times = data.record.latencies(process);
            (
                process_name(data, process),
                time_text(times.iter().copied().max().unwrap_or(0)),
            )
        });
        facts.push(Facts {
            title: "Longest wait of each process".to_owned(),
            rows: waits.collect(),
        });
    }
    if options.computer.num_gpus() > 1 {
        facts.push(links(data));
    }
    Inspection {
        title: "Program".to_owned(),
        place: format!("{}, {}", data.arch.name, options.computer.text()),
        why: phrases(&headline(data)),
        facts,
        sources: sources(data),
        ..Inspection::default()
    }
}

/// The links of GPU 0, and the way that a copy takes.
fn links(data: &StreamsData) -> Facts {
    let computer = data.record.options.computer;
    let rows = (1..computer.num_gpus()).map(|gpu| {
        let num = computer.links_between(data.arch, 0, gpu);
        let text = match num {
            0 if computer.can_access(data.arch, 0, gpu) => "PCIe, peer access".to_owned(),
            0 => "through the host".to_owned(),
            _ => format!(
                "{}, {:.0} GB/s",
                counted(num.into(), "NVLink"),
                computer.link_gb_per_s(data.arch, Link::NvLink(0, gpu))
            ),
        };
        (format!("GPU 0 to GPU {gpu}"), text)
    });
    Facts {
        title: "Links".to_owned(),
        rows: rows.collect(),
    }
}

fn inspect_call(data: &StreamsData, span: &Span) -> Inspection {
    let Some(call) = data.call(span) else {
        return inspect_program(data);
    };
    let mut rows = vec![
        ("called at".to_owned(), time_text(span.called_ns)),
        (
            "call takes".to_owned(),
            time_text(span.returned_ns - span.called_ns),
        ),
    ];
    if call.kind.is_operation() && StreamsData::began(span) {
        rows.push(("starts at".to_owned(), time_text(span.start_ns)));
        rows.push(("takes".to_owned(), time_text(span.end_ns - span.start_ns)));
        rows.push(("ends at".to_owned(), time_text(span.end_ns)));
    }
    let mut facts = vec![Facts {
        title: "Times".to_owned(),
        rows,
    }];
    if let CallKind::Launch(launch) = call.kind
        && let Some(launch) = data.record.launches.get(launch as usize)
    {
        let mut rows = vec![
            ("blocks".to_owned(), launch.num_blocks.to_string()),
            ("threads of a block".to_owned(), launch.threads.to_string()),
            (
                "blocks that fit an SM".to_owned(),
                launch.blocks_per_sm.to_string(),
            ),
            ("time of a block, mean".to_owned(), time_text(launch.block_ns)),
            ("SMs used".to_owned(), span.num_sms.to_string()),
            (
                "blocks at once, at most".to_owned(),
                span.most_resident.to_string(),
            ),
        ];
        let slowdown = slowdown_text(&span.slowdown);
        if !slowdown.is_empty() {
            rows.push(("blocks take".to_owned(), slowdown));
        }
        if launch.num_guesses > 0 {
            rows.push(("estimated values".to_owned(), launch.num_guesses.to_string()));
        }
        facts.push(Facts {
            title: "Kernel".to_owned(),
            rows,
        });
        facts.extend(peer_facts(data, call.gpu, launch));
    }
    if let (Some(route), CallKind::Copy { bytes, .. }) = (&span.route, call.kind) {
        let time = (span.end_ns - span.start_ns).max(1);
        facts.push(Facts {
            title: "Copy".to_owned(),
            rows: vec![
                ("bytes".to_owned(), bytes_text(bytes)),
                ("way".to_owned(), way(&route.links)),
                (
                    "bandwidth reached".to_owned(),
                    format!("{:.2} GB/s", bytes as f64 / time as f64),
                ),
                (
                    "most on this way".to_owned(),
                    format!("{:.1} GB/s", route.gb_per_s),
                ),
                ("latency".to_owned(), time_text(route.latency_ns)),
            ],
        });
    }
    if !span.waits.is_empty() {
        facts.push(Facts {
            title: "Waits".to_owned(),
            rows: (span.waits.iter())
                .map(|wait| {
                    let on = wait.on.and_then(|on| data.spans().get(on as usize));
                    let on = on.map_or_else(String::new, |on| format!(" ({})", call_text(data, on)));
                    (
                        format!("{}{on}", wait.reason.text()),
                        time_text(wait.to_ns - wait.from_ns),
                    )
                })
                .collect(),
        });
    }
    Inspection {
        title: super::super::capital(&call_text(data, span)),
        place: place(data, span, call.line),
        why: phrases(&why(data, span)),
        facts,
        sources: sources(data),
        ..Inspection::default()
    }
}

/// What a launch accesses in the memory of other GPUs, and over which links.
fn peer_facts(data: &StreamsData, own: u8, launch: &TimedLaunch) -> Option<Facts> {
    let computer = data.record.options.computer;
    let mut rows = Vec::new();
    for (gpu, [loaded, stored]) in &launch.peers {
        for (what, bytes, from, to) in [("loaded", *loaded, *gpu, own), ("stored", *stored, own, *gpu)] {
            if bytes > 0 {
                let links = computer.peer_links(data.arch, from, to);
                let text = format!("{} over {}", bytes_text(bytes), way(&links));
                rows.push((format!("{what}, GPU {gpu}"), text));
            }
        }
    }
    (!rows.is_empty()).then(|| Facts {
        title: "Memory of other GPUs".to_owned(),
        rows,
    })
}

fn place(data: &StreamsData, span: &Span, line: u32) -> String {
    let stream = rows::stream_name(data, span);
    let line = if line > 0 {
        format!(", line {line}")
    } else {
        String::new()
    };
    if data.is_several() {
        format!("{}, {stream}{line}", process_name(data, span.process))
    } else {
        format!("{stream}{line}")
    }
}

/// The way of a copy in words.
fn way(links: &[Link]) -> String {
    let name = |link: &Link| match link {
        Link::Down(gpu) => format!("PCIe to GPU {gpu}"),
        Link::Up(gpu) => format!("PCIe from GPU {gpu}"),
        Link::SwitchDown(_) => "PCIe switch".to_owned(),
        Link::SwitchUp(_) => "PCIe switch".to_owned(),
        Link::NvLink(a, b) => format!("NVLink {a} to {b}"),
        Link::ToSwitch(gpu) => format!("NVLink {gpu} to switch"),
        Link::FromSwitch(gpu) => format!("NVLink switch to {gpu}"),
        Link::Memory(gpu) => format!("memory of GPU {gpu}"),
    };
    links.iter().map(name).collect::<Vec<_>>().join(", ")
}

/// What the selected operation waited for longest, in a sentence.
fn why(data: &StreamsData, span: &Span) -> String {
    let Some(wait) = span.waits.iter().max_by_key(|wait| wait.to_ns - wait.from_ns) else {
        return headline(data);
    };
    let time = time_text(wait.to_ns - wait.from_ns);
    let on = wait.on.and_then(|on| data.spans().get(on as usize));
    let on = on.map_or_else(String::new, |on| {
        let line = data.call(on).map_or(0, |call| call.line);
        let line = if line > 0 {
            format!(" of line {line}")
        } else {
            String::new()
        };
        format!(": {}{line}, {}", call_text(data, on), rows::stream_name(data, on))
    });
    let rule = match wait.reason {
        WaitReason::Submission => "An operation travels to the GPU after the call returns.",
        WaitReason::StreamOrder => "Operations of one stream run in order.",
        WaitReason::DefaultStream => {
            "The default stream waits for all streams that synchronize with it, and they wait for it."
        }
        WaitReason::Event => "The stream waits until the event is recorded.",
        WaitReason::WorkQueue => {
            "Nothing in the program requires this: another stream's operation is before it in the same work queue."
        }
        WaitReason::DependencyCheck => {
            "Nothing in the program requires this. To compute capability 3.0, a check whether a launch is \
             complete holds back all later launches, and itself waits until all blocks before it have started."
        }
        WaitReason::CopyEngine => "A copy engine performs one copy at a time.",
        WaitReason::KernelLimit => "The GPU runs no more kernels at once.",
        WaitReason::Resources => {
            "No SM has room for a block, or an earlier kernel still has blocks to start."
        }
        WaitReason::TimeSlice => "Without the Multi-Process Service, processes take turns on the GPU.",
        WaitReason::NoOverlap => "This chip does not run them together.",
    };
    format!("It waits *{time}* for {}{on}. {rule}", wait.reason.text())
}
