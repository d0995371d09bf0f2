//! Words that are misspelled, and those that only other countries spell so.

use std::borrow::Cow;
use std::collections::BTreeSet;

use harper_core::Dialect;
use harper_core::spell::{Dictionary, FstDictionary};
use typos::tokens::{Case, Identifier, Tokenizer, Word};
use typos::{Dictionary as Typos, Status};
use unicase::UniCase;

use crate::finding::Finding;
use texts::piece::{Piece, words};

/// Words that are right here: of the hardware, of CUDA, of our own.
const ALLOWED: &str = include_str!("../words.txt");

/// The dictionary of misspellings, less the words that are allowed.
pub(crate) struct Spelling {
    allowed: BTreeSet<String>,
    tokenizer: Tokenizer,
    dictionary: std::sync::Arc<FstDictionary>,
}

impl Spelling {
    pub(crate) fn new() -> Self {
        Self {
            allowed: allowed(ALLOWED),
            tokenizer: Tokenizer::new(),
            dictionary: FstDictionary::curated(),
        }
    }

    pub(crate) fn check(&self, piece: &Piece, findings: &mut Vec<Finding>) {
        let text: String = piece.text.iter().collect();
        for typo in typos::check_str(&text, &self.tokenizer, self) {
            let idx = text[..typo.byte_offset].chars().count();
            let better = match &typo.corrections {
                Status::Corrections(words) => words.join("` or `"),
                Status::Valid | Status::Invalid => continue,
            };
            let message = format!("`{}` is spelled `{better}`", typo.typo);
            findings.push(Finding::new("spelling", piece, idx, message));
        }
        for (start, end) in words(&piece.text) {
            let word = &piece.text[start..end];
            // Names and abbreviations are of no country.
            if word.iter().skip(1).any(|letter| letter.is_uppercase())
                || self.is_allowed(&piece.slice(start, end))
            {
                continue;
            }
            let lower: Vec<char> = word.iter().flat_map(|letter| letter.to_lowercase()).collect();
            let Some(metadata) = self.dictionary.get_word_metadata(&lower) else {
                continue;
            };
            if metadata
                .dialect
                .is_some_and(|dialect| dialect != Dialect::American)
            {
                let message = format!("`{}` is not American spelling", piece.slice(start, end));
                findings.push(Finding::new("american-spelling", piece, start, message));
            }
        }
    }

    fn is_allowed(&self, word: &str) -> bool {
        self.allowed.contains(&word.to_lowercase())
    }
}

impl Typos for Spelling {
    fn correct_ident<'s>(&'s self, _: Identifier<'_>) -> Option<Status<'s>> {
        None
    }

    fn correct_word<'s>(&'s self, word: Word<'_>) -> Option<Status<'s>> {
        // One or two letters, and words in capitals, are names: of registers, opcodes, units.
        if word.token().len() < 3
            || matches!(word.case(), Case::Upper | Case::None)
            || self.is_allowed(word.token())
        {
            return None;
        }
        let corrections = typos_dict::WORD.find(&UniCase::new(word.token()))?;
        Some(Status::Corrections(
            corrections.iter().map(|word| Cow::Borrowed(*word)).collect(),
        ))
    }
}

/// The words of the list: one a line, comments after `#`.
fn allowed(list: &str) -> BTreeSet<String> {
    let word = |line: &str| line.split('#').next().unwrap_or_default().trim().to_lowercase();
    list.lines().map(word).filter(|word| !word.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use texts::markdown;
    use texts::piece::Kind;

    fn findings(text: &str) -> Vec<String> {
        let spelling = Spelling::new();
        let mut findings = Vec::new();
        for piece in markdown::pieces(text, Kind::Document, |_| texts::piece::Place::default()) {
            spelling.check(&piece, &mut findings);
        }
        findings.into_iter().map(|finding| finding.message).collect()
    }

    #[test]
    fn a_misspelled_word_is_found() {
        assert_eq!(
            findings("Warps recieve values."),
            ["`recieve` is spelled `receive`"]
        );
    }

    #[test]
    fn a_british_word_is_found() {
        assert_eq!(
            findings("The colour of a warp."),
            ["`colour` is not American spelling"]
        );
    }

    #[test]
    fn names_of_the_hardware_are_no_mistakes() {
        assert!(findings("An LDS of SM 3 and its FFMA, MUFU, and BSSY instructions stall.").is_empty());
    }
}
