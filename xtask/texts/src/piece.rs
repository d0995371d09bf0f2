//! Text to check, with the place in its file of every character.

/// A place in a file; lines and columns count from 1, columns in characters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// The line.
    pub line: u32,
    /// The column.
    pub column: u32,
}

/// How placeholders of a format and code between backticks are returned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Code {
    /// As a noun, so that a grammar can read the sentence.
    Noun,
    /// As written.
    Kept,
}

/// Who reads a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A string literal: the page, a diagnostic, a message of the command line.
    Interface,
    /// A comment or doc comment.
    Comment,
    /// A paragraph of a Markdown file.
    Document,
}

/// A text that is checked alone: a paragraph, a cell of a table, a string literal.
#[derive(Clone, Debug)]
pub struct Piece {
    /// Who reads it.
    pub kind: Kind,
    /// The characters.
    pub text: Vec<char>,
    /// The place of each character.
    pub places: Vec<Place>,
}

impl Piece {
    /// An empty text.
    pub fn new(kind: Kind) -> Self {
        Self {
            kind,
            text: Vec::new(),
            places: Vec::new(),
        }
    }

    /// Adds a character.
    pub fn push(&mut self, letter: char, place: Place) {
        self.text.push(letter);
        self.places.push(place);
    }

    /// Adds a text that is not in the file as it is written here, such as the noun that replaces a placeholder.
    pub fn push_all(&mut self, text: &str, place: Place) {
        for letter in text.chars() {
            self.push(letter, place);
        }
    }

    /// The place of a character, or that of the last one.
    pub fn place(&self, idx: usize) -> Place {
        let place = self.places.get(idx).or(self.places.last());
        place.copied().unwrap_or_default()
    }

    /// The text between two characters.
    pub fn slice(&self, start: usize, end: usize) -> String {
        let end = end.min(self.text.len());
        self.text.get(start..end).into_iter().flatten().collect()
    }

    /// Whether there is anything to check: two words, or one word with one capital, its first letter.
    pub fn is_prose(&self) -> bool {
        let words = words(&self.text);
        let is_word = |(start, end): &(usize, usize)| {
            let word = &self.text[*start..*end];
            word.len() > 1
                && word[1..]
                    .iter()
                    .all(|letter| letter.is_lowercase() || *letter == '\'')
        };
        let num_words = words.iter().filter(|word| is_word(word)).count();
        match num_words {
            0 => false,
            1 => words.len() == 1 && self.text.first().is_some_and(|letter| letter.is_uppercase()),
            _ => true,
        }
    }
}

/// Start and end of each word: letters, with apostrophes between them.
pub fn words(text: &[char]) -> Vec<(usize, usize)> {
    let mut words = Vec::new();
    let mut start = None;
    for idx in 0..=text.len() {
        let is_letter = |idx: usize| text.get(idx).is_some_and(|letter| letter.is_alphabetic());
        let is_apostrophe =
            matches!(text.get(idx), Some('\'' | '’')) && start.is_some() && is_letter(idx + 1);
        if is_letter(idx) || is_apostrophe {
            start.get_or_insert(idx);
        } else if let Some(start) = start.take() {
            words.push((start, idx));
        }
    }
    words
}

/// The place of every character of a file, by its byte.
pub struct Lines<'a> {
    text: &'a str,
    starts: Vec<usize>,
}

impl<'a> Lines<'a> {
    /// The places of a file's text.
    pub fn new(text: &'a str) -> Self {
        let starts = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1));
        Self {
            text,
            starts: starts.collect(),
        }
    }

    /// The place of a byte.
    pub fn place(&self, byte: usize) -> Place {
        let line = self.starts.partition_point(|start| *start <= byte) - 1;
        let column = self.text[self.starts[line]..byte].chars().count();
        Place {
            line: line as u32 + 1,
            column: column as u32 + 1,
        }
    }
}
