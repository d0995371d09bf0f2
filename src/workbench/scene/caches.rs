//! The Caches view: a cache of the SM at a cycle. It shows sets and ways, the sectors of each line, the hits since
//! each line was filled, and the lookups of this cycle. Below is the L1 hit rate over the run.

mod band;
mod flight;
#[cfg(test)]
mod tests;
mod wording;

use super::ending::ending_headline;
use super::kit::{Face, Sheet};
use super::lanes::Grid;
use super::{MemoryPart, Role, Scene, Size, Target, TextSize, Texture, ViewState};
use crate::words::fit_headline;
use engine::sim::view::{CacheLineView, CacheView};
use engine::sim::{CacheKind, LoadCaching};
use engine::trace::{CacheHistory, Found, Frame, Hits, LineLife};
pub use wording::{caches_tooltip, inspect_caches};

/// Library kernels with different numbers of bytes in flight, each with a label.
pub const STREAM_KERNELS: [(&str, &str); 6] = [
    ("stream", "one float"),
    ("stream-2", "two loads"),
    ("stream-4", "four loads"),
    ("stream-float2", "float2"),
    ("stream-float4", "float4"),
    ("stream-few", "few warps"),
];

/// Maximum number of lines side by side.
const COLUMNS: u32 = 32;
/// Minimum and maximum height of a row of lines.
const ROW: (f32, f32) = (5.0, 32.0);
/// Minimum height of a row of a picture that has to fit.
const MIN_ROW: f32 = 3.0;
/// Gap between two sets with rows of their own.
const SET_GAP: f32 = 6.0;
/// Height of a line of the key.
const KEY: f32 = 20.0;

/// The data of the view.
struct Plan<'f> {
    frame: &'f Frame<'f>,
    kind: CacheKind,
    cache: Option<CacheView>,
    story: CacheHistory,
    hits: Hits,
    selected: Option<(u32, u32)>,
}

impl<'f> Plan<'f> {
    fn of(frame: &'f Frame<'f>, view: &ViewState) -> Self {
        let kind = match view.settings.cache {
            MemoryPart::Constant => CacheKind::Constant,
            MemoryPart::Texture => CacheKind::Texture,
            MemoryPart::L1 | MemoryPart::Device => CacheKind::L1,
        };
        let trace = frame.trace();
        // The history comes first: rebuilding the machine afterward costs less.
        let story = trace.cache_history(kind, frame.cycle());
        let cache = match kind {
            CacheKind::L1 => frame.snapshot().l1.clone(),
            CacheKind::Constant | CacheKind::Texture => {
                trace.with_machine(frame.cycle(), |machine| machine.cache(kind))
            }
        };
        Self {
            frame,
            kind,
            cache,
            story,
            hits: trace.l1_hits(),
            selected: view
                .settings
                .cache_line
                .map(|(set, way)| (set.into(), way.into())),
        }
    }

    /// Whether the cache is accessed in this cycle.
    fn is_used_now(&self) -> bool {
        let last = self.story.lookups.last();
        last.is_some_and(|lookup| lookup.by.cycle == self.frame.cycle())
    }

    fn life(&self, set: u32, way: u32) -> Option<&LineLife> {
        self.story.lines.get(&(set, way))
    }

    fn line(&self, set: u32, way: u32) -> Option<&CacheLineView> {
        let lines = &self.cache.as_ref()?.lines;
        lines.iter().find(|line| (line.set, line.way) == (set, way))
    }

    /// Whether the cache has not been accessed so far.
    fn is_unused(&self) -> bool {
        self.story.lines.is_empty() && self.story.lookups.is_empty() && self.story.lost.is_empty()
    }
}

/// Whether global loads of this run bypass an L1 that `-dlcm=ca` would let them use.
pub fn goes_past_l1(frame: &Frame) -> bool {
    let (arch, caching) = (frame.arch(), frame.trace().options().load_caching);
    !caching.in_l1(arch) && LoadCaching::Ca.in_l1(arch)
}

/// Positions of a cache's lines in the view.
#[derive(Clone, Copy)]
struct Places {
    grid: Grid,
    y: f32,
    cell: f32,
    row: f32,
    ways: u32,
    sets: u32,
    /// Whether sets are columns and ways are rows; else each set has rows of its own.
    by_sets: bool,
}

impl Places {
    fn of(cache: &CacheView, grid: Grid, (y, room): (f32, f32), least: f32) -> Self {
        let (sets, ways) = (cache.sets.max(1), cache.ways.max(1));
        let mut places = Self {
            grid,
            y,
            cell: grid.lane,
            row: ROW.0,
            ways,
            sets,
            by_sets: sets >= ways,
        };
        let gaps = places.num_gaps() as f32 * SET_GAP;
        places.row = ((room - gaps) / places.rows() as f32).floor().clamp(least, ROW.1);
        places
    }

    /// Number of rows of a set, or of sets side by side.
    const fn rows_of_set(&self) -> u32 {
        if self.by_sets {
            self.ways
        } else {
            self.ways.div_ceil(COLUMNS)
        }
    }

    const fn groups(&self) -> u32 {
        if self.by_sets {
            self.sets.div_ceil(COLUMNS)
        } else {
            self.sets
        }
    }

    const fn rows(&self) -> u32 {
        self.rows_of_set() * self.groups()
    }

    const fn num_gaps(&self) -> u32 {
        self.groups() - 1
    }

    fn bottom(&self) -> f32 {
        self.y + self.rows() as f32 * self.row + self.num_gaps() as f32 * SET_GAP
    }

    /// Columns of a group, and its top.
    fn group(&self, idx: u32) -> (u32, f32) {
        let all = if self.by_sets { self.sets } else { self.ways };
        let top = self.y + idx as f32 * (self.rows_of_set() as f32 * self.row + SET_GAP);
        (all.min(COLUMNS), top)
    }

    /// Left and top of a line.
    fn at(&self, set: u32, way: u32) -> (f32, f32) {
        let (group, row, column) = if self.by_sets {
            (set / COLUMNS, way, set % COLUMNS)
        } else {
            (set, way / COLUMNS, way % COLUMNS)
        };
        (
            self.grid.left(column),
            self.group(group).1 + row as f32 * self.row,
        )
    }
}

/// Draws the view.
pub fn caches(frame: &Frame, view: &ViewState, size: Size) -> Scene {
    if view.settings.cache == MemoryPart::Device {
        return flight::draw(frame, size);
    }
    let plan = Plan::of(frame, view);
    let grid = Grid::with_names(size.width);
    let mut sheet = Sheet::default();
    let top = if grid.phone { 22.0 } else { 26.0 };
    let band = if plan.kind == CacheKind::L1 {
        band::HEIGHT
    } else {
        0.0
    };
    let now = wording::current_accesses(&plan);
    let below = band + 2.0 * KEY + 12.0 + now.len() as f32 * 15.0;
    let mut y = if let Some(cache) = &plan.cache {
        let least = if view.is_whole { MIN_ROW } else { ROW.0 };
        let places = Places::of(cache, grid, (top, size.height - top - below - 16.0), least);
        draw_lines(&mut sheet, &plan, cache, &places);
        places.bottom() + 8.0
    } else {
        let height = (size.height - top - below - 60.0).clamp(60.0, 200.0);
        sheet.fill(
            grid.x,
            top,
            grid.right() - grid.x,
            height,
            Role::Line2,
            Texture::Dotted,
        );
        top + height + 8.0
    };
    if plan.cache.is_some() {
        y = draw_key(&mut sheet, grid, y, size.width);
    }
    let face = Face::text(TextSize::Label, Role::Ink2);
    for line in &now {
        let room = size.width - grid.x - grid.margin;
        sheet.text(&face.fit(line, room), grid.x, y + 8.0, face);
        y += 15.0;
    }
    if !now.is_empty() {
        sheet.text(
            "Now",
            grid.margin,
            y - 15.0 * now.len() as f32 + 8.0,
            face.role(Role::Ink3),
        );
    }
    if plan.kind == CacheKind::L1 && plan.cache.is_some() {
        y = band::draw(&mut sheet, &plan, grid, y + 4.0);
    }
    let size = Size {
        width: size.width,
        height: (y + 8.0).max(size.height),
    };
    let text = ending_headline(frame).unwrap_or_else(|| fit_headline(wording::headline(&plan)));
    let scene = sheet.finish(size, text, wording::table(&plan));
    Scene {
        also: wording::more_tables(&plan),
        ..scene
    }
}

/// Filled share of a line's height, and opacity, by the number of hits.
const fn level(hits: u32) -> (f32, f32) {
    match hits {
        0 => (0.3, 0.35),
        1 => (0.5, 0.55),
        2 | 3 => (0.75, 0.75),
        _ => (1.0, 1.0),
    }
}

fn draw_lines(sheet: &mut Sheet, plan: &Plan, cache: &CacheView, places: &Places) {
    let grid = places.grid;
    let small = Face::text(TextSize::Label, Role::Ink3);
    let micro = Face::mono(TextSize::Micro, Role::Ink3).center();
    let (columns, _) = places.group(0);
    let across = if places.by_sets { "Set" } else { "Way" };
    sheet.text(across, grid.margin, places.y - 10.0, small);
    for column in (0..columns).filter(|column| column % 8 == 0 || *column + 1 == columns) {
        sheet.text(&column.to_string(), grid.middle(column), places.y - 10.0, micro);
    }
    let (gap, rows) = (1.0, places.rows_of_set());
    for group in 0..places.groups() {
        let (columns, top) = places.group(group);
        let name = match (places.by_sets, places.groups()) {
            (true, 1) => "Ways".to_owned(),
            (true, _) => format!("+{}", group * COLUMNS),
            (false, _) => format!("Set {group}"),
        };
        let height = rows as f32 * places.row - gap;
        sheet.text(&name, grid.margin, top + places.row.max(12.0) / 2.0, small);
        sheet.rect(
            grid.x,
            top,
            columns as f32 * places.cell - gap,
            height,
            Role::Paper2,
        );
        for column in 1..columns {
            sheet.rect(grid.left(column) - gap, top, gap, height, Role::Paper1);
        }
        for row in 1..rows {
            let y = top + row as f32 * places.row - gap;
            sheet.rect(grid.x, y, columns as f32 * places.cell, gap, Role::Paper1);
        }
    }
    for line in &cache.lines {
        draw_line(sheet, plan, cache, line, places);
    }
    if plan.is_used_now() {
        draw_now(sheet, plan, places);
    }
    if let Some((set, way)) = plan
        .selected
        .filter(|(set, way)| *set < cache.sets && *way < cache.ways)
    {
        let (x, y) = places.at(set, way);
        sheet.selection(x - 1.0, y - 1.0, places.cell + 1.0, places.row + 1.0);
    }
}

/// Draws a line: its valid sectors from left to right, filled higher the more hits it has.
fn draw_line(sheet: &mut Sheet, plan: &Plan, cache: &CacheView, line: &CacheLineView, places: &Places) {
    let (x, y) = places.at(line.set, line.way);
    let (w, h) = (places.cell - 1.0, places.row - 1.0);
    let num = (cache.line_bytes / cache.sector_bytes.max(1)).clamp(1, 8);
    let hits = plan.life(line.set, line.way).map_or(0, |life| life.hits);
    let (share, fade) = level(hits);
    let filled = (h * share).max(1.5);
    let one = w / num as f32;
    let mut sector = 0;
    while sector < num {
        let is = |idx: u32, set: u8| set >> idx & 1 == 1;
        let state = |idx: u32| (is(idx, line.valid_sectors), is(idx, line.pending_sectors));
        let first = sector;
        while sector < num && state(sector) == state(first) {
            sector += 1;
        }
        let (left, width) = (x + first as f32 * one, (sector - first) as f32 * one);
        match state(first) {
            (_, true) => sheet.fill(left, y, width, h, Role::Miss, Texture::Hatch),
            (true, false) => {
                let texture = if fade < 1.0 {
                    Texture::Fade(fade)
                } else {
                    Texture::Solid
                };
                sheet.fill(left, y + h - filled, width, filled, Role::Hit, texture);
            }
            (false, false) => {}
        }
    }
    if line.dirty_sectors != 0 {
        sheet.rect(x, y, w, 2.0, Role::Ink1);
    }
    let target = Target::CacheLine {
        set: line.set as u16,
        way: line.way as u16,
    };
    sheet.area(x, y, w, h, target);
}

/// Marks the results of this cycle's lookups.
fn draw_now(sheet: &mut Sheet, plan: &Plan, places: &Places) {
    for lookup in &plan.story.lookups {
        let Some(way) = lookup.way else { continue };
        let (x, y) = places.at(lookup.set, way);
        draw_found(
            sheet,
            lookup.found,
            lookup.evicted.is_some(),
            (x, y, places.cell - 1.0, places.row - 1.0),
        );
    }
}

/// Draws the mark of a lookup: a frame, crossed on a miss, with a corner on an eviction.
fn draw_found(sheet: &mut Sheet, found: Found, evicts: bool, (x, y, w, h): (f32, f32, f32, f32)) {
    let role = Role::Now;
    match found {
        Found::Hit => sheet.frame(x, y, w, h, role, 1.5),
        Found::Miss | Found::SectorMiss => {
            sheet.frame(x, y, w, h, role, 1.5);
            sheet.line((x, y + h), (x + w, y), 1.5, role);
        }
        Found::Written | Found::Allocated => sheet.rect(x, y + h - 2.0, w, 2.0, role),
        Found::Invalidated => sheet.fill(x, y, w, h, role, Texture::Dotted),
    }
    if evicts {
        let side = (h * 0.6).min(w * 0.6).min(7.0);
        sheet.polygon(&[(x, y), (x + side, y), (x, y + side)], role);
    }
}

/// Draws the key, and returns the y below.
fn draw_key(sheet: &mut Sheet, grid: Grid, mut y: f32, width: f32) -> f32 {
    let face = Face::text(TextSize::Label, Role::Ink2);
    let (w, h) = (14.0, 12.0);
    let left = if grid.phone { grid.margin } else { grid.x };
    let mut x = left;
    let entries: [(&str, u8); 8] = [
        ("no hit yet", 0),
        ("1 hit", 1),
        ("4 hits or more", 4),
        ("pending", 10),
        ("hit now", 11),
        ("miss now", 12),
        ("evicts", 13),
        ("dirty", 14),
    ];
    for (text, what) in entries {
        let room = w + 5.0 + face.width(text);
        if x + room > width - grid.margin {
            (x, y) = (left, y + KEY);
        }
        let top = y + 3.0;
        sheet.rect(x, top, w, h, Role::Paper2);
        match what {
            10 => sheet.fill(x, top, w, h, Role::Miss, Texture::Hatch),
            11 => draw_found(sheet, Found::Hit, false, (x, top, w, h)),
            12 => draw_found(sheet, Found::Miss, false, (x, top, w, h)),
            13 => draw_found(sheet, Found::Miss, true, (x, top, w, h)),
            14 => sheet.rect(x, top, w, 2.0, Role::Ink1),
            hits => {
                let (share, fade) = level(hits.into());
                let texture = if fade < 1.0 {
                    Texture::Fade(fade)
                } else {
                    Texture::Solid
                };
                sheet.fill(x, top + h * (1.0 - share), w, h * share, Role::Hit, texture);
            }
        }
        sheet.text(text, x + w + 5.0, y + 9.0, face);
        x += room + 12.0;
    }
    y + KEY
}
