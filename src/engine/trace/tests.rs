//! The columns compared with a plain log of the same events.

use proptest::prelude::*;

use super::record::{Direction, Record};
use super::recorder::Recorder;
use super::wire::{Opened, Parts};
use crate::ids::{BlockId, Cycle, LaneMask, Pc, SlotIdx, WarpId};
use crate::sim::{Access, Issue, MemoryLevel, RequestKind, Sink, WarpState};

const SLOTS: usize = 4;
const SCHEDULERS: usize = 2;
const CODE: usize = 300;

/// All columns of a recorder, flushed at once.
fn record(mut recorder: Recorder, end: Cycle) -> Record {
    let (num_slots, num_instructions) = recorder.size();
    let schedulers = if num_slots == SLOTS { SCHEDULERS } else { 1 };
    let mut record = Record::new(num_slots, num_instructions, schedulers, 1);
    flush(&mut recorder, &mut record, end);
    record
}

fn flush(recorder: &mut Recorder, record: &mut Record, end: Cycle) {
    let mut parts = Parts::new();
    recorder.flush(end, &mut parts);
    let segment = parts.seal();
    let mut opened = Opened::new(&segment).unwrap();
    record.append(end, &mut opened);
    assert!(opened.is_good());
}

/// The events cycle by cycle, in the simplest form.
#[derive(Clone, Debug, Default)]
struct Log {
    states: Vec<[(WarpState, u32); SLOTS]>,
    issues: Vec<(u64, Issue)>,
}

/// A synthetic machine: each step has a slot, a state number, a pc, and a duration.
fn play(script: &[(u8, u8, u16, u8)]) -> (Record, Log) {
    let mut recorder = Recorder::new(SLOTS, CODE);
    let mut log = Log::default();
    let mut now = [(WarpState::Empty, 0u32); SLOTS];
    let mut cycle = 0u64;
    let slots: Vec<SlotIdx> = (0..SLOTS as u16).map(SlotIdx).collect();
    recorder.block_started(Cycle(0), BlockId(3), &slots);
    for (slot, state, pc, wait) in script {
        let idx = usize::from(*slot) % SLOTS;
        let state = WarpState::ALL[usize::from(*state) % WarpState::ALL.len()];
        let pc = u32::from(*pc) % CODE as u32;
        // A warp that issued has another state in the next cycle.
        for (at, held) in now.iter_mut().enumerate() {
            if held.0 == WarpState::Selected {
                *held = (WarpState::Wait, held.1);
                recorder.state(Cycle(cycle), SlotIdx(at as u16), held.0, Pc(held.1));
            }
        }
        now[idx] = (state, pc);
        recorder.state(Cycle(cycle), SlotIdx(idx as u16), state, Pc(pc));
        if state == WarpState::Selected {
            let active = LaneMask(u32::from(*wait).wrapping_mul(0x0101_0101) | 1);
            let issue = Issue {
                slot: SlotIdx(idx as u16),
                warp: WarpId(12 + idx as u32),
                scheduler: (idx % SCHEDULERS) as u8,
                dispatch: 0,
                pc: Pc(pc),
                active: if wait % 2 == 0 { LaneMask::FULL } else { active },
                executed: if wait % 3 == 0 { LaneMask(1) } else { active },
                diverged: wait % 5 == 0,
            };
            recorder.issue(Cycle(cycle), &issue);
            log.issues.push((cycle, issue));
        }
        let steps = if state == WarpState::Selected {
            1
        } else {
            u64::from(*wait) + 1
        };
        for step in 0..steps {
            if step > 0 {
                for (at, held) in now.iter_mut().enumerate() {
                    if held.0 == WarpState::Selected {
                        *held = (WarpState::Wait, held.1);
                        recorder.state(Cycle(cycle + step), SlotIdx(at as u16), held.0, Pc(held.1));
                    }
                }
            }
            log.states.push(now);
        }
        cycle += steps;
    }
    (record(recorder, Cycle(cycle)), log)
}

fn script() -> impl Strategy<Value = Vec<(u8, u8, u16, u8)>> {
    let state = prop_oneof![Just(1u8), any::<u8>()];
    prop::collection::vec((any::<u8>(), state, any::<u16>(), any::<u8>()), 1..400)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn states_equal_the_reported_ones(script in script(), seeks in prop::collection::vec(any::<u64>(), 20)) {
        let (record, log) = play(&script);
        prop_assert_eq!(record.num_cycles(), log.states.len() as u64);
        for seek in seeks {
            let cycle = seek % record.num_cycles();
            for slot in 0..SLOTS {
                let run = record.run_at(SlotIdx(slot as u16), Cycle(cycle)).unwrap();
                let (state, pc) = log.states[cycle as usize][slot];
                prop_assert_eq!(run.state, state);
                prop_assert!(run.start.0 <= cycle && cycle < run.end.0);
                if state != WarpState::Empty {
                    prop_assert_eq!(run.pc, Pc(pc));
                }
            }
        }
    }

    #[test]
    fn runs_cover_all_cycles_once(script in script()) {
        let (record, log) = play(&script);
        for slot in 0..SLOTS as u16 {
            let mut at = 0;
            for run in record.runs_from(SlotIdx(slot), Cycle(0)) {
                prop_assert_eq!(run.start.0, at);
                prop_assert!(run.end > run.start);
                at = run.end.0;
            }
            prop_assert_eq!(at, log.states.len() as u64);
        }
    }

    #[test]
    fn sums_by_state_equal_a_count(script in script(), a in any::<u64>(), b in any::<u64>()) {
        let (record, log) = play(&script);
        let (a, b) = (a % (record.num_cycles() + 1), b % (record.num_cycles() + 1));
        let (from, to) = (a.min(b), a.max(b));
        let mut count = [0u64; WarpState::ALL.len()];
        for row in &log.states[from as usize..to as usize] {
            count[row[2].0 as usize] += 1;
        }
        prop_assert_eq!(record.states_between(Some(SlotIdx(2)), Cycle(from), Cycle(to)), count);
        let all = record.states_between(None, Cycle(from), Cycle(to));
        prop_assert_eq!(all.iter().sum::<u64>(), (to - from) * SLOTS as u64);
    }

    #[test]
    fn issues_equal_the_reported_ones(script in script(), seek in any::<u64>()) {
        let (record, log) = play(&script);
        let got: Vec<_> = record.issues_from(Cycle(0)).collect();
        prop_assert_eq!(got.len(), log.issues.len());
        for (row, (cycle, issue)) in got.iter().zip(&log.issues) {
            prop_assert_eq!(row.cycle.0, *cycle);
            prop_assert_eq!((row.slot, row.pc, row.active, row.executed, row.diverged, row.scheduler),
                (issue.slot, issue.pc, issue.active, issue.executed, issue.diverged, issue.scheduler));
        }
        let at = seek % record.num_cycles();
        let next = log.issues.iter().find(|(cycle, _)| *cycle > at).map(|(cycle, _)| *cycle);
        let previous = log.issues.iter().rfind(|(cycle, _)| *cycle < at).map(|(cycle, _)| *cycle);
        prop_assert_eq!(record.issue(Cycle(at), Direction::Forward, None).map(|row| row.cycle.0), next);
        prop_assert_eq!(record.issue(Cycle(at), Direction::Backward, None).map(|row| row.cycle.0), previous);
        let slot = SlotIdx(1);
        let of_slot = log.issues.iter().rfind(|(cycle, issue)| *cycle < at && issue.slot == slot).map(|(cycle, _)| *cycle);
        prop_assert_eq!(record.issue(Cycle(at), Direction::Backward, Some(slot)).map(|row| row.cycle.0), of_slot);
    }

    #[test]
    fn stalls_start_where_issues_end(script in script(), seek in any::<u64>()) {
        let (record, log) = play(&script);
        let num = record.num_cycles();
        let issued: Vec<bool> = (0..num).map(|cycle| log.issues.iter().any(|(at, _)| *at == cycle)).collect();
        let start = |cycle: u64| !issued[cycle as usize] && cycle > 0 && issued[cycle as usize - 1];
        let at = seek % num;
        let next = (at + 1..num).find(|cycle| start(*cycle)).map(Cycle);
        prop_assert_eq!(record.stall(Cycle(at), Direction::Forward, None), next);
        let previous = (0..at).rev().find(|cycle| start(*cycle) || *cycle == 0 && !issued[0]).map(Cycle);
        prop_assert_eq!(record.stall(Cycle(at), Direction::Backward, None), previous);
    }

    #[test]
    fn changes_are_found_in_both_directions(script in script(), seek in any::<u64>()) {
        let (record, log) = play(&script);
        let num = record.num_cycles();
        let at = seek % num;
        let slot = SlotIdx(0);
        let change = |cycle: &u64| *cycle == 0 || log.states[*cycle as usize][0] != log.states[*cycle as usize - 1][0]
            || log.states[*cycle as usize][0].0 == WarpState::Selected;
        let next = (at + 1..num).find(change);
        prop_assert_eq!(record.change(slot, Cycle(at), Direction::Forward).map(|run| run.start.0), next);
        let previous = (0..at).rev().find(change);
        prop_assert_eq!(record.change(slot, Cycle(at), Direction::Backward).map(|run| run.start.0), previous);
    }

    #[test]
    fn density_keeps_every_slot_cycle(script in script(), num in 1usize..50) {
        let (record, log) = play(&script);
        let columns = record.density(Cycle(0), Cycle(record.num_cycles()), num);
        let sum: u64 = columns.iter().flat_map(|column| column.states).sum();
        prop_assert_eq!(sum, log.states.len() as u64 * SLOTS as u64);
        let issues: u64 = columns.iter().map(|column| column.issue_cycles).sum();
        prop_assert_eq!(issues, log.issues.len() as u64);
        for column in columns {
            let mut count = [0u64; WarpState::ALL.len()];
            for row in &log.states[column.start.0 as usize..column.end.0 as usize] {
                for slot in row {
                    count[slot.0 as usize] += 1;
                }
            }
            prop_assert_eq!(column.states, count);
        }
    }

    #[test]
    fn tallies_add_up(script in script()) {
        let (record, log) = play(&script);
        let total = record.total();
        prop_assert_eq!(total.issued, log.issues.len() as u64);
        let executed: u64 = log.issues.iter().map(|(_, issue)| u64::from(issue.executed.count())).sum();
        prop_assert_eq!(total.threads_executed, executed);
        let busy = log.states.iter().flatten().filter(|slot| slot.0 != WarpState::Empty).count() as u64;
        prop_assert_eq!(total.states.iter().sum::<u64>(), busy);
    }
}

#[test]
fn a_long_run_halves_its_density() {
    let mut recorder = Recorder::new(1, 1);
    let end = 40_000_000;
    for at in (0..end).step_by(10_000) {
        let state = if at / 10_000 % 2 == 0 {
            WarpState::Wait
        } else {
            WarpState::Barrier
        };
        recorder.state(Cycle(at), SlotIdx(0), state, Pc(0));
    }
    let record = record(recorder, Cycle(end));
    assert!(record.num_bytes() < 20_000_000);
    let columns = record.density(Cycle(0), Cycle(end), 100);
    let sum: u64 = columns
        .iter()
        .map(|column| column.states[WarpState::Barrier as usize])
        .sum();
    assert_eq!(sum, end / 2);
}

#[test]
fn issue_bits_are_the_issues_of_the_last_cycles() {
    let (record, _) = play(&[(0, 1, 0, 0), (1, 1, 1, 0), (0, 3, 2, 3), (0, 1, 2, 0)]);
    // Cycle 0: scheduler 0. Cycle 1: scheduler 1. Four cycles without an issue. Cycle 6: scheduler 0.
    assert_eq!(record.issue_bits(Cycle(6)), vec![0b100_0001, 0b10_0000]);
    assert_eq!(record.issue_bits(Cycle(1)), vec![0b10, 0b01]);
    assert_eq!(record.stall(Cycle(0), Direction::Forward, None), Some(Cycle(2)));
}

fn access(slot: u16, issued: u64, started: u64, wavefronts: u16) -> Access {
    Access {
        slot: SlotIdx(slot),
        warp: WarpId(u32::from(slot)),
        pc: Pc(7),
        issued: Cycle(issued),
        started: Cycle(started),
        done: Cycle(started + 20 + u64::from(wavefronts)),
        kind: RequestKind::SharedLoad,
        width_bits: 32,
        mask: LaneMask::FULL,
        addresses: [0; 32],
        wavefronts,
        ideal_wavefronts: 1,
        requests: 0,
        sectors: 0,
        transactions: 0,
        bytes: 0,
        l1_hits: 0,
        l2_hits: 0,
        level: MemoryLevel::Shared,
    }
}

#[test]
fn the_access_in_service_is_found() {
    let mut recorder = Recorder::new(SLOTS, CODE);
    recorder.access(Cycle(12), &access(0, 10, 12, 4));
    recorder.access(Cycle(13), &access(1, 11, 16, 1));
    let record = record(recorder, Cycle(100));
    assert_eq!(record.shared_access_at(Cycle(11), 1), None);
    assert_eq!(record.shared_access_at(Cycle(12), 1), Some(0));
    assert_eq!(record.shared_access_at(Cycle(15), 1), Some(0));
    assert_eq!(record.shared_access_at(Cycle(16), 1), Some(1));
    assert_eq!(record.shared_access_at(Cycle(17), 1), None);
    assert_eq!(record.shared_access_at(Cycle(17), 2), Some(1));
    assert_eq!(record.shared_access_before(Cycle(50)), Some(1));
    assert_eq!(record.shared_access_after(Cycle(12)), Some(1));
    assert_eq!(record.access_of_slot(SlotIdx(0), Cycle(9)), None);
    assert_eq!(record.access_of_slot(SlotIdx(0), Cycle(10)), Some(0));
    assert_eq!(record.accesses_in_flight(Cycle(20), 50).count(), 2);
    assert_eq!(
        record
            .tally(Pc(7))
            .unwrap()
            .of_kind(RequestKind::SharedLoad)
            .wavefronts,
        5
    );
}
