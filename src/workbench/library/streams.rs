//! Families of complete programs: streams, copies, processes, and several GPUs. The kernel is small; the host program
//! around it is what the Streams view shows.

use super::{Family, LibraryKernel, launches, source};

/// A program of a family.
macro_rules! program {
    ($id:literal, $variant:literal, $title:literal, $look_at:literal) => {
        LibraryKernel {
            id: $id,
            group: "",
            variant: $variant,
            title: $title,
            look_at: $look_at,
            source: source!($id),
            entry: "work",
            launch: launches::rounds,
        }
    };
}

pub(super) static FAMILIES: &[Family] = &[
    Family {
        id: "streams",
        title: "Kernels in streams",
        opens: "streams-depth",
        kernels: &[
            program!(
                "streams-one",
                "default stream",
                "Small kernels in one stream",
                "Streams: one small kernel runs at a time, and the GPU is nearly empty."
            ),
            program!(
                "streams-depth",
                "depth first",
                "Two kernels per stream, stream by stream",
                "Streams: on GF100, a stream's second kernel keeps the next stream waiting; on GK110 all run at once."
            ),
            program!(
                "streams-breadth",
                "breadth first",
                "Two kernels per stream, round by round",
                "Streams: in this order of launches, GF100 also runs eight kernels at once."
            ),
            program!(
                "streams-many",
                "160 streams",
                "More kernels than run at once",
                "Streams: past the limit of concurrent kernels, kernels wait until another one ends."
            ),
        ],
    },
    Family {
        id: "overlap",
        title: "Copies beside kernels",
        opens: "overlap-depth",
        kernels: &[
            program!(
                "overlap-none",
                "one stream",
                "Copy in, kernel, copy out",
                "Streams: copies and the kernel run one after the other."
            ),
            program!(
                "overlap-depth",
                "depth first",
                "Four parts, part by part",
                "Streams: with two copy engines, the copies of a part run beside the kernel of another."
            ),
            program!(
                "overlap-breadth",
                "breadth first",
                "Four parts, stage by stage",
                "Streams: with one copy engine, this order overlaps copies and kernels."
            ),
            program!(
                "overlap-pageable",
                "pageable",
                "Four parts in pageable memory",
                "Streams: a copy of pageable memory keeps the host waiting, so that little overlaps."
            ),
        ],
    },
    Family {
        id: "transfers",
        title: "Transfers between host and device",
        opens: "transfers-each",
        kernels: &[
            program!(
                "transfers-each",
                "for each kernel",
                "Data goes back and forth",
                "Streams: the copies take longer than the kernels."
            ),
            program!(
                "transfers-once",
                "once",
                "Data stays on the device",
                "Streams: with one copy in each direction, the kernels take a larger share."
            ),
            program!(
                "transfers-small",
                "64 small copies",
                "Many small copies",
                "Streams: each small copy takes its latency again."
            ),
        ],
    },
    Family {
        id: "clients",
        title: "Processes that share a GPU",
        opens: "clients-mixed",
        kernels: &[
            program!(
                "clients-mixed",
                "one long, others short",
                "A process that fills the GPU",
                "Streams: choose two processes; the short kernels wait behind the long one, unless a limit leaves SMs free."
            ),
            program!(
                "clients-small",
                "all small",
                "Processes that need few SMs",
                "Streams: choose four processes; they take turns, and run together with the Multi-Process Service."
            ),
        ],
    },
    Family {
        id: "peers",
        title: "Copies and loads between GPUs",
        opens: "peers-on",
        kernels: &[
            program!(
                "peers-off",
                "no peer access",
                "Copies through the host",
                "Streams: choose two GPUs; without peer access, the copy goes through the host."
            ),
            program!(
                "peers-on",
                "peer access",
                "Copies over NVLink or PCIe",
                "Streams: choose two GPUs; with peer access, the copy goes over NVLink where there is one."
            ),
            program!(
                "peers-load",
                "peer loads",
                "A kernel on another GPU's memory",
                "Streams: choose two GPUs; the second kernel loads and stores GPU 1's memory over the link, and takes longer."
            ),
        ],
    },
];
