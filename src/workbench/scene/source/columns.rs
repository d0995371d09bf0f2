//! Counters beside a row of code: bars and numbers.

use super::costs::{cycles, largest_wait, mean, sectors, wavefronts};
use crate::scene::kit::{Face, Sheet};
use crate::scene::{Counters, Mark, Role, Shape, TextSize, Texture};
use crate::words::thousands;
use engine::sim::WarpState;
use engine::trace::{PcTally, StateCycles};

/// Marks of a stacked bar, in order.
const STACK: [Mark; 9] = [
    Mark::Issue,
    Mark::Eligible,
    Mark::Wait,
    Mark::Short,
    Mark::Long,
    Mark::Throttle,
    Mark::Barrier,
    Mark::Branch,
    Mark::Other,
];

/// The cycles of each mark, in the order of a stacked bar.
pub(in crate::scene) fn by_mark(states: &StateCycles) -> [(Mark, u64); 9] {
    STACK.map(|mark| {
        let of = WarpState::ALL[1..]
            .iter()
            .filter(|state| Mark::of(**state) == mark);
        (mark, of.map(|state| states[*state as usize]).sum())
    })
}

/// Draws a stacked bar of states with `px` pixels per warp cycle. Marks other than `only` fade.
pub(in crate::scene) fn stacked(
    sheet: &mut Sheet,
    (x, y, h): (f32, f32, f32),
    px: f32,
    states: &StateCycles,
    only: Option<Mark>,
) -> f32 {
    let mut at = x;
    for (mark, cycles) in by_mark(states) {
        let width = cycles as f32 * px;
        let (left, right) = (at.round(), (at + width).round());
        at += width;
        if right - left < 1.0 {
            continue;
        }
        segment(sheet, (left, y, right - left, h), mark, only);
    }
    at
}

/// Draws a segment of a bar in a mark's texture.
pub(in crate::scene) fn segment(
    sheet: &mut Sheet,
    (x, y, w, h): (f32, f32, f32, f32),
    mark: Mark,
    only: Option<Mark>,
) {
    let role = Role::State(mark);
    if only.is_some_and(|only| only != mark) {
        return sheet.fill(x, y, w, h, role, Texture::Fade(0.15));
    }
    // A texture is not visible in a segment of a few pixels.
    let thin = w < 5.0 || h < 5.0;
    match mark {
        Mark::Wait => sheet.rect(x, y + h - 2.0, w, 2.0, role),
        Mark::Eligible if !thin => sheet.frame(x, y, w, h, role, 1.0),
        Mark::Short if !thin => sheet.fill(x, y, w, h, role, Texture::Dashes),
        Mark::Throttle if !thin => sheet.fill(x, y, w, h, role, Texture::Hatch),
        Mark::Barrier if !thin => sheet.fill(x, y, w, h, role, Texture::Fence),
        Mark::Branch if !thin => sheet.fill(x, y, w, h, role, Texture::Teeth),
        Mark::Other if !thin => sheet.fill(x, y, w, h, role, Texture::Dots),
        _ => sheet.rect(x, y, w, h, role),
    }
}

/// A count in at most six characters.
pub(in crate::scene) fn short(value: u64) -> String {
    match value {
        0..=99_999 => thousands(value),
        100_000..=999_999 => format!("{} k", value / 1000),
        1_000_000..=999_999_999 => format!("{:.1} M", value as f64 / 1e6),
        _ => format!("{:.1} G", value as f64 / 1e9),
    }
}

/// The maxima of all rows, so that all bars have one scale.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Longest {
    issued: u64,
    cycles: u64,
    wavefronts: u64,
}

impl Longest {
    pub(super) fn of<'a>(tallies: impl Iterator<Item = &'a PcTally>) -> Self {
        tallies.fold(Self::default(), |longest, tally| Self {
            issued: longest.issued.max(tally.issued),
            cycles: longest.cycles.max(cycles(tally)),
            wavefronts: longest.wavefronts.max(wavefronts(tally).1),
        })
    }
}

/// The counter columns of a pane.
#[derive(Clone, Copy, Debug)]
pub(super) struct Columns {
    pub(super) counters: Counters,
    /// Left edge.
    pub(super) x: f32,
    /// Width of the bar.
    bar: f32,
    /// Width of each column of numbers.
    number: f32,
    /// Whether there is room for state names.
    roomy: bool,
}

const GAP: f32 = 6.0;
const NAME: f32 = 116.0;

impl Columns {
    /// The columns from `x` on.
    pub(super) fn new(counters: Counters, x: f32, roomy: bool) -> Self {
        let bar = match (roomy, counters) {
            (_, Counters::None) => 0.0,
            (true, _) => 96.0,
            (false, Counters::Memory) => 0.0,
            (false, _) => 40.0,
        };
        Self {
            counters,
            x,
            bar,
            number: if roomy { 62.0 } else { 40.0 },
            roomy,
        }
    }

    fn num_numbers(self) -> usize {
        match (self.counters, self.roomy) {
            (Counters::None, _) => 0,
            (Counters::Memory, true) => 3,
            (Counters::Memory, false) | (Counters::Issue | Counters::Lanes, true) => 2,
            _ => 1,
        }
    }

    pub(super) fn width(self) -> f32 {
        if self.counters == Counters::None {
            return 0.0;
        }
        let bar = if self.bar > 0.0 { self.bar } else { -GAP };
        let name = if self.names() { GAP + NAME } else { 0.0 };
        bar + self.num_numbers() as f32 * (self.number + GAP) + name
    }

    fn names(self) -> bool {
        self.roomy && self.counters == Counters::Stalls
    }

    /// Right edge of a column of numbers.
    fn right(self, idx: usize) -> f32 {
        let start = if self.bar > 0.0 {
            self.x + self.bar + GAP
        } else {
            self.x
        };
        start + idx as f32 * (self.number + GAP) + self.number
    }

    /// Writes the heads.
    pub(super) fn heads(self, sheet: &mut Sheet, y: f32) {
        let face = Face::text(TextSize::Micro, Role::Ink3);
        let heads: &[&str] = match (self.counters, self.roomy) {
            (Counters::Issue, true) => &["issued", "of all"],
            (Counters::Issue, false) => &["issued"],
            (Counters::Stalls, _) => &["cycles"],
            (Counters::Memory, true) => &["wavefronts", "conflicts", "sectors/req."],
            (Counters::Memory, false) => &["confl.", "sect/rq"],
            (Counters::Lanes, true) => &["active", "predicated"],
            (Counters::Lanes, false) => &["lanes"],
            (Counters::None, _) => &[],
        };
        for (idx, head) in heads.iter().enumerate() {
            sheet.text(head, self.right(idx), y, face.right());
        }
        if self.names() {
            sheet.text("top stall", self.right(0) + GAP + 18.0, y, face);
        }
        let bar = match self.counters {
            Counters::Issue | Counters::None => "",
            Counters::Stalls => "states",
            Counters::Memory => "wavefronts",
            Counters::Lanes => "of 32",
        };
        if self.roomy || self.counters == Counters::Stalls || self.counters == Counters::Lanes {
            sheet.text(if self.bar > 0.0 { bar } else { "" }, self.x, y, face);
        }
    }

    /// Draws the counters of a row.
    pub(super) fn row(
        self,
        sheet: &mut Sheet,
        (y, h): (f32, f32),
        tally: &PcTally,
        longest: Longest,
        issued: u64,
    ) {
        let middle = y + h / 2.0;
        let bar_h = (h * 0.5).round();
        let at = (self.x, (middle - bar_h / 2.0).round(), bar_h);
        let face = Face::mono(TextSize::Micro, Role::Ink1).right();
        let number = |sheet: &mut Sheet, idx: usize, text: &str, role: Role| {
            sheet.text(text, self.right(idx), middle, face.role(role));
        };
        let length = |part: u64, whole: u64| self.bar * part as f32 / whole.max(1) as f32;
        match self.counters {
            Counters::None => {}
            Counters::Issue => {
                sheet.rect(
                    at.0,
                    at.1,
                    length(tally.issued, longest.issued),
                    at.2,
                    Role::State(Mark::Issue),
                );
                number(sheet, 0, &short(tally.issued), Role::Ink1);
                if self.roomy {
                    number(sheet, 1, &super::wording::share(tally.issued, issued), Role::Ink2);
                }
            }
            Counters::Stalls => {
                let cycles = cycles(tally);
                let px = self.bar / longest.cycles.max(1) as f32;
                stacked(sheet, at, px, &tally.states, None);
                number(sheet, 0, &short(cycles), Role::Ink1);
                if self.names()
                    && let Some(state) = largest_wait(&tally.states)
                {
                    let x = self.right(0) + GAP;
                    sheet.tile(x, middle - 6.0, 12.0, Mark::of(state));
                    let face = Face::text(TextSize::Label, Role::Ink2);
                    let text = face.fit(state.name(), NAME - 18.0);
                    sheet.text(&text, x + 18.0, middle, face);
                }
            }
            Counters::Memory => self.memory(sheet, at, tally, longest, number),
            Counters::Lanes => {
                if tally.issued == 0 {
                    return;
                }
                let all = 32 * tally.issued;
                sheet.rect(at.0, at.1, self.bar, at.2, Role::Paper4);
                let (on, active) = (tally.threads_executed, tally.threads_active);
                sheet.fill(
                    at.0,
                    at.1,
                    length(active, all),
                    at.2,
                    Role::Used,
                    Texture::Fade(0.4),
                );
                sheet.rect(at.0, at.1, length(on, all), at.2, Role::Used);
                number(sheet, 0, &mean(active, tally.issued), Role::Ink1);
                if self.roomy {
                    number(sheet, 1, &mean(on, tally.issued), Role::Ink2);
                }
            }
        }
    }

    fn memory(
        self,
        sheet: &mut Sheet,
        (x, y, h): (f32, f32, f32),
        tally: &PcTally,
        longest: Longest,
        number: impl Fn(&mut Sheet, usize, &str, Role),
    ) {
        let (_, all, extra) = wavefronts(tally);
        let (requests, sectors, _) = sectors(tally);
        let first = usize::from(self.roomy);
        if self.roomy && all > 0 {
            let px = self.bar / longest.wavefronts.max(1) as f32;
            let needed = ((all - extra) as f32 * px).max(1.0);
            sheet.rect(x, y, needed, h, Role::Used);
            let wasted = Shape::Rect {
                x: x + needed,
                y,
                w: extra as f32 * px,
                h,
            };
            if extra > 0 {
                sheet.put(wasted, Role::Wasted, Texture::Hatch, None);
            }
            number(sheet, 0, &short(all), Role::Ink2);
        }
        if all > 0 {
            let role = if extra > 0 { Role::Ink1 } else { Role::Ink3 };
            number(sheet, first, &short(extra), role);
        }
        if requests > 0 {
            number(sheet, first + 1, &mean(sectors, requests), Role::Ink1);
        }
    }
}
