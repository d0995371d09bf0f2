//! Terms of the SM: schedulers, warps and lanes, execution units, registers, divergence, occupancy.

use super::{Kind, Term};

pub(super) static TERMS: &[Term] = &[
    Term {
        id: "sm",
        name: "SM",
        also: &["streaming multiprocessor", "multiprocessor", "SMs"],
        kind: Kind::Execution,
        text: "A streaming multiprocessor executes whole blocks on its own schedulers, registers, shared \
            memory, and execution units. Warpscope shows one SM that runs all blocks of the grid alone, or any \
            SM of a run on the whole device.",
        source: "Nsight Compute documentation, Profiling Guide, Units",
        see: "v1;cycle=700",
    },
    Term {
        id: "gpc",
        name: "GPC",
        also: &["graphics processing cluster", "GPCs", "TPC", "TPCs"],
        kind: Kind::Execution,
        text: "A graphics processing cluster is a group of SMs, two of them in each TPC. GV100 has six GPCs with \
            up to seven TPCs each, and 80 of its 84 SMs are enabled.",
        source: "Tesla V100 white paper, GV100 GPU Hardware Architecture In-Depth",
        see: "v1;kernel=vector-add;grid=200;view=device;cycle=100",
    },
    Term {
        id: "sub-partition",
        name: "sub-partition",
        also: &["SMSP", "SM sub-partition", "partition", "processing block"],
        kind: Kind::Execution,
        text: "A sub-partition is a quarter of an SM: one scheduler, its register file, and its execution \
            units (Maxwell on; GP100 has two). A warp stays in its sub-partition, so an uneven \
            distribution of work leaves units idle.",
        source: "Nsight Compute documentation, Profiling Guide, Units; CUDA C++ Programming Guide, Compute \
            Capabilities",
        see: "v1;cycle=700",
    },
    Term {
        id: "warp-scheduler",
        name: "warp scheduler",
        also: &["scheduler", "schedulers"],
        kind: Kind::Execution,
        text: "A warp scheduler selects one of its eligible warps and issues the next instruction of this \
            warp. A cycle without an eligible warp is a lost issue slot.",
        source: "Nsight Compute documentation, Profiling Guide, Hardware Model; Volta Tuning Guide, 4.1.1",
        see: "v1;cycle=700",
    },
    Term {
        id: "scheduling-policy",
        name: "scheduling policy",
        also: &[
            "policy",
            "round robin",
            "greedy, then oldest",
            "loose round robin",
        ],
        kind: Kind::Execution,
        text: "The scheduling policy decides which of several eligible warps a scheduler selects. NVIDIA \
            documents no policy: Warpscope uses round robin on GH100, where it was measured, and \
            greedy-then-oldest elsewhere.",
        source: "Measured on GH100; assumed on the other chips",
        see: "v1;policy=lrr;view=timeline;cycle=60",
    },
    Term {
        id: "warp",
        name: "warp",
        also: &["warps"],
        kind: Kind::Execution,
        text: "A warp is a group of 32 consecutive threads of a block that issue their instructions \
            together. Stalls, divergence, coalescing, and bank conflicts all happen per warp.",
        source: "CUDA C++ Programming Guide, Hardware Implementation, SIMT Architecture",
        see: "v1;view=timeline;cycle=60",
    },
    Term {
        id: "half-warp",
        name: "half-warp",
        also: &["half warp"],
        kind: Kind::Execution,
        text: "A half-warp is lanes 0 to 15 or 16 to 31 of a warp. On Tesla, memory requests cover \
            half-warps; later, only wide accesses divide a warp.",
        source: "CUDA C Programming Guide 4.2, F.3.2 and F.4.2; Fermi Tuning Guide, Global Memory",
        see: "v1;arch=g80;view=coalescing;kernel=offset-copy-1",
    },
    Term {
        id: "lane",
        name: "lane",
        also: &["lanes"],
        kind: Kind::Execution,
        text: "A lane is one of the 32 positions of a warp, and executes one thread. The lane number is the \
            linear thread index modulo 32, which decides the address that the lane accesses.",
        source: "CUDA C++ Programming Guide, Hardware Implementation, SIMT Architecture; PTX ISA, Special \
            Registers, %laneid",
        see: "v1;view=registers;cycle=700",
    },
    Term {
        id: "simt",
        name: "SIMT",
        also: &["single instruction, multiple threads"],
        kind: Kind::Execution,
        text: "SIMT execution issues one instruction for all active lanes of a warp, while each lane has \
            its own registers and its own path. Full speed requires that all 32 lanes take the same path.",
        source: "CUDA C++ Programming Guide, Hardware Implementation, SIMT Architecture",
        see: "v1;view=divergence;kernel=divergence;cycle=300",
    },
    Term {
        id: "warp-slot",
        name: "warp slot",
        also: &["slot", "slots", "warp slots"],
        kind: Kind::Execution,
        text: "A warp slot holds the state of one resident warp; an SM has 24 to 64 slots. Empty slots \
            cannot hide latency: see what limits the number of blocks.",
        source: "CUDA C++ Programming Guide, Compute Capabilities",
        see: "v1;view=occupancy",
    },
    Term {
        id: "block-slot",
        name: "block slot",
        also: &["block slots"],
        kind: Kind::Execution,
        text: "A block slot holds one resident block; an SM has 8 to 32 slots. Blocks of one or two warps \
            fill the block slots first and leave warp slots empty.",
        source: "CUDA C++ Programming Guide, Compute Capabilities; cuda_occupancy.h",
        see: "v1;view=occupancy",
    },
    Term {
        id: "issue",
        name: "issue",
        also: &["issues", "issued"],
        kind: Kind::Execution,
        text: "A scheduler issues an instruction when the scheduler sends it to an execution unit for all \
            active lanes of a warp. Instructions issue in program order, so one stalled instruction stalls \
            its warp.",
        source: "Nsight Compute documentation, Profiling Guide, Hardware Model",
        see: "v1;view=timeline;mark=issue;cycle=60",
    },
    Term {
        id: "issue-slot",
        name: "issue slot",
        also: &["issue slots"],
        kind: Kind::Execution,
        text: "An issue slot is one opportunity of one scheduler to issue: every cycle from Kepler on, \
            every second on Fermi, every fourth on Tesla. The share of used issue slots shows how busy the \
            SM is.",
        source: "Nsight Compute documentation, Profiling Guide, Hardware Model; CUDA C Programming Guide \
            4.2, Compute Capabilities",
        see: "v1;view=stalls",
    },
    Term {
        id: "dual-issue",
        name: "dual issue",
        also: &["issue pair", "dispatches"],
        kind: Kind::Execution,
        text: "With dual issue, a scheduler sends two independent instructions of one warp to different \
            units in one cycle. GF104 and Kepler need such pairs to use all of their lanes.",
        source: "CUDA C Programming Guide 4.2, F.4 and F.5",
        see: "v1;arch=gk110;kernel=ilp-2;view=timeline;cycle=540",
    },
    Term {
        id: "dispatch-port",
        name: "dispatch port",
        also: &["dispatch unit", "dispatch"],
        kind: Kind::Execution,
        text: "The dispatch port passes an issued instruction and its operands from the scheduler to an \
            execution pipe. A register bank conflict keeps the port busy for an extra cycle on GH100.",
        source: "V100 white paper; GH100: measured",
        see: "v1;arch=gh100;kernel=matmul-naive;view=stalls",
    },
    Term {
        id: "pipe",
        name: "pipe",
        also: &["pipeline", "pipes", "unit", "execution unit"],
        kind: Kind::Execution,
        text: "A pipe executes one class of instructions, such as FP32 arithmetic or memory accesses. A \
            pipe with 16 lanes is busy with one warp instruction for two cycles.",
        source: "Nsight Compute documentation, Profiling Guide, Pipelines",
        see: "v1;cycle=700",
    },
    Term {
        id: "fp32",
        name: "FP32",
        also: &["FMA", "fp32 pipe", "FMA pipe", "CUDA core"],
        kind: Kind::Execution,
        text: "The FP32 pipe executes single-precision additions, multiplications, and fused multiply-adds, \
            and from Volta on integer multiplications. Before Volta, the same lanes also execute integer \
            instructions.",
        source: "Nsight Compute documentation, Profiling Guide, Pipelines; Volta Tuning Guide, 4.1.4",
        see: "v1;kernel=mixed-math-float;cycle=600",
    },
    Term {
        id: "int32",
        name: "INT32",
        also: &["INT", "ALU", "integer pipe"],
        kind: Kind::Execution,
        text: "The INT32 pipe executes integer additions, logic, shifts, and comparisons in separate lanes \
            from Volta on. Address arithmetic then runs beside FP32 arithmetic and does not take its \
            place.",
        source: "Nsight Compute documentation, Profiling Guide, Pipelines; Volta Tuning Guide, 4.1.4",
        see: "v1;kernel=mixed-math;cycle=600",
    },
    Term {
        id: "fp64",
        name: "FP64",
        also: &["double precision", "fp64 pipe"],
        kind: Kind::Execution,
        text: "The FP64 pipe executes double-precision arithmetic, from compute capability 1.3 on. Its \
            width varies from 1 to 64 lanes per SM, so double precision costs 2 to 64 times as much.",
        source: "Nsight Compute documentation, Profiling Guide, Pipelines; CUDA C++ Programming Guide, \
            Arithmetic Instructions",
        see: "",
    },
    Term {
        id: "fp16",
        name: "FP16",
        also: &["half precision", "fp16 pipe"],
        kind: Kind::Execution,
        text: "The FP16 pipe executes instructions on two half-precision numbers in one register (Volta, \
            Turing, and GA100). Packed halves double the arithmetic rate and halve the bytes to load; \
            other chips use the FP32 lanes.",
        source: "Nsight Compute documentation, Profiling Guide, Pipelines",
        see: "",
    },
    Term {
        id: "xu",
        name: "XU",
        also: &["SFU", "special function unit", "transcendental unit"],
        kind: Kind::Execution,
        text: "The XU executes reciprocals, square roots, sines, exponentials, and conversions between \
            integers and floats; older documents say SFU. The unit is narrow: frequent use makes warps \
            stall on Short Scoreboard or on a throttle.",
        source: "Nsight Compute documentation, Profiling Guide, Pipelines",
        see: "v1;kernel=ladder-32;view=source",
    },
    Term {
        id: "tensor-core",
        name: "tensor core",
        also: &["TC", "Tensor", "tensor cores"],
        kind: Kind::Execution,
        text: "A tensor core multiplies small matrices and adds the product to a third matrix for a whole \
            warp (Volta on). Matrix products on tensor cores are many times faster than the same products \
            on FP32 lanes.",
        source: "Volta Tuning Guide, 4.2; Turing Tuning Guide, 1.4.2",
        see: "",
    },
    Term {
        id: "cbu",
        name: "CBU",
        also: &["convergence barrier unit", "branch unit"],
        kind: Kind::Execution,
        text: "The convergence barrier unit executes branches, exits, and the instructions that let \
            diverged lanes converge (Volta on). Warpscope uses the same name for the branch unit of older \
            chips.",
        source: "Nsight Compute documentation, Profiling Guide, Pipelines",
        see: "v1;kernel=divergence;view=source",
    },
    Term {
        id: "adu",
        name: "ADU",
        also: &["address divergence unit"],
        kind: Kind::Execution,
        text: "The address divergence unit executes block barriers and constant loads with an address in a \
            register (Volta on). Lanes with different constant addresses take one pass per address.",
        source: "Nsight Compute documentation, Profiling Guide, Pipelines",
        see: "v1;kernel=constant-divergent;view=stalls",
    },
    Term {
        id: "lsu",
        name: "LSU",
        also: &["load/store unit", "load/store units"],
        kind: Kind::Execution,
        text: "The load/store units process addresses of global, local, and shared memory accesses, and \
            lane exchanges. All schedulers of an SM share these units, so many accesses fill the queue \
            before them.",
        source: "Nsight Compute documentation, Profiling Guide, Pipelines",
        see: "v1;cycle=700",
    },
    Term {
        id: "mio",
        name: "MIO",
        also: &["memory input/output"],
        kind: Kind::Execution,
        text: "MIO is the part of the SM outside the sub-partitions: load/store units, shared memory, and \
            other shared units (Maxwell on). Results from the MIO have variable latency and use \
            scoreboards.",
        source: "Nsight Compute documentation, Profiling Guide, Subunits",
        see: "v1;cycle=700",
    },
    Term {
        id: "mio-queue",
        name: "MIO queue",
        also: &["instruction queue"],
        kind: Kind::Execution,
        text: "The MIO queue holds issued instructions of a sub-partition until shared memory or another \
            MIO unit accepts them. A full queue stalls further such instructions: see MIO Throttle.",
        source: "Nsight Compute documentation, Profiling Guide, Warp Stall Reasons",
        see: "v1;cycle=1500",
    },
    Term {
        id: "lg-queue",
        name: "LG queue",
        also: &["local/global queue"],
        kind: Kind::Execution,
        text: "The LG queue holds local and global memory instructions until L1 accepts them. Wide requests \
            and requests that touch many lines keep entries longer: see LG Throttle.",
        source: "Nsight Compute documentation, Profiling Guide, Warp Stall Reasons",
        see: "v1;kernel=matmul-naive;view=stalls",
    },
    Term {
        id: "tex-unit",
        name: "TEX",
        also: &["texture unit", "texture units"],
        kind: Kind::Execution,
        text: "The texture unit computes addresses, filters, and converts texels of texture fetches. From \
            Maxwell on its cache is L1; before, textures have a cache of their own.",
        source: "Nsight Compute documentation, Profiling Guide, Pipelines; Nsight Compute documentation, \
            Profiling Guide, Hardware Model",
        see: "v1;arch=gf100;kernel=gather-texture;view=stalls",
    },
    Term {
        id: "register",
        name: "register",
        also: &["registers", "REG"],
        kind: Kind::Execution,
        text: "A register holds 32 bits for one lane; 64-bit values take an aligned pair. Registers are the \
            fastest storage, and their number per thread limits the resident warps.",
        source: "CUDA C++ Programming Guide, Hardware Implementation, Hardware Multithreading",
        see: "v1;view=registers;cycle=700",
    },
    Term {
        id: "register-file",
        name: "register file",
        also: &["Registers of the SM", "register files"],
        kind: Kind::Execution,
        text: "The register file holds the registers of all resident warps: 32 KB per SM on G80, 256 KB \
            from Kepler on. A block gets its registers when it becomes resident and keeps them until it \
            exits.",
        source: "CUDA C++ Programming Guide, Compute Capabilities",
        see: "v1;view=occupancy",
    },
    Term {
        id: "register-bank",
        name: "register bank",
        also: &["register banks"],
        kind: Kind::Execution,
        text: "A register bank is a part of the register file that delivers one operand of a warp at a \
            time. GH100 has an even and an odd bank per scheduler: distribute operands over both.",
        source: "Measured on GH100; Volta: Jia et al. 2018",
        see: "v1;arch=gh100;kernel=matmul-tiled;view=registers;cycle=1500",
    },
    Term {
        id: "register-bank-conflict",
        name: "register bank conflict",
        also: &["register bank conflicts"],
        kind: Kind::Execution,
        text: "A register bank conflict occurs when an instruction reads more operands from one register \
            bank than the bank delivers per cycle. The instruction then stalls at dispatch: see Dispatch \
            Stall.",
        source: "Measured on GH100; Volta: Jia et al. 2018",
        see: "v1;arch=gh100;kernel=matmul-naive;view=stalls",
    },
    Term {
        id: "operand-reuse",
        name: "operand reuse",
        also: &["reuse cache", "operand collector", ".reuse"],
        kind: Kind::Execution,
        text: "Operand reuse keeps a register that the next instruction reads in the same position (Maxwell \
            on). A reused operand needs no bank access, which avoids register bank conflicts.",
        source: "Measured on GH100; Volta: Jia et al. 2018",
        see: "",
    },
    Term {
        id: "predicate",
        name: "predicate",
        also: &["predicates", "predicate register"],
        kind: Kind::Execution,
        text: "A predicate is a one-bit register of a lane, P0 to P6; PT is always true. Comparisons write \
            predicates, and guards such as @P0 read them.",
        source: "CUDA Binary Utilities, Instruction Set Reference; PTX ISA, Predicated Execution",
        see: "v1;kernel=divergence;view=registers;values=predicates;cycle=300",
    },
    Term {
        id: "predication",
        name: "predication",
        also: &["predicated execution", "guard", "guard predicate", "predicated"],
        kind: Kind::Execution,
        text: "Predication executes an instruction only in the lanes whose guard predicate is true, without \
            a branch. Short branches become predicated code, which still takes an issue slot for the lanes \
            that are off.",
        source: "CUDA C++ Programming Guide, Control Flow Instructions",
        see: "v1;kernel=divergence;view=source;counters=lanes",
    },
    Term {
        id: "active-mask",
        name: "active mask",
        also: &["mask", "active lanes", "Active lanes per issue"],
        kind: Kind::Execution,
        text: "The active mask has one bit for each lane that takes part in an instruction. A mask with few \
            bits wastes lanes, because the instruction costs the same for 1 lane as for 32.",
        source: "CUDA C++ Programming Guide, Hardware Implementation, SIMT Architecture",
        see: "v1;kernel=divergence;view=divergence;cycle=300",
    },
    Term {
        id: "divergence",
        name: "divergence",
        also: &["branch divergence", "thread divergence", "diverged"],
        kind: Kind::Execution,
        text: "Lanes of a warp diverge when a branch sends them to different instructions. The warp \
            executes each path in turn with part of its lanes, so the costs of all paths add up.",
        source: "CUDA C++ Programming Guide, Hardware Implementation, SIMT Architecture; Control Flow \
            Instructions",
        see: "v1;kernel=divergence;view=divergence;cycle=300",
    },
    Term {
        id: "convergence",
        name: "convergence",
        also: &["reconvergence", "Reconvergences", "converged"],
        kind: Kind::Execution,
        text: "Lanes converge when they execute the same instruction together again, usually after the end \
            of the branch that split them. Late convergence repeats common code for each group of lanes.",
        source: "CUDA C++ Programming Guide, Hardware Implementation, SIMT Architecture",
        see: "v1;kernel=divergence;view=divergence;cycle=550",
    },
    Term {
        id: "convergence-barrier",
        name: "convergence barrier",
        also: &["barrier register", "convergence barriers"],
        kind: Kind::Execution,
        text: "A convergence barrier is a register, B0 to B15, that names the lanes that wait for each \
            other (Volta on). BSSY sets the barrier before a branch, and lanes wait at BSYNC until all \
            have arrived.",
        source: "CUDA Binary Utilities, Instruction Set Reference; lane groups: assumed",
        see: "v1;kernel=divergence;view=divergence;cycle=550",
    },
    Term {
        id: "reconvergence-stack",
        name: "reconvergence stack",
        also: &["divergence stack", "SIMT stack"],
        kind: Kind::Execution,
        text: "The reconvergence stack holds the paths and convergence points that a warp has yet to \
            execute (Tesla to Pascal). Lanes on the stack cannot run, so a lane that waits for them never \
            finishes.",
        source: "Wong et al. 2010; CUDA C++ Programming Guide 10.1, H.6.2",
        see: "v1;arch=gm204;kernel=divergence;view=divergence;cycle=300",
    },
    Term {
        id: "independent-thread-scheduling",
        name: "independent thread scheduling",
        also: &["ITS"],
        kind: Kind::Execution,
        text: "Each lane has its own program counter from Volta on, so diverged groups of a warp take \
            turns. Code that assumes lockstep without __syncwarp() is wrong: set the option adversarial to \
            test.",
        source: "Volta Tuning Guide, 4.1.2; Turing Tuning Guide, 1.4.1.2",
        see: "v1;kernel=warp-sum;adversarial=on;view=divergence;cycle=300",
    },
    Term {
        id: "adversarial",
        name: "adversarial",
        also: &["worst-case interleaving of lanes"],
        kind: Kind::Execution,
        text: "The option adversarial lets diverged lanes of Volta and later chips interleave in the worst \
            order that the rules allow. A kernel whose outputs change under this option has a \
            synchronization error.",
        source: "Warpscope's own option; allowed orders: Volta Tuning Guide, 4.1.2",
        see: "v1;kernel=warp-sum;adversarial=on;view=divergence;cycle=300",
    },
    Term {
        id: "scoreboard",
        name: "scoreboard",
        also: &["scoreboards"],
        kind: Kind::Execution,
        text: "A scoreboard tracks results of variable latency, such as loads; the dependent instruction \
            waits until the scoreboard is released. From Maxwell on, a warp has six, and loads that share \
            one wait for each other.",
        source: "Nsight Compute documentation, Profiling Guide, Warp Stall Reasons; six scoreboards: Jia et \
            al. 2018",
        see: "v1;view=timeline;mark=long;cycle=600",
    },
    Term {
        id: "latency",
        name: "latency",
        also: &["latency in cycles", "latencies"],
        kind: Kind::Execution,
        text: "Latency is the number of cycles from the issue of an instruction until a dependent \
            instruction can issue. Other warps and independent instructions hide latency.",
        source: "CUDA C++ Programming Guide, Performance Guidelines, Multiprocessor Level",
        see: "v1;kernel=pointer-chase;view=timeline;cycle=600",
    },
    Term {
        id: "throughput",
        name: "throughput",
        also: &["rate"],
        kind: Kind::Execution,
        text: "Throughput is the number of results or bytes per cycle when enough work is in flight. A \
            kernel that reaches the throughput of a unit gains only from less work for this unit.",
        source: "CUDA C++ Programming Guide, Arithmetic Instructions",
        see: "v1;kernel=ilp-4;view=timeline;cycle=540",
    },
    Term {
        id: "latency-hiding",
        name: "latency hiding",
        also: &["hide latency"],
        kind: Kind::Execution,
        text: "A scheduler hides the latency of one warp by issuing instructions of other warps. Volta and \
            Turing need 16 warps per SM to hide FMA latency, or 4 with four independent instructions each.",
        source: "Volta Tuning Guide, 4.1.1; Turing Tuning Guide, 1.4.1.1",
        see: "v1;kernel=vector-add;view=timeline;cycle=600",
    },
    Term {
        id: "ilp",
        name: "ILP",
        also: &["instruction-level parallelism", "independent instructions"],
        kind: Kind::Execution,
        text: "Instruction-level parallelism is the number of independent instructions that a warp can \
            issue before it waits for a result. Twice the ILP needs half as many warps to hide the same \
            latency.",
        source: "CUDA C++ Programming Guide, Performance Guidelines, Multiprocessor Level; Volta Tuning \
            Guide, 4.1.1",
        see: "v1;kernel=ilp-2;view=timeline;cycle=540",
    },
    Term {
        id: "fixed-latency",
        name: "fixed latency",
        also: &["stall count"],
        kind: Kind::Execution,
        text: "An instruction of fixed latency, such as FFMA, has its result ready after a known number of \
            cycles. From Kepler on, the compiler writes these waits into the code: see Wait.",
        source: "Nsight Compute documentation, Profiling Guide, Warp Stall Reasons; envytools",
        see: "v1;kernel=ilp-1;view=stalls",
    },
    Term {
        id: "eligible-warp",
        name: "eligible warp",
        also: &["eligible", "eligible warps"],
        kind: Kind::Execution,
        text: "A warp is eligible if its next instruction can issue in this cycle. A scheduler with no \
            eligible warp issues nothing; with several, all but one are Not Selected.",
        source: "Nsight Compute documentation, Profiling Guide, Hardware Model",
        see: "v1;view=timeline;mark=eligible;cycle=60",
    },
    Term {
        id: "stall",
        name: "stall",
        also: &["stalls", "stall reason", "stalled warp", "warp state", "state"],
        kind: Kind::Execution,
        text: "A warp stalls in each cycle in which its next instruction cannot issue, for one named \
            reason. The most frequent reason at a line shows what to change there.",
        source: "Nsight Compute documentation, Profiling Guide, Warp Stall Reasons",
        see: "v1;view=stalls",
    },
    Term {
        id: "resident",
        name: "resident",
        also: &["resident blocks", "resident warps"],
        kind: Kind::Execution,
        text: "Blocks and warps are resident from the cycle in which the SM reserves their registers, \
            slots, and shared memory until they exit. Only resident warps can issue.",
        source: "CUDA C++ Programming Guide, Hardware Implementation, Hardware Multithreading",
        see: "v1;view=occupancy",
    },
    Term {
        id: "occupancy",
        name: "occupancy",
        also: &["theoretical occupancy"],
        kind: Kind::Execution,
        text: "Occupancy is the number of resident warps divided by the warp slots of the SM. Low occupancy \
            leaves fewer warps to hide latency; beyond that need, more occupancy gains nothing.",
        source: "CUDA C++ Programming Guide, Performance Guidelines, Multiprocessor Level; cuda_occupancy.h",
        see: "v1;view=occupancy",
    },
    Term {
        id: "achieved-occupancy",
        name: "achieved occupancy",
        also: &["resident warps, mean of the run"],
        kind: Kind::Execution,
        text: "Achieved occupancy is the mean number of resident warps over the active cycles, divided by \
            the warp slots. Values below theoretical occupancy come from too few blocks or from blocks \
            that end early.",
        source: "Nsight Compute documentation, Profiling Guide, Metrics Structure; Nsight Compute \
            documentation, Profiling Guide, Occupancy Metrics",
        see: "v1;view=occupancy;cycle=3000",
    },
    Term {
        id: "limiter",
        name: "limiter",
        also: &["limited by", "limiting resource"],
        kind: Kind::Execution,
        text: "The limiter is the resource that allows the fewest blocks per SM: warp slots, block slots, \
            registers, or shared memory. Reduce this resource per block to raise occupancy.",
        source: "cuda_occupancy.h; Nsight Compute documentation, Profiling Guide, Launch Metrics",
        see: "v1;view=occupancy;kernel=pressure",
    },
    Term {
        id: "allocation-unit",
        name: "allocation unit",
        also: &["register allocation unit", "shared memory allocation unit"],
        kind: Kind::Execution,
        text: "Registers and shared memory are allocated in units, for example 256 registers per warp from \
            Kepler on. Rounding up can cost a block: one register less per thread can be enough.",
        source: "cuda_occupancy.h; CUDA C Programming Guide 4.2, 4.2",
        see: "v1;view=occupancy;kernel=pressure",
    },
    Term {
        id: "wave",
        name: "wave",
        also: &["waves", "tail effect"],
        kind: Kind::Execution,
        text: "A wave is the set of blocks that all SMs of the chip hold at the same time. A last wave with \
            few blocks leaves SMs idle, so choose grids of many or whole waves.",
        source: "Nsight Compute documentation, Profiling Guide, Launch Metrics",
        see: "v1;kernel=saxpy-each;cycle=1000",
    },
    Term {
        id: "cycle",
        name: "cycle",
        also: &["cycles", "clock", "SM clock"],
        kind: Kind::Execution,
        text: "A cycle is one period of the SM clock; Tesla and Fermi call it the shader clock. All times \
            in Warpscope are cycles of one SM, because all its units share this clock.",
        source: "CUDA C++ Programming Guide, Time Function",
        see: "v1;view=timeline;cycle=60",
    },
    Term {
        id: "warp-cycle",
        name: "warp cycle",
        also: &["warp cycles"],
        kind: Kind::Execution,
        text: "A warp cycle is one cycle of one resident warp, and the warp is in exactly one state during \
            it. Shares of warp cycles therefore show where the time of the warps goes.",
        source: "Nsight Compute documentation, Profiling Guide, Warp Stall Reasons",
        see: "v1;view=stalls",
    },
    Term {
        id: "instruction-fetch",
        name: "instruction fetch",
        also: &["instruction cache"],
        kind: Kind::Execution,
        text: "Instruction fetch brings the next instructions of a warp from the instruction caches into \
            the SM. Straight code is prefetched; jumps across long code can miss: see No Instruction.",
        source: "Nsight Compute documentation, Profiling Guide, Warp Stall Reasons",
        see: "",
    },
];
