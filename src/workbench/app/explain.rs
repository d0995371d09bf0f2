//! The explanation of the selection: how deep it is, and where its words lead.

use std::rc::Rc;

use super::{Effect, Event, Panel, RunKey, Session, Side, update};
use crate::explain::{Explanation, MAX_LEVELS, Place, Subject, explain};
use crate::scene::{self, MemoryPart, Part, Scene, Target, ViewState};
use crate::share::View;
use engine::ids::{Pc, SlotIdx};
use engine::sim::CacheKind;

/// Pictures narrower than this, in CSS pixels, have the inspector in a sheet.
const NARROW_PX: f32 = 600.0;

/// An event of the explanation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExplainEdit {
    /// Opens the explanation, or adds its next answer.
    Deeper,
    /// Shows this number of answers.
    Depth(u8),
    /// Closes the explanation.
    Close,
    /// Goes to a place that an answer names.
    Go(Place),
}

/// The inputs of an explanation.
type Key = (RunKey, u64, u64, View, ViewState);

/// The last explanation.
#[derive(Debug, Default)]
pub(super) struct Explained(Option<(Key, Rc<Explanation>)>);

impl Session {
    /// The thing that is explained: what the active view has selected, or the selected warp.
    pub fn subject(&self) -> Option<Subject> {
        let state = self.view_state();
        let warp = Subject::Warp(SlotIdx(self.slot()));
        let frame = self.shown().frame()?;
        Some(match self.active_view() {
            View::Timeline => match self.range() {
                Some((from, to)) => Subject::Range(from.0, to.0),
                None => warp,
            },
            View::Banks | View::Coalescing if self.shown_playground().is_some() => return None,
            View::Banks => scene::shown_access(&frame, &state).map_or(warp, Subject::Request),
            View::Coalescing => scene::shown_global_access(&frame, &state).map_or(warp, Subject::Request),
            View::Registers => match state.register {
                Some(reg) => Subject::Register(SlotIdx(self.slot()), reg),
                None => warp,
            },
            View::Source | View::Stalls => match (state.pc, state.line) {
                (Some(pc), _) => Subject::Instruction(Pc(pc)),
                (None, Some(line)) => Subject::Line(line),
                (None, None) => warp,
            },
            View::Caches => {
                let kind = match state.settings.cache {
                    MemoryPart::Constant => CacheKind::Constant,
                    MemoryPart::Texture => CacheKind::Texture,
                    MemoryPart::L1 | MemoryPart::Device => CacheKind::L1,
                };
                match state.settings.cache_line {
                    Some((set, way)) => Subject::CacheLine(kind, set.into(), way.into()),
                    None => warp,
                }
            }
            View::Sm => match state.settings.part {
                Some(part) if scene::has_part(&frame, part) => Subject::Part(part),
                _ => warp,
            },
            _ => warp,
        })
    }

    /// The label of the button that opens the explanation. It names the warp where the inspector is about something else.
    pub fn why_label(&self) -> String {
        let is_about_warp = !matches!(
            self.active_view(),
            View::Occupancy
                | View::Carveout
                | View::Caches
                | View::Plots
                | View::Findings
                | View::Device
                | View::Streams
                | View::Tensor
                | View::Arithmetic
        );
        match (self.subject(), self.shown().frame()) {
            (Some(Subject::Warp(slot)), Some(frame))
                if !is_about_warp && frame.record().tenancy(slot, frame.cycle()).is_some() =>
            {
                format!("Why {}?", frame.warp_name(slot))
            }
            _ => "Why?".to_owned(),
        }
    }

    /// The explanation of the selection, if it is open and the run has its cycle.
    pub fn explanation(&self) -> Option<Rc<Explanation>> {
        let state = self.view_state();
        if state.why == 0 || self.is_hiding() {
            return None;
        }
        let subject = self.subject()?;
        let frame = self.shown().frame()?;
        let key = (
            self.derived().run_key(),
            self.derived().num_cycles(),
            self.cycle(),
            self.active_view(),
            state,
        );
        let mut kept = self.explained.borrow_mut();
        if let Some((of, explanation)) = &kept.0
            && *of == key
        {
            return Some(Rc::clone(explanation));
        }
        let explanation = Rc::new(explain(&frame, subject, state.why));
        kept.0 = Some((key, Rc::clone(&explanation)));
        Some(explanation)
    }

    /// Draws the numbered rings of the answers into a picture of a side.
    pub(super) fn ring_answers(&self, side: usize, scene: &mut Scene) {
        if side != self.active_side() {
            return;
        }
        let Some(explanation) = self.explanation() else {
            return;
        };
        scene::number(scene, &rings_of(&explanation));
    }

    /// Bounds of what the answers ring in the active side's picture: left, top, right, bottom.
    pub fn numbered_areas(&self, scene: &Scene) -> Vec<[f32; 4]> {
        let explanation = self.explanation();
        explanation.map_or_else(Vec::new, |found| scene::numbered(scene, &rings_of(&found)))
    }
}

/// The targets of each answer.
fn rings_of(explanation: &Explanation) -> Vec<&[Target]> {
    let answers = explanation.answers.iter();
    answers.map(|answer| answer.rings.as_slice()).collect()
}

/// Handles an event.
pub(super) fn edit(session: &mut Session, edit: ExplainEdit) -> Vec<Effect> {
    match edit {
        ExplainEdit::Deeper => {
            let open = session.ui.state.why;
            if open > 0 && session.explanation().is_some_and(|found| !found.more) {
                session.say("No further answer is recorded.");
                return Vec::new();
            }
            show(session, open + 1)
        }
        ExplainEdit::Depth(depth) => show(session, depth),
        ExplainEdit::Close => {
            session.ui.state.why = 0;
            vec![Effect::ReplaceLink]
        }
        ExplainEdit::Go(place) => go(session, place),
    }
}

/// Shows a number of answers, and reads the last one to screen readers.
fn show(session: &mut Session, depth: u8) -> Vec<Effect> {
    session.ui.state.why = depth.clamp(1, MAX_LEVELS);
    if session.ui.right == Side::Closed {
        session.ui.right = Side::Default;
    }
    // On a phone, the answers are in a sheet.
    if session.ui.widths[session.active().idx()] < NARROW_PX {
        session.ui.panel = Some(Panel::Explanation);
    }
    let mut effects = vec![Effect::ReplaceLink];
    match session.explanation() {
        Some(found) => {
            if let Some(answer) = found.answers.last() {
                effects.push(Effect::Announce(format!(
                    "{} {}",
                    answer.question,
                    answer.plain()
                )));
            }
            session.ui.state.why = (found.answers.len() as u8).max(1);
        }
        None => session.ui.state.why = 0,
    }
    if session.ui.state.why == 0 {
        session.say("Nothing to explain: the picture shows no cycle of a run.");
    }
    effects
}

/// Goes to a place.
fn go(session: &mut Session, place: Place) -> Vec<Effect> {
    // On a phone, the sheet covers the picture.
    if session.ui.panel == Some(Panel::Explanation) {
        session.ui.panel = None;
    }
    match place {
        Place::Code(pc) if session.shows(View::Source) => {
            session.ui.state.follows_warp = false;
            (session.ui.state.top_line, session.ui.state.top_pc) = (None, None);
            (session.ui.state.line, session.ui.state.pc) = (None, Some(pc));
            vec![Effect::ReplaceLink]
        }
        Place::Code(pc) => update(session, Event::Select(Target::Instruction(pc))),
        Place::Cycle(cycle) => update(session, Event::Select(Target::Cycle(cycle))),
        Place::Warp(slot) => update(session, Event::Select(Target::Warp { slot })),
        Place::WarpAt(slot, cycle) => update(session, Event::Select(Target::WarpAt { slot, cycle })),
        Place::Request(access) => {
            let row = session.derived().trace().and_then(|trace| trace.access(access));
            let Some(row) = row else {
                return Vec::new();
            };
            let view = if row.kind.is_shared() {
                View::Banks
            } else {
                View::Coalescing
            };
            let mut effects = update(session, Event::View(view));
            session.ui.state.slot = Some(row.slot);
            session.ui.state.access = Some(access);
            session.ui.state.wavefront = None;
            effects.push(Effect::ReplaceLink);
            effects
        }
        Place::Unit(target) => {
            let name = session.shown().tooltip(target);
            let mut effects = update(session, Event::View(View::Sm));
            if let Some(part) = Part::of(target) {
                session.ui.state.settings.part = Some(part);
                effects.push(Effect::ReplaceLink);
            }
            if let Some((name, reason)) = name {
                effects.push(Effect::Announce(format!("{name}. {reason}")));
            }
            effects
        }
        Place::Occupancy => update(session, Event::View(View::Occupancy)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::golden::opened;

    fn press(session: &mut Session) -> Vec<Effect> {
        update(session, Event::Explain(ExplainEdit::Deeper))
    }

    #[test]
    fn each_press_adds_the_cause_of_the_answer_before() {
        let mut session = opened("v1;kernel=transpose-tiled;cycle=200;warp=1");
        assert_eq!(session.explanation(), None);
        let effects = press(&mut session);
        let first = session.explanation().unwrap();
        assert_eq!((session.ui.state.why, first.answers.len()), (1, 1));
        assert!(
            effects
                .iter()
                .any(|effect| matches!(effect, Effect::Announce(text) if text.starts_with("Why")))
        );
        press(&mut session);
        let second = session.explanation().unwrap();
        assert_eq!(second.answers.len(), 2);
        assert_eq!(second.answers[0], first.answers[0]);
    }

    #[test]
    fn escape_closes_the_explanation_before_the_range() {
        let mut session = opened("v1;view=timeline;range=100-160;why=1");
        assert!(session.explanation().is_some());
        update(&mut session, Event::Close);
        assert_eq!((session.ui.state.why, session.range().is_some()), (0, true));
        update(&mut session, Event::Close);
        assert_eq!(session.range(), None);
    }

    #[test]
    fn the_words_of_an_answer_lead_to_their_places() {
        let mut session = opened("v1;kernel=transpose-tiled;cycle=200;warp=1;why=3");
        let found = session.explanation().unwrap();
        let places: Vec<Place> = found
            .answers
            .iter()
            .flat_map(|answer| answer.text.iter().filter_map(|piece| piece.place))
            .collect();
        assert!(!places.is_empty());
        for place in places {
            update(&mut session, Event::Explain(ExplainEdit::Go(place)));
            match place {
                Place::Cycle(cycle) | Place::WarpAt(_, cycle) => assert_eq!(session.cycle(), cycle),
                Place::Warp(slot) => assert_eq!(session.slot(), slot),
                Place::Request(access) => {
                    assert_eq!(session.ui.state.access, Some(access));
                    assert!([View::Banks, View::Coalescing].contains(&session.ui.view));
                }
                Place::Unit(_) => assert_eq!(session.ui.view, View::Sm),
                Place::Occupancy => assert_eq!(session.ui.view, View::Occupancy),
                Place::Code(_) => {}
            }
        }
    }

    #[test]
    fn a_click_on_a_scheduler_selects_it_for_the_inspector_and_for_why() {
        let mut session = opened("v1;kernel=transpose-tiled;cycle=200;warp=1");
        update(&mut session, Event::Select(Target::Scheduler(2)));
        assert_eq!(session.subject(), Some(Subject::Part(Part::Scheduler(2))));
        assert_eq!(session.inspection().unwrap().title, "Scheduler 2");
        assert!(crate::share::encode(&session.link()).contains("part=scheduler.2"));
        press(&mut session);
        let question = &session.explanation().unwrap().answers[0].question;
        assert!(question.contains("scheduler 2"), "{question}");
        // A warp takes the place of the part, and Escape ends both.
        update(&mut session, Event::Select(Target::Warp { slot: 4 }));
        assert_eq!(session.subject(), Some(Subject::Warp(SlotIdx(4))));
        update(&mut session, Event::Select(Target::Scheduler(2)));
        update(&mut session, Event::Select(Target::Scheduler(2)));
        assert_eq!(session.view_state().settings.part, None);
    }

    #[test]
    fn the_picture_frames_the_selected_part() {
        let size = scene::Size {
            width: 832.0,
            height: 636.0,
        };
        let items = |link: &str| {
            let session = opened(link);
            session.shown().picture(View::Sm, size).unwrap().items.len()
        };
        let plain = items("v1;kernel=transpose-tiled;cycle=200");
        for part in ["scheduler.2", "pipe.0.0", "block.0"] {
            let link = format!("v1;kernel=transpose-tiled;cycle=200;part={part}");
            assert!(items(&link) > plain, "{part}");
        }
        assert_eq!(items("v1;kernel=transpose-tiled;cycle=200;part=block.900"), plain);
    }

    #[test]
    fn the_picture_numbers_what_the_answers_name() {
        let session = opened("v1;kernel=transpose-tiled;cycle=200;warp=1;why=1");
        let size = scene::Size {
            width: 832.0,
            height: 636.0,
        };
        let picture = session.shown().picture(View::Sm, size).unwrap();
        let disks = picture
            .items
            .iter()
            .filter(|item| matches!(&item.shape, scene::Shape::Text { text, .. } if text == "1"))
            .count();
        let without = opened("v1;kernel=transpose-tiled;cycle=200;warp=1");
        let plain = without.shown().picture(View::Sm, size).unwrap();
        assert!(picture.items.len() > plain.items.len());
        assert!(disks > 0);
        assert_ne!(
            session.shown().picture_key(View::Sm, size),
            without.shown().picture_key(View::Sm, size)
        );
    }
}
