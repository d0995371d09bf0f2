//! TOML files from strangers: lessons and lectures. The parser recurses into nested values, so that the nesting is
//! limited before it reads.

use serde::de::DeserializeOwned;

/// Limit of nested arrays and inline tables, and of the parts of a key. Assumption: four times what the formats need,
/// which is four levels: `[[step]]`, `ask`, `edit`, and `reference`.
const MAX_DEPTH: usize = 16;
/// Length limit of a message, in characters: it can quote a key.
const MAX_MESSAGE: usize = 500;

/// Reads a file. `what` names it in messages: `A lesson`.
///
/// # Errors
/// The text is too long, too deeply nested, or not of this format, as a sentence.
pub(crate) fn read<T: DeserializeOwned>(text: &str, what: &str, max_bytes: usize) -> Result<T, String> {
    if text.len() > max_bytes {
        return Err(too_long(what, max_bytes));
    }
    if let Some(line) = too_deep_line(text) {
        return Err(format!(
            "Line {line} has more than {MAX_DEPTH} nested brackets or parts of a key. {what} needs at most 4."
        ));
    }
    basic_toml::from_str(text).map_err(|error| clipped(error.to_string().trim_end()))
}

/// The start of a message of a parser, which can quote a whole input.
fn clipped(message: &str) -> String {
    match message.char_indices().nth(MAX_MESSAGE) {
        Some((end, _)) => format!("{}…", &message[..end]),
        None => message.to_owned(),
    }
}

/// The sentence about a file that is too long.
pub(crate) fn too_long(what: &str, max_bytes: usize) -> String {
    format!("{what} has at most {} KB.", max_bytes / 1024)
}

/// The first line, from 1, that exceeds the limit of nesting. Brackets in strings and comments do not count.
fn too_deep_line(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let (mut at, mut line, mut depth, mut num_dots) = (0, 1, 0_usize, 0_usize);
    while let Some(&byte) = bytes.get(at) {
        let start = at;
        at += 1;
        match byte {
            b'\n' => {
                num_dots = 0;
                line += 1;
            }
            b'#' => at = line_end(bytes, at),
            b'"' | b'\'' => {
                at = string_end(bytes, start);
                line += text
                    .get(start..at)
                    .map_or(0, |string| string.matches('\n').count());
            }
            b'[' | b'{' => {
                depth += 1;
                num_dots = 0;
            }
            b']' | b'}' => depth = depth.saturating_sub(1),
            b'=' | b',' => num_dots = 0,
            b'.' => num_dots += 1,
            _ => {}
        }
        if depth > MAX_DEPTH || num_dots >= MAX_DEPTH {
            return Some(line);
        }
    }
    None
}

fn line_end(bytes: &[u8], from: usize) -> usize {
    let end = bytes[from..].iter().position(|byte| *byte == b'\n');
    end.map_or(bytes.len(), |end| from + end)
}

/// The position after a string, which starts at `from` with its quote. A string without an end ends at the line's end,
/// or with three quotes at the end of the text, where the parser fails, too.
fn string_end(bytes: &[u8], from: usize) -> usize {
    let quote = bytes[from];
    let has_escapes = quote == b'"';
    let is_long = bytes[from..].starts_with(&[quote; 3]);
    let mut at = from + if is_long { 3 } else { 1 };
    while let Some(&byte) = bytes.get(at) {
        if byte == b'\\' && has_escapes {
            at += 2;
        } else if byte == quote && !is_long {
            return at + 1;
        } else if byte == quote && bytes[at..].starts_with(&[quote; 3]) {
            at += 3;
            // Up to two quotes before the closing ones belong to the text (TOML 1.0.0, section "String").
            for _ in 0..2 {
                at += usize::from(bytes.get(at) == Some(&quote));
            }
            return at;
        } else if byte == b'\n' && !is_long {
            return at;
        } else {
            at += 1;
        }
    }
    bytes.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn deep_nesting_is_refused_before_the_parser_recurses() {
        for text in [
            format!("title = {}", "[".repeat(100_000)),
            format!("title = {}", "{a=".repeat(80_000)),
            format!("[{}a]", "a.".repeat(100_000)),
            format!("[[{}a]]", "a . ".repeat(50_000)),
            format!("{}a = 1", "\"a\".".repeat(50_000)),
            format!("a = [\"\"\"x\"\"\"\", {}", "[".repeat(100_000)),
            format!("a = [\"\\\"\", '\\', {}", "[".repeat(100_000)),
        ] {
            let refused = read::<crate::lesson::Lesson>(&text, "A lesson", 256 * 1024).unwrap_err();
            assert_eq!(
                refused,
                "Line 1 has more than 16 nested brackets or parts of a key. A lesson needs at most 4.",
                "{}",
                &text[..20]
            );
        }
    }

    #[test]
    fn brackets_in_strings_and_comments_are_text() {
        let deep = "[".repeat(40);
        let dots = ".".repeat(40);
        for text in [
            format!("# {deep}\na = 1"),
            format!("a = \"{deep}{dots}\""),
            format!("a = '{deep}\\'\nb = 2"),
            format!("a = \"\"\"\n{deep}\n\"quoted\" {dots}\"\"\"\nb = '''{deep}''' # {dots}"),
            format!("a = [{}]", "1.5, ".repeat(40)),
        ] {
            assert_eq!(too_deep_line(&text), None, "{text}");
        }
        assert_eq!(
            too_deep_line(&format!("a = \"\"\"\n\n\"\"\"\nb = {deep}")),
            Some(4)
        );
    }

    #[test]
    fn messages_are_short() {
        let text = format!("{} = 1", "k".repeat(100_000));
        let message = read::<crate::lesson::Lesson>(&text, "A lesson", 256 * 1024).unwrap_err();
        assert!(message.chars().count() <= MAX_MESSAGE + 1, "{message}");
    }
}
