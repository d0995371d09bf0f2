//! The memory part of the floor plan: the request in service, the lanes, L1 and shared memory to scale, and the
//! loads in flight.

use super::super::banks::pass_in_service;
use super::super::kit::{Face, Sheet, round_step};
use super::super::lanes::{framed_number, number_fits};
use super::super::{Mark, Role, Shape, Size, Target, TextSize, Texture};
use super::floor::Floor;
use crate::words::counted;
use engine::ids::{LaneMask, Pc, SlotIdx};
use engine::sim::view::CacheView;
use engine::sim::{MemoryLevel, RequestKind};
use engine::trace::{AccessRow, Frame};

/// Cycles for which a hit or a fill stays highlighted.
const GLOW: u64 = 24;
const LANES: u32 = 32;
/// Height of the banks' numbers below shared memory, and of the capacity beside them.
const BANK_NUMBERS: f32 = 27.0;
/// Usual height of L1 and shared memory.
const USUAL_CACHE: f32 = 108.0;
/// Cycles to search for loads in flight.
const WINDOW: u64 = 16_384;

/// Positions and sizes of the memory part.
#[derive(Clone, Copy, Debug)]
struct Side {
    phone: bool,
    margin: f32,
    x: f32,
    lane: f32,
    trunk: f32,
    lanes_y: f32,
    lane_height: f32,
    cache_y: f32,
    cache_height: f32,
    l1_height: f32,
    l1_kib: u32,
    shared_kib: u32,
    flights_y: f32,
    /// Height of the loads in flight; 0 if they give way.
    flights_height: f32,
    bottom: f32,
}

impl Side {
    fn new(frame: &Frame, floor: &Floor, size: Size, is_whole: bool) -> Self {
        let pick = |phone: f32, low: f32, else_: f32| match (floor.phone, floor.low) {
            (true, _) => phone,
            (_, true) => low,
            _ => (else_ * floor.stretch * 2.0).floor() / 2.0,
        };
        let label = if floor.phone { 0.0 } else { 64.0 };
        let lane = (floor.inner - label - if floor.phone { 0.0 } else { 24.0 }) / LANES as f32;
        let trunk = floor.end() + pick(9.0, 10.0, 12.0);
        let lanes_y = trunk + pick(9.0, 10.0, 12.0);
        let lane_height = pick(9.0, 13.0, 15.0);
        let cache_y = lanes_y + lane_height + pick(16.0, 20.0, 30.0);
        let levels =
            1 + u32::from(frame.arch().memory.l1.is_some()) + u32::from(frame.arch().memory.l2.is_some());
        let flights_height = pick(18.0, 13.0, 17.0) * levels as f32;
        let room = size.height - cache_y - flights_height - pick(54.0, 50.0, 62.0);
        let least = if is_whole { 36.0 } else { pick(44.0, 48.0, 60.0) };
        let (room, flights_height) = if is_whole && room < least {
            (size.height - cache_y - BANK_NUMBERS, 0.0)
        } else {
            (room, flights_height)
        };
        let cache_height = room.clamp(least, pick(72.0, 108.0, 108.0)).round();
        let flights_y = cache_y + cache_height + pick(24.0, 19.0, 28.0);
        let shared_kib = frame.snapshot().shared_kib.max(1);
        let l1 = frame.arch().memory.l1.as_ref();
        let l1_kib = l1.map_or(0, |l1| u32::from(l1.capacity_kib(shared_kib as u16)));
        let l1_height = (cache_height * l1_kib as f32 / (l1_kib + shared_kib) as f32).round();
        Self {
            phone: floor.phone,
            margin: floor.margin,
            x: floor.margin + label,
            lane,
            trunk,
            lanes_y,
            lane_height,
            cache_y,
            cache_height,
            l1_height,
            l1_kib,
            shared_kib,
            flights_y,
            flights_height,
            bottom: if flights_height > 0.0 {
                flights_y + flights_height + 22.0
            } else {
                cache_y + cache_height + BANK_NUMBERS
            },
        }
    }

    fn left(&self, lane: u32) -> f32 {
        self.x + lane as f32 * self.lane
    }

    fn right(&self) -> f32 {
        self.left(LANES)
    }

    fn shared_y(&self) -> f32 {
        self.cache_y + self.l1_height
    }
}

/// The request in service at the lanes.
struct AtLanes {
    slot: SlotIdx,
    label: String,
    lanes: LaneMask,
    /// Lane and bank.
    links: Vec<(u32, u32)>,
    banks: Vec<u32>,
}

/// Whether the floor plan fits the stage with a cache of the usual height.
pub(super) fn fits(frame: &Frame, floor: &Floor, (size, is_whole): (Size, bool)) -> bool {
    let side = Side::new(frame, floor, size, is_whole);
    side.bottom <= size.height && side.cache_height >= USUAL_CACHE
}

/// Draws everything below the pipes, and returns the height of the whole floor plan.
pub(super) fn draw_memory(
    sheet: &mut Sheet,
    frame: &Frame,
    floor: &Floor,
    (size, is_whole): (Size, bool),
) -> f32 {
    let side = Side::new(frame, floor, size, is_whole);
    let request = at_lanes(frame);
    draw_trunk(sheet, frame, floor, side, request.as_ref());
    draw_lanes(sheet, side, request.as_ref());
    draw_cache(sheet, frame, side);
    draw_shared(sheet, frame, side, request.as_ref());
    draw_cache_labels(sheet, frame, side);
    if let Some(request) = &request {
        draw_links(sheet, frame, side, request);
    }
    if side.flights_height > 0.0 {
        draw_flights(sheet, frame, side);
    }
    side.bottom.max(size.height)
}

fn num_banks(frame: &Frame) -> u32 {
    u32::from(frame.arch().memory.shared.banks.value).clamp(1, LANES)
}

/// The request in service at the lanes: a shared memory wavefront, else a request to global memory.
fn at_lanes(frame: &Frame) -> Option<AtLanes> {
    let name = |pc: Pc, slot: SlotIdx| format!("{} of {}", frame.mnemonic(pc), frame.warp_name(slot));
    if let Some(pass) = pass_in_service(frame) {
        let mut label = name(pass.row.pc, pass.row.slot);
        label += &format!(", {}", counted(pass.banks.len() as u64, "bank"));
        if pass.broadcast {
            label += ", broadcast";
        }
        if pass.row.wavefronts > 1 {
            label += &format!(", wavefront {} of {}", pass.index + 1, pass.row.wavefronts);
        }
        return Some(AtLanes {
            slot: pass.row.slot,
            label,
            lanes: pass.lanes,
            links: pass.links,
            banks: pass.banks,
        });
    }
    let now = frame.cycle();
    let request = frame.snapshot().requests.iter().find(|request| {
        !request.kind.is_shared()
            && request.kind != RequestKind::ConstantLoad
            && request.started <= now
            && request.served > now
    })?;
    Some(AtLanes {
        slot: request.slot,
        label: name(request.pc, request.slot),
        lanes: frame.lanes_of(request.slot),
        links: Vec::new(),
        banks: Vec::new(),
    })
}

/// Draws the wires from the schedulers to the lanes.
fn draw_trunk(sheet: &mut Sheet, frame: &Frame, floor: &Floor, side: Side, request: Option<&AtLanes>) {
    let port = |scheduler: u8| floor.left(scheduler) + floor.width / 2.0;
    let middle = side.left(16) - 0.5;
    let last = floor.schedulers - 1;
    for scheduler in 0..floor.schedulers {
        sheet.line(
            (port(scheduler), floor.end()),
            (port(scheduler), side.trunk),
            1.5,
            Role::Wire,
        );
    }
    let (from, to) = (port(0).min(middle), port(last).max(middle));
    sheet.line((from, side.trunk), (to, side.trunk), 1.5, Role::Wire);
    sheet.line((middle, side.trunk), (middle, side.lanes_y), 1.5, Role::Wire);
    let Some(request) = request else {
        return;
    };
    let scheduler = frame.scheduler(request.slot);
    sheet.polyline(
        &[
            (port(scheduler), floor.end()),
            (port(scheduler), side.trunk),
            (middle, side.trunk),
            (middle, side.lanes_y),
        ],
        2.0,
        Role::WireLit,
    );
    if !side.phone {
        let face = Face::text(TextSize::Label, Role::Ink1).strong();
        let room = side.right() - middle - 24.0;
        let label = face.fit(&request.label, room);
        let width = face.width(&label);
        let left_side = port(scheduler) > middle;
        let x = if left_side {
            middle - width - 13.0
        } else {
            middle + 13.0
        };
        sheet.rect(x - 5.0, side.trunk - 8.0, width + 10.0, 16.0, Role::Paper1);
        sheet.text(&label, x, side.trunk, face);
    }
}

fn draw_lanes(sheet: &mut Sheet, side: Side, request: Option<&AtLanes>) {
    let middle = side.lanes_y + side.lane_height / 2.0;
    if !side.phone {
        sheet.text(
            "Lane",
            side.margin,
            middle,
            Face::text(TextSize::Label, Role::Ink3),
        );
    }
    for lane in 0..LANES {
        let lit = request.is_some_and(|request| request.lanes.contains(lane));
        let (role, width) = if lit {
            (Role::State(Mark::Issue), 1.5)
        } else {
            (Role::Line2, 1.0)
        };
        sheet.put(
            Shape::Rect {
                x: side.left(lane),
                y: side.lanes_y,
                w: side.lane - 1.0,
                h: side.lane_height,
            },
            role,
            Texture::Outline(width),
            Some(Target::Lane(lane as u8)),
        );
        if !side.phone && number_fits(lane, side.lane) {
            let role = if lit { Role::Ink1 } else { Role::Ink3 };
            let at = (side.left(lane) + side.lane / 2.0 - 0.5, middle);
            framed_number(sheet, lane, at, side.lane, role);
        }
    }
}

fn draw_links(sheet: &mut Sheet, frame: &Frame, side: Side, request: &AtLanes) {
    let column = LANES as f32 / num_banks(frame) as f32;
    let (from, to) = (side.lanes_y + side.lane_height, side.cache_y);
    for (lane, bank) in &request.links {
        let xa = side.left(*lane) + side.lane / 2.0 - 0.5;
        let xb = side.x + (*bank as f32 + 0.5) * column * side.lane - 0.5;
        let bend = (to - from) * 0.55;
        let shape = Shape::Curve {
            from: (xa, from),
            c1: (xa, from + bend),
            c2: (xb, to - bend),
            to: (xb, to - 1.0),
            width: 1.0,
        };
        sheet.put(shape, Role::State(Mark::Issue), Texture::Fade(0.8), None);
    }
}

/// Draws L1: one cell per line, or per group of lines if there are many.
fn draw_cache(sheet: &mut Sheet, frame: &Frame, side: Side) {
    let Some(cache) = &frame.snapshot().l1 else {
        return;
    };
    if side.l1_height < 2.0 {
        return;
    }
    let lines = cache.sets * cache.ways;
    let rows = lines.div_ceil(LANES).max(1);
    let merged = (rows as f32 * 3.0 / side.l1_height).ceil().max(1.0) as u32;
    let rows = rows.div_ceil(merged);
    let height = side.l1_height / rows as f32;
    let glow = cell_states(frame, cache, merged);
    for row in 0..rows {
        for column in 0..LANES {
            let cell = row * LANES + column;
            let role = match glow.get(cell as usize).copied().unwrap_or_default() {
                Line::Empty => Role::Paper2,
                Line::Old => Role::Paper4,
                Line::Hit => Role::Hit,
                Line::Fill => Role::Miss,
            };
            sheet.put(
                Shape::Rect {
                    x: side.left(column),
                    y: side.cache_y + row as f32 * height,
                    w: side.lane - 1.0,
                    h: (height - 1.0).max(1.0),
                },
                role,
                Texture::Solid,
                Some(Target::L1Line(cell * merged)),
            );
        }
    }
}

/// The state of an L1 cell; for a group of lines, the largest state of the group.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
enum Line {
    #[default]
    Empty,
    Old,
    Hit,
    Fill,
}

fn cell_states(frame: &Frame, cache: &CacheView, merged: u32) -> Vec<Line> {
    let now = frame.cycle().0;
    let mut cells = vec![Line::Empty; (cache.sets * cache.ways).div_ceil(merged) as usize];
    for line in &cache.lines {
        let idx = (line.way * cache.sets + line.set) / merged;
        let shown = if line.pending_sectors != 0 {
            Line::Fill
        } else if line.last_use.0 + GLOW > now && line.last_use.0 <= now {
            Line::Hit
        } else if line.valid_sectors != 0 {
            Line::Old
        } else {
            Line::Empty
        };
        if let Some(cell) = cells.get_mut(idx as usize) {
            *cell = shown.max(*cell);
        }
    }
    cells
}

/// Draws shared memory: one strip per resident block, with the banks in use in green.
fn draw_shared(sheet: &mut Sheet, frame: &Frame, side: Side, request: Option<&AtLanes>) {
    let banks = num_banks(frame);
    let column = side.lane * LANES as f32 / banks as f32;
    let (top, bottom) = (side.shared_y(), side.cache_y + side.cache_height);
    let width = side.lane * LANES as f32;
    sheet.area(side.x, top, width, bottom - top, Target::SharedBlock(u32::MAX));
    let mut foot = bottom;
    let mut lit_strip = None;
    for block in &frame.snapshot().blocks {
        let share = block.shared_bytes as f32 / (side.shared_kib * 1024) as f32;
        let height = (share * (bottom - top)).max(if block.shared_bytes > 0 { 2.0 } else { 0.0 });
        if height <= 0.0 || foot - height < top - 1.0 {
            continue;
        }
        foot -= height;
        let target = Some(Target::SharedBlock(block.block.0));
        let shape = Shape::Rect {
            x: side.x,
            y: foot,
            w: width - 1.0,
            h: (height - 1.0).max(1.0),
        };
        sheet.put(shape, Role::Paper3, Texture::Solid, target);
        if request.is_some_and(|request| block.slots.contains(&request.slot)) {
            lit_strip = Some((block.block, foot, height));
        }
    }
    for bank in 1..banks {
        let role = if bank.is_multiple_of(8) {
            Role::Line2
        } else {
            Role::Line1
        };
        let x = side.x + bank as f32 * column - 0.5;
        sheet.line((x, top), (x, bottom), 1.0, role);
    }
    sheet.frame(
        side.x - 1.0,
        side.cache_y - 0.5,
        width + 1.0,
        side.cache_height + 1.0,
        Role::Line2,
        1.0,
    );
    if let (Some(request), Some((block, y, height))) = (request, lit_strip) {
        let lit = Role::State(Mark::Issue);
        for bank in &request.banks {
            let x = side.x + *bank as f32 * column;
            sheet.fill(
                x,
                top + 1.0,
                column - 1.0,
                y - top - 1.0,
                lit,
                Texture::Fade(0.13),
            );
            sheet.rect(x, y, column - 1.0, (height - 1.0).max(1.0), lit);
        }
        if !side.phone && !request.banks.is_empty() {
            let face = Face::text(TextSize::Micro, Role::Ink2);
            let text = format!("block {}", block.0);
            let text = if side.right() + 7.0 + face.width(&text) <= side.right() + 24.0 + side.margin {
                text
            } else {
                block.0.to_string()
            };
            sheet.text(&text, side.right() + 7.0, y + height / 2.0, face);
        }
    }
    if side.l1_height > 0.0 {
        // The edge between L1 and shared memory.
        let end = side.right() + if side.phone { 0.0 } else { 4.0 };
        sheet.line((side.x - 1.0, top), (end, top), 1.5, Role::Ink1);
        if !side.phone {
            sheet.rect(side.right() + 2.0, top - 6.0, 4.0, 12.0, Role::Ink1);
        }
    }
}

fn draw_cache_labels(sheet: &mut Sheet, frame: &Frame, side: Side) {
    let banks = num_banks(frame);
    let face = Face::mono(TextSize::Micro, Role::Ink3);
    let y = side.cache_y + side.cache_height + 9.0;
    let column = side.lane * LANES as f32 / banks as f32;
    sheet.text("bank 0", side.x, y, face);
    for bank in (8..banks).step_by(8) {
        let x = side.x + (bank as f32 + 0.5) * column - 0.5;
        sheet.text(&bank.to_string(), x, y, face.center());
    }
    sheet.text(&(banks - 1).to_string(), side.right() - 1.0, y, face.right());
    if side.phone {
        return;
    }
    let name = Face::text(TextSize::Label, Role::Ink3);
    let value = Face::mono(TextSize::Micro, Role::Ink2);
    let two_lines = |sheet: &mut Sheet, text: &str, kib: u32, y: f32, room: f32| {
        if room >= 27.0 {
            sheet.text(text, side.margin, y + 7.0, name);
            sheet.text(&format!("{kib} KB"), side.margin, y + 20.0, value);
        } else if room >= 11.0 {
            sheet.text(&format!("{text} {kib}"), side.margin, y + 7.0, name);
        }
    };
    if side.l1_kib > 0 {
        two_lines(sheet, "L1", side.l1_kib, side.cache_y, side.l1_height);
    }
    let room = side.cache_height - side.l1_height;
    two_lines(
        sheet,
        "Shared",
        side.shared_kib,
        side.shared_y() + 1.0,
        room.max(27.0),
    );
}

/// Draws the loads in flight. The distance from the left edge is the time until the load completes.
fn draw_flights(sheet: &mut Sheet, frame: &Frame, side: Side) {
    let memory = &frame.arch().memory;
    let mut levels = Vec::new();
    if let Some(l1) = &memory.l1 {
        levels.push(("L1 hit", MemoryLevel::L1, u64::from(l1.hit_latency_cycles.value)));
    }
    if let Some(l2) = &memory.l2 {
        levels.push(("L2 hit", MemoryLevel::L2, u64::from(l2.hit_latency_cycles.value)));
    }
    let far = u64::from(memory.device.latency_cycles.value);
    levels.push(("DRAM", MemoryLevel::Dram, far));
    let now = frame.cycle();
    let loads: Vec<(u32, AccessRow)> = frame
        .record()
        .accesses_in_flight(now, WINDOW)
        .filter(|(_, row)| is_load(row.kind))
        .collect();
    let span = (far + far / 10).div_ceil(100) * 100;
    let width = side.lane * LANES as f32;
    let x = |cycles: u64| side.x + cycles.min(span) as f32 / span as f32 * width;
    let row_height = side.flights_height / levels.len() as f32;
    let name = Face::text(TextSize::Label, Role::Ink3);
    for (idx, (text, level, latency)) in levels.iter().enumerate() {
        let y = side.flights_y + (idx as f32 + 0.5) * row_height;
        let end = x(*latency);
        sheet.line((side.x, y), (end, y), 1.0, Role::Line2);
        sheet.line((end - 0.5, y - 4.0), (end - 0.5, y + 4.0), 1.0, Role::Line2);
        let mine: Vec<&(u32, AccessRow)> = loads.iter().filter(|(_, row)| row.level == *level).collect();
        if side.phone {
            draw_level_name(
                sheet,
                side,
                (text, y),
                end,
                mine.iter().map(|(_, row)| x(row.done.0 - now.0)),
            );
        } else {
            sheet.text(text, side.margin, y, name);
            let count = Face::mono(TextSize::Micro, Role::Ink2).right();
            sheet.text(&mine.len().to_string(), side.x - 9.0, y, count);
        }
        let role = if *level == MemoryLevel::L1 {
            Role::Hit
        } else {
            Role::Miss
        };
        for (access, row) in mine {
            let at = x(row.done.0 - now.0);
            sheet.polygon(
                &[(at - 5.5, y), (at + 6.0, y - 7.0), (at + 6.0, y + 7.0)],
                Role::Paper1,
            );
            sheet.put(
                Shape::Polygon {
                    points: vec![(at - 4.0, y), (at + 4.5, y - 5.5), (at + 4.5, y + 5.5)],
                },
                role,
                Texture::Solid,
                Some(Target::Access(*access)),
            );
        }
    }
    let axis = Face::mono(TextSize::Micro, Role::Ink3);
    let y = side.flights_y + side.flights_height + 8.0;
    sheet.text("now", side.x, y, axis);
    let step = round_step(span as f64 / f64::from(width) * 60.0).max(100);
    for cycles in (step..span).step_by(step as usize) {
        if x(cycles) + 30.0 < side.right() - 30.0 {
            sheet.text(&cycles.to_string(), x(cycles), y, axis.center());
        }
    }
    let unit = if side.phone {
        "cycles".to_owned()
    } else {
        span.to_string()
    };
    sheet.text(&unit, side.right(), y, axis.right());
    if !side.phone {
        let text = super::wording::loads_in_flight(loads.len());
        let start = side.right() - name.width(&text);
        let crowded = loads.iter().any(|(_, row)| {
            Some(row.level) == levels.first().map(|level| level.1) && x(row.done.0 - now.0) + 10.0 > start
        });
        if !crowded && levels.len() > 1 && x(levels[0].2) + 10.0 < start {
            sheet.text(
                &text,
                side.right(),
                side.flights_y + 0.5 * row_height,
                name.right(),
            );
        }
    }
}

/// Draws the name of a level on a phone: beside the end of its line and of its last load, or above the line if
/// these take the whole width.
fn draw_level_name(
    sheet: &mut Sheet,
    side: Side,
    (text, y): (&str, f32),
    end: f32,
    loads: impl Iterator<Item = f32>,
) {
    let face = Face::text(TextSize::Label, Role::Ink3);
    let last = loads.fold(end, |last, at| last.max(at + 6.0));
    if last + 6.0 + face.width(text) <= side.right() {
        sheet.text(text, last + 6.0, y, face);
    } else {
        sheet.text(text, side.right(), y - 11.0, face.right());
    }
}

const fn is_load(kind: RequestKind) -> bool {
    matches!(
        kind,
        RequestKind::GlobalLoad | RequestKind::LocalLoad | RequestKind::GlobalAtomic | RequestKind::CopyLoad
    )
}
