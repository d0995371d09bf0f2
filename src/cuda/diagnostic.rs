//! What the compiler has to say about a source file.

use std::fmt::Write;

use serde::{Deserialize, Serialize};

use super::source::Source;
use engine::files;
use engine::ids::Span;

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// There is no program.
    Error,
    /// There is a program, but it may not do what was meant.
    Warning,
}

/// Whose fault it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Cause {
    /// The source breaks a rule of the language.
    Source,
    /// CUDA C has it, this compiler does not have it yet.
    Unsupported,
    /// The chosen architecture does not have it.
    Architecture,
}

/// A message at a place in the source.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Diagnostic {
    /// How bad it is.
    pub severity: Severity,
    /// Whose fault it is.
    pub cause: Cause,
    /// Where.
    pub span: Span,
    /// A sentence.
    pub message: String,
    /// More sentences, perhaps about other places.
    pub notes: Vec<(Option<Span>, String)>,
    /// Text that would set it right in place of `span`.
    pub fix: Option<String>,
}

impl Diagnostic {
    /// An error of the source.
    pub fn error(span: Span, message: impl Into<String>) -> Self {
        Self {
            severity: Severity::Error,
            cause: Cause::Source,
            span,
            message: message.into(),
            notes: Vec::new(),
            fix: None,
        }
    }

    /// A warning.
    pub fn warning(span: Span, message: impl Into<String>) -> Self {
        Self {
            severity: Severity::Warning,
            ..Self::error(span, message)
        }
    }

    /// An error: the language has it, this compiler does not yet. `what` is the subject of the
    /// sentence, in the plural.
    pub fn unsupported(span: Span, what: &str) -> Self {
        Self {
            cause: Cause::Unsupported,
            ..Self::error(span, format!("{what} are not supported yet."))
        }
    }

    /// An error: the architecture does not have it.
    pub fn architecture(span: Span, message: impl Into<String>) -> Self {
        Self {
            cause: Cause::Architecture,
            ..Self::error(span, message)
        }
    }

    /// Adds a sentence.
    #[must_use]
    pub fn note(mut self, message: impl Into<String>) -> Self {
        self.notes.push((None, message.into()));
        self
    }

    /// Adds a sentence about another place.
    #[must_use]
    pub fn note_at(mut self, span: Span, message: impl Into<String>) -> Self {
        self.notes.push((Some(span), message.into()));
        self
    }

    /// Adds the text that would set it right.
    #[must_use]
    pub fn fix(mut self, text: impl Into<String>) -> Self {
        self.fix = Some(text.into());
        self
    }

    /// Line of the source, from 1.
    pub const fn line(&self) -> u32 {
        self.span.line
    }

    /// Column in the line, from 1, in characters.
    pub const fn column(&self) -> u32 {
        self.span.column
    }

    /// The file in which it is, where the text names its files, and the line in that file, from 1; 0 where it has
    /// no place.
    pub fn place<'t>(&self, text: &'t str) -> (Option<&'t str>, u32) {
        files::place(text, self.span.line)
    }

    /// As a compiler prints it: `file:line:column: error: sentence`, the line, a caret under it, notes. `file` is
    /// the name of a text that does not name its files.
    pub fn render(&self, file: &str, text: &str) -> String {
        let source = Source::new(text);
        let word = match self.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
        };
        let mut out = String::new();
        render_at(&mut out, file, &source, self.span, word, &self.message);
        if let Some(fix) = &self.fix {
            let _ = writeln!(out, "    help: write `{fix}`");
        }
        for (span, message) in &self.notes {
            match span {
                Some(span) => render_at(&mut out, file, &source, *span, "note", message),
                None => {
                    let _ = writeln!(out, "    note: {message}");
                }
            }
        }
        out
    }
}

fn render_at(out: &mut String, file: &str, source: &Source<'_>, span: Span, word: &str, message: &str) {
    let main = files::has_names(source.text).then(|| files::split(source.text)[0].name);
    let (name, number) = files::place(source.text, span.line);
    let file = name.or(main).unwrap_or(file);
    let _ = writeln!(out, "{file}:{number}:{}: {word}: {message}", span.column);
    if span.line == 0 {
        return;
    }
    let line = source.line(span.line);
    // Tabs are kept in the second line so that the caret stays below its character.
    let before: String = line
        .chars()
        .take(span.column.saturating_sub(1) as usize)
        .map(|c| if c == '\t' { '\t' } else { ' ' })
        .collect();
    let marked = source
        .text
        .get(span.start as usize..span.end as usize)
        .and_then(|text| text.lines().next())
        .map_or(1, |text| text.chars().count().max(1));
    let _ = writeln!(out, "    {line}");
    let _ = writeln!(out, "    {before}^{}", "~".repeat(marked - 1));
}

/// Sorts by place, errors before warnings, and drops what says the same in the same line.
pub fn sorted(mut diagnostics: Vec<Diagnostic>) -> Vec<Diagnostic> {
    diagnostics.sort_by_key(|d| (d.span.start, d.severity));
    let mut seen = std::collections::BTreeSet::new();
    diagnostics.retain(|d| seen.insert((d.span.line, d.message.clone())));
    diagnostics
}
