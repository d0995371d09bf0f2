//! The timeline: warps by cycles. Green stitches that stand are issues; bands that lie are waits.

use super::ending::ending_headline;
use super::kit::{Face, Sheet, round_step, table};
use super::words::{headline, percent, thousands};
use super::{Mark, Role, Scene, Shape, Size, Target, TextSize, Texture, ViewState};
use crate::ids::{Cycle, SlotIdx};
use crate::sim::{WaitCause, WarpState};
use crate::trace::{Frame, Run};

/// Limits of the zoom, in pixels a cycle.
pub const ZOOM: (f32, f32) = (0.000_01, 24.0);
/// Where in the width the present cycle sits while the timeline follows it.
const NOW_AT: f32 = 0.62;
const AXIS: f32 = 30.0;
const GROUP_HEAD: f32 = 19.0;
/// Height of the axis, on which a range is brushed.
pub const TIMELINE_AXIS: f32 = AXIS;
/// Least height of rows with a name each.
const NAMED_ROW: f32 = 9.0;
/// Width of a column of shares when the timeline is zoomed out.
const SHARE_WIDTH: f32 = 2.0;

/// Where rows and cycles lie.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TimelineScale {
    /// x of the first cycle shown.
    pub x0: f32,
    /// Pixels a cycle.
    pub px: f32,
    /// First cycle shown.
    pub start: u64,
    /// Cycle after the last shown.
    pub end: u64,
}

impl TimelineScale {
    /// The scale of a timeline of this width.
    pub fn new(frame: &Frame, view: &ViewState, width: f32) -> Self {
        let phone = width < 520.0;
        let x0 = if phone { 46.0 } else { 102.0 };
        let margin = if phone { 12.0 } else { 20.0 };
        let cycles = frame.record().num_cycles().max(1);
        let room = (width - x0 - margin).max(8.0);
        let px = view
            .cycle_px
            .unwrap_or(if phone { 6.0 } else { 9.0 })
            .clamp((room / cycles as f32).min(ZOOM.1), ZOOM.1);
        let shown = ((room / px).floor() as u64).clamp(1, cycles);
        let start = view.timeline_start.map_or_else(
            || {
                frame
                    .cycle()
                    .0
                    .saturating_sub((shown as f32 * NOW_AT).round() as u64)
            },
            |start| start.0,
        );
        let start = start.min(cycles - shown);
        Self {
            x0,
            px,
            start,
            end: start + shown,
        }
    }

    /// x of a cycle's start, also outside what is shown.
    pub fn x(&self, cycle: u64) -> f32 {
        self.x0 + ((cycle as f64 - self.start as f64) * f64::from(self.px)) as f32
    }

    /// The cycle at x, within what is shown.
    pub fn cycle(&self, x: f32) -> Cycle {
        let offset = ((x - self.x0) / self.px).max(0.0) as u64;
        Cycle((self.start + offset).min(self.end.saturating_sub(1)))
    }

    fn width(&self) -> f32 {
        (self.end - self.start) as f32 * self.px
    }
}

/// Slots that ever hold a warp in the run, by scheduler.
pub(super) fn used_slots(frame: &Frame) -> Vec<Vec<SlotIdx>> {
    let record = frame.record();
    let schedulers = record.num_schedulers().max(1);
    let mut groups = vec![Vec::new(); schedulers];
    for slot in 0..record.num_slots() as u16 {
        if record.tenancy(SlotIdx(slot), record.last_cycle()).is_some() {
            groups[usize::from(slot) % schedulers].push(SlotIdx(slot));
        }
    }
    groups
}

/// Draws the timeline.
pub fn timeline(frame: &Frame, view: &ViewState, size: Size) -> Scene {
    let phone = size.width < 520.0;
    let margin = if phone { 12.0 } else { 20.0 };
    let scale = TimelineScale::new(frame, view, size.width);
    let groups = used_slots(frame);
    let num: usize = groups.iter().map(Vec::len).sum();
    let key = match (phone, size.width < 760.0) {
        (true, _) => 0.0,
        (_, true) => 46.0,
        _ => 30.0,
    };
    let heads = groups.len() as f32 * GROUP_HEAD;
    let room = size.height - AXIS - key - heads - 2.0;
    let row = ((room / num.max(1) as f32 * 4.0).floor() / 4.0).clamp(4.0, 24.0);
    let bottom = AXIS + heads + num as f32 * row + 2.0;
    let height = (bottom + key).max(size.height.min(bottom + key + 1.0));

    let mut sheet = Sheet::default();
    draw_axis(&mut sheet, frame, view, scale, bottom);
    let mut y = AXIS;
    let mut rows_y = Vec::new();
    for (scheduler, slots) in groups.iter().enumerate() {
        draw_group_head(&mut sheet, frame, scale, scheduler as u8, (margin, y), phone);
        y += GROUP_HEAD;
        let chosen = slots.iter().position(|slot| view.slot == Some(*slot));
        for (idx, slot) in slots.iter().enumerate() {
            if view.slot == Some(*slot) {
                sheet.rect(
                    margin - 8.0,
                    y,
                    scale.x0 + scale.width() - margin + 16.0,
                    row,
                    Role::Paper3,
                );
            }
            let place = (scale.x0 - 10.0, y + row / 2.0);
            draw_label(
                &mut sheet,
                frame,
                view,
                *slot,
                place,
                (row, is_named(idx, chosen, row)),
            );
            rows_y.push((*slot, y));
            draw_row(&mut sheet, frame, view, scale, *slot, (y, row));
            y += row;
        }
    }
    draw_now(&mut sheet, frame, scale, bottom);
    let y_of = |slot: SlotIdx| rows_y.iter().find(|(of, _)| *of == slot).map(|(_, y)| *y);
    if let Some((slot, cycle)) = view.probe {
        if let Some(y) = y_of(slot) {
            draw_reason(&mut sheet, &frame.trace().frame(cycle), scale, slot, (y, row));
        }
    } else if let Some((slot, y)) = view.slot.and_then(|slot| Some((slot, y_of(slot)?))) {
        draw_reason(&mut sheet, frame, scale, slot, (y, row));
    }
    if let Some(range) = view.range {
        draw_range(&mut sheet, frame, scale, range, bottom);
    }
    if !phone {
        draw_key(
            &mut sheet,
            view,
            (margin, bottom + 8.0),
            size.width - 2.0 * margin,
        );
    }
    let rows = rows(frame, scale, &groups);
    sheet.finish(
        Size {
            width: size.width,
            height,
        },
        ending_headline(frame).unwrap_or_else(|| timeline_headline(frame)),
        table(
            [
                "Slot",
                "Warp",
                "State now",
                "For cycles",
                "Instruction",
                "Issues in the window",
            ],
            rows,
        ),
    )
}

/// The sentence above the timeline: the last cycles up to now.
fn timeline_headline(frame: &Frame) -> String {
    let record = frame.record();
    let end = frame.cycle().0 + 1;
    let start = end.saturating_sub(40);
    let states = record.states_between(None, Cycle(start), Cycle(end));
    let issues = record
        .issues_from(Cycle(start))
        .take_while(|row| row.cycle.0 < end)
        .filter(|row| row.dispatch == 0)
        .count() as u64;
    let slots = record.issue_slots(end - start);
    let resident: u64 = states[1..].iter().sum();
    let which = if end > 40 { "Last" } else { "First" };
    let mut text = format!(
        "{which} {}: {} of issue slots used",
        super::words::counted(end - start, "cycle"),
        percent(issues, slots.max(1))
    );
    let top = WarpState::ALL[3..]
        .iter()
        .max_by_key(|state| states[**state as usize]);
    match top {
        Some(state) if states[*state as usize] > 0 => {
            let share = percent(states[*state as usize], resident);
            text += &format!("; {} takes {share} of warp time.", state.name());
        }
        _ => text.push('.'),
    }
    headline(text)
}

fn rows(frame: &Frame, scale: TimelineScale, groups: &[Vec<SlotIdx>]) -> Vec<[String; 6]> {
    let record = frame.record();
    let mut issues = vec![0u64; record.num_slots()];
    if scale.end - scale.start <= 100_000 {
        for row in record
            .issues_from(Cycle(scale.start))
            .take_while(|row| row.cycle.0 < scale.end)
        {
            issues[usize::from(row.slot.0)] += 1;
        }
    } else {
        for (slot, count) in issues.iter_mut().enumerate() {
            let states =
                record.states_between(Some(SlotIdx(slot as u16)), Cycle(scale.start), Cycle(scale.end));
            *count = states[WarpState::Selected as usize];
        }
    }
    groups
        .iter()
        .flatten()
        .filter_map(|slot| {
            let run = frame.run(*slot)?;
            Some([
                slot.0.to_string(),
                frame.warp_name(*slot),
                run.state.name().to_owned(),
                thousands(frame.cycle().0 + 1 - run.start.0),
                frame.opcode(*slot),
                thousands(issues[usize::from(slot.0)]),
            ])
        })
        .collect()
}

/// Left edge and width of the flag with the present cycle, kept within the timeline.
fn now_flag(frame: &Frame, scale: TimelineScale) -> (f32, f32) {
    let face = Face::mono(TextSize::Label, Role::InkInverse).strong();
    let width = face.width(&frame.cycle().0.to_string()) + 10.0;
    let x = scale.x(frame.cycle().0) - 1.0;
    (x.min(scale.x0 + scale.width() - width), width)
}

fn draw_axis(sheet: &mut Sheet, frame: &Frame, view: &ViewState, scale: TimelineScale, bottom: f32) {
    let face = Face::mono(TextSize::Micro, Role::Ink3);
    let (flag_x, flag_width) = now_flag(frame, scale);
    let range = view.range.map(|(from, to)| range_flag(frame, scale, from, to));
    let right = scale.x0 + scale.width();
    let widest = face.width(&scale.end.to_string()) + 14.0;
    let step = axis_step(f64::from(widest / scale.px));
    let mut cycle = scale.start.div_ceil(step) * step;
    while cycle < scale.end {
        let (x, text) = (scale.x(cycle), cycle.to_string());
        let width = face.width(&text);
        let in_range = range.is_some_and(|(from, to)| x + width > from - 4.0 && x < to + 4.0);
        if !in_range
            && x + width <= right + 10.0
            && (x + width < flag_x - 4.0 || x > flag_x + flag_width + 4.0)
        {
            sheet.text(&text, x, AXIS - 16.0, face);
        }
        sheet.line((x - 0.5, AXIS - 8.0), (x - 0.5, bottom), 1.0, Role::Line1);
        cycle += step;
    }
}

/// Labels stand every ten times a power of two cycles; when zoomed out, at round steps.
fn axis_step(least: f64) -> u64 {
    let mut step = 10u64;
    while (step as f64) < least && step < 640 {
        step *= 2;
    }
    if step as f64 >= least {
        step
    } else {
        round_step(least)
    }
}

fn draw_group_head(
    sheet: &mut Sheet,
    frame: &Frame,
    scale: TimelineScale,
    scheduler: u8,
    (x, y): (f32, f32),
    phone: bool,
) {
    let record = frame.record();
    sheet.line(
        (x, y + 0.5),
        (scale.x0 + scale.width(), y + 0.5),
        1.0,
        Role::Line2,
    );
    let name = if phone {
        format!("S{scheduler}")
    } else {
        format!("Scheduler {scheduler}")
    };
    sheet.text(
        &name,
        x,
        y + 9.5,
        Face::text(TextSize::Label, Role::Ink1).strong(),
    );
    sheet.put(
        Shape::Rect {
            x: scale.x0,
            y: y + 9.5,
            w: scale.width(),
            h: 1.0,
        },
        Role::Line2,
        Texture::Solid,
        Some(Target::Scheduler(scheduler)),
    );
    if scale.px >= 1.0 {
        let mut last = None;
        for row in record
            .issues_from(Cycle(scale.start))
            .take_while(|row| row.cycle.0 < scale.end)
            .filter(|row| row.scheduler == scheduler)
        {
            if last.replace(row.cycle) != Some(row.cycle) {
                let width = if scale.px >= 3.0 { scale.px - 1.0 } else { scale.px };
                sheet.rect(
                    scale.x(row.cycle.0),
                    y + 8.0,
                    width,
                    4.0,
                    Role::State(Mark::Issue),
                );
            }
        }
    }
}

/// Whether a row says its name: in low rows every second or third does, and the selected one.
fn is_named(idx: usize, chosen: Option<usize>, row: f32) -> bool {
    let step = (NAMED_ROW / row).ceil().max(1.0) as usize;
    match chosen {
        Some(chosen) if idx == chosen => true,
        Some(chosen) if idx.abs_diff(chosen) < step => false,
        _ => idx.is_multiple_of(step),
    }
}

fn draw_label(
    sheet: &mut Sheet,
    frame: &Frame,
    view: &ViewState,
    slot: SlotIdx,
    (x, y): (f32, f32),
    (row, named): (f32, bool),
) {
    let chosen = view.slot == Some(slot);
    let size = if row < 10.0 {
        TextSize::Micro
    } else {
        TextSize::Label
    };
    let face = Face::mono(size, if chosen { Role::Ink1 } else { Role::Ink3 }).right();
    let face = if chosen { face.strong() } else { face };
    if named {
        sheet.text(&frame.warp_name(slot), x, y, face);
    }
    sheet.area(x - 40.0, y - row / 2.0, 46.0, row, Target::Warp { slot: slot.0 });
}

fn draw_row(
    sheet: &mut Sheet,
    frame: &Frame,
    view: &ViewState,
    scale: TimelineScale,
    slot: SlotIdx,
    (y, row): (f32, f32),
) {
    let height = if row < 8.0 { row - 1.0 } else { (row - 3.0).floor() };
    let top = if row < 8.0 { y } else { (y + 1.5).round() };
    if scale.px < 1.0 {
        draw_shares(sheet, frame, view, scale, slot, (top, height));
        return;
    }
    for run in frame
        .record()
        .runs_from(slot, Cycle(scale.start))
        .take_while(|run| run.start.0 < scale.end)
    {
        draw_run(sheet, frame, view, scale, slot, &run, (top, height));
    }
}

fn draw_run(
    sheet: &mut Sheet,
    frame: &Frame,
    view: &ViewState,
    scale: TimelineScale,
    slot: SlotIdx,
    run: &Run,
    (y, h): (f32, f32),
) {
    let mark = Mark::of(run.state);
    let (start, end) = (run.start.0.max(scale.start), run.end.0.min(scale.end));
    let (x, w) = (scale.x(start), (end - start) as f32 * scale.px);
    let faded = view.filter.is_some_and(|only| only != mark);
    sheet.put(
        Shape::Band {
            x,
            y,
            w,
            h,
            mark,
            cycle_px: scale.px,
        },
        Role::State(mark),
        if faded {
            Texture::Fade(0.15)
        } else {
            Texture::Solid
        },
        Some(Target::WarpAt {
            slot: slot.0,
            cycle: start,
        }),
    );
    if mark == Mark::Issue && scale.px >= 8.0 && h > 9.0 && !faded {
        let letter = frame.letter(run.pc);
        let face = Face::mono(TextSize::Micro, Role::OnIssue).strong().centre();
        sheet.text(&letter, x + (scale.px - 1.0) / 2.0, y + h / 2.0, face);
    }
}

/// Below a pixel a cycle: narrow columns with the share of each mark, issue at the foot.
fn draw_shares(
    sheet: &mut Sheet,
    frame: &Frame,
    view: &ViewState,
    scale: TimelineScale,
    slot: SlotIdx,
    (y, h): (f32, f32),
) {
    const ORDER: [Mark; 9] = [
        Mark::Issue,
        Mark::Eligible,
        Mark::Long,
        Mark::Short,
        Mark::Barrier,
        Mark::Throttle,
        Mark::Branch,
        Mark::Other,
        Mark::Wait,
    ];
    let num = ((scale.width() / SHARE_WIDTH).floor() as usize).max(1);
    let span = scale.end - scale.start;
    let first_cycle = |idx: usize| scale.start + (u128::from(span) * idx as u128 / num as u128) as u64;
    let columns = frame
        .record()
        .slot_shares(slot, Cycle(scale.start), Cycle(scale.end), num);
    for (idx, states) in columns.iter().enumerate() {
        let mut share = [0.0; Mark::ALL.len()];
        for state in WarpState::ALL {
            share[Mark::of(state) as usize] += states[state as usize];
        }
        let x = scale.x0 + idx as f32 * SHARE_WIDTH;
        let mut foot = y + h;
        for mark in ORDER {
            let height = share[mark as usize] * h;
            if height < 0.3 {
                continue;
            }
            foot -= height;
            let texture = if view.filter.is_some_and(|only| only != mark) {
                Texture::Fade(0.15)
            } else {
                Texture::Solid
            };
            sheet.put(
                Shape::Rect {
                    x,
                    y: foot,
                    w: SHARE_WIDTH,
                    h: height,
                },
                Role::State(mark),
                texture,
                Some(Target::WarpAt {
                    slot: slot.0,
                    cycle: first_cycle(idx),
                }),
            );
        }
    }
}

fn draw_now(sheet: &mut Sheet, frame: &Frame, scale: TimelineScale, bottom: f32) {
    let now = frame.cycle().0;
    if now < scale.start || now >= scale.end {
        return;
    }
    let x = scale.x(now);
    sheet.fill(
        x - 1.0,
        AXIS - 8.0,
        scale.px.max(1.0),
        bottom - AXIS + 8.0,
        Role::Now,
        Texture::Fade(0.09),
    );
    sheet.rect(x - 1.5, AXIS - 8.0, 1.5, bottom - AXIS + 8.0, Role::Now);
    let face = Face::mono(TextSize::Label, Role::InkInverse).strong();
    sheet.flag(
        &now.to_string(),
        now_flag(frame, scale).0,
        AXIS - 24.0,
        16.0,
        face,
    );
}

/// The cycles whose totals are shown: washed, between two lines, with their number on the axis.
fn draw_range(
    sheet: &mut Sheet,
    frame: &Frame,
    scale: TimelineScale,
    (from, to): (Cycle, Cycle),
    bottom: f32,
) {
    let (left, right) = (scale.x0, scale.x0 + scale.width());
    let (x0, x1) = (scale.x(from.0) - 0.5, scale.x(to.0) - 0.5);
    let (cut0, cut1) = (x0.max(left), x1.min(right));
    if cut1 <= cut0 {
        return;
    }
    let (top, height) = (AXIS - 8.0, bottom - AXIS + 8.0);
    sheet.fill(cut0, top, cut1 - cut0, height, Role::Ink1, Texture::Fade(0.08));
    for (x, cut) in [(x0, cut0), (x1, cut1)] {
        if x == cut {
            sheet.line((x, top - 4.0), (x, bottom), 1.5, Role::Ink1);
        }
    }
    sheet.line((cut0, top), (cut1, top), 2.0, Role::Ink1);
    let text = super::words::counted(to.0 - from.0, "cycle");
    let (x, _) = range_flag(frame, scale, from, to);
    sheet.flag(&text, x, AXIS - 24.0, 16.0, RANGE_FACE);
}

const RANGE_FACE: Face = Face::text(TextSize::Label, Role::InkInverse).strong();

/// Left and right edge of the flag of a range.
fn range_flag(frame: &Frame, scale: TimelineScale, from: Cycle, to: Cycle) -> (f32, f32) {
    let (left, right) = (scale.x0, scale.x0 + scale.width());
    let width = RANGE_FACE.width(&super::words::counted(to.0 - from.0, "cycle")) + 10.0;
    let middle = f32::midpoint(scale.x(from.0).max(left), scale.x(to.0).min(right));
    let x = (middle - width / 2.0).clamp(left, (right - width).max(left));
    // Beside the flag of the present cycle.
    let (now, now_width) = now_flag(frame, scale);
    let is_shown = (scale.start..scale.end).contains(&frame.cycle().0);
    let x = match is_shown && x < now + now_width + 4.0 && now < x + width + 4.0 {
        true if now - width - 4.0 >= left => now - width - 4.0,
        true => now + now_width + 4.0,
        false => x,
    };
    (x, x + width)
}

/// The bracket from the instruction that produces what the selected warp waits for to its arrival.
fn draw_reason(sheet: &mut Sheet, frame: &Frame, scale: TimelineScale, slot: SlotIdx, (y, row): (f32, f32)) {
    let (name, issued, ready) = match frame.cause(slot) {
        WaitCause::Register {
            reg,
            issued,
            ready: Some(ready),
            ..
        } => (format!("R{reg}"), issued, ready),
        WaitCause::Predicate {
            pred,
            issued,
            ready: Some(ready),
            ..
        } => (format!("P{pred}"), issued, ready),
        _ => return,
    };
    if scale.px < 2.0 || ready <= issued {
        return;
    }
    let text = format!(
        "{name} on its way: {}",
        super::words::counted(ready.0 - issued.0, "cycle")
    );
    let middle = scale.px / 2.0 - 0.5;
    let right = scale.x0 + scale.width();
    let from = scale.x(issued.0) + middle;
    let to = scale.x(ready.0) + middle;
    let (cut_from, cut_to) = (from.max(scale.x0), to.min(right));
    let rail = y - 7.0;
    let mut points = vec![(cut_from, rail), (cut_to, rail)];
    if from >= scale.x0 {
        points.insert(0, (from, y + 1.0));
    }
    if to <= right {
        points.push((to, y + row - 2.0));
        sheet.polygon(
            &[(to, y + 2.0), (to - 4.0, y - 5.0), (to + 4.0, y - 5.0)],
            Role::Ink1,
        );
    }
    sheet.polyline(&points, 1.5, Role::Ink1);
    let face = Face::text(TextSize::Label, Role::InkInverse).strong();
    let width = face.width(&text) + 10.0;
    let x = ((cut_from + cut_to - width) / 2.0).clamp(scale.x0, (right - width).max(scale.x0));
    sheet.flag(&text, x, y - 15.0, 16.0, face);
}

fn draw_key(sheet: &mut Sheet, view: &ViewState, (x0, y0): (f32, f32), room: f32) {
    let marks = &Mark::ALL[..9];
    let face = Face::text(TextSize::Label, Role::Ink2);
    let widths: Vec<f32> = marks.iter().map(|mark| 17.0 + face.width(mark.name())).collect();
    let total: f32 = widths.iter().sum();
    let rows = if total + 8.0 * 8.0 > room { 2 } else { 1 };
    let per_row = marks.len().div_ceil(rows);
    let gap = ((room - total) / 8.0).min(18.0);
    let (mut x, mut y) = (x0, y0);
    for (idx, (mark, width)) in marks.iter().zip(&widths).enumerate() {
        if rows > 1 && idx > 0 && idx % per_row == 0 {
            (x, y) = (x0, y + 18.0);
        }
        sheet.tile(x, y, 11.0, *mark);
        let chosen = view.filter == Some(*mark);
        let face = if chosen {
            face.strong().role(Role::Ink1)
        } else {
            face
        };
        sheet.text(mark.name(), x + 16.0, y + 5.5, face);
        sheet.area(x, y - 6.0, *width, 22.0, Target::Mark(*mark));
        x += if rows > 1 {
            room / per_row as f32
        } else {
            width + gap
        };
    }
}
