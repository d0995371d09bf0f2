//! Steps between the memory requests of the run.

use super::{Choice, Control, ControlOption, Effect, Session};
use crate::scene::{self, RequestStep};
use crate::share::View;
use engine::trace::AccessFamily;

/// The kind of accesses that a view shows individually.
const fn family(view: View) -> Option<AccessFamily> {
    match view {
        View::Banks => Some(AccessFamily::Shared),
        View::Coalescing => Some(AccessFamily::Global),
        _ => None,
    }
}

impl Session {
    /// The steps from the shown request; none if the run has no request.
    pub(super) fn request_controls(&self, view: View) -> Vec<Control> {
        let steps = |family| {
            let frame = self.shown().frame()?;
            let idx = scene::shown_request(&frame, &self.view_state(), family)?;
            let row = frame.record().access(idx)?;
            let line = frame
                .instruction(row.pc)
                .map_or(0, |instruction| instruction.span.line);
            let mut steps = vec![
                ("Previous".to_owned(), RequestStep::Previous),
                ("Next".to_owned(), RequestStep::Next),
                (format!("First of W{:02}", row.warp.0), RequestStep::FirstOfWarp),
            ];
            if line > 0 {
                steps.push((
                    format!("First of {}", frame.line_text(line)),
                    RequestStep::FirstOfLine,
                ));
            }
            Some(Control {
                id: "request",
                label: "Request",
                options: steps
                    .into_iter()
                    .map(|(name, step)| ControlOption {
                        name,
                        choice: Choice::Request(step),
                        chosen: false,
                    })
                    .collect(),
            })
        };
        family(view).and_then(steps).into_iter().collect()
    }

    /// Shows another request, at the cycle in which its unit accepts it, and selects its warp.
    pub(super) fn step_request(&mut self, step: RequestStep) -> Vec<Effect> {
        let shown = [Some(self.ui.view), self.ui.split];
        let Some(family) = shown.into_iter().flatten().find_map(family) else {
            return Vec::new();
        };
        let found = self.shown().frame().and_then(|frame| {
            let (idx, cycle) = scene::step_request(&frame, &self.view_state(), family, step)?;
            let slot = frame.record().access(idx)?.slot;
            Some((idx, cycle.0, slot))
        });
        let Some((idx, cycle, slot)) = found else {
            self.say(match step {
                RequestStep::Previous => "This is the first request of the run.",
                RequestStep::Next => "This is the last request of the run.",
                RequestStep::FirstOfWarp | RequestStep::FirstOfLine => "The run has no such request.",
            });
            return Vec::new();
        };
        self.seek(cycle);
        self.follow_cycle();
        self.ui.state.access = Some(idx);
        self.ui.state.slot = Some(slot);
        vec![Effect::ReplaceLink, Effect::Announce(self.sentence_of_picture())]
    }
}

#[cfg(test)]
mod tests {
    use super::super::golden::opened;
    use super::super::{Event, update};
    use crate::app::Choice;
    use crate::scene::{RequestStep, Scene, Shape, Size, Target, thousands};
    use crate::share::{View, encode};
    use engine::trace::AccessFamily;

    #[test]
    fn steps_go_through_all_requests_of_the_view_and_are_in_the_link() {
        for (view, family) in [
            ("banks", AccessFamily::Shared),
            ("coalescing", AccessFamily::Global),
        ] {
            let link = format!("v1;arch=tu102;kernel=transpose-tiled;view={view};cycle=0");
            let mut session = opened(&link);
            let trace = session.derived().trace().unwrap().clone();
            let order = trace.accesses_of(family);
            for wanted in &order[..20] {
                update(&mut session, Event::Choose(Choice::Request(RequestStep::Next)));
                let row = trace.access(*wanted).unwrap();
                assert_eq!(session.ui.state.access, Some(*wanted), "{view}");
                assert_eq!(session.cycle(), row.started.0, "{view}");
                assert_eq!(session.ui.state.slot, Some(row.slot), "{view}");
            }
            let text = encode(&session.link());
            assert!(text.contains(&format!("access={}", order[19])), "{text}");
            assert_eq!(opened(&text).ui.state.access, Some(order[19]));
            update(
                &mut session,
                Event::Choose(Choice::Request(RequestStep::Previous)),
            );
            assert_eq!(session.ui.state.access, Some(order[18]));
            for step in [RequestStep::FirstOfLine, RequestStep::FirstOfWarp] {
                update(&mut session, Event::Choose(Choice::Request(step)));
                let shown = session.ui.state.access.unwrap();
                assert!(order[..19].contains(&shown), "{step:?}");
            }
            // A step of the cycle deselects the request.
            update(&mut session, Event::Step(1));
            assert_eq!(session.ui.state.access, None);
        }
    }

    #[test]
    fn a_step_past_the_last_request_shows_a_sentence() {
        let mut session = opened("v1;arch=tu102;kernel=vector-add;view=coalescing;cycle=100000");
        update(&mut session, Event::Choose(Choice::Request(RequestStep::Next)));
        assert_eq!(
            session.ui.toast.as_deref(),
            Some("This is the last request of the run.")
        );
        // No shared memory, no steps.
        assert!(session.request_controls(View::Banks).is_empty());
    }

    #[test]
    fn a_request_of_another_cycle_says_so_and_leads_to_its_cycle() {
        for (view, family) in [
            (View::Banks, AccessFamily::Shared),
            (View::Coalescing, AccessFamily::Global),
        ] {
            let link = format!("v1;kernel=transpose-tiled;view={}", view.id());
            let session = opened(&link);
            let trace = session.derived().trace().unwrap();
            let idx = trace.accesses_of(family)[0];
            let (row, last) = (trace.access(idx).unwrap(), trace.last_cycle().0);
            let (start, playhead) = (thousands(row.started.0), thousands(last));
            let mut session = opened(&format!("{link};access={idx};cycle={last}"));
            for width in [1200.0, 716.0, 390.0, 300.0] {
                let size = Size { width, height: 500.0 };
                let scene = session.shown().picture(view, size).unwrap();
                let wanted =
                    format!("of cycle {start}. The playhead is at cycle {playhead}: go to cycle {start}");
                assert!(scene.note.ends_with(&wanted), "{}", scene.note);
                let text = texts(&scene).find(|text| text.contains(&playhead) && text.contains(&start));
                assert!(text.is_some(), "{view:?} {width}");
                // A click on the line leads to the request's cycle.
                assert_eq!(scene.hit(30.0, 8.0), Some(Target::Cycle(row.started.0)));
            }
            update(&mut session, Event::Select(Target::Cycle(row.started.0)));
            let size = Size {
                width: 716.0,
                height: 500.0,
            };
            let scene = session.shown().picture(view, size).unwrap();
            assert!(scene.note.contains("in progress since"), "{}", scene.note);
            assert!(texts(&scene).any(|text| *text == scene.note));
        }
    }

    fn texts(scene: &Scene) -> impl Iterator<Item = &String> {
        scene.items.iter().filter_map(|item| match &item.shape {
            Shape::Text { text, .. } => Some(text),
            _ => None,
        })
    }
}
