//! Numbers, warp states, and requests as text, shared by the headlines, tooltips, and text twins of all
//! views.

use engine::sim::{RequestKind, WarpState};

/// The copies to shared memory that a wait is for: all groups but the newest `left`.
pub fn awaited_copies(left: u8) -> String {
    match left {
        0 => "all groups of copies".to_owned(),
        1 => "all groups of copies but the newest".to_owned(),
        left => format!("all groups of copies but the newest {left}"),
    }
}

/// What a warp in this state does: the predicate of a sentence whose subject is the warp.
pub const fn state_description(state: WarpState) -> &'static str {
    match state {
        WarpState::Empty => "is not resident",
        WarpState::Selected => "issues an instruction in this cycle",
        WarpState::NotSelected => "is eligible, but its scheduler selected another warp",
        WarpState::Wait => "stalls on a fixed latency",
        WarpState::MathPipeThrottle => "stalls because the math pipe is busy",
        WarpState::ShortScoreboard => "stalls on an MIO result, such as shared memory or the XU",
        WarpState::LongScoreboard => "stalls on global or local memory",
        WarpState::MioThrottle => "stalls because the MIO queue is full",
        WarpState::LgThrottle => "stalls because the LG queue is full",
        WarpState::TexThrottle => "stalls because the TEX queue is full",
        WarpState::Barrier => "stalls at a barrier until the other warps of its block arrive",
        WarpState::Membar => "stalls at a memory fence",
        WarpState::BranchResolving => "stalls until its branch target is resolved",
        WarpState::NoInstruction => "stalls on the fetch of its next instruction",
        WarpState::ImcMiss => "stalls on a constant cache miss",
        WarpState::DispatchStall => "stalls at dispatch on a register bank conflict",
        WarpState::Sleeping => "sleeps, or stalls until other lanes of the warp arrive",
        WarpState::Drain => "has exited; its stores are still draining",
        WarpState::Misc => "stalls for another reason",
    }
}

/// What warps in this state do, as the predicate for several warps and for one warp.
pub(crate) const fn state_predicates(state: WarpState) -> (&'static str, &'static str) {
    match state {
        WarpState::Empty => ("are empty", "is empty"),
        WarpState::Selected => ("issue", "issues"),
        WarpState::NotSelected => ("are eligible", "is eligible"),
        WarpState::Wait => ("stall on a fixed latency", "stalls on a fixed latency"),
        WarpState::MathPipeThrottle => ("stall on a busy math pipe", "stalls on a busy math pipe"),
        WarpState::ShortScoreboard => ("stall on MIO results", "stalls on an MIO result"),
        WarpState::LongScoreboard => (
            "stall on global or local memory",
            "stalls on global or local memory",
        ),
        WarpState::MioThrottle => ("stall on a full MIO queue", "stalls on a full MIO queue"),
        WarpState::LgThrottle => ("stall on a full LG queue", "stalls on a full LG queue"),
        WarpState::TexThrottle => ("stall on a full TEX queue", "stalls on a full TEX queue"),
        WarpState::Barrier => ("stall at a barrier", "stalls at a barrier"),
        WarpState::Membar => ("stall at a fence", "stalls at a fence"),
        WarpState::BranchResolving => ("stall on a branch", "stalls on a branch"),
        WarpState::NoInstruction => ("stall on instruction fetch", "stalls on instruction fetch"),
        WarpState::ImcMiss => ("stall on a constant miss", "stalls on a constant miss"),
        WarpState::DispatchStall => ("stall at dispatch", "stalls at dispatch"),
        WarpState::Sleeping => ("sleep", "sleeps"),
        WarpState::Drain => ("drain their stores", "drains its stores"),
        WarpState::Misc => ("stall", "stalls"),
    }
}

/// A count as a word up to twelve, else in digits.
pub fn count_word(count: u64) -> String {
    const WORDS: [&str; 13] = [
        "no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
        "twelve",
    ];
    WORDS
        .get(count as usize)
        .map_or_else(|| thousands(count), |word| (*word).to_owned())
}

/// The number of cycles until an event: `3 cycles`, `at least 3 cycles`.
pub(crate) fn cycles_until(cycles: u64, is_earliest: bool) -> String {
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

/// A whole number with grouping commas.
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

/// A share in whole percent; `0 %` of an empty whole. A part between nothing and all never reads 0 % or 100 %.
pub fn percent(part: u64, whole: u64) -> String {
    if part > 0 && part * 200 < whole {
        return "< 1 %".to_owned();
    }
    if part < whole && part * 200 > whole * 199 {
        return "> 99 %".to_owned();
    }
    format!("{} %", (part * 200 + whole) / (2 * whole).max(1))
}

/// The text with its first letter in upper case.
pub fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| {
        first.to_uppercase().collect::<String>() + chars.as_str()
    })
}

/// The name of an access kind: `Shared load`.
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
        RequestKind::CopyLoad => "Copy from global memory",
        RequestKind::CopyStore => "Copy to shared memory",
    }
}

/// A headline cut at a word to at most 90 characters.
pub(crate) fn fit_headline(text: String) -> String {
    if text.chars().count() <= 90 {
        return text;
    }
    let cut: String = text.chars().take(89).collect();
    let cut = cut.rsplit_once(' ').map_or(cut.as_str(), |(head, _)| head);
    format!("{}…", cut.trim_end_matches([',', ';', ':']))
}
