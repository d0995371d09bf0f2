//! What a check reports, in the words of compute-sanitizer.

use serde::{Deserialize, Serialize};

use cuda::diagnostic::Diagnostic;
use engine::ids::{Cycle, Pc, SlotIdx, Span, WarpId};

/// The tool of compute-sanitizer that reports such findings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs, reason = "compute-sanitizer's own names")]
pub enum Tool {
    Memcheck,
    Initcheck,
    Racecheck,
    Synccheck,
    /// Warpscope's own: what compute-sanitizer has no tool for.
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

    /// The name on compute-sanitizer's command line.
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

/// How bad a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// The program is wrong.
    Error,
    /// The program relies on what the programming model does not promise.
    Warning,
}

/// What is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FindingKind {
    /// A write, then a read of another thread, without an order.
    ReadAfterWrite,
    /// A read, then a write of another thread, without an order.
    WriteAfterRead,
    /// Two writes of different threads, without an order.
    WriteAfterWrite,
    /// An access outside of every allocation.
    OutOfBounds,
    /// An address that is no multiple of the access's size.
    Misaligned,
    /// An access at or shortly after address 0.
    NullPointer,
    /// A number that the launch passes for a pointer, or an address near it.
    ScalarAsPointer,
    /// An address as the host's memory has them.
    HostAddress,
    /// An `extern __shared__` array for which the launch reserves too few bytes.
    DynamicShared,
    /// A call stack, or a stack of diverged lanes, that is full.
    StackOverflow,
    /// A read of bytes that nobody wrote.
    UninitializedRead,
    /// A barrier that a part of a warp reaches, or that its lanes reach at different places.
    DivergentWarp,
    /// A barrier that a part of a block reaches, or that its warps reach at different places.
    DivergentBlock,
    /// A member mask without the thread's own lane.
    InvalidMask,
    /// An integer divided by zero.
    DivisionByZero,
    /// A function that ends without the value that it returns.
    MissingReturn,
    /// Warps that spin for what nobody will change, or that still run when the cycle limit is reached.
    EndlessLoop,
    /// `assert` of something false, or `__trap`.
    Trap,
}

impl FindingKind {
    /// All kinds.
    pub const ALL: [Self; 18] = [
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
    ];

    /// The id in links and in JSON.
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
        }
    }

    /// The tool that reports findings of this kind.
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
            Self::DivisionByZero | Self::MissingReturn | Self::EndlessLoop | Self::Trap => Tool::Warpscope,
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
    /// Waits at a barrier of its block or of its warp.
    Barrier,
    /// Executes another instruction.
    Execution,
}

impl Role {
    /// The word with which racecheck begins: `Write access`.
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
    /// The name in sentences: `shared`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Global => "global",
            Self::Shared => "shared",
            Self::Local => "local",
        }
    }
}

/// The memory that a thread accesses.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Place {
    /// Which memory.
    pub memory: Memory,
    /// The address: an offset in shared and local memory.
    pub address: u64,
    /// Bytes of the access.
    pub bytes: u32,
    /// The array that holds the address, or the nearest one; `None` where no array has a name.
    pub array: Option<String>,
    /// The element as the source writes it: `tile[3][5]`. `None` outside of the array.
    pub element: Option<String>,
    /// Bytes from the start of the array; negative before it.
    pub offset: Option<i64>,
}

impl Place {
    /// The element, or the address where it has no name.
    pub fn name(&self) -> String {
        match (&self.element, &self.array) {
            (Some(element), _) => element.clone(),
            (None, Some(array)) => format!("byte {} of {array}", self.offset.unwrap_or(0)),
            (None, None) => format!("address {:#x}", self.address),
        }
    }
}

/// A thread at an instruction.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Site {
    /// What the thread does.
    pub role: Role,
    /// The source; line 0 for what the compiler added.
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
    /// The warp, by its number in the grid.
    pub warp: WarpId,
    /// The warp's slot on the SM.
    pub slot: SlotIdx,
    /// The thread's lane.
    pub lane: u8,
    /// The memory that the thread accesses.
    pub place: Option<Place>,
}

impl Site {
    /// Who and where: `thread (32,0,0) in block (0,0,0)`.
    pub fn thread_name(&self) -> String {
        format!(
            "thread {} in block {}",
            coordinates(self.thread),
            coordinates(self.block)
        )
    }
}

/// Coordinates as compute-sanitizer writes them.
pub(super) fn coordinates([x, y, z]: [u32; 3]) -> String {
    format!("({x},{y},{z})")
}

/// One finding: the same at a pair of source places is reported once, with the number of times.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finding {
    /// Which tool reports it.
    pub tool: Tool,
    /// What it is.
    pub kind: FindingKind,
    /// How bad it is.
    pub severity: Severity,
    /// A sentence.
    pub message: String,
    /// What to do about it: a sentence.
    pub advice: String,
    /// How many times it happens in the run.
    pub count: u64,
    /// Where: the access at which it is found, then the one before it.
    pub sites: Vec<Site>,
}

impl Finding {
    /// A finding of an error at one site.
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

    /// The finding as the compiler prints its diagnostics.
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
