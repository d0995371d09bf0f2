//! The sentences and the text twin of the Findings view.

use super::FindingsData;
use crate::advice::{ChangeState, Means, MeasuredChange, best, gain, gain_text, times_text, verdict_text};
use crate::scene::inspector::{Facts, Inspection, phrases};
use crate::scene::kit::table;
use crate::scene::{Table, Target};
use crate::words::{counted, percent, thousands};

/// The headline: the first finding and its gain, or what bounds the run.
pub(super) fn headline(data: &FindingsData) -> String {
    let advice = data.advice;
    let Some(first) = advice.shown().first() else {
        return format!(
            "No finding in {} cycles. {}",
            thousands(advice.cycles),
            advice.bound
        );
    };
    let Some(gain) = gain(advice, data.runs, 0) else {
        return format!("{}.", first.title);
    };
    let run = best(data.runs, 0, advice.cycles).map(|idx| &data.runs[idx]);
    let with = match (gain.means, run) {
        (Means::Machine, Some(run)) => run.change.code.clone(),
        (Means::Change, _) => "with the first change".to_owned(),
        _ => "without the first finding, by estimate".to_owned(),
    };
    format!(
        "The run takes {} cycles; {with}, it takes {}: {} times faster.",
        thousands(advice.cycles),
        thousands(gain.cycles),
        times_text(advice.cycles, gain.cycles)
    )
}

/// What the picture has no room for: numbers of findings, of findings that were tried, and of checks without a finding.
pub(super) fn rest_text(findings: usize, tried: usize, checked: usize) -> String {
    let parts = [
        (findings, counted(findings as u64, "more finding")),
        (tried, format!("{tried} tried, without gain")),
        (
            checked,
            format!("{} without a finding", counted(checked as u64, "check")),
        ),
    ];
    let parts: Vec<String> = parts
        .into_iter()
        .filter(|(num, _)| *num > 0)
        .map(|(_, text)| text)
        .collect();
    if parts.is_empty() {
        return String::new();
    }
    format!("Not shown: {}.", parts.join("; "))
}

/// What the runs of a finding that gains nothing show: the best one.
pub(super) fn tried_text(data: &FindingsData, idx: usize) -> String {
    let runs = || data.runs.iter().filter(|run| run.finding == idx);
    if let Some(best) = best(data.runs, idx, data.advice.cycles).map(|run| &data.runs[run]) {
        return format!("{} {}", best.change.text, gain_text(data.advice.cycles, best));
    }
    match runs().next() {
        Some(run) => format!("{} {}", run.change.text, gain_text(data.advice.cycles, run)),
        None => "No change to measure.".to_owned(),
    }
}

/// The progress of an unfinished run.
pub(super) fn state_text(run: &MeasuredChange) -> String {
    match &run.state {
        ChangeState::Runs { cycles } if *cycles > 0 => format!("Measuring, cycle {}", thousands(*cycles)),
        _ => "Measuring…".to_owned(),
    }
}

/// One row per finding, those that were tried and gain nothing last.
pub(super) fn text_twin(data: &FindingsData) -> Table {
    let rows = data.advice.findings.iter().enumerate().map(|(idx, finding)| {
        let run = best(data.runs, idx, data.advice.cycles).map(|run| &data.runs[run]);
        let lines: Vec<String> = finding
            .lines
            .iter()
            .filter(|cost| cost.line > 0)
            .map(|cost| data.line_text.line_text(cost.line))
            .collect();
        [
            if idx < data.advice.shown().len() {
                (idx + 1).to_string()
            } else {
                "tried".to_owned()
            },
            finding.title.clone(),
            thousands(finding.cycles),
            percent(finding.cycles, data.advice.warp_cycles),
            lines.join(", "),
            finding.reason.clone(),
            finding.advice.clone(),
            run.map_or_else(String::new, |run| run.change.text.clone()),
            gain_cell(data, idx, run),
        ]
    });
    table(
        [
            "Number",
            "Finding",
            "Warp cycles",
            "Share",
            "Lines",
            "Reason",
            "Advice",
            "Best change",
            "Gain",
        ],
        rows.collect(),
    )
}

/// What the best change gains, or what is estimated.
fn gain_cell(data: &FindingsData, idx: usize, run: Option<&MeasuredChange>) -> String {
    match (gain(data.advice, data.runs, idx), run) {
        (Some(gain), _) if gain.means == Means::Estimate => format!(
            "Estimated: {} to {} cycles, {} times faster.",
            thousands(data.advice.cycles),
            thousands(gain.cycles),
            times_text(data.advice.cycles, gain.cycles)
        ),
        (_, Some(run)) => gain_text(data.advice.cycles, run),
        _ => String::new(),
    }
}

/// All changes, and what was checked.
pub(super) fn more_tables(data: &FindingsData) -> Vec<(String, Table)> {
    let changes = data.runs.iter().map(|run| {
        [
            (run.finding + 1).to_string(),
            run.change.text.clone(),
            run.change.code.clone(),
            gain_text(data.advice.cycles, run),
        ]
    });
    let changes = table(["Finding", "Change", "Code or option", "Gain"], changes.collect());
    let mut checked: Vec<[String; 1]> = vec![[data.advice.bound.clone()]];
    checked.extend(data.advice.checked.iter().map(|text| [text.clone()]));
    vec![
        ("Changes".to_owned(), changes),
        (
            "Bound, and checks without a finding".to_owned(),
            table(["Result"], checked),
        ),
    ]
}

/// The name and the description of a target of the view.
pub fn finding_tooltip(data: &FindingsData, target: Target) -> Option<(String, String)> {
    let of = |idx: u8| data.advice.findings.get(usize::from(idx));
    match target {
        Target::Finding(idx) | Target::OpenFinding(idx) => {
            let finding = of(idx)?;
            Some((format!("{}. {}", idx + 1, finding.title), finding.reason.clone()))
        }
        Target::ShowFinding(idx) => {
            let finding = of(idx)?;
            Some((
                format!("Show: finding {}", idx + 1),
                format!("Opens {} where it is worst.", finding.view.name()),
            ))
        }
        Target::ApplyChange(idx) => {
            let run = data.runs.get(usize::from(idx))?;
            Some((
                format!("Apply as a new pane: {}", run.change.text),
                gain_text(data.advice.cycles, run),
            ))
        }
        Target::Line(line) => Some((
            crate::words::capital(&data.line_text.line_text(line)),
            "Shows the line in the editor.".to_owned(),
        )),
        _ => None,
    }
}

/// The verdict of the run, and the selected finding.
pub fn inspect_findings(data: &FindingsData) -> Inspection {
    let advice = data.advice;
    let mut facts = Vec::new();
    if !data.runs.is_empty() {
        let mut rows = vec![("as it is".to_owned(), thousands(advice.cycles))];
        let shown = |run: &MeasuredChange| run.finding < advice.shown().len();
        for (idx, run) in data.runs.iter().enumerate().filter(|(_, run)| shown(run)) {
            if best(data.runs, run.finding, advice.cycles) == Some(idx) {
                let cycles = run
                    .result()
                    .map_or_else(String::new, |done| thousands(done.cycles));
                rows.push((format!("{}. {}", run.finding + 1, run.change.code), cycles));
            }
        }
        facts.push(Facts {
            title: "Measured by running each change, in cycles".to_owned(),
            rows,
        });
    }
    if let Some(finding) = data.chosen.and_then(|idx| advice.findings.get(idx)) {
        let row = |cost: &crate::advice::LineCost| {
            let name = if cost.line == 0 {
                "no source line".to_owned()
            } else {
                data.line_text.line_text(cost.line)
            };
            (name, thousands(cost.cycles))
        };
        facts.push(Facts {
            title: "Warp cycles of the selected finding".to_owned(),
            rows: finding.lines.iter().take(8).map(row).collect(),
        });
    }
    Inspection {
        title: "Verdict".to_owned(),
        place: counted(advice.shown().len() as u64, "finding"),
        why: phrases(&verdict_text(advice, data.runs)),
        facts,
        ..Inspection::default()
    }
}
