//! Findings of the checks, in compute-sanitizer's terms.

use serde::{Deserialize, Serialize};

use cuda::diagnostic::Diagnostic;
use engine::ids::{Cycle, Pc, SlotIdx, Span, WarpId};

/// The compute-sanitizer tool that reports a kind of finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs, reason = "compute-sanitizer's own names")]
pub enum Tool {
    Memcheck,
    Initcheck,
    Racecheck,
    Synccheck,
    /// Warpscope's own checks, which compute-sanitizer does not have.
    Warpscope,
}

impl Tool {
    /// All tools.
    pub const ALL: [Self; 5] = [
        Self::Memcheck,
        Self::Initcheck,
        Self::Racecheck,
        Self::Synccheck,
        Self::Warpscope,
    ];

    /// The tool's name on compute-sanitizer's command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Memcheck => "memcheck",
            Self::Initcheck => "initcheck",
            Self::Racecheck => "racecheck",
            Self::Synccheck => "synccheck",
            Self::Warpscope => "warpscope",
        }
    }
}

/// Severity of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// The program is wrong.
    Error,
    /// The program relies on behavior that the programming model does not guarantee.
    Warning,
}

/// What is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FindingKind {
    /// A write, then an unordered read by another thread.
    ReadAfterWrite,
    /// A read, then an unordered write by another thread.
    WriteAfterRead,
    /// Unordered writes by two threads.
    WriteAfterWrite,
    /// An access outside every allocation.
    OutOfBounds,
    /// An address that is not a multiple of the access size.
    Misaligned,
    /// An access at or shortly after address 0.
    NullPointer,
    /// An access at or near a number that the launch passes as a pointer.
    ScalarAsPointer,
    /// An access to an address in the range of host memory.
    HostAddress,
    /// An `extern __shared__` array for which the launch reserves too few bytes.
    DynamicShared,
    /// A full call stack or a full stack of diverged lanes.
    StackOverflow,
    /// A read of bytes that were never written.
    UninitializedRead,
    /// A barrier that only part of a warp reaches, or that its lanes reach at different source locations.
    DivergentWarp,
    /// A barrier that only part of a block reaches, or that its warps reach at different source locations.
    DivergentBlock,
    /// A member mask that does not include the thread's own lane.
    InvalidMask,
    /// An integer division by zero.
    DivisionByZero,
    /// A function that ends without returning its value.
    MissingReturn,
    /// Warps that spin on a value that no thread changes, or that still run at the cycle limit.
    EndlessLoop,
    /// A failed `assert`, or `__trap`.
    Trap,
    /// A finding of another kind that can follow from estimated values of the launch.
    Estimated,
}

impl FindingKind {
    /// All kinds.
    pub const ALL: [Self; 19] = [
        Self::ReadAfterWrite,
        Self::WriteAfterRead,
        Self::WriteAfterWrite,
        Self::OutOfBounds,
        Self::Misaligned,
        Self::NullPointer,
        Self::ScalarAsPointer,
        Self::HostAddress,
        Self::DynamicShared,
        Self::StackOverflow,
        Self::UninitializedRead,
        Self::DivergentWarp,
        Self::DivergentBlock,
        Self::InvalidMask,
        Self::DivisionByZero,
        Self::MissingReturn,
        Self::EndlessLoop,
        Self::Trap,
        Self::Estimated,
    ];

    /// The kind's id in links and in JSON.
    pub const fn id(self) -> &'static str {
        match self {
            Self::ReadAfterWrite => "read-after-write",
            Self::WriteAfterRead => "write-after-read",
            Self::WriteAfterWrite => "write-after-write",
            Self::OutOfBounds => "out-of-bounds",
            Self::Misaligned => "misaligned",
            Self::NullPointer => "null-pointer",
            Self::ScalarAsPointer => "scalar-as-pointer",
            Self::HostAddress => "host-address",
            Self::DynamicShared => "dynamic-shared",
            Self::StackOverflow => "stack-overflow",
            Self::UninitializedRead => "uninitialized-read",
            Self::DivergentWarp => "divergent-warp",
            Self::DivergentBlock => "divergent-block",
            Self::InvalidMask => "invalid-mask",
            Self::DivisionByZero => "division-by-zero",
            Self::MissingReturn => "missing-return",
            Self::EndlessLoop => "endless-loop",
            Self::Trap => "trap",
            Self::Estimated => "estimated",
        }
    }

    /// The tool that reports this kind of finding.
    pub const fn tool(self) -> Tool {
        match self {
            Self::ReadAfterWrite | Self::WriteAfterRead | Self::WriteAfterWrite => Tool::Racecheck,
            Self::OutOfBounds
            | Self::Misaligned
            | Self::NullPointer
            | Self::ScalarAsPointer
            | Self::HostAddress
            | Self::DynamicShared
            | Self::StackOverflow => Tool::Memcheck,
            Self::UninitializedRead => Tool::Initcheck,
            Self::DivergentWarp | Self::DivergentBlock | Self::InvalidMask => Tool::Synccheck,
            Self::DivisionByZero | Self::MissingReturn | Self::EndlessLoop | Self::Trap | Self::Estimated => {
                Tool::Warpscope
            }
        }
    }
}

/// What a thread does at a site.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs, reason = "named after themselves")]
pub enum Role {
    Read,
    Write,
    Atomic,
    /// Waits at a barrier of its block or warp.
    Barrier,
    /// Executes another instruction.
    Execution,
}

impl Role {
    /// The word that racecheck writes before `access`, such as `Write`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Read => "Read",
            Self::Write => "Write",
            Self::Atomic => "Atomic",
            Self::Barrier => "Barrier",
            Self::Execution => "Execution",
        }
    }
}

/// A memory of the programming model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs, reason = "named after themselves")]
pub enum Memory {
    Global,
    Shared,
    Local,
}

impl Memory {
    /// The memory's name in sentences, such as `shared`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Global => "global",
            Self::Shared => "shared",
            Self::Local => "local",
        }
    }
}

/// A location in memory that a thread accesses.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Place {
    /// Which memory.
    pub memory: Memory,
    /// The address; for shared and local memory, an offset.
    pub address: u64,
    /// Size of the access in bytes.
    pub bytes: u32,
    /// The array that holds the address, or the nearest one; `None` if no array has a name.
    pub array: Option<String>,
    /// The element in source notation, such as `tile[3][5]`; `None` outside the array.
    pub element: Option<String>,
    /// Byte offset from the start of the array; negative before it.
    pub offset: Option<i64>,
}

impl Place {
    /// Returns the element in source notation, or the address if the element has no name.
    pub fn name(&self) -> String {
        match (&self.element, &self.array) {
            (Some(element), _) => element.clone(),
            (None, Some(array)) => format!("byte {} of {array}", self.offset.unwrap_or(0)),
            (None, None) => format!("address {:#x}", self.address),
        }
    }
}

/// One thread at one instruction.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Site {
    /// What the thread does.
    pub role: Role,
    /// The source range; line 0 for code that the compiler added.
    #[serde(flatten)]
    pub span: Span,
    /// The instruction.
    pub pc: Pc,
    /// The cycle in which it issues.
    pub cycle: Cycle,
    /// Coordinates of the block.
    pub block: [u32; 3],
    /// Coordinates of the thread in its block.
    pub thread: [u32; 3],
    /// The warp's index in the grid.
    pub warp: WarpId,
    /// The warp's slot on the SM.
    pub slot: SlotIdx,
    /// The thread's lane.
    pub lane: u8,
    /// The memory that the thread accesses.
    pub place: Option<Place>,
}

impl Site {
    /// Names the thread, such as `thread (32,0,0) in block (0,0,0)`.
    pub fn thread_name(&self) -> String {
        format!(
            "thread {} in block {}",
            coordinates(self.thread),
            coordinates(self.block)
        )
    }
}

/// Formats coordinates as compute-sanitizer does.
pub(super) fn coordinates([x, y, z]: [u32; 3]) -> String {
    format!("({x},{y},{z})")
}

/// One finding. Repeated findings at the same pair of source locations are reported once, with a count.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finding {
    /// The tool that reports the finding.
    pub tool: Tool,
    /// What is wrong.
    pub kind: FindingKind,
    /// The severity.
    pub severity: Severity,
    /// The message: one sentence.
    pub message: String,
    /// How to fix the cause: one sentence.
    pub advice: String,
    /// How many times the finding occurs in the run.
    pub count: u64,
    /// The sites: the access that triggers the finding, then the earlier access.
    pub sites: Vec<Site>,
}

impl Finding {
    /// Creates a finding of severity [`Severity::Error`] at one site.
    pub(super) fn error(kind: FindingKind, message: String, advice: &str, site: Site) -> Self {
        Self {
            tool: kind.tool(),
            kind,
            severity: Severity::Error,
            message,
            advice: advice.to_owned(),
            count: 1,
            sites: vec![site],
        }
    }

    /// Converts the finding to a compiler diagnostic.
    pub fn diagnostic(&self) -> Diagnostic {
        let span = self.sites.first().map_or_else(Span::default, |site| site.span);
        let message = format!("{}: {}", self.tool.name(), self.message);
        let mut diagnostic = match self.severity {
            Severity::Error => Diagnostic::error(span, message),
            Severity::Warning => Diagnostic::warning(span, message),
        };
        for (idx, site) in self.sites.iter().enumerate() {
            let lane = format!("warp {}, lane {}, cycle {}", site.warp.0, site.lane, site.cycle.0);
            let thread = site.thread_name();
            let what = match site.role {
                Role::Barrier | Role::Execution => format!("{} by {thread}: {lane}", site.role.name()),
                role => format!("{} access by {thread}: {lane}", role.name()),
            };
            diagnostic = if idx == 0 {
                diagnostic.note(what)
            } else {
                diagnostic.note_at(site.span, what)
            };
        }
        diagnostic.note(self.advice.clone())
    }
}
