//! Our own rules: how Warpscope speaks.

use crate::finding::Finding;
use texts::piece::{Kind, Piece, words};

/// Most words of a sentence.
const LONGEST: usize = 25;

/// Phrases that are not written, with what to write instead. A phrase is words in lower case; `|` separates phrases.
const PHRASES: [(&str, &str, &str); 15] = [
    (
        "filler",
        "simply|just|please|of course|obviously|basically|needless to say",
        "Leave it out.",
    ),
    (
        "riddle",
        "of which|of whom|the former|the latter|respectively",
        "Name the thing again.",
    ),
    (
        "idiom",
        "is had|are had|be had|was had|can be had|is to be had",
        "Say `is available`, or name the action.",
    ),
    (
        "field-words",
        "ask|asks|asked|asking|want|wants|wanted|wish|wishes|wished",
        "Lanes access or request; a kernel needs; a user chooses.",
    ),
    (
        "field-words",
        "tell|tells|told|told apart",
        "Say `report`, `show`, or `distinguish`.",
    ),
    (
        "idiom",
        "give up|gives up|given up|let go|lets go|lets go of",
        "Say `evict`, `release`, or `drop`.",
    ),
    (
        "idiom",
        "under way|on its way|on the way|at the moment",
        "Say `in flight`, `loading`, or leave it out.",
    ),
    (
        "idiom",
        "mend|mends|mended|anew|once more",
        "Say `fix` and `again`.",
    ),
    (
        "idiom",
        "stands for itself|for its own sake|comes of|come of|what is more",
        "Say what the thing does.",
    ),
    (
        "idiom",
        "thereby|therein|thereof|whereof|wherefore|whither|hitherto|hence",
        "Use a plain word.",
    ),
    (
        "idiom",
        "lest|albeit|nay|ere|oft|amidst|amongst|whilst|unto",
        "Use a plain word.",
    ),
    (
        "idiom",
        "a good deal|a good part|a great many|no few|not a few",
        "Give the number, or say `many`.",
    ),
    (
        "idiom",
        "in vain|to no avail|for good|at hand|by hand of",
        "Say what happens.",
    ),
    (
        "wordy",
        "in order to|due to the fact that|in the case of|utilize|utilizes",
        "Use the short word.",
    ),
    (
        "as-usual",
        "as usual|as it should be|as they should be",
        "Say `default`, or what is expected.",
    ),
];

/// Ends of contractions.
const CONTRACTIONS: [&str; 6] = ["n't", "'re", "'ll", "'ve", "'m", "'d"];
/// Words before `'s` that make it `is` or `has`.
const BEFORE_IS: [&str; 11] = [
    "it", "that", "there", "here", "what", "who", "let", "he", "she", "where", "how",
];

/// Checks a piece by all rules.
pub(crate) fn check(piece: &Piece, findings: &mut Vec<Finding>) {
    let words: Vec<(usize, String)> = words(&piece.text)
        .into_iter()
        .map(|(start, end)| (start, piece.slice(start, end).to_lowercase().replace('’', "'")))
        .collect();
    phrases(piece, &words, findings);
    contractions(piece, &words, findings);
    units(piece, &words, findings);
    if piece.kind == Kind::Interface {
        long_sentences(piece, findings);
    }
}

fn phrases(piece: &Piece, words: &[(usize, String)], findings: &mut Vec<Finding>) {
    for (rule, phrases, advice) in PHRASES {
        for phrase in phrases.split('|') {
            let phrase: Vec<&str> = phrase.split(' ').collect();
            for found in words.windows(phrase.len()) {
                let is_phrase = found.iter().zip(&phrase).all(|((_, word), part)| word == part);
                if is_phrase {
                    let message = format!("`{}`. {advice}", phrase.join(" "));
                    findings.push(Finding::new(rule, piece, found[0].0, message));
                }
            }
        }
    }
}

fn contractions(piece: &Piece, words: &[(usize, String)], findings: &mut Vec<Finding>) {
    for (start, word) in words {
        let is_short = CONTRACTIONS.iter().any(|end| word.ends_with(end));
        let is_short_is = word
            .strip_suffix("'s")
            .is_some_and(|word| BEFORE_IS.contains(&word));
        if is_short || is_short_is {
            let message = format!("`{word}`. Write both words.");
            findings.push(Finding::new("contraction", piece, *start, message));
        }
    }
}

/// Units of memory as NVIDIA's guides write them.
fn units(piece: &Piece, words: &[(usize, String)], findings: &mut Vec<Finding>) {
    for (start, word) in words {
        if let "kib" | "mib" | "gib" = word.as_str() {
            let message = format!("`{word}`. Write KB, MB, or GB, as NVIDIA's guides do.");
            findings.push(Finding::new("unit", piece, *start, message));
        }
    }
}

/// Sentences of more than 25 words, as a warning.
fn long_sentences(piece: &Piece, findings: &mut Vec<Finding>) {
    let text = &piece.text;
    let (mut start, mut num_words) = (0, 0);
    for idx in 0..=text.len() {
        let ends = match text.get(idx) {
            None => true,
            Some('.' | '?' | '!' | ':' | ';') => {
                text.get(idx + 1).is_none_or(|letter| letter.is_whitespace())
            }
            Some(_) => false,
        };
        let is_word_end = text.get(idx).is_none_or(|letter| letter.is_whitespace())
            && idx > 0
            && !text[idx - 1].is_whitespace();
        num_words += usize::from(is_word_end);
        if ends {
            if num_words > LONGEST {
                let message =
                    format!("{num_words} words, at most {LONGEST} in a sentence. Make two sentences.");
                let mut finding = Finding::new("long-sentence", piece, start, message);
                finding.is_warning = true;
                findings.push(finding);
            }
            (start, num_words) = (idx + 2, 0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use texts::piece::Place;

    fn rules(text: &str, kind: Kind) -> Vec<String> {
        let mut piece = Piece::new(kind);
        piece.push_all(text, Place::default());
        let mut findings = Vec::new();
        check(&piece, &mut findings);
        findings.into_iter().map(|finding| finding.rule).collect()
    }

    #[test]
    fn banned_phrases_are_found() {
        for (text, rule) in [
            ("Simply pad the row.", "filler"),
            ("Two loads, the latter of 8 bytes.", "riddle"),
            ("A warp of which 3 lanes exited.", "riddle"),
            ("All lanes ask bank 8.", "field-words"),
            ("Don't pad.", "contraction"),
            ("It’s full.", "contraction"),
            ("48 KiB of shared memory", "unit"),
            ("The size is had from the driver.", "idiom"),
        ] {
            assert_eq!(rules(text, Kind::Document), [rule], "{text}");
        }
        assert!(
            rules(
                "The warp's lanes request 4 bytes each. An adjustable task.",
                Kind::Document
            )
            .is_empty()
        );
    }

    #[test]
    fn long_sentences_of_the_page_are_warned_of() {
        let long = "word ".repeat(26);
        assert_eq!(rules(&long, Kind::Interface), ["long-sentence"]);
        assert!(rules(&long, Kind::Comment).is_empty());
        let two = format!("{}. {}.", "word ".repeat(20).trim(), "word ".repeat(20).trim());
        assert!(rules(&two, Kind::Interface).is_empty());
    }
}
