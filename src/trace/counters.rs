//! Totals of a run under the names that Nsight Compute gives them.

use serde::Serialize;

use super::Trace;
use super::tally::{AccessTally, PcTally};
use crate::arch::{Limiter, PipeKind};
use crate::ids::Cycle;
use crate::isa::{Instruction, Op, PredSrc, Space};
use crate::sim::{RequestKind, WarpState};

/// One total of a run.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Counter {
    /// Nsight Compute's name; those with `warpscope__` have no counterpart there.
    pub name: String,
    /// The value.
    pub value: f64,
    /// Its unit.
    pub unit: &'static str,
    /// What it counts.
    pub note: &'static str,
}

/// The part of Nsight Compute's stall metric names that says the state.
pub(super) const fn stall_name(state: WarpState) -> &'static str {
    match state {
        WarpState::Empty => "empty",
        WarpState::Selected => "selected",
        WarpState::NotSelected => "not_selected",
        WarpState::Wait => "wait",
        WarpState::MathPipeThrottle => "math_pipe_throttle",
        WarpState::ShortScoreboard => "short_scoreboard",
        WarpState::LongScoreboard => "long_scoreboard",
        WarpState::MioThrottle => "mio_throttle",
        WarpState::LgThrottle => "lg_throttle",
        WarpState::TexThrottle => "tex_throttle",
        WarpState::Barrier => "barrier",
        WarpState::Membar => "membar",
        WarpState::BranchResolving => "branch_resolving",
        WarpState::NoInstruction => "no_instruction",
        WarpState::ImcMiss => "imc_miss",
        WarpState::DispatchStall => "dispatch_stall",
        WarpState::Sleeping => "sleeping",
        WarpState::Drain => "drain",
        WarpState::Misc => "misc",
    }
}

/// Nsight Compute's metric of a state: warps in it for each issue.
pub fn stall_metric(state: WarpState) -> String {
    format!(
        "smsp__average_warps_issue_stalled_{}_per_issue_active.ratio",
        stall_name(state)
    )
}

const fn pipe_name(kind: PipeKind) -> &'static str {
    match kind {
        PipeKind::Fp32 => "fma",
        PipeKind::Int32 => "alu",
        PipeKind::Fp64 => "fp64",
        PipeKind::Xu => "xu",
        PipeKind::Lsu => "lsu",
        PipeKind::Adu => "adu",
        PipeKind::Branch => "cbu",
        PipeKind::Tensor => "tensor",
        PipeKind::Fp16 => "fp16",
    }
}

/// Groups of Nsight Compute's `smsp__sass_thread_inst_executed_op_*`.
const GROUPS: [&str; 13] = [
    "bit",
    "control",
    "conversion",
    "dadd",
    "dfma",
    "dmul",
    "fadd",
    "ffma",
    "fmul",
    "integer",
    "inter_thread_communication",
    "memory",
    "misc",
];

const fn group(op: Op) -> &'static str {
    match op {
        Op::Fadd { .. } => "fadd",
        Op::Fmul { .. } => "fmul",
        Op::Ffma { .. } | Op::Fmad { .. } => "ffma",
        Op::Dadd { .. } => "dadd",
        Op::Dmul { .. } => "dmul",
        Op::Dfma { .. } => "dfma",
        Op::F2f { .. } | Op::F2i { .. } | Op::I2f { .. } | Op::I2i { .. } | Op::Frnd { .. } => "conversion",
        Op::Iadd3 { .. }
        | Op::Imul { .. }
        | Op::Imad { .. }
        | Op::ImadWide { .. }
        | Op::Imad24 { .. }
        | Op::Xmad { .. }
        | Op::Lea { .. }
        | Op::Lop { .. }
        | Op::Lop3 { .. }
        | Op::Shl
        | Op::Shr { .. }
        | Op::Shf { .. }
        | Op::Imnmx { .. }
        | Op::Isetp { .. }
        | Op::Iabs
        | Op::Popc => "integer",
        Op::Flo { .. } | Op::Brev | Op::Prmt | Op::Bfe { .. } | Op::Bfi => "bit",
        Op::Vote { .. } | Op::Shfl { .. } | Op::Match { .. } => "inter_thread_communication",
        Op::Ld { .. }
        | Op::St { .. }
        | Op::Atom { .. }
        | Op::Red { .. }
        | Op::Ldc { .. }
        | Op::Membar { .. } => "memory",
        _ if op.is_control() => "control",
        _ => "misc",
    }
}

/// The kind of access under which Nsight Compute counts an instruction, by its opcode.
fn executed_op(op: Op) -> Option<&'static str> {
    let local = |global, shared, local, space| match space {
        Space::Shared => shared,
        Space::Local => local,
        Space::Global | Space::Generic => global,
    };
    match op {
        Op::Ld { space, .. } => Some(local("global_ld", "shared_ld", "local_ld", space)),
        Op::St { space, .. } => Some(local("global_st", "shared_st", "local_st", space)),
        Op::Atom { space, .. } => Some(local("global_atom", "shared_atom", "global_atom", space)),
        Op::Red { space, .. } => Some(local("global_red", "shared_atom", "global_red", space)),
        Op::Ldc { .. } => Some("ldc"),
        Op::Bra { .. } | Op::Exit | Op::Call { .. } | Op::Ret | Op::Pop { .. } => Some("branch"),
        _ => None,
    }
}

const EXECUTED_OPS: [&str; 11] = [
    "branch",
    "global_atom",
    "global_ld",
    "global_red",
    "global_st",
    "ldc",
    "local_ld",
    "local_st",
    "shared_atom",
    "shared_ld",
    "shared_st",
];

/// Adds counters to a list.
struct List(Vec<Counter>);

impl List {
    fn add(&mut self, name: impl Into<String>, value: f64, unit: &'static str, note: &'static str) {
        self.0.push(Counter {
            name: name.into(),
            value,
            unit,
            note,
        });
    }

    fn count(&mut self, name: impl Into<String>, value: u64, unit: &'static str, note: &'static str) {
        self.add(name, value as f64, unit, note);
    }
}

/// A share in percent; 0 of nothing.
fn share(part: u64, whole: u64) -> f64 {
    if whole == 0 {
        0.0
    } else {
        100.0 * part as f64 / whole as f64
    }
}

fn ratio(part: u64, whole: u64) -> f64 {
    if whole == 0 {
        0.0
    } else {
        part as f64 / whole as f64
    }
}

impl Trace {
    /// All counters of the run, in order of their names' groups.
    pub fn counters(&self) -> Vec<Counter> {
        let mut list = List(Vec::new());
        let total = self.total();
        self.add_time(&mut list, &total);
        self.add_instructions(&mut list, &total);
        add_shared(&mut list, &total);
        add_global(&mut list, &total);
        self.add_stalls(&mut list);
        self.add_launch(&mut list);
        list.0
    }

    /// The counter of this name.
    pub fn counter(&self, name: &str) -> Option<f64> {
        self.counters()
            .into_iter()
            .find(|counter| counter.name == name)
            .map(|counter| counter.value)
    }

    /// Cycles in which a block was resident.
    pub fn active_cycles(&self) -> u64 {
        let mut active = 0;
        let mut reached = 0;
        for span in self.blocks() {
            let end = span.finished.map_or(self.num_cycles(), |cycle| cycle.0);
            active += end.saturating_sub(span.started.0.max(reached));
            reached = reached.max(end);
        }
        active
    }

    fn tallied(&self) -> impl Iterator<Item = (&Instruction, &PcTally)> + '_ {
        self.program().code.iter().zip(self.tallies())
    }

    fn add_time(&self, list: &mut List, total: &PcTally) {
        let active = self.active_cycles();
        let resident: u64 = total.states.iter().sum();
        let slots = self.issue_slots(active);
        let max_warps = u64::from(self.arch().occupancy.max_warps_per_sm.value);
        list.count(
            "sm__cycles_active.max",
            active,
            "cycles",
            "cycles with a resident block",
        );
        list.count(
            "smsp__issue_active.sum",
            self.issue_cycles(),
            "issue slots",
            "issue slots with an instruction",
        );
        list.add(
            "smsp__issue_active.avg.pct_of_peak_sustained_active",
            share(self.issue_cycles(), slots),
            "%",
            "share of the issue slots of active cycles",
        );
        list.add(
            "sm__inst_executed.avg.per_cycle_active",
            ratio(self.num_issues(), active),
            "instructions a cycle",
            "warp instructions over active cycles",
        );
        list.add(
            "sm__warps_active.avg.per_cycle_active",
            ratio(resident, active),
            "warps",
            "resident warps, mean over active cycles",
        );
        list.add(
            "sm__warps_active.avg.pct_of_peak_sustained_active",
            share(resident, active * max_warps),
            "%",
            "achieved occupancy",
        );
        list.add(
            "smsp__average_warp_latency_per_inst_issued.ratio",
            ratio(resident, self.num_issues()),
            "cycles",
            "warp cycles for each instruction issued",
        );
    }

    fn add_instructions(&self, list: &mut List, total: &PcTally) {
        list.count(
            "smsp__warps_launched.sum",
            self.warps_launched(),
            "warps",
            "warps that became resident",
        );
        list.count(
            "smsp__inst_executed.sum",
            total.issued,
            "instructions",
            "warp instructions",
        );
        list.count(
            "smsp__inst_issued.sum",
            self.num_issues(),
            "instructions",
            "warp instructions issued",
        );
        list.count(
            "smsp__thread_inst_executed.sum",
            total.threads_active,
            "instructions",
            "thread instructions of active threads",
        );
        list.count(
            "smsp__thread_inst_executed_pred_on.sum",
            total.threads_executed,
            "instructions",
            "thread instructions whose predicate was on",
        );
        list.add(
            "smsp__thread_inst_executed_per_inst_executed.ratio",
            ratio(total.threads_active, total.issued),
            "threads",
            "active threads an instruction",
        );
        for name in EXECUTED_OPS {
            let issued = self
                .tallied()
                .filter(|(instruction, _)| executed_op(instruction.op) == Some(name))
                .map(|(_, tally)| tally.issued)
                .sum();
            list.count(
                format!("smsp__inst_executed_op_{name}.sum"),
                issued,
                "instructions",
                "warp instructions by kind of access",
            );
        }
        for pipe in self.arch().pipes {
            let issued = self
                .tallied()
                .filter(|(instruction, _)| {
                    self.arch()
                        .cost(instruction.class())
                        .is_some_and(|cost| cost.pipe == pipe.kind)
                })
                .map(|(_, tally)| tally.issued)
                .sum();
            list.count(
                format!("smsp__inst_executed_pipe_{}.sum", pipe_name(pipe.kind)),
                issued,
                "instructions",
                "warp instructions by pipe",
            );
        }
        for name in GROUPS {
            let threads = self
                .tallied()
                .filter(|(instruction, _)| group(instruction.op) == name)
                .map(|(_, tally)| tally.threads_executed)
                .sum();
            list.count(
                format!("smsp__sass_thread_inst_executed_op_{name}_pred_on.sum"),
                threads,
                "instructions",
                "thread instructions by kind of arithmetic",
            );
        }
        self.add_branches(list);
    }

    fn add_branches(&self, list: &mut List) {
        let conditional = |instruction: &Instruction| {
            matches!(instruction.op, Op::Bra { .. }) && instruction.guard != PredSrc::TRUE
        };
        let mut branches = 0;
        let mut diverged = 0;
        for (_, tally) in self.tallied().filter(|(instruction, _)| conditional(instruction)) {
            branches += tally.issued;
            diverged += tally.diverged;
        }
        list.count(
            "smsp__sass_branch_targets.sum",
            branches,
            "branches",
            "conditional branches executed",
        );
        list.count(
            "smsp__sass_branch_targets_threads_divergent.sum",
            diverged,
            "branches",
            "conditional branches that sent a warp both ways",
        );
        list.count(
            "smsp__sass_branch_targets_threads_uniform.sum",
            branches - diverged,
            "branches",
            "conditional branches that sent a warp one way",
        );
    }

    fn add_stalls(&self, list: &mut List) {
        let states = self.states_between(None, Cycle(0), Cycle(self.num_cycles()));
        for state in &WarpState::ALL[1..] {
            list.add(
                stall_metric(*state),
                ratio(states[*state as usize], self.issue_cycles()),
                "warps",
                "warps in this state for each issue",
            );
        }
        let slots: u64 = states.iter().sum();
        for state in WarpState::ALL {
            list.add(
                format!("warpscope__slots_{}.pct", stall_name(state)),
                share(states[state as usize], slots),
                "%",
                "share of all warp slots and cycles; these add up to 100",
            );
        }
    }

    fn add_launch(&self, list: &mut List) {
        let (launch, program) = (self.launch(), self.program());
        let blocks: u64 = launch.grid.iter().map(|dim| u64::from(*dim)).product();
        let threads: u64 = launch.block.iter().map(|dim| u64::from(*dim)).product();
        list.count("launch__grid_size", blocks, "blocks", "blocks of the grid");
        list.count("launch__block_size", threads, "threads", "threads of a block");
        list.count(
            "launch__thread_count",
            blocks * threads,
            "threads",
            "threads of the grid",
        );
        list.count(
            "launch__registers_per_thread",
            u64::from(program.registers_per_thread),
            "registers",
            "registers of a thread",
        );
        list.count(
            "launch__shared_mem_per_block_static",
            u64::from(program.static_shared_bytes),
            "B",
            "shared memory declared by the kernel",
        );
        list.count(
            "launch__shared_mem_per_block_dynamic",
            u64::from(launch.dynamic_shared),
            "B",
            "shared memory given at launch",
        );
        let occupancy = self.occupancy();
        for (name, limiter) in [
            ("warps", Limiter::Warps),
            ("blocks", Limiter::Blocks),
            ("registers", Limiter::Registers),
            ("shared_mem", Limiter::Shared),
        ] {
            if let Some(limit) = occupancy.limit(limiter) {
                list.count(
                    format!("launch__occupancy_limit_{name}"),
                    u64::from(limit),
                    "blocks",
                    "blocks of an SM that this resource allows",
                );
            }
        }
        list.count(
            "launch__shared_mem_config_size",
            u64::from(occupancy.shared_kib) * 1024,
            "B",
            "size to which shared memory is set",
        );
        list.add(
            "sm__maximum_warps_per_active_cycle_pct",
            100.0 * occupancy.fraction(),
            "%",
            "theoretical occupancy",
        );
    }
}

fn add_shared(list: &mut List, total: &PcTally) {
    for (op, kind) in [
        ("ld", RequestKind::SharedLoad),
        ("st", RequestKind::SharedStore),
        ("atom", RequestKind::SharedAtomic),
    ] {
        let tally = total.of_kind(kind);
        list.count(
            format!("l1tex__data_pipe_lsu_wavefronts_mem_shared_op_{op}.sum"),
            tally.wavefronts,
            "wavefronts",
            "passes over shared memory",
        );
        list.count(
            format!("l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_{op}.sum"),
            tally.wavefronts - tally.ideal_wavefronts.min(tally.wavefronts),
            "wavefronts",
            "passes beyond those that the width needs",
        );
        if op != "atom" {
            list.count(
                format!("smsp__sass_data_bytes_mem_shared_op_{op}.sum"),
                tally.asked_bytes,
                "B",
                "bytes that threads asked for",
            );
        }
    }
}

fn add_global(list: &mut List, total: &PcTally) {
    let spaces: [(&str, &str, RequestKind); 6] = [
        ("global", "ld", RequestKind::GlobalLoad),
        ("global", "st", RequestKind::GlobalStore),
        ("global", "atom", RequestKind::GlobalAtomic),
        ("global", "red", RequestKind::GlobalReduction),
        ("local", "ld", RequestKind::LocalLoad),
        ("local", "st", RequestKind::LocalStore),
    ];
    for (space, op, kind) in spaces {
        let tally: AccessTally = total.of_kind(kind);
        list.count(
            format!("l1tex__t_requests_pipe_lsu_mem_{space}_op_{op}.sum"),
            tally.requests,
            "requests",
            "requests of warps to L1",
        );
        list.count(
            format!("l1tex__t_sectors_pipe_lsu_mem_{space}_op_{op}.sum"),
            tally.sectors,
            "sectors",
            "32-byte sectors of these requests",
        );
        list.count(
            format!("l1tex__t_sectors_pipe_lsu_mem_{space}_op_{op}_lookup_hit.sum"),
            tally.l1_hits,
            "sectors",
            "of them, found in L1",
        );
        list.count(
            format!("l1tex__t_sectors_pipe_lsu_mem_{space}_op_{op}_lookup_miss.sum"),
            tally.sectors - tally.l1_hits.min(tally.sectors),
            "sectors",
            "of them, not found in L1",
        );
        list.count(
            format!("warpscope__transactions_mem_{space}_op_{op}.sum"),
            tally.transactions,
            "transactions",
            "transactions of the architecture's own size",
        );
        list.count(
            format!("warpscope__transaction_bytes_mem_{space}_op_{op}.sum"),
            tally.bytes,
            "B",
            "bytes that these transactions move",
        );
        if space == "global" && (op == "ld" || op == "st") {
            list.count(
                format!("smsp__sass_data_bytes_mem_global_op_{op}.sum"),
                tally.asked_bytes,
                "B",
                "bytes that threads asked for",
            );
        }
    }
    for (op, kind) in [
        ("atom", RequestKind::GlobalAtomic),
        ("red", RequestKind::GlobalReduction),
    ] {
        list.count(
            format!("lts__t_sectors_op_{op}.sum"),
            total.of_kind(kind).sectors,
            "sectors",
            "sectors of atomics at L2",
        );
    }
    list.count(
        "idc__requests.sum",
        total.of_kind(RequestKind::ConstantLoad).requests,
        "requests",
        "constant loads with an index, one for each distinct address of a warp",
    );
}
