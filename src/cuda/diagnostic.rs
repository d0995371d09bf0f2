//! Diagnostics of the compiler about a source file.

use std::fmt::Write;

use serde::{Deserialize, Serialize};

use super::source::Source;
use engine::files;
use engine::ids::Span;

/// Severity of a diagnostic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// The compiler produces no program.
    Error,
    /// The compiler produces a program that can behave differently from the intention.
    Warning,
}

/// The cause of a diagnostic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Cause {
    /// The source violates a rule of the language.
    Source,
    /// CUDA C++ has the feature, but this compiler does not support it yet.
    Unsupported,
    /// The chosen architecture does not have the feature.
    Architecture,
}

/// A diagnostic at a location in the source.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Diagnostic {
    /// The severity.
    pub severity: Severity,
    /// The cause.
    pub cause: Cause,
    /// The location.
    pub span: Span,
    /// The message, one sentence.
    pub message: String,
    /// Notes, optionally with another location.
    pub notes: Vec<(Option<Span>, String)>,
    /// The replacement text for `span` that fixes the error.
    pub fix: Option<String>,
}

impl Diagnostic {
    /// An error in the source.
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

    /// An error for a language feature that this compiler does not support yet. `what` is the subject of the
    /// sentence, in the plural.
    pub fn unsupported(span: Span, what: &str) -> Self {
        Self {
            cause: Cause::Unsupported,
            ..Self::error(span, format!("{what} are not supported yet."))
        }
    }

    /// An error for a feature that the architecture does not have.
    pub fn architecture(span: Span, message: impl Into<String>) -> Self {
        Self {
            cause: Cause::Architecture,
            ..Self::error(span, message)
        }
    }

    /// Adds a note.
    #[must_use]
    pub fn note(mut self, message: impl Into<String>) -> Self {
        self.notes.push((None, message.into()));
        self
    }

    /// Adds a note at another location.
    #[must_use]
    pub fn note_at(mut self, span: Span, message: impl Into<String>) -> Self {
        self.notes.push((Some(span), message.into()));
        self
    }

    /// Adds the replacement text that fixes the error.
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

    /// The file of the location, if the text names its files, and the line in that file, from 1; 0 if the diagnostic
    /// has no location.
    pub fn place<'t>(&self, text: &'t str) -> (Option<&'t str>, u32) {
        files::place(text, self.span.line)
    }

    /// Renders the diagnostic as compilers do: `file:line:column: error: sentence`, the source line, a caret below
    /// it, and the notes. `file` is the file name if the text does not name its files.
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
    // Keep tabs so that the caret stays below its character.
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

/// Sorts by location, errors before warnings, and drops repeated messages on a line.
pub fn sorted(mut diagnostics: Vec<Diagnostic>) -> Vec<Diagnostic> {
    diagnostics.sort_by_key(|d| (d.span.start, d.severity));
    let mut seen = std::collections::BTreeSet::new();
    diagnostics.retain(|d| seen.insert((d.span.line, d.message.clone())));
    diagnostics
}
