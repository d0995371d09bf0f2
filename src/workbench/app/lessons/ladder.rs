//! The lessons as a ladder: what a lesson needs, what comes after it, and which courses are unfolded.

use super::{Course, CourseLesson, Progress, Session};

/// A lesson in its course.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rung<'a> {
    /// The course.
    pub course: &'a Course,
    /// The lesson.
    pub lesson: &'a CourseLesson,
}

impl Rung<'_> {
    /// The id, `course/name`.
    pub fn id(&self) -> String {
        format!("{}/{}", self.course.id, self.lesson.id)
    }
}

impl Session {
    /// All lessons of the page in order, or none before the list of courses has arrived.
    pub fn rungs(&self) -> impl Iterator<Item = Rung<'_>> {
        let courses = match &self.ui.lessons.courses {
            Some(Ok(courses)) => courses.as_slice(),
            _ => &[],
        };
        courses.iter().flat_map(|course| {
            let lessons = course.lessons.iter();
            lessons.map(move |lesson| Rung { course, lesson })
        })
    }

    /// The lesson with this id.
    pub fn rung(&self, id: &str) -> Option<Rung<'_>> {
        self.rungs().find(|rung| rung.id() == id)
    }

    /// The reader's progress in a lesson.
    pub fn lesson_progress(&self, rung: &Rung<'_>) -> Progress {
        let progress = self.ui.lessons.progress.get(&rung.id());
        progress.copied().unwrap_or_default()
    }

    /// Whether the reader finished a lesson.
    pub fn has_finished(&self, rung: &Rung<'_>) -> bool {
        self.lesson_progress(rung).finished
    }

    /// The lessons that this one needs.
    pub fn needed_by(&self, rung: &Rung<'_>) -> Vec<Rung<'_>> {
        rung.lesson.needs.iter().filter_map(|id| self.rung(id)).collect()
    }

    /// The lessons that need the one with this id.
    pub fn built_on(&self, id: &str) -> Vec<Rung<'_>> {
        let needs = |rung: &Rung<'_>| rung.lesson.needs.iter().any(|need| need == id);
        self.rungs().filter(needs).collect()
    }

    /// The lesson after the one with this id: the next one of its course that is not finished, or else the first one of
    /// a later or an earlier course. `None` if all others are finished, or if the lesson is none of the page.
    pub fn next_lesson(&self, id: &str) -> Option<Rung<'_>> {
        let at = self.rungs().position(|rung| rung.id() == id)?;
        let after = self.rungs().skip(at + 1);
        after
            .chain(self.rungs().take(at))
            .find(|rung| !self.has_finished(rung))
    }

    /// The lesson with which the reader goes on: the first one that was begun, or else the first one that is not finished.
    pub fn current_lesson(&self) -> Option<Rung<'_>> {
        let is_begun = |rung: &Rung<'_>| {
            let progress = self.lesson_progress(rung);
            progress.steps > 0 && !progress.finished
        };
        let mut open = self.rungs().filter(|rung| !self.has_finished(rung));
        self.rungs().find(is_begun).or_else(|| open.next())
    }

    /// The number of finished lessons of a course.
    pub fn num_finished(&self, course: &Course) -> usize {
        let lessons = course.lessons.iter();
        lessons
            .filter(|lesson| self.has_finished(&Rung { course, lesson }))
            .count()
    }

    /// Whether a course or a section of a guide is unfolded: as the reader left it; at first, only the course of the
    /// current lesson is.
    pub fn is_unfolded(&self, id: &str) -> bool {
        let folds = &self.ui.lessons.folds;
        folds.get(id).copied().unwrap_or_else(|| {
            self.current_lesson()
                .is_some_and(|current| current.course.id == id)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::{LessonEdit, search::tests::listed};
    use super::*;
    use crate::app::{Effect, Event, update};
    use crate::share::LessonAddress;

    fn finish(session: &mut Session, ids: &[&str]) {
        let of = |id: &&str| format!(r#""{id}":{{"steps":2,"right":0,"finished":true}}"#);
        let rows: Vec<String> = ids.iter().map(of).collect();
        let text = format!("{{{}}}", rows.join(","));
        update(session, Event::Lesson(LessonEdit::Progress(text)));
    }

    fn id(rung: Option<Rung<'_>>) -> Option<String> {
        rung.map(|rung| rung.id())
    }

    #[test]
    fn the_next_lesson_is_the_next_one_that_is_not_finished() {
        let mut session = listed();
        assert_eq!(
            id(session.next_lesson("memory/column-read")).as_deref(),
            Some("memory/bank-stride")
        );
        finish(&mut session, &["memory/bank-stride"]);
        assert_eq!(
            id(session.next_lesson("memory/column-read")).as_deref(),
            Some("volta/units")
        );
        // After the last lesson of the list, the first one is next.
        finish(&mut session, &["volta/units"]);
        assert_eq!(
            id(session.next_lesson("volta/units")).as_deref(),
            Some("memory/column-read")
        );
        finish(
            &mut session,
            &["memory/column-read", "memory/bank-stride", "volta/units"],
        );
        assert_eq!(session.next_lesson("memory/bank-stride"), None);
        assert_eq!(session.next_lesson("own"), None);
    }

    #[test]
    fn next_at_the_end_of_a_lesson_opens_the_next_lesson() {
        let mut session = listed();
        let text = "title = \"a\"\nsummary = \"b\"\nminutes = 1\n[[step]]\ntitle = \"c\"\ntext = \"d\"\nlink = \"v1\"\nsource = \"e\"\n";
        let arrived = LessonEdit::Arrived {
            id: "memory/column-read".to_owned(),
            step: 0,
            text: Ok(text.to_owned()),
        };
        update(&mut session, Event::Lesson(arrived));
        update(&mut session, Event::Lesson(LessonEdit::Next));
        let effects = update(&mut session, Event::Lesson(LessonEdit::Next));
        let address = LessonAddress::read("memory/bank-stride").unwrap();
        assert_eq!(effects, [Effect::ReadLesson { address, step: 0 }]);
    }

    #[test]
    fn a_lesson_names_what_it_needs_and_what_needs_it() {
        let session = listed();
        let stride = session.rung("memory/bank-stride").unwrap();
        let ids = |rungs: Vec<Rung<'_>>| rungs.iter().map(Rung::id).collect::<Vec<_>>();
        assert_eq!(ids(session.needed_by(&stride)), ["memory/column-read"]);
        assert_eq!(
            ids(session.built_on("memory/column-read")),
            ["memory/bank-stride"]
        );
        assert_eq!(ids(session.built_on("volta/units")), Vec::<String>::new());
    }

    #[test]
    fn the_course_of_the_current_lesson_is_unfolded() {
        let mut session = listed();
        assert!(session.is_unfolded("memory") && !session.is_unfolded("volta"));
        finish(&mut session, &["memory/column-read", "memory/bank-stride"]);
        assert!(!session.is_unfolded("memory") && session.is_unfolded("volta"));
        update(&mut session, Event::Lesson(LessonEdit::Fold("memory".to_owned())));
        update(&mut session, Event::Lesson(LessonEdit::Fold("volta".to_owned())));
        assert!(session.is_unfolded("memory") && !session.is_unfolded("volta"));
        let memory = session.rung("memory/bank-stride").unwrap().course;
        assert_eq!(session.num_finished(memory), 2);
        // A lesson that was begun is the current one.
        let begun = r#"{"volta/units":{"steps":1,"right":0,"finished":false}}"#.to_owned();
        update(&mut session, Event::Lesson(LessonEdit::Progress(begun)));
        assert_eq!(id(session.current_lesson()).as_deref(), Some("volta/units"));
    }
}
