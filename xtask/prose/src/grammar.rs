//! Grammar, by Harper.

use std::sync::Arc;

use harper_core::linting::LintGroup;
use harper_core::parsers::PlainEnglish;
use harper_core::spell::FstDictionary;
use harper_core::{Dialect, Document};

use crate::markdown::NOUN;

/// Rules of Harper that are off, each with the reason.
const OFF: [(&str, &str); 48] = [
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
    (
        "OrthographicConsistency",
        "It takes names such as md, csv, and CUB for words in the wrong case.",
    ),
    ("RegularIrregulars", "`strided` is a term of memory accesses."),
    ("WrongNegative", "It takes IMAD and IMC for negative prefixes."),
    (
        "SingleBe",
        "It is wrong where a placeholder stands between two verbs.",
    ),
    ("ExpandAlloc", "`alloc` is in names of CUDA's functions."),
    ("ExpandArgument", "`arg` is in names of functions and options."),
    ("ExpandConfiguration", "`config` is in names of functions."),
    ("ExpandControl", "Ctrl is the name of a key."),
    (
        "ExpandDirectory",
        "DIR is a placeholder of the command line's help.",
    ),
    ("ExpandMinimum", "`min` is a function."),
    ("ExpandPointer", "`ptr` is in names of PTX and Thrust."),
    (
        "ToTwoToo",
        "It guesses at `to` before a word that can be an adjective, as in `to long lists`.",
    ),
    (
        "MissingTo",
        "It takes `needs` before a noun that can be a verb for an infinitive.",
    ),
    (
        "DisjointPrefixes",
        "`over`, `under`, and `sub` are prepositions and names here.",
    ),
    (
        "ThatThan",
        "It takes `more` before a relative clause for a comparison.",
    ),
    (
        "OneOfTheSingular",
        "`one of the text` is said of lists of names in code.",
    ),
    (
        "QuantifierNumeralConflict",
        "`each 32 bytes` and `some 16` are quantities.",
    ),
    (
        "CompoundNouns",
        "`front end` and `key map` are two words in compilers' manuals.",
    ),
    (
        "MissingPreposition",
        "It does not know nouns in front of nouns, as in `pixel columns`.",
    ),
    (
        "PronounInflectionBe",
        "It takes the last word of a name for the subject.",
    ),
    (
        "CompaniesProductsAndTrademarks",
        "A stack overflow is no company.",
    ),
    ("LetsConfusion", "It takes `let` for an invitation."),
    (
        "NounVerbConfusion",
        "It guesses at the part of speech from the neighbors.",
    ),
    ("SimplePastToPastParticiple", "A bit is no past tense."),
    (
        "DiscourseMarkers",
        "It asks for commas after every adverb at the start of a sentence.",
    ),
    (
        "ItsContraction",
        "It guesses at the part of speech from the neighbors.",
    ),
    ("OkToOkay", "`ok` is a column of tables that programs read."),
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

    pub(crate) fn check(&mut self, text: &[char]) -> Vec<Mistake> {
        let letters: String = text.iter().collect();
        let document = Document::new(&letters, &PlainEnglish, &*self.dictionary);
        let mut mistakes = Vec::new();
        for (rule, lints) in self.lints.organized_lints(&document) {
            for lint in lints {
                // A placeholder can stand for anything: an article before it may be right.
                let end = (lint.span.end + 2).min(text.len());
                let around: String = text.get(lint.span.start..end).into_iter().flatten().collect();
                if around.split(' ').any(|word| word == NOUN) {
                    continue;
                }
                let found = lint.get_str(text);
                mistakes.push(Mistake {
                    rule: rule.clone(),
                    start: lint.span.start,
                    message: format!("`{found}`: {}", lint.message.replace('\n', " ")),
                });
            }
        }
        mistakes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::markdown;
    use crate::piece::{Kind, Place};

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
