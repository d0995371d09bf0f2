//! The page as a frame in another page: a read-only player of one picture.

use super::keys::Key;
use super::{Direction, Event, Gesture, Session, run, update};
use crate::share::{Layout, Lecture, Scenario, View, encode};

/// An embedded player: what its link opened.
#[derive(Debug)]
pub struct Embed {
    opened: Scenario,
    /// Whether the run plays as soon as it has a further cycle.
    is_awaited: bool,
}

impl Embed {
    /// Opens the one picture of a link: its view without a second one, without panels, and without
    /// its lesson, lecture, or tour.
    /// `plays`: as soon as there is a run.
    pub fn open(session: &mut Session, link: &str, plays: bool) -> Self {
        let (opened, warnings) = run::read_link(link);
        let picture = Scenario {
            // One picture shows all sides of a comparison.
            view: match &opened.compare {
                Some(_) => View::Compare,
                None => opened.view,
            },
            split: None,
            lesson: None,
            lecture: Lecture::default(),
            tour: None,
            layout: Layout {
                density: opened.layout.density,
                theme: opened.layout.theme,
                speed: opened.layout.speed,
                ..Layout::default()
            },
            ..opened.clone()
        };
        // The effects belong to the page around the workbench.
        let _ = update(session, Event::Open(encode(&picture)));
        session.ui.warnings = warnings;
        session.ui.welcome = None;
        session.keep_ms = None;
        Self {
            opened,
            is_awaited: plays,
        }
    }

    /// The link that opens the workbench as this player's link does, at the present cycle and selection.
    pub fn link(&self, session: &Session) -> String {
        let now = session.link();
        encode(&Scenario {
            cycle: now.cycle,
            warp: now.warp,
            look: now.look,
            ..self.opened.clone()
        })
    }

    /// The event that begins to play, once, when there is a cycle to play to.
    pub fn start(&mut self, session: &Session) -> Option<Event> {
        let is_ready = session.derived().trace().is_some() && session.cycle() < session.last_cycle()
            || !session.derived().is_running() && session.last_cycle() > 0;
        (is_ready && std::mem::take(&mut self.is_awaited)).then_some(Event::Play(Direction::Forward))
    }
}

/// Whether a player accepts an event: what changes the run, the view, or what the browser stores belongs to the
/// workbench.
pub const fn accepts(event: &Event) -> bool {
    if event.is_playback() {
        return true;
    }
    matches!(
        event,
        Event::Responded(..)
            | Event::Tick(_)
            | Event::NextOfWarp
            | Event::Select(_)
            | Event::SelectBeside(_)
            | Event::Point(_)
            | Event::Scroll(..)
            | Event::Zoom { .. }
            | Event::Drag(_)
            | Event::Gesture(
                Gesture::Zoom { .. }
                    | Gesture::Pan(_)
                    | Gesture::Whole
                    | Gesture::Time(_)
                    | Gesture::Window { .. }
                    | Gesture::Axis(_)
                    | Gesture::Probe(_)
            )
            | Event::Dismiss
            | Event::Say(_)
    )
}

/// The event of a key in a player that was clicked: those keys of the workbench that a player accepts.
pub fn key(key: Key<'_>) -> Option<Event> {
    super::keys::event(key).filter(accepts)
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINK: &str = "#v1;view=banks;split=timeline;cycle=812;warp=3;left=closed;theme=dark;panel=help";

    fn player(link: &str, plays: bool) -> (Session, Embed) {
        let mut session = Session::new();
        let embed = Embed::open(&mut session, link, plays);
        while session.work(10_000) {}
        (session, embed)
    }

    #[test]
    fn a_player_shows_one_picture_and_opens_the_workbench_with_the_whole_link() {
        let (mut session, embed) = player(LINK, false);
        assert_eq!((session.ui.view, session.ui.split), (View::Banks, None));
        assert_eq!((session.ui.panel, session.cycle()), (None, 812));
        assert_eq!(embed.link(&session), LINK);
        update(&mut session, Event::Step(1));
        assert_eq!(embed.link(&session), LINK.replace("cycle=812", "cycle=813"));
    }

    #[test]
    fn a_bad_link_warns_and_a_comparison_is_one_picture() {
        let (session, _) = player("v1;kernel=none;compare=g80", false);
        assert_eq!(session.ui.warnings.len(), 1, "{:?}", session.ui.warnings);
        assert_eq!(session.ui.view, View::Compare);
        assert!(!session.is_side_by_side());
    }

    #[test]
    fn a_player_accepts_no_edit_and_stores_nothing() {
        for name in ["a", "c", "d", "r", "f", "t", "p", "4", "\\", "?", "["] {
            let press = |name| Key {
                name,
                shift: false,
                control: false,
            };
            assert!(super::super::keys::event(press(name)).is_some(), "{name}");
            assert_eq!(key(press(name)), None, "{name}");
        }
        let space = Key {
            name: " ",
            shift: false,
            control: false,
        };
        assert_eq!(key(space), Some(Event::PlayPause));
        assert!(!accepts(&Event::Edit(String::new())) && !accepts(&Event::Keep(0.0)));
    }

    #[test]
    fn a_player_plays_once_when_its_run_has_arrived() {
        let mut session = Session::new();
        let mut embed = Embed::open(&mut session, LINK, true);
        assert_eq!(embed.start(&session), None, "nothing is simulated");
        while session.work(10_000) {}
        assert_eq!(embed.start(&session), Some(Event::Play(Direction::Forward)));
        assert_eq!(embed.start(&session), None, "once");
    }
}
