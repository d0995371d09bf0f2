//! Names in the text of a program.

/// Whether a letter can be in a name.
pub(crate) fn is_part_of_name(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

/// The position of a name in a text, as a whole word.
pub(crate) fn find_word(text: &str, word: &str) -> Option<usize> {
    text.match_indices(word).map(|(at, _)| at).find(|at| {
        !text[..*at].ends_with(is_part_of_name) && !text[at + word.len()..].starts_with(is_part_of_name)
    })
}

/// Whether a text contains a name as a whole word.
pub(crate) fn has_word(text: &str, word: &str) -> bool {
    !word.is_empty() && find_word(text, word).is_some()
}
