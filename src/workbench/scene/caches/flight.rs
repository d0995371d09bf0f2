//! Little's law: bytes in flight are latency times bandwidth. How many a chip needs for all of its
//! bandwidth, how many this run has under way, and what it gets.

use super::super::ending::ending_headline;
use super::super::inspector::{Facts, Inspection, phrases, source};
use super::super::kit::{Face, Sheet, table as twin};
use super::super::lanes::Grid;
use super::super::words::{counted, headline, percent, thousands};
use super::super::{Role, Scene, Size, Target, TextSize, Texture};
use engine::arch::{ArchId, Architecture, architecture};
use engine::trace::{Flight, FlightColumn, Frame, far_bytes};

/// Height of a band.
const BAND: f32 = 84.0;
/// Width of a column at least.
const LEAST: f32 = 3.0;
/// Rows of the text twin over the run.
const TWIN: usize = 16;
/// Bits of the widest load of a lane.
const WIDEST: f64 = 128.0;

/// What an architecture needs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Need {
    /// Bytes of the whole chip: from issue to data, times the bandwidth that can be had.
    pub(super) chip: f64,
    /// An SM's share.
    pub(super) sm: f64,
    /// Bytes that an SM's share of the bandwidth is in one of its clocks.
    pub(super) share: f64,
}

impl Need {
    pub(super) fn of(arch: &Architecture) -> Self {
        let share = arch.dram_bytes_per_cycle_and_sm();
        let sm = share * f64::from(arch.memory.device.latency_cycles.value);
        Self {
            chip: sm * f64::from(arch.chip.num_sms.value),
            sm,
            share,
        }
    }
}

/// What is drawn.
pub(super) struct Flow<'f> {
    frame: &'f Frame<'f>,
    need: Need,
    flight: Flight,
    /// Bytes under way now.
    now: u64,
}

impl<'f> Flow<'f> {
    pub(super) fn of(frame: &'f Frame<'f>) -> Self {
        let record = frame.record();
        // Whatever is under way was accepted before and is not done: looked for among the requests that the
        // machine has.
        let cycle = frame.cycle().0;
        let snapshot = frame.snapshot();
        let first = snapshot.requests.iter().map(|request| request.issued.0).min();
        let mut now = 0;
        if let Some(first) = first {
            let mut idx = record.first_access_at(engine::ids::Cycle(first));
            while let Some(row) = record.access(idx).filter(|row| row.accepted.0 <= cycle) {
                if row.started.0 <= cycle && row.done.0 > cycle {
                    now += far_bytes(&row);
                }
                idx += 1;
            }
        }
        Self {
            frame,
            need: Need::of(frame.arch()),
            flight: frame.trace().flight(),
            now,
        }
    }

    fn cycles(&self) -> u64 {
        self.frame.record().num_cycles().max(1)
    }

    /// Bytes under way on average over the run.
    fn average(&self) -> f64 {
        self.flight.total.byte_cycles as f64 / self.cycles() as f64
    }

    /// Bytes a cycle that came, over the run.
    fn rate(&self) -> f64 {
        self.flight.total.moved as f64 / self.cycles() as f64
    }

    /// Columns as wide as can be pointed at: first cycle, cycles, what was under way.
    fn columns(&self, most: usize) -> Vec<(u64, u64, FlightColumn)> {
        let width = self.flight.cycles.max(1);
        let all = self.cycles().div_ceil(width).max(1) as usize;
        let merged = all.div_ceil(most.max(1)).max(1);
        let chunks = self.flight.columns.chunks(merged).enumerate();
        chunks
            .map(|(idx, chunk)| {
                let sum = chunk
                    .iter()
                    .fold(FlightColumn::default(), |sum, column| FlightColumn {
                        byte_cycles: sum.byte_cycles + column.byte_cycles,
                        moved: sum.moved + column.moved,
                    });
                let cycles = merged as u64 * width;
                (idx as u64 * cycles, cycles, sum)
            })
            .collect()
    }

    /// What would bring enough: loads that are wider, more warps, more loads a thread.
    fn advice(&self) -> &'static str {
        let lacks = self.need.sm / self.average().max(1e-9);
        let bits = self.flight.load_bits as f64 / self.flight.loads.max(1) as f64;
        let wider = WIDEST / bits.max(8.0);
        let record = self.frame.record();
        let resident = record
            .range_counters(engine::ids::Cycle(0), engine::ids::Cycle(self.cycles()))
            .resident();
        let resident = resident as f64 / self.cycles() as f64;
        let warps = f64::from(self.frame.arch().occupancy.max_warps_per_sm.value) / resident.max(1.0);
        if wider >= lacks {
            "wider loads would do"
        } else if warps >= lacks {
            "more warps would do"
        } else if lacks <= 4.0 {
            "more loads a thread would do"
        } else if wider >= 2.0 {
            "raise width and loads a thread"
        } else {
            "raise warps and loads a thread"
        }
    }

    fn sentence(&self) -> String {
        if self.flight.total.moved == 0 {
            return "Nothing has come from device memory: no request missed all caches so far.".to_owned();
        }
        let (average, need) = (self.average().round() as u64, self.need.sm.round() as u64);
        if average >= need {
            return format!(
                "{} B are in flight on average, {} B are needed for full bandwidth: enough.",
                thousands(average),
                thousands(need)
            );
        }
        format!(
            "{} B in flight on average of {} B for full bandwidth: {}.",
            thousands(average),
            thousands(need),
            self.advice()
        )
    }
}

/// Draws it.
pub(super) fn draw(frame: &Frame, size: Size) -> Scene {
    let flow = Flow::of(frame);
    let grid = Grid::with_names(size.width);
    let mut sheet = Sheet::default();
    let most = flow
        .columns(((grid.right() - grid.x) / LEAST) as usize)
        .iter()
        .map(|(_, cycles, column)| column.byte_cycles as f64 / *cycles as f64)
        .fold(flow.need.sm, f64::max);
    let say = format!("In flight now: {} B", thousands(flow.now));
    let need = (
        flow.need.sm,
        format!("needed: {} B", thousands(flow.need.sm.round() as u64)),
    );
    let in_flight = |cycles: u64, column: &FlightColumn| column.byte_cycles as f64 / cycles as f64;
    let y = band(
        &mut sheet,
        &flow,
        grid,
        6.0,
        (&say, "Bytes", most * 1.1),
        &need,
        in_flight,
    );
    let share = flow.need.share;
    let rates = flow.columns(((grid.right() - grid.x) / LEAST) as usize);
    let most = rates
        .iter()
        .map(|(_, cycles, column)| column.moved as f64 / *cycles as f64)
        .fold(share, f64::max);
    let say = format!("From device memory: {:.2} B a cycle on average", flow.rate());
    let need = (share, format!("an SM's share: {share:.2}"));
    let rate = |cycles: u64, column: &FlightColumn| column.moved as f64 / cycles as f64;
    let y = band(
        &mut sheet,
        &flow,
        grid,
        y + 10.0,
        (&say, "B a cycle", most * 1.1),
        &need,
        rate,
    );
    let y = chips(&mut sheet, &flow, grid, y + 10.0, size.width);
    let says = ending_headline(frame).unwrap_or_else(|| headline(flow.sentence()));
    let size = Size {
        width: size.width,
        height: (y + 8.0).max(size.height),
    };
    let scene = sheet.finish(size, says, table(&flow));
    Scene {
        also: vec![("Bytes in flight for full bandwidth".to_owned(), chips_table())],
        ..scene
    }
}

/// A value over the run, with a level to be reached; gives where it ends.
fn band(
    sheet: &mut Sheet,
    flow: &Flow,
    grid: Grid,
    y: f32,
    (title, name, most): (&str, &str, f64),
    (level, level_text): &(f64, String),
    value: impl Fn(u64, &FlightColumn) -> f64,
) -> f32 {
    let (left, width) = (grid.x, grid.right() - grid.x - 1.0);
    let cycles = flow.cycles();
    let top = y + 20.0;
    let small = Face::text(TextSize::Label, Role::Ink3);
    let face = Face::text(TextSize::Label, Role::Ink1);
    let name = if grid.phone {
        name.split(' ').next().unwrap_or(name)
    } else {
        name
    };
    sheet.text(name, grid.margin, top + BAND / 2.0, small);
    sheet.text(&face.fit(title, width * 0.6), left, y + 9.0, face);
    sheet.text(
        &face.fit(level_text, width * 0.38),
        left + width,
        y + 9.0,
        face.right(),
    );
    sheet.rect(left, top, width, BAND, Role::Paper2);
    let px = width / cycles as f32;
    for (first, num, column) in flow.columns((width / LEAST) as usize) {
        let x = left + first as f32 * px;
        let w = (num as f32 * px).min(left + width - x);
        let high = value(num, &column);
        if high <= 0.0 || w <= 0.0 {
            continue;
        }
        let h = (f64::from(BAND) * (high / most).min(1.0)) as f32;
        let gap = if w > 4.0 { 1.0 } else { 0.0 };
        let (role, texture) = if high >= *level {
            (Role::Hit, Texture::Solid)
        } else {
            (Role::Hit, Texture::Fade(0.5))
        };
        sheet.fill(x, top + BAND - h, w - gap, h, role, texture);
        sheet.area(x, top, w, BAND, Target::HitColumn(first));
    }
    let at = top + BAND - (f64::from(BAND) * level / most) as f32;
    sheet.line((left, at), (left + width, at), 1.5, Role::Ink1);
    let now = left + (flow.frame.cycle().0.min(cycles) as f32 + 0.5) * px;
    sheet.line((now, top - 3.0), (now, top + BAND + 3.0), 1.5, Role::Now);
    let mono = Face::mono(TextSize::Micro, Role::Ink3);
    sheet.text("0", left, top + BAND + 9.0, mono);
    let end = format!("{} cycles", thousands(cycles));
    sheet.text(&end, left + width, top + BAND + 9.0, mono.right());
    top + BAND + 16.0
}

/// What each chip needs, to one scale; gives where it ends.
fn chips(sheet: &mut Sheet, flow: &Flow, grid: Grid, y: f32, width: f32) -> f32 {
    let head = Face::text(TextSize::Label, Role::Ink2);
    let left = grid.margin;
    let room = width - 2.0 * grid.margin;
    let title = if grid.phone {
        "Bytes in flight that an SM needs"
    } else {
        "Bytes in flight that an SM needs for its share of the bandwidth: latency × bandwidth ÷ SMs"
    };
    sheet.text(title, left, y + 8.0, head);
    let most = ArchId::ALL
        .into_iter()
        .map(|id| Need::of(architecture(id)).sm)
        .fold(1.0, f64::max);
    let mut y = y + 20.0;
    let bar_x = left + room * if grid.phone { 0.62 } else { 0.5 };
    for id in ArchId::ALL {
        let arch = architecture(id);
        let need = Need::of(arch);
        let own = id == flow.frame.arch().id;
        if own {
            sheet.rect(left - 4.0, y, room + 8.0, 16.0, Role::Paper3);
        }
        let middle = y + 8.0;
        let face = Face::text(TextSize::Label, Role::Ink1);
        let face = if own { face.strong() } else { face };
        let mono = Face::mono(TextSize::Micro, Role::Ink2);
        sheet.text(&face.fit(arch.name, room * 0.34), left, middle, face);
        let gb = format!("{} GB/s", thousands(arch.chip.dram_gb_per_s.value.round() as u64));
        sheet.text(&gb, bar_x - 8.0, middle, mono.right());
        if !grid.phone {
            let latency = format!("{} cycles", arch.memory.device.latency_cycles.value);
            sheet.text(&latency, left + room * 0.36, middle, mono.right());
        }
        let text = thousands(need.sm.round() as u64);
        let full = left + room - bar_x - mono.width("99,999 B") - 6.0;
        let w = (f64::from(full) * need.sm / most) as f32;
        sheet.rect(
            bar_x,
            y + 4.0,
            w.max(1.0),
            8.0,
            if own { Role::Ink1 } else { Role::Edge },
        );
        sheet.text(&format!("{text} B"), bar_x + w + 6.0, middle, mono);
        y += 16.0;
    }
    y
}

fn table(flow: &Flow) -> super::super::Table {
    let rows = flow.columns(TWIN).into_iter().map(|(first, cycles, column)| {
        let cycles_here = cycles as f64;
        let high = column.byte_cycles as f64 / cycles_here;
        [
            thousands(first),
            thousands(first + cycles - 1),
            thousands(high.round() as u64),
            percent(high.round() as u64, flow.need.sm.round() as u64),
            format!("{:.2}", column.moved as f64 / cycles_here),
        ]
    });
    twin(
        [
            "From cycle",
            "To",
            "Bytes in flight",
            "Of what is needed",
            "Bytes a cycle",
        ],
        rows.collect(),
    )
}

fn chips_table() -> super::super::Table {
    let rows = ArchId::ALL.into_iter().map(|id| {
        let arch = architecture(id);
        let (need, device) = (Need::of(arch), &arch.memory.device);
        [
            arch.name.to_owned(),
            format!("{} bits", arch.chip.dram_bits.value),
            format!("{} GB/s", arch.chip.dram_gb_per_s.value),
            format!("{:.1} %", 100.0 * device.efficiency.value),
            device.latency_cycles.value.to_string(),
            format!("{:.1} KB", need.chip / 1024.0),
            format!("{} B", thousands(need.sm.round() as u64)),
        ]
    });
    twin(
        [
            "Chip",
            "Bus",
            "Peak",
            "Can be had",
            "Latency in cycles",
            "Whole chip",
            "An SM",
        ],
        rows.collect(),
    )
}

/// What is said of a stretch of the run.
pub(super) fn tooltip(frame: &Frame, first: u64) -> Option<(String, String)> {
    let flow = Flow::of(frame);
    let all = flow.cycles().div_ceil(flow.flight.cycles.max(1)).max(1) as usize;
    let (first, cycles, column) = (0..12).find_map(|power| {
        let columns = flow.columns(all.div_ceil(1 << power));
        columns.into_iter().find(|(start, _, _)| *start == first)
    })?;
    Some((
        format!("Cycles {} to {}", thousands(first), thousands(first + cycles - 1)),
        format!(
            "{} B in flight on average, {:.2} B a cycle from device memory",
            thousands((column.byte_cycles as f64 / cycles as f64).round() as u64),
            column.moved as f64 / cycles as f64
        ),
    ))
}

/// The explanation.
pub(super) fn inspect(frame: &Frame) -> Inspection {
    let flow = Flow::of(frame);
    let arch = frame.arch();
    let (chip, device) = (&arch.chip, &arch.memory.device);
    let why = format!(
        "What is under way is what comes in a cycle times the cycles it takes. For an SM's share of the bandwidth, *{:.2}* B a cycle, *{}* B must be in flight at all times; on average *{}* are. One SM is simulated, which has the memory to itself: alone it can get more than its share, up to {} B a cycle through its port.",
        flow.need.share,
        thousands(flow.need.sm.round() as u64),
        thousands(flow.average().round() as u64),
        device.sm_port_bytes_per_cycle.value
    );
    let bits = flow.flight.load_bits as f64 / flow.flight.loads.max(1) as f64;
    let rows = vec![
        ("In flight now".to_owned(), format!("{} B", thousands(flow.now))),
        (
            "On average".to_owned(),
            format!("{} B", thousands(flow.average().round() as u64)),
        ),
        (
            "Needed, an SM".to_owned(),
            format!("{} B", thousands(flow.need.sm.round() as u64)),
        ),
        (
            format!("Needed, {}", counted(chip.num_sms.value.into(), "SM")),
            format!("{:.1} KB", flow.need.chip / 1024.0),
        ),
        ("Comes in a cycle".to_owned(), format!("{:.2} B", flow.rate())),
        (
            "Global loads that went so far".to_owned(),
            thousands(flow.flight.loads),
        ),
        ("Bits a lane of these".to_owned(), format!("{bits:.0}")),
    ];
    let mut sources = vec![
        source("Peak bandwidth", &chip.dram_gb_per_s, "GB/s"),
        source("Of that can be had", &device.efficiency, "of the peak"),
        source("Latency", &device.latency_cycles, "cycles"),
        source("SMs", &chip.num_sms, ""),
        source("Clock of an SM", &chip.sm_clock_mhz, "MHz"),
        source("An SM's port", &device.sm_port_bytes_per_cycle, "B a cycle"),
    ];
    for other in device.efficiency.alternatives {
        sources.push(super::super::Source {
            name: "Elsewhere it is said".to_owned(),
            value: other.value.to_owned(),
            source: other.source.to_owned(),
            assumed: false,
        });
    }
    Inspection {
        title: "Device memory".to_owned(),
        place: format!("{}, {} GB/s", arch.name, chip.dram_gb_per_s.value),
        why: phrases(&why),
        facts: vec![Facts {
            title: "Bytes in flight".to_owned(),
            rows,
        }],
        sources,
        ..Inspection::default()
    }
}
