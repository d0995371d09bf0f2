//! The first visit: what the page is, and three doors into it.

use super::{Effect, Event, LessonEdit, Session, update};
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
    /// The event.
    pub event: Event,
}

/// What the page is, in one sentence.
pub const SENTENCE: &str = "This is how an NVIDIA GPU runs a CUDA kernel, cycle by cycle. Press play.";

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
  float *in, *out;
  cudaMalloc(&in, n * sizeof(float));
  cudaMalloc(&out, n * sizeof(float));
  kernel<<<n / 256, 256>>>(out, in, n);
}
";

/// The three doors.
pub fn doors() -> [Door; 3] {
    [
        Door {
            id: "door-lesson",
            title: "Why is a column read slow?",
            promise: "A lesson of five minutes about the banks of shared memory.",
            event: Event::Lesson(LessonEdit::Open("memory/column-read".to_owned(), 0)),
        },
        Door {
            id: "door-compare",
            title: "Fermi beside Volta",
            promise: "One kernel on two chips, in step, with the differences marked.",
            event: Event::Visit("#v1;arch=gf100;view=timeline;compare=gv100".to_owned()),
        },
        Door {
            id: "door-own",
            title: "Your own kernel",
            promise: "Paste CUDA C++, and see it run a moment later.",
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

/// Whether an event ends the first visit's welcome: a selection, another scenario, or another view.
pub(super) fn ends_with(event: &Event) -> bool {
    !matches!(
        event,
        Event::Tick(_)
            | Event::Responded(..)
            | Event::PlayPause
            | Event::Play(_)
            | Event::Step(_)
            | Event::Seek(_)
            | Event::SeekEnd
            | Event::NextIssue
            | Event::NextStall
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
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::Target;
    use crate::share::View;

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
        let id = "memory/column-read".to_owned();
        let wanted = vec![Effect::ReadLesson { id, step: 0 }];
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
        // The text, and the launch that was read from it.
        update(&mut session, Event::Undo);
        update(&mut session, Event::Undo);
        assert_eq!(session.setup().source, None);
    }
}
