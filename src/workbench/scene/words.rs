//! Numbers and states in words: headlines, tooltips and text twins are made of these.

use super::Mark;
use engine::sim::{RequestKind, WarpState};

impl Mark {
    /// All marks, in the order of legends.
    pub const ALL: [Self; 10] = [
        Self::Issue,
        Self::Eligible,
        Self::Wait,
        Self::Short,
        Self::Long,
        Self::Throttle,
        Self::Barrier,
        Self::Branch,
        Self::Other,
        Self::Idle,
    ];

    /// In links, and the last word of its names on the page: of its custom property `--st-…` and of
    /// its class `f-…`.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Issue => "issue",
            Self::Eligible => "eligible",
            Self::Wait => "wait",
            Self::Short => "short",
            Self::Long => "long",
            Self::Throttle => "throttle",
            Self::Barrier => "barrier",
            Self::Branch => "branch",
            Self::Other => "other",
            Self::Idle => "idle",
        }
    }

    /// The mark under which a state is drawn.
    pub const fn of(state: WarpState) -> Self {
        match state {
            WarpState::Empty => Self::Idle,
            WarpState::Selected => Self::Issue,
            WarpState::NotSelected => Self::Eligible,
            WarpState::Wait => Self::Wait,
            WarpState::ShortScoreboard => Self::Short,
            WarpState::LongScoreboard => Self::Long,
            WarpState::MathPipeThrottle
            | WarpState::MioThrottle
            | WarpState::LgThrottle
            | WarpState::TexThrottle
            | WarpState::DispatchStall => Self::Throttle,
            WarpState::Barrier | WarpState::Membar => Self::Barrier,
            WarpState::BranchResolving => Self::Branch,
            WarpState::NoInstruction
            | WarpState::ImcMiss
            | WarpState::Sleeping
            | WarpState::Drain
            | WarpState::Misc => Self::Other,
        }
    }

    /// Its name in legends.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Issue => "Selected",
            Self::Eligible => "Not Selected",
            Self::Wait => "Wait",
            Self::Short => "Short Scoreboard",
            Self::Long => "Long Scoreboard",
            Self::Throttle => "Throttle",
            Self::Barrier => "Barrier",
            Self::Branch => "Branch Resolving",
            Self::Other => "Other",
            Self::Idle => "Empty",
        }
    }
}

/// What a warp in a state does, as the rest of a sentence that starts with the warp.
pub const fn state_sentence(state: WarpState) -> &'static str {
    match state {
        WarpState::Empty => "has no warp in its slot",
        WarpState::Selected => "issues an instruction in this cycle",
        WarpState::NotSelected => "could issue, but its scheduler chose another warp",
        WarpState::Wait => "waits a fixed number of cycles",
        WarpState::MathPipeThrottle => "waits for a pipe that is busy",
        WarpState::ShortScoreboard => "waits for shared memory or the special function unit",
        WarpState::LongScoreboard => "waits for global or local memory",
        WarpState::MioThrottle => "waits because the memory queue of its scheduler is full",
        WarpState::LgThrottle => "waits because the queue for global memory is full",
        WarpState::TexThrottle => "waits because the texture queue is full",
        WarpState::Barrier => "waits for the other warps of its block",
        WarpState::Membar => "waits until its memory operations are visible",
        WarpState::BranchResolving => "waits until the target of a branch is known",
        WarpState::NoInstruction => "waits for its next instruction to be fetched",
        WarpState::ImcMiss => "waits for a constant to be fetched",
        WarpState::DispatchStall => "waits while operands of one register bank are read",
        WarpState::Sleeping => "sleeps, or waits for lanes of its own",
        WarpState::Drain => "has exited and waits until its stores have left",
        WarpState::Misc => "waits for a reason without a name",
    }
}

/// Verb phrase of several warps in a state, and of one.
pub(super) const fn state_verbs(state: WarpState) -> (&'static str, &'static str) {
    match state {
        WarpState::Empty => ("are empty", "is empty"),
        WarpState::Selected => ("issue", "issues"),
        WarpState::NotSelected => ("could issue", "could issue"),
        WarpState::Wait => ("wait a fixed time", "waits a fixed time"),
        WarpState::MathPipeThrottle => ("find a pipe busy", "finds a pipe busy"),
        WarpState::ShortScoreboard => (
            "wait for shared memory or the XU",
            "waits for shared memory or the XU",
        ),
        WarpState::LongScoreboard => ("wait for global memory", "waits for global memory"),
        WarpState::MioThrottle => ("find the MIO queue full", "finds the MIO queue full"),
        WarpState::LgThrottle => ("find the LG queue full", "finds the LG queue full"),
        WarpState::TexThrottle => ("find the TEX queue full", "finds the TEX queue full"),
        WarpState::Barrier => ("wait at a barrier", "waits at a barrier"),
        WarpState::Membar => ("wait at a fence", "waits at a fence"),
        WarpState::BranchResolving => ("wait for a branch", "waits for a branch"),
        WarpState::NoInstruction => ("wait for instructions", "waits for an instruction"),
        WarpState::ImcMiss => ("wait for a constant", "waits for a constant"),
        WarpState::DispatchStall => ("are held at dispatch", "is held at dispatch"),
        WarpState::Sleeping => ("sleep", "sleeps"),
        WarpState::Drain => ("drain their stores", "drains its stores"),
        WarpState::Misc => ("wait", "waits"),
    }
}

/// A count in words up to twelve, else in figures.
pub fn count_word(count: u64) -> String {
    const WORDS: [&str; 13] = [
        "no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
        "twelve",
    ];
    WORDS
        .get(count as usize)
        .map_or_else(|| thousands(count), |word| (*word).to_owned())
}

/// In how many cycles something comes: `3 cycles`, `at least 3 cycles`.
pub(super) fn cycles_until(cycles: u64, is_earliest: bool) -> String {
    let cycles = counted(cycles, "cycle");
    if is_earliest {
        format!("at least {cycles}")
    } else {
        cycles
    }
}

/// A count with a noun: `1 cycle`, `2 cycles`.
pub fn counted(count: u64, noun: &str) -> String {
    if count == 1 {
        format!("1 {noun}")
    } else {
        let plural = match noun.strip_suffix("ss") {
            Some(stem) => format!("{stem}sses"),
            None => format!("{noun}s"),
        };
        format!("{} {plural}", thousands(count))
    }
}

/// A whole number with thin grouping commas.
pub fn thousands(value: u64) -> String {
    let digits = value.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (idx, digit) in digits.chars().enumerate() {
        if idx > 0 && (digits.len() - idx).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A share in whole percent, `0 %` where the whole is nothing. Something is never shown as nothing.
pub fn percent(part: u64, whole: u64) -> String {
    if part > 0 && part * 200 < whole {
        return "< 1 %".to_owned();
    }
    if part < whole && part * 200 > whole * 199 {
        return "> 99 %".to_owned();
    }
    format!("{} %", (part * 200 + whole) / (2 * whole).max(1))
}

/// The first letter made capital.
pub fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| {
        first.to_uppercase().collect::<String>() + chars.as_str()
    })
}

/// What an access is, in words: `Shared load`.
pub const fn request_name(kind: RequestKind) -> &'static str {
    match kind {
        RequestKind::SharedLoad => "Shared load",
        RequestKind::SharedStore => "Shared store",
        RequestKind::SharedAtomic => "Shared atomic",
        RequestKind::GlobalLoad => "Global load",
        RequestKind::GlobalStore => "Global store",
        RequestKind::GlobalAtomic => "Global atomic",
        RequestKind::GlobalReduction => "Global reduction",
        RequestKind::LocalLoad => "Local load",
        RequestKind::LocalStore => "Local store",
        RequestKind::ConstantLoad => "Constant load",
        RequestKind::TextureLoad => "Texture fetch",
        RequestKind::UniformLoad => "Uniform load",
    }
}

/// A headline cut to its 90 characters at a word, should a kernel make it longer.
pub(super) fn headline(text: String) -> String {
    if text.chars().count() <= 90 {
        return text;
    }
    let cut: String = text.chars().take(89).collect();
    let cut = cut.rsplit_once(' ').map_or(cut.as_str(), |(head, _)| head);
    format!("{}…", cut.trim_end_matches([',', ';', ':']))
}
