//! Totals of a run under Nsight Compute's metric names.

use std::borrow::Cow;

use serde::Serialize;

use super::Trace;
use super::tally::{AccessTally, PcTally};
use crate::arch::{Limiter, PipeKind};
use crate::ids::Cycle;
use crate::isa::describe::Group;
use crate::isa::{Instruction, Op, PredSrc, Space};
use crate::sim::{RequestKind, WarpState};

/// One total of a run.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Counter {
    /// The name in Nsight Compute; names with `warpscope__` have no counterpart there.
    pub name: String,
    /// The value.
    pub value: f64,
    /// Its unit.
    pub unit: &'static str,
    /// What the counter counts.
    pub note: &'static str,
}

/// The part of Nsight Compute's stall metric names that denotes the state.
pub const fn stall_name(state: WarpState) -> &'static str {
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

/// Nsight Compute's metric of a state: warps in the state per issue.
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
    match op.describe().group {
        Group::Bit => "bit",
        Group::Control => "control",
        Group::Conversion => "conversion",
        Group::Dadd => "dadd",
        Group::Dfma => "dfma",
        Group::Dmul => "dmul",
        Group::Fadd => "fadd",
        Group::Ffma => "ffma",
        Group::Fmul => "fmul",
        Group::Integer => "integer",
        Group::InterThread => "inter_thread_communication",
        Group::Memory => "memory",
        Group::Misc => "misc",
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
        Op::Ldgsts { .. } => Some(COPIES),
        Op::Ldsm { .. } => Some("ldsm"),
        Op::Stsm { .. } => Some("shared_stsm"),
        Op::Ldc { .. } => Some("ldc"),
        Op::Tld { .. } | Op::Tex { .. } => Some("texture"),
        Op::Bra { .. } | Op::Exit | Op::Call { .. } | Op::Ret | Op::Pop { .. } => Some("branch"),
        _ => None,
    }
}

/// Nsight Compute's name for copies from global to shared memory. A run without them has no such counters.
const COPIES: &str = "ldgsts";

/// Names of instructions that most kernels lack. A run without them has no such counter.
const RARE_OPS: [&str; 3] = [COPIES, "ldsm", "shared_stsm"];

const EXECUTED_OPS: [&str; 15] = [
    "branch",
    "global_atom",
    "global_ld",
    "global_red",
    "global_st",
    "ldc",
    COPIES,
    "ldsm",
    "local_ld",
    "local_st",
    "shared_atom",
    "shared_ld",
    "shared_st",
    "shared_stsm",
    "texture",
];

/// A list of counters.
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

/// A share in percent; 0 if `whole` is 0.
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

/// The data from which the counters of some cycles are computed.
struct Totals<'t> {
    from: Cycle,
    to: Cycle,
    /// The tallies of each instruction; for a part of a run, without states and accesses.
    tallies: Cow<'t, [PcTally]>,
    /// The sum of all tallies.
    total: PcTally,
    issues: u64,
    issue_cycles: u64,
    warps_launched: u64,
}

impl Trace {
    /// All counters of the run, grouped by name.
    pub fn counters(&self) -> Vec<Counter> {
        self.counters_of(&Totals {
            from: Cycle(0),
            to: Cycle(self.num_cycles()),
            tallies: Cow::Borrowed(self.tallies()),
            total: self.total(),
            issues: self.num_issues(),
            issue_cycles: self.issue_cycles(),
            warps_launched: self.warps_launched(),
        })
    }

    /// The counters of the cycles from `from` to before `to`, clamped to the run, with at least one cycle. A
    /// memory access counts in the cycle in which its unit accepts it.
    pub fn counters_between(&self, from: Cycle, to: Cycle) -> Vec<Counter> {
        let range = self.range_counters(from, to);
        let mut tallies = vec![PcTally::default(); self.tallies().len()];
        for row in self
            .issues_from(range.from)
            .take_while(|row| row.cycle < range.to)
        {
            if let Some(tally) = tallies.get_mut(row.pc.0 as usize) {
                tally.issued += 1;
                tally.threads_active += u64::from(row.active.count());
                tally.threads_executed += u64::from(row.executed.count());
                tally.diverged += u64::from(row.diverged);
            }
        }
        let sum = |of: fn(&PcTally) -> u64| tallies.iter().map(of).sum();
        let mut total = PcTally {
            issued: sum(|tally| tally.issued),
            threads_active: sum(|tally| tally.threads_active),
            threads_executed: sum(|tally| tally.threads_executed),
            diverged: sum(|tally| tally.diverged),
            states: range.states,
            accesses: range.accesses.clone(),
        };
        total.states[WarpState::Empty as usize] = 0;
        self.counters_of(&Totals {
            from: range.from,
            to: range.to,
            tallies: Cow::Owned(tallies),
            total,
            issues: range.instructions,
            issue_cycles: range.issue_cycles(),
            warps_launched: self.warps_between(range.from, range.to),
        })
    }

    fn counters_of(&self, of: &Totals) -> Vec<Counter> {
        let mut list = List(Vec::new());
        self.add_time(&mut list, of);
        self.add_instructions(&mut list, of);
        add_shared(&mut list, &of.total);
        add_global(&mut list, &of.total);
        self.add_stalls(&mut list, of);
        self.add_launch(&mut list);
        list.0
    }

    /// The value of the counter with this name.
    pub fn counter(&self, name: &str) -> Option<f64> {
        self.counters()
            .into_iter()
            .find(|counter| counter.name == name)
            .map(|counter| counter.value)
    }

    fn tallied<'t>(&'t self, of: &'t Totals) -> impl Iterator<Item = (&'t Instruction, &'t PcTally)> + 't {
        self.program().code.iter().zip(of.tallies.iter())
    }

    fn add_time(&self, list: &mut List, of: &Totals) {
        let active = self.active_between(of.from, of.to);
        let resident: u64 = of.total.states.iter().sum();
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
            of.issue_cycles,
            "issue slots",
            "issue slots with an instruction",
        );
        list.add(
            "smsp__issue_active.avg.pct_of_peak_sustained_active",
            share(of.issue_cycles, slots),
            "%",
            "share of the issue slots of active cycles",
        );
        list.add(
            "sm__inst_executed.avg.per_cycle_active",
            ratio(of.issues, active),
            "instructions per cycle",
            "warp instructions per active cycle",
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
            ratio(resident, of.issues),
            "cycles",
            "warp cycles per issued instruction",
        );
    }

    fn add_instructions(&self, list: &mut List, of: &Totals) {
        let total = &of.total;
        list.count(
            "smsp__warps_launched.sum",
            of.warps_launched,
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
            of.issues,
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
            "thread instructions with a true guard predicate",
        );
        list.add(
            "smsp__thread_inst_executed_per_inst_executed.ratio",
            ratio(total.threads_active, total.issued),
            "threads",
            "active threads per instruction",
        );
        for name in EXECUTED_OPS {
            let issued = self
                .tallied(of)
                .filter(|(instruction, _)| executed_op(instruction.op) == Some(name))
                .map(|(_, tally)| tally.issued)
                .sum();
            if RARE_OPS.contains(&name) && issued == 0 {
                continue;
            }
            list.count(
                format!("smsp__inst_executed_op_{name}.sum"),
                issued,
                "instructions",
                "warp instructions by kind of access",
            );
        }
        for pipe in self.arch().pipes {
            let issued = self
                .tallied(of)
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
                .tallied(of)
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
        self.add_branches(list, of);
    }

    fn add_branches(&self, list: &mut List, of: &Totals) {
        let conditional = |instruction: &Instruction| {
            matches!(instruction.op, Op::Bra { .. }) && instruction.guard != PredSrc::TRUE
        };
        let mut branches = 0;
        let mut diverged = 0;
        for (_, tally) in self
            .tallied(of)
            .filter(|(instruction, _)| conditional(instruction))
        {
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
            "conditional branches with divergent lanes",
        );
        list.count(
            "smsp__sass_branch_targets_threads_uniform.sum",
            branches - diverged,
            "branches",
            "conditional branches with uniform lanes",
        );
    }

    fn add_stalls(&self, list: &mut List, of: &Totals) {
        let states = self.states_between(None, of.from, of.to);
        for state in &WarpState::ALL[1..] {
            list.add(
                stall_metric(*state),
                ratio(states[*state as usize], of.issue_cycles),
                "warps",
                "warps in this state per issue",
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
        list.count("launch__grid_size", blocks, "blocks", "blocks per grid");
        list.count("launch__block_size", threads, "threads", "threads per block");
        list.count(
            "launch__thread_count",
            blocks * threads,
            "threads",
            "threads per grid",
        );
        list.count(
            "launch__registers_per_thread",
            u64::from(program.registers_per_thread),
            "registers",
            "registers per thread",
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
            "dynamic shared memory of the launch",
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
                    "blocks per SM that this resource allows",
                );
            }
        }
        list.count(
            "launch__shared_mem_config_size",
            u64::from(occupancy.shared_kib) * 1024,
            "B",
            "configured size of shared memory",
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
        (COPIES, RequestKind::CopyStore),
    ] {
        let tally = total.of_kind(kind);
        if op == COPIES && tally.wavefronts == 0 {
            continue;
        }
        list.count(
            format!("l1tex__data_pipe_lsu_wavefronts_mem_shared_op_{op}.sum"),
            tally.wavefronts,
            "wavefronts",
            "wavefronts through shared memory",
        );
        list.count(
            format!("l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_{op}.sum"),
            tally.wavefronts - tally.ideal_wavefronts.min(tally.wavefronts),
            "wavefronts",
            "wavefronts due to bank conflicts",
        );
        if op != "atom" {
            list.count(
                format!("smsp__sass_data_bytes_mem_shared_op_{op}.sum"),
                tally.asked_bytes,
                "B",
                "bytes requested by threads",
            );
        }
    }
}

fn add_global(list: &mut List, total: &PcTally) {
    let spaces: [(&str, &str, RequestKind); 7] = [
        ("global", "ld", RequestKind::GlobalLoad),
        ("global", "st", RequestKind::GlobalStore),
        ("global", "atom", RequestKind::GlobalAtomic),
        ("global", "red", RequestKind::GlobalReduction),
        ("local", "ld", RequestKind::LocalLoad),
        ("local", "st", RequestKind::LocalStore),
        ("global", COPIES, RequestKind::CopyLoad),
    ];
    for (space, op, kind) in spaces {
        let tally: AccessTally = total.of_kind(kind);
        if op == COPIES && tally.requests == 0 {
            continue;
        }
        list.count(
            format!("l1tex__t_requests_pipe_lsu_mem_{space}_op_{op}.sum"),
            tally.requests,
            "requests",
            "warp requests to L1",
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
            "sectors that hit in L1",
        );
        list.count(
            format!("l1tex__t_sectors_pipe_lsu_mem_{space}_op_{op}_lookup_miss.sum"),
            tally.sectors - tally.l1_hits.min(tally.sectors),
            "sectors",
            "sectors that missed in L1",
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
            "bytes moved by these transactions",
        );
        if space == "global" && (op == "ld" || op == "st") {
            list.count(
                format!("smsp__sass_data_bytes_mem_global_op_{op}.sum"),
                tally.asked_bytes,
                "B",
                "bytes requested by threads",
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
        "indexed constant loads, one request per distinct address of a warp",
    );
    let texture = total.of_kind(RequestKind::TextureLoad);
    list.count(
        "l1tex__t_requests_pipe_tex.sum",
        texture.requests,
        "requests",
        "fetches through texture units separate from L1",
    );
    list.count(
        "l1tex__t_sectors_pipe_tex.sum",
        texture.sectors,
        "sectors",
        "32-byte lines that these fetches access in the texture cache",
    );
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arch::ArchId;
    use crate::trace::TraceOptions;
    use crate::trace::testing::run;

    #[test]
    fn counters_of_parts_add_up_to_those_of_the_run() {
        for arch in [ArchId::G80, ArchId::Gf104, ArchId::Gp104, ArchId::Tu102] {
            let trace = run(arch, 4, 6, TraceOptions::default());
            let end = trace.num_cycles();
            let whole = trace.counters();
            assert_eq!(trace.counters_between(Cycle(0), Cycle(end)), whole, "{arch}");
            let cuts = [0, 1, end / 5, end / 2, end - 3, end];
            let parts: Vec<Vec<Counter>> = cuts
                .windows(2)
                .map(|cut| trace.counters_between(Cycle(cut[0]), Cycle(cut[1])))
                .collect();
            let mut num = 0;
            for (idx, counter) in whole.iter().enumerate() {
                let (_, kind) = counter.name.split_once('.').unwrap_or_default();
                if kind == "sum" || counter.name == "sm__cycles_active.max" {
                    let sum: f64 = parts.iter().map(|part| part[idx].value).sum();
                    assert_eq!(sum, counter.value, "{arch}, {}", counter.name);
                    num += usize::from(counter.value > 0.0);
                }
            }
            assert!(num > 12, "{arch}: {num}");
        }
    }
}
