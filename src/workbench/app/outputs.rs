//! The contents of buffers after a run: values by page, a summary, and a chart.

use std::cell::RefCell;
use std::rc::Rc;

use super::form::bits;
use super::number::{grouped, hex_of, is_float, text_of, value_of};
use super::{Effect, RunKey, Session};
use crate::scene::{Axis, Chart, NumberFormat, Series, SeriesKind, counted, thousands};
use crate::share::OutputsLink;
use engine::ids::Cycle;
use engine::isa::ElemType;
use engine::launch::{Launch, Role};
use engine::printf::{num_overwritten, overwritten_text};
use engine::sim::Outcome;
use engine::sim::memory::argument_name;

/// Values per row of the table, and rows per page.
pub const COLUMNS: u32 = 8;
const ROWS: u32 = 16;
/// Values per page.
pub const PAGE: u32 = COLUMNS * ROWS;
/// Columns of a chart; with more values, each column shows its minimum and maximum.
const PLOT_COLUMNS: usize = 360;
/// Limit of the bytes of a buffer that the view shows: a link can name buffers of gigabytes.
const MAX_SHOWN_BYTES: u64 = 64 << 20;

/// An action of the outputs dialog.
#[derive(Clone, Debug, PartialEq)]
pub enum OutputsChoice {
    /// Shows another buffer, by its argument.
    Buffer(u16),
    /// Shows another page, from 0.
    Page(u32),
    /// Shows the page with this index.
    Jump(String),
    /// Changes the number format.
    Format(NumberFormat),
    /// Shows the values of the current cycle (`true`) or of the end of the run.
    Now(bool),
    /// Copies all values to the clipboard.
    Copy,
    /// Saves all values to a file.
    Save,
}

/// The state of the outputs.
#[derive(Debug, Default)]
pub struct OutputsState {
    /// What is shown.
    pub look: OutputsLink,
    /// A rejected index: its text, and the reason.
    pub refused: Option<(String, String)>,
    /// The last index that was shown.
    pub sought: Option<u32>,
    contents: RefCell<Option<Rc<Contents>>>,
}

/// A buffer of the launch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutputBuffer {
    /// Its argument.
    pub argument: u16,
    /// The parameter's name.
    pub name: String,
    /// Its role, and its size.
    pub what: String,
}

/// The contents of the outputs dialog.
#[derive(Clone, Debug)]
pub struct Outputs {
    /// The buffers to choose from.
    pub buffers: Vec<OutputBuffer>,
    /// Index of the shown buffer.
    pub chosen: usize,
    /// The time of the values, and how the run ended.
    pub sentence: String,
    /// A summary of the values: pairs of name and text.
    pub facts: Vec<(&'static str, String)>,
    /// The number formats, and whether each is selected.
    pub formats: Vec<(NumberFormat, bool)>,
    /// The page, from 0.
    pub page: u32,
    /// The number of pages.
    pub num_pages: u32,
    /// Rows of the page.
    pub rows: Vec<OutputRow>,
    /// The chart of values by index; none if no value is finite.
    pub chart: Option<Rc<Chart>>,
}

/// Limit of listed calls.
const LISTED: usize = 500;

/// The output of `printf` and of failed assertions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PrintedText {
    /// The number of calls, and the number of unlisted calls.
    pub sentence: String,
    /// The calls in chronological order.
    pub rows: Vec<PrintedRow>,
}

/// The output of one call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PrintedRow {
    /// The cycle of the call.
    pub cycle: u64,
    /// The block and the thread: `block [0,0,0], thread [3,0,0]`.
    pub place: String,
    /// The text, without the trailing line break.
    pub text: String,
}

/// A row of the table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutputRow {
    /// Index of its first value.
    pub index: u32,
    /// The values, and whether the run changed each of them.
    pub values: Vec<(String, bool)>,
}

/// A buffer's values at a time, with the data that all pages share.
#[derive(Debug)]
struct Contents {
    key: (RunKey, u16, Option<u64>),
    elem: ElemType,
    now: Vec<u64>,
    first: Vec<u64>,
    facts: Vec<(&'static str, String)>,
    chart: Option<Rc<Chart>>,
}

/// Performs an action of the dialog.
pub(super) fn choose(session: &mut Session, choice: OutputsChoice) -> Vec<Effect> {
    session.ui.outputs.refused = None;
    let look = &mut session.ui.outputs.look;
    match choice {
        OutputsChoice::Buffer(argument) => {
            *look = OutputsLink {
                argument: Some(argument),
                page: 0,
                format: None,
                ..*look
            };
            session.ui.outputs.sought = None;
        }
        OutputsChoice::Page(page) => look.page = page,
        OutputsChoice::Format(format) => look.format = Some(format),
        OutputsChoice::Now(now) => look.now = now,
        OutputsChoice::Jump(text) => jump(session, text),
        OutputsChoice::Copy => {
            let Ok(contents) = session.contents() else {
                return Vec::new();
            };
            let said = format!("{} copied", counted(contents.now.len() as u64, "value"));
            let values: Vec<String> = contents
                .now
                .iter()
                .map(|bits| text_of(contents.elem, *bits))
                .collect();
            return vec![Effect::CopyText {
                text: values.join("\n"),
                said,
            }];
        }
        OutputsChoice::Save => {
            let Ok(contents) = session.contents() else {
                return Vec::new();
            };
            let name = plain_name(&session.parameter_name(contents.key.1));
            let name = format!(
                "warpscope-{}-{}-{name}.csv",
                session.setup().kernel,
                session.setup().arch.text()
            );
            return vec![Effect::SaveText {
                name,
                text: contents.csv(),
            }];
        }
    }
    vec![Effect::ReplaceLink]
}

/// A parameter's name as a part of a file name: an identifier can be long, and have letters of any script.
fn plain_name(name: &str) -> String {
    /// Length limit in characters. Assumption: file systems allow names of 255 bytes.
    const MOST: usize = 60;
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '_' | '-');
    let plain = name
        .chars()
        .map(|letter| if is_plain(letter) { letter } else { '-' });
    plain.take(MOST).collect()
}

fn jump(session: &mut Session, text: String) {
    let len = session.contents().map_or(0, |contents| contents.now.len() as u32);
    let digits: String = text.chars().filter(|c| *c != ',' && !c.is_whitespace()).collect();
    let index = match digits.strip_prefix("0x") {
        Some(hex) => u32::from_str_radix(hex, 16).ok(),
        None => digits.parse().ok(),
    };
    if let Some(index) = index.filter(|index| *index < len) {
        session.ui.outputs.look.page = index / PAGE;
        session.ui.outputs.sought = Some(index);
    } else {
        let last = thousands(u64::from(len.saturating_sub(1)));
        session.ui.outputs.refused = Some((
            text,
            format!("The index must be a whole number from 0 to {last}."),
        ));
    }
}

impl Session {
    /// The kernel's printed output so far; `None` if it prints nothing.
    pub fn printed(&self) -> Option<PrintedText> {
        let trace = self.derived().trace()?;
        let calls = trace.printed();
        if calls.is_empty() {
            return None;
        }
        let num_lost = num_overwritten(calls);
        let held = &calls[num_lost..];
        let mut sentence = counted(held.len() as u64, "call") + " of printf or assert.";
        if num_lost > 0 {
            sentence = format!("{sentence} {}", overwritten_text(num_lost));
        }
        if held.len() > LISTED {
            sentence = format!("{sentence} The first {LISTED} are listed.");
        }
        let rows = held.iter().take(LISTED).map(|call| {
            let [block, thread] = [call.block, call.thread].map(|[x, y, z]| format!("[{x},{y},{z}]"));
            PrintedRow {
                cycle: call.cycle.0,
                place: format!("block {block}, thread {thread}"),
                text: call.text().trim_end_matches('\n').to_owned(),
            }
        });
        Some(PrintedText {
            sentence,
            rows: rows.collect(),
        })
    }

    /// The contents of the outputs dialog.
    ///
    /// # Errors
    /// A sentence that says why there are no outputs.
    pub fn outputs(&self) -> Result<Outputs, String> {
        let contents = self.contents()?;
        let buffers = self.output_buffers();
        let look = self.ui.outputs.look;
        let chosen = buffers
            .iter()
            .position(|buffer| buffer.argument == contents.key.1);
        let num_pages = (contents.now.len() as u32).div_ceil(PAGE).max(1);
        let page = look.page.min(num_pages - 1);
        let natural = natural(contents.elem);
        let format = look.format.unwrap_or(natural);
        Ok(Outputs {
            chosen: chosen.unwrap_or(0),
            sentence: self.outputs_sentence(),
            facts: contents.facts.clone(),
            formats: formats(contents.elem)
                .map(|other| (other, other == format))
                .collect(),
            page,
            num_pages,
            rows: contents.rows(page, format),
            chart: contents.chart.clone(),
            buffers,
        })
    }

    /// Buffers of the shown run.
    fn output_buffers(&self) -> Vec<OutputBuffer> {
        let Some(trace) = self.derived().trace() else {
            return Vec::new();
        };
        let args = 0..trace.launch().args.len();
        args.filter_map(|argument| {
            let shown = trace.launch().elements(argument)?;
            let len = shown.len;
            let c_type = trace
                .program()
                .params
                .get(argument)
                .map_or_else(|| super::number::type_name(shown.elem), |param| &param.c_type);
            let role = match shown.role {
                Role::In => "in",
                Role::Out => "out",
                Role::InOut => "in and out",
                Role::Scratch => "scratch",
            };
            Some(OutputBuffer {
                argument: argument as u16,
                name: argument_name(trace.program(), trace.launch(), argument),
                what: {
                    let shown = MAX_SHOWN_BYTES / u64::from(shown.elem.bytes());
                    let first = if u64::from(len) > shown {
                        format!("; the first {} are shown", thousands(shown))
                    } else {
                        String::new()
                    };
                    format!("{role}, {} × {c_type}{first}", thousands(u64::from(len)))
                },
            })
        })
        .collect()
    }

    /// The selected buffer, or else the first output buffer, or else the first buffer.
    fn shown_argument(&self, launch: &Launch) -> Option<u16> {
        let buffers =
            || (0..launch.args.len()).filter_map(|idx| Some((idx as u16, launch.elements(idx)?.role)));
        let chosen = buffers().find(|(idx, _)| Some(*idx) == self.ui.outputs.look.argument);
        let written = || buffers().find(|(_, role)| matches!(role, Role::Out | Role::InOut));
        chosen
            .or_else(written)
            .or_else(|| buffers().next())
            .map(|(idx, _)| idx)
    }

    fn parameter_name(&self, argument: u16) -> String {
        self.derived().trace().map_or_else(
            || argument.to_string(),
            |trace| argument_name(trace.program(), trace.launch(), argument.into()),
        )
    }

    /// The time of the values, and how the run ended.
    fn outputs_sentence(&self) -> String {
        let mut words = Vec::new();
        if self.derived().is_running() && !self.derived().shows_requested() {
            let cycle = thousands(self.derived().simulated_cycles());
            words.push(format!(
                "A new run is at cycle {cycle}; these are values of the previous run."
            ));
        } else if self.is_stale() {
            words.push("The kernel or the launch has an error; these are values of the last run.".to_owned());
        }
        let now = self.ui.outputs.look.now;
        words.push(if now {
            format!("Values after cycle {}.", thousands(self.cycle()))
        } else {
            let cycles = thousands(self.derived().num_cycles());
            match self.derived().trace().and_then(|trace| trace.outcome()) {
                Some(Outcome::Finished) => format!("Values at the end of the run, after {cycles} cycles."),
                _ => format!("Values at the last cycle of an unfinished run, after {cycles} cycles."),
            }
        });
        let outcome = self.outcome_sentence().filter(|_| !now);
        if outcome.is_none() && self.is_estimated() {
            words.push(format!("The launch is {}.", self.launch_word()));
        }
        words.extend(outcome);
        words.join(" ")
    }

    fn outputs_to_come(&self) -> String {
        let cycle = thousands(self.derived().simulated_cycles());
        format!("The run is at cycle {cycle}. The outputs appear after it ends.")
    }

    /// The selected buffer's values, cached until the run, the buffer, or the cycle changes.
    fn contents(&self) -> Result<Rc<Contents>, String> {
        let Some(trace) = self.derived().trace() else {
            return Err(if self.derived().is_running() {
                self.outputs_to_come()
            } else {
                "Fix the kernel or the launch configuration to see its outputs.".to_owned()
            });
        };
        let look = self.ui.outputs.look;
        let argument = self
            .shown_argument(trace.launch())
            .ok_or("The kernel has no pointer arguments: there are no outputs to show.")?;
        let cycle = look.now.then_some(self.cycle());
        let key = (self.derived().run_key(), argument, cycle);
        if let Some(contents) = self.contents_kept(key) {
            return Ok(contents);
        }
        let idx = usize::from(argument);
        let bytes = match cycle {
            Some(cycle) => trace
                .with_machine(Cycle(cycle), engine::sim::Machine::outputs)
                .first_of(idx, MAX_SHOWN_BYTES),
            None => match trace.outputs() {
                Some(outputs) => outputs.first_of(idx, MAX_SHOWN_BYTES),
                None => return Err(self.outputs_to_come()),
            },
        };
        let shown = trace.launch().elements(idx);
        let Some((shown, first)) = shown.zip(trace.launch().initial_bytes(idx, MAX_SHOWN_BYTES)) else {
            return Err("This argument is not a buffer.".to_owned());
        };
        let name = self.parameter_name(argument);
        let now = bytes.unwrap_or_default();
        let contents = Rc::new(Contents::new(key, shown.elem, &now, &first, &name));
        *self.ui.outputs.contents.borrow_mut() = Some(Rc::clone(&contents));
        Ok(contents)
    }

    fn contents_kept(&self, key: (RunKey, u16, Option<u64>)) -> Option<Rc<Contents>> {
        let kept = self.ui.outputs.contents.borrow();
        kept.as_ref().filter(|contents| contents.key == key).cloned()
    }
}

/// The default number format of a type.
const fn natural(elem: ElemType) -> NumberFormat {
    if is_float(elem) {
        NumberFormat::Float
    } else {
        NumberFormat::Int
    }
}

/// The number formats of a type, the default first.
fn formats(elem: ElemType) -> impl Iterator<Item = NumberFormat> {
    let other = if is_float(elem) {
        NumberFormat::Int
    } else {
        NumberFormat::Float
    };
    // A byte has no floating-point format.
    let other = (elem.bytes() > 1).then_some(other);
    [natural(elem), NumberFormat::Hex].into_iter().chain(other)
}

/// The bits of a type as text.
fn written(elem: ElemType, bits: u64, format: NumberFormat) -> String {
    let as_int = match elem {
        ElemType::F16 => ElemType::I16,
        ElemType::F32 => ElemType::I32,
        ElemType::F64 => ElemType::I64,
        _ => elem,
    };
    let as_float = match elem.bytes() {
        2 => ElemType::F16,
        4 => ElemType::F32,
        8 => ElemType::F64,
        _ => elem,
    };
    match format {
        NumberFormat::Hex => hex_of(elem, bits),
        NumberFormat::Int => text_of(as_int, bits),
        NumberFormat::Unsigned => bits.to_string(),
        NumberFormat::Float => text_of(as_float, bits),
    }
}

impl Contents {
    fn new(key: (RunKey, u16, Option<u64>), elem: ElemType, now: &[u8], first: &[u8], name: &str) -> Self {
        let width = elem.bytes() as usize;
        let numbers = |bytes: &[u8]| -> Vec<u64> { bytes.chunks_exact(width).map(bits).collect() };
        let (now, first) = (numbers(now), numbers(first));
        let values: Vec<f64> = now.iter().map(|bits| value_of(elem, *bits)).collect();
        let changed = now.iter().zip(&first).filter(|(now, first)| now != first).count();
        let facts = facts(elem, &now, &values, changed);
        let chart = chart(name, &values, key.2).map(Rc::new);
        Self {
            key,
            elem,
            now,
            first,
            facts,
            chart,
        }
    }

    fn rows(&self, page: u32, format: NumberFormat) -> Vec<OutputRow> {
        let start = (page * PAGE) as usize;
        let end = (start + PAGE as usize).min(self.now.len());
        (start..end)
            .step_by(COLUMNS as usize)
            .map(|index| OutputRow {
                index: index as u32,
                values: (index..(index + COLUMNS as usize).min(end))
                    .map(|at| {
                        let text = written(self.elem, self.now[at], format);
                        (text, self.first.get(at) != Some(&self.now[at]))
                    })
                    .collect(),
            })
            .collect()
    }

    fn csv(&self) -> String {
        let mut text = String::from("index,value,before,bits\n");
        for (index, bits) in self.now.iter().enumerate() {
            let before = self
                .first
                .get(index)
                .map_or_else(String::new, |bits| text_of(self.elem, *bits));
            let (value, hex) = (text_of(self.elem, *bits), hex_of(self.elem, *bits));
            text += &format!("{index},{value},{before},{hex}\n");
        }
        text
    }
}

/// The summary of the values.
fn facts(elem: ElemType, now: &[u64], values: &[f64], changed: usize) -> Vec<(&'static str, String)> {
    let numbers = || values.iter().enumerate().filter(|(_, value)| !value.is_nan());
    let least = numbers().min_by(|a, b| a.1.total_cmp(b.1).then(a.0.cmp(&b.0)));
    let most = numbers().max_by(|a, b| a.1.total_cmp(b.1).then(b.0.cmp(&a.0)));
    let at =
        |(index, _): (usize, &f64)| format!("{} at {}", text_of(elem, now[index]), thousands(index as u64));
    let total = thousands(values.len() as u64);
    let mut facts = vec![(
        "Changed by the run",
        format!("{} of {total}", thousands(changed as u64)),
    )];
    if let (Some(least), Some(most)) = (least, most) {
        facts.push(("Minimum", at(least)));
        facts.push(("Maximum", at(most)));
        let num = numbers().count();
        let mean = numbers().map(|(_, value)| value / num as f64).sum::<f64>();
        facts.push(("Mean", significant(mean)));
    }
    let nans = values.iter().filter(|value| value.is_nan()).count();
    if nans > 0 {
        facts.push(("NaN", thousands(nans as u64)));
    }
    facts
}

/// A number with six significant digits.
fn significant(value: f64) -> String {
    if value == value.trunc() && value.abs() < 1e15 {
        return grouped(value as i128);
    }
    let magnitude = value.abs();
    if !(1e-4..1e9).contains(&magnitude) {
        return format!("{value:.5e}");
    }
    let whole = (1..=9)
        .find(|digits| magnitude < f64::from(10u32.pow(*digits)))
        .unwrap_or(9);
    let decimals = 6usize.saturating_sub(whole as usize);
    format!("{value:.decimals$}")
}

/// The chart of values by index. With more values than columns, each column shows its minimum and maximum, so
/// that no peak is lost.
fn chart(name: &str, values: &[f64], cycle: Option<u64>) -> Option<Chart> {
    let per_column = values.len().div_ceil(PLOT_COLUMNS).max(1);
    let (mut lows, mut highs) = (Vec::new(), Vec::new());
    for (column, chunk) in values.chunks(per_column).enumerate() {
        let finite = || chunk.iter().enumerate().filter(|(_, value)| value.is_finite());
        let point = |at: (usize, &f64)| ((column * per_column + at.0) as f64, *at.1);
        lows.extend(finite().min_by(|a, b| a.1.total_cmp(b.1)).map(point));
        highs.extend(finite().max_by(|a, b| a.1.total_cmp(b.1)).map(point));
    }
    let least = lows.iter().map(|point| point.1).min_by(f64::total_cmp)?;
    let most = highs.iter().map(|point| point.1).max_by(f64::total_cmp)?;
    // A constant line lies in the middle; otherwise the range includes zero if it is near.
    let range = match (least, most) {
        (least, most) if least == most => (least.min(0.0), if most <= 0.0 { 1.0 } else { most * 1.25 }),
        (least, most) if least >= 0.0 && least < most / 2.0 => (0.0, most),
        range => range,
    };
    let title = match per_column {
        1 => format!("{name} over index"),
        many => format!(
            "{name} over index, max and min of every {}",
            thousands(many as u64)
        ),
    };
    let series = |name: &str, points: Vec<(f64, f64)>| Series {
        name: name.to_owned(),
        kind: if points.len() == 1 {
            SeriesKind::Points
        } else {
            SeriesKind::Line
        },
        points,
    };
    let series = match per_column {
        1 => vec![series(name, highs)],
        _ => vec![series("max", highs), series("min", lows)],
    };
    let when = match cycle {
        Some(cycle) => format!("Global memory after cycle {}", thousands(cycle)),
        None => "Global memory at the end of the run".to_owned(),
    };
    let last = values.len().saturating_sub(1).max(1) as f64;
    Some(Chart {
        id: format!("outputs-{name}"),
        title,
        x: Axis::new("Index", "", (0.0, last)),
        y: Axis::new("Value", "", range),
        series,
        source: when,
        ..Chart::default()
    })
}

#[cfg(test)]
mod tests;
