//! The marks by which views draw the states of warps.

use serde::{Deserialize, Serialize};

use engine::sim::WarpState;

/// The nine marks that warp states are drawn with, and the empty slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs, reason = "the design system's own names")]
pub enum Mark {
    Issue,
    Eligible,
    Wait,
    Short,
    Long,
    Throttle,
    Barrier,
    Branch,
    Other,
    Idle,
}

impl Mark {
    /// All marks, in the order of the legend.
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

    /// The marks of a resident warp in the order in which shares are stacked, from the bottom up.
    pub(crate) const STACKED: [Self; 9] = [
        Self::Issue,
        Self::Eligible,
        Self::Long,
        Self::Short,
        Self::Barrier,
        Self::Throttle,
        Self::Branch,
        Self::Other,
        Self::Wait,
    ];

    /// The mark's id in links. The page's CSS uses it in the custom property `--st-…` and in the class
    /// `f-…`.
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

    /// The mark that a state is drawn with.
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

    /// The mark's name in the legend.
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
