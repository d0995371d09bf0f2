//! The sentences of a lesson: the strings of its TOML file, except what no reader sees.

use crate::markdown;
use crate::piece::{Code, Kind, Piece, Place};

/// Keys whose strings are not sentences.
const NO_SENTENCE: [&str; 15] = [
    "link", "before", "shows", "other", "about", "mark", "ring", "claims", "value", "holds", "goal", "from",
    "to", "kind", "source",
];

/// The pieces of a lesson.
pub fn pieces(text: &str, code: Code) -> Vec<Piece> {
    let letters: Vec<(usize, char)> = text.char_indices().collect();
    let mut pieces = Vec::new();
    let (mut idx, mut key) = (0, String::new());
    let (mut line, mut column) = (1, 1);
    let mut places = vec![Place::default(); text.len() + 1];
    for (at, letter) in &letters {
        places[*at] = Place { line, column };
        if *letter == '\n' {
            (line, column) = (line + 1, 1);
        } else {
            column += 1;
        }
    }
    let starts = |idx: usize, mark: &str| {
        letters
            .get(idx)
            .is_some_and(|(at, _)| text[*at..].starts_with(mark))
    };
    while let Some((at, letter)) = letters.get(idx).copied() {
        if letter == '#' {
            while letters.get(idx).is_some_and(|(_, letter)| *letter != '\n') {
                idx += 1;
            }
        } else if letter == '"' {
            let quotes = if starts(idx, "\"\"\"") { "\"\"\"" } else { "\"" };
            let from = at + quotes.len();
            idx += quotes.len();
            while idx < letters.len() && !starts(idx, quotes) {
                idx += if letters[idx].1 == '\\' { 2 } else { 1 };
            }
            let to = letters.get(idx).map_or(text.len(), |(at, _)| *at);
            idx += quotes.len();
            if !NO_SENTENCE.contains(&key.as_str()) {
                pieces.extend(markdown::pieces_with(
                    &text[from..to],
                    Kind::Interface,
                    code,
                    |at| places[from + at],
                ));
            }
        } else if letter.is_ascii_lowercase() || letter == '_' {
            let from = at;
            while letters
                .get(idx)
                .is_some_and(|(_, letter)| letter.is_ascii_lowercase() || *letter == '_')
            {
                idx += 1;
            }
            let to = letters.get(idx).map_or(text.len(), |(at, _)| *at);
            let rest = text[to..].trim_start_matches(' ');
            if rest.starts_with('=') {
                text[from..to].clone_into(&mut key);
            }
        } else {
            idx += 1;
        }
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_sentences_are_checked() {
        let text = "title = \"One small `tile`\" # no\nlink = \"v1;view=sm\"\n[[step]]\ntext = \"\"\"\nTwo lines.\n\"\"\"\n\
            choice = { options = [\"Three\", \"Four\"], holds = \"a > b\" }\nright = 3\n";
        let found: Vec<String> = pieces(text, Code::Noun)
            .iter()
            .map(|piece| piece.text.iter().collect::<String>().trim().to_owned())
            .collect();
        assert_eq!(found, ["One small X", "Two lines.", "Three", "Four"]);
        assert_eq!(
            pieces(text, Code::Noun)[1].places[0],
            Place { line: 5, column: 1 }
        );
    }
}
