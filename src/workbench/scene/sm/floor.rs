//! Layout of the floor plan.

use super::super::Size;
use engine::arch::{Architecture, Pipe, PipeKind, PipeScope};
use engine::ids::Pc;
use engine::trace::Frame;

/// Number of rows for the depth of a pipe.
pub(super) const STAGES: u32 = 4;

/// The cell of a warp slot.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Cell {
    pub(super) x: f32,
    pub(super) y: f32,
    pub(super) w: f32,
    pub(super) h: f32,
    pub(super) column: u16,
}

/// Positions and sizes of the floor plan's parts.
#[derive(Clone, Debug)]
pub(super) struct Floor {
    pub(super) phone: bool,
    pub(super) low: bool,
    /// By how much rows are higher than normal, on a high stage.
    pub(super) stretch: f32,
    pub(super) margin: f32,
    pub(super) gap: f32,
    pub(super) inner: f32,
    pub(super) schedulers: u8,
    pub(super) per_scheduler: u16,
    /// Width of a scheduler's frame.
    pub(super) width: f32,
    pub(super) top: f32,
    pub(super) head: f32,
    columns: u16,
    rows: u16,
    row_height: f32,
    pub(super) registers_y: f32,
    pub(super) pipes_x: f32,
    pub(super) pipes_width: f32,
    pub(super) cell_height: f32,
    /// Deep pipes of a scheduler, each with its y.
    pub(super) deep: Vec<(&'static Pipe, f32)>,
    /// Single-row pipes of a scheduler, in lines, each line with its y.
    pub(super) shallow: Vec<(Vec<&'static Pipe>, f32)>,
    pub(super) queue_y: f32,
    pub(super) queue_height: f32,
    pub(super) bottom: f32,
    /// Drawn pipes that the schedulers share, with the y and the height of their band.
    pub(super) shared: Vec<&'static Pipe>,
    pub(super) shared_y: f32,
    pub(super) shared_height: f32,
}

/// Whether a pipe is drawn as a grid of lanes and stages.
pub(super) fn is_deep(pipe: &Pipe) -> bool {
    matches!(pipe.kind, PipeKind::Fp32 | PipeKind::Int32)
}

/// Number of cells of a pipe: one per lane, four per tensor core, and one for the branch unit, which resolves
/// branches for whole warps.
pub(super) const fn num_cells(pipe: &Pipe) -> u32 {
    let lanes = pipe.units as u32 * pipe.lanes.value as u32;
    match pipe.kind {
        PipeKind::Tensor => lanes * 4,
        PipeKind::Branch => 1,
        _ => lanes,
    }
}

/// Pipes in drawing order. Pipes with few and with many cells alternate, so that they fill the lines.
fn pipes(arch: &'static Architecture, scope: PipeScope) -> impl Iterator<Item = &'static Pipe> {
    const ORDER: [PipeKind; 9] = [
        PipeKind::Fp32,
        PipeKind::Int32,
        PipeKind::Xu,
        PipeKind::Tensor,
        PipeKind::Branch,
        PipeKind::Fp64,
        PipeKind::Fp16,
        PipeKind::Lsu,
        PipeKind::Adu,
    ];
    ORDER
        .into_iter()
        .flat_map(move |kind| arch.pipes.iter().filter(move |pipe| pipe.kind == kind))
        .filter(move |pipe| pipe.scope == scope)
}

/// Width of the name before a pipe, including the gap before the name, for all but the first pipe of a line.
pub(super) fn name_width(phone: bool, pipe: &Pipe) -> f32 {
    if phone {
        5.0
    } else {
        super::pipes::short_name(pipe.kind).len() as f32 * 6.0 + 14.0
    }
}

/// Single-row pipes, in as few lines as possible.
fn shallow_lines(arch: &'static Architecture, width: f32, phone: bool) -> Vec<Vec<&'static Pipe>> {
    let least = if phone { 2.4 } else { 3.0 };
    let mut lines: Vec<Vec<&Pipe>> = Vec::new();
    let mut used = f32::MAX;
    for pipe in pipes(arch, PipeScope::Scheduler).filter(|pipe| !is_deep(pipe)) {
        let cells = num_cells(pipe) as f32 * least + 4.0;
        let more = name_width(phone, pipe) + cells;
        match lines.last_mut() {
            Some(line) if used + more <= width => {
                line.push(pipe);
                used += more;
            }
            _ => {
                lines.push(vec![pipe]);
                used = cells;
            }
        }
    }
    lines
}

/// Whether instructions for a pipe go through the MIO queue.
const fn goes_through_queue(kind: PipeKind) -> bool {
    matches!(kind, PipeKind::Lsu | PipeKind::Adu)
}

impl Floor {
    pub(super) fn new(frame: &Frame, size: Size, is_whole: bool, stretch: f32) -> Self {
        let arch = frame.arch();
        let phone = size.width < 520.0;
        let low = !phone && size.height < 600.0;
        let schedulers = (frame.record().num_schedulers() as u8).max(1);
        let per_scheduler = (frame.record().num_slots() as u16)
            .div_ceil(u16::from(schedulers))
            .max(1);
        let margin = if phone { 12.0 } else { 20.0 };
        let gap = if phone { 6.0 } else { 14.0 };
        let inner = size.width - 2.0 * margin;
        let width = (inner - gap * f32::from(schedulers - 1)) / f32::from(schedulers);
        let least_wide = match (phone, is_whole) {
            (true, _) => 40.0,
            (false, true) => 60.0,
            (false, false) => 84.0,
        };
        let widest = (width / least_wide).floor().max(1.0) as u16;
        let columns = per_scheduler.div_ceil(8).min(widest);
        let rows = per_scheduler.div_ceil(columns);
        let top = if phone || low { 8.0 } else { 12.0 };
        let head = match (phone, low) {
            (true, _) => 24.0,
            (_, true) => 23.0,
            _ => 26.0,
        };
        let spare = (size.height - if phone { 548.0 } else { 612.0 }).max(0.0);
        let row_height = match (phone, low) {
            (true, _) => (21.0 + (spare / 16.0).floor()).min(26.0),
            (_, true) => 17.0,
            _ => ((20.0 + (spare / 16.0).floor()).min(24.0) * stretch).floor(),
        };
        let pick = |on_phone: f32, on_low: f32, else_: f32| match (phone, low) {
            (true, _) => on_phone,
            (_, true) => on_low,
            _ => (else_ * stretch * 2.0).floor() / 2.0,
        };
        let cell_height = pick(5.0, 4.5, 7.0);
        let registers_y = top + head + f32::from(rows) * row_height + pick(9.0, 7.0, 12.0);
        let mut y = registers_y + pick(13.0, 15.0, 22.0);
        let pipes_x = if phone { 8.0 } else { 46.0 };
        let pipes_width = width - pipes_x - 8.0;
        let mut deep = Vec::new();
        for pipe in pipes(arch, PipeScope::Scheduler).filter(|pipe| is_deep(pipe)) {
            deep.push((pipe, y));
            y += STAGES as f32 * cell_height + pick(4.0, 5.0, 6.0);
        }
        let mut shallow = Vec::new();
        for line in shallow_lines(arch, pipes_width, phone) {
            shallow.push((line, y));
            y += pick(9.0, 12.0, 14.0);
        }
        let queue_y = y + pick(2.0, 2.0, 3.0);
        let queue_height = pick(10.0, 14.0, 16.0);
        let bottom = queue_y + queue_height + pick(6.0, 6.0, 9.0);
        let shared: Vec<&Pipe> = pipes(arch, PipeScope::Sm).collect();
        let shared_height = if shared.iter().any(|pipe| is_deep(pipe)) {
            STAGES as f32 * cell_height + pick(8.0, 12.0, 20.0)
        } else {
            pick(9.0, 16.0, 20.0)
        };
        Self {
            phone,
            low,
            stretch,
            margin,
            gap,
            inner,
            schedulers,
            per_scheduler,
            width,
            top,
            head,
            columns,
            rows,
            row_height,
            registers_y,
            pipes_x,
            pipes_width,
            cell_height,
            deep,
            shallow,
            queue_y,
            queue_height,
            bottom,
            shared,
            shared_y: bottom + pick(5.0, 5.0, 8.0),
            shared_height,
        }
    }

    /// Left edge of a scheduler's frame.
    pub(super) fn left(&self, scheduler: u8) -> f32 {
        self.margin + f32::from(scheduler) * (self.width + self.gap)
    }

    /// x of the bus beside a scheduler.
    pub(super) fn rail(&self, scheduler: u8) -> f32 {
        self.left(scheduler) + self.width + if self.phone { 3.0 } else { 6.0 }
    }

    /// The cell of a scheduler's slot. Slots fill column by column.
    pub(super) fn cell(&self, scheduler: u8, place: u16) -> Cell {
        let (column, row) = (place / self.rows, place % self.rows);
        let w = self.width / f32::from(self.columns);
        Cell {
            x: self.left(scheduler) + f32::from(column) * w,
            y: self.top + self.head + f32::from(row) * self.row_height,
            w,
            h: self.row_height,
            column,
        }
    }

    /// y below the last row of slots.
    pub(super) fn slots_end(&self) -> f32 {
        self.top + self.head + f32::from(self.rows) * self.row_height
    }

    /// y of the top of the memory part.
    pub(super) fn end(&self) -> f32 {
        self.shared_y + self.shared_height
    }

    /// y at which the bus enters the pipe of an instruction.
    pub(super) fn pipe_port(&self, frame: &Frame, pc: Pc) -> f32 {
        let queue = self.queue_y + self.queue_height / 2.0;
        let Some(cost) = frame
            .instruction(pc)
            .and_then(|instruction| frame.arch().cost(instruction.class()))
        else {
            return queue;
        };
        let kind = cost.pipe;
        if let Some((_, y)) = self.deep.iter().find(|(pipe, _)| pipe.kind == kind) {
            return y + self.cell_height / 2.0;
        }
        let holds = |(line, _): &&(Vec<&Pipe>, f32)| line.iter().any(|pipe| pipe.kind == kind);
        if let Some((_, y)) = self.shallow.iter().find(holds) {
            return y + 4.0;
        }
        let shared = self.shared.iter().any(|pipe| pipe.kind == kind);
        if shared && !goes_through_queue(kind) {
            return self.shared_y;
        }
        queue
    }
}
