//! The glossary as the page shows it: its terms arrive as a file, when somebody opens it.

use serde::Deserialize;

use super::{Effect, Session};

/// An event of the glossary.
#[derive(Clone, Debug, PartialEq)]
pub enum GlossaryEdit {
    /// The list of terms arrived, or the reason why it did not.
    Listed(Result<String, String>),
    /// The text of the search field.
    Search(String),
    /// Opens the card of the term that a label names, or closes the card.
    Card(Option<String>),
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
}

/// The state of the glossary.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Glossary {
    /// The terms, if they have arrived, or why they have not.
    pub terms: Option<Result<Vec<Entry>, String>>,
    /// The text of the search field.
    pub search: String,
    /// The label whose card is open.
    pub card: Option<String>,
}

impl Glossary {
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
pub(super) fn edit(session: &mut Session, edit: GlossaryEdit) -> Vec<Effect> {
    let glossary = &mut session.ui.glossary;
    match edit {
        GlossaryEdit::Listed(text) => {
            glossary.terms = Some(text.and_then(|text| {
                serde_json::from_str(&text).map_err(|error| format!("The glossary is damaged: {error}."))
            }));
        }
        GlossaryEdit::Search(text) => glossary.search = text,
        GlossaryEdit::Card(label) => {
            glossary.card = label;
            if glossary.card.is_some() && !matches!(glossary.terms, Some(Ok(_))) {
                return vec![Effect::ReadGlossary];
            }
        }
    }
    Vec::new()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::{Event, update};

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
