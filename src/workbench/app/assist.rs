//! Completion, hover, definitions, and renaming in the editor: requests to the compiler, the list of completions, and
//! the resulting edits.

use std::ops::Range;

use super::code_edit::Edit;
use super::compiler::{EditorQuery, EditorRequest, Request};
use engine::arch::ArchId;
use engine::isa::CompileOptions;

pub use cuda::assist::{Completion, Hover, Proposal, SymbolKind, filtered, takes_enter};

/// Columns of a tab, equal to the style sheet.
const TAB: usize = 4;
/// Limit of rendered rows; further letters narrow the list.
pub const ROWS: usize = 80;
/// The number of letters after which the list opens automatically.
const LETTERS: usize = 2;

/// The compile target of a text.
#[derive(Clone, Debug, PartialEq)]
pub struct Target {
    /// The architecture.
    pub arch: ArchId,
    /// The compiler's options.
    pub options: CompileOptions,
    /// The kernel whose registers an explanation names; `None` for the first one.
    pub entry: Option<String>,
}

impl Target {
    /// The request for the editor's query about an offset of a text.
    pub fn request(&self, text: String, at: usize, query: EditorQuery) -> Request {
        Request::Editor(EditorRequest {
            text,
            arch: self.arch,
            options: self.options,
            entry: self.entry.clone(),
            at,
            query,
        })
    }
}

/// The shown completions, and the selected one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct List {
    completion: Completion,
    /// The matching proposals, best first, with the byte ranges of the matched letters.
    found: Vec<(usize, Vec<Range<usize>>)>,
    /// The letters before the cursor.
    letters: String,
    /// The selected row.
    pub row: usize,
    /// Whether the user moved through the list.
    pub is_chosen: bool,
    /// Whether the user requested the list.
    pub is_asked: bool,
}

impl List {
    /// The list of completions at an offset of a text, if any proposal matches the letters there.
    pub fn open(completion: Completion, text: &str, at: usize, is_asked: bool) -> Option<Self> {
        let mut list = Self {
            completion,
            found: Vec::new(),
            letters: String::new(),
            row: 0,
            is_chosen: false,
            is_asked,
        };
        list.follow(text, at).then_some(list)
    }

    /// Updates the list after typing. Returns whether the list stays open.
    pub fn follow(&mut self, text: &str, at: usize) -> bool {
        let start = self.completion.word.start;
        let Some(letters) = text.get(start..at) else {
            return false;
        };
        let is_header = self
            .completion
            .proposals
            .iter()
            .any(|proposal| proposal.kind == SymbolKind::Header);
        let is_word = |letter: char| {
            letter.is_ascii_alphanumeric() || letter == '_' || (is_header && matches!(letter, '/' | '.'))
        };
        if !letters.chars().all(is_word) {
            return false;
        }
        let rest = text[at..]
            .find(|letter| !is_word(letter))
            .unwrap_or(text.len() - at);
        self.completion.word = start..at + rest;
        if letters != self.letters {
            self.row = 0;
            self.is_chosen = false;
        }
        letters.clone_into(&mut self.letters);
        self.found = filtered(&self.completion.proposals, letters);
        // A complete word without alternatives needs no list.
        let is_complete = self.found.len() == 1 && self.at(0).is_some_and(|(one, _)| one.name == letters);
        !self.found.is_empty() && (self.is_asked || !is_complete)
    }

    /// The start of its word.
    pub fn start(&self) -> usize {
        self.completion.word.start
    }

    /// Whether an offset is in its word.
    pub fn holds(&self, at: usize) -> bool {
        (self.completion.word.start..=self.completion.word.end).contains(&at)
    }

    /// The number of matching proposals.
    pub fn len(&self) -> usize {
        self.found.len()
    }

    /// Whether no proposal matches.
    pub fn is_empty(&self) -> bool {
        self.found.is_empty()
    }

    /// A row: the proposal, and the byte ranges of the matched letters.
    pub fn at(&self, row: usize) -> Option<(&Proposal, &[Range<usize>])> {
        let (idx, ranges) = self.found.get(row)?;
        Some((self.completion.proposals.get(*idx)?, ranges))
    }

    /// Moves the selection by this many rows.
    pub fn choose_beside(&mut self, step: i32) {
        let num = self.found.len().clamp(1, ROWS) as i32;
        self.row = (self.row as i32 + step).rem_euclid(num) as usize;
        self.is_chosen = true;
    }

    /// Whether Enter inserts the selected row.
    pub fn takes_enter(&self) -> bool {
        let chosen = self.at(self.row);
        chosen
            .is_some_and(|(proposal, _)| takes_enter(proposal, &self.letters, self.is_chosen, self.is_asked))
    }

    /// The edit that inserts a row.
    pub fn insertion(&self, text: &str, row: usize) -> Option<Edit> {
        let (proposal, _) = self.at(row)?;
        let range = self.completion.word.clone();
        let mut inserted = proposal.name.clone();
        if proposal.kind == SymbolKind::Header {
            let quote = text[..range.start].chars().next_back();
            let close = if quote == Some('<') { '>' } else { '"' };
            if !text[range.end..].starts_with(close) {
                inserted.push(close);
            }
        }
        let end = range.start + inserted.len();
        Some(Edit {
            range,
            text: inserted,
            select: end..end,
        })
    }

    /// The selected row as a sentence, for screen readers.
    pub fn spoken(&self) -> String {
        let Some((proposal, _)) = self.at(self.row) else {
            return String::new();
        };
        let lacks = proposal
            .lacks
            .as_deref()
            .map_or(String::new(), |lacks| format!(" {lacks}"));
        format!(
            "{}, {}, {} of {}.{lacks}",
            proposal.name,
            proposal.kind.name(),
            self.row + 1,
            self.found.len()
        )
    }
}

/// Whether the list may open automatically after typing: after two letters of a word, after `.`, `->`, and `::`, and in
/// directives. Does not need an index.
pub fn may_open(text: &str, at: usize) -> bool {
    let Some(before) = text.get(..at) else {
        return false;
    };
    let line = before.rsplit('\n').next().unwrap_or_default();
    if line.trim_start().starts_with('#') {
        return true;
    }
    let word = before.len()
        - before
            .trim_end_matches(|letter: char| letter.is_ascii_alphanumeric() || letter == '_')
            .len();
    word >= LETTERS || word == 0 && ["->", "::", "."].iter().any(|end| before.ends_with(end))
}

/// Replaces all uses of a name; `None` if the new name is not an identifier.
pub fn rename(text: &str, uses: &[Range<usize>], name: &str) -> Option<Edit> {
    let is_name = name.starts_with(|letter: char| letter.is_ascii_alphabetic() || letter == '_')
        && name
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    let (first, last) = (uses.first()?, uses.last()?);
    if !is_name || text.get(first.clone())? == name {
        return None;
    }
    let mut new = String::new();
    let mut from = first.start;
    for place in uses {
        new += text.get(from..place.start)?;
        new += name;
        from = place.end;
    }
    let end = first.start + name.len();
    Some(Edit {
        range: first.start..last.end,
        text: new,
        select: end..end,
    })
}

/// Columns between the start of the line and an offset: a tab advances to the next multiple of four.
pub fn cells_before(text: &str, at: usize) -> usize {
    let start = text[..at].rfind('\n').map_or(0, |end| end + 1);
    text[start..at].chars().fold(0, advance)
}

fn advance(cells: usize, letter: char) -> usize {
    if letter == '\t' {
        cells / TAB * TAB + TAB
    } else {
        cells + 1
    }
}

/// The offset of a cell of a line, both from 0; `None` if the line has no character there.
pub fn offset_of_cell(text: &str, line: usize, cell: usize) -> Option<usize> {
    let ends = text.match_indices('\n').map(|(end, _)| end + 1);
    let start = std::iter::once(0).chain(ends).nth(line)?;
    let mut cells = 0;
    let letters = text[start..]
        .char_indices()
        .take_while(|(_, letter)| *letter != '\n');
    for (at, letter) in letters {
        cells = advance(cells, letter);
        if cell < cells {
            return Some(start + at);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::compiler::{Response, respond};

    fn target() -> Target {
        Target {
            arch: ArchId::Tu102,
            options: CompileOptions::default(),
            entry: None,
        }
    }

    fn list(marked: &str) -> (String, Option<List>) {
        let at = marked.find('|').unwrap_or_default();
        let text = marked.replacen('|', "", 1);
        let query = EditorQuery::Complete { asked: false };
        let Response::Completion(completion) = respond(&target().request(text.clone(), at, query)) else {
            panic!("a request for completions has such a response");
        };
        let list = completion.and_then(|completion| List::open(completion, &text, at, false));
        (text, list)
    }

    #[test]
    fn an_insertion_replaces_the_whole_word() {
        let (text, list) = list("__global__ void k(int *a) {\n    __synct|hr();\n}\n");
        let edit = list.and_then(|list| list.insertion(&text, 0));
        let new = edit.map(|edit| edit.apply(&text));
        assert_eq!(
            new.as_deref(),
            Some("__global__ void k(int *a) {\n    __syncthreads();\n}\n")
        );
    }

    #[test]
    fn a_header_gets_its_closing_bracket() {
        let (text, list) = list("#include <cooperative_g|\n");
        let new = list
            .and_then(|list| list.insertion(&text, 0))
            .map(|edit| edit.apply(&text));
        assert_eq!(new.as_deref(), Some("#include <cooperative_groups.h>\n"));
    }

    #[test]
    fn matching_letters_narrow_the_list_and_others_close_it() {
        let (text, list) = list("__global__ void k(int *a) {\n    sy|\n}\n");
        assert!(list.is_some());
        let Some(mut list) = list else { return };
        let (num, at) = (list.len(), text.find("sy").unwrap_or_default() + 2);
        list.choose_beside(1);
        let more = text.replacen("sy", "syncth", 1);
        assert!(list.follow(&more, at + 4) && list.len() < num);
        assert_eq!((list.row, list.is_chosen), (0, false));
        assert!(!list.follow(&text.replacen("sy", "sy;", 1), at + 1));
    }

    #[test]
    fn the_list_opens_after_two_letters_and_after_dots() {
        let opens = |text: &str| may_open(text, text.len());
        assert!(opens("ab") && opens("p.") && opens("p->") && opens("cg::") && opens("#in"));
        assert!(!opens("a") && !opens("a ") && !opens("a + ") && !opens("p > "));
    }

    #[test]
    fn a_rename_is_one_edit() {
        let text = "int at = 1; at += at;";
        let uses = [4..6, 12..14, 18..20];
        let edit = rename(text, &uses, "place");
        assert_eq!(
            edit.map(|edit| edit.apply(text)).as_deref(),
            Some("int place = 1; place += place;")
        );
        assert_eq!(rename(text, &uses, "2"), None);
        assert_eq!(rename(text, &uses, "at"), None);
    }

    #[test]
    fn cells_count_tabs_to_the_next_stop() {
        let text = "a\n\tbc\n  é d";
        assert_eq!(cells_before(text, 3), 4);
        assert_eq!(offset_of_cell(text, 1, 4), Some(3));
        assert_eq!(offset_of_cell(text, 1, 6), None);
        assert_eq!(offset_of_cell(text, 2, 4), Some("a\n\tbc\n  é ".len()));
    }
}
