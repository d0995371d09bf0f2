//! The start of the page: what the page is, a run at its first bank conflict, and three doors. It stays in the inspector
//! as long as the page shows this run.

use super::{Direction, Effect, Event, LessonEdit, Session, Side, Speed, update};
use crate::share::{Panel, SetUpPart, Setup};

/// The welcome in the inspector.
#[derive(Clone, Debug, PartialEq)]
pub struct Welcome {
    /// Whether it is folded below what the reader selected.
    pub is_folded: bool,
    /// The setup of the start.
    setup: Box<Setup>,
}

impl Welcome {
    /// The welcome of a session that has opened the start.
    pub(super) fn of(session: &Session) -> Self {
        Self {
            is_folded: false,
            setup: Box::new(session.setup().clone()),
        }
    }
}

/// The cycle that the start shows: that of the first bank conflict of its run.
pub(super) const START_CYCLE: u64 = 1_250;

/// Cycles between the place where a first visit plays from, and the conflict. Assumption: three seconds at the pace of a
/// class, in which a reader finds the picture.
const LEAD: u64 = 6;

/// Width of the setup panel for the editor of an own kernel, in pixels: 60 columns of its text, line numbers, and marks.
const EDITOR_PX: u16 = 592;

/// A door: a heading, what is behind it, and the event that opens it.
#[derive(Clone, Debug, PartialEq)]
pub struct Door {
    /// The name for tests.
    pub id: &'static str,
    /// The heading.
    pub title: &'static str,
    /// What is behind it.
    pub promise: &'static str,
    /// Its kind, and the time that it takes.
    pub length: &'static str,
    /// The event.
    pub event: Event,
}

/// What the page is, in one sentence.
pub const SENTENCE: &str = "Warpscope runs CUDA kernels cycle by cycle on models of 14 NVIDIA GPUs.";
/// What the picture shows, and what to do.
pub const PICTURE: &str = "The picture: a matrix transpose on one multiprocessor of a Turing GPU, at its first bank conflict. Select a warp to see why it stalls.";

/// What opens the doors where they have no room beside the picture.
pub const INVITATION: &str = "A lesson, a comparison, a tour";

/// A kernel to start from, with its launch.
pub const OWN_KERNEL: &str = "\
// Paste your kernel here. The launch is read from main().
__global__ void kernel(float *out, const float *in, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = 2.0f * in[i];
}

int main()
{
  int n = 1024;
  float host[1024], *in, *out;
  for (int i = 0; i < n; i++)
    host[i] = i;
  cudaMalloc(&in, n * sizeof(float));
  cudaMalloc(&out, n * sizeof(float));
  cudaMemcpy(in, host, n * sizeof(float), cudaMemcpyHostToDevice);
  kernel<<<n / 256, 256>>>(out, in, n);
}
";

/// The three doors.
pub fn doors() -> [Door; 3] {
    [
        Door {
            id: "door-lesson",
            title: "Why is a column read slow?",
            promise: "Predict the cost of a bank conflict, then remove it.",
            length: "Lesson · 4 steps, 5 minutes",
            event: Event::Lesson(LessonEdit::Open("memory/column-read".to_owned(), 0)),
        },
        Door {
            id: "door-compare",
            title: "Fermi beside Volta",
            promise: "One kernel on two GPUs, in step, with the differences marked.",
            length: "Comparison · 3 minutes",
            event: Event::Visit("#v1;arch=gf100;view=timeline;compare=gv100".to_owned()),
        },
        Door {
            id: "door-own",
            title: "Your own kernel",
            promise: "Paste CUDA C++. The page compiles it, and it stays on your computer.",
            length: "Editor · or drop a .cu file",
            event: Event::OwnKernel,
        },
    ]
}

/// Opens the editor with a kernel to replace, and with space for its lines.
pub(super) fn own_kernel(session: &mut Session) -> Vec<Effect> {
    let mut effects = update(session, Event::Edit(OWN_KERNEL.to_owned()));
    if session.ui.left == Side::Default {
        session.ui.left = Side::Wide(EDITOR_PX);
    }
    // Narrow pages show the editor in a panel.
    session.ui.panel = Some(Panel::SetUp(SetUpPart::Kernel));
    effects.push(Effect::FocusLine(1));
    effects
}

/// A first visit: the run plays by itself to its first bank conflict and on, at a pace at which a reader can follow each
/// cycle.
pub(super) fn play(session: &mut Session) -> Vec<Effect> {
    session.seek(START_CYCLE - LEAD);
    session.ui.plays_by_itself = true;
    session.playback.speed = Speed::CLASS;
    session.on_clock(|playback, last, complete| playback.play(Direction::Forward, last, complete));
    Vec::new()
}

/// Stops a run that plays by itself when the reader acts: a moving picture must not disturb what the reader looks at.
/// A chosen speed, the theme, and the size of the page leave it playing.
pub(super) fn stop_playing(session: &mut Session, event: &Event) {
    let goes_on = matches!(
        event,
        Event::Tick(_)
            | Event::Responded(..)
            | Event::FirstVisit
            | Event::Speed(_)
            | Event::SpeedBy(_)
            | Event::PlayPause
            | Event::Theme
            | Event::Density
            | Event::Left
            | Event::Right
            | Event::LeftSide(_)
            | Event::RightSide(_)
            | Event::Recent(_)
            | Event::Notice(_)
            | Event::Keep(_)
            | Event::Lesson(LessonEdit::Progress(_) | LessonEdit::Listed(_))
            | Event::Glossary(_)
    );
    if session.ui.plays_by_itself && !goes_on {
        session.playback.pause();
    }
    // The reader's own playback has the default speed.
    let is_own = matches!(event, Event::PlayPause | Event::Speed(_));
    if session.ui.plays_by_itself && matches!(event, Event::SpeedBy(_)) {
        // From the speed that the reader sees.
        session.ui.plays_by_itself = false;
    }
    if session.ui.plays_by_itself && (is_own || session.playback.playing.is_none()) {
        session.ui.plays_by_itself = false;
        session.playback.speed = Speed::default();
    }
}

/// Folds the welcome below what an event selects or shows.
pub(super) fn fold(session: &mut Session, event: &Event) {
    if let Some(welcome) = &mut session.ui.welcome {
        welcome.is_folded |= !event.is_playback() && !keeps_welcome(event);
    }
}

/// Ends the welcome when the page shows another run than the start's. A lesson comes back to the start.
pub(super) fn end_elsewhere(session: &mut Session) {
    if session.ui.lessons.open.is_some() {
        return;
    }
    if let Some(welcome) = session.ui.welcome.take() {
        let is_start = *session.setup() == *welcome.setup && !session.is_comparing() && !session.is_edited();
        session.ui.welcome = is_start.then_some(welcome);
    }
}

/// Whether an event leaves the welcome as it is: the layout of the page, what the page reports, and panels.
fn keeps_welcome(event: &Event) -> bool {
    matches!(
        event,
        Event::Tick(_)
            | Event::Responded(..)
            | Event::Speed(_)
            | Event::SpeedBy(_)
            | Event::Point(_)
            | Event::Panel(_)
            | Event::Close
            | Event::Left
            | Event::Right
            | Event::LeftSide(_)
            | Event::RightSide(_)
            | Event::Density
            | Event::Theme
            | Event::Recent(_)
            | Event::Notice(_)
            | Event::Keep(_)
            | Event::PaletteText(_)
            | Event::PaletteBeside(_)
            | Event::FullScreen
            | Event::CopyLink
            | Event::Copy(..)
            | Event::Copied(_)
            | Event::Say(_)
            | Event::Dismiss
            | Event::Lesson(LessonEdit::Progress(_) | LessonEdit::Listed(_))
            | Event::Glossary(_)
            | Event::FirstVisit
            | Event::Tour(_)
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::Target;
    use crate::share::{LessonAddress, View};
    use engine::arch::ArchId;
    use engine::trace::AccessFamily;

    fn first_visit() -> Session {
        let mut session = Session::new();
        update(&mut session, Event::Open(String::new()));
        while session.work(10_000) {}
        session
    }

    fn is_folded(session: &Session) -> Option<bool> {
        session.ui.welcome.as_ref().map(|welcome| welcome.is_folded)
    }

    #[test]
    fn the_start_shows_the_first_bank_conflict() {
        let mut session = first_visit();
        while session.seeks_moments() {
            session.look_on();
        }
        let conflict = session.first_conflict().unwrap();
        assert_eq!((session.cycle(), conflict.cycle.0), (START_CYCLE, START_CYCLE));
        // The first access with more wavefronts than without conflicts has its wavefronts there.
        let trace = session.derived().trace().unwrap().clone();
        let accesses = trace.accesses_of(AccessFamily::Shared).iter();
        let mut conflicts = accesses
            .filter_map(|idx| trace.access(*idx))
            .filter(|access| access.wavefronts > access.ideal_wavefronts);
        let first = conflicts.next().unwrap();
        assert!(
            (first.issued.0..=first.done.0).contains(&START_CYCLE),
            "{first:?}"
        );
        assert!(session.playback.playing.is_none());

        // A first visit plays to it.
        let mut session = first_visit();
        update(&mut session, Event::FirstVisit);
        assert_eq!(session.cycle(), START_CYCLE - LEAD);
        assert!(session.playback.playing.is_some());
        for _ in 0..60 {
            update(&mut session, Event::Tick(100.0));
        }
        assert!(session.cycle() >= START_CYCLE, "{}", session.cycle());
    }

    #[test]
    fn what_the_reader_selects_keeps_the_doors() {
        let mut session = first_visit();
        assert_eq!(is_folded(&session), Some(false));
        for event in [
            Event::PlayPause,
            Event::Tick(500.0),
            Event::PlayPause,
            Event::Theme,
        ] {
            update(&mut session, event);
        }
        assert_eq!(is_folded(&session), Some(false));
        assert!(session.cycle() > 0);
        for event in [Event::Select(Target::Warp { slot: 3 }), Event::View(View::Banks)] {
            update(&mut session, event);
            assert_eq!(is_folded(&session), Some(true));
            update(&mut session, Event::Close);
            assert_eq!(is_folded(&session), Some(false));
        }
        // Another run has no start.
        update(&mut session, Event::Arch(ArchId::Gv100));
        assert_eq!(is_folded(&session), None);
        // The start comes back, and the other run with Redo: the start was its past.
        let effects = update(&mut session, Event::Start);
        assert!(effects.contains(&Effect::StartLink), "{effects:?}");
        while session.work(10_000) {}
        assert_eq!((is_folded(&session), session.ui.view), (Some(false), View::Sm));
        assert_eq!(session.setup().arch, ArchId::Tu102);
        assert_eq!(session.cycle(), START_CYCLE);
        update(&mut session, Event::Redo);
        assert_eq!(session.setup().arch, ArchId::Gv100);
        // A link has its own beginning.
        let mut session = Session::new();
        update(&mut session, Event::Open("v1;view=banks".to_owned()));
        assert_eq!(is_folded(&session), None);
    }

    #[test]
    fn every_door_opens() {
        let [lesson, compare, own] = doors();
        let mut session = first_visit();
        let address = LessonAddress::read("memory/column-read").unwrap();
        let wanted = vec![Effect::ReadLesson { address, step: 0 }];
        assert_eq!(update(&mut session, lesson.event), wanted);

        let mut session = first_visit();
        update(&mut session, compare.event);
        while session.work(10_000) {}
        assert_eq!((session.num_sides(), session.ui.view), (2, View::Timeline));
        assert_eq!(session.ui.warnings, [""; 0]);
        assert!(session.sides.iter().all(|side| side.last_cycle() > 0));

        let mut session = first_visit();
        update(&mut session, own.event);
        update(&mut session, Event::Tick(1_000.0));
        while session.work(10_000) {}
        assert_eq!(session.derived().problems, []);
        assert_eq!(
            (is_folded(&session), session.ui.left),
            (None, Side::Wide(EDITOR_PX))
        );
        assert_eq!(session.setup().launch().grid, [4, 1, 1]);
        assert_eq!(session.setup().launch().block, [256, 1, 1]);
        // The launch is shown as read, and leads to its line.
        let (origin, line) = session.host_origin().unwrap();
        assert_eq!(origin, "grid 4, block 256: from main(), line 18");
        assert!(OWN_KERNEL.lines().nth(line as usize - 1).unwrap().contains("<<<"));
        let effects = update(&mut session, Event::Select(Target::Line(line)));
        assert!(effects.contains(&Effect::FocusLine(line)), "{effects:?}");
        update(
            &mut session,
            Event::Launch(crate::app::LaunchField::Grid, "2".to_owned()),
        );
        assert_eq!(session.host_origin(), None);
        update(&mut session, Event::Undo);
        // The text, and the launch that was read from it.
        update(&mut session, Event::Undo);
        update(&mut session, Event::Undo);
        assert_eq!(session.setup().source, None);
    }
}
