//! Terms of CUDA programs: kernels, launches, synchronization, mistakes, compiler options.

use super::{Kind, Term};

pub(super) static TERMS: &[Term] = &[
    Term {
        id: "kernel",
        name: "kernel",
        also: &["__global__", "kernels", "__global__ function"],
        kind: Kind::Program,
        text: "A kernel is a __global__ function that the host launches and that every thread of a grid \
            executes. Warpscope compiles the CUDA C++ text of a kernel to SASS for each architecture.",
        source: "CUDA C++ Programming Guide, Programming Model, Kernels",
        see: "v1;view=source",
    },
    Term {
        id: "launch",
        name: "launch",
        also: &["<<<>>>", "launch configuration", "execution configuration"],
        kind: Kind::Program,
        text: "A launch starts a kernel with a grid, a block size, dynamic shared memory, and arguments. \
            The launch decides how many warps exist, and with the kernel it decides the occupancy.",
        source: "CUDA C++ Programming Guide, C++ Language Extensions, Execution Configuration",
        see: "v1;view=occupancy",
    },
    Term {
        id: "grid",
        name: "grid",
        also: &["gridDim"],
        kind: Kind::Program,
        text: "A grid is the set of all blocks of a launch, in one to three dimensions. Blocks of a grid \
            run in any order, so a grid needs enough blocks to fill all SMs.",
        source: "CUDA C++ Programming Guide, Programming Model, Thread Hierarchy",
        see: "v1;kernel=saxpy-each;cycle=1000",
    },
    Term {
        id: "block",
        name: "block",
        also: &[
            "blocks",
            "CTA",
            "cooperative thread array",
            "blockDim",
            "thread block",
        ],
        kind: Kind::Program,
        text: "A block is a group of up to 1,024 threads (512 on Tesla) that run on one SM and share its \
            shared memory. The SM admits a block only if its registers, shared memory, and slots suffice.",
        source: "CUDA C++ Programming Guide, Programming Model, Thread Hierarchy",
        see: "v1;view=occupancy",
    },
    Term {
        id: "thread",
        name: "thread",
        also: &["threads", "threadIdx"],
        kind: Kind::Program,
        text: "A thread executes the kernel once with its own indices, registers, and local memory. The \
            linear thread index decides warp and lane, and with them coalescing and bank conflicts.",
        source: "CUDA C++ Programming Guide, Programming Model, Thread Hierarchy",
        see: "v1;view=registers;cycle=700",
    },
    Term {
        id: "block-barrier",
        name: "block barrier",
        also: &["__syncthreads()", "__syncthreads"],
        kind: Kind::Program,
        text: "A block barrier makes all threads of a block wait until all of them have arrived and their \
            shared and global accesses are visible. From Volta on, every thread that has not exited must \
            reach the barrier.",
        source: "CUDA C++ Programming Guide, Synchronization Functions; Volta Tuning Guide, 4.1.2",
        see: "v1;kernel=barrier;view=timeline;mark=barrier;cycle=600",
    },
    Term {
        id: "syncwarp",
        name: "__syncwarp()",
        also: &["__syncwarp", "warp barrier"],
        kind: Kind::Program,
        text: "__syncwarp() makes the lanes of its mask wait for each other and orders their memory \
            accesses. From Volta on, place this barrier between steps that exchange data within a warp.",
        source: "CUDA C++ Programming Guide, Synchronization Functions; Volta Tuning Guide, 4.1.2",
        see: "v1;kernel=warp-sum-sync;view=source",
    },
    Term {
        id: "member-mask",
        name: "member mask",
        also: &["lane mask", "__activemask()"],
        kind: Kind::Program,
        text: "A member mask names the lanes that take part in a shuffle, vote, or __syncwarp(), one bit \
            per lane. The instruction waits for all named lanes from Volta on, so name only lanes that \
            arrive.",
        source: "CUDA C++ Programming Guide, Warp Shuffle Functions; Volta Tuning Guide, 4.1.2",
        see: "v1;kernel=warp-shuffle-sync;view=source",
    },
    Term {
        id: "shuffle",
        name: "shuffle",
        also: &["__shfl_sync", "warp shuffle", "__shfl_down_sync"],
        kind: Kind::Program,
        text: "A shuffle moves a register value between lanes of a warp without memory (Kepler on). A \
            reduction with shuffles needs fewer barriers and less shared memory.",
        source: "CUDA C++ Programming Guide, Warp Shuffle Functions",
        see: "v1;kernel=reduce-shuffle;view=source",
    },
    Term {
        id: "vote-function",
        name: "vote function",
        also: &["__ballot_sync", "__all_sync", "__any_sync", "warp vote"],
        kind: Kind::Program,
        text: "A vote combines one condition of all named lanes to a value that every lane receives (1.2 \
            on). Use votes to take a path only if all lanes agree.",
        source: "CUDA C++ Programming Guide, Warp Vote Functions",
        see: "v1;kernel=warp-shuffle-active;view=source",
    },
    Term {
        id: "warp-reduce",
        name: "warp reduction",
        also: &["__reduce_add_sync", "warp reductions"],
        kind: Kind::Program,
        text: "A warp reduction adds, compares, or combines a 32-bit integer of all named lanes with one \
            instruction, REDUX (Ampere on). It replaces five shuffles and five additions.",
        source: "CUDA C++ Programming Guide, Warp Reduce Functions",
        see: "",
    },
    Term {
        id: "memory-fence",
        name: "memory fence",
        also: &["__threadfence()", "__threadfence", "fence", "memory barrier"],
        kind: Kind::Program,
        text: "A memory fence makes earlier writes of a thread visible to a block, the device, or the \
            system before later ones. A fence does not wait for other threads; use the smallest sufficient \
            scope.",
        source: "CUDA C++ Programming Guide, Memory Fence Functions",
        see: "v1;kernel=lock;view=stalls",
    },
    Term {
        id: "volatile",
        name: "volatile",
        also: &[],
        kind: Kind::Program,
        text: "A volatile access goes to memory every time, so the compiler does not keep the value in a \
            register. It does not order lanes from Volta on: add __syncwarp().",
        source: "CUDA C++ Programming Guide, Memory Fence Functions; Volta Tuning Guide, 4.1.2",
        see: "v1;kernel=warp-sum;view=source",
    },
    Term {
        id: "lock",
        name: "lock",
        also: &["spin lock", "mutex"],
        kind: Kind::Program,
        text: "A lock lets one thread at a time execute a critical section, usually by atomicCAS in a loop. \
            Before Volta, lanes of one warp that compete for a lock can wait for ever.",
        source: "CUDA C++ Programming Guide, Atomic Functions; V100 white paper",
        see: "v1;kernel=lock;view=timeline;cycle=600",
    },
    Term {
        id: "deadlock",
        name: "deadlock",
        also: &["livelock"],
        kind: Kind::Program,
        text: "In a deadlock, every warp waits for something that cannot happen; in a livelock, warps loop \
            for ever without progress. Warpscope ends such a run and names the lanes that wait.",
        source: "V100 white paper; detection: Warpscope's own",
        see: "v1;kernel=lock-spin;arch=gm204;view=divergence;cycle=1000",
    },
    Term {
        id: "race",
        name: "data race",
        also: &["race", "racecheck", "race condition"],
        kind: Kind::Program,
        text: "A data race occurs when two threads access one address, at least one of them writes, and \
            nothing orders them. The result then depends on timing: add a barrier or an atomic.",
        source: "Compute Sanitizer documentation, Racecheck Tool",
        see: "v1;view=checks;kernel=mistake-race",
    },
    Term {
        id: "synccheck",
        name: "synccheck",
        also: &["barrier error"],
        kind: Kind::Program,
        text: "Synccheck reports barriers that only part of a block or warp reaches, and wrong member \
            masks. Such barriers deadlock or pass too early, depending on the architecture.",
        source: "Compute Sanitizer documentation, Synccheck Tool",
        see: "v1;view=checks;kernel=mistake-barrier",
    },
    Term {
        id: "memcheck",
        name: "memcheck",
        also: &["out of bounds", "misaligned address"],
        kind: Kind::Program,
        text: "Memcheck reports accesses outside every allocation and addresses that are not a multiple of \
            the access size. Such an access ends the kernel with an error on a GPU.",
        source: "Compute Sanitizer documentation, Memcheck Tool",
        see: "v1;view=checks;kernel=mistake-bounds",
    },
    Term {
        id: "initcheck",
        name: "initcheck",
        also: &["uninitialized memory"],
        kind: Kind::Program,
        text: "Initcheck reports reads of memory that nothing has written before. The values are undefined, \
            so a kernel can work once and fail later.",
        source: "Compute Sanitizer documentation, Initcheck Tool; shared and local memory: Warpscope's own \
            check",
        see: "v1;view=checks;kernel=mistake-unset",
    },
    Term {
        id: "compute-capability",
        name: "compute capability",
        also: &["CC", "SM version"],
        kind: Kind::Program,
        text: "The compute capability, such as 7.5, identifies the features and limits of a chip; the page \
            names it beside the architecture. It decides coalescing, bank, and occupancy rules.",
        source: "CUDA C++ Programming Guide, Compute Capabilities",
        see: "v1;view=coalescing;kernel=offset-copy-1",
    },
    Term {
        id: "architecture",
        name: "architecture",
        also: &["generation", "chip"],
        kind: Kind::Program,
        text: "An architecture is a generation of chips with a common SM design: Tesla, Fermi, Kepler, \
            Maxwell, Pascal, Volta, Turing, Ampere, Ada, or Hopper. Compare architectures to see why \
            tuning rules changed.",
        source: "CUDA C++ Programming Guide, Compute Capabilities",
        see: "v1;view=compare;compare=gf100",
    },
    Term {
        id: "ptx",
        name: "PTX",
        also: &["parallel thread execution"],
        kind: Kind::Program,
        text: "PTX is NVIDIA's documented virtual instruction set, which ptxas or the driver compiles to \
            SASS. Register counts and the order of instructions are decided only in SASS.",
        source: "PTX ISA, Introduction",
        see: "",
    },
    Term {
        id: "sass",
        name: "SASS",
        also: &["machine code", "instructions", "instruction"],
        kind: Kind::Program,
        text: "SASS is the machine code of a chip, as cuobjdump -sass prints it. Every cycle that Warpscope \
            shows belongs to a SASS instruction, so read it beside the source.",
        source: "CUDA Binary Utilities, Instruction Set Reference",
        see: "v1;view=source;code=sass",
    },
    Term {
        id: "program-counter",
        name: "program counter",
        also: &["PC"],
        kind: Kind::Program,
        text: "The program counter is the address of the next instruction: one per warp up to Pascal, one \
            per lane from Volta on. Lanes with different program counters are diverged.",
        source: "CUDA C++ Programming Guide, Hardware Implementation, SIMT Architecture; Volta Tuning \
            Guide, 4.1.2",
        see: "v1;view=source;cycle=700",
    },
    Term {
        id: "special-register",
        name: "special register",
        also: &["special registers", "SR_TID.X", "SR_CTAID.X"],
        kind: Kind::Program,
        text: "A special register is a read-only value of the hardware, such as the thread index or the \
            clock. S2R copies it to a register with the latency of an MIO instruction.",
        source: "PTX ISA, Special Registers",
        see: "v1;view=source",
    },
    Term {
        id: "loop-unrolling",
        name: "loop unrolling",
        also: &["unroll", "#pragma unroll"],
        kind: Kind::Program,
        text: "Loop unrolling repeats the body of a loop so that fewer branches and counters execute. \
            Unrolled loads are independent and can be in flight together, at the cost of registers.",
        source: "CUDA C++ Programming Guide, #pragma unroll",
        see: "v1;kernel=matmul-tiled;view=source",
    },
    Term {
        id: "inlining",
        name: "inlining",
        also: &["inlined function", "__forceinline__"],
        kind: Kind::Program,
        text: "Inlining replaces a call with the body of the called function. Arguments then stay in \
            registers, and the code around the call is optimized with the body.",
        source: "CUDA C++ Programming Guide, C++ Language Extensions, __noinline__ and __forceinline__",
        see: "",
    },
    Term {
        id: "launch-bounds",
        name: "__launch_bounds__",
        also: &["maxrregcount", "register limit", "--maxrregcount"],
        kind: Kind::Program,
        text: "__launch_bounds__ and --maxrregcount limit the registers per thread so that more blocks fit. \
            A limit that is too low causes spills to local memory.",
        source: "CUDA C++ Programming Guide, Launch Bounds",
        see: "v1;kernel=pressure;regs=32;view=occupancy",
    },
    Term {
        id: "fast-math",
        name: "fast math",
        also: &[
            "--use_fast_math",
            "use_fast_math",
            "faster, less accurate math functions",
        ],
        kind: Kind::Program,
        text: "--use_fast_math replaces math functions by intrinsic ones, flushes subnormals to zero, and \
            uses approximate divisions and square roots. Code is shorter, and results differ in their last \
            bits or more.",
        source: "CUDA C++ Programming Guide, Mathematical Functions, Intrinsic Functions; NVCC documentation",
        see: "v1;kernel=stencil-shared;fastmath=on;view=source",
    },
    Term {
        id: "ftz",
        name: "flush to zero",
        also: &["ftz", "--ftz", "flush subnormal numbers to zero"],
        kind: Kind::Program,
        text: "Flush to zero (--ftz=true) treats single-precision subnormals as zero. Divisions and square \
            roots need fewer instructions; Tesla always flushes.",
        source: "Fermi Tuning Guide, IEEE 754-2008 Compliance; NVCC documentation",
        see: "v1;kernel=stencil-shared;ftz=on;view=source",
    },
    Term {
        id: "fused-multiply-add",
        name: "fused multiply-add",
        also: &["--fmad", "FMA instruction"],
        kind: Kind::Program,
        text: "A fused multiply-add computes a * b + c with one rounding, from Fermi on. One instruction \
            does two operations; --fmad=false separates them, for example to compare results with a CPU.",
        source: "Fermi Tuning Guide, IEEE 754-2008 Compliance; CUDA C++ Programming Guide, Floating-Point \
            Standard",
        see: "v1;kernel=saxpy;view=source",
    },
    Term {
        id: "floating-point-format",
        name: "floating-point format",
        also: &["sign", "exponent", "fraction", "significand"],
        kind: Kind::Program,
        text: "A float has a sign, 8 bits of exponent with a bias of 127, and 23 bits of fraction; a double has 11 and 52. \
            The significand of a normal number is the fraction after a leading 1.",
        source: "CUDA C Programming Guide 4.2, F.2",
        see: "v1;view=arithmetic;calc=0x1.fffffep0f%20*%203",
    },
    Term {
        id: "rounding",
        name: "rounding",
        also: &[
            "exact product",
            "exact sum",
            "exact quotient",
            "exact root",
            "product rounded",
            "product kept",
            "addend",
            "rounded to nearest",
            "truncated product",
        ],
        kind: Kind::Program,
        text: "A result keeps 24 bits of the exact value in single precision and 53 in double. FFMA rounds the exact sum \
            once; FMUL and FADD round twice; FMAD of 1.x truncates the product.",
        source: "Fermi Tuning Guide, IEEE 754-2008 Compliance",
        see: "v1;arch=gt200;view=arithmetic;calc=1.00001f%20*%201.00001f%20-%201",
    },
    Term {
        id: "ulp",
        name: "ulp",
        also: &["error in ulp", "unit in the last place", "error"],
        kind: Kind::Program,
        text: "A unit in the last place is the distance of neighboring numbers at the result. A correctly rounded result is \
            at most 0.5 ulp off; with -prec-div=false, the error reaches 2 ulp.",
        source: "CUDA C Programming Guide 4.2, Table C-1",
        see: "v1;arch=gf100;view=arithmetic;calc=__fdividef(1.0f,3.0f)",
    },
    Term {
        id: "subnormal",
        name: "subnormal number",
        also: &["subnormal numbers are zero", "denormal", "denormalized number"],
        kind: Kind::Program,
        text: "Subnormal numbers lie between zero and the smallest normal number, 1.18e-38 for a float. 1.x replaces them by \
            zero; Fermi computes them at full speed, unless the code is built with -ftz=true.",
        source: "Fermi Tuning Guide, IEEE 754-2008 Compliance; Fermi white paper",
        see: "v1;arch=gt200;view=arithmetic;calc=1e-40f%20*%200.5f",
    },
    Term {
        id: "padding",
        name: "padding",
        also: &["padded rows", "with padded rows"],
        kind: Kind::Program,
        text: "Padding adds unused elements to the rows of a shared-memory array. One extra word per row \
            moves the words of a column to different banks and removes their conflicts.",
        source: "Optimizing Matrix Transpose in CUDA; Fermi Tuning Guide, Shared Memory",
        see: "v1;kernel=transpose-padded;view=banks;cycle=1300",
    },
    Term {
        id: "swizzle",
        name: "swizzle",
        also: &["column XOR row", "XOR swizzle"],
        kind: Kind::Program,
        text: "A swizzle permutes the columns of a shared-memory array, for example by column XOR row. It \
            removes bank conflicts as padding does, without extra memory.",
        source: "Follows from the bank rules: CUDA C++ Programming Guide, Compute Capabilities, Shared \
            Memory",
        see: "v1;kernel=transpose-swizzled;view=banks;cycle=820",
    },
    Term {
        id: "vectorized-access",
        name: "vectorized access",
        also: &["float4", "float2", "wide access", "128-bit access"],
        kind: Kind::Program,
        text: "A vectorized access moves 8 or 16 bytes per lane with one instruction. It takes fewer \
            instructions and queue entries for the same bytes, and needs an aligned address.",
        source: "CUDA C++ Programming Guide, Device Memory Accesses",
        see: "v1;kernel=vector-add-float4;view=coalescing",
    },
    Term {
        id: "argument",
        name: "kernel argument",
        also: &["arguments", "parameter", "parameters"],
        kind: Kind::Program,
        text: "The arguments of a launch are in constant bank 0, the same for all threads; on Tesla, they \
            are in shared memory. Instructions read them as c[0x0][offset] without a load.",
        source: "CUDA C++ Programming Guide, __global__ Function Parameters; CUDA C Programming Guide 4.2",
        see: "v1;view=registers;values=parameters",
    },
    Term {
        id: "little-law",
        name: "Little's law",
        also: &["bytes in flight needed"],
        kind: Kind::Program,
        text: "Little's law states that bytes in flight equal bandwidth times latency. A kernel with fewer \
            bytes in flight cannot reach the bandwidth of device memory: add warps or loads per thread.",
        source: "Arithmetic from bandwidth and latency of the chip's data",
        see: "v1;view=caches;cache=device;kernel=stream-few;cycle=700",
    },
];
