//! Terms of memory: shared memory, coalescing, caches, device memory, atomics.

use super::{Kind, Term};

pub(super) static TERMS: &[Term] = &[
    Term {
        id: "shared-memory",
        name: "shared memory",
        also: &["shared", "__shared__", "Shared memory of this launch"],
        kind: Kind::Memory,
        text: "Shared memory is on-chip memory of a block, declared with __shared__ and divided into banks. \
            Data that several threads of a block use belong there: its latency is 19 to 50 cycles without \
            conflicts.",
        source: "CUDA C++ Programming Guide, Memory Hierarchy; Jia et al. 2018",
        see: "v1;view=registers;values=shared;cycle=900",
    },
    Term {
        id: "dynamic-shared-memory",
        name: "dynamic shared memory",
        also: &["dynamic", "extern __shared__"],
        kind: Kind::Memory,
        text: "Dynamic shared memory is the part of a block's shared memory whose size the launch sets. \
            From Volta on, sizes above 48 KB need cudaFuncSetAttribute before the launch.",
        source: "CUDA C++ Programming Guide, Execution Configuration; Volta Tuning Guide, 4.3.2",
        see: "v1;view=occupancy;shared=16384",
    },
    Term {
        id: "static-shared-memory",
        name: "static shared memory",
        also: &["static"],
        kind: Kind::Memory,
        text: "Static shared memory is declared with a constant size in the kernel, at most 48 KB (16 KB on \
            Tesla). It counts against the shared memory of the SM for every resident block.",
        source: "CUDA C++ Programming Guide, Compute Capabilities; Volta Tuning Guide, 4.3.2",
        see: "v1;view=occupancy",
    },
    Term {
        id: "bank",
        name: "bank",
        also: &["banks", "shared memory banks", "number of banks"],
        kind: Kind::Memory,
        text: "A bank is one of 32 slices of shared memory (16 on Tesla) that deliver one word each at the \
            same time. Consecutive 4-byte words are in consecutive banks, so the address decides the bank.",
        source: "CUDA C++ Programming Guide, Compute Capabilities, Shared Memory; Fermi Tuning Guide, \
            Shared Memory",
        see: "v1;view=banks",
    },
    Term {
        id: "bank-width",
        name: "bank width",
        also: &[
            "width of a bank",
            "bank width of shared memory",
            "cudaDeviceSetSharedMemConfig",
        ],
        kind: Kind::Memory,
        text: "The bank width is the number of bytes that a bank delivers at once: 4, or on Kepler 4 or 8 \
            by choice. With 8-byte banks, accesses to doubles have no conflicts.",
        source: "CUDA C++ Programming Guide 10.1, H.3.3",
        see: "v1;arch=gk110;banksize=8;view=banks",
    },
    Term {
        id: "bank-conflict",
        name: "bank conflict",
        also: &[
            "bank conflicts",
            "shared memory bank conflict",
            "conflict",
            "conflicts",
        ],
        kind: Kind::Memory,
        text: "A bank conflict occurs when lanes of one request access different words of the same bank. \
            Each further word takes another wavefront: pad or swizzle the array.",
        source: "CUDA C++ Programming Guide, Compute Capabilities, Shared Memory",
        see: "v1;view=banks;cycle=1260",
    },
    Term {
        id: "ways",
        name: "n-way conflict",
        also: &["ways", "way of a conflict", "two-way conflict"],
        kind: Kind::Memory,
        text: "An n-way bank conflict has n different words in the bank with the most words. The request \
            takes n wavefronts, so the ways are the factor by which it slows down.",
        source: "CUDA C Programming Guide 4.2, F.4.3; Mei & Chu 2017",
        see: "v1;view=banks;kernel=shared-stride-4;cycle=1020",
    },
    Term {
        id: "wavefront",
        name: "wavefront",
        also: &["wavefronts", "pass", "passes"],
        kind: Kind::Memory,
        text: "A wavefront is the part of a request that shared memory or L1 processes at once. A request \
            without conflicts takes one wavefront; all further ones delay it and the requests behind it.",
        source: "Nsight Compute documentation, Profiling Guide, Quantities",
        see: "v1;view=banks;play=shared",
    },
    Term {
        id: "ideal-wavefronts",
        name: "ideal wavefronts",
        also: &["ideal"],
        kind: Kind::Memory,
        text: "The ideal is the number of wavefronts that a request of this width takes without bank \
            conflicts. Wavefronts above the ideal are the cost of the address pattern.",
        source: "CUDA C++ Programming Guide, Compute Capabilities, Shared Memory; wide accesses: measured \
            on GH100",
        see: "v1;view=banks;play=shared",
    },
    Term {
        id: "broadcast",
        name: "broadcast",
        also: &["multicast", "same word"],
        kind: Kind::Memory,
        text: "In a broadcast, one word of a bank serves all lanes that access this word. Lanes with equal \
            addresses do not conflict; Tesla broadcasts only one word per step.",
        source: "CUDA C Programming Guide 4.2, F.3.3 and F.4.3; Fermi Tuning Guide, Shared Memory",
        see: "v1;view=banks;kernel=matmul-tiled;cycle=1500",
    },
    Term {
        id: "global-memory",
        name: "global memory",
        also: &["global"],
        kind: Kind::Memory,
        text: "Global memory is the address space that all threads and the host share; it is in device \
            memory. Its latency is hundreds of cycles, so coalesce accesses and keep many in flight.",
        source: "CUDA C++ Programming Guide, Memory Hierarchy",
        see: "v1;view=coalescing",
    },
    Term {
        id: "device-memory",
        name: "device memory",
        also: &["DRAM", "HBM", "GDDR"],
        kind: Kind::Memory,
        text: "Device memory is the DRAM beside the chip that holds global, local, constant, and texture \
            data. Its bandwidth limits every kernel that misses the caches.",
        source: "Nsight Compute documentation, Profiling Guide, Units; CUDA C++ Programming Guide, Device \
            Memory Accesses",
        see: "v1;view=caches;cache=device;kernel=stream;cycle=3000",
    },
    Term {
        id: "bandwidth",
        name: "bandwidth",
        also: &["peak bandwidth", "bytes per cycle", "GB/s"],
        kind: Kind::Memory,
        text: "Bandwidth is the number of bytes that a memory moves per cycle or second. One SM alone is \
            limited by its own port; all SMs together share the bandwidth of the chip.",
        source: "Bandwidth of each chip with its source: Sources of all numbers",
        see: "v1;view=caches;cache=device;kernel=stream;cycle=3000",
    },
    Term {
        id: "bytes-in-flight",
        name: "bytes in flight",
        also: &["in flight", "loads in flight"],
        kind: Kind::Memory,
        text: "Bytes in flight are bytes that loads have requested and that have not arrived. Full \
            bandwidth needs bandwidth times latency bytes in flight: see Little's law.",
        source: "Volta Tuning Guide, 4.3.1; CUDA C++ Programming Guide, Performance Guidelines, \
            Multiprocessor Level",
        see: "v1;view=caches;cache=device;kernel=stream-few;cycle=700",
    },
    Term {
        id: "request",
        name: "request",
        also: &["requests", "memory request"],
        kind: Kind::Memory,
        text: "A request is the command to a memory unit that one warp instruction generates for all its \
            lanes. Tesla divides an instruction into requests of half-warps, Maxwell and Pascal into \
            requests of 8, 4, or 2 lanes.",
        source: "Nsight Compute documentation, Profiling Guide, Quantities; NVIDIA forum 49571",
        see: "v1;view=coalescing;kernel=transpose-naive",
    },
    Term {
        id: "transaction",
        name: "transaction",
        also: &["transactions"],
        kind: Kind::Memory,
        text: "A transaction is a transfer between an SM and the memory system: 32, 64, or 128 bytes, \
            depending on the architecture. Bytes that no lane uses cost the same bandwidth.",
        source: "CUDA C Programming Guide 4.2, F.3.2 and F.4.2",
        see: "v1;arch=g80;view=coalescing;kernel=offset-copy-1",
    },
    Term {
        id: "sector",
        name: "sector",
        also: &["sectors", "32-byte sector", "L1 sector", "L2 sector"],
        kind: Kind::Memory,
        text: "A sector is an aligned piece of 32 bytes, and four sectors are a cache line. From Maxwell \
            on, sectors are the unit of traffic, so an access costs the sectors that it touches.",
        source: "Nsight Compute documentation, Profiling Guide, Quantities",
        see: "v1;view=coalescing;kernel=strided-copy",
    },
    Term {
        id: "segment",
        name: "segment",
        also: &["segments", "128-byte segment"],
        kind: Kind::Memory,
        text: "A segment is an aligned range of 32, 64, or 128 bytes of device memory. On Tesla, each \
            half-warp takes one transaction per segment that it touches (1.2 and 1.3).",
        source: "CUDA C Programming Guide 4.2, F.3.2.2",
        see: "v1;arch=gt200;view=coalescing;kernel=offset-copy-1",
    },
    Term {
        id: "cache-line",
        name: "cache line",
        also: &["line", "lines", "L1 line"],
        kind: Kind::Memory,
        text: "A cache line is an aligned range of 128 bytes under one tag in L1 and L2. Fermi fetches \
            whole lines into L1; Maxwell and later chips fetch only the missing sectors.",
        source: "Nsight Compute documentation, Profiling Guide, Quantities; CUDA C Programming Guide 4.2, \
            F.4.2",
        see: "v1;view=caches;cycle=700",
    },
    Term {
        id: "tag",
        name: "tag",
        also: &["tags", "L1 tag lookups", "tag lookup"],
        kind: Kind::Memory,
        text: "A tag names the line that a place in a cache holds; every access compares its address with \
            tags. From Volta on, L1 looks up four tags per cycle, so scattered lanes take more cycles.",
        source: "Nsight Compute documentation, Profiling Guide, Quantities; NVIDIA forum 49571",
        see: "v1;view=caches;cycle=700",
    },
    Term {
        id: "coalescing",
        name: "coalescing",
        also: &["coalesced", "coalesced access", "coalescing rule"],
        kind: Kind::Memory,
        text: "Coalescing combines the accesses of a warp to global memory into as few sectors, lines, or \
            transactions as possible. Let consecutive lanes access consecutive addresses.",
        source: "CUDA C++ Programming Guide, Device Memory Accesses",
        see: "v1;view=coalescing;kernel=transpose-naive",
    },
    Term {
        id: "alignment",
        name: "alignment",
        also: &["misaligned", "aligned"],
        kind: Kind::Memory,
        text: "An access is aligned if its address is a multiple of its size, and a warp's access if it \
            starts at a segment. A warp that starts one word off touches one more sector or line.",
        source: "CUDA C++ Programming Guide, Device Memory Accesses",
        see: "v1;view=coalescing;kernel=offset-copy-1",
    },
    Term {
        id: "stride",
        name: "stride",
        also: &["strided access"],
        kind: Kind::Memory,
        text: "The stride is the distance between the addresses of neighboring lanes. Strides above one \
            word use fewer bytes of each sector, and even strides conflict in shared memory.",
        source: "CUDA C++ Programming Guide, Device Memory Accesses; Compute Capabilities, Shared Memory",
        see: "v1;view=coalescing;kernel=strided-copy-4",
    },
    Term {
        id: "efficiency",
        name: "efficiency",
        also: &["bytes used", "bytes wasted", "wasted"],
        kind: Kind::Memory,
        text: "Efficiency is the number of bytes that lanes use, divided by the bytes that the request \
            moves. The rest is bandwidth without use: change the data layout or the mapping of threads.",
        source: "Computed from addresses; rules: CUDA C++ Programming Guide, Device Memory Accesses",
        see: "v1;view=coalescing;kernel=points-aos",
    },
    Term {
        id: "aos-soa",
        name: "array of structures",
        also: &["AoS", "SoA", "structure of arrays"],
        kind: Kind::Memory,
        text: "An array of structures stores all fields of an element together; a structure of arrays \
            stores each field contiguously. In a structure of arrays, lanes that read one field access \
            consecutive words.",
        source: "CUDA C++ Programming Guide, Device Memory Accesses",
        see: "v1;view=coalescing;kernel=points-aos",
    },
    Term {
        id: "l1",
        name: "L1",
        also: &["L1 cache", "L1TEX", "L1 size", "level 1 cache"],
        kind: Kind::Memory,
        text: "L1 is the cache of an SM for global and local memory (Fermi on), and from Maxwell on for \
            textures. Whether global loads use L1 depends on the architecture and on -dlcm.",
        source: "Nsight Compute documentation, Profiling Guide, Hardware Model; CUDA C++ Programming Guide, \
            Compute Capabilities",
        see: "v1;view=caches;cycle=700",
    },
    Term {
        id: "l2",
        name: "L2",
        also: &["L2 cache", "level 2 cache"],
        kind: Kind::Memory,
        text: "L2 is the cache that all SMs share, from Fermi on; it also executes global atomics. A hit \
            costs about 190 to 350 cycles, less than device memory.",
        source: "Nsight Compute documentation, Profiling Guide, Hardware Model; Jia et al. 2018, Table 3.1; \
            Mei & Chu 2017",
        see: "v1;kernel=pointer-chase-near;view=caches;cycle=2000",
    },
    Term {
        id: "texture-cache",
        name: "texture cache",
        also: &["read-only cache", "read-only data cache"],
        kind: Kind::Memory,
        text: "The texture cache serves texture fetches and, on Kepler, read-only loads (__ldg). From \
            Maxwell on, L1 has this role; on Tesla it is the only cache for data in device memory.",
        source: "CUDA C++ Programming Guide 10.1, H.3.2; Fermi Tuning Guide, L1 Cache",
        see: "v1;view=caches;cache=texture;kernel=gather-texture;arch=gf100;cycle=1200",
    },
    Term {
        id: "constant-cache",
        name: "constant cache",
        also: &[
            "IDC",
            "constant memory",
            "__constant__",
            "immediate constant cache",
        ],
        kind: Kind::Memory,
        text: "The constant cache serves __constant__ variables and kernel arguments, one address per pass \
            for a warp. It is fast if all lanes read the same word, and slow for different words.",
        source: "CUDA C++ Programming Guide, Device Memory Accesses; Jia et al. 2018, Figure 3.7",
        see: "v1;view=caches;cache=constant;kernel=constant-four;cycle=600",
    },
    Term {
        id: "constant-bank",
        name: "constant bank",
        also: &["c[0x0]", "constant operand"],
        kind: Kind::Memory,
        text: "A constant bank is a numbered region of constant memory, such as c[0x0] for launch \
            dimensions and arguments. An instruction can read a word of it as an operand, without a load.",
        source: "CUDA Binary Utilities, Instruction Set Reference",
        see: "v1;view=registers;values=parameters",
    },
    Term {
        id: "texture",
        name: "texture",
        also: &["texture fetch", "texture memory", "tex1Dfetch"],
        kind: Kind::Memory,
        text: "A texture is data in device memory that threads fetch through the texture unit, which can \
            convert, filter, and clamp. On Tesla, texture fetches rescue uncoalesced accesses; later, L1 \
            is as fast.",
        source: "CUDA C++ Programming Guide, Texture and Surface Memory; Fermi Tuning Guide, L1 Cache",
        see: "v1;view=coalescing;kernel=offset-copy-texture;arch=gt200",
    },
    Term {
        id: "local-memory",
        name: "local memory",
        also: &["local"],
        kind: Kind::Memory,
        text: "Local memory is the memory of one thread for spilled registers and arrays that cannot be in \
            registers. It is in device memory, with one word of all lanes contiguous, and uses the caches.",
        source: "CUDA C++ Programming Guide, Device Memory Accesses; Nsight Compute documentation, \
            Profiling Guide, Hardware Model",
        see: "v1;kernel=pressure-local;view=source;counters=memory",
    },
    Term {
        id: "spill",
        name: "spill",
        also: &["register spill", "spills", "spilled", "spills per thread"],
        kind: Kind::Memory,
        text: "A spill moves a register's value to local memory because the thread has too few registers. \
            Each spill costs a store and loads: raise the register limit or shorten live ranges.",
        source: "CUDA C++ Programming Guide, Device Memory Accesses; Volta Tuning Guide, 4.3.2",
        see: "v1;kernel=pressure-spilled;view=source;counters=memory",
    },
    Term {
        id: "stack-frame",
        name: "stack frame",
        also: &["stack", "stack pointer"],
        kind: Kind::Memory,
        text: "The stack frame is the local memory of a thread's functions: arrays, spills, and arguments \
            of calls. Its size multiplies with all resident threads, so keep private arrays small.",
        source: "CUDA Binary Utilities, cuobjdump; CUDA C++ Programming Guide, Device Memory Accesses",
        see: "v1;kernel=pressure-local;view=source",
    },
    Term {
        id: "atomic",
        name: "atomic",
        also: &["atomics", "atomicAdd", "atomic operation", "atomic operations"],
        kind: Kind::Memory,
        text: "An atomic operation reads, changes, and writes a word without interruption by other threads. \
            Lanes that change the same word are serialized: combine values in the block first.",
        source: "CUDA C++ Programming Guide, Atomic Functions; Jia et al. 2018, Table 4.2",
        see: "v1;kernel=histogram;view=banks;cycle=1500",
    },
    Term {
        id: "reduction-operation",
        name: "reduction",
        also: &["global reduction", "RED operation"],
        kind: Kind::Memory,
        text: "A reduction is an atomic operation whose old value no thread needs. The warp does not wait \
            for a result, so a reduction to global memory does not stall on a scoreboard.",
        source: "PTX ISA, red",
        see: "v1;kernel=histogram-global;view=coalescing",
    },
    Term {
        id: "cas",
        name: "compare and swap",
        also: &["atomicCAS", "CAS"],
        kind: Kind::Memory,
        text: "Compare and swap stores a new value only if the word still has the expected value. Loops \
            around it build locks and other atomics; each failure costs another round trip.",
        source: "CUDA C++ Programming Guide, Atomic Functions",
        see: "v1;kernel=lock;view=source",
    },
    Term {
        id: "write-through",
        name: "write-through",
        also: &["write policy"],
        kind: Kind::Memory,
        text: "A write-through cache passes every store to the next level at once. L1 writes global stores \
            through to L2, so stores use this bandwidth even if they hit.",
        source: "Turing Tuning Guide, 1.4.3.1",
        see: "v1;view=caches;cycle=3000",
    },
    Term {
        id: "write-back",
        name: "write-back",
        also: &["dirty", "dirty sectors"],
        kind: Kind::Memory,
        text: "A write-back cache keeps stored data as dirty sectors and writes them to the next level at \
            eviction. L2 works this way, so repeated stores to a line cost one transfer to device memory.",
        source: "Assumed for L2: no source documents the policy",
        see: "v1;kernel=pressure-local;arch=gf100;view=caches;cycle=3000",
    },
    Term {
        id: "eviction",
        name: "eviction",
        also: &["evicts", "evicted", "lines evicted", "LRU", "least recently used"],
        kind: Kind::Memory,
        text: "An eviction removes a line so that a full set can hold a new line. Warpscope evicts the \
            least recently used line: no document of NVIDIA states the policy.",
        source: "Assumed: no source documents the policy",
        see: "v1;view=caches;kernel=matmul-naive;cycle=3000",
    },
    Term {
        id: "cache-set",
        name: "set",
        also: &["sets", "set index"],
        kind: Kind::Memory,
        text: "A set is the group of places in a cache that can hold a given line; address bits select the \
            set. Addresses at large powers of two share a set and evict each other.",
        source: "Jia et al. 2018; Mei & Chu 2017",
        see: "v1;view=caches;cycle=700",
    },
    Term {
        id: "cache-way",
        name: "way",
        also: &["associativity", "set-associative"],
        kind: Kind::Memory,
        text: "A way is one of the places of a set in a cache. A cache with more ways tolerates more lines \
            with the same set before the first eviction.",
        source: "Jia et al. 2018; Mei & Chu 2017",
        see: "v1;view=caches;way=0.0;cycle=700",
    },
    Term {
        id: "hit",
        name: "hit",
        also: &["hits", "L1 hit", "L2 hit", "hits in L1", "hits in L2", "L1 hits"],
        kind: Kind::Memory,
        text: "A hit is an access whose sector is in the cache. The latency is that of this cache, and the \
            next level has no traffic.",
        source: "Nsight Compute documentation, Profiling Guide, Quantities",
        see: "v1;kernel=pointer-chase-near;view=caches;cycle=2000",
    },
    Term {
        id: "miss",
        name: "miss",
        also: &["misses", "cache miss", "sector miss"],
        kind: Kind::Memory,
        text: "A miss is an access whose sector is not in the cache, with or without its line. The request \
            goes on to L2 or device memory and takes hundreds of cycles.",
        source: "Nsight Compute documentation, Profiling Guide, Quantities",
        see: "v1;kernel=pointer-chase-far;view=caches;cycle=2000",
    },
    Term {
        id: "hit-rate",
        name: "hit rate",
        also: &["L1 hit rate"],
        kind: Kind::Memory,
        text: "The hit rate is the share of requested sectors that hit in a cache. Raise it by reuse of \
            data while the lines are still present, or by a larger L1.",
        source: "Nsight Compute documentation, Profiling Guide, Quantities",
        see: "v1;kernel=matmul-naive;view=caches;cycle=4000",
    },
    Term {
        id: "pending-sector",
        name: "pending sector",
        also: &["pending sectors", "MSHR", "miss in flight"],
        kind: Kind::Memory,
        text: "A pending sector has been requested from the next level and has not arrived. Later requests \
            for the sector wait for the same arrival and cause no second transfer.",
        source: "Warpscope's model; L1TEX: Nsight Compute documentation, Profiling Guide, Quantities",
        see: "v1;view=caches;cycle=700",
    },
    Term {
        id: "carveout",
        name: "carveout",
        also: &[
            "shared memory carveout",
            "shared memory size",
            "shared memory sizes",
        ],
        kind: Kind::Memory,
        text: "The carveout is the part of an SM's combined memory that is shared memory (Fermi, Kepler, \
            and Volta on); the rest is L1. The driver or the program chooses the carveout per kernel.",
        source: "Volta Tuning Guide, 4.3.2; Turing Tuning Guide, 1.4.3.1",
        see: "v1;view=carveout",
    },
    Term {
        id: "reserved-shared-memory",
        name: "reserved shared memory",
        also: &["reserved shared memory per block", "reserved per block"],
        kind: Kind::Memory,
        text: "From Ampere on, the system reserves 1 KB of shared memory per resident block. Many small \
            blocks therefore get less shared memory than the SM has.",
        source: "cuda_occupancy.h",
        see: "v1;arch=ga100;view=occupancy",
    },
    Term {
        id: "dlcm",
        name: "-dlcm",
        also: &["caching of global loads", "-Xptxas -dlcm", "def-load-cache"],
        kind: Kind::Memory,
        text: "The option -Xptxas -dlcm selects the caches of global loads: ca for L1 and L2, cg for L2 \
            only. Compare both on chips with a choice, such as Fermi and Pascal GP104.",
        source: "Fermi Tuning Guide, L1 Cache; NVCC documentation",
        see: "v1;arch=gf100;dlcm=cg;kernel=strided-copy;view=coalescing",
    },
    Term {
        id: "partition-camping",
        name: "partition camping",
        also: &["memory partition", "memory partitions"],
        kind: Kind::Memory,
        text: "Partition camping occurs on Tesla when most accesses go to a few of the memory partitions, \
            which take 256 bytes each in turn. The other partitions idle, so change the order of blocks.",
        source: "Optimizing Matrix Transpose in CUDA, Partition Camping",
        see: "v1;arch=gt200;kernel=transpose-naive;view=caches;cache=device;cycle=3000",
    },
    Term {
        id: "generic-address",
        name: "generic address",
        also: &["generic address space"],
        kind: Kind::Memory,
        text: "A generic address can point to global, shared, or local memory; the hardware decides by \
            address range (Fermi on). The compiler avoids it where the space is known.",
        source: "PTX ISA, Generic Addressing",
        see: "",
    },
    Term {
        id: "uniform-load",
        name: "uniform load",
        also: &[],
        kind: Kind::Memory,
        text: "A uniform load reads one global address for all lanes through the constant cache, with LDU \
            (Fermi). The compiler uses it for read-only data if the address does not depend on the thread.",
        source: "Fermi Tuning Guide, Constant Cache; CUDA C Programming Guide 4.2, F.4.4",
        see: "v1;arch=gf100;kernel=pressure-local;view=source",
    },
    Term {
        id: "visibility",
        name: "visibility",
        also: &["memory order"],
        kind: Kind::Memory,
        text: "A write is visible to another thread once a read of that thread must return it. Without a \
            barrier, a fence, or an atomic, nothing guarantees when this happens.",
        source: "CUDA C++ Programming Guide, Memory Fence Functions",
        see: "v1;view=checks;kernel=mistake-race",
    },
];
