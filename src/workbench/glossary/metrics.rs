//! Metrics of a run, under the names of Nsight Compute.

use super::{Kind, Term};

pub(super) static TERMS: &[Term] = &[
    Term {
        id: "sm-cycles-active-max",
        name: "sm__cycles_active.max",
        also: &["Cycles active", "active cycles"],
        kind: Kind::Metric,
        text: "This metric counts the cycles in which the SM has a resident block: the base of all rates per \
            cycle. The length of a run is one cycle more, because no block is resident in its last cycle.",
        source: "Nsight Compute documentation, Profiling Guide, Metrics Structure",
        see: "v1;view=compare;compare=gf100",
    },
    Term {
        id: "warpscope-time-us",
        name: "warpscope__time.us",
        also: &["Time"],
        kind: Kind::Metric,
        text: "This metric is the duration of the run in microseconds: cycles divided by the clock of the \
            SM. Compare chips by this value, because their clocks differ.",
        source: "Warpscope's own metric; clock: Sources of all numbers",
        see: "v1;view=compare;compare=gf100",
    },
    Term {
        id: "smsp-inst-executed-sum",
        name: "smsp__inst_executed.sum",
        also: &["Warp instructions"],
        kind: Kind::Metric,
        text: "This metric counts instructions that warps executed, once per warp. Fewer instructions help \
            only if issue slots or pipes are the limit.",
        source: "Nsight Compute documentation, Profiling Guide, Metrics Structure",
        see: "v1;view=source;counters=issue",
    },
    Term {
        id: "smsp-inst-issued-sum",
        name: "smsp__inst_issued.sum",
        also: &["Instructions issued"],
        kind: Kind::Metric,
        text: "This metric counts instructions that schedulers issued. On a GPU, replays can make the \
            number larger than the executed instructions; Warpscope has no replays.",
        source: "Nsight Compute documentation, Profiling Guide, Metrics Structure",
        see: "v1;view=source;counters=issue",
    },
    Term {
        id: "smsp-thread-inst-executed-sum",
        name: "smsp__thread_inst_executed.sum",
        also: &["Thread instructions"],
        kind: Kind::Metric,
        text: "This metric counts instructions that active threads executed: 32 for a full warp. Divided by \
            the warp instructions, this gives the active lanes per instruction.",
        source: "Nsight Compute documentation, Profiling Guide, Metrics Structure",
        see: "v1;view=source;counters=lanes",
    },
    Term {
        id: "smsp-thread-inst-executed-pred-on-sum",
        name: "smsp__thread_inst_executed_pred_on.sum",
        also: &["Thread instructions, predicate on"],
        kind: Kind::Metric,
        text: "This metric counts thread instructions whose guard predicate is true. The difference to all \
            thread instructions is work that predication discards.",
        source: "Nsight Compute documentation, Profiling Guide, Metrics Structure",
        see: "v1;view=source;counters=lanes",
    },
    Term {
        id: "smsp-thread-inst-executed-per-inst-executed-ratio",
        name: "smsp__thread_inst_executed_per_inst_executed.ratio",
        also: &["Active threads per instruction"],
        kind: Kind::Metric,
        text: "This metric is the mean number of active threads of an executed instruction, at most 32. \
            Values below 32 show divergence or blocks that are no multiple of 32 threads.",
        source: "Nsight Compute documentation, Profiling Guide, Metrics Structure",
        see: "v1;kernel=divergence;view=source;counters=lanes",
    },
    Term {
        id: "sm-inst-executed-avg-per-cycle-active",
        name: "sm__inst_executed.avg.per_cycle_active",
        also: &["Instructions per cycle", "IPC"],
        kind: Kind::Metric,
        text: "This metric is the number of warp instructions per active cycle of the SM. The maximum is \
            the number of schedulers, or more with dual issue; a low value points to stalls.",
        source: "Nsight Compute documentation, Profiling Guide, Metrics Structure",
        see: "v1;view=compare;compare=gf100",
    },
    Term {
        id: "smsp-issue-active-sum",
        name: "smsp__issue_active.sum",
        also: &["Issue slots with an instruction"],
        kind: Kind::Metric,
        text: "This metric counts the issue slots in which a scheduler issued an instruction. A dual issue \
            counts once.",
        source: "Nsight Compute documentation, Profiling Guide, Metrics Structure",
        see: "v1;view=compare;compare=gf100",
    },
    Term {
        id: "smsp-issue-active-avg-pct-of-peak-sustained-active",
        name: "smsp__issue_active.avg.pct_of_peak_sustained_active",
        also: &["Issue slots busy", "Issue slots used"],
        kind: Kind::Metric,
        text: "This metric is the share of issue slots that schedulers used. A value near 100 % means that \
            only fewer instructions make the kernel faster.",
        source: "Nsight Compute documentation, Profiling Guide, Metrics Structure",
        see: "v1;view=stalls",
    },
    Term {
        id: "smsp-warps-launched-sum",
        name: "smsp__warps_launched.sum",
        also: &["Warps launched"],
        kind: Kind::Metric,
        text: "This metric counts warps that became resident on the SM. Together with the slots, this shows \
            how many times the slots were filled.",
        source: "Nsight Compute documentation, Profiling Guide, Metrics Structure",
        see: "v1;view=compare;compare=gf100",
    },
    Term {
        id: "sm-warps-active-avg-per-cycle-active",
        name: "sm__warps_active.avg.per_cycle_active",
        also: &["Active warps"],
        kind: Kind::Metric,
        text: "This metric is the mean number of resident warps over the active cycles. Latency hiding \
            depends on this number, not on the theoretical maximum.",
        source: "Nsight Compute documentation, Profiling Guide, Metrics Structure",
        see: "v1;view=occupancy;cycle=3000",
    },
    Term {
        id: "sm-warps-active-avg-pct-of-peak-sustained-active",
        name: "sm__warps_active.avg.pct_of_peak_sustained_active",
        also: &["Occupancy, achieved"],
        kind: Kind::Metric,
        text: "This metric is achieved occupancy in percent: the mean of resident warps divided by the warp \
            slots. A large difference to theoretical occupancy points to few blocks or uneven work.",
        source: "Nsight Compute documentation, Profiling Guide, Metrics Structure",
        see: "v1;view=occupancy;cycle=3000",
    },
    Term {
        id: "sm-maximum-warps-per-active-cycle-pct",
        name: "sm__maximum_warps_per_active_cycle_pct",
        also: &["Occupancy, theoretical"],
        kind: Kind::Metric,
        text: "This metric is theoretical occupancy in percent: the warps that the launch allows divided by \
            the warp slots. Registers, shared memory, and block size decide it.",
        source: "Nsight Compute documentation, Profiling Guide, Occupancy Metrics",
        see: "v1;view=occupancy",
    },
    Term {
        id: "smsp-average-warp-latency-per-inst-issued-ratio",
        name: "smsp__average_warp_latency_per_inst_issued.ratio",
        also: &[
            "Warp cycles / issue",
            "smsp__average_warp_latency_issue_active.ratio",
        ],
        kind: Kind::Metric,
        text: "This metric is the mean number of resident warp cycles per issued instruction. It is the sum \
            of all stall reasons per issue, so it shows how many warps are needed.",
        source: "Nsight Compute documentation, Profiling Guide, Metrics Structure",
        see: "v1;view=stalls",
    },
    Term {
        id: "smsp-warps-eligible-avg-per-cycle-active",
        name: "smsp__warps_eligible.avg.per_cycle_active",
        also: &["Eligible warps / scheduler"],
        kind: Kind::Metric,
        text: "This metric is the mean number of eligible warps of a scheduler per cycle. A value below one \
            means that schedulers often have no warp to issue.",
        source: "Nsight Compute documentation, Profiling Guide, Metrics Structure",
        see: "v1;view=stalls",
    },
    Term {
        id: "smsp-warps-active-avg-per-cycle-active",
        name: "smsp__warps_active.avg.per_cycle_active",
        also: &["Active warps / scheduler"],
        kind: Kind::Metric,
        text: "This metric is the mean number of resident warps of a scheduler per cycle. Compare it with \
            the warp cycles per issue: with fewer warps, issue slots stay empty.",
        source: "Nsight Compute documentation, Profiling Guide, Metrics Structure",
        see: "v1;view=stalls",
    },
    Term {
        id: "smsp-inst-executed-op-branch-sum",
        name: "smsp__inst_executed_op_branch.sum",
        also: &["Branch instructions"],
        kind: Kind::Metric,
        text: "This metric counts branches, exits, calls, and returns that warps executed. Unrolled loops \
            reduce it.",
        source: "Nsight Compute documentation, Profiling Guide, Metrics Structure",
        see: "v1;kernel=ladder-32;view=source;counters=issue",
    },
    Term {
        id: "smsp-inst-executed-op-global-ld-sum",
        name: "smsp__inst_executed_op_global_ld.sum",
        also: &["Global loads"],
        kind: Kind::Metric,
        text: "This metric counts global load instructions that warps executed. Wider loads move the same \
            bytes with fewer instructions.",
        source: "Nsight Compute documentation, Profiling Guide, Metrics Structure",
        see: "v1;view=source;counters=memory",
    },
    Term {
        id: "smsp-inst-executed-op-global-st-sum",
        name: "smsp__inst_executed_op_global_st.sum",
        also: &["Global stores"],
        kind: Kind::Metric,
        text: "This metric counts global store instructions that warps executed. Wider stores move the same \
            bytes with fewer instructions.",
        source: "Nsight Compute documentation, Profiling Guide, Metrics Structure",
        see: "v1;view=source;counters=memory",
    },
    Term {
        id: "smsp-inst-executed-op-shared-ld-sum",
        name: "smsp__inst_executed_op_shared_ld.sum",
        also: &["Shared loads"],
        kind: Kind::Metric,
        text: "This metric counts shared load instructions that warps executed. Values in registers and \
            wider loads reduce it.",
        source: "Nsight Compute documentation, Profiling Guide, Metrics Structure",
        see: "v1;view=source;counters=memory",
    },
    Term {
        id: "smsp-inst-executed-op-shared-st-sum",
        name: "smsp__inst_executed_op_shared_st.sum",
        also: &["Shared stores"],
        kind: Kind::Metric,
        text: "This metric counts shared store instructions that warps executed. Without conflicts, each \
            takes one wavefront per 128 bytes.",
        source: "Nsight Compute documentation, Profiling Guide, Metrics Structure",
        see: "v1;view=source;counters=memory",
    },
    Term {
        id: "smsp-inst-executed-op-shared-atom-sum",
        name: "smsp__inst_executed_op_shared_atom.sum",
        also: &["Shared atomics"],
        kind: Kind::Metric,
        text: "This metric counts atomic instructions on shared memory that warps executed. Lanes with the \
            same word serialize, so count wavefronts too.",
        source: "Nsight Compute documentation, Profiling Guide, Metrics Structure",
        see: "v1;kernel=histogram;view=source;counters=memory",
    },
    Term {
        id: "smsp-inst-executed-pipe-fma-sum",
        name: "smsp__inst_executed_pipe_fma.sum",
        also: &["FMA pipe instructions"],
        kind: Kind::Metric,
        text: "This metric counts warp instructions that the FMA pipe executed: most FP32 arithmetic and, \
            from Volta on, integer multiplications. Compare it with the rate of the pipe to find the \
            busiest pipe.",
        source: "Nsight Compute documentation, Profiling Guide, Pipelines",
        see: "v1;view=source;counters=issue",
    },
    Term {
        id: "smsp-inst-executed-pipe-alu-sum",
        name: "smsp__inst_executed_pipe_alu.sum",
        also: &["ALU pipe instructions"],
        kind: Kind::Metric,
        text: "This metric counts warp instructions that the ALU pipe executed: integer additions, logic, \
            shifts, and comparisons from Volta on. Compare it with the rate of the pipe to find the \
            busiest pipe.",
        source: "Nsight Compute documentation, Profiling Guide, Pipelines",
        see: "v1;view=source;counters=issue",
    },
    Term {
        id: "smsp-inst-executed-pipe-lsu-sum",
        name: "smsp__inst_executed_pipe_lsu.sum",
        also: &["LSU pipe instructions"],
        kind: Kind::Metric,
        text: "This metric counts warp instructions that the LSU pipe executed: loads, stores, atomics, and \
            lane exchanges. Compare it with the rate of the pipe to find the busiest pipe.",
        source: "Nsight Compute documentation, Profiling Guide, Pipelines",
        see: "v1;view=source;counters=issue",
    },
    Term {
        id: "smsp-inst-executed-pipe-xu-sum",
        name: "smsp__inst_executed_pipe_xu.sum",
        also: &["XU pipe instructions"],
        kind: Kind::Metric,
        text: "This metric counts warp instructions that the XU pipe executed: special functions and \
            conversions. Compare it with the rate of the pipe to find the busiest pipe.",
        source: "Nsight Compute documentation, Profiling Guide, Pipelines",
        see: "v1;view=source;counters=issue",
    },
    Term {
        id: "smsp-inst-executed-pipe-cbu-sum",
        name: "smsp__inst_executed_pipe_cbu.sum",
        also: &["CBU pipe instructions"],
        kind: Kind::Metric,
        text: "This metric counts warp instructions that the CBU pipe executed: branches and convergence. \
            Compare it with the rate of the pipe to find the busiest pipe.",
        source: "Nsight Compute documentation, Profiling Guide, Pipelines",
        see: "v1;view=source;counters=issue",
    },
    Term {
        id: "smsp-inst-executed-pipe-adu-sum",
        name: "smsp__inst_executed_pipe_adu.sum",
        also: &["ADU pipe instructions"],
        kind: Kind::Metric,
        text: "This metric counts warp instructions that the ADU pipe executed: block barriers and constant \
            loads. Compare it with the rate of the pipe to find the busiest pipe.",
        source: "Nsight Compute documentation, Profiling Guide, Pipelines",
        see: "v1;view=source;counters=issue",
    },
    Term {
        id: "smsp-inst-executed-pipe-fp64-sum",
        name: "smsp__inst_executed_pipe_fp64.sum",
        also: &["FP64 pipe instructions"],
        kind: Kind::Metric,
        text: "This metric counts warp instructions that the FP64 pipe executed: double-precision \
            arithmetic. Compare it with the rate of the pipe to find the busiest pipe.",
        source: "Nsight Compute documentation, Profiling Guide, Pipelines",
        see: "v1;view=source;counters=issue",
    },
    Term {
        id: "smsp-inst-executed-pipe-tensor-sum",
        name: "smsp__inst_executed_pipe_tensor.sum",
        also: &["tensor pipe instructions"],
        kind: Kind::Metric,
        text: "This metric counts warp instructions that the tensor pipe executed: matrix products. Compare \
            it with the rate of the pipe to find the busiest pipe.",
        source: "Nsight Compute documentation, Profiling Guide, Pipelines",
        see: "v1;view=source;counters=issue",
    },
    Term {
        id: "smsp-sass-branch-targets-sum",
        name: "smsp__sass_branch_targets.sum",
        also: &["Conditional branches"],
        kind: Kind::Metric,
        text: "This metric counts conditional branches that warps executed. Only the divergent ones among \
            them make a warp execute several paths.",
        source: "Nsight Compute documentation, Profiling Guide, Metrics Structure",
        see: "v1;kernel=divergence;view=source;counters=lanes",
    },
    Term {
        id: "smsp-sass-branch-targets-threads-divergent-sum",
        name: "smsp__sass_branch_targets_threads_divergent.sum",
        also: &["Divergent branches"],
        kind: Kind::Metric,
        text: "This metric counts conditional branches at which lanes of a warp took different directions. \
            Sort or regroup work so that lanes of a warp agree.",
        source: "Nsight Compute documentation, Profiling Guide, Metrics Structure",
        see: "v1;kernel=divergence;view=divergence;cycle=300",
    },
    Term {
        id: "smsp-sass-branch-targets-threads-uniform-sum",
        name: "smsp__sass_branch_targets_threads_uniform.sum",
        also: &["Uniform branches"],
        kind: Kind::Metric,
        text: "This metric counts conditional branches at which all lanes of a warp took the same \
            direction. Such branches do not divide the warp and cost little.",
        source: "Nsight Compute documentation, Profiling Guide, Metrics Structure",
        see: "v1;kernel=ladder-32-warps;view=source;counters=lanes",
    },
    Term {
        id: "l1tex-data-pipe-lsu-wavefronts-mem-shared-op-ld-sum",
        name: "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
        also: &["Shared load wavefronts"],
        kind: Kind::Metric,
        text: "This metric counts wavefronts that shared loads took. One per request of 4 bytes a lane is \
            ideal; the rest are bank conflicts or wide accesses.",
        source: "Nsight Compute documentation, Profiling Guide, Quantities",
        see: "v1;view=source;counters=memory",
    },
    Term {
        id: "l1tex-data-bank-conflicts-pipe-lsu-mem-shared-op-ld-sum",
        name: "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum",
        also: &["Shared load conflicts"],
        kind: Kind::Metric,
        text: "This metric counts wavefronts of shared loads beyond the ideal. Zero is the target: pad or \
            swizzle the array.",
        source: "Nsight Compute documentation, Profiling Guide, Quantities",
        see: "v1;view=banks;cycle=1260",
    },
    Term {
        id: "l1tex-data-pipe-lsu-wavefronts-mem-shared-op-st-sum",
        name: "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum",
        also: &["Shared store wavefronts"],
        kind: Kind::Metric,
        text: "This metric counts wavefronts that shared stores took. One per request of 4 bytes a lane is \
            ideal; the rest are bank conflicts or wide accesses.",
        source: "Nsight Compute documentation, Profiling Guide, Quantities",
        see: "v1;view=source;counters=memory",
    },
    Term {
        id: "l1tex-data-bank-conflicts-pipe-lsu-mem-shared-op-st-sum",
        name: "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum",
        also: &["Shared store conflicts"],
        kind: Kind::Metric,
        text: "This metric counts wavefronts of shared stores beyond the ideal. Zero is the target: pad or \
            swizzle the array.",
        source: "Nsight Compute documentation, Profiling Guide, Quantities",
        see: "v1;view=banks;cycle=1260",
    },
    Term {
        id: "l1tex-data-pipe-lsu-wavefronts-mem-shared-op-atom-sum",
        name: "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_atom.sum",
        also: &["Shared atomic wavefronts"],
        kind: Kind::Metric,
        text: "This metric counts wavefronts that shared atomics took. Lanes that change the same word take \
            one wavefront each.",
        source: "Nsight Compute documentation, Profiling Guide, Quantities",
        see: "v1;kernel=histogram;view=banks;cycle=1500",
    },
    Term {
        id: "l1tex-t-requests-pipe-lsu-mem-global-op-ld-sum",
        name: "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum",
        also: &["Global load requests"],
        kind: Kind::Metric,
        text: "This metric counts requests that global loads sent to L1. The count is one per warp \
            instruction from Volta on, and several per instruction on Maxwell and Pascal.",
        source: "Nsight Compute documentation, Profiling Guide, Quantities",
        see: "v1;view=source;counters=memory",
    },
    Term {
        id: "l1tex-t-sectors-pipe-lsu-mem-global-op-ld-sum",
        name: "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
        also: &["Global load sectors"],
        kind: Kind::Metric,
        text: "This metric counts 32-byte sectors that the requests of global loads access. From Volta on, \
            four sectors per request of 4 bytes a lane are ideal.",
        source: "Nsight Compute documentation, Profiling Guide, Quantities",
        see: "v1;view=source;counters=memory",
    },
    Term {
        id: "l1tex-t-requests-pipe-lsu-mem-global-op-st-sum",
        name: "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum",
        also: &["Global store requests"],
        kind: Kind::Metric,
        text: "This metric counts requests that global stores sent to L1. The count is one per warp \
            instruction from Volta on, and several per instruction on Maxwell and Pascal.",
        source: "Nsight Compute documentation, Profiling Guide, Quantities",
        see: "v1;view=source;counters=memory",
    },
    Term {
        id: "l1tex-t-sectors-pipe-lsu-mem-global-op-st-sum",
        name: "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum",
        also: &["Global store sectors"],
        kind: Kind::Metric,
        text: "This metric counts 32-byte sectors that the requests of global stores access. From Volta on, \
            four sectors per request of 4 bytes a lane are ideal.",
        source: "Nsight Compute documentation, Profiling Guide, Quantities",
        see: "v1;view=source;counters=memory",
    },
    Term {
        id: "l1tex-t-requests-pipe-lsu-mem-local-op-ld-sum",
        name: "l1tex__t_requests_pipe_lsu_mem_local_op_ld.sum",
        also: &["Local load requests"],
        kind: Kind::Metric,
        text: "This metric counts requests that local loads sent to L1. The count is one per warp \
            instruction from Volta on, and several per instruction on Maxwell and Pascal.",
        source: "Nsight Compute documentation, Profiling Guide, Quantities",
        see: "v1;kernel=pressure-spilled;view=source;counters=memory",
    },
    Term {
        id: "l1tex-t-sectors-pipe-lsu-mem-local-op-ld-sum",
        name: "l1tex__t_sectors_pipe_lsu_mem_local_op_ld.sum",
        also: &["Local load sectors"],
        kind: Kind::Metric,
        text: "This metric counts 32-byte sectors that the requests of local loads access. From Volta on, \
            four sectors per request of 4 bytes a lane are ideal.",
        source: "Nsight Compute documentation, Profiling Guide, Quantities",
        see: "v1;kernel=pressure-spilled;view=source;counters=memory",
    },
    Term {
        id: "l1tex-t-requests-pipe-lsu-mem-local-op-st-sum",
        name: "l1tex__t_requests_pipe_lsu_mem_local_op_st.sum",
        also: &["Local store requests"],
        kind: Kind::Metric,
        text: "This metric counts requests that local stores sent to L1. The count is one per warp \
            instruction from Volta on, and several per instruction on Maxwell and Pascal.",
        source: "Nsight Compute documentation, Profiling Guide, Quantities",
        see: "v1;kernel=pressure-spilled;view=source;counters=memory",
    },
    Term {
        id: "l1tex-t-sectors-pipe-lsu-mem-local-op-st-sum",
        name: "l1tex__t_sectors_pipe_lsu_mem_local_op_st.sum",
        also: &["Local store sectors"],
        kind: Kind::Metric,
        text: "This metric counts 32-byte sectors that the requests of local stores access. From Volta on, \
            four sectors per request of 4 bytes a lane are ideal.",
        source: "Nsight Compute documentation, Profiling Guide, Quantities",
        see: "v1;kernel=pressure-spilled;view=source;counters=memory",
    },
    Term {
        id: "l1tex-t-sectors-pipe-lsu-mem-global-op-ld-lookup-hit-sum",
        name: "l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_hit.sum",
        also: &["Global load sector hits"],
        kind: Kind::Metric,
        text: "This metric counts sectors of global loads that hit in L1. Each hit saves a transfer from L2 \
            and about 200 cycles.",
        source: "Nsight Compute documentation, Profiling Guide, Quantities",
        see: "v1;kernel=matmul-naive;view=caches;cycle=4000",
    },
    Term {
        id: "l1tex-t-sectors-pipe-lsu-mem-global-op-ld-lookup-miss-sum",
        name: "l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_miss.sum",
        also: &["Global load sector misses"],
        kind: Kind::Metric,
        text: "This metric counts sectors of global loads that L1 requested from L2. Reuse within a block \
            or a larger L1 reduces it.",
        source: "Nsight Compute documentation, Profiling Guide, Quantities",
        see: "v1;kernel=matmul-naive;view=caches;cycle=4000",
    },
    Term {
        id: "l1tex-t-requests-pipe-lsu-mem-global-op-atom-sum",
        name: "l1tex__t_requests_pipe_lsu_mem_global_op_atom.sum",
        also: &["Global atomics"],
        kind: Kind::Metric,
        text: "This metric counts requests of global atomics that return a value. Each warp waits for a \
            round trip to L2.",
        source: "Nsight Compute documentation, Profiling Guide, Quantities",
        see: "v1;kernel=lock;view=source;counters=memory",
    },
    Term {
        id: "l1tex-t-requests-pipe-lsu-mem-global-op-red-sum",
        name: "l1tex__t_requests_pipe_lsu_mem_global_op_red.sum",
        also: &["Global reductions"],
        kind: Kind::Metric,
        text: "This metric counts requests of global atomics without a returned value. Warps do not wait \
            for them.",
        source: "Nsight Compute documentation, Profiling Guide, Quantities",
        see: "v1;kernel=histogram-global;view=source;counters=memory",
    },
    Term {
        id: "lts-t-sectors-op-red-sum",
        name: "lts__t_sectors_op_red.sum",
        also: &["Reduction sectors at L2"],
        kind: Kind::Metric,
        text: "This metric counts sectors that reductions change in L2. Lanes in the same sector share its \
            transfer, but lanes on one word are serialized.",
        source: "Nsight Compute documentation, Profiling Guide, Units",
        see: "v1;kernel=histogram-global;view=coalescing",
    },
    Term {
        id: "idc-requests-sum",
        name: "idc__requests.sum",
        also: &["Constant requests"],
        kind: Kind::Metric,
        text: "This metric counts requests to the constant cache by LDC, one for each distinct address of a \
            warp. Values above the number of LDCs mean that lanes read different words.",
        source: "Nsight Compute documentation, Profiling Guide, Units",
        see: "v1;kernel=constant-divergent;view=source",
    },
    Term {
        id: "l1tex-t-requests-pipe-tex-sum",
        name: "l1tex__t_requests_pipe_tex.sum",
        also: &["Texture requests"],
        kind: Kind::Metric,
        text: "This metric counts texture fetches through texture units that are separate from L1. From \
            Maxwell on, L1 serves the fetches, and this metric is zero in Warpscope.",
        source: "Nsight Compute documentation, Profiling Guide, Quantities",
        see: "v1;kernel=gather-texture;arch=gf100;view=source",
    },
    Term {
        id: "warpscope-l1-hit-rate-mem-global-op-ld-pct",
        name: "warpscope__l1_hit_rate_mem_global_op_ld.pct",
        also: &["Global load L1 hit rate"],
        kind: Kind::Metric,
        text: "This metric is the share of sectors of global loads that hit in L1, in percent. Nsight \
            Compute shows the same value as a ratio of its sector metrics.",
        source: "Warpscope's own metric; Nsight Compute documentation, Profiling Guide, Quantities",
        see: "v1;kernel=matmul-naive;view=caches;cycle=4000",
    },
    Term {
        id: "warpscope-transaction-bytes-mem-global-op-ld-sum",
        name: "warpscope__transaction_bytes_mem_global_op_ld.sum",
        also: &["Global load bytes moved"],
        kind: Kind::Metric,
        text: "This metric counts the bytes that transactions of global loads move, in the transaction \
            sizes of the architecture. Compare it with the bytes that threads requested.",
        source: "Warpscope's own metric; CUDA C Programming Guide 4.2, F.3.2 and F.4.2",
        see: "v1;arch=g80;kernel=offset-copy-1;view=coalescing",
    },
    Term {
        id: "warpscope-transaction-bytes-mem-global-op-st-sum",
        name: "warpscope__transaction_bytes_mem_global_op_st.sum",
        also: &["Global store bytes moved"],
        kind: Kind::Metric,
        text: "This metric counts the bytes that transactions of global stores move, in the transaction \
            sizes of the architecture. Compare it with the bytes that threads stored.",
        source: "Warpscope's own metric; CUDA C Programming Guide 4.2, F.3.2 and F.4.2",
        see: "v1;kernel=transpose-naive;view=coalescing;cycle=820",
    },
    Term {
        id: "smsp-sass-data-bytes-mem-global-op-ld-sum",
        name: "smsp__sass_data_bytes_mem_global_op_ld.sum",
        also: &["Bytes requested by global loads"],
        kind: Kind::Metric,
        text: "This metric counts the bytes that threads requested with global loads. Divided by the bytes \
            moved, this gives the efficiency of the accesses.",
        source: "Nsight Compute documentation, Profiling Guide, Metrics Structure",
        see: "v1;kernel=strided-copy;view=coalescing",
    },
    Term {
        id: "launch-grid-size",
        name: "launch__grid_size",
        also: &["Blocks per grid"],
        kind: Kind::Metric,
        text: "This metric counts blocks of the grid. Fewer blocks than SMs leave SMs without work.",
        source: "Nsight Compute documentation, Profiling Guide, Launch Metrics",
        see: "v1;view=occupancy",
    },
    Term {
        id: "launch-block-size",
        name: "launch__block_size",
        also: &["Threads per block", "Block size"],
        kind: Kind::Metric,
        text: "This metric counts threads of a block. Choose a multiple of 32, because a part of a warp \
            costs as much as a whole warp.",
        source: "Nsight Compute documentation, Profiling Guide, Launch Metrics",
        see: "v1;view=occupancy",
    },
    Term {
        id: "launch-thread-count",
        name: "launch__thread_count",
        also: &["Threads per grid"],
        kind: Kind::Metric,
        text: "This metric counts threads of the grid: blocks times threads per block. Hiding latency on a \
            whole chip takes tens of thousands of threads.",
        source: "Nsight Compute documentation, Profiling Guide, Launch Metrics",
        see: "v1;view=occupancy",
    },
    Term {
        id: "launch-registers-per-thread",
        name: "launch__registers_per_thread",
        also: &["Registers per thread"],
        kind: Kind::Metric,
        text: "This metric counts the registers that the compiler assigned to each thread. More registers \
            save spills and loads but allow fewer resident warps.",
        source: "Nsight Compute documentation, Profiling Guide, Launch Metrics",
        see: "v1;view=occupancy;kernel=pressure",
    },
    Term {
        id: "launch-shared-mem-per-block-static",
        name: "launch__shared_mem_per_block_static",
        also: &["Static shared memory per block"],
        kind: Kind::Metric,
        text: "This metric counts the bytes of shared memory that the kernel declares with constant sizes. \
            Each resident block takes this amount.",
        source: "Nsight Compute documentation, Profiling Guide, Launch Metrics",
        see: "v1;view=occupancy",
    },
    Term {
        id: "launch-shared-mem-per-block-dynamic",
        name: "launch__shared_mem_per_block_dynamic",
        also: &["Dynamic shared memory per block"],
        kind: Kind::Metric,
        text: "This metric counts the bytes of dynamic shared memory that the launch requests per block. \
            Each resident block takes this amount in addition to the static part.",
        source: "Nsight Compute documentation, Profiling Guide, Launch Metrics",
        see: "v1;view=occupancy;shared=16384",
    },
    Term {
        id: "launch-shared-mem-config-size",
        name: "launch__shared_mem_config_size",
        also: &["Configured shared memory"],
        kind: Kind::Metric,
        text: "This metric counts the bytes of the SM's memory that are configured as shared memory: the \
            carveout. The rest of the combined memory is L1.",
        source: "Nsight Compute documentation, Profiling Guide, Launch Metrics",
        see: "v1;view=carveout",
    },
    Term {
        id: "launch-occupancy-limit-warps",
        name: "launch__occupancy_limit_warps",
        also: &["Occupancy limit of warp slots"],
        kind: Kind::Metric,
        text: "This metric counts blocks per SM that the warp slots allow. Use smaller blocks if the rest \
            of the slots fits no whole block.",
        source: "Nsight Compute documentation, Profiling Guide, Launch Metrics",
        see: "v1;view=occupancy",
    },
    Term {
        id: "launch-occupancy-limit-blocks",
        name: "launch__occupancy_limit_blocks",
        also: &["Occupancy limit of block slots"],
        kind: Kind::Metric,
        text: "This metric counts blocks per SM that the block slots allow. Use larger blocks if this is \
            the smallest limit.",
        source: "Nsight Compute documentation, Profiling Guide, Launch Metrics",
        see: "v1;view=occupancy",
    },
    Term {
        id: "launch-occupancy-limit-registers",
        name: "launch__occupancy_limit_registers",
        also: &["Occupancy limit of registers"],
        kind: Kind::Metric,
        text: "This metric counts blocks per SM that the registers allow. Limit the registers per thread if \
            this is the smallest limit.",
        source: "Nsight Compute documentation, Profiling Guide, Launch Metrics",
        see: "v1;view=occupancy",
    },
    Term {
        id: "launch-occupancy-limit-shared-mem",
        name: "launch__occupancy_limit_shared_mem",
        also: &["Occupancy limit of shared memory"],
        kind: Kind::Metric,
        text: "This metric counts blocks per SM that shared memory allows. Use less shared memory per block \
            if this is the smallest limit.",
        source: "Nsight Compute documentation, Profiling Guide, Launch Metrics",
        see: "v1;view=occupancy",
    },
];
