//! Edits by the editor's keys: pure functions from a text and a selection to one replacement. The page applies the
//! replacement to the text field in a way that keeps the browser's undo.
//!
//! Offsets are bytes; the page uses UTF-16 units, see [`to_bytes`] and [`to_utf16`].

use std::ops::Range;

use super::Problem;
use cuda::lex::{TokenKind, tokens};

/// The indentation unit of a text without indentation.
const INDENTATION: usize = 4;

/// A replacement of a range of the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// The replaced range.
    pub range: Range<usize>,
    /// The new text.
    pub text: String,
    /// The selection afterward, in the new text.
    pub select: Range<usize>,
}

impl Edit {
    /// Replaces a range, with the cursor after the new text.
    fn insert(range: Range<usize>, text: impl Into<String>) -> Self {
        let text = text.into();
        let end = range.start + text.len();
        Self {
            range,
            text,
            select: end..end,
        }
    }

    /// The text after the edit.
    pub fn apply(&self, text: &str) -> String {
        let (before, after) = (text.get(..self.range.start), text.get(self.range.end..));
        format!(
            "{}{}{}",
            before.unwrap_or_default(),
            self.text,
            after.unwrap_or_default()
        )
    }
}

/// The byte offset of an offset in UTF-16 units, limited to the end of the text.
pub fn to_bytes(text: &str, utf16: usize) -> usize {
    let mut units = 0;
    for (at, letter) in text.char_indices() {
        if units >= utf16 {
            return at;
        }
        units += letter.len_utf16();
    }
    text.len()
}

/// The offset in UTF-16 units of a byte offset.
pub fn to_utf16(text: &str, at: usize) -> usize {
    text.get(..at).unwrap_or(text).encode_utf16().count()
}

/// Line of an offset, from 1.
pub fn line_at(text: &str, at: usize) -> u32 {
    let before = &text.as_bytes()[..at.min(text.len())];
    before.split(|byte| *byte == b'\n').count() as u32
}

/// The start of a line (from 1), or of the last line if the text is shorter.
pub fn line_start_of(text: &str, line: u32) -> usize {
    let ends = text.match_indices('\n').map(|(at, _)| at + 1);
    let starts = std::iter::once(0).chain(ends);
    starts.take(line.max(1) as usize).last().unwrap_or(0)
}

fn start_of_line(text: &str, at: usize) -> usize {
    text[..at].rfind('\n').map_or(0, |end| end + 1)
}

fn end_of_line(text: &str, at: usize) -> usize {
    text[at..].find('\n').map_or(text.len(), |end| at + end)
}

/// The leading white space of a line.
fn indentation(line: &str) -> &str {
    &line[..line.len() - line.trim_start_matches([' ', '\t']).len()]
}

/// The indentation unit of the text: a tab, or its smallest step of spaces.
fn unit(text: &str) -> String {
    let of_lines = || {
        text.lines()
            .filter(|line| !line.trim().is_empty())
            .map(indentation)
    };
    if of_lines().any(|white| white.starts_with('\t')) {
        return "\t".to_owned();
    }
    let narrowest = of_lines().map(str::len).filter(|width| *width > 1).min();
    " ".repeat(narrowest.filter(|width| *width <= 8).unwrap_or(INDENTATION))
}

/// The lines that a selection touches, except a last line where nothing is selected.
fn lines_of(text: &str, selection: &Range<usize>) -> Range<usize> {
    let start = start_of_line(text, selection.start);
    let end = if text[..selection.end].ends_with('\n') && selection.end > selection.start {
        selection.end - 1
    } else {
        selection.end
    };
    start..end_of_line(text, end.max(selection.start))
}

/// Changes each line that a selection touches. The selection stays.
fn each_line(text: &str, selection: &Range<usize>, change: impl Fn(&str) -> String) -> Edit {
    let range = lines_of(text, selection);
    let lines: Vec<(&str, String)> = text[range.clone()]
        .split('\n')
        .map(|line| (line, change(line)))
        .collect();
    let moved = |at: usize| -> usize {
        // The end of the selection keeps its distance from the end of its line.
        let (mut old, mut new) = (range.start, range.start);
        for (before, after) in &lines {
            if at <= old + before.len() {
                let from_end = old + before.len() - at;
                let is_start = at == old && selection.start != selection.end;
                return if is_start {
                    new
                } else {
                    new + after.len().saturating_sub(from_end)
                };
            }
            old += before.len() + 1;
            new += after.len() + 1;
        }
        new + at - old
    };
    let select = moved(selection.start)..moved(selection.end);
    let text: Vec<String> = lines.iter().map(|(_, after)| after.clone()).collect();
    Edit {
        text: text.join("\n"),
        range: range.clone(),
        select,
    }
}

/// Tab: inserts white space up to the next level, or indents the selected lines.
pub fn indent(text: &str, selection: Range<usize>) -> Edit {
    let unit = unit(text);
    if text[selection.clone()].contains('\n') {
        return each_line(text, &selection, |line| {
            if line.trim().is_empty() {
                line.to_owned()
            } else {
                format!("{unit}{line}")
            }
        });
    }
    if unit == "\t" {
        return Edit::insert(selection, unit);
    }
    let column = text[start_of_line(text, selection.start)..selection.start]
        .chars()
        .count();
    let spaces = unit.len() - column % unit.len();
    Edit::insert(selection, " ".repeat(spaces))
}

/// Shift Tab: outdents the lines of the selection.
pub fn outdent(text: &str, selection: Range<usize>) -> Edit {
    let unit = unit(text);
    each_line(text, &selection, |line| {
        let width = if line.starts_with('\t') {
            1
        } else {
            line.bytes()
                .take(unit.len().max(2))
                .take_while(|byte| *byte == b' ')
                .count()
        };
        line[width..].to_owned()
    })
}

/// Enter: a new line with the same indentation, one level deeper after an open bracket.
pub fn enter(text: &str, selection: Range<usize>) -> Edit {
    let before = &text[start_of_line(text, selection.start)..selection.start];
    let white = indentation(before);
    let opens = before.trim_end().ends_with(['{', '(', '[']);
    if !opens {
        return Edit::insert(selection, format!("\n{white}"));
    }
    let deeper = format!("\n{white}{}", unit(text));
    let after = text[selection.end..].trim_start_matches([' ', '\t']);
    if !after.starts_with('}') {
        return Edit::insert(selection, deeper);
    }
    let cursor = selection.start + deeper.len();
    let end = text.len() - after.len();
    let text = format!("{deeper}\n{white}");
    Edit {
        range: selection.start..end,
        text,
        select: cursor..cursor,
    }
}

/// Aligns a closing brace at the start of a line with the line of its opening brace.
pub fn close_brace(text: &str, selection: Range<usize>) -> Option<Edit> {
    let start = start_of_line(text, selection.start);
    if selection.start != selection.end || !text[start..selection.start].trim().is_empty() {
        return None;
    }
    let mut open = Vec::new();
    for token in tokens(&text[..start])
        .iter()
        .filter(|token| token.kind == TokenKind::Punct)
    {
        match token.text(text) {
            "{" => open.push(token.start as usize),
            "}" => {
                open.pop();
            }
            _ => {}
        }
    }
    let line = start_of_line(text, open.pop()?);
    let white = indentation(&text[line..]);
    Some(Edit::insert(start..selection.start, format!("{white}}}")))
}

/// Ctrl and slash: comments or uncomments the lines of the selection.
pub fn toggle_comment(text: &str, selection: Range<usize>) -> Edit {
    let lines = &text[lines_of(text, &selection)];
    let written = || lines.lines().filter(|line| !line.trim().is_empty());
    if written().count() > 0 && written().all(|line| line.trim_start().starts_with("//")) {
        return each_line(text, &selection, |line| match line.split_once("//") {
            Some((white, rest)) if white.trim().is_empty() => {
                format!("{white}{}", rest.strip_prefix(' ').unwrap_or(rest))
            }
            _ => line.to_owned(),
        });
    }
    let depth = written().map(|line| indentation(line).len()).min().unwrap_or(0);
    each_line(text, &selection, |line| {
        if line.trim().is_empty() {
            line.to_owned()
        } else {
            format!("{}// {}", &line[..depth], &line[depth..])
        }
    })
}

/// Alt and an arrow: swaps the lines of the selection with the line above or below.
pub fn move_lines(text: &str, selection: Range<usize>, up: bool) -> Option<Edit> {
    let lines = lines_of(text, &selection);
    let moved = &text[lines.clone()];
    if up {
        let start = start_of_line(text, lines.start.checked_sub(1)?);
        let above = &text[start..lines.start - 1];
        let back = above.len() + 1;
        return Some(Edit {
            range: start..lines.end,
            text: format!("{moved}\n{above}"),
            select: selection.start - back..selection.end - back,
        });
    }
    if lines.end == text.len() {
        return None;
    }
    let end = end_of_line(text, lines.end + 1);
    let below = &text[lines.end + 1..end];
    let on = below.len() + 1;
    Some(Edit {
        range: lines.start..end,
        text: format!("{below}\n{moved}"),
        // The last line may have no line break.
        select: selection.start + on..(selection.end + on).min(text.len()),
    })
}

/// Shift, Alt, and an arrow: duplicates the lines of the selection.
pub fn duplicate_lines(text: &str, selection: Range<usize>) -> Edit {
    let lines = lines_of(text, &selection);
    let copy = format!("\n{}", &text[lines.clone()]);
    let on = copy.len();
    let select = selection.start + on..selection.end + on;
    Edit {
        range: lines.end..lines.end,
        text: copy,
        select,
    }
}

/// The bracket at the cursor (or else before it) and the matching bracket.
pub fn matching_brackets(text: &str, at: usize) -> Option<(usize, usize)> {
    let near = |at: usize| {
        text.as_bytes()
            .get(at)
            .is_some_and(|byte| b"()[]{}".contains(byte))
    };
    if !near(at) && !at.checked_sub(1).is_some_and(near) {
        return None;
    }
    let mut open: Vec<(usize, &str)> = Vec::new();
    let mut pairs = Vec::new();
    for token in tokens(text).iter().filter(|token| token.kind == TokenKind::Punct) {
        let start = token.start as usize;
        let opener = match token.text(text) {
            bracket @ ("(" | "[" | "{") => {
                open.push((start, bracket));
                continue;
            }
            ")" => "(",
            "]" => "[",
            "}" => "{",
            _ => continue,
        };
        // An unmatched closing bracket does not close brackets of another kind.
        if let Some(depth) = open.iter().rposition(|(_, bracket)| *bracket == opener) {
            pairs.push((open[depth].0, start));
            open.truncate(depth);
        }
    }
    let of = |at: usize| {
        pairs
            .iter()
            .copied()
            .find(|(start, end)| *start == at || *end == at)
    };
    of(at).or_else(|| of(at.checked_sub(1)?))
}

/// The matches of a word, in order. Case matters only if the word contains a capital letter.
pub fn find(text: &str, word: &str) -> Vec<Range<usize>> {
    if word.is_empty() {
        return Vec::new();
    }
    let exact = word.bytes().any(|byte| byte.is_ascii_uppercase());
    let lower = if exact {
        None
    } else {
        Some(text.to_ascii_lowercase())
    };
    let matches = lower.as_deref().unwrap_or(text).match_indices(word);
    matches.map(|(start, _)| start..start + word.len()).collect()
}

/// The first match at or after an offset, or else the first match.
pub fn next_from(found: &[Range<usize>], at: usize) -> Option<usize> {
    let next = found.iter().position(|place| place.start >= at);
    next.or((!found.is_empty()).then_some(0))
}

/// Replaces one match.
pub fn replace(place: Range<usize>, with: &str) -> Edit {
    Edit::insert(place, with)
}

/// Replaces all matches.
pub fn replace_all(text: &str, word: &str, with: &str) -> Option<Edit> {
    let found = find(text, word);
    let (first, last) = (found.first()?.start, found.last()?.end);
    let (mut new, mut at) = (String::new(), first);
    for place in &found {
        new += &text[at..place.start];
        new += with;
        at = place.end;
    }
    Some(Edit::insert(first..last, new))
}

/// Applies a problem's fix, if the text has not changed since.
pub fn fix(text: &str, problem: &Problem) -> Option<Edit> {
    let (span, fix) = (problem.span?, problem.fix.as_ref()?);
    let range = span.start as usize..span.end as usize;
    (text.get(range.clone())? == fix.was).then(|| Edit::insert(range, fix.text.as_str()))
}

#[cfg(test)]
mod tests;
