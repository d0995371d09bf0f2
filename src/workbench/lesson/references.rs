//! Texts that refer to what is hidden until the answer.

use super::{Ask, Sight, Step};

/// Words that a reader follows on the page, and what must be in sight for them. The first match of a sentence decides;
/// phrases about code come before the more general ones about pictures.
const PHRASES: [(&str, Place); 38] = [
    ("source view", Place::Sight(Sight::Code)),
    ("in the sass", Place::Sight(Sight::Code)),
    ("look at the instruction", Place::Sight(Sight::Code)),
    ("look at the instructions", Place::Sight(Sight::Code)),
    ("look at the suffix", Place::Sight(Sight::Code)),
    ("look for a statement", Place::Sight(Sight::Code)),
    ("look for a call", Place::Sight(Sight::Code)),
    ("look for lds", Place::Sight(Sight::Code)),
    ("step forward", Place::Sight(Sight::Run)),
    ("step back", Place::Sight(Sight::Run)),
    ("step through", Place::Sight(Sight::Run)),
    ("inspector", Place::Inspector),
    ("the facts", Place::Inspector),
    ("select the", Place::Inspector),
    ("select a", Place::Inspector),
    ("open the", Place::Inspector),
    ("picture", Place::Sight(Sight::Picture)),
    ("the timeline", Place::Sight(Sight::Picture)),
    ("view", Place::Sight(Sight::Picture)),
    ("plot", Place::Sight(Sight::Picture)),
    ("plots shows", Place::Sight(Sight::Picture)),
    ("the curve of the sweep", Place::Sight(Sight::Picture)),
    ("read the point", Place::Sight(Sight::Picture)),
    ("read the longest", Place::Sight(Sight::Picture)),
    ("row of turns", Place::Sight(Sight::Picture)),
    ("thin marks", Place::Sight(Sight::Picture)),
    ("between two issues", Place::Sight(Sight::Picture)),
    ("each cell", Place::Sight(Sight::Picture)),
    ("filled cells", Place::Sight(Sight::Picture)),
    ("filled mark", Place::Sight(Sight::Picture)),
    ("hatched", Place::Sight(Sight::Picture)),
    ("this cycle", Place::Sight(Sight::Picture)),
    ("cycle shown", Place::Sight(Sight::Picture)),
    ("is selected", Place::Sight(Sight::Picture)),
    ("look for", Place::Sight(Sight::Picture)),
    ("look at", Place::Sight(Sight::Picture)),
    ("table below", Place::Sight(Sight::Picture)),
    ("instruction with the most", Place::Sight(Sight::Picture)),
];

/// Where a text sends the reader.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// A part of the page that `shows` can keep in sight.
    Sight(Sight),
    /// The inspector or another view, which stay closed until the answer.
    Inspector,
}

/// A sentence that begins so is about what follows the answer.
const LATER: [&str; 2] = ["after the answer", "after your answer"];

impl Step {
    /// Sentences of the step that refer to what is hidden until the answer, each with the repair.
    pub fn references_to_hidden(&self) -> Vec<String> {
        let Some(ask) = self.ask.as_ref().filter(|_| self.is_veiled()) else {
            return Vec::new();
        };
        let mut found = Vec::new();
        for (name, text) in self.texts_before(ask) {
            for sentence in text.split_inclusive(['.', '?', '!']) {
                if let Some(fault) = self.fault_of(sentence) {
                    let sentence = sentence.split_whitespace().collect::<Vec<_>>().join(" ");
                    found.push(format!("the {name} refers to {fault}: “{sentence}”"));
                }
            }
        }
        found
    }

    /// The texts that a reader sees before the answer.
    fn texts_before<'s>(&'s self, ask: &'s Ask) -> Vec<(&'static str, &'s str)> {
        let mut texts = vec![
            ("text", self.text.as_str()),
            ("question", &ask.question),
            ("hint", &ask.hint),
            ("reason", &ask.otherwise),
        ];
        texts.extend(ask.wrong.iter().map(|wrong| ("reason", wrong.reason.as_str())));
        texts
    }

    fn fault_of(&self, sentence: &str) -> Option<String> {
        let words = words(sentence);
        if LATER.iter().any(|later| contains(&words, later)) {
            return None;
        }
        let (phrase, place) = PHRASES.iter().find(|(phrase, _)| contains(&words, phrase))?;
        match place {
            Place::Sight(sight) if self.shows(*sight) => None,
            // A picture of the source has its code.
            Place::Sight(Sight::Code) if self.shows(Sight::Picture) && self.pictures_source() => None,
            Place::Sight(sight) => Some(format!(
                "what is hidden until the answer (`{phrase}`): write it without, or add `{}` to `shows`",
                sight.key()
            )),
            Place::Inspector => Some(format!(
                "what stays closed until the answer (`{phrase}`): write it without, or begin with “After the answer,”"
            )),
        }
    }

    fn pictures_source(&self) -> bool {
        self.scenario().view == crate::share::View::Source
    }
}

impl Sight {
    /// The word in `shows`.
    const fn key(self) -> &'static str {
        match self {
            Self::Code => "code",
            Self::Picture => "picture",
            Self::Run => "run",
        }
    }
}

/// The words of a text, in lower case.
fn words(text: &str) -> Vec<String> {
    text.split(|letter: char| !letter.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect()
}

/// Whether words contain those of a phrase, in its order.
fn contains(words: &[String], phrase: &str) -> bool {
    let phrase: Vec<&str> = phrase.split(' ').collect();
    words.windows(phrase.len()).any(|found| found == phrase)
}
