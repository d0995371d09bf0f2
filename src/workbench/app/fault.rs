//! The place where a run stopped before the kernel finished: cycle, line, warp, lane, block, thread, and address.

use super::{Effect, Event, Session, update};
use crate::scene::{capital, counted, thousands};
use crate::share::{Pane, View};
use engine::ids::{Cycle, LaneMask, Pc, SlotIdx, WarpId};
use engine::sim::{FaultKind, Outcome, WarpState};
use engine::trace::Trace;

/// Stages narrower than this, in CSS pixels, show the source alone.
const SPLIT_PX: f32 = 640.0;

/// Where a run stopped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FaultPlace {
    /// The cycle.
    pub cycle: u64,
    /// The instruction.
    pub pc: u32,
    /// Its source line, from 1; 0 if it has none.
    pub line: u32,
    /// The line in words.
    pub line_text: String,
    /// The warp's slot.
    pub slot: u16,
    /// The warp, by its number in the grid.
    pub warp: u32,
    /// The lanes.
    pub lanes: LaneMask,
    /// Coordinates of the block in the grid.
    pub block: Option<[u32; 3]>,
    /// Coordinates of the first lane's thread in the block.
    pub thread: Option<[u32; 3]>,
    /// The address of the first lane, for memory faults.
    pub address: Option<u64>,
}

impl FaultPlace {
    /// The place where a run stopped; `None` for a finished or a running kernel.
    fn of(trace: &Trace) -> Option<Self> {
        let (cycle, warp, pc, lanes, address) = match trace.outcome()? {
            Outcome::Finished => return None,
            Outcome::Fault(fault) => {
                let memory = matches!(fault.kind, FaultKind::OutOfBounds | FaultKind::Misaligned);
                (
                    fault.cycle,
                    fault.warp,
                    fault.pc,
                    fault.lanes,
                    memory.then_some(fault.address),
                )
            }
            Outcome::Deadlock { waiting, .. } => {
                let (warp, pc, lanes) = waiting.first().copied()?;
                (trace.last_cycle(), warp, pc, lanes, None)
            }
            Outcome::CycleBudget | Outcome::MemoryBudget => {
                let (warp, pc) = oldest_warp(trace)?;
                (trace.last_cycle(), warp, pc, LaneMask::EMPTY, None)
            }
        };
        let (slot, _) = trace.slot_of(warp)?;
        let line = trace.program().code.get(pc.0 as usize)?.span.line;
        let mut place = Self {
            cycle: cycle.0,
            pc: pc.0,
            line,
            line_text: trace.program().line_text(line),
            slot: slot.0,
            warp: warp.0,
            lanes,
            block: None,
            thread: None,
            address,
        };
        place.add_thread(trace);
        Some(place)
    }

    /// Adds the block and the thread of the warp.
    fn add_thread(&mut self, trace: &Trace) {
        let (slot, at) = (SlotIdx(self.slot), Cycle(self.cycle));
        let mut spans = trace.blocks().iter().rev();
        let Some(span) = spans.find(|span| span.started <= at && span.slots.contains(&slot)) else {
            return;
        };
        let coordinates = |idx: u32, [x, y, _]: [u32; 3]| [idx % x, idx / x % y, idx / (x * y)];
        self.block = Some(coordinates(span.block.0, trace.launch().grid));
        let warp = span.slots.iter().position(|of| *of == slot);
        if let (Some(warp), Some(lane)) = (warp, self.lanes.lanes().next()) {
            self.thread = Some(coordinates(warp as u32 * 32 + lane, trace.launch().block));
        }
    }

    /// `W05 at line 12, lane 3: thread (3, 0, 0) of block (1, 0, 0).`
    pub fn sentence(&self) -> String {
        let mut text = format!("W{:02}", self.warp);
        if self.line > 0 {
            text += &format!(" at {}", self.line_text);
        }
        let first = self.lanes.lanes().next();
        match (self.lanes.count(), first) {
            (0, _) | (_, None) => {}
            (1, Some(lane)) => text += &format!(", lane {lane}"),
            (num, Some(lane)) => {
                text += &format!(", {}, the first is lane {lane}", counted(num.into(), "lane"));
            }
        }
        let at = |[x, y, z]: [u32; 3]| format!("({x}, {y}, {z})");
        match (self.thread, self.block) {
            (Some(thread), Some(block)) => {
                text += &format!(": thread {} of block {}", at(thread), at(block));
            }
            (None, Some(block)) => text += &format!(", block {}", at(block)),
            _ => {}
        }
        if let Some(address) = self.address {
            text += &format!(", address 0x{address:x}");
        }
        text + "."
    }
}

/// The resident warp that has been in its slot the longest, and its instruction.
fn oldest_warp(trace: &Trace) -> Option<(WarpId, Pc)> {
    let last = trace.last_cycle();
    let slots = (0..trace.num_slots() as u16).map(SlotIdx);
    let resident = slots.filter_map(|slot| {
        let run = trace.run_at(slot, last)?;
        let (since, warp) = trace.tenancy(slot, last)?;
        (run.state != WarpState::Empty).then_some((since, warp, run.pc))
    });
    resident.min().map(|(_, warp, pc)| (warp, pc))
}

impl Session {
    /// The place where the active side's run stopped.
    pub fn fault_place(&self) -> Option<FaultPlace> {
        if self.shown_playground().is_some() {
            return None;
        }
        FaultPlace::of(self.derived().trace()?)
    }

    /// The name of the button that goes to the place where the run stopped.
    pub fn fault_button(&self) -> &'static str {
        match self.derived().trace().and_then(|trace| trace.outcome()) {
            Some(Outcome::Fault(fault)) if fault.kind.is_livelock() => "Go to the loop",
            Some(Outcome::Fault(_)) => "Go to the fault",
            Some(Outcome::Deadlock { .. }) => "Go to the deadlock",
            _ => "Go to the end",
        }
    }

    /// How the run ended, unless it finished normally: what happened, and where. `None` if the kernel or the launch has
    /// an error: the run was that of another one.
    pub fn outcome_sentence(&self) -> Option<String> {
        let has_error = self.derived().problems.iter().any(|problem| problem.fatal);
        if has_error || self.shown_playground().is_some() {
            return None;
        }
        let trace = self.derived().trace()?;
        let last = thousands(trace.last_cycle().0);
        let place = FaultPlace::of(trace).map_or_else(String::new, |place| format!(" {}", place.sentence()));
        let text = match trace.outcome()? {
            Outcome::Finished => return self.derived().finding().map(str::to_owned),
            Outcome::CycleBudget => {
                format!(
                    "The run stopped at cycle {last}: it reached the cycle limit. The oldest warp is{place}"
                )
            }
            Outcome::MemoryBudget => {
                format!(
                    "The run stopped at cycle {last}: its trace reached the memory limit. The oldest warp is{place}"
                )
            }
            Outcome::Fault(fault) if fault.kind.is_livelock() => format!(
                "The run stopped in cycle {}: it would never end. {} The loop is in{place}",
                thousands(fault.cycle.0),
                fault.message
            ),
            Outcome::Fault(fault) => format!(
                "The run ended with a fault in cycle {}. {}{place}",
                thousands(fault.cycle.0),
                fault.message
            ),
            Outcome::Deadlock { reason, .. } => {
                format!("The run ended in cycle {last} with a deadlock. {reason} The first to wait is{place}")
            }
        };
        Some(if self.is_estimated() {
            format!("The launch is {}. {text}", self.launch_word())
        } else {
            text
        })
    }
}

/// Goes to the place where the run stopped: its cycle, warp, and lane, with the source and the registers.
pub(super) fn go(session: &mut Session) -> Vec<Effect> {
    let Some(place) = session.fault_place() else {
        session.say("The run has no fault.");
        return Vec::new();
    };
    let mut effects = session.show_cycle(place.cycle);
    if session.active() != Pane::First && !session.is_comparing() {
        session.activate(Pane::First);
    }
    effects.extend(update(session, Event::View(View::Source)));
    let wide = session.ui.widths[session.active().idx()] >= SPLIT_PX;
    if wide && !session.is_comparing() && session.ui.split.is_none() {
        effects.extend(update(session, Event::Split(Some(View::Registers))));
        session.activate(Pane::First);
    }
    let state = &mut session.ui.state;
    state.slot = Some(SlotIdx(place.slot));
    state.lane = place.lanes.lanes().next().map(|lane| lane as u8);
    state.follows_warp = false;
    (state.top_line, state.top_pc) = (None, None);
    (state.line, state.pc) = (None, Some(place.pc));
    effects.push(Effect::ReplaceLink);
    effects.push(Effect::Announce(capital(&place.sentence())));
    effects
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::share::{Scenario, decode, encode};

    /// A session with the run of a kernel of one pointer argument, on a launch of 2 blocks of 64 threads.
    fn ran(arch: &str, source: &str) -> Session {
        let mut session = Session::new();
        let link = format!("v1;arch={arch};grid=2;block=64;args=out:i32*128:zero;maxcycles=200000");
        let scenario = Scenario {
            source: Some(source.to_owned()),
            ..decode(&link).scenario
        };
        update(&mut session, Event::Open(encode(&scenario)));
        update(&mut session, Event::Tick(1_000.0));
        while session.work(10_000) {}
        assert!(
            session.derived().trace().is_some(),
            "{:?}",
            session.derived().problems
        );
        session
    }

    /// Goes to the fault, and compares what is selected with the place.
    fn check(session: &mut Session, words: &[&str]) -> FaultPlace {
        let place = session.fault_place().expect("a place");
        let text = session.outcome_sentence().expect("a sentence");
        for word in words {
            assert!(text.contains(word), "{word} in: {text}");
        }
        update(session, Event::GoToFault);
        assert_eq!(session.cycle(), place.cycle);
        assert_eq!(
            (session.ui.view, session.ui.split),
            (View::Source, Some(View::Registers))
        );
        let state = session.view_state();
        assert_eq!((session.slot(), state.pc), (place.slot, Some(place.pc)));
        assert_eq!(state.lane, place.lanes.lanes().next().map(|lane| lane as u8));
        // The link leads there, too.
        let link = crate::share::encode(&session.link());
        for part in ["view=source", "split=registers", "pc="] {
            assert!(link.contains(part), "{part} in {link}");
        }
        place
    }

    #[test]
    fn an_illegal_address_leads_to_its_thread() {
        let source = "__global__ void f(int* out) {\n  int i = threadIdx.x;\n  if (i == 37 && blockIdx.x == 1)\n    out[1 << 28] = 1;\n}\n";
        let mut session = ran("tu102", source);
        let words = [
            "line 4",
            "lane 5",
            "thread (37, 0, 0) of block (1, 0, 0)",
            "address 0x",
            "fault in cycle",
        ];
        let place = check(&mut session, &words);
        assert_eq!((place.line, place.warp), (4, 3));
        assert_eq!(session.fault_button(), "Go to the fault");
    }

    #[test]
    fn a_misaligned_address_leads_to_its_thread() {
        let source = "__global__ void f(int* out) {\n  *(int*)((char*)out + 2) = 1;\n}\n";
        let mut session = ran("gp104", source);
        let place = check(
            &mut session,
            &["line 2", "not a multiple of 4", "32 lanes, the first is lane 0"],
        );
        assert!(place.address.is_some_and(|address| address % 4 == 2));
    }

    #[test]
    fn a_trap_and_an_assertion_lead_to_their_lanes() {
        let trap = "__global__ void f(int* out) {\n  if (threadIdx.x == 33)\n    __trap();\n}\n";
        let place = check(
            &mut ran("gv100", trap),
            &["line 3", "lane 1", "thread (33, 0, 0) of block"],
        );
        assert_eq!(place.address, None);
        let assertion =
            "#include <cassert>\n__global__ void f(int* out) {\n  assert(threadIdx.x != 40);\n}\n";
        check(
            &mut ran("tu102", assertion),
            &["line 3", "lane 8", "thread (40, 0, 0) of block"],
        );
    }

    #[test]
    fn a_stack_overflow_leads_to_its_call() {
        let source = "__device__ __noinline__ int g(int n) {\n  return n > 0 ? g(n - 1) + g(n - 2) : n;\n}\n__global__ void f(int* out) {\n  out[threadIdx.x] = g(100000);\n}\n";
        check(
            &mut ran("tu102", source),
            &["fault in cycle", "line ", "of block"],
        );
    }

    #[test]
    fn a_barrier_that_lanes_never_reach_leads_to_the_warps_that_wait() {
        let source = "__global__ void f(int* out) {\n  if (threadIdx.x < 32)\n    while (((volatile int*)out)[0] == 0) {}\n  __syncthreads();\n}\n";
        let mut session = ran("tu102", source);
        check(&mut session, &["of block (0, 0, 0)"]);
    }

    #[test]
    fn a_loop_that_never_ends_leads_to_its_line() {
        let source = "__global__ void f(int* out) {\n  while (((volatile int*)out)[0] == 0) {}\n}\n";
        let mut session = ran("gp104", source);
        check(&mut session, &["would never end", "line 2", "The loop is in W"]);
        assert_eq!(session.fault_button(), "Go to the loop");
    }

    #[test]
    fn the_cycle_limit_leads_to_the_oldest_warp() {
        let source = "__global__ void f(int* out) {\n  for (int i = 0; i < 1000000; i++)\n    out[threadIdx.x] += i;\n}\n";
        let mut session = ran("tu102", source);
        check(
            &mut session,
            &["it reached the cycle limit", "The oldest warp is W00 at line"],
        );
        assert_eq!(session.fault_button(), "Go to the end");
    }

    #[test]
    fn the_end_of_a_run_is_not_that_of_a_launch_with_an_error() {
        let source = "__global__ void f(int* out) {\n  out[threadIdx.x + 1000000] = 1;\n}\n";
        let mut session = ran("tu102", source);
        assert!(session.outcome_sentence().is_some());
        update(
            &mut session,
            Event::Launch(crate::app::LaunchField::Block, "2048".to_owned()),
        );
        while session.work(10_000) {}
        assert!(session.sentence(None).contains("exceed the limit"));
        assert_eq!(session.outcome_sentence(), None);
    }

    #[test]
    fn a_finished_run_has_no_place() {
        let mut session = ran(
            "tu102",
            "__global__ void f(int* out) {\n  out[threadIdx.x] = 1;\n}\n",
        );
        assert_eq!((session.fault_place(), session.outcome_sentence()), (None, None));
        update(&mut session, Event::GoToFault);
        assert_eq!(session.ui.view, View::Sm);
    }
}
