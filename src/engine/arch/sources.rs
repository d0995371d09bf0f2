//! The documents that the numbers cite, and the points on which they disagree.

use serde::Serialize;

use super::ArchId;
use super::ArchId::{
    Ad102, G80, Ga100, Ga102, Gf100, Gf104, Gh100, Gk110, Gm204, Gp100, Gp104, Gt200, Gv100, Tu102,
};

/// A document, repository, or web page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct SourceTitle {
    /// The short name in citations.
    pub short: &'static str,
    /// The full title.
    pub title: &'static str,
}

const fn title(short: &'static str, title: &'static str) -> SourceTitle {
    SourceTitle { short, title }
}

/// Everything that is cited. A citation starts with one of the short names.
pub static SOURCES: [SourceTitle; 97] = [
    title(
        "Wikipedia",
        "Wikipedia, the article and the field as named, from copies of the articles",
    ),
    title("Turing Tuning Guide", "NVIDIA, Turing Tuning Guide"),
    title(
        "envytools",
        "envytools, documentation of NVIDIA hardware by the developers of Nouveau, docs/hw/graph/fermi/cuda/isa.rst",
    ),
    title(
        "Volta Tuning Guide",
        "NVIDIA, Volta Tuning Guide, release 13.0, October 2025",
    ),
    title(
        "Fermi Tuning Guide",
        "NVIDIA, Tuning CUDA Applications for Fermi, version 1.1",
    ),
    title(
        "Pascal Tuning Guide 1.4, as quoted",
        "NVIDIA, Pascal Tuning Guide 1.4, as quoted in a blog post",
    ),
    title(
        "Maxwell Tuning Guide, as quoted",
        "NVIDIA, Maxwell Tuning Guide, 1.4.2.1, as quoted on Stack Overflow",
    ),
    title(
        "Programming Guide 2.0",
        "NVIDIA CUDA Programming Guide 2.0, June 2008",
    ),
    title(
        "Programming Guide 3.2",
        "NVIDIA CUDA C Programming Guide 3.2, November 2010",
    ),
    title(
        "Programming Guide 4.2",
        "NVIDIA CUDA C Programming Guide 4.2, April 2012",
    ),
    title(
        "Programming Guide 10.1",
        "NVIDIA CUDA C Programming Guide 10.1, August 2019",
    ),
    title(
        "Programming Guide 12.6",
        "NVIDIA CUDA C++ Programming Guide 12.6, November 2024",
    ),
    title(
        "Nsight Compute Kernel Profiling Guide",
        "NVIDIA, Nsight Compute, Kernel Profiling Guide",
    ),
    title(
        "cuda_occupancy.h",
        "NVIDIA, cuda_occupancy.h of the CUDA runtimes 11.7.99, 12.9.79, and 13.5.37",
    ),
    title(
        "Fermi white paper",
        "NVIDIA's Next Generation CUDA Compute Architecture: Fermi, v1.1",
    ),
    title(
        "V100 white paper",
        "NVIDIA Tesla V100 GPU Architecture, WP-08608-001 v1.1",
    ),
    title("A100 white paper", "NVIDIA A100 Tensor Core GPU Architecture"),
    title(
        "Turing white paper, as quoted",
        "NVIDIA Turing GPU Architecture, tensor core paragraph as reproduced on CSDN",
    ),
    title(
        "Wong et al. 2010",
        "Wong, Papadopoulou, Sadooghi-Alvandi, Moshovos: Demystifying GPU Microarchitecture through Microbenchmarking, ISPASS 2010 (GTX 280)",
    ),
    title(
        "Mei & Chu 2017",
        "Mei, Chu: Dissecting GPU Memory Hierarchy through Microbenchmarking, TPDS 2017 (GTX 560 Ti, 780, 980)",
    ),
    title(
        "Jia et al. 2018",
        "Jia, Maggioni, Staiger, Scarpazza: Dissecting the NVIDIA Volta GPU Architecture via Microbenchmarking, arXiv:1804.06826",
    ),
    title(
        "Jia et al. 2019",
        "Jia, Maggioni, Smith, Scarpazza: Dissecting the NVidia Turing T4 GPU via Microbenchmarking, arXiv:1903.07486",
    ),
    title(
        "Abdelkhalik et al. 2022",
        "Abdelkhalik, Arafa, Santhi, Badawy: Demystifying the Nvidia Ampere Architecture through Microbenchmarking and Instruction-level Analysis, arXiv:2208.11174 (A100)",
    ),
    title(
        "AmpereArchViaMicroBenchMark",
        "YKTian-x2b/AmpereArchViaMicroBenchMark, README (RTX 3060)",
    ),
    title(
        "GPGPU-Sim configuration",
        "accel-sim/gpgpu-sim_distribution at 667834cf, tested and deprecated configurations",
    ),
    title(
        "Accel-Sim measurements",
        "accel-sim/accel-sim-framework at 2260456, tuner output of a TITAN V",
    ),
    title(
        "MT4G",
        "caps-tum/mt4g at 4cc5566, sample results (timing overhead included)",
    ),
    title(
        "AI_kernels latencies",
        "markdewing/AI_kernels at d916a39, latency/README.md (clocks not locked)",
    ),
    title(
        "GPU-Project microbenchmarks",
        "TapiocaFox/GPU-Project at 8c5fe62, microbenchmark tables",
    ),
    title(
        "sjfeng1999 microbenchmarks",
        "sjfeng1999/gpu-arch-microbenchmark, README",
    ),
    title(
        "maxas",
        "S. Gray, maxas, an assembler for Maxwell, MaxAs/MaxAsGrammar.pm",
    ),
    title(
        "cuda-calculator",
        "xmartlabs/cuda-calculator at 10380ec, a port of NVIDIA's occupancy spreadsheet",
    ),
    title(
        "Thrust's occupancy code",
        "Thrust, occupancy helper for compute capability 2.x",
    ),
    title(
        "NVIDIA forum 49571",
        "NVIDIA developer forum, Pascal L1 cache, posts 12 and 14 by an NVIDIA engineer",
    ),
    title(
        "NVIDIA forum 312884",
        "NVIDIA developer forum, Understanding L1/TEX Cache Sectors/Req, an NVIDIA engineer",
    ),
    title(
        "NVIDIA forum 77228",
        "NVIDIA developer forum, Unexpected shared memory bank conflict, an NVIDIA engineer",
    ),
    title(
        "NVIDIA forum 277460",
        "NVIDIA developer forum, benefit of LDG, an NVIDIA engineer",
    ),
    title(
        "Tom's Hardware",
        "Tom's Hardware, history of NVIDIA GPUs (8800 GTX, GTX 280)",
    ),
    title(
        "bit-tech",
        "bit-tech, GeForce GTX 280 architecture review, page 8",
    ),
    title(
        "AnandTech, GTX 480",
        "AnandTech, NVIDIA's GeForce GTX 480 and GTX 470, March 2010, as quoted on hardwareluxx.de",
    ),
    title(
        "Chips and Cheese, Maxwell",
        "Chips and Cheese, on Maxwell (GTX 980 Ti) compared with Kepler (GTX 680, Tesla K80)",
    ),
    title("hwcompare.com", "hwcompare.com, GTX 260 and GTX 480"),
    title(
        "GTX 1080 launch articles",
        "Fudzilla, HardOCP, and TechPowerUp on the GTX 1080, May 2016",
    ),
    title(
        "Turing launch articles",
        "TechPowerUp, Tom's Hardware, and wccftech on Turing and the RTX 2080 Ti, 2018",
    ),
    title(
        "RTX 3090 launch articles",
        "Tom's Hardware's table of the RTX 3090, as reprinted, and Hardware Times on the Ampere SM, 2020",
    ),
    title(
        "RTX 4090 launch articles",
        "The FPS Review, specifications of the GeForce RTX 4090, 2022",
    ),
    title(
        "Cornell Virtual Workshop",
        "Cornell Virtual Workshop, page on the Turing SM",
    ),
    title("thegpu.guru", "db.thegpu.guru, page on the Turing SM"),
    title(
        "H200, dependent chains of 256",
        "Measured on an NVIDIA H200: clock readings around 256 dependent instructions of one warp",
    ),
    title(
        "H200, 681 accesses counted",
        "Measured on an NVIDIA H200: shared-memory wavefront counters of single accesses",
    ),
    title(
        "H200, 425 accesses counted",
        "Measured on an NVIDIA H200: global-memory sector counters of single accesses",
    ),
    title(
        "H200, tensor.cu",
        "Measured on an NVIDIA H200: tests/microbenchmarks/tensor.cu, matrix products of one warp and of 32 warps",
    ),
    title(
        "H100, hmma.cu",
        "Measured on an NVIDIA H100: tests/microbenchmarks/hmma.cu, HMMA.16816 in chains by number of warps",
    ),
    title(
        "H100, products.cu",
        "Measured on an NVIDIA H100: tests/microbenchmarks/products.cu, matrix products of ten types with factors from memory, in chains by number of warps",
    ),
    title(
        "H100, redux.cu",
        "Measured on an NVIDIA H100: tests/microbenchmarks/redux.cu, warp reductions alone and beside POPC and SHFL",
    ),
    title(
        "H200, units.cu",
        "Measured on an NVIDIA H200: tests/microbenchmarks/units.cu, barriers, atomics, and constant loads by number of warps",
    ),
    title(
        "H200, atomics.cu",
        "Measured on an NVIDIA H200: tests/microbenchmarks/atomics.cu, the latency that an atomic addition adds to a load",
    ),
    title(
        "H200, constant.cu",
        "Measured on an NVIDIA H200: tests/microbenchmarks/constant.cu, pointer chasing in constant memory",
    ),
    title(
        "H200, arith.cu",
        "Measured on an NVIDIA H200: tests/microbenchmarks/arith.cu, dependent chains of one instruction by number of warps",
    ),
    title(
        "H200, banks.py",
        "Measured on an NVIDIA H200: tests/microbenchmarks/banks.py, machine code with selected registers",
    ),
    title(
        "H200, chase.cu",
        "Measured on an NVIDIA H200: tests/microbenchmarks/chase.cu, pointer chasing in global memory",
    ),
    title(
        "H200, shared.cu",
        "Measured on an NVIDIA H200: tests/microbenchmarks/shared.cu, shared-memory loads by bank conflicts, warps, and dependent chains",
    ),
    title(
        "H200, stream.cu",
        "Measured on an NVIDIA H200: tests/microbenchmarks/stream.cu, bytes per clock by warps, access width, and loads in flight",
    ),
    title(
        "Optimizing Matrix Transpose in CUDA",
        "NVIDIA, Optimizing Matrix Transpose in CUDA (Ruetsch & Micikevicius, January 2009), Partition Camping",
    ),
    title(
        "AnandTech",
        "AnandTech, the review of the card and the page as named, from a copy",
    ),
    title(
        "GeForce GTX 980 white paper",
        "NVIDIA, GeForce GTX 980 white paper, from a copy",
    ),
    title(
        "H100 white paper",
        "NVIDIA, H100 Tensor Core GPU Architecture, from a copy",
    ),
    title("P100 white paper", "NVIDIA, Tesla P100 white paper, from a copy"),
    title(
        "TechPowerUp",
        "TechPowerUp, the review of the card and the page as named",
    ),
    title(
        "Turing Architecture In-Depth",
        "NVIDIA, developer blog, NVIDIA Turing Architecture In-Depth, Table 1, from a copy",
    ),
    title(
        "igor'sLAB",
        "igor'sLAB, the technical details of the cards as named",
    ),
    title(
        "H200, device.cu",
        "Measured on an NVIDIA H200: tests/microbenchmarks/device.cu, the SMs of the first blocks of grids",
    ),
    title(
        "H100, spread.cu",
        "Measured on an NVIDIA H100: tests/microbenchmarks/spread.cu, bandwidth of L2 and device memory by the SMs that read",
    ),
    title(
        "H100, forms.cu",
        "Measured on an NVIDIA H100: tests/microbenchmarks/forms.cu, bandwidth of L2 and device memory by four kernels over 1 to 132 SMs",
    ),
    title(
        "H100, reds.cu",
        "Measured on an NVIDIA H100: tests/microbenchmarks/reds.cu, additions to words of global memory by 1 to 132 SMs",
    ),
    title(
        "H100, strides.cu",
        "Measured on an NVIDIA H100: tests/microbenchmarks/strides.cu, bandwidth of L2 and device memory by grid-stride loops over 1 to 132 SMs",
    ),
    title(
        "H100, swaps.cu",
        "Measured on an NVIDIA H100: tests/microbenchmarks/swaps.cu, compare-and-swap and locks by 1 to 32 warps, with and without YIELD",
    ),
    title(
        "H100, copies.cu",
        "Measured on an NVIDIA H100: tests/microbenchmarks/copies.cu, copies to shared memory without a register, and loads and stores of matrices",
    ),
    title(
        "H100, far.cu",
        "Measured on an NVIDIA H100: tests/microbenchmarks/far.cu, the latency of an atomic addition by SM and address",
    ),
    title(
        "H100, locks.cu",
        "Measured on an NVIDIA H100: tests/microbenchmarks/locks.cu, additions of float in shared memory, locks, and fences",
    ),
    title(
        "H200, turns.cu",
        "Measured on an NVIDIA H200: tests/microbenchmarks/turns.cu, shared-memory loads by selected warps",
    ),
    title(
        "H200, device properties",
        "Read from an NVIDIA H200 by the CUDA runtime",
    ),
    title(
        "H100, host.cu",
        "Measured on two NVIDIA H100: tests/microbenchmarks/host.cu, copies, launches, events, and concurrent kernels",
    ),
    title(
        "H100, clients.cu and slices.cu",
        "Measured on an NVIDIA H100: tests/microbenchmarks/clients.cu and slices.cu, processes with and without the Multi-Process Service",
    ),
    title(
        "Multi-Process Service documentation",
        "NVIDIA, Multi-Process Service, documentation for Volta and later",
    ),
    title(
        "ReFrame reference values of CSCS",
        "reframe-hpc/reframe at 039f40c, cscs-checks: kernel latency and memory bandwidth",
    ),
    title(
        "deviceQuery outputs",
        "Published outputs of deviceQuery and nvidia-smi, by product",
    ),
    title(
        "bandwidthTest outputs",
        "Published outputs of bandwidthTest, by product",
    ),
    title(
        "OpenGL Insights",
        "Cozzi, Riccio (editors): OpenGL Insights, chapter 29, publisher's abstract",
    ),
    title(
        "simpleHyperQ of the CUDA samples",
        "NVIDIA, CUDA samples, simpleHyperQ, README",
    ),
    title("Best Practices Guide", "NVIDIA, CUDA C++ Best Practices Guide"),
    title(
        "Turing white paper, copy",
        "NVIDIA Turing GPU Architecture, from a copy of its text",
    ),
    title(
        "GA102 white paper",
        "NVIDIA Ampere GA102 GPU Architecture, as quoted",
    ),
    title(
        "H100 white paper, copy",
        "NVIDIA H100 Tensor Core GPU Architecture, from a copy of its text",
    ),
    title(
        "Tartan",
        "uuudown/Tartan at e3166ab, logs of scale-up tests on a DGX-1 with P100 (Li et al., IISWC 2018)",
    ),
    title(
        "Pascal GP100 white paper, as quoted",
        "NVIDIA Tesla P100 white paper, as quoted in articles",
    ),
    title(
        "nvidia-smi topo -m",
        "Published outputs of nvidia-smi topo -m, by computer",
    ),
];

/// Returns the document that a citation names. The longest matching short name wins.
pub fn source_title(citation: &str) -> Option<&'static SourceTitle> {
    SOURCES
        .iter()
        .filter(|source| citation.starts_with(source.short))
        .max_by_key(|source| source.short.len())
}

/// A disagreement between sources.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Conflict {
    /// The disputed quantity.
    pub topic: &'static str,
    /// The claim of each source.
    pub claims: &'static [&'static str],
    /// The simulated value and the reason.
    pub simulated: &'static str,
    /// The affected architectures.
    pub architectures: &'static [ArchId],
}

/// All disagreements between sources, and the value that is simulated.
pub(super) static CONFLICTS: [Conflict; 31] = [
    Conflict {
        topic: "Resident blocks of a Turing SM",
        claims: &[
            "32 (Turing Tuning Guide 1.4.1.3)",
            "16 (cuda_occupancy.h; Programming Guide 10.1, Table 14; Programming Guide 12.6, Table 21; device properties of RTX 2080 Ti, T1000, RTX 2060, GTX 1650)",
        ],
        simulated: "16. With 32 resident warps, the two values differ only for one-warp blocks: 16 warps instead of 32.",
        architectures: &[Tu102],
    },
    Conflict {
        topic: "Whether Turing's occupancy is similar to Pascal's or Volta's",
        claims: &[
            "similar (Turing Tuning Guide 1.4.1.3)",
            "32 warps per SM, half of Pascal's and Volta's, and 64 KB of shared memory (Programming Guide 10.1, Table 14)",
        ],
        simulated: "Both: the occupancy in percent is similar because the maximum is halved too; the number of resident warps differs.",
        architectures: &[Tu102],
    },
    Conflict {
        topic: "Rate of integer additions on 1.x",
        claims: &[
            "10 results per clock per SM (Programming Guide 4.2, Table 5-1)",
            "8 (Programming Guide 3.2, Table 5-1; Programming Guide 2.0, 5.1.1; 7.9 measured by Wong et al. 2010)",
        ],
        simulated: "8.",
        architectures: &[G80, Gt200],
    },
    Conflict {
        topic: "Rate of integer comparisons on 2.x",
        claims: &[
            "32 on 2.0, 48 on 2.1 (Programming Guide 4.2, Table 5-1)",
            "16 (Programming Guide 3.2, Table 5-1)",
        ],
        simulated: "32 and 48, from the later guide.",
        architectures: &[Gf100, Gf104],
    },
    Conflict {
        topic: "Double precision before 1.3",
        claims: &[
            "1 result per clock per SM, in a merged column (Programming Guide 4.2, Table 5-1)",
            "not supported (Programming Guide 4.2, Table F-1; Programming Guide 2.0, Appendix A)",
        ],
        simulated: "Not supported.",
        architectures: &[G80],
    },
    Conflict {
        topic: "Transactions of an uncoalesced access on 1.0",
        claims: &[
            "16 of 32 bytes (Programming Guide 3.2, G.3.2.1; Programming Guide 4.2, F.3.2.1)",
            "one per thread, and 32-byte transactions only from 1.2 on (Programming Guide 2.0, 5.1.2.1)",
        ],
        simulated: "16 of 32 bytes.",
        architectures: &[G80],
    },
    Conflict {
        topic: "Size of L1 on GP100",
        claims: &[
            "24 KB (Programming Guide 10.1, H.5.1)",
            "under 18.3 KB: GV100's 128 KB are over seven times as much (Volta Tuning Guide 4.3.2)",
        ],
        simulated: "24 KB; 128 KB are 5.3 times as much.",
        architectures: &[Gp100, Gv100],
    },
    Conflict {
        topic: "Which eligible warp a scheduler selects",
        claims: &[
            "the warp that issued last, then the oldest warp (GPGPU-Sim configuration SM2_GTX480)",
            "round robin (GPGPU-Sim configuration SM7_QV100; measured on GH100)",
        ],
        simulated: "Round robin on GH100, where the policy was measured; greedy, then oldest on the other chips. The options offer both.",
        architectures: &[Gf100, Gv100, Gh100],
    },
    Conflict {
        topic: "Size of L1 on 6.1",
        claims: &[
            "48 KB (Programming Guide 10.1, H.5.1)",
            "24 KB (Jia et al. 2018, Table 3.1; MT4G)",
        ],
        simulated: "48 KB; one stream of accesses uses 24 KB of it.",
        architectures: &[Gp104],
    },
    Conflict {
        topic: "Shared memory of an SM on 6.1",
        claims: &[
            "96 KB (Programming Guide 10.1, H.5.1; cuda_occupancy.h; Volta Tuning Guide 4.1.3)",
            "64 KB (Jia et al. 2018, Table 3.1, P4)",
        ],
        simulated: "96 KB.",
        architectures: &[Gp104],
    },
    Conflict {
        topic: "Rate of conversions from 8 and 16 bits to 32-bit integers on 7.x",
        claims: &[
            "64 (Programming Guide 12.6, Table 4)",
            "16 (Programming Guide 10.1, Table 2)",
        ],
        simulated: "64, assuming that the newer guide corrects the older one; all other conversions have 16.",
        architectures: &[Gv100, Tu102],
    },
    Conflict {
        topic: "Bandwidth of GP100",
        claims: &[
            "732 GB/s (Volta Tuning Guide 4.3.1; Jia et al. 2018)",
            "720 GB/s (A100 white paper)",
        ],
        simulated: "732 GB/s, the value with which the Volta guide compares.",
        architectures: &[Gp100],
    },
    Conflict {
        topic: "Instructions that a GP100 scheduler dispatches per issue",
        claims: &[
            "1 per scheduler (Programming Guide 10.1, H.5.1)",
            "2 dispatch units per scheduler (V100 white paper, on GP100)",
        ],
        simulated: "1.",
        architectures: &[Gp100],
    },
    Conflict {
        topic: "Latencies of L1 and shared memory on Turing",
        claims: &[
            "32 and 19 (Jia et al. 2019, T4)",
            "32 and 23 (sjfeng1999 microbenchmarks, RTX 2070)",
            "66 and 58 (MT4G, RTX 2080 Ti, overhead included)",
            "32 and 30 (GPGPU-Sim configuration SM75_RTX2060)",
        ],
        simulated: "32 and 19.",
        architectures: &[Tu102],
    },
    Conflict {
        topic: "Latency of shared memory on Volta",
        claims: &[
            "19 (Jia et al. 2018)",
            "27.0 (Accel-Sim measurements, TITAN V)",
            "23.5 (MT4G, V100)",
            "20 (GPGPU-Sim configuration SM7_QV100)",
        ],
        simulated: "19, from the paper with a complete curve of conflicts.",
        architectures: &[Gv100],
    },
    Conflict {
        topic: "Allocation of registers on 2.x",
        claims: &[
            "in units of 64 per warp, warps not rounded (Programming Guide 4.2, 4.2)",
            "in units of 128 for 21, 22, 29, 30, 37, 38, 45, and 46 registers (Thrust's occupancy code)",
            "warps rounded down to pairs (cuda-calculator)",
        ],
        simulated: "In units of 64 per warp.",
        architectures: &[Gf100, Gf104],
    },
    Conflict {
        topic: "Registers of a thread on 1.x",
        claims: &[
            "124 (cuda-calculator)",
            "128; launches above this fail (Wong et al. 2010, Table I)",
        ],
        simulated: "124. No NVIDIA table found.",
        architectures: &[G80, Gt200],
    },
    Conflict {
        topic: "Registers of a thread from 7.0 on",
        claims: &[
            "255 (Volta Tuning Guide 4.1.3; Turing Tuning Guide 1.4.1.3; Programming Guide 12.6, Table 21)",
            "256 is accepted by the arithmetic of cuda_occupancy.h",
        ],
        simulated: "255.",
        architectures: &[Gv100, Tu102, Ga100, Ga102, Ad102, Gh100],
    },
    Conflict {
        topic: "Double-precision lanes of a Turing SM",
        claims: &[
            "2 (Turing Tuning Guide 1.4.1.1; Programming Guide 10.1, H.6.1; Programming Guide 12.6, Table 4)",
            "4, one for each partition (thegpu.guru)",
            "none on T4 (Cornell Virtual Workshop)",
        ],
        simulated: "2.",
        architectures: &[Tu102],
    },
    Conflict {
        topic: "Wide shared loads with equal addresses in neighboring lanes, from 7.0 on",
        claims: &[
            "the passes halve when lanes l and l ^ 1, or l and l ^ 2, read one address (NVIDIA forum 77228)",
            "the phases are formed again from the merged lanes, over twice as many lanes; stores never merge (H200, 681 accesses counted)",
        ],
        simulated: "The measured rule, which matches every counted access exactly.",
        architectures: &[Gv100, Tu102, Ga100, Ga102, Ad102, Gh100],
    },
    Conflict {
        topic: "Clock of Fermi's measured latencies",
        claims: &[
            "351 cycles for a hit in L2, on a GTX 560 Ti at 0.95 GHz (Mei & Chu 2017)",
            "400 to 800 cycles for off-chip memory (Programming Guide 4.2, 5.2.3); Fermi's SMs run at twice the core clock",
        ],
        simulated: "351 SM clocks; the clock domain of the figure is uncertain.",
        architectures: &[Gf100, Gf104],
    },
    Conflict {
        topic: "SMs of the Tesla P4",
        claims: &[
            "20 (Jia et al. 2018)",
            "40 (Jia et al. 2019, which looks like a copy of the T4 column)",
        ],
        simulated: "20.",
        architectures: &[Gp104],
    },
    Conflict {
        topic: "Latency of shared memory on Kepler",
        claims: &[
            "47, and 82 for a two-way conflict (Mei & Chu 2017, GTX 780)",
            "26, and 60 with two passes (Jia et al. 2018, K80)",
        ],
        simulated: "26, from the paper that also provides L1, L2, and constants, with its costs of further passes: 34 cycles for the second pass and 14 for each further pass. The GTX 780 has 35 and 13.4.",
        architectures: &[Gk110],
    },
    Conflict {
        topic: "Conflicts of odd strides in Kepler's 8-byte mode",
        claims: &[
            "never more than on 2.x (Programming Guide 4.2, F.5.3)",
            "two-way conflicts for strides of 3, 5, 7, and so on, by the row rule in the same section and in Mei & Chu 2017, Figure 18",
        ],
        simulated: "Two-way conflicts, by the row rule, which matches the measured even strides (Figure 19). Odd strides were not measured. In the default 4-byte mode, both claims agree.",
        architectures: &[Gk110],
    },
    Conflict {
        topic: "Latency of shared memory on Maxwell",
        claims: &["23 (Jia et al. 2018, M60)", "28 (Mei & Chu 2017, GTX 980)"],
        simulated: "23. Both sources measure two cycles for each further way, so their tools differ in overhead.",
        architectures: &[Gm204],
    },
    Conflict {
        topic: "Latency of L1 on A100",
        claims: &[
            "33 (Abdelkhalik et al. 2022)",
            "39 (AI_kernels latencies)",
            "68 for ordinary loads, 35 on the read-only path (MT4G)",
        ],
        simulated: "33: L1, shared memory, L2, and device memory are from one paper, because tools differ in overhead.",
        architectures: &[Ga100],
    },
    Conflict {
        topic: "Latency of device memory on A100",
        claims: &[
            "290 (Abdelkhalik et al. 2022)",
            "550 (AI_kernels latencies)",
            "640 (MT4G)",
        ],
        simulated: "290: L1, shared memory, L2, and device memory are from one paper. V100's 375 and H200's 700 suggest that 290 is low; footprint, TLB, and clocks of the three measurements differ.",
        architectures: &[Ga100],
    },
    Conflict {
        topic: "Dependent arithmetic on A100",
        claims: &[
            "4 cycles per dependent instruction (Abdelkhalik et al. 2022)",
            "2 cycles per independent instruction (Abdelkhalik et al. 2022)",
        ],
        simulated: "Both: a latency of 4, and an occupancy of 2 on the 16 lanes of a partition.",
        architectures: &[Ga100],
    },
    Conflict {
        topic: "Packed half-precision rate of 8.6",
        claims: &[
            "256 results per clock per SM on 8.6, 128 on 8.9 (Programming Guide 12.6, Table 4)",
            "128 for bfloat16 on 8.0 and 8.6 (Programming Guide 12.6, Table 4, footnote)",
        ],
        simulated: "256 and 128, from the table's rows for half precision.",
        architectures: &[Ga102, Ad102],
    },
    Conflict {
        topic: "Latencies of L1 and shared memory on 8.6",
        claims: &[
            "33 and 23 (AmpereArchViaMicroBenchMark, RTX 3060)",
            "39 and 29 (GPGPU-Sim configuration SM86_RTX3070)",
        ],
        simulated: "33 and 23, which were measured.",
        architectures: &[Ga102],
    },
    Conflict {
        topic: "Latency of L1 on Hopper",
        claims: &[
            "32 (H200, dependent chains of 256)",
            "38 (MT4G, H100)",
            "40 (AI_kernels latencies, H100)",
        ],
        simulated: "32, measured with the same program as the other H200 numbers; tools differ in overhead.",
        architectures: &[Gh100],
    },
];
