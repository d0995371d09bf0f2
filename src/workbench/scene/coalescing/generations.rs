//! The same request on one GPU of each generation: one row each, on a common byte axis.

use super::plan::{LINE_BYTES, Plan, Request, SECTOR_BYTES};
use crate::scene::kit::{Face, Sheet};
use crate::scene::lanes::Grid;
use crate::scene::{Role, Shape, Target, TextSize, Texture};
use crate::words::thousands;
use engine::access::{AccessOp, CacheLevel, GlobalAccess, Transaction};
use engine::arch::{ArchId, Architecture, CoalescingRule, architecture};
use engine::sim::RequestKind;
use engine::trace::Frame;

/// A row: generations that serve the request the same way.
#[derive(Clone, Debug)]
pub(in crate::scene) struct Row {
    /// One GPU per generation, oldest first; at least one.
    pub(in crate::scene) machines: Vec<&'static Architecture>,
    /// `Fermi, Kepler: L2 only`.
    pub(in crate::scene) name: String,
    /// Whether the row is the run's own GPU and cache path.
    pub(in crate::scene) current: bool,
    pub(in crate::scene) access: GlobalAccess,
}

impl Row {
    /// The compute capabilities of its GPUs and of those with the same rule: `3.5`, `7.0–9.0`.
    pub(super) fn capabilities(&self) -> String {
        let has = |arch: &&'static Architecture| self.machines.iter().any(|machine| are_alike(machine, arch));
        let all = ArchId::ALL.map(architecture);
        let mut capabilities = all.into_iter().filter(has).map(|arch| arch.compute_capability);
        match (capabilities.next(), capabilities.next_back()) {
            (Some(first), Some(last)) => format!("{first}–{last}"),
            (Some(only), None) => only.to_string(),
            (None, _) => String::new(),
        }
    }
}

/// Offset of the row names from the left, in pixels, after the compute capability.
const NAMES_X: f32 = 28.0;

/// Whether two GPUs have the same generation and the same coalescing rule.
fn are_alike(one: &Architecture, other: &Architecture) -> bool {
    one.generation == other.generation && one.memory.coalescing.value == other.memory.coalescing.value
}

/// One GPU per generation and coalescing rule, oldest first. The current GPU represents its own generation and
/// rule.
fn machines(current: &'static Architecture) -> Vec<&'static Architecture> {
    let mut list: Vec<&'static Architecture> = Vec::new();
    for arch in ArchId::ALL.map(architecture) {
        let kin = list.iter_mut().find(|other| are_alike(other, arch));
        match kin {
            Some(place) if arch.id == current.id => *place = arch,
            Some(_) => {}
            None => list.push(arch),
        }
    }
    list
}

/// The GPUs grouped by the value of `of`; adjacent GPUs with equal values form a group.
pub(super) fn alike<T: PartialEq>(
    current: &'static Architecture,
    of: impl Fn(&'static Architecture) -> T,
) -> Vec<(Vec<&'static Architecture>, T)> {
    let mut groups: Vec<(Vec<&'static Architecture>, T)> = Vec::new();
    for arch in machines(current) {
        let value = of(arch);
        match groups.last_mut() {
            Some((machines, last)) if *last == value => machines.push(arch),
            _ => groups.push((vec![arch], value)),
        }
    }
    groups
}

/// The name of a group of generations: `Volta to Hopper`. A single chip of Tesla goes by its own name.
pub(super) fn name(machines: &[&'static Architecture]) -> String {
    let mut names: Vec<&str> = machines.iter().map(|arch| arch.generation.text()).collect();
    names.dedup();
    match (machines, names.as_slice()) {
        ([arch], ["Tesla"]) => arch.name.to_owned(),
        (_, [one]) => (*one).to_owned(),
        (_, [one, other]) => format!("{one}, {other}"),
        (_, [first, .., last]) => format!("{first} to {last}"),
        (_, []) => String::new(),
    }
}

/// The rows of a request.
pub(in crate::scene) fn rows(current: &'static Architecture, request: &Request) -> Vec<Row> {
    let behavior = |arch: &'static Architecture| {
        let rule = arch.memory.coalescing.value;
        let levels = if rule == CoalescingRule::WarpLines && own_choice(arch, request) {
            vec![Some(CacheLevel::L1), Some(CacheLevel::L2)]
        } else {
            vec![None]
        };
        let access = |level: &Option<_>| request.past(arch, level.unwrap_or(request.route(arch).1));
        let accesses: Vec<GlobalAccess> = levels.iter().map(access).collect();
        (rule, levels, accesses)
    };
    let mut rows = Vec::new();
    for (machines, (_, levels, accesses)) in alike(current, behavior) {
        let is_current = machines.iter().any(|arch| arch.id == current.id);
        for (level, access) in levels.into_iter().zip(accesses) {
            let suffix = match level {
                None => "",
                Some(CacheLevel::L1) => ": L1",
                Some(_) => ": L2 only",
            };
            rows.push(Row {
                name: name(&machines) + suffix,
                current: is_current && level.is_none_or(|level| level == request.route(current).1),
                access,
                machines: machines.clone(),
            });
        }
    }
    rows
}

/// Whether `-dlcm` decides if such a load goes through L1 or bypasses it.
fn own_choice(arch: &Architecture, request: &Request) -> bool {
    let (op, level) = request.route(arch);
    op == AccessOp::Load
        && level != CacheLevel::Texture
        && request.kind != RequestKind::LocalLoad
        && arch
            .memory
            .l1
            .as_ref()
            .is_some_and(|l1| l1.globals_can_opt_out.value)
}

/// Height of the block of rows.
pub(super) fn height(num: usize, row: f32, phone: bool) -> f32 {
    let head = if phone { 30.0 } else { 26.0 };
    head + num as f32 * row + 20.0
}

/// Draws the rows from `y` on, and returns the y below them.
pub(super) fn draw(
    sheet: &mut Sheet,
    frame: &Frame,
    grid: Grid,
    plan: &Plan,
    y: f32,
    row_height: f32,
) -> f32 {
    let rows = rows(frame.arch(), &plan.request);
    let right = grid.right();
    let head = Face::text(TextSize::Body, Role::Ink1).strong();
    let small = Face::text(TextSize::Label, Role::Ink3);
    let title = if grid.phone {
        "On every generation"
    } else {
        "The same request on every generation"
    };
    sheet.text(title, grid.margin, y + 8.0, head);
    let cc = Face::mono(TextSize::Label, Role::Ink3);
    let widest = rows
        .iter()
        .map(|row| cc.width(&row.capabilities()))
        .fold(0.0, f32::max);
    let names_x = (widest.ceil() + 8.0).max(NAMES_X);
    let (count_x, bar_x) = if grid.phone {
        (right - 52.0, grid.margin + 106.0)
    } else {
        (right - 66.0, grid.margin + 148.0 + names_x)
    };
    let bar_w = count_x - bar_x - if grid.phone { 34.0 } else { 62.0 };
    let count_head = if grid.phone { "trans." } else { "transactions" };
    sheet.text(count_head, count_x, y + 8.0, small.right());
    sheet.text("bytes", right, y + 8.0, small.right());
    let axis = Axis::new(plan, bar_x, bar_w);
    let mut at = y + if grid.phone { 30.0 } else { 26.0 };
    for (idx, row) in rows.iter().enumerate() {
        let middle = at + row_height / 2.0;
        if row.current {
            let left = grid.margin - 8.0;
            sheet.rect(left, at, right - left + 8.0, row_height - 1.0, Role::Paper3);
        } else if idx > 0 && !rows[idx - 1].current {
            sheet.line((grid.margin, at - 0.5), (right, at - 0.5), 1.0, Role::Line1);
        }
        let strong = |face: Face| if row.current { face.strong() } else { face };
        let mut name_x = grid.margin;
        if !grid.phone {
            sheet.text(&row.capabilities(), grid.margin, middle, cc);
            name_x += names_x;
        }
        let name = if grid.phone {
            row.name.trim_end_matches(" only")
        } else {
            &row.name
        };
        let face = strong(Face::text(TextSize::Label, Role::Ink1));
        sheet.text(&face.fit(name, bar_x - name_x - 6.0), name_x, middle, face);
        axis.draw(
            sheet,
            plan,
            &row.access,
            (middle, (row_height - 8.0).clamp(8.0, 16.0)),
        );
        let figure = strong(Face::mono(TextSize::Body, Role::Ink1)).right();
        sheet.text(
            &thousands(row.access.counts.transactions.into()),
            count_x,
            middle,
            figure,
        );
        sheet.text(&thousands(row.access.counts.bytes.into()), right, middle, figure);
        sheet.area(
            grid.margin,
            at,
            right - grid.margin,
            row_height,
            Target::Generation(idx as u8),
        );
        at += row_height;
    }
    axis.label(sheet, at + 9.0);
    at + 20.0
}

/// The byte axis: accessed lines side by side.
pub(super) struct Axis {
    x: f32,
    /// Pixels per byte.
    px: f32,
    lines: Vec<u64>,
}

impl Axis {
    /// The axis of a request's lines, from `x` on with the given width.
    pub(super) fn new(plan: &Plan, x: f32, width: f32) -> Self {
        Self {
            x,
            px: width / (plan.lines.len().max(1) as u64 * LINE_BYTES) as f32,
            lines: plan.lines.iter().map(|line| line.base).collect(),
        }
    }

    /// The x of a byte in its line. The end of a line is not the start of the next line.
    fn at(&self, line: u64, byte: u64) -> Option<f32> {
        let place = self.lines.iter().position(|base| *base == line)?;
        Some(self.x + (place as u64 * LINE_BYTES + byte) as f32 * self.px)
    }

    /// Draws transactions as boxes over the used bytes. Overlapping transactions use two tracks; if more than
    /// two overlap, each sector is a pile of bars.
    pub(super) fn draw(
        &self,
        sheet: &mut Sheet,
        plan: &Plan,
        access: &GlobalAccess,
        (middle, height): (f32, f32),
    ) {
        let top = middle - height / 2.0;
        let piles = piles(access);
        let highest = piles.iter().map(|(_, num)| *num).max().unwrap_or(1);
        if highest > 2 {
            for (base, num) in piles {
                let line = base / LINE_BYTES * LINE_BYTES;
                if let Some(x) = self.at(line, base - line) {
                    self.pile(sheet, (x, 32.0 * self.px), (top, height), num);
                }
            }
            return;
        }
        let gap = if highest > 1 { 1.0 } else { 0.0 };
        let track = (height - gap) / highest as f32;
        // Ends of the transactions on the first track.
        let mut first_end = 0;
        let mut sorted: Vec<&Transaction> = access.transactions.iter().collect();
        sorted.sort_by_key(|transaction| transaction.base);
        for transaction in sorted {
            let end = transaction.base + u64::from(transaction.bytes);
            for turn in 0..transaction.repeats {
                let lower = turn > 0 || transaction.base < first_end;
                let y = top + if lower { track + gap } else { 0.0 };
                self.transaction(sheet, plan, transaction, (y, track));
                if !lower {
                    first_end = end;
                }
            }
        }
    }

    /// Draws a box with its used bytes; a box of a few pixels is a plain wash.
    fn transaction(&self, sheet: &mut Sheet, plan: &Plan, of: &Transaction, (y, height): (f32, f32)) {
        let line = of.base / LINE_BYTES * LINE_BYTES;
        let Some(x) = self.at(line, of.base - line) else {
            return;
        };
        let whole = f32::from(of.bytes) * self.px;
        let boxed = whole >= 6.0;
        let w = (whole - if boxed { 2.0 } else { 0.5 }).max(1.0);
        let shape = Shape::Rect { x, y, w, h: height };
        if boxed {
            sheet.put(shape, Role::Ink2, Texture::Outline(1.0), None);
        } else {
            sheet.put(shape, Role::Ink3, Texture::Fade(0.4), None);
        }
        let inset = if boxed { 2.0 } else { 0.0 };
        let (left, right) = (x + inset, x + w - inset);
        let scale = w / f32::from(of.bytes);
        for (from, to) in plan.used_ranges(of.base, of.bytes.into(), of.lanes) {
            let from = (x + from as f32 * scale).clamp(left, right);
            let to = (x + to as f32 * scale).clamp(left, right);
            let wide = (to - from).max(1.0);
            let at = from.min(right - wide).max(left);
            sheet.rect(at, y + 2.0, wide, height - 4.0, Role::Used);
        }
    }

    /// Draws a sector that several transactions move: one bar each, in the color of its order. From seven bars
    /// on, bars of one color merge.
    fn pile(&self, sheet: &mut Sheet, (x, w): (f32, f32), (top, height): (f32, f32), num: u32) {
        let w = (w - 1.0).max(1.0);
        let gap = if height / num as f32 >= 2.5 { 1.0 } else { 0.0 };
        let step = height / num as f32;
        for turn in 0..num {
            let y = top + height - (turn + 1) as f32 * step;
            let h = (step - gap).max(0.5);
            sheet.rect(x, y, w, h, Role::Pass(turn as u16 + 1));
        }
    }

    /// Draws the byte labels under the axis.
    pub(super) fn label(&self, sheet: &mut Sheet, y: f32) {
        let face = Face::mono(TextSize::Micro, Role::Ink3);
        let line_px = LINE_BYTES as f32 * self.px;
        let every = ((64.0 / line_px).ceil().max(1.0) as usize).next_power_of_two();
        let num = self.lines.len();
        sheet.text("0", self.x, y, face);
        for place in (every..=num).step_by(every) {
            let text = format!("{} B", thousands(place as u64 * LINE_BYTES));
            sheet.text(&text, self.x + place as f32 * line_px, y, face.center());
        }
    }
}

/// Sectors, each with its number of transactions.
fn piles(access: &GlobalAccess) -> Vec<(u64, u32)> {
    let mut piles: Vec<(u64, u32)> = Vec::new();
    for transaction in &access.transactions {
        for sector in 0..u64::from(transaction.bytes) / SECTOR_BYTES {
            let base = transaction.base + sector * SECTOR_BYTES;
            let repeats = u32::from(transaction.repeats);
            match piles.iter_mut().find(|(of, _)| *of == base) {
                Some((_, num)) => *num += repeats,
                None => piles.push((base, repeats)),
            }
        }
    }
    piles
}
