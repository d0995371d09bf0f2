//! The contents of a warp's registers and predicates at a cycle, lane by lane: values, last writes, and pending
//! results.
//!
//! The machine computes a result when its instruction issues: a register with a pending result already holds
//! the new value.

use super::super::Mark;
use engine::ids::{Cycle, LaneMask, Pc, SlotIdx};
use engine::isa::{Program, Reg};
use engine::sim::view::{LaneStatus, ScoreboardEntry, ScoreboardTarget};
use engine::trace::{Frame, IssueRow};

/// Cycles before the current one to search for writes.
pub(in crate::scene) const WRITE_WINDOW: u64 = 1 << 15;
/// Lanes of a warp.
pub(super) const LANES: usize = 32;
/// Predicates of a lane.
const NUM_PREDICATES: usize = 7;

/// The last write of a lane's register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::scene) struct Write {
    pub(in crate::scene) cycle: u64,
    pub(in crate::scene) pc: Pc,
}

/// A register, a pair of them, or a predicate.
#[derive(Clone, Debug)]
pub(super) struct Row {
    /// `R6`, `R6:7`, `P0`.
    pub(super) name: String,
    /// Index of the register or predicate; of a pair, its first register.
    pub(super) idx: u8,
    pub(super) values: [u64; LANES],
    pub(super) wide: bool,
    /// Last write of each lane; `None`: no write in the search window.
    pub(super) writes: [Option<Write>; LANES],
    /// Lanes whose value differs from the cycle before.
    pub(super) changed: LaneMask,
    /// Lanes that the issuing instructions of this cycle write.
    pub(super) written: LaneMask,
    /// Lanes in which the issuing instructions of this cycle read the register.
    pub(super) read: LaneMask,
    /// Pending result.
    pub(super) pending: Option<ScoreboardEntry>,
    /// Result that becomes ready in this cycle.
    pub(super) arrives: Option<ScoreboardEntry>,
}

impl Row {
    /// The last write among all lanes.
    pub(super) fn last_write(&self) -> Option<Write> {
        self.writes
            .iter()
            .flatten()
            .copied()
            .max_by_key(|write| write.cycle)
    }
}

/// The state of a lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LaneState {
    /// At the warp's instruction.
    Active,
    /// Waiting at another instruction.
    Waits(LaneStatus),
    /// Exited, or without a thread of the block.
    Exited,
}

impl LaneState {
    pub(super) const fn mark(self) -> Mark {
        match self {
            Self::Active => Mark::Issue,
            Self::Exited => Mark::Idle,
            Self::Waits(LaneStatus::AtBarrier) => Mark::Barrier,
            Self::Waits(_) => Mark::Branch,
        }
    }
}

/// Registers and predicates of the warp in a slot.
#[derive(Clone, Debug)]
pub(super) struct Contents {
    pub(super) registers: Vec<Row>,
    pub(super) predicates: Vec<Row>,
    pub(super) lanes: [LaneState; LANES],
    /// Live lanes.
    pub(super) live: LaneMask,
    /// Issues of this cycle, in dispatch order.
    pub(super) issues: Vec<IssueRow>,
}

/// The values at one cycle.
struct Values {
    registers: Vec<[u32; LANES]>,
    predicates: [LaneMask; NUM_PREDICATES],
    scoreboard: Vec<ScoreboardEntry>,
}

fn values(frame: &Frame, slot: SlotIdx, cycle: Cycle) -> Option<Values> {
    frame.trace().with_machine(cycle, |machine| {
        let warp = machine.warp(slot)?;
        Some(Values {
            registers: (0..warp.num_registers)
                .filter_map(|reg| machine.register(slot, Reg(reg as u8)))
                .collect(),
            predicates: warp.predicates,
            scoreboard: warp.scoreboard,
        })
    })
}

/// Registers and predicates that the program uses, in order.
fn used(program: &Program) -> (Vec<u8>, Vec<u8>) {
    let (mut registers, mut predicates) = ([false; 256], [false; 8]);
    for instruction in &program.code {
        for range in instruction.sources().chain(instruction.destination()) {
            for reg in range.regs() {
                registers[usize::from(reg.0)] = true;
            }
        }
        for pred in instruction
            .predicate_sources()
            .chain(instruction.predicate_destination())
        {
            predicates[usize::from(pred.0 & 7)] = true;
        }
    }
    let list = |used: &[bool], most: usize| {
        used.iter()
            .take(most)
            .enumerate()
            .filter(|(_, used)| **used)
            .map(|(idx, _)| idx as u8)
            .collect()
    };
    (list(&registers, 255), list(&predicates, NUM_PREDICATES))
}

/// Registers that a program uses; with `pairs`, the even registers of the pairs that contain them.
pub fn registers_used(program: &Program, pairs: bool) -> Vec<u8> {
    let mut registers = used(program).0;
    if pairs {
        for reg in &mut registers {
            *reg &= !1;
        }
        registers.dedup();
    }
    registers
}

/// Last writes of registers and predicates, by lane.
pub(in crate::scene) struct Writes {
    registers: Vec<[Option<Write>; LANES]>,
    predicates: [[Option<Write>; LANES]; NUM_PREDICATES],
}

/// Searches the slot's issues backwards for the last writes, in growing windows.
fn last_writes(frame: &Frame, slot: SlotIdx, num_registers: usize, live: LaneMask) -> Writes {
    let mut writes = Writes {
        registers: vec![[None; LANES]; num_registers],
        predicates: [[None; LANES]; NUM_PREDICATES],
    };
    let now = frame.cycle().0;
    let since = frame
        .record()
        .tenancy(slot, frame.cycle())
        .map_or(now, |(since, _)| since.0)
        .max((now + 1).saturating_sub(WRITE_WINDOW));
    let (registers, predicates) = used(frame.trace().program());
    let mut missing = (registers.len() + predicates.len()) as u64 * u64::from(live.count());
    let (mut end, mut length) = (now + 1, 256);
    while end > since && missing > 0 {
        let start = end.saturating_sub(length).max(since);
        let rows: Vec<IssueRow> = frame
            .record()
            .issues_from(Cycle(start))
            .take_while(|row| row.cycle.0 < end)
            .filter(|row| row.slot == slot)
            .collect();
        for row in rows.iter().rev() {
            let Some(instruction) = frame.instruction(row.pc) else {
                continue;
            };
            let write = Write {
                cycle: row.cycle.0,
                pc: row.pc,
            };
            let mut note = |lanes: &mut [Option<Write>; LANES]| {
                for lane in row.executed.lanes() {
                    if lanes[lane as usize].is_none() {
                        lanes[lane as usize] = Some(write);
                        missing = missing.saturating_sub(1);
                    }
                }
            };
            for reg in instruction
                .destination()
                .into_iter()
                .flat_map(engine::isa::info::RegRange::regs)
            {
                if let Some(lanes) = writes.registers.get_mut(usize::from(reg.0)) {
                    note(lanes);
                }
            }
            if let Some(pred) = instruction.predicate_destination() {
                note(&mut writes.predicates[usize::from(pred.0)]);
            }
        }
        (end, length) = (start, length * 2);
    }
    writes
}

/// The lanes in which the given issues read, and write, a register or a predicate.
fn touched(frame: &Frame, issues: &[IssueRow], target: ScoreboardTarget) -> (LaneMask, LaneMask) {
    let (mut read, mut written) = (0, 0);
    for row in issues {
        let Some(instruction) = frame.instruction(row.pc) else {
            continue;
        };
        let (reads, writes) = match target {
            ScoreboardTarget::Register(reg) => (
                instruction
                    .sources()
                    .any(|range| range.regs().any(|other| other.0 == reg)),
                instruction
                    .destination()
                    .is_some_and(|range| range.regs().any(|other| other.0 == reg)),
            ),
            ScoreboardTarget::Predicate(pred) => (
                instruction.predicate_sources().any(|other| other.0 == pred),
                instruction
                    .predicate_destination()
                    .is_some_and(|other| other.0 == pred),
            ),
        };
        // A guard is read in all active lanes, other operands only in lanes with a true guard.
        let is_guard =
            matches!(target, ScoreboardTarget::Predicate(pred) if instruction.guard.pred.0 == pred);
        if reads {
            read |= if is_guard { row.active.0 } else { row.executed.0 };
        }
        if writes {
            written |= row.executed.0;
        }
    }
    (LaneMask(read), LaneMask(written))
}

fn differing(now: &[u64; LANES], before: &[u64; LANES]) -> LaneMask {
    let lanes = (0..LANES).filter(|lane| now[*lane] != before[*lane]);
    LaneMask(lanes.fold(0, |set, lane| set | 1 << lane))
}

impl Contents {
    /// The contents of the warp in a slot; `None` if no warp is resident. `pairs` reads two registers as one
    /// number.
    pub(super) fn of(frame: &Frame, slot: SlotIdx, pairs: bool) -> Option<Self> {
        // The previous cycle comes first, because the machine replays forwards.
        let before = (frame.cycle().0 > 0)
            .then(|| values(frame, slot, Cycle(frame.cycle().0 - 1)))
            .flatten()
            .filter(|_| {
                let since = frame.record().tenancy(slot, frame.cycle());
                since.is_some_and(|(since, _)| since < frame.cycle())
            });
        let now = values(frame, slot, frame.cycle())?;
        let view = frame.snapshot().warps.iter().find(|view| view.slot == slot)?;
        let live = LaneMask(!view.exited.0);
        let issues: Vec<IssueRow> = frame
            .record()
            .issues_at(frame.cycle())
            .filter(|row| row.slot == slot)
            .collect();
        let writes = last_writes(frame, slot, now.registers.len(), live);
        let (registers, predicates) = used(frame.trace().program());
        let scoreboard = |values: &Values, target: ScoreboardTarget| {
            values
                .scoreboard
                .iter()
                .find(|entry| entry.target == target)
                .copied()
        };
        let make = |target: ScoreboardTarget, name: String, of: &dyn Fn(&Values) -> [u64; LANES]| {
            let (read, written) = touched(frame, &issues, target);
            let pending = scoreboard(&now, target);
            let was = before.as_ref().and_then(|before| scoreboard(before, target));
            let values = of(&now);
            let (idx, writes) = match target {
                ScoreboardTarget::Register(reg) => (reg, writes.registers.get(usize::from(reg))),
                ScoreboardTarget::Predicate(pred) => (pred, writes.predicates.get(usize::from(pred))),
            };
            Row {
                name,
                idx,
                values,
                wide: false,
                writes: writes.copied().unwrap_or([None; LANES]),
                changed: before
                    .as_ref()
                    .map_or(LaneMask::EMPTY, |before| differing(&values, &of(before))),
                written,
                read,
                pending,
                arrives: was.filter(|was| pending.is_none() && was.ready <= frame.cycle()),
            }
        };
        let register = |reg: u8| {
            make(ScoreboardTarget::Register(reg), format!("R{reg}"), &|values| {
                let row = values.registers.get(usize::from(reg));
                row.map_or([0; LANES], |row| row.map(u64::from))
            })
        };
        let predicate = |pred: u8| {
            make(ScoreboardTarget::Predicate(pred), format!("P{pred}"), &|values| {
                let mask = values.predicates[usize::from(pred)];
                std::array::from_fn(|lane| u64::from(mask.contains(lane as u32)))
            })
        };
        let single: Vec<Row> = registers
            .iter()
            .filter(|reg| usize::from(**reg) < now.registers.len())
            .map(|reg| register(*reg))
            .collect();
        Some(Self {
            registers: if pairs { paired(single, register) } else { single },
            predicates: predicates.into_iter().map(predicate).collect(),
            lanes: std::array::from_fn(|lane| lane_state(view, lane as u32)),
            live,
            issues,
        })
    }
}

fn lane_state(view: &engine::sim::view::WarpView, lane: u32) -> LaneState {
    if view.exited.contains(lane) {
        return LaneState::Exited;
    }
    if view.active.contains(lane) {
        return LaneState::Active;
    }
    let group = view.groups.iter().find(|group| group.lanes.contains(lane));
    LaneState::Waits(group.map_or(LaneStatus::Running, |group| group.status))
}

/// Register pairs: each even register with the next odd register.
fn paired(single: Vec<Row>, register: impl Fn(u8) -> Row) -> Vec<Row> {
    let mut pairs: Vec<Row> = Vec::new();
    for row in single {
        let first = row.idx & !1;
        if pairs.last().is_some_and(|pair| pair.idx == first) {
            continue;
        }
        let (low, high) = (register(first), register(first + 1));
        let later = |one: Option<ScoreboardEntry>, other: Option<ScoreboardEntry>| {
            one.into_iter().chain(other).max_by_key(|entry| entry.ready)
        };
        let writes = std::array::from_fn(|lane| {
            let both = low.writes[lane].into_iter().chain(high.writes[lane]);
            both.max_by_key(|write| write.cycle)
        });
        pairs.push(Row {
            name: format!("R{first}:{}", first + 1),
            idx: first,
            values: std::array::from_fn(|lane| high.values[lane] << 32 | low.values[lane]),
            wide: true,
            writes,
            changed: LaneMask(low.changed.0 | high.changed.0),
            written: LaneMask(low.written.0 | high.written.0),
            read: LaneMask(low.read.0 | high.read.0),
            pending: later(low.pending, high.pending),
            arrives: later(low.arrives, high.arrives),
        });
    }
    pairs
}
