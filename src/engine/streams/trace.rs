//! The record of a host program: when each operation was called, began, and ended, and what it waited for.

use serde::{Deserialize, Serialize};

use super::computer::Route;

/// The reason why an operation waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum WaitReason {
    /// It travels to the GPU.
    Submission,
    /// An earlier operation of its stream has not ended.
    StreamOrder,
    /// The default stream, or an operation before it in the default stream's order.
    DefaultStream,
    /// An event.
    Event,
    /// An earlier operation of another stream is before it in the same work queue: a false dependency.
    WorkQueue,
    /// A dependency check of an earlier operation, before 3.5: another false dependency.
    DependencyCheck,
    /// The copy engine is busy.
    CopyEngine,
    /// As many kernels as the GPU runs at once are running.
    KernelLimit,
    /// No SM has room for a block.
    Resources,
    /// The GPU runs another process.
    TimeSlice,
    /// The chip does not run a copy beside a kernel, or two kernels.
    NoOverlap,
}

impl WaitReason {
    /// All reasons.
    pub const ALL: [Self; 11] = [
        Self::Submission,
        Self::StreamOrder,
        Self::DefaultStream,
        Self::Event,
        Self::WorkQueue,
        Self::DependencyCheck,
        Self::CopyEngine,
        Self::KernelLimit,
        Self::Resources,
        Self::TimeSlice,
        Self::NoOverlap,
    ];

    /// The id in counters.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Submission => "submission",
            Self::StreamOrder => "stream_order",
            Self::DefaultStream => "default_stream",
            Self::Event => "event",
            Self::WorkQueue => "work_queue",
            Self::DependencyCheck => "dependency_check",
            Self::CopyEngine => "copy_engine",
            Self::KernelLimit => "kernel_limit",
            Self::Resources => "resources",
            Self::TimeSlice => "time_slice",
            Self::NoOverlap => "no_overlap",
        }
    }

    /// The display text.
    pub const fn text(self) -> &'static str {
        match self {
            Self::Submission => "submission to the GPU",
            Self::StreamOrder => "stream order",
            Self::DefaultStream => "default stream",
            Self::Event => "event",
            Self::WorkQueue => "work queue shared with another stream",
            Self::DependencyCheck => "dependency check",
            Self::CopyEngine => "copy engine",
            Self::KernelLimit => "limit of concurrent kernels",
            Self::Resources => "room on an SM",
            Self::TimeSlice => "time slice of another process",
            Self::NoOverlap => "no overlap on this chip",
        }
    }

    /// Whether the program does not require this wait.
    pub const fn is_false_dependency(self) -> bool {
        matches!(self, Self::WorkQueue | Self::DependencyCheck)
    }
}

/// A stretch of waiting.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Wait {
    /// The reason.
    pub reason: WaitReason,
    /// The span that it waits for, if any.
    pub on: Option<u32>,
    /// The start in nanoseconds.
    pub from_ns: u64,
    /// The end in nanoseconds.
    pub to_ns: u64,
}

/// What kernels that run together share.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Resource {
    /// The bandwidth of device memory.
    Dram,
    /// The bandwidth of L2.
    L2,
    /// The issue slots of an SM.
    IssueSlots,
    /// The links to another GPU, whose memory a kernel accesses.
    PeerLink,
}

impl Resource {
    /// All resources.
    pub const ALL: [Self; 4] = [Self::Dram, Self::L2, Self::IssueSlots, Self::PeerLink];

    /// The id in counters.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Dram => "dram",
            Self::L2 => "l2",
            Self::IssueSlots => "issue_slots",
            Self::PeerLink => "peer_link",
        }
    }

    /// The display text.
    pub const fn text(self) -> &'static str {
        match self {
            Self::Dram => "device memory bandwidth",
            Self::L2 => "L2 bandwidth",
            Self::IssueSlots => "issue slots of an SM",
            Self::PeerLink => "link to another GPU",
        }
    }
}

/// How much longer the blocks of a launch take than alone.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Slowdown {
    /// The time of the blocks alone, summed, in nanoseconds.
    pub alone_ns: f64,
    /// The time that the blocks lose because of each resource, summed, in nanoseconds.
    pub lost_ns: [f64; 4],
}

impl Slowdown {
    /// How many times as long as alone the blocks take; 1 without a slowdown.
    pub fn factor(&self) -> f64 {
        1.0 + self.lost_ns.iter().sum::<f64>() / self.alone_ns.max(1.0)
    }

    /// The resource that costs most, if any costs time.
    pub fn cause(&self) -> Option<Resource> {
        let lost = |resource: &Resource| self.lost_ns[*resource as usize];
        let most = Resource::ALL
            .into_iter()
            .max_by(|a, b| lost(a).total_cmp(&lost(b)));
        most.filter(|resource| lost(resource) > 0.0)
    }

    /// Adds the blocks of another SM.
    pub(super) fn add(&mut self, other: &Self) {
        self.alone_ns += other.alone_ns;
        for (sum, lost) in self.lost_ns.iter_mut().zip(other.lost_ns) {
            *sum += lost;
        }
    }
}

/// A call and what came of it. Times are in nanoseconds since the start of the program.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Span {
    /// The process.
    pub process: u8,
    /// The index among the calls of the process.
    pub call: u32,
    /// When the host made the call.
    pub called_ns: u64,
    /// When the call returned.
    pub returned_ns: u64,
    /// When the operation began on the GPU; for a call without operation, when it was made.
    pub start_ns: u64,
    /// When the operation ended.
    pub end_ns: u64,
    /// What it waited for between the call and its start.
    pub waits: Vec<Wait>,
    /// SMs that ran a block of it.
    pub num_sms: u16,
    /// The most blocks of it that were resident at once.
    pub most_resident: u32,
    /// How much longer the blocks of a launch take than alone.
    pub slowdown: Slowdown,
    /// The way of a copy.
    pub route: Option<Route>,
    /// Whether it ended in a fault.
    pub failed: bool,
}

/// A stretch in which a GPU ran a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Slice {
    /// The GPU.
    pub gpu: u8,
    /// The process.
    pub process: u8,
    /// The start in nanoseconds.
    pub from_ns: u64,
    /// The end in nanoseconds.
    pub to_ns: u64,
}

/// Why a process ends early.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Failure {
    /// It makes a fatal fault itself.
    OwnFault,
    /// Another client makes one.
    FaultOfAnother(u8),
    /// The Multi-Process Service accepts no further client.
    TooManyClients,
    /// The chip does not support the service.
    NoService,
    /// A kernel accesses the memory of this GPU without peer access.
    NoPeerAccess(u8),
    /// The program never ends: an event or operation that it waits for never comes.
    Deadlock,
}

/// The record.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct StreamsTrace {
    /// The calls of all processes, by process and in order.
    pub spans: Vec<Span>,
    /// The end of the last operation, in nanoseconds.
    pub end_ns: u64,
    /// The stretches in which the GPUs ran each process, if processes take turns.
    pub slices: Vec<Slice>,
    /// Processes that end early, with the time in nanoseconds.
    pub failures: Vec<(u8, Failure, u64)>,
    /// For each GPU, the blocks resident over time: time in nanoseconds, and number.
    pub resident: Vec<Vec<(u64, u32)>>,
}

impl StreamsTrace {
    /// The spans that ran on a GPU.
    pub fn operations(&self) -> impl Iterator<Item = &Span> {
        self.spans.iter().filter(|span| span.end_ns > span.start_ns)
    }

    /// The time that operations waited for a reason, in nanoseconds, summed.
    pub fn waited_ns(&self, reason: WaitReason) -> u64 {
        let waits = self.spans.iter().flat_map(|span| &span.waits);
        waits
            .filter(|wait| wait.reason == reason)
            .map(|wait| wait.to_ns - wait.from_ns)
            .sum()
    }
}
