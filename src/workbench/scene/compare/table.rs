//! The counters of the compared runs side by side, with their ratios to the reference.

use serde::{Deserialize, Serialize};

use super::super::Table;
use super::super::kit::{Face, Sheet};
use super::super::{Role, Target, TextSize};
use super::Comparison;
use crate::words::{capital, thousands};
use engine::sim::WarpState;
use engine::trace::stall_metric;

/// Order of the counters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum CounterOrder {
    /// By group.
    #[default]
    Groups,
    /// By ratio, largest first.
    Ratio,
}

/// Minimum ratio of a marked difference.
pub(super) const LARGE: f64 = 2.0;
const ROW: f32 = 18.0;
/// Width of a value with its ratio.
const COLUMN: f32 = 122.0;

/// The counters of the table except the stalls: label, and name in Nsight Compute.
const COUNTERS: [(&str, &str); 25] = [
    ("Cycles active", "sm__cycles_active.max"),
    ("Time", "warpscope__time.us"),
    ("Warp instructions", "smsp__inst_executed.sum"),
    ("Instructions per cycle", "sm__inst_executed.avg.per_cycle_active"),
    (
        "Issue slots used",
        "smsp__issue_active.avg.pct_of_peak_sustained_active",
    ),
    ("Occupancy, theoretical", "sm__maximum_warps_per_active_cycle_pct"),
    (
        "Occupancy, achieved",
        "sm__warps_active.avg.pct_of_peak_sustained_active",
    ),
    ("Registers per thread", "launch__registers_per_thread"),
    ("Shared memory size", "launch__shared_mem_config_size"),
    (
        "Shared load wavefronts",
        "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
    ),
    (
        "Shared store wavefronts",
        "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum",
    ),
    (
        "Shared load conflicts",
        "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum",
    ),
    (
        "Shared store conflicts",
        "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum",
    ),
    (
        "Global load requests",
        "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum",
    ),
    (
        "Global load sectors",
        "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
    ),
    (
        "Global load L1 hit rate",
        "warpscope__l1_hit_rate_mem_global_op_ld.pct",
    ),
    (
        "Global load bytes moved",
        "warpscope__transaction_bytes_mem_global_op_ld.sum",
    ),
    (
        "Global store requests",
        "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum",
    ),
    (
        "Global store sectors",
        "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum",
    ),
    (
        "Global store bytes moved",
        "warpscope__transaction_bytes_mem_global_op_st.sum",
    ),
    (
        "Global atomics",
        "l1tex__t_requests_pipe_lsu_mem_global_op_atom.sum",
    ),
    (
        "Local load sectors",
        "l1tex__t_sectors_pipe_lsu_mem_local_op_ld.sum",
    ),
    (
        "Local store sectors",
        "l1tex__t_sectors_pipe_lsu_mem_local_op_st.sum",
    ),
    ("Constant requests", "idc__requests.sum"),
    (
        "Divergent branches",
        "smsp__sass_branch_targets_threads_divergent.sum",
    ),
];

/// A counter of all sides.
#[derive(Clone, Debug, PartialEq)]
pub struct CounterRow {
    /// Label.
    pub words: String,
    /// Name in Nsight Compute.
    pub name: String,
    /// Unit.
    pub unit: &'static str,
    /// Description of the counter.
    pub note: &'static str,
    /// Value of each side, or why there is none.
    pub values: Vec<Result<f64, &'static str>>,
    /// Ratio of each value to the reference value.
    pub ratios: Vec<Option<f64>>,
}

impl CounterRow {
    /// Label and unit; the label alone if it contains the unit.
    pub(super) fn title(&self) -> String {
        let words = self.words.to_lowercase();
        let said = self.unit.len() > 2 && words.contains(self.unit);
        match self.unit {
            "" => self.words.clone(),
            _ if said => self.words.clone(),
            unit => format!("{}, {unit}", self.words),
        }
    }

    /// The tooltip: title, and description with the counter's name.
    pub fn description(&self) -> (String, String) {
        let source = super::wording::counter_source(&self.name);
        (self.title(), format!("{}; {source}", capital(self.note)))
    }

    /// The largest ratio between two sides; 1 if all are equal.
    pub(super) fn spread(&self) -> f64 {
        let values: Vec<f64> = self.values.iter().filter_map(|value| (*value).ok()).collect();
        let most = values.iter().copied().fold(0.0, f64::max);
        let least = values.iter().copied().fold(f64::MAX, f64::min);
        if most <= 0.0 {
            1.0
        } else if least <= 0.0 {
            f64::MAX
        } else {
            most / least
        }
    }
}

/// The rows of the table: counters that are not 0 on every side.
pub fn counter_rows(comparison: &Comparison) -> Vec<CounterRow> {
    let stalls = WarpState::ALL[1..].iter().map(|state| {
        let words = format!("Warps per issue: {}", state.name());
        (words, stall_metric(*state))
    });
    let counters = COUNTERS
        .iter()
        .map(|(words, name)| ((*words).to_owned(), (*name).to_owned()));
    let mut rows: Vec<CounterRow> = counters
        .chain(stalls)
        .filter_map(|(words, name)| row(comparison, words, name))
        .collect();
    if comparison.order == CounterOrder::Ratio {
        rows.sort_by(|a, b| b.spread().total_cmp(&a.spread()));
    }
    rows
}

fn row(comparison: &Comparison, words: String, name: String) -> Option<CounterRow> {
    let (mut unit, mut note) = ("", "");
    let values: Vec<Result<f64, &'static str>> = comparison
        .sides
        .iter()
        .map(|side| {
            let lack = side.lacks.iter().find(|(start, _)| name.starts_with(start));
            if let Some((_, reason)) = lack {
                return Err(*reason);
            }
            if side.counters.is_empty() {
                return Err("no run");
            }
            let counter = side.counters.iter().find(|counter| counter.name == name);
            let counter = counter.ok_or("not counted")?;
            (unit, note) = (counter.unit, counter.note);
            Ok(counter.value)
        })
        .collect();
    if values.iter().all(|value| value.is_err() || *value == Ok(0.0)) {
        return None;
    }
    let base = values.get(comparison.reference).and_then(|value| (*value).ok());
    let ratio = |value: &Result<f64, &'static str>| {
        let (value, base) = ((*value).ok()?, base?);
        (base > 0.0).then(|| value / base)
    };
    Some(CounterRow {
        words,
        name,
        unit,
        note,
        ratios: values.iter().map(ratio).collect(),
        values,
    })
}

/// A number as the table shows it: whole numbers in full, others with three digits.
pub(super) fn number(value: f64) -> String {
    if value.fract() == 0.0 || value.abs() >= 1_000.0 {
        return thousands(value.round() as u64);
    }
    let digits = if value.abs() >= 100.0 {
        0
    } else if value.abs() >= 10.0 {
        1
    } else {
        2
    };
    format!("{value:.digits$}")
}

fn ratio_text(ratio: f64) -> String {
    if ratio >= 100.0 {
        format!("× {ratio:.0}")
    } else {
        format!("× {ratio:.2}")
    }
}

/// The text twin: values, then ratios, then the long names of the metrics.
pub(super) fn text_twin(comparison: &Comparison) -> Table {
    let names: Vec<&str> = comparison.sides.iter().map(|side| side.name.as_str()).collect();
    let base = names.get(comparison.reference).copied().unwrap_or_default();
    let mut columns = vec!["Counter".to_owned(), "Unit".to_owned()];
    for (idx, name) in names.iter().enumerate() {
        // The position distinguishes two sides with the same GPU.
        columns.push(format!("{}: {name}", idx + 1));
    }
    let others = || (0..names.len()).filter(|idx| *idx != comparison.reference);
    for idx in others() {
        columns.push(format!("{}: × {base}", idx + 1));
    }
    columns.push("Nsight Compute".to_owned());
    let cells = |row: CounterRow| {
        let value = |value: &Result<f64, &'static str>| match value {
            Ok(value) => number(*value),
            Err(reason) => format!("– ({reason})"),
        };
        let ratio = |idx: usize| {
            let ratio = row.ratios.get(idx).copied().flatten();
            ratio.map_or_else(|| "–".to_owned(), |ratio| format!("{ratio:.2}"))
        };
        let ratios: Vec<String> = others().map(ratio).collect();
        let mut cells = vec![row.words.clone(), row.unit.to_owned()];
        cells.extend(row.values.iter().map(value));
        cells.extend(ratios);
        cells.push(row.name);
        cells
    };
    Table {
        columns,
        rows: counter_rows(comparison).into_iter().map(cells).collect(),
    }
}

/// Draws the table, and returns the y below.
pub(super) fn draw(sheet: &mut Sheet, comparison: &Comparison, (x, y, width): (f32, f32, f32)) -> f32 {
    let num = comparison.sides.len();
    if num < 2 {
        return y;
    }
    let label = Face::text(TextSize::Label, Role::Ink3);
    let body = Face::text(TextSize::Body, Role::Ink1);
    let value = Face::mono(TextSize::Label, Role::Ink1).right();
    // If names and values do not fit side by side, values are under the names.
    let beside = width - COLUMN * num as f32 >= 150.0;
    let column = if beside {
        COLUMN.max((width - 260.0) / num as f32)
    } else {
        width / num as f32
    };
    let left = if beside {
        x + width - column * num as f32
    } else {
        x
    };
    let right_of = |idx: usize| left + column * (idx + 1) as f32;
    let mut y = y;
    if beside {
        sheet.text(&label.fit(&comparison.of, left - x - 12.0), x, y, label);
    } else {
        sheet.text(&label.fit(&comparison.of, width), x, y, label);
        y += 18.0;
    }
    for (idx, side) in comparison.sides.iter().enumerate() {
        let role = if idx == comparison.reference {
            Role::Ink1
        } else {
            Role::Ink3
        };
        let face = Face::text(TextSize::Label, role).strong().right();
        sheet.text(&face.fit(&side.name, column - 10.0), right_of(idx), y, face);
    }
    y += 12.0;
    sheet.line((x, y), (x + width, y), 1.0, Role::Line2);
    y += ROW / 2.0 + 2.0;
    for (idx, row) in counter_rows(comparison).into_iter().enumerate() {
        let target = Target::Counter(idx.min(255) as u8);
        let high = if beside { ROW } else { ROW + 16.0 };
        sheet.area(x, y - ROW / 2.0, width, high, target);
        let large = row.spread() >= LARGE;
        let face = if large { body.strong() } else { body };
        if large {
            sheet.rect(x, y - 3.0, 6.0, 6.0, Role::Ink1);
        }
        let room = if beside { left - x - 12.0 } else { width };
        let text = row.title();
        sheet.text(&face.fit(&text, room - 12.0), x + 12.0, y, face);
        if !beside {
            y += 16.0;
        }
        for (idx, cell) in row.values.iter().enumerate() {
            let right = right_of(idx);
            let is_reference = idx == comparison.reference;
            let ratio = row.ratios.get(idx).copied().flatten();
            let ratio = ratio.filter(|_| !is_reference);
            let shown = ratio.map(ratio_text);
            // Ratios have their own column within the column of the side.
            let ratio_px = if is_reference { 0.0 } else { 52.0 };
            match cell {
                Ok(number_of) => {
                    let text = value.fit(&number(*number_of), column - ratio_px - 4.0);
                    sheet.text(&text, right - ratio_px, y, value);
                }
                Err(reason) => {
                    let note = label.right();
                    sheet.text(&note.fit(&format!("– {reason}"), column - 8.0), right, y, note);
                }
            }
            if let Some(text) = shown {
                sheet.text(&text, right, y, value.role(Role::Ink2));
            }
        }
        y += ROW;
        if !beside {
            sheet.line((x, y - 8.0), (x + width, y - 8.0), 1.0, Role::Line1);
            y += 4.0;
        }
    }
    y
}
