//! The units of L2 that update words: their queues, and those of the links to them.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

use super::codec::{Reader, Writer, coded};
use super::dram::FarMemory;
use super::updates::UpdatesInProgress;
use crate::access::{Segment, lanes_of};
use crate::arch::{Architecture, AtomicUnits};
use crate::isa::{AtomOp, NumType, Op};

/// Times of [`AtomicUnits`] are in hundredths of a cycle.
const HUNDRED: u64 = 100;

/// Atomic updates of a sector by a warp.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Update {
    pub(super) address: u64,
    /// The most lanes on one word.
    pub(super) lanes: u32,
    /// Cycles from the start until the words can be read.
    pub(super) cycles: u64,
    /// Whether it waits for other updates; otherwise, the machine is a hypothetical one.
    pub(super) is_contended: bool,
    /// What it occupies, where the units are known.
    pub(super) work: Option<AtomicWork>,
}

/// What the update of a sector by a warp occupies, in hundredths of a cycle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct AtomicWork {
    /// The way out of the SM.
    pub(super) sm: u32,
    /// The link to the unit.
    link: u32,
    /// The unit.
    unit: u32,
    /// The sector: passes on it follow each other.
    sector: u32,
    /// The way of the old values back to the SM.
    back: u32,
    /// Packets to the unit.
    pub(super) packets: u32,
}

/// How many lanes of a warp update each word of a sector, and in which passes.
struct Passes {
    /// All passes.
    all: u32,
    /// Those with several words.
    of_several: u32,
    /// Those with all words.
    full: u32,
}

impl Passes {
    /// `at`: the lanes' addresses. `size`: bytes of a word.
    fn new(segment: &Segment, at: impl Fn(usize) -> u64, size: u32) -> Self {
        let mut lanes_on = [0_u32; 32];
        let size = u64::from(size.max(1));
        let num = usize::from(segment.bytes) / size as usize;
        for lane in lanes_of(segment.lanes.0) {
            let word = at(lane).wrapping_sub(segment.base) / size;
            if let Some(lanes) = lanes_on.get_mut(word as usize) {
                *lanes += 1;
            }
        }
        let lanes_on = lanes_on.get_mut(..num).unwrap_or_default();
        lanes_on.sort_unstable_by(|a, b| b.cmp(a));
        let of = |place: usize| lanes_on.get(place).copied().unwrap_or(0);
        Self {
            all: of(0).max(1),
            of_several: of(1),
            full: if num > 1 { of(num - 1) } else { 0 },
        }
    }
}

impl AtomicWork {
    /// The work of a segment. `headers`: passes with several words that earlier segments of the same line have. Returns
    /// the number with this segment's, too.
    pub(super) fn new(
        model: &AtomicUnits,
        op: Op,
        segment: &Segment,
        at: impl Fn(usize) -> u64,
        size: u32,
        headers: u32,
    ) -> (Self, u32) {
        let passes = Passes::new(segment, at, size);
        let (is_float, is_double) = match op {
            Op::Atom {
                op: AtomOp::Add, ty, ..
            }
            | Op::Red {
                op: AtomOp::Add, ty, ..
            } => (
                matches!(ty, NumType::F16 | NumType::F16x2 | NumType::F32 | NumType::F64),
                ty == NumType::F64,
            ),
            _ => (false, false),
        };
        let time = |value: u16, num: u32| u32::from(value) * num;
        // One word has its header with it.
        let packets = passes.all + passes.of_several.saturating_sub(headers);
        let unit = if is_double {
            time(model.double_pass_time.value, passes.all)
        } else {
            time(model.full_pass_time.value, passes.full)
                + time(model.pass_time.value, passes.all - passes.full)
        };
        let back = match op {
            Op::Atom { .. } if passes.all == 1 => time(model.sm_time.value, 1),
            Op::Atom { .. } => {
                time(model.words_return_time.value, passes.of_several)
                    + time(model.word_return_time.value, passes.all - passes.of_several)
            }
            _ => 0,
        };
        let work = Self {
            sm: time(model.sm_time.value, packets),
            link: time(model.link_time.value, packets),
            unit,
            sector: if is_float {
                time(model.float_interval.value, passes.all)
            } else {
                unit
            },
            back,
            packets,
        };
        (work, headers.max(passes.of_several))
    }
}

/// Packets of an SM in flight to units, or not answered yet.
#[derive(Clone, Debug)]
pub(super) struct InFlight {
    limit: u32,
    answer_time: u64,
    /// When each group of packets is answered, and their number. The times of those that were sent while the SM runs apart
    /// are open.
    packets: VecDeque<(u64, u32)>,
    /// The number of all.
    num: u32,
}

impl InFlight {
    /// None in flight, where the architecture's units are known.
    pub(super) fn new(arch: &Architecture) -> Option<Self> {
        let model = arch.atomic_units()?;
        Some(Self {
            limit: model.in_flight.value.into(),
            answer_time: model.answer_time.value.into(),
            packets: VecDeque::new(),
            num: 0,
        })
    }

    /// If there is no room for further packets, the cycle in which the next is answered, which can be open.
    #[inline(always)]
    pub(super) fn full_until(&mut self, now: u64) -> Option<u64> {
        if self.num < self.limit {
            return None;
        }
        while let Some((answered, num)) = self.packets.front()
            && *answered <= now
        {
            self.num -= num;
            self.packets.pop_front();
        }
        let (answered, _) = self.packets.front()?;
        (self.num >= self.limit).then_some(*answered)
    }

    /// Replaces open times.
    pub(super) fn settle(&mut self, closed: impl Fn(u64) -> u64) {
        for (answered, _) in &mut self.packets {
            *answered = closed(*answered);
        }
    }

    /// Notes packets whose unit starts at a time.
    pub(super) fn note_updates(&mut self, far: &mut FarMemory, start: u64, num: u32) {
        let answered = far.plus(start, self.answer_time);
        self.note(answered, num);
    }

    /// Notes packets that are answered at a time.
    pub(super) fn note(&mut self, answered: u64, num: u32) {
        self.packets.push_back((answered, num));
        self.num += num;
    }
}

coded!(InFlight {
    limit,
    answer_time,
    packets,
    num
});

/// The queues, in hundredths of a cycle until which each is busy.
#[derive(Clone, Debug)]
pub(super) struct UnitQueues {
    model: AtomicUnits,
    units: Vec<u64>,
    /// For each port, a link to each unit.
    links: Vec<u64>,
    sectors: UpdatesInProgress,
}

impl UnitQueues {
    /// Queues for a number of ports, where the architecture's units are known.
    pub(super) fn new(arch: &Architecture, num_ports: usize) -> Option<Self> {
        let model = arch.atomic_units()?;
        let num = usize::from(model.number.value);
        Some(Self {
            model,
            units: vec![0; num],
            links: vec![0; num * num_ports.max(1)],
            sectors: UpdatesInProgress::default(),
        })
    }

    /// Queues work that arrives at cycle `at` through a port. `sector`: the sector's number. Returns the cycle in which
    /// the unit starts.
    pub(super) fn serve(&mut self, port: usize, address: u64, sector: u64, work: AtomicWork, at: u64) -> u64 {
        let unit = self.model.of(address);
        let at = at * HUNDRED;
        let mut from = at;
        if let Some(free) = self.links.get_mut(port * self.units.len() + unit) {
            from = from.max(*free);
            *free = from + u64::from(work.link);
        }
        from = self.sectors.after(sector, from);
        if let Some(free) = self.units.get_mut(unit) {
            from = from.max(*free);
            *free = from + u64::from(work.unit);
        }
        if work.sector > work.unit {
            self.sectors.note(sector, from + u64::from(work.sector), at);
        }
        from / HUNDRED
    }

    /// Queues the old values of work whose unit starts at a cycle, which return to an SM. `free`: when the way is free, in
    /// hundredths of a cycle. Returns the cycle in which the unit can be seen to start.
    pub(super) fn come_back(work: AtomicWork, free: &mut u64, start: u64) -> u64 {
        if work.back == 0 {
            return start;
        }
        let from = (start * HUNDRED).max(*free);
        *free = from + u64::from(work.back);
        from / HUNDRED
    }

    /// The cycle in which all units are done.
    pub(super) fn end(&self) -> u64 {
        self.units.iter().copied().max().unwrap_or(0).div_ceil(HUNDRED)
    }

    /// Writes what changes.
    pub(super) fn write_state(&self, to: &mut Writer) {
        to.put(&self.units);
        to.put(&self.links);
        to.put(&self.sectors);
    }

    /// Reads what [`UnitQueues::write_state`] wrote. Returns whether it fits.
    pub(super) fn read_state(&mut self, from: &mut Reader) -> bool {
        let (units, links): (Vec<u64>, Vec<u64>) = (from.get(), from.get());
        let fits = (units.len(), links.len()) == (self.units.len(), self.links.len());
        if fits {
            (self.units, self.links) = (units, links);
        }
        self.sectors = from.get();
        fits
    }
}
