//! What the Share dialog shows: the link with its parts, the text of a frame for other pages, and a film.

use std::collections::BTreeSet;

use super::film::FilmForm;
use super::{Effect, Session};
use crate::run_option::RunOption;
use crate::scene::{counted, thousands};
use crate::share::{Density, Present, QrPlace, Scenario, Theme, encode, has_long_text, take_long_texts};

/// A part of a link that can be left out, except for the scenario.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum LinkPart {
    /// The kernel, the launch, the options, the architecture, and the other sides of a comparison.
    Scenario,
    /// The source text of own kernels, and what depends on it: the entry and the arguments.
    Code,
    /// The lesson and its step, or the step of the tour.
    Lesson,
    /// The lecture and its chapters.
    Lecture,
    /// The view, and its settings.
    View,
    /// The cycle.
    Cycle,
    /// The selected warp, lane, line, request, and cycles.
    Selection,
    /// The notes on the picture.
    Notes,
    /// The second view, and the columns and panels of the workbench.
    Layout,
    /// Theme, density, and speed.
    Settings,
}

impl LinkPart {
    /// All parts, in the order of the dialog.
    pub const ALL: [Self; 10] = [
        Self::Scenario,
        Self::Code,
        Self::Lesson,
        Self::Lecture,
        Self::View,
        Self::Cycle,
        Self::Selection,
        Self::Notes,
        Self::Layout,
        Self::Settings,
    ];

    /// The ID in the page's test IDs.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Scenario => "scenario",
            Self::Code => "code",
            Self::Lesson => "lesson",
            Self::Lecture => "lecture",
            Self::View => "view",
            Self::Cycle => "cycle",
            Self::Selection => "selection",
            Self::Notes => "notes",
            Self::Layout => "layout",
            Self::Settings => "settings",
        }
    }

    /// The name in the dialog.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Scenario => "Scenario",
            Self::Code => "Own code",
            Self::Lesson => "Lesson",
            Self::Lecture => "Lecture",
            Self::View => "View",
            Self::Cycle => "Cycle",
            Self::Selection => "Selection",
            Self::Notes => "Notes",
            Self::Layout => "Layout",
            Self::Settings => "Settings",
        }
    }

    /// The part to which a key belongs. `own_code`: the link has a source text, on which entry and arguments depend.
    fn of(key: &str, own_code: bool) -> Self {
        match key {
            "source" => Self::Code,
            key if key.ends_with(".source") => Self::Code,
            "entry" | "args" | "symbols" if own_code => Self::Code,
            "lesson" | "step" | "tour" => Self::Lesson,
            "lecture" | "chapter" => Self::Lecture,
            key if is_chapter(key) => Self::Lecture,
            "note" => Self::Notes,
            "cycle" => Self::Cycle,
            "warp" | "lane" | "access" | "wavefront" | "line" | "pc" | "reg" | "word" | "range" | "way"
            | "mark" | "finding" => Self::Selection,
            "split" | "pane" | "share" | "left" | "right" | "panel" | "outputs" => Self::Layout,
            "theme" | "density" | "speed" => Self::Settings,
            "arch" | "kernel" | "entry" | "grid" | "block" | "shared" | "args" | "symbols" | "name"
            | "compare" | "sync" | "changes" | "differences" | "reference" | "order" => Self::Scenario,
            key if RunOption::of_key(key).is_some() => Self::Scenario,
            key if key
                .split_once('.')
                .is_some_and(|(side, _)| side.parse::<u8>().is_ok()) =>
            {
                Self::Scenario
            }
            _ => Self::View,
        }
    }
}

/// Whether a key belongs to a chapter, as `c2.title`.
fn is_chapter(key: &str) -> bool {
    let number = key.strip_prefix('c').and_then(|rest| rest.split_once('.'));
    number.is_some_and(|(number, _)| number.parse::<u8>().is_ok())
}

/// The size of a frame for other pages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FrameSize {
    /// 640 × 360 pixels.
    #[default]
    Small,
    /// 960 × 540 pixels.
    Large,
    /// As wide as the text around it, 16:9.
    Fluid,
}

impl FrameSize {
    /// All sizes, in the order of the dialog.
    pub const ALL: [Self; 3] = [Self::Small, Self::Large, Self::Fluid];

    /// The name of the choice.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Small => "640 × 360",
            Self::Large => "960 × 540",
            Self::Fluid => "fluid 16:9",
        }
    }

    /// The attributes of the element `iframe`.
    const fn attributes(self) -> &'static str {
        match self {
            Self::Small => "width=\"640\" height=\"360\"",
            Self::Large => "width=\"960\" height=\"540\"",
            Self::Fluid => "style=\"width: 100%; height: auto; aspect-ratio: 16 / 9; border: 0\"",
        }
    }
}

/// The state of the dialog.
#[derive(Clone, Debug, PartialEq)]
pub struct Sharing {
    /// The parts that the link leaves out.
    left_out: BTreeSet<LinkPart>,
    /// The size of the frame.
    pub frame_size: FrameSize,
    /// The theme of the frame; the system's: the theme of the page around it.
    pub frame_theme: Theme,
    /// The film.
    pub film: FilmForm,
}

impl Default for Sharing {
    fn default() -> Self {
        Self {
            // Colors and size of the text stay with the reader.
            left_out: BTreeSet::from([LinkPart::Settings]),
            frame_size: FrameSize::default(),
            frame_theme: Theme::default(),
            film: FilmForm::default(),
        }
    }
}

/// A choice in the dialog.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShareEdit {
    /// Includes a part in the link, or leaves it out.
    Part(LinkPart),
    /// Sets the size of the frame.
    FrameSize(FrameSize),
    /// Sets the theme of the frame.
    FrameTheme(Theme),
}

/// A row of the dialog: a part, what it holds, and its length.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PartRow {
    /// The part.
    pub part: LinkPart,
    /// What it holds.
    pub text: String,
    /// Characters of the link that it takes, or would take.
    pub chars: usize,
    /// Whether the link has it.
    pub included: bool,
}

/// Applies a choice.
pub(super) fn edit(session: &mut Session, edit: ShareEdit) -> Vec<Effect> {
    let sharing = &mut session.ui.sharing;
    match edit {
        // Without its scenario, a link would show the view of another kernel.
        ShareEdit::Part(LinkPart::Scenario) => {}
        ShareEdit::Part(part) => {
            if !sharing.left_out.remove(&part) {
                sharing.left_out.insert(part);
            }
        }
        ShareEdit::FrameSize(size) => sharing.frame_size = size,
        ShareEdit::FrameTheme(theme) => sharing.frame_theme = theme,
    }
    Vec::new()
}

/// The pairs of a link with their parts.
fn parts(link: &str) -> impl Iterator<Item = (LinkPart, &str)> {
    let own_code = link.contains(";source=");
    let pairs = link.split(';').skip(1);
    pairs.map(move |pair| {
        let key = pair.split_once('=').map_or(pair, |(key, _)| key);
        (LinkPart::of(key, own_code), pair)
    })
}

impl Session {
    /// The link of all that is on screen, without the dialog itself.
    fn whole_link(&self) -> String {
        let mut scenario: Scenario = self.link();
        scenario.layout.panel = None;
        scenario.layout.theme = self.shown_theme();
        (scenario.lecture.present, scenario.lecture.qr) = (Present::Off, QrPlace::Off);
        // No reader of the link would accept them.
        take_long_texts(&mut scenario);
        encode(&scenario)
    }

    /// The link that is copied: what is on screen without an open panel.
    pub fn copied_link(&self) -> String {
        let mut scenario: Scenario = self.link();
        scenario.layout.panel = None;
        // No reader of the link would accept them.
        take_long_texts(&mut scenario);
        encode(&scenario)
    }

    /// Whether a side's source is longer than a link holds.
    pub fn has_long_text(&self) -> bool {
        self.sides.iter().any(|side| has_long_text(&side.setup))
    }

    /// Whether the page is the presenter, in front of a class.
    pub fn is_presented(&self) -> bool {
        self.ui.lecture.present == Present::On
    }

    /// The density of what is shown: the presenter has projector size.
    pub fn density(&self) -> Density {
        if self.is_presented() {
            Density::Projector
        } else {
            self.ui.density
        }
    }

    /// CSS pixels per pixel of a picture or of the strip. In the presenter, the smallest text has 14 px.
    pub fn enlargement(&self) -> f32 {
        match self.ui.density {
            _ if self.is_presented() => 1.4,
            Density::Normal => 1.0,
            Density::Projector => 1.3,
        }
    }

    /// The link of what is on screen, without a dialog and without the presenter: for handouts and QR codes.
    pub fn lecture_link(&self) -> String {
        let mut scenario: Scenario = self.link();
        scenario.layout.panel = None;
        scenario.lecture.present = Present::Off;
        scenario.lecture.qr = QrPlace::Off;
        encode(&scenario)
    }

    /// The link with the parts that the dialog includes.
    pub fn shared_link(&self) -> String {
        let whole = self.whole_link();
        let version = whole.split(';').next().unwrap_or_default().to_owned();
        parts(&whole)
            .filter(|(part, _)| !self.ui.sharing.left_out.contains(part))
            .fold(version, |link, (_, pair)| link + ";" + pair)
    }

    /// The rows of the dialog: the parts that the link has or could have.
    pub fn link_parts(&self) -> Vec<PartRow> {
        let whole = self.whole_link();
        let row = |part: LinkPart| {
            let pairs: Vec<&str> = parts(&whole)
                .filter(|(other, _)| *other == part)
                .map(|(_, pair)| pair)
                .collect();
            let chars = pairs.iter().map(|pair| pair.chars().count() + 1).sum();
            let included = !self.ui.sharing.left_out.contains(&part);
            let text = self.part_text(part, &pairs, included);
            PartRow {
                part,
                text,
                chars,
                included,
            }
        };
        let stays = |row: &PartRow| {
            row.chars > 0 || matches!(row.part, LinkPart::Scenario | LinkPart::View | LinkPart::Settings)
        };
        LinkPart::ALL.into_iter().map(row).filter(stays).collect()
    }

    fn part_text(&self, part: LinkPart, pairs: &[&str], included: bool) -> String {
        let listed = || {
            let words: Vec<String> = pairs.iter().map(|pair| pair.replacen('=', " ", 1)).collect();
            words.join(", ")
        };
        match part {
            LinkPart::Scenario => format!("{}, {}", self.name(), self.launch_line()),
            LinkPart::Code => {
                let lines = self.sides.iter().filter_map(|side| side.setup.source.as_ref());
                let lines: usize = lines.map(|source| source.lines().count()).sum();
                format!("{} of CUDA C++", counted(lines as u64, "line"))
            }
            LinkPart::View => {
                let settings = pairs.iter().filter(|pair| !pair.starts_with("view=")).count();
                match settings {
                    0 => self.ui.view.name().to_owned(),
                    num => format!("{}, {}", self.ui.view.name(), counted(num as u64, "setting")),
                }
            }
            LinkPart::Cycle => format!("cycle {}", thousands(self.clock())),
            LinkPart::Settings if !included || pairs.is_empty() => {
                "theme, text size, and speed stay with the reader".to_owned()
            }
            LinkPart::Lecture => {
                let lecture = self.link().lecture;
                let chapters = lecture.chapters.len() as u64;
                lecture.published.unwrap_or_else(|| counted(chapters, "chapter"))
            }
            LinkPart::Notes => counted(self.link().notes.len() as u64, "note"),
            LinkPart::Lesson | LinkPart::Selection | LinkPart::Layout | LinkPart::Settings => listed(),
        }
    }

    /// The element `iframe` that shows the link in another page. `page`: the page's address without its link; the page for
    /// frames, `embed.html`, stands beside it.
    pub fn frame_text(&self, page: &str) -> String {
        let folder = page.rfind('/').map_or("", |end| &page[..=end]);
        let Sharing {
            frame_size,
            frame_theme,
            ..
        } = &self.ui.sharing;
        let link = self.shared_link();
        let pairs = link.split(';').filter(|pair| !pair.starts_with("theme="));
        let mut link = pairs.collect::<Vec<_>>().join(";");
        if let Some(id) = frame_theme.id() {
            link += &format!(";theme={id}");
        }
        format!(
            "<iframe src=\"{}\" {} loading=\"lazy\" title=\"{}\"></iframe>",
            attribute(&format!("{folder}embed.html{link}")),
            frame_size.attributes(),
            attribute(&self.scene_name())
        )
    }

    /// The name of the QR code's file.
    pub fn code_name(&self) -> String {
        let setup = self.setup();
        format!("warpscope-{}-{}-qr.svg", setup.kernel, setup.arch.text())
    }

    /// The scenario and the cycle, in words.
    fn scene_name(&self) -> String {
        let (name, arch) = (self.name(), self.arch().name);
        if self.ui.sharing.left_out.contains(&LinkPart::Cycle) {
            return format!("{name} on {arch}");
        }
        format!("{name} on {arch}, cycle {}", thousands(self.cycle()))
    }

    /// A Markdown link to an address, with the scenario's name and the cycle as its text.
    pub fn markdown_of(&self, address: &str) -> String {
        let text: String = (self.scene_name().chars())
            .map(|c| if matches!(c, '[' | ']' | '\\') { ' ' } else { c })
            .collect();
        // Parentheses would end the address.
        let address = address.replace('(', "%28").replace(')', "%29");
        format!("[{text}]({address})")
    }
}

/// Text as the value of an attribute in double quotes.
fn attribute(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('"', "&quot;")
        .replace('<', "&lt;")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::{Event, Panel, update};
    use crate::share::decode;

    fn opened(link: &str) -> Session {
        let mut session = crate::app::golden::opened(link);
        update(&mut session, Event::Panel(Panel::Share));
        session
    }

    fn toggle(session: &mut Session, part: LinkPart) {
        update(session, Event::Sharing(ShareEdit::Part(part)));
    }

    const LINK: &str = "#v1;kernel=saxpy;view=banks;split=timeline;cycle=3;warp=2;lane=5;left=closed;density=projector;name=a%20%5Bb%5D%20(c)";

    #[test]
    fn every_run_option_is_part_of_the_scenario() {
        for option in &crate::run_option::RUN_OPTIONS {
            assert_eq!(
                LinkPart::of(option.key, false),
                LinkPart::Scenario,
                "{}",
                option.key
            );
        }
    }

    #[test]
    fn the_parts_add_up_to_the_link_and_settings_stay_with_the_reader() {
        let session = opened(LINK);
        let rows = session.link_parts();
        let named: Vec<(&str, bool)> = rows.iter().map(|row| (row.part.id(), row.included)).collect();
        assert_eq!(
            named,
            [
                ("scenario", true),
                ("view", true),
                ("cycle", true),
                ("selection", true),
                ("layout", true),
                ("settings", false)
            ]
        );
        let included = rows.iter().filter(|row| row.included);
        let chars: usize = included.map(|row| row.chars).sum();
        assert_eq!(session.shared_link().chars().count(), "#v1".len() + chars);
        assert_eq!(rows[3].text, "warp 2, lane 5");
        assert!(!session.shared_link().contains("density"));
    }

    #[test]
    fn a_part_that_is_left_out_changes_nothing_else() {
        let mut session = opened(LINK);
        toggle(&mut session, LinkPart::Settings);
        let whole = decode(&session.shared_link()).scenario;
        assert_eq!(whole, decode(LINK).scenario);
        toggle(&mut session, LinkPart::Cycle);
        toggle(&mut session, LinkPart::Layout);
        let part = decode(&session.shared_link());
        assert_eq!(part.warnings, []);
        assert_eq!((part.scenario.cycle, part.scenario.split), (0, None));
        assert_eq!(
            (part.scenario.view, part.scenario.warp, &part.scenario.kernel),
            (whole.view, whole.warp, &whole.kernel)
        );
        toggle(&mut session, LinkPart::Scenario);
        assert!(
            session.shared_link().contains("kernel=saxpy"),
            "the scenario stays"
        );
        toggle(&mut session, LinkPart::Cycle);
        assert!(session.shared_link().contains(";cycle=3;"));
    }

    #[test]
    fn own_code_leaves_with_its_arguments() {
        let mut session = opened("v1;kernel=saxpy");
        let own = "__global__ void k(float *out) { out[threadIdx.x] = 1.0f; }\n";
        update(&mut session, Event::Edit(own.to_owned()));
        update(&mut session, Event::Tick(1_000.0));
        let code = session
            .link_parts()
            .into_iter()
            .find(|row| row.part == LinkPart::Code);
        assert_eq!(code.unwrap().text, "1 line of CUDA C++");
        toggle(&mut session, LinkPart::Code);
        let decoded = decode(&session.shared_link()).scenario;
        assert_eq!((decoded.source, decoded.entry, decoded.args), (None, None, None));
        assert_eq!(decoded.kernel, "saxpy");
    }

    #[test]
    fn the_frame_and_markdown_name_the_scene() {
        let mut session = opened(LINK);
        update(&mut session, Event::Sharing(ShareEdit::FrameTheme(Theme::Dark)));
        assert_eq!(
            session.frame_text("https://a.org/"),
            "<iframe src=\"https://a.org/embed.html#v1;kernel=saxpy;view=banks;split=timeline;cycle=3;warp=2;lane=5;left=closed;\
             name=a%20%5Bb%5D%20(c);theme=dark\" width=\"640\" height=\"360\" loading=\"lazy\" \
             title=\"a [b] (c) on Turing TU102, cycle 3\"></iframe>"
        );
        update(
            &mut session,
            Event::Sharing(ShareEdit::FrameSize(FrameSize::Fluid)),
        );
        assert!(session.frame_text("").contains("aspect-ratio: 16 / 9"));
        assert_eq!(
            session.markdown_of("https://a.org/#v1;name=(c)"),
            "[a  b  (c) on Turing TU102, cycle 3](https://a.org/#v1;name=%28c%29)"
        );
        assert_eq!(attribute("a & \"b\" <c"), "a &amp; &quot;b&quot; &lt;c");
    }
}
