//! The launches in the source's host code, which the form offers.

pub use super::chosen::Given;
pub use super::host_code::{
    HostEntry, Kernels, Lists, ReadLaunch, proposed_flags, take_chosen, take_launch, take_launch_of,
};

use super::compiler::Request;
use super::host_code::is_own;
use super::{Effect, Session, jobs};
use crate::check::Unknown;

/// The action after host code has been read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Then {
    /// The source changed: apply its launch, unless the user changed the launch. `merges`: in the same undo step.
    Take { merges: bool },
    /// A link was opened: find its launch among the launches.
    Find,
    /// Undo or redo restored a scenario: keep its launch.
    Keep,
}

/// The session's knowledge of the host code in its source.
#[derive(Clone, Debug, Default)]
pub struct HostCode {
    entries: Vec<HostEntry>,
    taken: Option<ReadLaunch>,
    /// Whether the user changed the launch, which then stays.
    pub(super) is_users: bool,
    /// Whether a launch is chosen if no `main()` has one: the source is a program that took another one's place.
    chooses: bool,
    /// The request to another thread, and the action after its answer.
    reading: Option<(u64, Request, Then)>,
}

impl HostCode {
    /// The knowledge of a program that takes another one's place: none, and its launch is read or chosen.
    pub(super) fn of_new() -> Self {
        Self {
            chooses: true,
            ..Self::default()
        }
    }

    /// The request to read host code, with its number.
    pub(super) fn request(&self) -> Option<(u64, &Request)> {
        let (number, request, _) = self.reading.as_ref()?;
        Some((*number, request))
    }

    /// The chosen launch, if no `main()` has one.
    fn chosen(&self) -> Option<&ReadLaunch> {
        let mut launches = self.entries.iter().filter_map(|entry| entry.launch.as_ref());
        launches.find(|launch| launch.is_chosen)
    }

    /// The kernel launches of the program; a source without a `main()` is one launch. `None`: they are not read yet.
    pub(super) fn num_launches(&self) -> Option<u32> {
        let all = self.entries.iter().map(|entry| 1 + entry.num_more).sum();
        self.reading.is_none().then_some(all)
    }

    /// Drops the request.
    pub(super) fn stop(&mut self) {
        self.reading = None;
    }
}

impl Session {
    /// Reads the source's host code, and performs the action.
    pub(super) fn follow_host(&mut self, then: Then) -> Vec<Effect> {
        let source = self.setup().source();
        let may_launch = source.contains("<<<") || source.contains("cudaLaunchKernel");
        let may_launch = may_launch && source.contains("main");
        self.side_mut().host.reading = None;
        let scenario = self.setup().alone();
        if !may_launch && !is_own(&scenario) {
            return self.take_host_entries(Vec::new(), then);
        }
        if let Some(toolchain) = self.toolchain {
            return self.take_host_entries(toolchain.host_launches(&scenario), then);
        }
        let link = jobs::link_of(&scenario).to_string();
        let request = Request::HostLaunches { link };
        self.side_mut().host.reading = Some((jobs::next_number(), request, then));
        Vec::new()
    }

    /// Handles the answer to request `number`.
    pub(super) fn host_read(&mut self, number: u64, entries: Vec<HostEntry>) -> Vec<Effect> {
        let active = self.active_side();
        for (idx, side) in self.sides.iter_mut().enumerate() {
            if let Some((_, _, then)) = side.host.reading.take_if(|(own, ..)| *own == number) {
                if idx == active {
                    return self.take_host_entries(entries, then);
                }
                // A side that is no longer active keeps its launch.
                side.host.entries = entries;
                break;
            }
        }
        Vec::new()
    }

    fn take_host_entries(&mut self, entries: Vec<HostEntry>, then: Then) -> Vec<Effect> {
        let side = self.side_mut();
        side.host.entries = entries;
        match then {
            Then::Take { merges } => {
                let is_chosen = side.host.chosen().is_some();
                if side.host.is_users || side.setup.source.is_none() || (is_chosen && !side.host.chooses) {
                    return Vec::new();
                }
                let idx = side.host.taken.take().map_or(0, |taken| taken.idx);
                let effects = self.take_host_launch(idx);
                if !effects.is_empty() && (merges || is_chosen) {
                    // The launch follows the source from which it was read.
                    self.history.merge_last();
                }
                effects.into_iter().map(|_| Effect::ReplaceLink).collect()
            }
            Then::Find | Then::Keep => {
                let launch = side.setup.launch();
                let mut read = side.host.entries.iter().filter_map(|entry| entry.launch.as_ref());
                side.host.taken = read.find(|read| read.launch == launch).cloned();
                let taken = side.host.taken.as_ref();
                side.host.chooses = taken.is_some_and(|taken| taken.is_chosen);
                let is_users = match then {
                    Then::Find => side.host.taken.is_none() && side.setup.args.is_some(),
                    _ => self.host_sentence().is_none(),
                };
                self.side_mut().host.is_users = is_users;
                Vec::new()
            }
        }
    }

    /// Applies a launch of the source's host code.
    pub(super) fn take_host_launch(&mut self, idx: usize) -> Vec<Effect> {
        let side = self.side_mut();
        let entry = side.host.entries.get(idx);
        let Some(taken) = entry.and_then(|entry| entry.launch.clone()) else {
            return Vec::new();
        };
        side.host.is_users = false;
        side.drafts.clear();
        side.host.taken = Some(taken.clone());
        self.change(|setup| taken.set(setup))
    }

    /// The summary of the values from host code, while the launch still has them.
    pub fn host_sentence(&self) -> Option<String> {
        let taken = self.side().host.taken.as_ref()?;
        let is_now =
            taken.launch == self.setup().launch() && self.setup().entry.as_ref() == Some(&taken.kernel);
        let sentences = || std::iter::once(taken.sentence()).chain(taken.error_sentences());
        is_now.then(|| sentences().collect::<Vec<_>>().join(" "))
    }

    /// Where the launch was read from, and the line of the launch, while the launch still has these values.
    pub fn host_origin(&self) -> Option<(String, u32)> {
        self.host_sentence()?;
        let taken = self.side().host.taken.as_ref()?;
        Some((taken.origin(), taken.line))
    }

    /// What is not known of a side's launch, while the side still has the values that were read.
    pub(super) fn unknown(&self, side: usize) -> Option<Unknown> {
        let side = &self.sides[side];
        let taken = side.host.taken.as_ref()?;
        let is_now = taken.launch == side.setup.launch() && side.setup.entry.as_ref() == Some(&taken.kernel);
        is_now.then(|| taken.unknown()).flatten()
    }

    /// What a headline says first of a launch that CUDA refuses, or that is partly estimated; empty for others.
    pub(super) fn launch_remark(&self) -> &'static str {
        let taken = self.host_sentence().and(self.side().host.taken.as_ref());
        if taken.is_some_and(|taken| taken.failure.is_some()) {
            "The CUDA runtime refuses this launch. As if it ran: "
        } else if taken.is_some_and(|taken| taken.is_chosen) {
            "Chosen launch. "
        } else if self.is_estimated() {
            "Estimated launch. "
        } else {
            ""
        }
    }

    /// Whether the launch of the active side is partly estimated.
    pub fn is_estimated(&self) -> bool {
        self.unknown(self.active_side()).is_some()
    }

    /// Where the launch comes from, in some words: `from main(), line 31`.
    pub fn host_words(&self) -> Option<String> {
        let (_, line) = self.host_origin()?;
        Some(if self.is_chosen() {
            "chosen launch".to_owned()
        } else if self.is_estimated() {
            format!("estimated from main(), line {line}")
        } else {
            format!("from main(), line {line}")
        })
    }

    /// Whether the launch of the active side is chosen, as no `main()` has it.
    pub fn is_chosen(&self) -> bool {
        let taken = self.side().host.taken.as_ref();
        taken.is_some_and(|taken| taken.is_chosen) && self.is_estimated()
    }

    /// Why the value of a parameter or a variable is chosen; `None` if it is not.
    pub(super) fn why_chosen(&self, name: &str) -> Option<String> {
        let taken = self.side().host.taken.as_ref().filter(|_| self.is_chosen())?;
        let name = format!("`{name}`");
        let guess = taken.guesses.iter().find(|guess| guess.what == name)?;
        Some(guess.why.clone())
    }

    /// What a launch is that is partly unknown: "estimated" or "chosen".
    pub(super) fn launch_word(&self) -> &'static str {
        self.unknown(self.active_side())
            .map_or("", |unknown| unknown.word())
    }

    /// The title of [`Session::host_reasons`].
    pub fn host_reasons_title(&self) -> &'static str {
        if self.is_chosen() {
            "The chosen values"
        } else {
            "Why these values are estimates"
        }
    }

    /// Why values are estimates or chosen.
    pub fn host_reasons(&self) -> Vec<String> {
        self.side()
            .host
            .taken
            .as_ref()
            .map_or_else(Vec::new, ReadLaunch::reasons)
    }

    /// The launches in host code as menu entries, and which one is applied; empty if there is at most one.
    pub fn host_launches(&self) -> Vec<(String, bool)> {
        if self.side().host.entries.len() < 2 {
            return Vec::new();
        }
        let chosen = self
            .host_sentence()
            .and(self.side().host.taken.as_ref())
            .map(|taken| taken.idx);
        let text = |(idx, entry): (usize, &HostEntry)| {
            let more = match entry.num_more {
                0 => String::new(),
                more => format!(", and {more} more"),
            };
            let name = format!("{} (line {}{more})", entry.kernel, entry.line);
            (name, chosen == Some(idx))
        };
        self.side().host.entries.iter().enumerate().map(text).collect()
    }
}
