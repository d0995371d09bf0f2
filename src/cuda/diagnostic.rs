//! Diagnostics of the compiler about a source file.

use std::borrow::Cow;
use std::fmt::Write;

use serde::{Deserialize, Serialize};

use super::source::Source;
use engine::files;
use engine::ids::Span;

/// Maximum number of diagnostics that are kept: at as many errors nvcc stops.
pub const MAX_DIAGNOSTICS: usize = 100;
/// Maximum number of characters of a source line that is printed with a diagnostic. Assumption: a line of a wide window.
const MAX_EXCERPT: usize = 200;
/// Maximum number of characters of a message. Assumption: three times the longest message with short names.
const MAX_MESSAGE: usize = 1000;
/// Maximum number of characters of a text of the source that a message quotes. Assumption: longer than names.
pub(crate) const MAX_QUOTED: usize = 100;
/// Maximum number of notes of a diagnostic. Assumption: more than anyone reads.
const MAX_NOTES: usize = 10;

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

    /// Clips long texts, and drops all but the first notes.
    fn clip(&mut self) {
        let clip = |text: &mut String| {
            if let Cow::Owned(clipped) = clipped(text, MAX_MESSAGE) {
                *text = clipped;
            }
        };
        clip(&mut self.message);
        if self.notes.len() > MAX_NOTES {
            let num = self.notes.len() - MAX_NOTES;
            self.notes.truncate(MAX_NOTES);
            self.notes
                .push((None, format!("{num} more notes are not shown.")));
        }
        for (_, note) in &mut self.notes {
            clip(note);
        }
        // A clipped replacement would be wrong.
        self.fix = self.fix.take().filter(|fix| fix.len() <= MAX_MESSAGE);
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
    let marked = source
        .text
        .get(span.start as usize..span.end as usize)
        .and_then(|text| text.lines().next())
        .map_or(1, |text| text.chars().take(MAX_EXCERPT).count().max(1));
    let column = span.column.saturating_sub(1) as usize;
    let (line, column) = excerpt(line, column, marked);
    // Keep tabs so that the caret stays below its character.
    let before: String = line
        .chars()
        .take(column)
        .map(|c| if c == '\t' { '\t' } else { ' ' })
        .collect();
    let room = line.chars().count().saturating_sub(column).max(1);
    let _ = writeln!(out, "    {line}");
    let _ = writeln!(out, "    {before}^{}", "~".repeat(marked.min(room) - 1));
}

/// The part of a line around a column (from 0), at most [`MAX_EXCERPT`] characters and two ellipses, and the column in
/// this part. `marked` is the number of characters that are marked from the column on.
fn excerpt(line: &str, column: usize, marked: usize) -> (String, usize) {
    let mut start = 0;
    // A line of fewer bytes has fewer characters.
    if line.len() > MAX_EXCERPT && line.chars().count() > MAX_EXCERPT {
        let end = line.chars().count();
        let context = (MAX_EXCERPT - marked.min(MAX_EXCERPT)) / 2;
        start = column.saturating_sub(context).min(end - MAX_EXCERPT);
    }
    let mut rest = line.chars().skip(start);
    let mut part: String = rest.by_ref().take(MAX_EXCERPT).collect();
    if rest.next().is_some() {
        part.push('…');
    }
    if start > 0 {
        return (format!("…{part}"), column - start + 1);
    }
    (part, column)
}

/// A text of at most `most` characters; `…` replaces the middle of a longer text.
pub(crate) fn clipped(text: &str, most: usize) -> Cow<'_, str> {
    if text.len() <= most {
        return Cow::Borrowed(text);
    }
    let num = text.chars().count();
    if num <= most {
        return Cow::Borrowed(text);
    }
    let half = most / 2;
    let start: String = text.chars().take(half).collect();
    let end: String = text.chars().skip(num - half).collect();
    Cow::Owned(format!("{start}…{end}"))
}

/// The first [`MAX_DIAGNOSTICS`] of sorted diagnostics, errors first, with a last one that counts the others. Long messages
/// are clipped.
pub(crate) fn limited(mut diagnostics: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let is_error = |d: &Diagnostic| d.severity == Severity::Error;
    let (mut num_errors, mut num_warnings) = (0, 0);
    let kept_errors = diagnostics
        .iter()
        .filter(|d| is_error(d))
        .count()
        .min(MAX_DIAGNOSTICS);
    let kept_warnings = MAX_DIAGNOSTICS - kept_errors;
    diagnostics.retain(|d| {
        let (num, most) = if is_error(d) {
            (&mut num_errors, kept_errors)
        } else {
            (&mut num_warnings, kept_warnings)
        };
        *num += 1;
        *num <= most
    });
    for diagnostic in &mut diagnostics {
        diagnostic.clip();
    }
    let (errors, warnings) = (
        num_errors.saturating_sub(kept_errors),
        num_warnings.saturating_sub(kept_warnings),
    );
    let count = |num: usize, one: &str| match num {
        1 => format!("1 more {one}"),
        _ => format!("{num} more {one}s"),
    };
    let rest = match (errors, warnings) {
        (0, 0) => return diagnostics,
        (errors, 0) => count(errors, "error"),
        (0, warnings) => count(warnings, "warning"),
        (errors, warnings) => format!("{} and {}", count(errors, "error"), count(warnings, "warning")),
    };
    let verb = if errors + warnings == 1 { "is" } else { "are" };
    let message = format!("{rest} {verb} not shown. Fix the ones above first.");
    diagnostics.push(if errors > 0 {
        Diagnostic::error(Span::default(), message)
    } else {
        Diagnostic::warning(Span::default(), message)
    });
    diagnostics
}

/// Sorts by location, errors before warnings, and drops repeated messages on a line.
pub fn sorted(mut diagnostics: Vec<Diagnostic>) -> Vec<Diagnostic> {
    diagnostics.sort_by_key(|d| (d.span.start, d.severity));
    let mut seen = std::collections::BTreeSet::new();
    diagnostics.retain(|d| seen.insert((d.span.line, d.message.clone())));
    diagnostics
}
