//! The playground: a typed access instead of a run's. It shows the access on the chosen architecture, its cost
//! on every architecture, and its cost with other layouts of the array.

mod inspect;
mod remedies;
mod rows;
mod wording;

use super::banks::draw_typed;
use super::coalescing::Typed;
use super::kit::{Face, Sheet};
use super::{Role, Scene, Size, TextSize, Texture, ViewState};
use crate::playground::{Analysis, Playground, Space, analyze_all};
use crate::words::fit_headline;
use engine::arch::{Architecture, BankSize, Banks};
use engine::sim::MemoryOptions;

pub use inspect::inspect_playground;
pub use wording::playground_tooltip;

/// Positions of the parts of the scene.
#[derive(Clone, Copy, Debug)]
struct Frame {
    phone: bool,
    left: f32,
    right: f32,
}

impl Frame {
    fn new(width: f32) -> Self {
        let phone = width < 520.0;
        let margin = if phone { 12.0 } else { 20.0 };
        Self {
            phone,
            left: margin,
            // The right edge of the lane grid.
            right: width - if phone { margin } else { margin + 24.0 },
        }
    }
}

/// An access on every architecture, with the chosen one among them.
struct Study<'a> {
    playground: &'a Playground,
    options: MemoryOptions,
    arch: &'static Architecture,
    chosen: Analysis,
    all: Vec<(&'static Architecture, Analysis)>,
    /// The request on the chosen architecture; `None` for shared memory.
    typed: Option<Typed>,
}

impl Study<'_> {
    /// The banks of the chosen architecture.
    fn banks(&self) -> Banks {
        self.arch.memory.banks(self.options.bank_size)
    }

    /// Whether the access uses shared memory with 8-byte banks on an architecture.
    fn has_wide_banks(&self, arch: &Architecture) -> bool {
        let size = arch.memory.banks(self.options.bank_size).size;
        self.playground.space == Space::Shared && size == BankSize::EightByte
    }

    /// Architectures that support the access.
    fn supported(&self) -> impl Iterator<Item = (&'static Architecture, &Analysis)> {
        self.all
            .iter()
            .filter(|(arch, _)| wording::unsupported_reason(self, arch).is_none())
            .map(|(arch, found)| (*arch, found))
    }
}

/// Draws the view.
pub fn playground(
    playground: &Playground,
    arch: &'static Architecture,
    options: MemoryOptions,
    view: &ViewState,
    size: Size,
) -> Scene {
    let all = match analyze_all(playground, options) {
        Ok(all) => all,
        Err(mistake) => return empty(size, &mistake.sentence()),
    };
    let Some((_, chosen)) = all.iter().find(|(other, _)| other.id == arch.id) else {
        return empty(size, "This architecture is unknown.");
    };
    let study = Study {
        playground,
        options,
        arch,
        typed: (playground.space == Space::Global)
            .then(|| Typed::new(playground, &chosen.lanes, arch, options.load_caching)),
        chosen: chosen.clone(),
        all,
    };
    let mut sheet = Sheet::default();
    let frame = Frame::new(size.width);
    let least = if view.is_whole { 160.0 } else { 200.0 };
    let room = (size.height * 0.45).clamp(least, 320.0);
    let at = (14.0, room);
    let low = if let Some(typed) = &study.typed {
        typed.draw(&mut sheet, view, size.width, at) + 16.0
    } else {
        let access = (playground, &study.chosen.lanes, study.banks());
        draw_typed(&mut sheet, access, view, size.width, at) + 26.0
    };
    let limit = view.is_whole.then_some(size.height);
    let mut low = rows::draw(&mut sheet, &study, frame, (low, limit));
    if !view.is_whole {
        low = remedies::draw(&mut sheet, &study, frame, low);
    }
    Scene {
        also: vec![("Lanes".to_owned(), wording::lane_table(&study))],
        ..sheet.finish(
            Size {
                width: size.width,
                height: low.max(size.height),
            },
            fit_headline(wording::headline(&study)),
            wording::architecture_table(&study),
        )
    }
}

/// An empty frame with the reason.
fn empty(size: Size, why: &str) -> Scene {
    let mut sheet = Sheet::default();
    let frame = Frame::new(size.width);
    let (width, height) = (frame.right - frame.left, (size.height - 80.0).clamp(80.0, 240.0));
    sheet.fill(frame.left, 20.0, width, height, Role::Line2, Texture::Dotted);
    let face = Face::text(TextSize::Body, Role::Ink2).center();
    let text = face.fit(why, width - 24.0);
    sheet.text(&text, frame.left + width / 2.0, 20.0 + height / 2.0, face);
    sheet.finish(size, fit_headline(why.to_owned()), super::Table::default())
}
