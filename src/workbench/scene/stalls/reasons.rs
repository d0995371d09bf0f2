//! The breakdown by reason: scheduler statistics, then each state with its share, its meaning, and its remedy.

use super::account::{Account, tenths, tenths_text};
use super::wording::{self, absent_states, meaning, remedy_in, slot_usage};
use super::{StallCause, draw_ground, draw_whole, edges, is_faded};
use crate::scene::kit::{Face, Sheet, table};
use crate::scene::source::columns::segment;
use crate::scene::source::costs::mean;
use crate::scene::{Mark, Role, Scene, Size, Target, TextSize, ViewState};
use crate::words::{percent, thousands};
use engine::sim::WarpState;
use engine::trace::{Frame, stall_metric};

/// Minimum width for the text beside the bars.
const WIDE: f32 = 760.0;
const LINE: f32 = 15.0;
/// Height of the line that counts the states without room.
const REST: f32 = 20.0;

/// A scheduler statistic: Nsight Compute's name, the value, and the metric.
struct Figure {
    name: &'static str,
    value: String,
    metric: &'static str,
}

/// The statistics of Nsight Compute's section Scheduler Statistics.
fn figures(account: &Account) -> [Figure; 5] {
    let unused = account.issue_slots.saturating_sub(account.issue_cycles());
    [
        Figure {
            name: "Issue slots busy",
            value: percent(account.issue_cycles(), account.issue_slots),
            metric: "smsp__issue_active.avg.pct_of_peak_sustained_active",
        },
        Figure {
            name: "No eligible",
            value: percent(unused, account.issue_slots),
            metric: "smsp__issue_inst0.avg.pct_of_peak_sustained_active",
        },
        Figure {
            name: "Eligible warps / scheduler",
            value: mean2(account.eligible(), account.scheduler_cycles),
            metric: "smsp__warps_eligible.avg.per_cycle_active",
        },
        Figure {
            name: "Active warps / scheduler",
            value: mean2(account.resident, account.scheduler_cycles),
            metric: "smsp__warps_active.avg.per_cycle_active",
        },
        Figure {
            name: "Warp cycles / issue",
            value: mean(account.resident, account.issue_cycles()),
            metric: "smsp__average_warp_latency_issue_active.ratio",
        },
    ]
}

/// A mean with two decimals; a dash for an empty sum.
fn mean2(sum: u64, num: u64) -> String {
    if num == 0 {
        return "–".to_owned();
    }
    format!("{:.2}", sum as f64 / num as f64)
}

pub(super) fn draw(
    frame: &Frame,
    view: &ViewState,
    size: Size,
    account: &Account,
    headline: String,
    causes: &[StallCause],
) -> Scene {
    let mut sheet = Sheet::default();
    let (left, right) = edges(size);
    let mut y = draw_figures(&mut sheet, (left, right), account);
    if !view.is_whole {
        y = draw_causes(&mut sheet, (left, right), y, causes);
    }
    draw_whole(&mut sheet, (left, right), (y, 18.0), &account.states, view.filter);
    y += 34.0;
    let order = order(account);
    let parts: Vec<u64> = order
        .iter()
        .map(|state| account.states[*state as usize])
        .collect();
    let shares = tenths(&parts);
    let longest = parts.first().copied().unwrap_or(0);
    let occurring = parts.iter().filter(|cycles| **cycles > 0).count();
    for (idx, ((state, cycles), tenths)) in order.iter().zip(&parts).zip(&shares).enumerate() {
        if *cycles == 0 {
            continue;
        }
        let row = Row {
            remedy: if view.is_whole {
                ""
            } else {
                remedy_in(frame, *state)
            },
            state: *state,
            cycles: *cycles,
            share: tenths_text(*tenths, *cycles),
            length: *cycles as f32 / longest.max(1) as f32,
        };
        let mut drawn = Sheet::default();
        let end = row.draw(&mut drawn, (left, right), y, view.filter);
        let is_last = idx + 1 == occurring;
        if view.is_whole && end + if is_last { 0.0 } else { REST } > size.height {
            let text = wording::more_states(
                occurring - idx,
                &percent(parts[idx..].iter().sum(), parts.iter().sum()),
            );
            sheet.text(&text, left, y + 8.0, Face::text(TextSize::Label, Role::Ink3));
            y += REST;
            break;
        }
        sheet.items.append(&mut drawn.items);
        y = end;
    }
    if !view.is_whole {
        y = draw_rest(&mut sheet, (left, right), y + 10.0, frame, account);
    }
    let size = Size {
        width: size.width,
        height: size.height.max(y + if view.is_whole { 0.0 } else { 8.0 }),
    };
    let scene = sheet.finish(size, headline, text_twin(frame, account));
    let rows = causes
        .iter()
        .map(|cause| [cause.text.clone(), thousands(cause.cycles)])
        .collect();
    let also = ("Causes".to_owned(), table(["Cause", "Warp cycles"], rows));
    Scene {
        also: if causes.is_empty() { Vec::new() } else { vec![also] },
        ..scene
    }
}

/// Draws the causes of the stalls, each a link to its finding, and returns the y below.
fn draw_causes(sheet: &mut Sheet, (left, right): (f32, f32), y: f32, causes: &[StallCause]) -> f32 {
    let face = Face::text(TextSize::Body, Role::Ink1);
    let mut y = y;
    for cause in causes {
        let text = format!("{}: {} warp cycles →", cause.text, thousands(cause.cycles));
        let lines = wrap(face, &text, right - left);
        let height = lines.len() as f32 * 18.0;
        for (idx, line) in lines.iter().enumerate() {
            sheet.text(line, left, y + 9.0 + idx as f32 * 18.0, face);
        }
        sheet.area(
            left,
            y,
            right - left,
            height,
            Target::OpenFinding(cause.finding as u8),
        );
        y += height + 2.0;
    }
    if causes.is_empty() { y } else { y + 12.0 }
}

/// The states of a resident warp, those with the most cycles first.
fn order(account: &Account) -> Vec<WarpState> {
    let mut states = WarpState::ALL[1..].to_vec();
    states.sort_by_key(|state| std::cmp::Reverse(account.states[*state as usize]));
    states
}

/// Draws the statistics in a row, or in two columns on a phone, and returns the y below.
fn draw_figures(sheet: &mut Sheet, (left, right): (f32, f32), account: &Account) -> f32 {
    let figures = figures(account);
    let columns = if right - left < 500.0 { 2 } else { figures.len() };
    let step = (right - left) / columns as f32;
    let value = Face::mono(TextSize::Title, Role::Ink1).strong();
    let name = Face::text(TextSize::Label, Role::Ink3);
    for (idx, figure) in figures.iter().enumerate() {
        let x = left + (idx % columns) as f32 * step;
        let y = 12.0 + (idx / columns) as f32 * 46.0;
        sheet.text(&figure.value, x, y + 6.0, value);
        // Where the whole name does not fit, the unit's noun goes first.
        let short = figure.name.replace(" warps /", " /");
        let text = if name.width(figure.name) <= step - 6.0 {
            figure.name
        } else {
            &short
        };
        sheet.text(&name.fit(text, step - 6.0), x, y + 25.0, name);
    }
    12.0 + figures.len().div_ceil(columns) as f32 * 46.0
}

/// Least width of a bar. A narrower stage shows the share without the cycles.
const MIN_BAR: f32 = 24.0;

/// A state with cycles.
struct Row {
    state: WarpState,
    remedy: &'static str,
    cycles: u64,
    share: String,
    length: f32,
}

impl Row {
    /// Draws the row, and returns the y below.
    fn draw(&self, sheet: &mut Sheet, (left, right): (f32, f32), y: f32, only: Option<Mark>) -> f32 {
        let mark = Mark::of(self.state);
        let beside = right - left + 40.0 >= WIDE;
        let faded = is_faded(self.state, only);
        // The widths of the name, of the share, and of the share with the cycles.
        let (name_w, share_w, numbers_w) = if right - left < 330.0 {
            (134.0, 46.0, 92.0)
        } else {
            (158.0, 58.0, 114.0)
        };
        let bar_x = left + name_w;
        let has_cycles = right - bar_x - numbers_w >= MIN_BAR;
        let numbers_w = if has_cycles { numbers_w } else { share_w };
        let bar_w = if beside {
            124.0
        } else {
            (right - bar_x - numbers_w - if name_w < 158.0 { 0.0 } else { 18.0 }).max(MIN_BAR)
        };
        let words_x = if beside {
            bar_x + bar_w + 132.0
        } else {
            left + 22.0
        };
        let small = Face::text(TextSize::Label, if faded { Role::Ink3 } else { Role::Ink1 });
        let mut lines: Vec<(String, Role)> = Vec::new();
        let words = [(meaning(self.state), small.role), (self.remedy, Role::Ink3)];
        for (text, role) in words.into_iter().filter(|(text, _)| !text.is_empty()) {
            let wrapped = wrap(small, text, right - words_x);
            lines.extend(wrapped.into_iter().map(|line| (line, role)));
        }
        let words_y = if beside { y } else { y + 22.0 };
        let end = (words_y + lines.len() as f32 * LINE).max(y + 22.0) + 9.0;
        draw_ground(
            sheet,
            (left - 8.0, y - 4.0, right - left + 16.0, end - y),
            only == Some(mark),
            Target::Mark(mark),
        );
        let middle = y + 8.0;
        sheet.tile(left, middle - 7.0, 14.0, mark);
        let name = Face::text(TextSize::Body, if faded { Role::Ink3 } else { Role::Ink1 });
        sheet.text(self.state.name(), left + 22.0, middle, name);
        let length = (bar_w * self.length).max(1.0);
        segment(sheet, (bar_x, middle - 6.0, length, 12.0), mark, only);
        let number = Face::mono(TextSize::Label, Role::Ink1).right();
        sheet.text(&self.share, bar_x + bar_w + share_w, middle, number);
        if has_cycles {
            let cycles = super::super::source::columns::short(self.cycles);
            let at = bar_x + bar_w + numbers_w;
            sheet.text(&cycles, at, middle, number.role(Role::Ink3));
        }
        for (idx, (line, role)) in lines.iter().enumerate() {
            sheet.text(
                line,
                words_x,
                words_y + 8.0 + idx as f32 * LINE,
                small.role(*role),
            );
        }
        end
    }
}

/// Draws the states without cycles and the slots without a warp, and returns the y below.
fn draw_rest(sheet: &mut Sheet, (left, right): (f32, f32), y: f32, frame: &Frame, account: &Account) -> f32 {
    let face = Face::text(TextSize::Label, Role::Ink3);
    let absent: Vec<&str> = WarpState::ALL[1..]
        .iter()
        .filter(|state| account.states[**state as usize] == 0)
        .map(|state| state.name())
        .collect();
    let slots: u64 = account.states.iter().sum();
    let empty = account.states[WarpState::Empty as usize];
    let texts = [
        absent_states(&absent),
        slot_usage(
            account.resident,
            &percent(empty, slots),
            frame.record().num_slots() as u64,
            account.to.0 - account.from.0,
        ),
    ];
    let mut y = y;
    for text in texts.iter().skip(usize::from(absent.is_empty())) {
        for line in wrap(face, text, right - left) {
            sheet.text(&line, left, y, face);
            y += LINE;
        }
    }
    y
}

/// A text wrapped to a width at spaces.
pub(in crate::scene) fn wrap(face: Face, text: &str, width: f32) -> Vec<String> {
    face.wrap(text, width)
}

/// The text twin: all states, then the scheduler statistics.
fn text_twin(frame: &Frame, account: &Account) -> crate::scene::Table {
    let order = order(account);
    let parts: Vec<u64> = order
        .iter()
        .map(|state| account.states[*state as usize])
        .collect();
    let slots: u64 = account.states.iter().sum();
    let state_row = |state: WarpState, share: String| {
        let cycles = account.states[state as usize];
        let metric = if state == WarpState::Empty {
            String::new()
        } else {
            stall_metric(state)
        };
        [
            state.name().to_owned(),
            thousands(cycles),
            share,
            percent(cycles, slots),
            meaning(state).to_owned(),
            remedy_in(frame, state).to_owned(),
            metric,
        ]
    };
    let mut rows: Vec<[String; 7]> = order
        .iter()
        .zip(tenths(&parts).iter().zip(&parts))
        .map(|(state, (tenths, cycles))| state_row(*state, tenths_text(*tenths, *cycles)))
        .collect();
    rows.push(state_row(WarpState::Empty, String::new()));
    rows.extend(figures(account).map(|figure| {
        let empty = String::new;
        let (name, metric) = (figure.name.to_owned(), figure.metric.to_owned());
        [name, figure.value, empty(), empty(), empty(), empty(), metric]
    }));
    table(
        [
            "State or statistic",
            "Warp cycles",
            "Share",
            "Share of slot cycles",
            "Meaning",
            "Remedy",
            "Nsight Compute",
        ],
        rows,
    )
}
