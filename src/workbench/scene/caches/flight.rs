//! Bytes in flight by Little's law, latency times bandwidth: what a chip needs for its full bandwidth, what this
//! run has in flight, and the bandwidth that it reaches.

use super::super::ending::ending_headline;
use super::super::inspector::{Facts, Inspection, phrases, source};
use super::super::kit::{Face, Sheet, table as table_of};
use super::super::lanes::Grid;
use super::super::{Role, Scene, Size, Target, TextSize, Texture};
use super::wording::{NO_DEVICE_TRAFFIC, flight_column, flight_explanation, flight_headline};
use crate::words::{counted, fit_headline, percent, thousands};
use engine::arch::{ArchId, Architecture, architecture};
use engine::trace::{Flight, FlightColumn, Frame, far_bytes};

/// Height of a band.
const BAND: f32 = 84.0;
/// Minimum width of a column.
const LEAST: f32 = 3.0;
/// Rows of the text twin.
const TWIN: usize = 16;
/// Bits per lane of the widest load.
const WIDEST: f64 = 128.0;

/// The bytes in flight that an architecture needs for its full bandwidth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Need {
    /// Bytes of the whole chip: latency from issue to data, times the achievable bandwidth.
    pub(super) chip: f64,
    /// Bytes of one SM.
    pub(super) sm: f64,
    /// An SM's share of the bandwidth, in bytes per SM clock.
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

/// The data of the view.
pub(super) struct Flow<'f> {
    frame: &'f Frame<'f>,
    need: Need,
    flight: Flight,
    /// Bytes in flight at the cycle.
    now: u64,
}

impl<'f> Flow<'f> {
    pub(super) fn of(frame: &'f Frame<'f>) -> Self {
        let record = frame.record();
        // A request in flight was accepted before and is not complete: it is among the requests that the machine
        // holds.
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

    /// Average bytes in flight over the run.
    fn average(&self) -> f64 {
        self.flight.total.byte_cycles as f64 / self.cycles() as f64
    }

    /// Average bytes per cycle from device memory over the run.
    fn rate(&self) -> f64 {
        self.flight.total.moved as f64 / self.cycles() as f64
    }

    /// At most `most` columns: first cycle, number of cycles, and bytes in flight.
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

    /// What to change to reach full bandwidth: wider loads, more warps, or more loads per thread.
    fn remedy(&self) -> &'static str {
        let factor = self.need.sm / self.average().max(1e-9);
        let bits = self.flight.load_bits as f64 / self.flight.loads.max(1) as f64;
        let wider = WIDEST / bits.max(8.0);
        let record = self.frame.record();
        let resident = record
            .range_counters(engine::ids::Cycle(0), engine::ids::Cycle(self.cycles()))
            .resident();
        let resident = resident as f64 / self.cycles() as f64;
        let warps = f64::from(self.frame.arch().occupancy.max_warps_per_sm.value) / resident.max(1.0);
        if wider >= factor {
            "widen the loads"
        } else if warps >= factor {
            "add warps"
        } else if factor <= 4.0 {
            "add loads per thread"
        } else if wider >= 2.0 {
            "add more and wider loads"
        } else {
            "add warps and loads per thread"
        }
    }

    fn headline(&self) -> String {
        if self.flight.total.moved == 0 {
            return NO_DEVICE_TRAFFIC.to_owned();
        }
        let (average, need) = (self.average().round() as u64, self.need.sm.round() as u64);
        let remedy = if average >= need { "enough" } else { self.remedy() };
        flight_headline(average, need, remedy)
    }
}

/// Draws the view.
pub(super) fn draw(frame: &Frame, size: Size) -> Scene {
    let flow = Flow::of(frame);
    let grid = Grid::with_names(size.width);
    let mut sheet = Sheet::default();
    let most = flow
        .columns(((grid.right() - grid.x) / LEAST) as usize)
        .iter()
        .map(|(_, cycles, column)| column.byte_cycles as f64 / *cycles as f64)
        .fold(flow.need.sm, f64::max);
    let title = format!("In flight now: {} B", thousands(flow.now));
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
        (&title, "Bytes", most * 1.1),
        &need,
        in_flight,
    );
    let share = flow.need.share;
    let rates = flow.columns(((grid.right() - grid.x) / LEAST) as usize);
    let most = rates
        .iter()
        .map(|(_, cycles, column)| column.moved as f64 / *cycles as f64)
        .fold(share, f64::max);
    let title = format!("From device memory: {:.2} B per cycle on average", flow.rate());
    let need = (share, format!("an SM's share: {share:.2}"));
    let rate = |cycles: u64, column: &FlightColumn| column.moved as f64 / cycles as f64;
    let y = band(
        &mut sheet,
        &flow,
        grid,
        y + 10.0,
        (&title, "B / cycle", most * 1.1),
        &need,
        rate,
    );
    let y = chips(&mut sheet, &flow, grid, y + 10.0, size.width);
    let text = ending_headline(frame).unwrap_or_else(|| fit_headline(flow.headline()));
    let size = Size {
        width: size.width,
        height: (y + 8.0).max(size.height),
    };
    let scene = sheet.finish(size, text, table(&flow));
    Scene {
        also: vec![("Bytes in flight for full bandwidth".to_owned(), chips_table())],
        ..scene
    }
}

/// Draws a value over the run, with the level to reach, and returns the y below.
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

/// Draws the bytes in flight that each chip needs, to one scale, and returns the y below.
fn chips(sheet: &mut Sheet, flow: &Flow, grid: Grid, y: f32, width: f32) -> f32 {
    let head = Face::text(TextSize::Label, Role::Ink2);
    let left = grid.margin;
    let room = width - 2.0 * grid.margin;
    let title = if grid.phone {
        "Bytes in flight needed per SM"
    } else {
        "Bytes in flight needed per SM for its share of the bandwidth: latency × bandwidth ÷ SMs"
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
        // The latency ends where the widest bandwidth begins.
        let latency_x = (left + room * 0.36).min(bar_x - 16.0 - mono.width("9,999 GB/s"));
        let name_w = if grid.phone {
            room * 0.34
        } else {
            (room * 0.34).min(latency_x - mono.width("999 cycles") - 6.0 - left)
        };
        sheet.text(&face.fit(arch.name, name_w), left, middle, face);
        let gb = format!("{} GB/s", thousands(arch.chip.dram_gb_per_s.value.round() as u64));
        sheet.text(&gb, bar_x - 8.0, middle, mono.right());
        if !grid.phone {
            let latency = format!("{} cycles", arch.memory.device.latency_cycles.value);
            sheet.text(&latency, latency_x, middle, mono.right());
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
    table_of(
        [
            "From cycle",
            "To",
            "Bytes in flight",
            "Share of the need",
            "Bytes per cycle",
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
    table_of(
        [
            "Chip",
            "Bus",
            "Peak",
            "Achievable",
            "Latency in cycles",
            "Whole chip",
            "Per SM",
        ],
        rows.collect(),
    )
}

/// Tooltip of a column over the run.
pub(super) fn tooltip(frame: &Frame, first: u64) -> Option<(String, String)> {
    let flow = Flow::of(frame);
    let all = flow.cycles().div_ceil(flow.flight.cycles.max(1)).max(1) as usize;
    let (first, cycles, column) = (0..12).find_map(|power| {
        let columns = flow.columns(all.div_ceil(1 << power));
        columns.into_iter().find(|(start, _, _)| *start == first)
    })?;
    Some((
        format!("Cycles {} to {}", thousands(first), thousands(first + cycles - 1)),
        flight_column(
            (column.byte_cycles as f64 / cycles as f64).round() as u64,
            column.moved as f64 / cycles as f64,
        ),
    ))
}

/// Explains the bytes in flight.
pub(super) fn inspect(frame: &Frame) -> Inspection {
    let flow = Flow::of(frame);
    let arch = frame.arch();
    let (chip, device) = (&arch.chip, &arch.memory.device);
    let why = flight_explanation(
        flow.need.share,
        flow.need.sm.round() as u64,
        flow.average().round() as u64,
        &device.sm_port_bytes_per_cycle.value.to_string(),
    );
    let bits = flow.flight.load_bits as f64 / flow.flight.loads.max(1) as f64;
    let rows = vec![
        ("In flight now".to_owned(), format!("{} B", thousands(flow.now))),
        (
            "On average".to_owned(),
            format!("{} B", thousands(flow.average().round() as u64)),
        ),
        (
            "Needed per SM".to_owned(),
            format!("{} B", thousands(flow.need.sm.round() as u64)),
        ),
        (
            format!("Needed for {}", counted(chip.num_sms.value.into(), "SM")),
            format!("{:.1} KB", flow.need.chip / 1024.0),
        ),
        (
            "From device memory per cycle".to_owned(),
            format!("{:.2} B", flow.rate()),
        ),
        (
            "Global loads to device memory".to_owned(),
            thousands(flow.flight.loads),
        ),
        ("Bits per lane of these loads".to_owned(), format!("{bits:.0}")),
    ];
    let mut sources = vec![
        source("Peak bandwidth", &chip.dram_gb_per_s, "GB/s"),
        source("Achievable share", &device.efficiency, "of the peak"),
        source("Latency", &device.latency_cycles, "cycles"),
        source("SMs", &chip.num_sms, ""),
        source("Clock of an SM", &chip.sm_clock_mhz, "MHz"),
        source("Port of an SM", &device.sm_port_bytes_per_cycle, "B per cycle"),
    ];
    for other in device.efficiency.alternatives {
        sources.push(super::super::Source {
            name: "Other source".to_owned(),
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
