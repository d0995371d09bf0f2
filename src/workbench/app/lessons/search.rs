//! The search for lessons, lectures, and terms: in the list of lessons, and in the command palette.

use super::ladder::Rung;
use super::{Effect, LessonEdit, Session};
use crate::app::command_palette::{Found, Group};
use crate::app::glossary::{Entry, GlossaryEdit};
use crate::app::{Event, LectureEdit};
use crate::lecture::{PUBLISHED, Published};

/// What a word of the search costs where it is found: in the title, in a term that the lesson teaches or a heading of
/// a step, in the summary, or in the name of the course. A sum orders the matches, the least first.
const TITLE: u32 = 0;
const WORDS: u32 = 2;
const SUMMARY: u32 = 3;
const COURSE: u32 = 4;

/// The score in the palette of a lesson or a term that is not found by its name: a command whose name has the text
/// comes first, and scattered letters of other names do not hide it.
const IN_TEXT: u32 = 30;

/// A lesson that matches the search.
#[derive(Clone, Debug, PartialEq)]
pub struct LessonMatch<'a> {
    /// The lesson.
    pub rung: Rung<'a>,
    /// The term or the heading that matches, where title and summary do not.
    pub by: Option<&'a str>,
}

/// The words of a search, in lower case, without the `s` of a plural.
pub fn words(search: &str) -> Vec<String> {
    let words = search.split_whitespace().map(str::to_lowercase);
    words
        .map(|word| match word.strip_suffix('s') {
            Some(one) if one.len() > 3 => one.to_owned(),
            _ => word,
        })
        .collect()
}

/// Whether a word of the text begins with a word of the search.
pub fn has_word(text: &str, word: &str) -> bool {
    let text = text.to_lowercase();
    text.match_indices(word).any(|(at, _)| {
        let before = text[..at].chars().next_back();
        before.is_none_or(|letter| !letter.is_alphanumeric())
    })
}

/// How well texts match the words of a search, the best text for each word; `None` if a word is in no text.
fn score(words: &[String], texts: &[(u32, &str)]) -> Option<u32> {
    let of_word = |word: &String| {
        let costs = texts.iter().filter(|(_, text)| has_word(text, word));
        costs.map(|(cost, _)| *cost).min()
    };
    words.iter().map(of_word).sum()
}

/// How well a lesson matches, and the term or the heading that matches where title and summary do not.
fn of_lesson<'a>(words: &[String], rung: &Rung<'a>) -> Option<(u32, Option<&'a str>)> {
    let (course, lesson) = (rung.course, rung.lesson);
    let mut texts = vec![
        (TITLE, lesson.title.as_str()),
        (SUMMARY, &lesson.summary),
        (COURSE, &course.title),
    ];
    let visible = score(words, &texts[..2]).is_some();
    texts.extend(lesson.words.iter().map(|text| (WORDS, text.as_str())));
    texts.extend(lesson.claims.iter().map(|text| (WORDS, text.as_str())));
    let cost = score(words, &texts)?;
    let by = lesson
        .words
        .iter()
        .filter(|_| !visible)
        .max_by_key(|text| words.iter().filter(|word| has_word(text, word)).count())
        .filter(|text| words.iter().any(|word| has_word(text, word)));
    Some((cost, by.map(String::as_str)))
}

fn of_lecture(words: &[String], lecture: &Published) -> Option<u32> {
    score(
        words,
        &[
            (TITLE, lecture.title),
            (SUMMARY, lecture.summary),
            (COURSE, "Lectures"),
        ],
    )
}

fn of_term(words: &[String], term: &Entry) -> Option<u32> {
    let mut texts = vec![(TITLE, term.name.as_str())];
    texts.extend(term.also.iter().map(|name| (WORDS, name.as_str())));
    score(words, &texts)
}

/// The matches of a list, best first.
fn sorted<T>(rows: impl Iterator<Item = (u32, T)>) -> Vec<T> {
    let mut rows: Vec<(u32, T)> = rows.collect();
    rows.sort_by_key(|(cost, _)| *cost);
    rows.into_iter().map(|(_, row)| row).collect()
}

impl Session {
    /// The words of the search in the window of the lessons; none if there is no search.
    pub fn lesson_search(&self) -> Vec<String> {
        words(&self.ui.lessons.search)
    }

    /// The lessons that match the search, best first.
    pub fn lessons_found(&self) -> Vec<LessonMatch<'_>> {
        let words = self.lesson_search();
        sorted(self.rungs().filter_map(|rung| {
            let (cost, by) = of_lesson(&words, &rung)?;
            Some((cost, LessonMatch { rung, by }))
        }))
    }

    /// The published lectures that match the search, best first.
    pub fn lectures_found(&self) -> Vec<&'static Published> {
        let words = self.lesson_search();
        sorted(
            PUBLISHED
                .iter()
                .filter_map(|lecture| Some((of_lecture(&words, lecture)?, lecture))),
        )
    }

    /// The terms of the glossary whose names match the search, best first.
    pub fn terms_found(&self) -> Vec<&Entry> {
        let words = self.lesson_search();
        sorted(
            self.terms()
                .iter()
                .filter_map(|term| Some((of_term(&words, term)?, term))),
        )
    }

    /// The terms, or none before they have arrived.
    fn terms(&self) -> &[Entry] {
        match &self.ui.glossary.terms {
            Some(Ok(terms)) => terms,
            _ => &[],
        }
    }

    /// The rows of the palette for lessons, lectures, and terms, with their scores. `query`: its text in lower case.
    pub(in crate::app) fn lessons_and_terms(&self, query: &str) -> Vec<(u32, Found)> {
        let words = words(query);
        if words.is_empty() {
            return Vec::new();
        }
        let row = |cost: u32, group: Group, text: &str, hint: &str, event: Event| {
            let at = text.to_lowercase().find(query);
            let found = Found {
                group,
                text: text.to_owned(),
                hint: hint.to_owned(),
                matched: at.map(|at| at..at + query.len()).into_iter().collect(),
                event,
            };
            // A name that has all words is as good as that of a command.
            (if cost == 0 { 0 } else { IN_TEXT + cost }, found)
        };
        let lessons = self.rungs().filter_map(|rung| {
            let (cost, _) = of_lesson(&words, &rung)?;
            let event = Event::Lesson(LessonEdit::Open(rung.id(), self.step_to_open(&rung)));
            Some(row(
                cost,
                Group::Lesson,
                &rung.lesson.title,
                &rung.course.title,
                event,
            ))
        });
        let lectures = PUBLISHED.iter().filter_map(|lecture| {
            let cost = of_lecture(&words, lecture)?;
            let event = Event::Lecture(LectureEdit::Open(lecture.id.to_owned(), 0));
            Some(row(cost, Group::Lesson, lecture.title, "Lecture", event))
        });
        let terms = self.terms().iter().filter_map(|term| {
            let cost = of_term(&words, term)?;
            let event = Event::Glossary(GlossaryEdit::Open(term.name.clone()));
            Some(row(cost, Group::Term, &term.name, &term.kind, event))
        });
        lessons.chain(lectures).chain(terms).collect()
    }

    /// What the palette says about lessons and terms that it does not have.
    pub fn missing_lists(&self) -> Option<&'static str> {
        let courses = self.ui.lessons.courses.as_ref().map(Result::is_ok);
        let terms = self.ui.glossary.terms.as_ref().map(Result::is_ok);
        match (courses, terms) {
            (Some(true), Some(true)) => None,
            (Some(false), _) | (_, Some(false)) => {
                Some("Lessons and terms are missing: their lists cannot be read.")
            }
            _ => Some("Loading lessons and terms…"),
        }
    }

    /// The step at which a lesson opens: where it was left, or the first one of a finished lesson.
    pub fn step_to_open(&self, rung: &Rung<'_>) -> usize {
        let progress = self.lesson_progress(rung);
        if progress.finished { 0 } else { progress.steps }
    }
}

/// Opens the first lesson that the search finds.
pub(super) fn take_first(session: &mut Session) -> Vec<Effect> {
    if session.lesson_search().is_empty() {
        return Vec::new();
    }
    let first = session.lessons_found().into_iter().next();
    let open = first.map(|found| LessonEdit::Open(found.rung.id(), session.step_to_open(&found.rung)));
    open.map_or_else(Vec::new, |open| super::edit(session, open))
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::app::{Panel, update};
    use crate::share::LessonAddress;

    /// A list of courses, as `warpscope lesson index` prints it.
    const COURSES: &str = r#"[
        {"id":"memory","title":"Memory","summary":"Banks.","lessons":[
            {"id":"column-read","title":"Why is a column read slow?","summary":"Rows and columns of a tile.","minutes":4,"steps":2,
                "claims":["F33"],"words":["Bank conflict","One warp reads a column"]},
            {"id":"bank-stride","title":"Which strides have bank conflicts?","summary":"The distance between words.","minutes":4,"steps":2,
                "claims":[],"needs":["memory/column-read"],"words":["Stride"]}]},
        {"id":"volta","title":"Volta","summary":"Independent threads.","lessons":[
            {"id":"units","title":"What is in an SM of GV100?","summary":"Four schedulers.","minutes":4,"steps":2,"claims":["V14"],"words":[]}]}]"#;

    const TERMS: &str = r#"[
        {"id":"bank-conflict","name":"Bank conflict","also":["conflict"],"kind":"Memory","text":"Words of one bank.","source":"s","see":""},
        {"id":"warp","name":"Warp","also":[],"kind":"Execution","text":"32 threads without a bank conflict.","source":"s","see":""}]"#;

    /// A session whose lists have arrived.
    pub(in crate::app::lessons) fn listed() -> Session {
        let mut session = Session::new();
        update(
            &mut session,
            Event::Lesson(LessonEdit::Listed(Ok(COURSES.to_owned()))),
        );
        update(
            &mut session,
            Event::Glossary(GlossaryEdit::Listed(Ok(TERMS.to_owned()))),
        );
        session
    }

    fn search(text: &str) -> Session {
        let mut session = listed();
        update(&mut session, Event::Lesson(LessonEdit::Search(text.to_owned())));
        session
    }

    #[test]
    fn a_search_finds_lessons_by_title_terms_headings_claims_and_course() {
        let ids = |text: &str| {
            let session = search(text);
            let found = session.lessons_found();
            found.iter().map(|found| found.rung.id()).collect::<Vec<_>>()
        };
        // The title comes before a term.
        assert_eq!(
            ids("bank conflicts"),
            ["memory/bank-stride", "memory/column-read"]
        );
        assert_eq!(ids("  COLUMN  slow"), ["memory/column-read"]);
        assert_eq!(ids("one warp reads"), ["memory/column-read"]);
        assert_eq!(ids("v14"), ["volta/units"]);
        assert_eq!(ids("volta schedulers"), ["volta/units"]);
        assert_eq!(ids("texture"), Vec::<String>::new());
        // The middle of a word is no match.
        assert_eq!(ids("ank"), Vec::<String>::new());
        let session = search("bank conflict");
        let found = session.lessons_found();
        assert_eq!([found[0].by, found[1].by], [None, Some("Bank conflict")]);
    }

    #[test]
    fn a_search_finds_lectures_and_the_names_of_terms() {
        let session = search("conflicts");
        let names: Vec<&str> = session
            .terms_found()
            .iter()
            .map(|term| term.name.as_str())
            .collect();
        assert_eq!(names, ["Bank conflict"]);
        let ids =
            |text: &str| -> Vec<&str> { search(text).lectures_found().iter().map(|of| of.id).collect() };
        assert!(ids("shared memory").contains(&"shared-memory"));
        assert!(ids("lecture").contains(&"shared-memory"));
    }

    #[test]
    fn the_palette_reads_both_lists_and_finds_lessons_and_terms() {
        let mut session = Session::new();
        let effects = update(&mut session, Event::Panel(Panel::Palette));
        assert!(effects.contains(&Effect::ReadCourses) && effects.contains(&Effect::ReadGlossary));
        assert_eq!(session.missing_lists(), Some("Loading lessons and terms…"));
        let failed = LessonEdit::Listed(Err("no answer".to_owned()));
        update(&mut session, Event::Lesson(failed));
        assert!(session.missing_lists().unwrap().contains("cannot be read"));
        let mut session = listed();
        let effects = update(&mut session, Event::Panel(Panel::Palette));
        assert!(!effects.contains(&Effect::ReadCourses), "{effects:?}");
        assert_eq!(session.missing_lists(), None);
        update(&mut session, Event::PaletteText("bank conflict".to_owned()));
        let found = session.found();
        let of = |group| {
            let rows = found.iter().filter(move |found| found.group == group);
            rows.map(|found| (found.text.as_str(), found.hint.as_str()))
                .collect::<Vec<_>>()
        };
        assert_eq!(
            of(Group::Lesson)[..2],
            [
                ("Which strides have bank conflicts?", "Memory"),
                ("Why is a column read slow?", "Memory")
            ]
        );
        assert_eq!(of(Group::Term), [("Bank conflict", "Memory")]);
        let idx = found.iter().position(|found| found.group == Group::Lesson);
        let effects = update(&mut session, Event::PaletteTake(idx));
        let address = LessonAddress::read("memory/bank-stride").unwrap();
        assert_eq!(effects, [Effect::ReadLesson { address, step: 0 }]);
    }

    #[test]
    fn a_term_of_the_palette_opens_the_glossary() {
        let mut session = listed();
        update(&mut session, Event::Panel(Panel::Palette));
        update(&mut session, Event::PaletteText("warp".to_owned()));
        let idx = session
            .found()
            .iter()
            .position(|found| found.group == Group::Term && found.text == "Warp");
        update(&mut session, Event::PaletteTake(idx));
        assert_eq!(session.ui.panel, Some(Panel::Glossary));
        assert_eq!(session.ui.glossary.found()[0].name, "Warp");
    }

    #[test]
    fn enter_opens_the_first_match() {
        let mut session = search("schedulers");
        let effects = update(&mut session, Event::Lesson(LessonEdit::TakeFirst));
        let address = LessonAddress::read("volta/units").unwrap();
        assert_eq!(effects, [Effect::ReadLesson { address, step: 0 }]);
        let mut session = search("");
        assert_eq!(update(&mut session, Event::Lesson(LessonEdit::TakeFirst)), []);
    }
}
