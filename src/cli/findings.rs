//! `findings`: what limits a run, and what each proposed change gains.

use std::io::Write;

use clap::Args;
use serde::Serialize;

use super::failed::FailedLaunch;
use super::scenario::ScenarioFlags;
use super::simulate::simulate;
use super::{CliError, CliResult, Verdict, estimated, outcome_text};
use engine::arch::ArchId;
use engine::sim::Outcome;
use workbench::advice::{
    Advice, ChangeState, MeasuredChange, advice, gain, gain_text, times_text, verdict_text,
};
use workbench::app::host::ReadLaunch;
use workbench::app::measure;
use workbench::library;
use workbench::scene::{capital, percent, thousands};
use workbench::share::{Scenario, Setup, encode};

/// Print what limits a run: the findings, their lines, and the gain of each change, measured by running it
///
/// Changes whose outputs differ from the original run's are listed, but not advised. A hypothetical machine lacks one
/// cause of delay, which no hardware does.
#[derive(Args)]
pub(super) struct FindingsArgs {
    #[command(flatten)]
    scenario: ScenarioFlags,
    /// Analyze every kernel of the library, on the architectures of --arch
    #[arg(long)]
    library: bool,
    /// Do not run the changes
    #[arg(long)]
    no_gains: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// The findings of one run, as JSON.
#[derive(Serialize)]
struct Report {
    kernel: String,
    arch: ArchId,
    /// The link of the run.
    link: String,
    /// How the run ended.
    outcome: String,
    cycles: u64,
    warp_cycles: u64,
    verdict: String,
    bound: String,
    /// The findings that gain something, the largest gain first.
    findings: Vec<FindingRow>,
    /// Those that were tried and gain nothing.
    tried: Vec<FindingRow>,
    checked: Vec<String>,
}

#[derive(Serialize)]
struct FindingRow {
    rule: &'static str,
    title: String,
    reason: String,
    advice: String,
    /// The line of the cause, from 1.
    line: Option<u32>,
    /// What the run takes without the cause, if it gains.
    gain: Option<GainRow>,
    warp_cycles: u64,
    share_percent: f64,
    lines: Vec<(u32, u64)>,
    changes: Vec<ChangeRow>,
}

#[derive(Serialize)]
struct GainRow {
    cycles: u64,
    /// The cycles of the run divided by these.
    times: f64,
    /// `measured`, on a `hypothetical` machine, or `estimated` from the counters.
    means: &'static str,
}

#[derive(Serialize)]
struct ChangeRow {
    text: String,
    code: String,
    hypothetical: bool,
    /// Cycles of the changed run, if it finished.
    cycles: Option<u64>,
    same_outputs: Option<bool>,
    gain: String,
    link: String,
}

pub(super) fn run(args: &FindingsArgs, out: &mut dyn Write) -> CliResult {
    let (scenario, archs, read) = args.scenario.scenario_and_launch()?;
    if let Some(failed) = FailedLaunch::of(&scenario, scenario.arch, read.as_ref()) {
        return Err(CliError::Input(failed.message()));
    }
    let unknown = read.as_ref().and_then(ReadLaunch::unknown);
    if let Some(unknown) = unknown.as_ref().filter(|_| !args.json) {
        writeln!(out, "{}.\n", capital(&unknown.clause))?;
    }
    let mut scenarios: Vec<Scenario> = Vec::new();
    for arch in archs {
        let kernels: Vec<Option<&str>> = if args.library {
            library::kernels().map(|kernel| Some(kernel.id)).collect()
        } else {
            vec![None]
        };
        for kernel in kernels {
            let mut of = match kernel {
                Some(kernel) => Scenario {
                    kernel: kernel.to_owned(),
                    ..Scenario::default()
                },
                None => scenario.clone(),
            };
            of.arch = arch;
            scenarios.push(of);
        }
    }
    let mut reports = Vec::new();
    for scenario in scenarios {
        let report = match report(&scenario, &args.scenario.file_name(&scenario), !args.no_gains) {
            Ok(report) => report,
            // A kernel of the library that an architecture does not have is no error of the library.
            Err(_) if args.library => continue,
            Err(why) => return Err(CliError::Input(why)),
        };
        if args.json {
            reports.push(report);
        } else {
            print(&report, out)?;
        }
    }
    if args.json {
        serde_json::to_writer_pretty(&mut *out, &reports)?;
        writeln!(out)?;
    }
    Ok(estimated(Verdict::Good, unknown.as_ref()))
}

/// Runs a scenario, and its changes if `gains`.
fn report(scenario: &Scenario, file: &str, gains: bool) -> Result<Report, String> {
    let run = simulate(scenario, file, scenario.arch, false)?;
    let setup = Setup::of(scenario);
    let trace = &run.trace;
    let outcome = trace.outcome().map_or_else(String::new, outcome_text);
    let found = advice(trace, &setup).map(|mut found| {
        let mut runs = Vec::new();
        if gains {
            found.propose(trace, &setup);
            runs = found.runs();
            for run in &mut runs {
                run.state = measure(trace, &run.change);
            }
            found.settle(&mut runs);
        }
        (found, runs)
    });
    let kernel = scenario
        .source
        .as_ref()
        .map_or(&scenario.kernel, |_| &trace.program().name);
    let mut report = Report {
        kernel: kernel.clone(),
        arch: scenario.arch,
        link: encode(&setup.alone()),
        outcome,
        cycles: trace.num_cycles(),
        warp_cycles: 0,
        verdict: String::new(),
        bound: String::new(),
        findings: Vec::new(),
        tried: Vec::new(),
        checked: Vec::new(),
    };
    if let Some((found, runs)) = found {
        report.warp_cycles = found.warp_cycles;
        report.verdict = verdict_text(&found, &runs);
        report.bound.clone_from(&found.bound);
        report.checked.clone_from(&found.checked);
        report.findings = rows(&found, &runs);
        report.tried = report.findings.split_off(found.shown().len());
    } else if trace.outcome() != Some(&Outcome::Finished) {
        "No findings: the run did not finish.".clone_into(&mut report.verdict);
    }
    Ok(report)
}

fn rows(found: &Advice, runs: &[MeasuredChange]) -> Vec<FindingRow> {
    let change = |run: &MeasuredChange| {
        let done = match &run.state {
            ChangeState::Done(measured) => Some(measured),
            _ => None,
        };
        ChangeRow {
            text: run.change.text.clone(),
            code: run.change.code.clone(),
            hypothetical: run.change.is_hypothetical,
            cycles: done.map(|measured| measured.cycles),
            same_outputs: done.map(|measured| measured.same_outputs),
            gain: gain_text(found.cycles, run),
            link: encode(&run.change.setup.alone()),
        }
    };
    let of = |idx: usize| runs.iter().filter(move |run| run.finding == idx).map(change);
    let all = found.findings.iter().enumerate();
    all.map(|(idx, finding)| FindingRow {
        rule: finding.rule.id(),
        title: finding.title.clone(),
        reason: finding.reason.clone(),
        advice: finding.advice.clone(),
        line: finding.line(),
        gain: gain(found, runs, idx).map(|gain| GainRow {
            cycles: gain.cycles,
            times: found.cycles as f64 / gain.cycles.max(1) as f64,
            means: gain.means.word(),
        }),
        warp_cycles: finding.cycles,
        share_percent: 100.0 * finding.cycles as f64 / found.warp_cycles.max(1) as f64,
        lines: finding
            .lines
            .iter()
            .map(|cost| (cost.line, cost.cycles))
            .collect(),
        changes: of(idx).collect(),
    })
    .collect()
}

fn print(report: &Report, out: &mut dyn Write) -> Result<(), CliError> {
    writeln!(
        out,
        "{} on {}: {}, {} cycles",
        report.kernel,
        report.arch,
        report.outcome,
        thousands(report.cycles)
    )?;
    if !report.verdict.is_empty() {
        writeln!(out, "  {}", report.verdict)?;
    }
    if report.warp_cycles > 0 {
        writeln!(out, "  {}", report.bound)?;
    }
    for (idx, finding) in report.findings.iter().enumerate() {
        writeln!(out, "  {}. [{}] {}.", idx + 1, finding.rule, finding.title)?;
        writeln!(
            out,
            "     {} of {} warp cycles ({}). {}",
            thousands(finding.warp_cycles),
            thousands(report.warp_cycles),
            percent(finding.warp_cycles, report.warp_cycles),
            finding.reason
        )?;
        if let Some(gain) = &finding.gain {
            writeln!(
                out,
                "     Without it, {} cycles, {}: {} times faster.",
                thousands(gain.cycles),
                gain.means,
                times_text(report.cycles, gain.cycles)
            )?;
        }
        writeln!(out, "     {}", finding.advice)?;
        print_changes(finding, out)?;
    }
    for finding in &report.tried {
        writeln!(out, "  tried: [{}] {}.", finding.rule, finding.title)?;
        print_changes(finding, out)?;
    }
    for text in &report.checked {
        writeln!(out, "  ok: {text}")?;
    }
    Ok(())
}

fn print_changes(finding: &FindingRow, out: &mut dyn Write) -> Result<(), CliError> {
    for change in &finding.changes {
        let kind = if change.hypothetical {
            " (hypothetical)"
        } else {
            ""
        };
        writeln!(
            out,
            "     - {}{kind} `{}`: {}",
            change.text, change.code, change.gain
        )?;
    }
    Ok(())
}
