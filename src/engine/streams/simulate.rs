//! The simulation of host programs, from event to event.

mod flows;
mod host;
mod sharing;
mod peers;
mod paces;
mod starts;
mod turns;

use std::collections::BTreeMap;

use super::calls::{CallKind, CopyEnd};
use super::order::{Needs, needs};
use super::queues::{Gpu, Sms, Turn};
use super::trace::{Failure, Span, StreamsTrace, Wait, WaitReason};
use super::{Options, Process, Work};
use crate::arch::{Architecture, Host};
use flows::Flow;
use host::Thread;
use sharing::Capacity;

/// The state of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// The host has not called it, or it is no operation.
    Uncalled,
    /// It travels to the GPU, or waits there.
    Waits,
    /// It runs.
    Runs,
    /// It has ended, or will never run.
    Ended,
}

/// An operation.
#[derive(Debug)]
struct Op {
    process: u8,
    gpu: u8,
    stream: u32,
    kind: CallKind,
    /// Operations, by index among all, and why.
    needs: Needs,
    state: State,
    available_ns: u64,
    /// The current reason to wait, the span that it waits for, and since when.
    waits: Option<(WaitReason, Option<u32>, u64)>,
    /// Of a launch: blocks that have not started, and blocks that have not ended.
    unstarted: u32,
    unended: u32,
    sms: Vec<bool>,
    resident: u32,
}

/// The simulation.
struct Simulator<'a> {
    arch: &'a Architecture,
    host: Host,
    works: &'a [Work],
    options: Options,
    ops: Vec<Op>,
    /// The first operation of each process.
    firsts: Vec<usize>,
    threads: Vec<Thread>,
    gpus: Vec<Gpu>,
    flows: Vec<Flow>,
    /// Records and waits for events that have not ended.
    instants: Vec<usize>,
    /// Before 3.5: an operation, and the launch before it in its stream, which has not ended.
    checks: Vec<(usize, usize)>,
    now: u64,
    num_blocks: u64,
    trace: StreamsTrace,
    /// SMs that each process can use: the first one, and their number.
    allowed: Vec<(u16, u16)>,
    peers: BTreeMap<(u8, u8), u64>,
    capacity: Capacity,
    /// Whether any launch accesses the memory of another GPU.
    has_peers: bool,
}

/// Runs host programs on a computer. `works`: the launches that the calls name.
pub fn simulate(
    arch: &Architecture,
    processes: &[Process],
    works: &[Work],
    options: Options,
) -> StreamsTrace {
    let mut simulator = Simulator::new(arch, processes, works, options);
    simulator.run(processes);
    simulator.trace
}

impl<'a> Simulator<'a> {
    fn new(arch: &'a Architecture, processes: &[Process], works: &'a [Work], options: Options) -> Self {
        let host = arch.host();
        let mut ops = Vec::new();
        let mut firsts = Vec::new();
        let mut spans = Vec::new();
        for (idx, process) in processes.iter().enumerate() {
            let first = ops.len();
            firsts.push(first);
            for (at, (call, needs)) in process.calls.iter().zip(needs(process)).enumerate() {
                let num_blocks = match call.kind {
                    CallKind::Launch(work) => works.get(work as usize).map_or(0, |work| work.num_blocks),
                    _ => 0,
                };
                let needs = needs.into_iter().map(|(call, why)| (call + first as u32, why));
                ops.push(Op {
                    process: idx as u8,
                    gpu: call.gpu,
                    stream: call.stream,
                    kind: call.kind,
                    needs: needs.collect(),
                    state: State::Uncalled,
                    available_ns: 0,
                    waits: None,
                    unstarted: num_blocks,
                    unended: num_blocks,
                    sms: Vec::new(),
                    resident: 0,
                });
                spans.push(Span {
                    process: idx as u8,
                    call: at as u32,
                    ..Span::default()
                });
            }
        }
        let num_gpus = usize::from(options.computer.num_gpus());
        let num_sms = usize::from(arch.chip.num_sms.value);
        let order = arch.block_order(num_sms, num_sms);
        let shared = options.service || processes.len() <= 1;
        let gpu = || Gpu {
            sms: Sms::new(order.clone()),
            contexts: BTreeMap::new(),
            queues: BTreeMap::new(),
            engines: [None; 4],
            has_changed: false,
            kernels: Vec::new(),
            turn: if shared { Turn::Shared } else { Turn::Free(None) },
            turn_ns: 0,
        };
        let sms = if options.service && host.sharing.mps_is_direct.value && options.percent < 100 {
            arch.sms_of_percent(options.percent.into())
        } else {
            arch.chip.num_sms.value
        };
        Self {
            arch,
            host,
            works,
            options,
            ops,
            firsts,
            threads: processes.iter().map(|_| Thread::default()).collect(),
            gpus: (0..num_gpus).map(|_| gpu()).collect(),
            flows: Vec::new(),
            instants: Vec::new(),
            checks: Vec::new(),
            now: 0,
            num_blocks: 0,
            trace: StreamsTrace {
                spans,
                resident: vec![vec![(0, 0)]; num_gpus],
                ..StreamsTrace::default()
            },
            // Assumption: clients with a limit get SMs one after the other, so that they overlap as late as possible.
            allowed: (0..processes.len())
                .map(|idx| {
                    (
                        (idx as u64 * u64::from(sms) % u64::from(arch.chip.num_sms.value)) as u16,
                        sms,
                    )
                })
                .collect(),
            peers: BTreeMap::new(),
            capacity: Capacity::of(arch),
            has_peers: works.iter().any(|work| !work.peers.is_empty()),
        }
    }

    /// The context of a process: before Volta, the clients of the service share one.
    fn context_of(&self, process: u8) -> u8 {
        if self.options.service && !self.host.sharing.mps_is_direct.value {
            0
        } else {
            process
        }
    }

    fn run(&mut self, processes: &[Process]) {
        self.refuse_clients();
        loop {
            // Everything that happens at this time.
            loop {
                let mut changed = self.end_blocks();
                changed |= self.end_flows();
                changed |= self.run_hosts(processes);
                changed |= self.end_instants();
                changed |= self.take_turns();
                changed |= self.start_queued();
                changed |= self.start_blocks();
                if !changed {
                    break;
                }
            }
            self.record_resident();
            self.set_paces();
            let Some(next) = self.next_event() else { break };
            self.advance_flows(next);
            self.now = next;
        }
        for process in 0..self.threads.len() {
            if !self.threads[process].is_done {
                self.fail(process as u8, Failure::Deadlock);
            }
        }
        self.close_turns();
        self.trace.end_ns = self
            .trace
            .spans
            .iter()
            .map(|span| span.end_ns.max(span.returned_ns))
            .max()
            .unwrap_or(0);
    }

    /// Clients that the service does not accept.
    fn refuse_clients(&mut self) {
        if !self.options.service {
            return;
        }
        let most = usize::from(self.host.sharing.mps_clients.value);
        for process in 0..self.threads.len() {
            if process >= most {
                let why = if most == 0 {
                    Failure::NoService
                } else {
                    Failure::TooManyClients
                };
                self.fail(process as u8, why);
            }
        }
    }

    /// The time of the next event, if any.
    fn next_event(&self) -> Option<u64> {
        let mut next: Option<u64> = None;
        let mut offer = |time: u64| {
            if time > self.now {
                next = Some(next.map_or(time, |next| next.min(time)));
            }
        };
        for thread in &self.threads {
            if !thread.is_done && !thread.is_blocked() {
                offer(thread.at_ns);
            }
        }
        for gpu in &self.gpus {
            for context in gpu.contexts.values() {
                context.next_end().into_iter().for_each(&mut offer);
            }
            match gpu.turn {
                Turn::Runs(_, end) | Turn::Switches(_, end) => offer(end),
                Turn::Shared | Turn::Free(_) => {}
            }
            for queue in gpu.queues.values() {
                queue.front().into_iter().for_each(|op| offer(self.ready_ns(*op)));
            }
        }
        for op in &self.instants {
            offer(self.ready_ns(*op));
        }
        self.flow_events(&mut offer);
        next
    }

    /// The time from which an operation may start, if all that it needs has ended: its arrival, and the gap after each
    /// operation that it needs.
    fn ready_ns(&self, op: usize) -> u64 {
        let mut ready = self.ops[op].available_ns;
        for (need, why) in &self.ops[op].needs {
            if self.ops[*need as usize].state == State::Ended {
                ready = ready.max(self.trace.spans[*need as usize].end_ns + self.gap_ns(op, *why));
            }
        }
        ready
    }

    /// The time between an operation and one that it needs. What an event adds is before the wait for it, so the
    /// operation after the wait has the whole gap.
    fn gap_ns(&self, op: usize, why: WaitReason) -> u64 {
        let gap = self.host.gap_ns.value;
        match (self.ops[op].kind, why) {
            (_, WaitReason::Event) => u64::from(self.host.event_gap_ns.value - gap),
            (CallKind::Record(_) | CallKind::StreamWait(_), _) => 0,
            _ => gap.into(),
        }
    }

    /// Notes why an operation waits.
    fn wait(&mut self, op: usize, reason: WaitReason, on: Option<usize>) {
        let on = on.map(|on| on as u32);
        if let Some((old, old_on, since)) = self.ops[op].waits {
            if (old, old_on) == (reason, on) {
                return;
            }
            self.close_wait(op, old, old_on, since);
        }
        self.ops[op].waits = Some((reason, on, self.now));
    }

    fn close_wait(&mut self, op: usize, reason: WaitReason, on: Option<u32>, since: u64) {
        if since < self.now {
            self.trace.spans[op].waits.push(Wait {
                reason,
                on,
                from_ns: since,
                to_ns: self.now,
            });
        }
    }

    /// Starts an operation.
    fn begin(&mut self, op: usize) {
        if let Some((reason, on, since)) = self.ops[op].waits.take() {
            self.close_wait(op, reason, on, since);
        }
        self.ops[op].state = State::Runs;
        self.trace.spans[op].start_ns = self.now;
    }

    /// Ends an operation.
    fn finish(&mut self, op: usize) {
        self.ops[op].state = State::Ended;
        self.trace.spans[op].end_ns = self.now;
        self.checks.retain(|(_, launch)| *launch != op);
        let Op {
            gpu, process, kind, ..
        } = self.ops[op];
        self.gpus[usize::from(gpu)].kernels.retain(|kernel| *kernel != op);
        if let CallKind::Launch(_) = kind
            && self.options.fault == Some(process)
        {
            self.fault(process, op, Failure::OwnFault);
        }
    }

    /// A fatal fault of a process: with the service, of all clients (measured on an H100, and the service's
    /// documentation, 3.2).
    fn fault(&mut self, process: u8, op: usize, why: Failure) {
        self.trace.spans[op].failed = true;
        self.fail(process, why);
        if self.options.service {
            for other in 0..self.threads.len() as u8 {
                if other != process {
                    self.fail(other, Failure::FaultOfAnother(process));
                }
            }
        }
    }

    /// Ends a process and all its operations.
    fn fail(&mut self, process: u8, why: Failure) {
        let is_open = |op: &Op| op.process == process && matches!(op.state, State::Waits | State::Runs);
        let thread = &mut self.threads[usize::from(process)];
        // The operations of a program can go on after its end.
        if thread.is_done && !self.ops.iter().any(is_open) {
            return;
        }
        thread.is_done = true;
        self.trace.failures.push((process, why, self.now));
        let is_own: Vec<bool> = self.ops.iter().map(|op| op.process == process).collect();
        for (idx, op) in self.ops.iter_mut().enumerate() {
            if !is_own[idx] || op.state == State::Ended {
                continue;
            }
            if op.state == State::Runs {
                self.trace.spans[idx].end_ns = self.now;
                self.trace.spans[idx].failed = true;
            }
            if let Some((reason, on, since)) = op.waits.take()
                && since < self.now
            {
                self.trace.spans[idx].waits.push(Wait {
                    reason,
                    on,
                    from_ns: since,
                    to_ns: self.now,
                });
            }
            op.state = State::Ended;
        }
        for gpu in &mut self.gpus {
            for context in gpu.contexts.values_mut() {
                for (op, sm) in context.remove(|op| is_own[op]) {
                    if let CallKind::Launch(work) = self.ops[op].kind {
                        gpu.sms.free(&self.works[work as usize], sm);
                    }
                }
            }
            for queue in gpu.queues.values_mut() {
                queue.retain(|op| !is_own[*op]);
            }
            gpu.has_changed = true;
            gpu.kernels.retain(|op| !is_own[*op]);
            for engine in &mut gpu.engines {
                engine.take_if(|op| is_own[*op]);
            }
        }
        self.flows.retain(|flow| !is_own[flow.op]);
        self.instants.retain(|op| !is_own[*op]);
        self.checks.retain(|(op, _)| !is_own[*op]);
    }

    fn record_resident(&mut self) {
        for (gpu, record) in self.gpus.iter().zip(&mut self.trace.resident) {
            let num = gpu.sms.num_resident;
            match record.last_mut() {
                Some((at, last)) if *at == self.now => *last = num,
                Some((_, last)) if *last == num => {}
                _ => record.push((self.now, num)),
            }
        }
    }

    /// The copy engine of a copy; `None` for a copy within a GPU, which runs like a kernel on the SMs' side.
    fn engine_of(&self, kind: CallKind) -> Option<u8> {
        let CallKind::Copy { from, to, .. } = kind else {
            return None;
        };
        let last = self.host.copy_engines.value.clamp(1, 3) - 1;
        match (from, to) {
            (CopyEnd::Gpu(a), CopyEnd::Gpu(b)) if a == b => None,
            (CopyEnd::Gpu(_), CopyEnd::Gpu(_)) => Some(last.min(2)),
            (CopyEnd::Gpu(_), _) => Some(last.min(1)),
            _ => Some(0),
        }
    }
}
