//! The glossary as the page shows it: its terms arrive as a file, when somebody opens it.

use serde::Deserialize;

use super::{Effect, Panel, Session, lessons};
use crate::scene::Target;

/// An event of the glossary.
#[derive(Clone, Debug, PartialEq)]
pub enum GlossaryEdit {
    /// The list of terms arrived, or the reason why it did not.
    Listed(Result<String, String>),
    /// Reads the list of terms again.
    Reread,
    /// The text of the search field.
    Search(String),
    /// Opens the glossary at a term.
    Open(String),
    /// Opens the card of the term that a label names, or closes the card.
    Card(Option<Card>),
    /// Opens the card of an item of the picture, or of the selected warp's state, at this place of the window.
    Of(Option<Target>, [f64; 4]),
    /// Opens the card of a label of the picture, if the glossary has its term.
    Dwell(Card),
    /// Words that may have cards came into sight: the terms are needed.
    Wanted,
}

/// A term, as the page reads it.
#[derive(Clone, Debug, Deserialize, PartialEq)]
pub struct Entry {
    /// The permanent id.
    pub id: String,
    /// The term.
    pub name: String,
    /// Other names.
    pub also: Vec<String>,
    /// The heading of its kind.
    pub kind: String,
    /// Two sentences.
    pub text: String,
    /// Document and section.
    pub source: String,
    /// A link that shows it, or empty.
    pub see: String,
    /// A picture as SVG, or empty.
    #[serde(default)]
    pub picture: String,
    /// The id of the lesson that teaches it, or empty.
    #[serde(default)]
    pub lesson: String,
}

/// A card beside the words that it explains.
#[derive(Clone, Debug, PartialEq)]
pub struct Card {
    /// The words.
    pub label: String,
    /// Left, top, right, and bottom of the words, in CSS pixels of the window.
    pub at: [f64; 4],
}

/// The state of the glossary.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Glossary {
    /// The terms, if they have arrived, or why they have not.
    pub terms: Option<Result<Vec<Entry>, String>>,
    /// The text of the search field.
    pub search: String,
    /// The open card.
    pub card: Option<Card>,
    /// The card to open when the terms arrive.
    pending: Option<Card>,
    /// Whether the terms were requested.
    requested: bool,
}

impl Glossary {
    /// Closes the card: what it explains is not shown any more.
    pub(super) fn close(&mut self) {
        self.card = None;
        self.pending = None;
    }

    /// The term that a label names, if the terms have arrived.
    pub fn named(&self, label: &str) -> Option<&Entry> {
        let Some(Ok(terms)) = &self.terms else {
            return None;
        };
        names_of(label).iter().find_map(|name| {
            terms.iter().find(|term| {
                [&term.id, &term.name]
                    .into_iter()
                    .chain(&term.also)
                    .any(|of| of.eq_ignore_ascii_case(name))
            })
        })
    }

    /// The terms that match the search, best first.
    pub fn found(&self) -> Vec<&Entry> {
        let Some(Ok(terms)) = &self.terms else {
            return Vec::new();
        };
        let search = self.search.trim().to_lowercase();
        let mut found: Vec<(u8, &Entry)> = terms
            .iter()
            .filter_map(|term| Some((rank(term, &search)?, term)))
            .collect();
        found.sort_by_key(|(rank, _)| *rank);
        found.into_iter().map(|(_, term)| term).collect()
    }
}

/// Requests the terms once; after a failure, again.
fn request(session: &mut Session) -> Vec<Effect> {
    let glossary = &mut session.ui.glossary;
    let failed = matches!(glossary.terms, Some(Err(_)));
    if failed || !std::mem::replace(&mut glossary.requested, true) {
        return vec![Effect::ReadGlossary];
    }
    Vec::new()
}

/// The names under which a label of a picture can be a term: the label, then without numbers, units, and endings.
pub fn names_of(label: &str) -> Vec<String> {
    let label = label.trim().trim_end_matches([':', '…']);
    let mut names = vec![label.to_owned()];
    let mut put = |name: &str| {
        let name = name.trim().trim_end_matches([':', ',', '.']);
        if name.len() > 1 && !names.iter().any(|of| of == name) {
            names.push(name.to_owned());
        }
    };
    for end in [" (", ", ", ": ", "; ", " of ", " per ", " in "] {
        if let Some((head, _)) = label.split_once(end) {
            put(head);
        }
    }
    // `Scheduler 0`, `L1 64 KB`, and `12 wavefronts`.
    let is_number = |word: &&str| {
        !word.chars().any(|letter| letter.is_ascii_digit()) && !matches!(*word, "KB" | "MB" | "B" | "%" | "×")
    };
    let words: Vec<&str> = label.split_whitespace().filter(is_number).collect();
    put(&words.join(" "));
    // The longest words in a row first: `limited by shared memory` names shared memory.
    let parts: Vec<&str> = label
        .split(|letter: char| letter.is_whitespace() || ",;:()=…".contains(letter))
        .filter(|part| !part.is_empty())
        .collect();
    for num in (1..=4).rev() {
        for row in parts.windows(num) {
            put(&row.join(" "));
        }
    }
    for part in &parts {
        if let Some((opcode, _)) = part.split_once('.') {
            put(opcode);
        }
    }
    for name in names.clone() {
        if let Some(one) = name.strip_suffix('s') {
            names.push(one.to_owned());
        }
    }
    names
}

/// How well a term matches: by its name, by another name, or by its text.
fn rank(term: &Entry, search: &str) -> Option<u8> {
    let name = term.name.to_lowercase();
    if search.is_empty() || name == search {
        return Some(0);
    }
    if name.starts_with(search) {
        return Some(1);
    }
    if name.contains(search) {
        return Some(2);
    }
    if term.also.iter().any(|name| name.to_lowercase().contains(search)) {
        return Some(3);
    }
    term.text.to_lowercase().contains(search).then_some(4)
}

/// Handles an event.
pub(super) fn edit(session: &mut Session, event: GlossaryEdit) -> Vec<Effect> {
    let glossary = &mut session.ui.glossary;
    match event {
        GlossaryEdit::Listed(text) => {
            glossary.terms = Some(text.and_then(|text| {
                serde_json::from_str(&text).map_err(|error| format!("The glossary is damaged: {error}."))
            }));
            if let Some(card) = glossary.pending.take() {
                return edit(session, GlossaryEdit::Dwell(card));
            }
        }
        GlossaryEdit::Reread => {
            glossary.terms = None;
            return vec![Effect::ReadGlossary];
        }
        GlossaryEdit::Search(text) => glossary.search = text,
        GlossaryEdit::Open(name) => {
            glossary.search = name;
            session.ui.panel = Some(Panel::Glossary);
            let mut effects = vec![Effect::ReplaceLink];
            effects.extend(lessons::read_lists(session));
            return effects;
        }
        GlossaryEdit::Card(card) => {
            glossary.card = card;
            if glossary.card.is_some() {
                return request(session);
            }
        }
        GlossaryEdit::Of(target, at) => {
            let label = session.shown().term_label(target);
            let Some(label) = label else {
                session.say("The glossary has no term for this item.");
                return Vec::new();
            };
            session.ui.glossary.card = Some(Card { label, at });
            return request(session);
        }
        GlossaryEdit::Dwell(card) => {
            // A label that is data, such as an address, has no card.
            if matches!(glossary.terms, Some(Ok(_))) {
                if glossary.named(&card.label).is_some() {
                    glossary.card = Some(card);
                }
            } else {
                glossary.pending = Some(card);
                return request(session);
            }
        }
        GlossaryEdit::Wanted => return request(session),
    }
    Vec::new()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::{Event, update};

    #[test]
    fn a_table_reads_the_glossary_for_its_heads() {
        let mut session = Session::new();
        let effects = update(&mut session, Event::Table);
        assert!(effects.contains(&Effect::ReadGlossary), "{effects:?}");
        let mut session = Session::new();
        let effects = update(&mut session, Event::Open("v1;table=on".to_owned()));
        assert!(effects.contains(&Effect::ReadGlossary), "{effects:?}");
        let effects = update(&mut session, Event::Open("v1".to_owned()));
        assert!(!effects.contains(&Effect::ReadGlossary), "{effects:?}");
    }

    #[test]
    fn a_link_closes_the_card_of_what_was_shown() {
        let mut session = Session::new();
        let card = Card {
            label: "Long Scoreboard".to_owned(),
            at: [0.0; 4],
        };
        update(&mut session, Event::Glossary(GlossaryEdit::Card(Some(card))));
        assert!(session.ui.glossary.card.is_some());
        update(
            &mut session,
            Event::Open("v1;lesson=memory/column-read".to_owned()),
        );
        assert_eq!(session.ui.glossary.card, None);
    }

    #[test]
    fn a_search_finds_names_before_other_names_before_texts() {
        let entry = |name: &str, also: &str, text: &str| {
            format!(
                r#"{{"id":"x","name":"{name}","also":["{also}"],"kind":"Memory","text":"{text}","source":"s","see":""}}"#
            )
        };
        let list = format!(
            "[{},{},{},{}]",
            entry("L1 cache", "", "Serves a sector."),
            entry("Transaction", "sector access", ""),
            entry("Sector", "", ""),
            entry("Sectors per request", "", ""),
        );
        let mut session = Session::new();
        update(&mut session, Event::Glossary(GlossaryEdit::Listed(Ok(list))));
        update(
            &mut session,
            Event::Glossary(GlossaryEdit::Search(" Sector".to_owned())),
        );
        let found = session.ui.glossary.found();
        let names: Vec<&str> = found.iter().map(|term| term.name.as_str()).collect();
        assert_eq!(
            names,
            ["Sector", "Sectors per request", "Transaction", "L1 cache"]
        );
        update(
            &mut session,
            Event::Glossary(GlossaryEdit::Listed(Ok("[".to_owned()))),
        );
        assert!(
            matches!(&session.ui.glossary.terms, Some(Err(why)) if why.starts_with("The glossary is damaged"))
        );
    }
}
