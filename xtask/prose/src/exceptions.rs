//! Findings that are no mistakes, each with a reason: `exceptions.txt`.

use crate::finding::Finding;

/// A finding that is right as it is.
#[derive(Debug)]
pub(crate) struct Exception {
    line: usize,
    rule: String,
    path: String,
    text: String,
    pub(crate) is_used: bool,
}

/// Reads the list: lines of `rule | path | text | reason`, comments after `#`. A path that ends with `/` is a folder,
/// `*` is every file; the text is what the sentence has around the finding, and empty for all sentences.
///
/// # Errors
/// A line that is not so.
pub(crate) fn read(list: &str) -> Result<Vec<Exception>, String> {
    let mut exceptions = Vec::new();
    for (idx, line) in list.lines().enumerate() {
        if line.trim().is_empty() || line.starts_with('#') {
            continue;
        }
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        match cells[..] {
            [rule, path, text, reason] if !reason.is_empty() => exceptions.push(Exception {
                line: idx + 1,
                rule: rule.to_owned(),
                path: path.to_owned(),
                text: text.to_owned(),
                is_used: false,
            }),
            _ => return Err(format!("line {}: not `rule | path | text | reason`", idx + 1)),
        }
    }
    Ok(exceptions)
}

impl Exception {
    /// Whether this finding is the one that is meant.
    pub(crate) fn covers(&self, path: &str, finding: &Finding) -> bool {
        let is_path = self.path == "*"
            || self.path == path
            || (self.path.ends_with('/') && path.starts_with(&self.path));
        self.rule == finding.rule && is_path && finding.context.contains(&self.text)
    }

    /// What is wrong with an exception that no finding needs.
    pub(crate) fn unused(&self) -> String {
        format!(
            "xtask/prose/exceptions.txt:{}:1: unused-exception: no finding of `{}` has `{}`",
            self.line, self.rule, self.text
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use texts::piece::{Kind, Piece, Place};

    #[test]
    fn an_exception_needs_a_reason_and_covers_its_text_only() {
        assert!(read("filler | * | just in time |").is_err());
        assert!(read("filler | * | just in time").is_err());
        let exceptions = read("# a comment\n\nfiller | src/a/ | just in time | a term").unwrap();
        let finding = |text: &str| {
            let mut piece = Piece::new(Kind::Comment);
            piece.push_all(text, Place::default());
            Finding::new("filler", &piece, 0, String::new())
        };
        assert!(exceptions[0].covers("src/a/b.rs", &finding("compiled just in time")));
        assert!(!exceptions[0].covers("src/b.rs", &finding("compiled just in time")));
        assert!(!exceptions[0].covers("src/a/b.rs", &finding("it is just so")));
    }
}
