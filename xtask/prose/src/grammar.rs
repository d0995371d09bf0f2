//! Grammar, by Harper.

use std::sync::Arc;

use harper_core::linting::LintGroup;
use harper_core::parsers::PlainEnglish;
use harper_core::spell::FstDictionary;
use harper_core::{Dialect, Document};

use crate::finding::Finding;
use crate::markdown::NOUN;
use crate::piece::Piece;

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
    ("UseTitleCase", "Headings are sentences."),
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
    (
        "NoFrenchSpaces",
        "Columns of tables on the command line are aligned with spaces.",
    ),
    (
        "UseEllipsisCharacter",
        "Three dots are CUDA's for a parameter pack.",
    ),
    ("EllipsisLength", "Dots stand for what is left out of code."),
    (
        "ExpandMemoryShorthands",
        "KB and MB are written as NVIDIA's guides write them.",
    ),
    ("ExpandTimeShorthands", "ms and s are units beside a number."),
    ("CapitalizePersonalPronouns", "i is an index."),
    ("Dashes", "Two hyphens start an option."),
    ("NumericRangeEnDash", "A hyphen between numbers is a difference."),
    (
        "CommaFixes",
        "A comma without a space separates values in a list such as 4,4,2.",
    ),
    ("QuoteSpacing", "Quotes are C's."),
    (
        "SplitWords",
        "It joins words such as `sub set` that are names beside each other.",
    ),
    (
        "MoreAdjective",
        "It takes counts, as in `more even rows`, for comparatives.",
    ),
    (
        "MassNouns",
        "`code`, `hardware`, and `work` are counted in none of our texts; it guesses.",
    ),
];

/// Harper, set up for technical text.
pub(crate) struct Grammar {
    lints: LintGroup,
    dictionary: Arc<FstDictionary>,
}

impl Grammar {
    pub(crate) fn new() -> Self {
        let dictionary = FstDictionary::curated();
        let mut lints = LintGroup::new_curated(dictionary.clone(), Dialect::American);
        for (rule, _) in OFF {
            lints.config.set_rule_enabled(rule, false);
        }
        Self { lints, dictionary }
    }

    pub(crate) fn check(&mut self, piece: &Piece, findings: &mut Vec<Finding>) {
        let text: String = piece.text.iter().collect();
        let document = Document::new(&text, &PlainEnglish, &*self.dictionary);
        for (rule, lints) in self.lints.organized_lints(&document) {
            for lint in lints {
                // What is in a placeholder's place is not known: an article before it may be right.
                let around = piece.slice(lint.span.start, lint.span.end + 2);
                if around.split(' ').any(|word| word == NOUN) {
                    continue;
                }
                let found = piece.slice(lint.span.start, lint.span.end);
                let message = format!("`{found}`: {}", lint.message);
                findings.push(Finding::new(&rule, piece, lint.span.start, message));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::markdown;
    use crate::piece::{Kind, Place};

    fn rules(text: &str) -> Vec<String> {
        let mut grammar = Grammar::new();
        let mut findings = Vec::new();
        for piece in markdown::pieces(text, Kind::Document, |_| Place::default()) {
            grammar.check(&piece, &mut findings);
        }
        findings.into_iter().map(|finding| finding.rule).collect()
    }

    #[test]
    fn mistakes_are_found() {
        assert_eq!(rules("A warp issues an load."), ["AnA"]);
        assert_eq!(rules("The the warp stalls."), ["RepeatedWords"]);
        assert_eq!(rules("Loads, stores and atomics stall."), ["OxfordComma"]);
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
        for (rule, _) in OFF {
            assert!(grammar.lints.contains_key(rule), "{rule}");
        }
    }
}
