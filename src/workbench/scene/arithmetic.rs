//! The Arithmetic view: one operation bit by bit on two chips, and what it costs on every chip.

mod chips;
mod inspect;
mod rows;
mod wording;

use super::kit::{Face, Sheet, table};
use super::{Role, Scene, Size, TextSize, Texture};
use crate::arithmetic::{Anatomy, Evaluation, Number, Operation};
use crate::words::fit_headline;
use engine::arch::{ArchId, Architecture, architecture};

pub use inspect::{arithmetic_tooltip, inspect_arithmetic};

/// An operation, and what every chip computes for it.
#[derive(Clone, Debug, PartialEq)]
pub struct Study {
    /// The operation.
    pub operation: Operation,
    /// The operation as the user typed it, or as the instruction of the run reads.
    pub text: String,
    /// The instruction of the run, if the operation comes from one.
    pub origin: Option<Origin>,
    /// What every chip computes, or why it does not.
    pub all: Vec<(ArchId, Result<Evaluation, String>)>,
}

/// An instruction of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    /// The instruction, as SASS prints it.
    pub text: String,
    /// Its program counter.
    pub pc: u32,
    /// Its source line; 0 if it has none.
    pub line: u32,
    /// Name of the warp.
    pub warp: String,
    /// The lane.
    pub lane: u8,
    /// The cycle of its issue.
    pub cycle: u64,
}

impl Study {
    /// What a chip computes.
    pub fn on(&self, arch: ArchId) -> Option<&Result<Evaluation, String>> {
        self.all
            .iter()
            .find(|(id, _)| *id == arch)
            .map(|(_, found)| found)
    }

    /// The first chip with another result than a chip, or else with another number of instructions, or else with other
    /// instructions.
    pub fn first_different(&self, own: ArchId) -> Option<ArchId> {
        let Some(Ok(mine)) = self.on(own) else { return None };
        let find = |differs: &dyn Fn(&Evaluation) -> bool| {
            let others = self.all.iter().filter(|(id, _)| *id != own);
            others
                .filter_map(|(id, found)| Some((*id, found.as_ref().ok()?)))
                .find(|(_, found)| differs(found))
                .map(|(id, _)| id)
        };
        find(&|other| other.result != mine.result)
            .or_else(|| find(&|other| other.steps.len() != mine.steps.len()))
            .or_else(|| find(&|other| other.sequence() != mine.sequence()))
    }
}

/// What the view shows.
#[derive(Clone, Copy, Debug)]
pub struct ArithmeticData<'a> {
    /// The operation on every chip.
    pub study: &'a Study,
    /// The chip of the run.
    pub own: &'static Architecture,
    /// The second chip.
    pub beside: ArchId,
    /// Whether the picture has to fit its height.
    pub is_whole: bool,
}

/// A chip of the picture.
struct Shown<'a> {
    arch: &'static Architecture,
    found: Result<(&'a Evaluation, Anatomy), &'a str>,
}

impl<'a> Shown<'a> {
    fn new(data: &ArithmeticData<'a>, id: ArchId) -> Self {
        let found = match data.study.on(id) {
            Some(Ok(found)) => Ok((found, Anatomy::of(&data.study.operation, found))),
            Some(Err(why)) => Err(why.as_str()),
            None => Err("This chip is unknown."),
        };
        Self {
            arch: architecture(id),
            found,
        }
    }

    fn result(&self) -> Option<Number> {
        self.found.as_ref().ok().map(|(found, _)| found.result)
    }
}

/// Positions of the columns.
#[derive(Clone, Copy, Debug)]
struct Columns {
    /// Whether labels are above the bits, as on phones.
    phone: bool,
    left: f32,
    /// Left and right edge of the bits.
    bits: (f32, f32),
    right: f32,
}

impl Columns {
    fn new(width: f32) -> Self {
        let phone = width < 620.0;
        let margin = if phone { 12.0 } else { 20.0 };
        let (left, right) = (margin, width - margin);
        let bits = if phone {
            (left, right)
        } else {
            (left + 108.0, right - 184.0)
        };
        Self {
            phone,
            left,
            bits,
            right,
        }
    }

    fn width(self) -> f32 {
        self.bits.1 - self.bits.0
    }
}

/// The view's picture.
pub fn arithmetic(data: &ArithmeticData, size: Size) -> Scene {
    let mut sheet = Sheet::default();
    let columns = Columns::new(size.width);
    let shown = [Shown::new(data, data.own.id), Shown::new(data, data.beside)];
    let y = rows::draw_operands(&mut sheet, data, columns, 6.0);
    let window = rows::Window::new(&shown, columns);
    let mut y = y + 14.0;
    for idx in 0..2 {
        let pair = (&shown[idx], &shown[1 - idx]);
        let mut drawn = Sheet::default();
        let mut end = rows::draw_chip(&mut drawn, data, pair, (&window, false), columns, y) + 16.0;
        // Where there is no room, the second chip has its result only.
        if data.is_whole && idx > 0 && end > size.height {
            drawn = Sheet::default();
            end = rows::draw_chip(&mut drawn, data, pair, (&window, true), columns, y) + 16.0;
        }
        sheet.items.append(&mut drawn.items);
        y = end;
    }
    let y = chips::draw(&mut sheet, data, columns, (y, size.height));
    let scene = sheet.finish(
        Size {
            width: size.width,
            height: size.height.max(y + 8.0),
        },
        fit_headline(wording::headline(data, &shown)),
        wording::chips_table(data),
    );
    Scene {
        note: wording::note(data),
        also: wording::tables(data, &shown),
        ..scene
    }
}

/// An empty frame with the reason.
pub fn no_arithmetic(size: Size, why: &str) -> Scene {
    let mut sheet = Sheet::default();
    let (width, height) = (size.width - 40.0, (size.height - 80.0).clamp(80.0, 240.0));
    sheet.fill(20.0, 20.0, width, height, Role::Line2, Texture::Dotted);
    let face = Face::text(TextSize::Body, Role::Ink2).center();
    let mut y = 20.0 + height / 2.0;
    for line in face.wrap(why, width - 24.0) {
        sheet.text(&line, 20.0 + width / 2.0, y, face);
        y += 17.0;
    }
    let table = table(["Operation", "Reason"], vec![["–".to_owned(), why.to_owned()]]);
    sheet.finish(size, fit_headline(why.to_owned()), table)
}
