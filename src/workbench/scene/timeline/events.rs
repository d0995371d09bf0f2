//! Marks of events at their first cycle, if a cycle is wide enough for a mark: bank conflicts, cache misses,
//! divergent branches, and barrier releases.

use super::TimelineScale;
use crate::scene::kit::{Face, Sheet};
use crate::scene::{Mark, Role, Shape, Table, Target, TextSize, Texture};
use engine::ids::{Cycle, SlotIdx};
use engine::sim::{MemoryLevel, RequestKind};
use engine::trace::Frame;

/// Minimum pixels per cycle for event marks.
const EVENTS_PX: f32 = 8.0;
/// Minimum height of a row with marks.
const EVENTS_ROW: f32 = 10.0;
/// Maximum cycles of an access from issue to its unit.
const ON_ITS_WAY: u64 = 512;
/// Half the side of a mark.
const HALF: f32 = 3.0;
/// Maximum number of events in the table.
const MAX_LISTED: usize = 100;

/// Kinds of events.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Conflict(u16),
    Miss,
    Divergence,
    Release,
}

/// An event and its first cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Event {
    cycle: Cycle,
    slot: SlotIdx,
    kind: Kind,
    access: Option<u32>,
}

/// Whether events have marks at this zoom in rows of this height.
pub(super) fn are_shown(scale: TimelineScale, row: f32) -> bool {
    scale.px >= EVENTS_PX && row >= EVENTS_ROW
}

impl Kind {
    const ALL: [Self; 4] = [Self::Conflict(2), Self::Miss, Self::Divergence, Self::Release];

    const fn name(self) -> &'static str {
        match self {
            Self::Conflict(_) => "Bank conflict",
            Self::Miss => "Cache miss",
            Self::Divergence => "Divergent branch",
            Self::Release => "Barrier release",
        }
    }

    const fn role(self) -> Role {
        match self {
            Self::Conflict(wavefronts) => Role::Pass(wavefronts),
            Self::Miss => Role::Miss,
            Self::Divergence => Role::State(Mark::Branch),
            Self::Release => Role::State(Mark::Barrier),
        }
    }

    /// Corners around the center, in units of half the side.
    const fn corners(self) -> &'static [(f32, f32)] {
        match self {
            Self::Conflict(_) => &[(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)],
            Self::Miss => &[(0.0, -1.2), (1.2, 0.0), (0.0, 1.2), (-1.2, 0.0)],
            Self::Divergence => &[(-1.2, -1.0), (1.2, -1.0), (0.0, 1.2)],
            Self::Release => &[(-1.2, 1.0), (1.2, 1.0), (0.0, -1.2)],
        }
    }

    fn draw(self, sheet: &mut Sheet, (x, y): (f32, f32), target: Option<Target>) {
        for (half, role) in [(HALF + 1.2, Role::Paper1), (HALF, self.role())] {
            let points = self
                .corners()
                .iter()
                .map(|(across, down)| (x + across * half, y + down * half))
                .collect();
            sheet.put(Shape::Polygon { points }, role, Texture::Solid, target);
        }
    }
}

fn events(frame: &Frame, scale: TimelineScale) -> Vec<Event> {
    let record = frame.record();
    let window = scale.start..scale.end;
    // GPUs without a cache for global memory have no cache misses.
    let memory = &frame.arch().memory;
    let has_cache = memory.l1.is_some() || memory.l2.is_some();
    let mut events = Vec::new();
    let (first, last) = (
        record.first_access_at(Cycle(scale.start)),
        record.first_access_at(Cycle(scale.end + ON_ITS_WAY)),
    );
    for idx in first..last {
        let Some(row) = record.access(idx).filter(|row| window.contains(&row.issued.0)) else {
            continue;
        };
        let is_load = matches!(
            row.kind,
            RequestKind::GlobalLoad | RequestKind::LocalLoad | RequestKind::CopyLoad
        );
        let kind = if row.kind.is_shared() && row.wavefronts > row.ideal_wavefronts {
            Kind::Conflict(row.wavefronts)
        } else if has_cache && is_load && matches!(row.level, MemoryLevel::L2 | MemoryLevel::Dram) {
            Kind::Miss
        } else {
            continue;
        };
        events.push(Event {
            cycle: row.issued,
            slot: row.slot,
            kind,
            access: Some(idx),
        });
    }
    let issues = record.issues_from(Cycle(scale.start));
    for row in issues.take_while(|row| row.cycle.0 < scale.end) {
        if row.diverged {
            events.push(Event {
                cycle: row.cycle,
                slot: row.slot,
                kind: Kind::Divergence,
                access: None,
            });
        }
    }
    let releases = record.barrier_releases();
    let first = releases.partition_point(|release| release.cycle.0 < scale.start);
    for release in releases[first..].iter().take_while(|of| of.cycle.0 < scale.end) {
        let block = record
            .blocks_at(release.cycle)
            .find(|span| span.block == release.block);
        for slot in block.iter().flat_map(|span| &span.slots) {
            events.push(Event {
                cycle: release.cycle,
                slot: *slot,
                kind: Kind::Release,
                access: None,
            });
        }
    }
    events.sort_unstable();
    events
}

/// Draws the marks over the bands, and returns their table.
pub(super) fn draw_events(
    sheet: &mut Sheet,
    frame: &Frame,
    scale: TimelineScale,
    rows: &[(SlotIdx, f32)],
) -> Option<Table> {
    let events = events(frame, scale);
    for event in &events {
        let Some((_, y)) = rows.iter().find(|(slot, _)| *slot == event.slot) else {
            continue;
        };
        // The mark is at the top right of the cycle, beside the letter.
        let x = scale.x(event.cycle.0) + (scale.px - 3.0).min(14.0);
        let target = event.access.map_or(
            Target::WarpAt {
                slot: event.slot.0,
                cycle: event.cycle.0,
            },
            Target::Access,
        );
        event.kind.draw(sheet, (x, y + 1.5), Some(target));
    }
    let row = |event: &Event| {
        let more = match event.kind {
            Kind::Conflict(wavefronts) => wavefronts.to_string(),
            _ => String::new(),
        };
        vec![
            event.cycle.0.to_string(),
            frame.warp_name(event.slot),
            event.kind.name().to_owned(),
            more,
        ]
    };
    (!events.is_empty()).then(|| Table {
        columns: ["Cycle", "Warp", "Event", "Wavefronts"].map(str::to_owned).into(),
        rows: events.iter().take(MAX_LISTED).map(row).collect(),
    })
}

/// Draws the key of event marks.
pub(super) fn draw_event_key(sheet: &mut Sheet, (x0, y): (f32, f32)) {
    let face = Face::text(TextSize::Label, Role::Ink2);
    let mut x = x0;
    for kind in Kind::ALL {
        kind.draw(sheet, (x + 5.5, y + 5.5), None);
        sheet.text(kind.name(), x + 16.0, y + 5.5, face);
        x += 34.0 + face.width(kind.name());
    }
}
