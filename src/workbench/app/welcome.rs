//! The first visit: what the page is, and three doors into it.

use super::{Direction, Effect, Event, LessonEdit, Session, Speed, update};
use crate::share::{Panel, SetUpPart};

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
pub const PICTURE: &str = "The picture: a matrix transpose on one multiprocessor of a Turing GPU. Select a warp to see why it stalls.";

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

/// Opens the editor with a kernel to replace.
pub(super) fn own_kernel(session: &mut Session) -> Vec<Effect> {
    let mut effects = update(session, Event::Edit(OWN_KERNEL.to_owned()));
    // Narrow pages show the editor in a panel.
    session.ui.panel = Some(Panel::SetUp(SetUpPart::Kernel));
    effects.push(Effect::FocusLine(1));
    effects
}

/// Plays the run by itself, at the speed at which single cycles are visible.
pub(super) fn play(session: &mut Session) -> Vec<Effect> {
    session.ui.plays_by_itself = true;
    session.playback.speed = Speed::Eight;
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
    if session.ui.plays_by_itself && (is_own || session.playback.playing.is_none()) {
        session.ui.plays_by_itself = false;
        session.playback.speed = Speed::default();
    }
}

/// Whether an event ends the first visit's welcome: a selection, another scenario, or another view.
pub(super) fn ends_with(event: &Event) -> bool {
    !event.is_playback()
        && !matches!(
            event,
            Event::Tick(_)
                | Event::Responded(..)
                | Event::Speed(_)
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
                | Event::Find(_)
                | Event::FindBeside(_)
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

    fn first_visit() -> Session {
        let mut session = Session::new();
        update(&mut session, Event::Open(String::new()));
        while session.work(10_000) {}
        session
    }

    #[test]
    fn the_welcome_stays_while_the_run_plays_and_ends_with_a_selection() {
        let mut session = first_visit();
        assert!(session.ui.welcome);
        for event in [
            Event::PlayPause,
            Event::Tick(500.0),
            Event::PlayPause,
            Event::Theme,
        ] {
            update(&mut session, event);
        }
        assert!(session.ui.welcome && session.cycle() > 0);
        update(&mut session, Event::Select(Target::Warp { slot: 3 }));
        assert!(!session.ui.welcome);
        // A link has its own beginning.
        let mut session = Session::new();
        update(&mut session, Event::Open("v1;view=banks".to_owned()));
        assert!(!session.ui.welcome);
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
