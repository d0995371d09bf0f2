//! `streams`: run a host program on a computer with one or more GPUs.

use std::io::Write;

use clap::Args;
use serde_json::json;

use super::scenario::ScenarioFlags;
use super::{CliResult, Verdict};
use engine::arch::{ArchId, architecture};
use workbench::app::{SideEngine, StreamsEngine};
use workbench::host_record::StreamsRecord;
use workbench::share::{Scenario, encode};

/// Run the host program of a source: its streams, copies, processes, and GPUs
///
/// The options of the Streams view are in a link: `--link "v1;view=streams;kernel=streams-depth;arch=gf100"`. Exits with
/// 1 if a kernel cannot run or a process ends early.
#[derive(Args)]
pub(super) struct StreamsArgs {
    #[command(flatten)]
    scenario: ScenarioFlags,
    /// Print the counters that lessons use
    #[arg(long, conflicts_with = "json")]
    counters: bool,
    /// Print a JSON array with one record per architecture
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &StreamsArgs, out: &mut dyn Write) -> CliResult {
    let (scenario, archs) = args.scenario.scenario()?;
    let mut verdict = Verdict::Good;
    let mut objects = Vec::new();
    for arch in archs {
        let own = Scenario {
            arch,
            ..scenario.clone()
        };
        match record(&own) {
            Ok(record) => {
                let is_good = record.trace.failures.is_empty()
                    && record.launches.iter().all(|launch| launch.problem.is_none());
                if !is_good {
                    verdict = Verdict::Bad;
                }
                if args.json {
                    objects.push(json!({ "arch": arch, "streams": record }));
                } else {
                    print(&record, arch, args.counters, out)?;
                }
            }
            Err(message) => {
                verdict = Verdict::Bad;
                if args.json {
                    objects.push(json!({ "arch": arch, "error": message }));
                } else {
                    writeln!(out, "{arch}: {message}\n")?;
                }
            }
        }
    }
    if args.json {
        serde_json::to_writer(&mut *out, &objects)?;
        writeln!(out)?;
    }
    Ok(verdict)
}

/// The record of a scenario's host program. The error is a message for the user.
pub(super) fn record(scenario: &Scenario) -> Result<StreamsRecord, String> {
    let mut engine = StreamsEngine::start(&encode(scenario))?;
    let (_, record) = engine.work(f64::INFINITY, || 0.0);
    record.ok_or_else(|| "The host program does not end.".to_owned())
}

fn print(record: &StreamsRecord, arch: ArchId, counters: bool, out: &mut dyn Write) -> std::io::Result<()> {
    let name = architecture(arch).name;
    writeln!(out, "{name}, {}", record.options.computer.text())?;
    if counters {
        for counter in record.counters() {
            let unit = if counter.unit.is_empty() { "" } else { counter.unit };
            writeln!(out, "  {:<56} {:>14.3} {unit}", counter.name, counter.value)?;
        }
        return writeln!(out);
    }
    for (line, text) in &record.notes {
        writeln!(out, "  note, line {line}: {text}")?;
    }
    for span in &record.trace.spans {
        let call = &record.processes[usize::from(span.process)].calls[span.call as usize];
        let longest = span.waits.iter().max_by_key(|wait| wait.to_ns - wait.from_ns);
        let waits = longest.map_or_else(String::new, |wait| {
            format!(
                ", waits {:.2} µs for {}",
                (wait.to_ns - wait.from_ns) as f64 * 1e-3,
                wait.reason.text()
            )
        });
        writeln!(
            out,
            "  process {} line {:>3} GPU {} stream {:>2}  {:>10.2} to {:>10.2} µs  {:?}{waits}",
            span.process,
            call.line,
            call.gpu,
            call.stream,
            span.start_ns as f64 * 1e-3,
            span.end_ns as f64 * 1e-3,
            call.kind,
        )?;
    }
    for (process, failure, at) in &record.trace.failures {
        writeln!(
            out,
            "  process {process} ends early at {:.2} µs: {failure:?}",
            *at as f64 * 1e-3
        )?;
    }
    writeln!(out, "  ends at {:.2} µs\n", record.trace.end_ns as f64 * 1e-3)
}
