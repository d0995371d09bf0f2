//! The claims of the tuning guides, each with the lessons, views, terms, and tests that show it.

use serde::Deserialize;

use super::Session;
use super::search::has_word;

/// A guide, as the page reads it.
#[derive(Clone, Debug, Deserialize, PartialEq)]
pub struct Guide {
    /// The title.
    pub title: String,
    /// The letter with which the ids of its claims begin.
    pub letter: String,
    /// The sections in order.
    pub sections: Vec<Section>,
}

/// A section of a guide.
#[derive(Clone, Debug, Deserialize, PartialEq)]
pub struct Section {
    /// Number and title.
    pub title: String,
    /// The claims.
    pub claims: Vec<Claim>,
}

/// A claim, in our own words.
#[derive(Clone, Debug, Deserialize, PartialEq)]
pub struct Claim {
    /// The guide's letter and a number, such as `T13`.
    pub id: String,
    /// What it is: a fact, a rule, advice, an interface, a tool, or the scope.
    pub kind: String,
    /// The summary of the claim.
    pub text: String,
    /// What other sources say, or why no run shows the claim; or empty.
    pub note: String,
    /// What the page states about a claim that no run can show; or empty.
    pub statement: String,
    /// Ids of the lessons that show it, with their titles.
    pub lessons: Vec<(String, String)>,
    /// Names of views with a link to each.
    pub views: Vec<(String, String)>,
    /// Names of the terms that its text has.
    pub terms: Vec<String>,
    /// Names of the tests that hold it.
    pub tests: Vec<String>,
}

/// Reads the claims.
pub(super) fn read(text: &str) -> Result<Vec<Guide>, String> {
    serde_json::from_str(text).map_err(|error| format!("The list of claims is damaged: {error}."))
}

impl Guide {
    /// The key of a section's fold.
    pub fn fold(&self, section: &Section) -> String {
        format!("{} {}", self.letter, section.title)
    }

    /// The number of its claims.
    pub fn num_claims(&self) -> usize {
        self.sections.iter().map(|section| section.claims.len()).sum()
    }
}

impl Session {
    /// The guides with the claims that match the search, without empty sections and guides; all without a search.
    pub fn claims_found(&self) -> Vec<Guide> {
        let Some(Ok(guides)) = &self.ui.lessons.claims else {
            return Vec::new();
        };
        let words = self.lesson_search();
        let mut found = Vec::new();
        for guide in guides {
            let mut guide = guide.clone();
            for section in &mut guide.sections {
                let title = section.title.clone();
                let matches = |claim: &Claim| {
                    let texts = [&claim.id, &claim.text, &claim.statement, &title, &guide.title];
                    let lessons = claim.lessons.iter().map(|(_, title)| title);
                    let texts: Vec<&String> = texts.into_iter().chain(lessons).chain(&claim.terms).collect();
                    words
                        .iter()
                        .all(|word| texts.iter().any(|text| has_word(text, word)))
                };
                section.claims.retain(matches);
            }
            guide.sections.retain(|section| !section.claims.is_empty());
            if !guide.sections.is_empty() {
                found.push(guide);
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::super::LessonEdit;
    use super::*;
    use crate::app::{Effect, Event, Panel, update};

    const CLAIMS: &str = r#"[{"title":"Volta Tuning Guide","letter":"V","sections":[
        {"title":"4.1.1 Instruction Scheduling","claims":[
            {"id":"V14","kind":"fact","text":"Four schedulers per SM.","note":"","statement":"","lessons":[["volta/units","What is in an SM of GV100?"]],
                "views":[["SM","v1;view=sm"]],"terms":["Warp scheduler"],"tests":["claim_v14"]}]},
        {"title":"5 Revision History","claims":[
            {"id":"V80","kind":"scope","text":"Version 1.1.","note":"","statement":"It added references.","lessons":[],"views":[],"terms":[],"tests":[]}]}]}]"#;

    #[test]
    fn the_map_of_claims_is_read_when_it_opens_and_searched() {
        let mut session = Session::new();
        let effects = update(&mut session, Event::Panel(Panel::Guides));
        assert!(effects.contains(&Effect::ReadClaims), "{effects:?}");
        update(
            &mut session,
            Event::Lesson(LessonEdit::Claims(Ok(CLAIMS.to_owned()))),
        );
        let ids = |session: &Session| {
            let sections = session
                .claims_found()
                .into_iter()
                .flat_map(|guide| guide.sections);
            let claims = sections.flat_map(|section| section.claims);
            claims.map(|claim| claim.id).collect::<Vec<_>>()
        };
        assert_eq!(ids(&session), ["V14", "V80"]);
        for (text, found) in [
            ("schedulers", "V14"),
            ("v80", "V80"),
            ("revision", "V80"),
            ("volta what is in an sm", "V14"),
        ] {
            update(&mut session, Event::Lesson(LessonEdit::Search(text.to_owned())));
            assert_eq!(ids(&session), [found], "{text}");
        }
        update(
            &mut session,
            Event::Lesson(LessonEdit::Search("texture".to_owned())),
        );
        assert_eq!(session.claims_found(), []);
    }

    #[test]
    fn a_lesson_shows_its_claims_and_a_link_opens_the_map() {
        let mut session = Session::new();
        let effects = update(
            &mut session,
            Event::Lesson(LessonEdit::ShowClaims("V14".to_owned())),
        );
        assert_eq!(effects, [Effect::ReplaceLink, Effect::ReadClaims]);
        assert_eq!(session.ui.panel, Some(Panel::Guides));
        assert!(crate::share::encode(&session.link()).contains("panel=guides"));
        let effects = update(&mut session, Event::Open("v1;panel=guides".to_owned()));
        assert!(effects.contains(&Effect::ReadClaims), "{effects:?}");
        let failed = LessonEdit::Claims(Ok("[".to_owned()));
        update(&mut session, Event::Lesson(failed));
        assert!(
            matches!(&session.ui.lessons.claims, Some(Err(why)) if why.starts_with("The list of claims is damaged"))
        );
        let effects = update(&mut session, Event::Lesson(LessonEdit::RereadClaims));
        assert_eq!(effects, [Effect::ReadClaims]);
    }
}
