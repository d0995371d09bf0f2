//! The tour of the page: a few stops, each with a link, one or two sentences, and rings around what they name.

use serde::Deserialize;

use super::welcome::Welcome;
use super::{Effect, Session};
use crate::scene::{Scene, Target, ring_places};
use crate::share::{Scenario, Side, decode};

/// The stops, as a text for authors.
const TEXT: &str = include_str!("../../../www/tour.toml");

/// An event of the tour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TourEdit {
    /// Starts the tour at its first stop.
    Start,
    /// Goes to the next stop, or ends the tour after the last one.
    Next,
    /// Goes to the previous stop.
    Back,
    /// Ends the tour and restores the reader's scenario.
    Leave,
}

/// A stop of the tour.
#[derive(Clone, Debug, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct Stop {
    /// The heading.
    pub title: String,
    /// One or two sentences.
    pub text: String,
    /// The link that the page shows: the part of the address after `#`.
    pub link: String,
    /// The names of what is ringed: see [`Ring`].
    pub ring: Vec<String>,
}

/// What a stop rings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ring {
    /// An item of the picture.
    Picture(Target),
    /// A part of the page beside the picture: `strip`, `inspector`, or `share`.
    Page(&'static str),
}

/// The parts of the page that a stop can ring.
const PARTS: [&str; 3] = ["strip", "inspector", "share"];

impl Ring {
    /// What a name stands for; `None` if it names nothing.
    fn of(name: &str) -> Option<Self> {
        if let Some(part) = PARTS.into_iter().find(|part| *part == name) {
            return Some(Self::Page(part));
        }
        if name == "shared" {
            return Some(Self::Picture(Target::SharedBlock(u32::MAX)));
        }
        let (kind, number) = name.split_once(' ')?;
        let number: u8 = number.parse().ok()?;
        Some(Self::Picture(match kind {
            "scheduler" => Target::Scheduler(number),
            "warp" => Target::Warp { slot: number.into() },
            "queue" => Target::Queue { scheduler: number },
            "lane" => Target::Lane(number),
            "line" => Target::CodeLine(number.into()),
            _ => return None,
        }))
    }
}

impl Stop {
    /// What the stop rings.
    fn rings(&self) -> impl Iterator<Item = Ring> {
        self.ring.iter().filter_map(|name| Ring::of(name))
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Stops {
    stop: Vec<Stop>,
}

/// The stops of the tour. Tests read the file, so that it has no mistakes here.
fn stops() -> Vec<Stop> {
    basic_toml::from_str(TEXT).map_or_else(|_| Vec::new(), |stops: Stops| stops.stop)
}

/// The open tour.
#[derive(Clone, Debug, PartialEq)]
pub struct Tour {
    /// The stops.
    pub stops: Vec<Stop>,
    /// The shown stop, from 0.
    pub step: usize,
    /// The reader's scenario before the tour.
    kept: Box<Scenario>,
    /// The welcome that the reader saw.
    kept_welcome: Option<Welcome>,
}

impl Tour {
    /// The shown stop.
    pub fn shown(&self) -> &Stop {
        &self.stops[self.step]
    }

    /// Whether this is the last stop.
    pub fn is_last(&self) -> bool {
        self.step + 1 == self.stops.len()
    }
}

/// Handles an event of the tour.
pub(super) fn edit(session: &mut Session, edit: TourEdit) -> Vec<Effect> {
    match (edit, &session.ui.tour) {
        (TourEdit::Start, _) => {
            open(session, 0);
        }
        (_, None) => return Vec::new(),
        (TourEdit::Next, Some(tour)) if !tour.is_last() => {
            let step = tour.step + 1;
            show(session, step);
        }
        (TourEdit::Back, Some(tour)) => {
            let step = tour.step.saturating_sub(1);
            show(session, step);
        }
        (TourEdit::Next | TourEdit::Leave, Some(_)) => {
            leave(session);
            return vec![
                Effect::PushLink,
                Effect::Announce("The tour is over. The page shows what it showed before.".to_owned()),
            ];
        }
    }
    let mut effects = vec![Effect::PushLink];
    effects.extend(session.ui.tour.as_ref().map(|tour| {
        let (stop, step, num) = (tour.shown(), tour.step + 1, tour.stops.len());
        Effect::Announce(format!("Stop {step} of {num}. {}. {}", stop.title, stop.text))
    }));
    effects
}

/// Opens the tour at the stop of a link, or closes the tour.
pub(super) fn follow_link(session: &mut Session, step: Option<usize>) {
    match step {
        Some(step) => open(session, step),
        None => session.ui.tour = None,
    }
}

/// Opens the tour at a stop. An open tour keeps the scenario from before it began.
fn open(session: &mut Session, step: usize) {
    let stops = stops();
    if stops.is_empty() {
        return;
    }
    let (kept, kept_welcome) = if let Some(tour) = session.ui.tour.take() {
        (tour.kept, tour.kept_welcome)
    } else {
        // The panel from which the tour was started does not open again.
        session.ui.panel = None;
        (Box::new(session.link()), session.ui.welcome.take())
    };
    let step = step.min(stops.len() - 1);
    session.ui.tour = Some(Box::new(Tour {
        stops,
        step,
        kept,
        kept_welcome,
    }));
    show(session, step);
}

/// Shows a stop beside the reader's layout.
fn show(session: &mut Session, step: usize) {
    let Some(tour) = &mut session.ui.tour else {
        return;
    };
    tour.step = step;
    let scenario = decode(&tour.shown().link).scenario;
    let mut layout = session.link().layout;
    layout.tables = scenario.layout.tables;
    layout.active = scenario.layout.active;
    layout.panel = None;
    layout.right = match layout.right {
        Side::Closed => Side::Default,
        right => right,
    };
    session.load(Scenario { layout, ..scenario });
    session.show_ringed_line(&session.ringed(0));
}

/// Ends the tour, if it is open, and restores the reader's scenario.
pub(super) fn leave(session: &mut Session) {
    if let Some(tour) = session.ui.tour.take() {
        session.load(*tour.kept);
        session.ui.welcome = tour.kept_welcome;
    }
}

impl Session {
    /// The items that the open lesson or the tour rings in the picture of a side. The tour rings the first one.
    pub(super) fn ringed(&self, side: usize) -> Vec<Target> {
        match &self.ui.tour {
            Some(_) if side > 0 => Vec::new(),
            Some(tour) => tour
                .shown()
                .rings()
                .filter_map(|ring| match ring {
                    Ring::Picture(target) => Some(target),
                    Ring::Page(_) => None,
                })
                .collect(),
            None => self.lesson_marks_on(side),
        }
    }

    /// Where the picture of a side has rings: left, top, width, and height of each, in its own pixels.
    pub fn ring_places(&self, side: usize, scene: &Scene) -> Vec<(f32, f32, f32, f32)> {
        ring_places(scene, &self.ringed(side))
    }

    /// What determines [`Session::ringed`]: the steps of the lesson and of the tour.
    pub(super) fn ringed_key(&self) -> (Option<usize>, Option<usize>) {
        let lesson = self.ui.lessons.open.as_ref().map(|open| open.step);
        (lesson, self.ui.tour.as_ref().map(|tour| tour.step))
    }

    /// The parts of the page that the tour rings, divided by spaces.
    pub fn ringed_parts(&self) -> Option<String> {
        let parts: Vec<&str> = (self.ui.tour.as_ref()?.shown().rings())
            .filter_map(|ring| match ring {
                Ring::Page(part) => Some(part),
                Ring::Picture(_) => None,
            })
            .collect();
        (!parts.is_empty()).then(|| parts.join(" "))
    }
}

#[cfg(test)]
mod tests;
