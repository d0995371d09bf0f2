//! The command palette: all commands, found by words.

use std::ops::Range;

use super::keys::VIEW_KEYS;
use super::{
    Choice, CompareEdit, Event, ExplainEdit, GUIDES, LectureEdit, NoteEdit, Panel, Session, Speed, TourEdit,
    jump,
};
use crate::library;
use crate::run_option::RUN_OPTIONS;
use crate::scene::{PlotKind, Target, thousands};
use crate::share::{Sync, View};
use engine::arch::{ArchId, architecture};

/// Limit of shown matches per group while there is text.
const MOST: usize = 8;

/// Scores below which a name contains the text, as a whole word near its start, and from which a match is weak.
const GOOD: u32 = 20;
const WEAK: u32 = 60;

/// The kind of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Group {
    /// Views and cycles.
    GoTo,
    /// Changes of the scenario or of the page.
    Change,
    /// Help.
    Learn,
    /// Lessons and lectures.
    Lesson,
    /// Terms of the glossary.
    Term,
}

impl Group {
    /// The heading.
    pub const fn name(self) -> &'static str {
        match self {
            Self::GoTo => "Go to",
            Self::Change => "Change",
            Self::Learn => "Learn",
            Self::Lesson => "Lessons and lectures",
            Self::Term => "Terms",
        }
    }
}

/// A match.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    /// The kind.
    pub group: Group,
    /// The text.
    pub text: String,
    /// The key, or another hint.
    pub hint: String,
    /// The matched letters, as byte ranges of the text.
    pub matched: Vec<Range<usize>>,
    /// The event.
    pub event: Event,
}

/// The state of the field.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CommandPalette {
    /// The typed text.
    pub text: String,
    /// The selected row.
    pub idx: usize,
}

impl Session {
    /// The matches by group, best first in each group.
    pub fn found(&self) -> Vec<Found> {
        let query = self.ui.command_palette.text.trim().to_lowercase();
        let mut found: Vec<(u32, Found)> = Vec::new();
        if let Some(cycle) = number(&query) {
            let last = self.last_cycle();
            found.push((
                0,
                row(
                    Group::GoTo,
                    format!("Cycle {}", thousands(cycle.min(last))),
                    "",
                    Event::Seek(cycle),
                ),
            ));
        }
        for thing in self.things(query.is_empty()) {
            let named = matches(&query, &thing.text);
            let is_other_word = query.len() > 2 && words(&thing).contains(&&*query);
            // A word that people type for it says more than scattered letters of other names.
            let known = if is_other_word { GOOD - 1 } else { u32::MAX };
            match named {
                Some((score, matched)) if score < WEAK || !is_other_word => {
                    found.push((score.min(known), Found { matched, ..thing }));
                }
                _ if is_other_word => found.push((known, thing)),
                _ if query.len() > 2 && words(&thing).iter().any(|word| word.contains(&*query)) => {
                    found.push((WEAK, thing));
                }
                _ => {}
            }
        }
        found.extend(self.lessons_and_terms(&query));
        if let Some((text, event)) = jump::offer(self, &query) {
            found.push((50, row(Group::GoTo, text, "F", event)));
        }
        // Where names contain the text, weaker matches are noise.
        if !query.is_empty() && found.iter().any(|(score, _)| *score < GOOD) {
            found.retain(|(score, _)| *score < WEAK);
        }
        found.sort_by_key(|(score, found)| (found.group, *score));
        let mut counts = [0; 5];
        found.retain(|(_, found)| {
            let count = &mut counts[found.group as usize];
            *count += 1;
            query.is_empty() || *count <= MOST
        });
        found.into_iter().map(|(_, found)| found).collect()
    }

    /// All commands; with `few`, only the suggestions that are shown without text.
    fn things(&self, few: bool) -> Vec<Found> {
        use Group::{Change, GoTo, Learn};
        let mut things = Vec::new();
        for (view, key) in VIEW_KEYS {
            // A section is found by the name of its tab, too.
            let text = match view.tab_name() {
                Some(tab) => format!("{} ({tab})", view.name()),
                None => view.name().to_owned(),
            };
            things.push(row(GoTo, text, key, Event::View(view)));
        }
        for kind in PlotKind::ALL {
            let text = format!("Plot: {}", kind.title());
            things.push(row(GoTo, text, "", Event::Choose(Choice::Plot(kind))));
        }
        for (text, key, event) in [
            ("Next issue", "I", Event::NextIssue),
            ("Next stall", "S", Event::NextStall),
            ("Next event of the warp", "E", Event::NextOfWarp),
            ("First cycle", "Home", Event::Seek(0)),
            ("Last cycle", "End", Event::SeekEnd),
            ("Find in the run", "F", Event::Panel(Panel::Find)),
            ("Recent scenarios", "R", Event::Panel(Panel::Recent)),
        ] {
            things.push(row(GoTo, text.to_owned(), key, event));
        }
        let split = if self.ui.split.is_some() {
            "Show one view"
        } else {
            "Split: show a second view"
        };
        for (text, key, event) in [
            ("Play or pause", "Space", Event::PlayPause),
            (split, "\\", Event::SplitOrWhole),
            ("Table or picture", "T", Event::Table),
            ("Light or dark", "D", Event::Theme),
            (
                "Present: full screen, chapters",
                "P",
                Event::Lecture(LectureEdit::Present),
            ),
            ("Projector size", "Shift P", Event::Density),
            ("Undo", "Ctrl Z", Event::Undo),
            ("Redo", "Ctrl Shift Z", Event::Redo),
            ("Copy the link", "C", Event::CopyLink),
            (
                "Share: link, embed, GIF film, QR code, Markdown",
                "Shift C",
                Event::Panel(Panel::Share),
            ),
            ("Chapters and notes", "", Event::Panel(Panel::Chapters)),
            ("Print the handout", "", Event::Lecture(LectureEdit::Print)),
            (
                "Note: add a note on the picture",
                "",
                Event::Lecture(LectureEdit::Note(NoteEdit::Place)),
            ),
        ] {
            things.push(row(Change, text.to_owned(), key, event));
        }
        self.comparisons(&mut things);
        for (text, key, event) in [
            ("Go to the fault: where the run stopped", "", Event::GoToFault),
            (
                "Why: explain the selection",
                "U",
                Event::Explain(ExplainEdit::Deeper),
            ),
            ("Glossary: terms with sources", "", Event::Panel(Panel::Glossary)),
            ("Lessons, by course", "", Event::Panel(Panel::Lessons)),
            (
                "Tour of the page, in two minutes",
                "",
                Event::Tour(TourEdit::Start),
            ),
            ("Help: how to read Warpscope", "", Event::Panel(Panel::Help)),
            ("Key map", "?", Event::Panel(Panel::Keys)),
            ("Sources of all numbers", "", Event::Panel(Panel::Sources)),
        ] {
            things.push(row(Learn, text.to_owned(), key, event));
        }
        if !few {
            self.more(&mut things);
        }
        things
    }

    /// The commands of a comparison.
    fn comparisons(&self, things: &mut Vec<Found>) {
        let mut put = |text: &str, key: &str, edit: CompareEdit| {
            things.push(row(Group::Change, text.to_owned(), key, Event::Compare(edit)));
        };
        put("Compare: add a pane", "A", CompareEdit::Add(None));
        if self.is_comparing() {
            put("Compare: remove this pane", "X", CompareEdit::Remove(None));
            put("Compare: show only this run", "", CompareEdit::End);
            for sync in Sync::ALL {
                put(
                    &format!("Compare: align by {}", sync.id()),
                    "Y",
                    CompareEdit::Sync(sync),
                );
            }
            let apart = !self.ui.compare.apart;
            let text = if apart {
                "Compare: apply changes to this pane"
            } else {
                "Compare: apply changes to all panes"
            };
            put(text, "", CompareEdit::Apart(apart));
            let marks = !self.ui.compare.marks;
            put(
                "Compare: toggle marked differences",
                "",
                CompareEdit::Marks(marks),
            );
        }
    }

    /// The commands that start a comparison.
    fn compared_with(things: &mut Vec<Found>) {
        let mut put = |text: &str, edit: CompareEdit| {
            things.push(row(Group::Change, text.to_owned(), "", Event::Compare(edit)));
        };
        let guides = "Compare all four guides: Fermi, Pascal, Volta, Turing";
        put(guides, CompareEdit::On(GUIDES.to_vec()));
        for id in ArchId::ALL {
            let name = architecture(id).name;
            put(&format!("Compare with {name}"), CompareEdit::Add(Some(id)));
        }
    }

    /// The commands that are shown only while there is text.
    fn more(&self, things: &mut Vec<Found>) {
        use Group::{Change, GoTo};
        if let Some(trace) = self.derived().trace() {
            for slot in 0..trace.num_slots() as u16 {
                if let Some(name) = self.derived().warp_name(slot, self.cycle()) {
                    let event = Event::Select(Target::Warp { slot });
                    things.push(row(
                        GoTo,
                        format!("Warp {}", name.trim_start_matches('W')),
                        "",
                        event,
                    ));
                }
            }
        }
        for id in ArchId::ALL {
            let name = architecture(id).name;
            things.push(row(Change, format!("Architecture {name}"), "", Event::Arch(id)));
        }
        Self::compared_with(things);
        for kernel in library::kernels() {
            let event = Event::Kernel(kernel.id.to_owned());
            things.push(row(Change, format!("Kernel {}", kernel.id), kernel.title, event));
        }
        let (arch, options) = (self.setup().arch, self.setup().options());
        for option in RUN_OPTIONS.iter().filter(|option| option.has_effect(arch)) {
            for button in option.buttons {
                let text = option.command(button, &options, arch);
                things.push(row(Change, text, "", Event::Option(button.id(option))));
            }
        }
        if let Some(split) = self.carveout() {
            for kib in split.sizes {
                let event = Event::Carveout(Some(u32::from(kib)));
                things.push(row(
                    Change,
                    format!("Carveout {kib} KB of shared memory"),
                    "",
                    event,
                ));
            }
        }
        for (idx, moment) in self.moments().iter().enumerate() {
            let event = Event::Jump(super::Jump::Moment(idx));
            things.push(row(GoTo, moment.text(), "'", event));
        }
        for speed in Speed::ALL {
            let text = format!("Speed: {}", speed.description());
            things.push(row(Change, text, "", Event::Speed(speed)));
        }
        let definition = "Go to definition of the name at the cursor".to_owned();
        things.push(row(GoTo, definition, "F12", Event::GoToDefinition));
        for (text, key, event) in [
            ("Setup panel: show or hide", "[", Event::Left),
            ("Inspector: show or hide", "]", Event::Right),
            ("Save the picture as PNG", "", Event::SavePicture),
            ("Save the table as CSV", "", Event::SaveTable),
            ("Full screen", "", Event::FullScreen),
            ("Add a chapter here", "", Event::Lecture(LectureEdit::Add)),
            (
                "Next chapter",
                "Page Down",
                Event::Lecture(LectureEdit::Beside(1)),
            ),
            (
                "Previous chapter",
                "Page Up",
                Event::Lecture(LectureEdit::Beside(-1)),
            ),
            (
                "Save the chapters as a file",
                "",
                Event::Lecture(LectureEdit::Export),
            ),
            ("Notes window", "", Event::Lecture(LectureEdit::NotesWindow)),
            ("QR code on the whole screen", "", Event::Lecture(LectureEdit::Qr)),
        ] {
            things.push(row(Change, text.to_owned(), key, event));
        }
    }
}

/// Handles an event of the field. Returns the event of an accepted row.
pub(super) fn update(session: &mut Session, event: Event) -> Option<Event> {
    match event {
        Event::PaletteText(text) => session.ui.command_palette = CommandPalette { text, idx: 0 },
        Event::PaletteBeside(step) => {
            let num = session.found().len() as i32;
            let idx = session.ui.command_palette.idx as i32 + step;
            session.ui.command_palette.idx = idx.rem_euclid(num.max(1)) as usize;
        }
        Event::PaletteTake(idx) => {
            let idx = idx.unwrap_or(session.ui.command_palette.idx);
            let found = session.found().into_iter().nth(idx)?;
            session.ui.panel = None;
            return Some(found.event);
        }
        _ => {}
    }
    None
}

/// Words that people type for a command, beside its name.
fn words(thing: &Found) -> &'static [&'static str] {
    match &thing.event {
        Event::View(View::Banks) => &["shared memory", "conflict", "column", "padding"],
        Event::View(View::Coalescing) => &["global memory", "sector", "transaction", "stride", "uncoalesced"],
        Event::View(View::Caches) => &["l1", "l2", "texture", "constant", "hit rate", "miss"],
        Event::View(View::Carveout) => &["shared memory", "l1 size", "split"],
        Event::View(View::Findings) => &[
            "slow",
            "why slow",
            "optimize",
            "limit",
            "bottleneck",
            "faster",
            "advice",
            "verdict",
        ],
        Event::View(View::Stalls) => &["slow", "bottleneck", "why", "wait", "latency", "profile"],
        Event::View(View::Divergence) => &["branch", "diverge", "lanes", "predicate", "if"],
        Event::View(View::Streams) => &[
            "host",
            "main",
            "concurrent",
            "copy",
            "transfer",
            "mps",
            "clients",
            "nvlink",
            "pcie",
            "peer",
            "events",
            "queue",
        ],
        Event::View(View::Tensor) => &["mma", "wmma", "hmma", "imma", "matrix", "fragment", "octet"],
        Event::View(View::Device) => &["gpu", "chip", "sms", "waves", "tail", "gpc", "whole"],
        Event::View(View::Arithmetic) => &[
            "bits",
            "float",
            "half",
            "64-bit",
            "mufu",
            "sine",
            "rounding",
            "ulp",
            "fma",
            "ffma",
            "fmad",
            "multiplication",
            "division",
            "denormal",
            "playground",
        ],
        Event::View(View::Plots) => &["chart", "diagram", "roofline", "throughput", "generations"],
        Event::Choose(Choice::Plot(kind)) => match kind {
            PlotKind::Roofline => &[
                "roof",
                "intensity",
                "flop",
                "chart",
                "memory bound",
                "compute bound",
            ],
            PlotKind::Throughput => &["little", "latency", "parallelism", "ilp", "chart"],
            PlotKind::Bandwidth => &["little", "latency", "memory", "chart"],
            PlotKind::Experiments => &["occupancy", "scheduling", "sweep", "waves", "barrier", "chart"],
            PlotKind::Years => &["generations", "history", "figures", "chart"],
        },
        Event::View(View::Occupancy) => &["resident", "limit", "registers per thread"],
        Event::View(View::Registers) => &["values", "variables", "debugger", "contents"],
        Event::View(View::Source) => &["sass", "assembly", "code", "line"],
        Event::View(View::Timeline) => &["gantt", "trace", "zoom"],
        Event::View(View::Checks) => &["sanitizer", "memcheck", "racecheck", "error", "bug"],
        Event::View(View::Compare) => &["side by side", "versus", "difference"],
        Event::View(View::Sm) => &["scheduler", "floor plan", "units", "multiprocessor"],
        Event::GoToFault => &["error", "crash", "illegal address", "deadlock", "hang"],
        Event::Explain(_) => &["explain", "reason", "cause", "stall"],
        Event::CopyLink => &["send", "url"],
        Event::Panel(Panel::Share) => &[
            "send",
            "url",
            "phone",
            "scan",
            "iframe",
            "gif",
            "webm",
            "video",
            "animation",
        ],
        Event::SavePicture | Event::SaveTable => &["export", "download", "image"],
        Event::FullScreen => &["present", "projector", "lecture"],
        Event::Density => &["present", "large", "big", "lecture", "beamer"],
        Event::Lecture(LectureEdit::Present) => &["lecture", "slides", "projector", "full screen", "beamer"],
        Event::Lecture(LectureEdit::Print) => &["handout", "paper", "pdf", "page"],
        Event::Lecture(LectureEdit::Note(_)) => &["annotate", "comment", "label"],
        Event::Lecture(LectureEdit::NotesWindow) => &["speaker", "second screen"],
        Event::Lecture(LectureEdit::Qr) => &["scan", "phone"],
        Event::Panel(Panel::Chapters) => &["lecture", "stop", "slides", "class"],
        Event::Panel(Panel::Lessons) => &["teach", "course", "learn", "tutorial", "exercise"],
        Event::Tour(_) => &["start", "introduction", "tutorial", "first", "welcome"],
        Event::Panel(Panel::Sources) => &["numbers", "latencies", "citation"],
        Event::Panel(Panel::Glossary) => &["words", "meaning", "abbreviation", "opcode", "metric", "what is"],
        Event::Panel(Panel::Help) => &["legend", "marks", "colors"],
        Event::Theme => &["theme", "night", "colors"],
        _ => &[],
    }
}

fn row(group: Group, text: String, hint: &str, event: Event) -> Found {
    Found {
        group,
        text,
        hint: hint.to_owned(),
        matched: Vec::new(),
        event,
    }
}

/// The number of `812` or `cycle 812`.
fn number(query: &str) -> Option<u64> {
    let digits = query.strip_prefix("cycle").unwrap_or(query).trim();
    digits.replace(',', "").parse().ok()
}

/// How well a text contains a query's letters in order (a smaller number is better), and where.
fn matches(query: &str, text: &str) -> Option<(u32, Vec<Range<usize>>)> {
    if query.is_empty() {
        return Some((0, Vec::new()));
    }
    let lower = text.to_ascii_lowercase();
    if let Some(at) = lower.find(query) {
        let begins = at == 0 || !lower.as_bytes()[at - 1].is_ascii_alphanumeric();
        let score = at as u32 + if begins { 0 } else { 20 };
        return Some((score, std::iter::once(at..at + query.len()).collect()));
    }
    // Letter by letter, from the left.
    let mut matched: Vec<Range<usize>> = Vec::new();
    let mut from = 0;
    for letter in query.chars().filter(|letter| !letter.is_whitespace()) {
        let at = from + lower[from..].find(letter)?;
        let end = at + letter.len_utf8();
        match matched.last_mut() {
            Some(last) if last.end == at => last.end = end,
            _ => matched.push(at..end),
        }
        from = end;
    }
    // Widely scattered letters are not a match.
    let pieces = matched.len();
    (pieces <= 3).then_some((100 * pieces as u32, matched))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::update;

    fn first(query: &str) -> Found {
        let mut session = Session::new();
        while session.work(10_000) {}
        update(&mut session, Event::PaletteText(query.to_owned()));
        session.found().into_iter().next().unwrap()
    }

    #[test]
    fn words_find_views_machines_kernels_and_cycles() {
        assert_eq!(first("bank").event, Event::View(View::Banks));
        assert_eq!(first("gf100").event, Event::Arch(ArchId::Gf100));
        assert_eq!(first("saxpy").event, Event::Kernel("saxpy".to_owned()));
        assert_eq!(first("cycle 812").event, Event::Seek(812));
        assert_eq!(first("key map").event, Event::Panel(Panel::Keys));
    }

    #[test]
    fn words_that_people_type_find_what_they_mean() {
        assert_eq!(first("slow").event, Event::View(View::Findings));
        assert_eq!(first("why slow").event, Event::View(View::Findings));
        assert_eq!(first("conflict").event, Event::View(View::Banks));
        assert_eq!(first("column").event, Event::View(View::Banks));
        assert_eq!(first("sanitizer").event, Event::View(View::Checks));
        assert_eq!(first("share").event, Event::Panel(Panel::Share));
        assert_eq!(first("carveout").event, Event::View(View::Carveout));
        assert_eq!(first("caches").event, Event::View(View::Caches));
        assert!(
            first("tensor").text.ends_with("(Registers)"),
            "the tab of the section"
        );
        assert_eq!(first("embed").event, Event::Panel(Panel::Share));
        assert_eq!(first("gif").event, Event::Panel(Panel::Share));
        assert_eq!(first("animation").event, Event::Panel(Panel::Share));
        assert_eq!(first("tutorial").event, Event::Panel(Panel::Lessons));
        assert_eq!(first("glossary").event, Event::Panel(Panel::Glossary));
    }

    #[test]
    fn matched_letters_are_marked() {
        assert_eq!(matches("cal", "Coalescing"), Some((200, vec![0..1, 2..4])));
        assert_eq!(
            matches("esc", "Coalescing"),
            Some((24, std::iter::once(4..7).collect()))
        );
        assert_eq!(matches("xyz", "Coalescing"), None);
    }

    #[test]
    fn enter_executes_the_selection_and_closes() {
        let mut session = Session::new();
        update(&mut session, Event::Panel(Panel::Palette));
        update(&mut session, Event::PaletteText("timeline".to_owned()));
        update(&mut session, Event::PaletteTake(None));
        assert_eq!((session.ui.panel, session.ui.view), (None, View::Timeline));
    }

    #[test]
    fn the_arrow_keys_wrap_around() {
        let mut session = Session::new();
        update(&mut session, Event::PaletteBeside(-1));
        assert_eq!(session.ui.command_palette.idx, session.found().len() - 1);
        update(&mut session, Event::PaletteBeside(1));
        assert_eq!(session.ui.command_palette.idx, 0);
    }
}
