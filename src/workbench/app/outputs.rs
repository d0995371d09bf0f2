//! What a run leaves in its buffers: values by page, what they are in short, a plot.

use std::cell::RefCell;
use std::rc::Rc;

use super::form::bits;
use super::number::{grouped, hex_of, is_float, text_of, value_of};
use super::{Effect, RunKey, Session};
use crate::scene::{Axis, Chart, NumberFormat, Series, SeriesKind, counted, thousands};
use crate::share::OutputsLook;
use engine::ids::Cycle;
use engine::isa::ElemType;
use engine::launch::{Argument, Launch, Role};
use engine::printf::{num_overwritten, overwritten_text};
use engine::sim::Outcome;

/// Values in a row of the table, and rows of a page.
pub const COLUMNS: u32 = 8;
const ROWS: u32 = 16;
/// Values of a page.
pub const PAGE: u32 = COLUMNS * ROWS;
/// Columns of a plot: where there are more values, each shows its least and greatest.
const PLOT_COLUMNS: usize = 360;

/// What is done with the outputs.
#[derive(Clone, Debug, PartialEq)]
pub enum OutputsChoice {
    /// Another buffer, by its argument.
    Buffer(u16),
    /// Another page, from 0.
    Page(u32),
    /// The page with an index.
    Jump(String),
    /// How values are written.
    Format(NumberFormat),
    /// As they are in the present cycle, or at the end of the run.
    Now(bool),
    /// All values on the clipboard.
    Copy,
    /// All values as a file.
    Save,
}

/// The state of the outputs.
#[derive(Debug, Default)]
pub struct OutputsState {
    /// What is shown.
    pub look: OutputsLook,
    /// An index that could not be gone to: its text, and why.
    pub refused: Option<(String, String)>,
    /// The index that was last gone to.
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
    /// What it is for, and its size.
    pub what: String,
}

/// What is shown of the outputs.
#[derive(Clone, Debug)]
pub struct Outputs {
    /// The buffers to choose from.
    pub buffers: Vec<OutputBuffer>,
    /// The one that is shown, by its place among them.
    pub chosen: usize,
    /// Of when the values are, and how the run ended.
    pub sentence: String,
    /// The values in short: a name and a text each.
    pub facts: Vec<(&'static str, String)>,
    /// Ways to write the values, and whether they are so.
    pub formats: Vec<(NumberFormat, bool)>,
    /// The page, from 0.
    pub page: u32,
    /// Pages there are.
    pub num_pages: u32,
    /// Rows of the page.
    pub rows: Vec<OutputRow>,
    /// Values over their index; none where no value is finite.
    pub chart: Option<Rc<Chart>>,
}

/// Calls that the page lists at most.
const LISTED: usize = 500;

/// What `printf` and failed assertions print.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PrintedText {
    /// How many calls there are, and which of them are not listed.
    pub sentence: String,
    /// The calls in order of time.
    pub rows: Vec<PrintedRow>,
}

/// What one call prints.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PrintedRow {
    /// The cycle of the call.
    pub cycle: u64,
    /// The block and the thread: `block [0,0,0], thread [3,0,0]`.
    pub place: String,
    /// The text, without the line break at its end.
    pub text: String,
}

/// A row of the table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutputRow {
    /// Index of its first value.
    pub index: u32,
    /// Its values, and whether each differs from what stood there before the run.
    pub values: Vec<(String, bool)>,
}

/// A buffer's values at a time, with what is the same for all pages.
#[derive(Debug)]
struct Contents {
    key: (RunKey, u16, Option<u64>),
    elem: ElemType,
    now: Vec<u64>,
    first: Vec<u64>,
    facts: Vec<(&'static str, String)>,
    chart: Option<Rc<Chart>>,
}

/// Does what was chosen.
pub(super) fn choose(session: &mut Session, choice: OutputsChoice) -> Vec<Effect> {
    session.ui.outputs.refused = None;
    let look = &mut session.ui.outputs.look;
    match choice {
        OutputsChoice::Buffer(argument) => {
            *look = OutputsLook {
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
            let name = session.parameter_name(contents.key.1);
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
        session.ui.outputs.refused = Some((text, format!("An index is a whole number from 0 to {last}.")));
    }
}

impl Session {
    /// What the kernel prints, as far as the run is; `None` where it prints nothing.
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

    /// What is shown of the outputs.
    ///
    /// # Errors
    /// A sentence: why there are none.
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

    /// Buffers of the run that is shown.
    fn output_buffers(&self) -> Vec<OutputBuffer> {
        let Some(trace) = self.derived().trace() else {
            return Vec::new();
        };
        let args = trace.launch().args.iter().zip(0u16..);
        args.filter_map(|(arg, argument)| {
            let (_, len, _, role) = arg.elements()?;
            let param = trace.program().params.get(usize::from(argument))?;
            let role = match role {
                Role::In => "in",
                Role::Out => "out",
                Role::InOut => "in and out",
                Role::Scratch => "scratch",
            };
            Some(OutputBuffer {
                argument,
                name: param.name.clone(),
                what: format!("{role}, {} × {}", thousands(u64::from(len)), param.c_type),
            })
        })
        .collect()
    }

    /// The buffer that was chosen, else the first that is written, else the first.
    fn shown_argument(&self, launch: &Launch) -> Option<u16> {
        let buffers =
            || (launch.args.iter().zip(0u16..)).filter_map(|(arg, idx)| Some((idx, arg.elements()?.3)));
        let chosen = buffers().find(|(idx, _)| Some(*idx) == self.ui.outputs.look.argument);
        let written = || buffers().find(|(_, role)| matches!(role, Role::Out | Role::InOut));
        chosen
            .or_else(written)
            .or_else(|| buffers().next())
            .map(|(idx, _)| idx)
    }

    fn parameter_name(&self, argument: u16) -> String {
        let program = self.derived().trace().map(|trace| trace.program());
        program
            .and_then(|program| program.params.get(usize::from(argument)))
            .map_or_else(|| argument.to_string(), |param| param.name.clone())
    }

    /// Of when the values are, and how the run ended.
    fn outputs_sentence(&self) -> String {
        let mut words = Vec::new();
        if self.derived().is_running() && !self.derived().shows_wanted() {
            let cycle = thousands(self.derived().simulated_cycles());
            words.push(format!("A new run is at cycle {cycle}; this is the one before."));
        } else if self.is_stale() {
            words.push(
                "The kernel or its launch has an error; this is the last run that there was.".to_owned(),
            );
        }
        let now = self.ui.outputs.look.now;
        words.push(if now {
            format!("As it is after cycle {}.", thousands(self.cycle()))
        } else {
            let cycles = thousands(self.derived().num_cycles());
            match self.derived().trace().and_then(|trace| trace.outcome()) {
                Some(Outcome::Finished) => format!("As the finished run leaves it, after {cycles} cycles."),
                _ => format!("As it is where the run ends, after {cycles} cycles: not finished."),
            }
        });
        words.extend(self.outcome_sentence().filter(|_| !now));
        words.join(" ")
    }

    fn outputs_to_come(&self) -> String {
        let cycle = thousands(self.derived().simulated_cycles());
        format!("The run is at cycle {cycle}. Its outputs are here when it has ended.")
    }

    /// The chosen buffer's values, kept until the run, the buffer or the cycle is another.
    fn contents(&self) -> Result<Rc<Contents>, String> {
        let Some(trace) = self.derived().trace() else {
            return Err(if self.derived().is_running() {
                self.outputs_to_come()
            } else {
                "There is no run yet. Mend the kernel or the launch, and its outputs appear here.".to_owned()
            });
        };
        let look = self.ui.outputs.look;
        let argument = self
            .shown_argument(trace.launch())
            .ok_or("The kernel has no buffer among its arguments, so there is nothing to see.")?;
        let cycle = look.now.then_some(self.cycle());
        let key = (self.derived().run_key(), argument, cycle);
        if let Some(contents) = self.contents_kept(key) {
            return Ok(contents);
        }
        let idx = usize::from(argument);
        let bytes = match cycle {
            Some(cycle) => trace
                .with_machine(Cycle(cycle), engine::sim::Machine::outputs)
                .argument(idx),
            None => match trace.outputs() {
                Some(outputs) => outputs.argument(idx),
                None => return Err(self.outputs_to_come()),
            },
        };
        let Some((elem, len, fill, _)) = trace.launch().args.get(idx).and_then(Argument::elements) else {
            return Err("This argument is not a buffer.".to_owned());
        };
        let name = self.parameter_name(argument);
        let (now, first) = (bytes.unwrap_or_default(), fill.bytes(elem, len));
        let contents = Rc::new(Contents::new(key, elem, &now, &first, &name));
        *self.ui.outputs.contents.borrow_mut() = Some(Rc::clone(&contents));
        Ok(contents)
    }

    fn contents_kept(&self, key: (RunKey, u16, Option<u64>)) -> Option<Rc<Contents>> {
        let kept = self.ui.outputs.contents.borrow();
        kept.as_ref().filter(|contents| contents.key == key).cloned()
    }
}

/// How values of a type are written if nothing else is chosen.
const fn natural(elem: ElemType) -> NumberFormat {
    if is_float(elem) {
        NumberFormat::Float
    } else {
        NumberFormat::Int
    }
}

/// The ways to write values of a type, the natural one first.
fn formats(elem: ElemType) -> impl Iterator<Item = NumberFormat> {
    let other = if is_float(elem) {
        NumberFormat::Int
    } else {
        NumberFormat::Float
    };
    // A byte is no floating-point number.
    let other = (elem.bytes() > 1).then_some(other);
    [natural(elem), NumberFormat::Hex].into_iter().chain(other)
}

/// Bits of a type as text.
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

/// The values in short.
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
        facts.push(("Least", at(least)));
        facts.push(("Greatest", at(most)));
        let num = numbers().count();
        let mean = numbers().map(|(_, value)| value / num as f64).sum::<f64>();
        facts.push(("Mean", significant(mean)));
    }
    let nans = values.iter().filter(|value| value.is_nan()).count();
    if nans > 0 {
        facts.push(("Not a number", thousands(nans as u64)));
    }
    facts
}

/// A number with six digits that count.
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

/// Values over their index. Where there are more than a plot has columns, each column has its least
/// and greatest, so that no peak is lost.
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
    // A flat line lies in the middle; otherwise zero is shown where it is near.
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
