//! The keys of the tour and of lessons.

use super::{Event, LessonEdit, Session, TourEdit};
use crate::app::lessons::Phase;

/// A key that the tour or an open lesson takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TeachingKey {
    /// `N`.
    Next,
    /// `B`.
    Back,
    /// `H`.
    Hint,
    /// Escape.
    Leave,
}

impl TeachingKey {
    /// The key with this name in the browser's notation, without modifiers.
    pub fn of(name: &str) -> Option<Self> {
        Some(match name {
            "n" | "N" => Self::Next,
            "b" | "B" => Self::Back,
            "h" | "H" => Self::Hint,
            "Escape" => Self::Leave,
            _ => return None,
        })
    }
}

impl Session {
    /// The event of a key while the tour or a lesson is open. `None`: the key has its usual meaning.
    pub fn teaching_event(&self, key: TeachingKey) -> Option<Event> {
        // An open panel closes first.
        if self.ui.panel.is_some() {
            return None;
        }
        if self.ui.tour.is_some() {
            return Some(Event::Tour(match key {
                TeachingKey::Next => TourEdit::Next,
                TeachingKey::Back => TourEdit::Back,
                TeachingKey::Leave => TourEdit::Leave,
                TeachingKey::Hint => return None,
            }));
        }
        let open = self.ui.lessons.open.as_ref()?;
        let is_asked = matches!(open.phase, Phase::Asked(_));
        Some(match key {
            TeachingKey::Next if is_asked => {
                Event::Say("Answer the question first, or show the answer.".to_owned())
            }
            TeachingKey::Next => Event::Lesson(LessonEdit::Next),
            TeachingKey::Back => Event::Lesson(LessonEdit::Back),
            TeachingKey::Hint if is_asked => Event::Lesson(LessonEdit::Hint),
            TeachingKey::Hint => return None,
            TeachingKey::Leave => Event::Lesson(LessonEdit::Leave),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::{Panel, update};

    #[test]
    fn the_keys_of_the_tour_go_to_the_panel_that_is_open() {
        let mut session = Session::new();
        assert_eq!(session.teaching_event(TeachingKey::Next), None);
        update(&mut session, Event::Tour(TourEdit::Start));
        let next = session.teaching_event(TeachingKey::Next);
        assert_eq!(next, Some(Event::Tour(TourEdit::Next)));
        assert_eq!(session.teaching_event(TeachingKey::Hint), None);
        update(&mut session, Event::Panel(Panel::Keys));
        assert_eq!(session.teaching_event(TeachingKey::Leave), None);
    }
}
