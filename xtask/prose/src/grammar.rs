//! Grammar, by Harper.

use std::sync::Arc;

use harper_core::linting::{Lint, LintGroup, Linter};
use harper_core::parsers::PlainEnglish;
use harper_core::spell::FstDictionary;
use harper_core::{Dialect, Document};

use texts::markdown::NOUN;

/// Rules of Harper that are off, each with the reason.
const OFF: [(&str, &str); 20] = [
    (
        "SpellCheck",
        "Spelling is checked with typos: half of our words are names that no dictionary has.",
    ),
    (
        "SentenceCapitalization",
        "Messages of compilers and labels start in lower case.",
    ),
    ("LongSentences", "Its limit is 40 words; our own rule has 25."),
    ("SpelledNumbers", "Numbers are figures: writing.md, rule 3."),
    (
        "UnclosedQuotes",
        "A quote or prime stands for itself in labels and in code.",
    ),
    (
        "Spaces",
        "Columns of tables on the command line are aligned with spaces.",
    ),
    ("EllipsisLength", "Dots stand for what is left out of code."),
    ("ExpandTimeShorthands", "ms and s are units beside a number."),
    ("CapitalizePersonalPronouns", "i is an index."),
    ("Dashes", "Two hyphens start an option."),
    (
        "CommaFixes",
        "A comma without a space separates values in a list such as 4,4,2.",
    ),
    ("ExpandMinimum", "`min` is a function."),
    (
        "CompoundNouns",
        "`front end` and `key map` are two words in compilers' manuals.",
    ),
    (
        "CompaniesProductsAndTrademarks",
        "A stack overflow is no company.",
    ),
    ("LetsConfusion", "It takes `let` for an invitation."),
    ("MergeWords", "It joins units and prepositions, as in `GB/s on`."),
    (
        "Overall",
        "`over all` has its literal meaning in sums and maxima.",
    ),
    (
        "InflectedVerbAfterTo",
        "It takes nouns after `to` for verbs, as in `to passes`.",
    ),
    (
        "OxfordComma",
        "It takes a pair after a comma, as in `any cycle, forward and backward`, for a list.",
    ),
    ("AdjectiveOfA", "It takes nouns such as `cold` for adjectives."),
];

/// A place in a text that Harper finds wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Mistake {
    pub(crate) rule: String,
    /// The character at which it starts.
    pub(crate) start: usize,
    pub(crate) message: String,
}

/// Harper, set up for technical text.
pub(crate) struct Grammar {
    lints: LintGroup,
    /// The rules that are on.
    rules: Vec<String>,
    dictionary: Arc<FstDictionary>,
}

impl Grammar {
    pub(crate) fn new() -> Self {
        let dictionary = FstDictionary::curated();
        let mut lints = LintGroup::new_curated(dictionary.clone(), Dialect::American);
        for (rule, _) in OFF {
            lints.config.set_rule_enabled(rule, false);
        }
        let is_on = |rule: &&str| lints.config.is_rule_enabled(rule);
        let rules = lints.iter_keys().filter(is_on).map(str::to_owned).collect();
        Self {
            lints,
            rules,
            dictionary,
        }
    }

    pub(crate) fn check(&mut self, text: &[char]) -> Vec<Mistake> {
        let letters: String = text.iter().collect();
        let document = Document::new(&letters, &PlainEnglish, &*self.dictionary);
        if self.lints.lint(&document).is_empty() {
            return Vec::new();
        }
        // The group does not name its rules: each is run alone.
        let all = self.lints.config.clone();
        let mut mistakes = Vec::new();
        for rule in &self.rules {
            self.lints.set_all_rules_to(Some(false));
            self.lints.config.set_rule_enabled(rule, true);
            let found = self.lints.lint(&document);
            mistakes.extend(found.iter().filter_map(|lint| mistake(rule, lint, text)));
        }
        self.lints.config = all;
        mistakes
    }
}

/// What a rule found; nothing if it is about a placeholder, or about the article before a name.
fn mistake(rule: &str, lint: &Lint, text: &[char]) -> Option<Mistake> {
    // A placeholder can stand for anything: an article before it may be right.
    let end = (lint.span.end + 2).min(text.len());
    let around: String = text.get(lint.span.start..end).into_iter().flatten().collect();
    if around.split(' ').any(|word| word == NOUN) {
        return None;
    }
    // Harper does not know how H200, L1, and FP16 are spoken.
    let mut after = text.get(lint.span.end..).unwrap_or_default().iter();
    let next = after.by_ref().skip_while(|letter| letter.is_whitespace());
    let mut word = next.take_while(|letter| letter.is_alphanumeric());
    if rule == "AnA" && word.any(|letter| letter.is_numeric()) {
        return None;
    }
    let found: String = text
        .get(lint.span.start..lint.span.end)
        .into_iter()
        .flatten()
        .collect();
    Some(Mistake {
        rule: rule.to_owned(),
        start: lint.span.start,
        message: format!("`{found}`: {}", lint.message.replace('\n', " ")),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use texts::markdown;
    use texts::piece::{Kind, Place};

    fn rules(text: &str) -> Vec<String> {
        let mut grammar = Grammar::new();
        let pieces = markdown::pieces(text, Kind::Document, |_| Place::default());
        let mistakes = pieces.iter().flat_map(|piece| grammar.check(&piece.text));
        mistakes.map(|mistake| mistake.rule).collect()
    }

    #[test]
    fn mistakes_are_found() {
        assert_eq!(rules("A warp issues an load."), ["AnA"]);
        assert_eq!(rules("The the warp stalls."), ["RepeatedWords"]);
        assert_eq!(rules("The 2st warp stalls."), ["CorrectNumberSuffix"]);
    }

    #[test]
    fn technical_text_is_right() {
        let text = "Schedulers 0, 2, and 3 issue nothing. On scheduler 0, six warps stall because the MIO queue is full.";
        assert!(rules(text).is_empty());
        assert!(
            rules("All 32 lanes access different words in bank 8: this load takes 32 wavefronts.").is_empty()
        );
        assert!(rules("the kernel returns a `float4` and an `int`").is_empty());
    }

    #[test]
    fn rules_that_are_off_exist() {
        let grammar = Grammar::new();
        let is_unknown = |rule: &&str| !grammar.lints.contains_key(rule);
        let unknown: Vec<&str> = OFF.iter().map(|(rule, _)| *rule).filter(is_unknown).collect();
        assert!(unknown.is_empty(), "{unknown:?}");
    }
}
