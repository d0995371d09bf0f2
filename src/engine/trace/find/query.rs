//! Queries for events of a run, and their text form.

use std::fmt::{self, Display};

use serde::{Deserialize, Serialize};

use crate::sim::WarpState;

/// The maximum length of an instruction's name.
const NAME_LEN: usize = 14;

/// A query. `Display` writes the text that [`Query::parse`] reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Query {
    /// The event.
    pub what: What,
    /// The warp; `None` for any warp.
    pub warp: Option<u32>,
}

/// The event in a cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    /// An instruction issues.
    Issue,
    /// A warp changes its state.
    Change,
    /// A stall starts: a scheduler that could issue does not.
    Stall,
    /// A warp enters a state.
    State(WarpState),
    /// A shared memory access with bank conflicts starts that takes more wavefronts than this number.
    Conflict(u16),
    /// An access starts that misses in L1, or also in L2.
    Miss {
        /// Whether it must also miss in L2.
        of_l2: bool,
    },
    /// A barrier releases its warps.
    Release,
    /// The lanes of a warp diverge at a branch.
    Divergence,
    /// Diverged lanes reconverge.
    Reconvergence,
    /// The run ends with a fault.
    Fault,
    /// An instruction that writes a register issues.
    Register(u8),
    /// An instruction that writes a register issues, with this lane executing.
    RegisterOfLane {
        /// The register.
        reg: u8,
        /// The lane.
        lane: u8,
    },
    /// A store to an address of global or shared memory starts.
    Address(u64),
    /// An instruction of a source line issues.
    Line(u32),
    /// An instruction with this name prefix issues.
    Opcode(Name),
}

/// An instruction's name or its prefix, in capitals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Name([u8; NAME_LEN]);

impl Name {
    /// Returns `None` if no instruction can have such a name.
    pub fn new(text: &str) -> Option<Self> {
        let is_letter = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_');
        let bytes = text.as_bytes();
        let begins = bytes.first().is_some_and(u8::is_ascii_alphabetic);
        if !begins || bytes.len() > NAME_LEN || !bytes.iter().all(|byte| is_letter(*byte)) {
            return None;
        }
        let mut name = [0; NAME_LEN];
        name[..bytes.len()].copy_from_slice(bytes);
        name.make_ascii_uppercase();
        Some(Self(name))
    }

    /// The letters of the name.
    pub fn text(&self) -> &str {
        let len = self.0.iter().position(|byte| *byte == 0).unwrap_or(NAME_LEN);
        std::str::from_utf8(&self.0[..len]).unwrap_or_default()
    }
}

impl Query {
    /// The next or previous issue of any warp.
    pub const ISSUE: Self = Self {
        what: What::Issue,
        warp: None,
    };

    /// Parses `line 12`, `FFMA`, `W03 long scoreboard`, `bank conflict >4`, `write R7`, `write R7 lane 5`,
    /// `write 0x1040`.
    ///
    /// # Errors
    ///
    /// Returns a message with the supported queries.
    pub fn parse(text: &str) -> Result<Self, String> {
        let lower = text.trim().to_lowercase();
        let mut words: Vec<&str> = lower.split_whitespace().collect();
        let mut warp = None;
        if let Some(at) = words.iter().position(|word| warp_number(word).is_some()) {
            warp = warp_number(words.remove(at));
        } else if let Some(at) = words.iter().position(|word| *word == "warp")
            && let Some(number) = words.get(at + 1).and_then(|word| word.parse().ok())
        {
            warp = Some(number);
            words.drain(at..at + 2);
        }
        let rest = words.join(" ");
        let what = match rest.as_str() {
            "" if warp.is_some() => What::Change,
            "issue" => What::Issue,
            "event" | "change" => What::Change,
            "stall" => What::Stall,
            "cache miss" | "miss" | "l1 miss" => What::Miss { of_l2: false },
            "l2 miss" => What::Miss { of_l2: true },
            "barrier release" | "release" => What::Release,
            "divergence" | "divergent branch" | "diverge" => What::Divergence,
            "reconvergence" | "reconverge" => What::Reconvergence,
            "fault" => What::Fault,
            _ => special(&rest).ok_or_else(|| refusal(text.trim()))?,
        };
        Ok(Self { what, warp })
    }

    /// Whether the search needs the lanes' addresses, which require a replay.
    pub const fn is_slow(&self) -> bool {
        matches!(self.what, What::Address(_))
    }
}

fn refusal(text: &str) -> String {
    let ways = "Try: line 12, FFMA, W03 long scoreboard, bank conflict >4, cache miss, barrier release, \
                divergence, reconvergence, fault, write R7, write R7 lane 5, write 0x1040.";
    if text.is_empty() {
        ways.to_owned()
    } else {
        format!("No matches for \"{text}\". {ways}")
    }
}

/// The number in `w03`.
fn warp_number(word: &str) -> Option<u32> {
    let digits = word.strip_prefix('w')?;
    digits
        .starts_with(|letter: char| letter.is_ascii_digit())
        .then_some(())?;
    digits.parse().ok()
}

/// Parses a query with a number or a name.
fn special(text: &str) -> Option<What> {
    if let Some(line) = text.strip_prefix("line ") {
        return line.trim().parse().ok().map(What::Line);
    }
    for written in ["write ", "writes ", "store "] {
        let Some(place) = text.strip_prefix(written).map(str::trim) else {
            continue;
        };
        if let Some(digits) = place.strip_prefix("0x") {
            return u64::from_str_radix(digits, 16).ok().map(What::Address);
        }
        let (digits, lane) = match place.strip_prefix('r')?.split_once("lane") {
            Some((digits, lane)) => (digits.trim_end(), Some(lane.trim().parse().ok()?)),
            None => (place.strip_prefix('r')?, None),
        };
        let reg = digits.parse().ok().filter(|reg| *reg < 255)?;
        return match lane {
            None => Some(What::Register(reg)),
            Some(lane) => (lane < 32).then_some(What::RegisterOfLane { reg, lane }),
        };
    }
    let conflict = ["bank conflict", "conflict"]
        .iter()
        .find_map(|name| text.strip_prefix(name))
        .map(str::trim);
    if let Some(more) = conflict {
        if more.is_empty() {
            return Some(What::Conflict(1));
        }
        return more.strip_prefix('>')?.trim().parse().ok().map(What::Conflict);
    }
    let state = WarpState::ALL[1..]
        .iter()
        .find(|state| state.name().to_lowercase() == text)
        .or_else(|| {
            let begins = |state: &&WarpState| text.len() > 3 && state.name().to_lowercase().starts_with(text);
            WarpState::ALL[1..].iter().find(begins)
        });
    if let Some(state) = state {
        return Some(What::State(*state));
    }
    // An incomplete query is not the name of an instruction.
    let incomplete = ["line", "write", "writes", "store", "warp", "bank"];
    (!incomplete.contains(&text)).then(|| Name::new(text).map(What::Opcode))?
}

impl Display for Query {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(warp) = self.warp {
            write!(out, "W{warp:02}")?;
            if self.what == What::Change {
                return Ok(());
            }
            write!(out, " ")?;
        }
        match self.what {
            What::Issue => write!(out, "issue"),
            What::Change => write!(out, "event"),
            What::Stall => write!(out, "stall"),
            What::State(state) => write!(out, "{}", state.name().to_lowercase()),
            What::Conflict(1) => write!(out, "bank conflict"),
            What::Conflict(more) => write!(out, "bank conflict >{more}"),
            What::Miss { of_l2: false } => write!(out, "cache miss"),
            What::Miss { of_l2: true } => write!(out, "L2 miss"),
            What::Release => write!(out, "barrier release"),
            What::Divergence => write!(out, "divergence"),
            What::Reconvergence => write!(out, "reconvergence"),
            What::Fault => write!(out, "fault"),
            What::Register(reg) => write!(out, "write R{reg}"),
            What::RegisterOfLane { reg, lane } => write!(out, "write R{reg} lane {lane}"),
            What::Address(address) => write!(out, "write 0x{address:x}"),
            What::Line(line) => write!(out, "line {line}"),
            What::Opcode(name) => write!(out, "{}", name.text()),
        }
    }
}

impl From<Query> for String {
    fn from(query: Query) -> Self {
        query.to_string()
    }
}

impl TryFrom<String> for Query {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        Self::parse(&text)
    }
}
