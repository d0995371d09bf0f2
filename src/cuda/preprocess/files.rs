//! The files of a text, and how `#include` finds them.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::{Kind, Preprocessor, Tok, headers};
use crate::diagnostic::{Diagnostic, Severity};
use crate::limits::{Budget, Limit};
use crate::source::Source;
use engine::files::{self, File, Found, Index};
use engine::ids::Span;

/// Maximum `#include` nesting depth, the same as in gcc.
const MAX_DEPTH: usize = 200;
/// Maximum depth of a file that includes itself. Files with counting conditions do so a few times.
const MAX_OWN_DEPTH: usize = 20;
/// Maximum total size of included files in bytes; each inclusion counts. Assumption: 100 times the largest program.
const MAX_BYTES: usize = 8 << 20;
/// Maximum number of files that the diagnostic of an ambiguous name lists. Assumption: a few are enough to see why.
const MAX_LISTED: usize = 8;

/// The files, and the stack of open files.
pub(super) struct Files<'a> {
    all: Vec<File<'a>>,
    index: Index<'a>,
    /// The indices of the open files: the main file, and the chain of includes.
    open: Vec<usize>,
    /// Files with `#pragma once` that were already read.
    once: BTreeSet<usize>,
    num_bytes: usize,
    /// The files that were read, each as often as it was.
    num_read: Budget,
    /// Whether a limit was exceeded, after which no further files are read.
    is_stopped: bool,
}

/// The search key of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Search {
    /// The path.
    Path,
    /// The end of the path, or the base name.
    Name,
}

impl<'a> Files<'a> {
    /// The files of a text, with the main file open.
    pub(super) fn of(text: &'a str) -> Self {
        let all = files::split(text);
        Self {
            index: Index::of(&all),
            all,
            open: vec![0],
            once: BTreeSet::new(),
            num_bytes: 0,
            num_read: Budget::new(Limit::Inclusions),
            is_stopped: false,
        }
    }

    /// The offset of the main file in the text.
    pub(super) fn main(&self) -> Range<usize> {
        self.all[0].start..self.all[0].end()
    }

    /// The file, and the line in that file, at the start of a span.
    pub(super) fn place(&self, span: Span) -> (&'a str, u32) {
        let file = self.all[files::file_of_line(&self.all, span.line)];
        (file.name, (span.line + 1).saturating_sub(file.first_line))
    }

    /// Executes `#pragma once` in the current file.
    pub(super) fn read_once(&mut self) {
        self.once.extend(self.open.last());
    }
}

/// Resolves an `#include` in file `from`.
fn found(index: &Index<'_>, search: Search, from: usize, name: &str) -> Found {
    match search {
        Search::Path => index.find_exactly(from, name),
        // Headers of C, C++, and CUDA are built in, even if a folder has a file with that name.
        Search::Name if !name.contains('.') || is_toolkit_header(name) => Found::Nothing,
        Search::Name => index.find_by_name(from, name),
    }
}

/// Whether a header is part of every CUDA toolkit or C library. The `helper_*.h` headers of the samples are not.
pub(crate) fn is_toolkit_header(name: &str) -> bool {
    super::HEADERS.contains(&name) && !name.starts_with("helper_")
}

impl Preprocessor<'_> {
    /// Whether an `#include` of this name reads one of the files.
    pub(super) fn has_file(&self, name: &str) -> bool {
        let from = self.files.open.last().copied().unwrap_or(0);
        [Search::Path, Search::Name]
            .into_iter()
            .any(|search| matches!(found(&self.files.index, search, from, name), Found::File(_)))
    }

    /// Reads the file that an `#include` names. Returns whether a file matches; several matches are an error.
    pub(super) fn include_file(
        &mut self,
        search: Search,
        source: &Source<'_>,
        name: &str,
        span: Span,
        out: &mut Vec<Tok>,
    ) -> bool {
        let from = self.files.open.last().copied().unwrap_or(0);
        let idx = match found(&self.files.index, search, from, name) {
            Found::Nothing => return false,
            Found::File(idx) => idx,
            Found::Several(all) => {
                let mut names: Vec<String> = all
                    .iter()
                    .take(MAX_LISTED)
                    .map(|idx| format!("`{}`", self.files.all[*idx].name))
                    .collect();
                if all.len() > MAX_LISTED {
                    names.push(format!("and {} more files", all.len() - MAX_LISTED));
                }
                let first = self.files.all[all[0]].name;
                let error = Diagnostic::error(
                    span,
                    format!("`{name}` is ambiguous; it matches {}.", names.join(", ")),
                );
                self.report(error.note(format!("Write more of the path, as in `#include \"{first}\"`.")));
                return true;
            }
        };
        if self.files.is_stopped || self.files.once.contains(&idx) {
            return true;
        }
        let file = self.files.all[idx];
        self.files.num_bytes += file.text.len();
        let num_own = self.files.open.iter().filter(|open| **open == idx).count();
        if self.files.open.len() >= MAX_DEPTH || num_own >= MAX_OWN_DEPTH {
            let message = if num_own > 0 {
                format!(
                    "`{}` includes itself recursively. Write `#pragma once` in its first line.",
                    file.name
                )
            } else {
                format!("The `#include` nesting is more than {MAX_DEPTH} levels deep.")
            };
            self.files.is_stopped = true;
            self.error(span, message);
            return true;
        }
        if self.files.num_bytes > MAX_BYTES {
            self.files.is_stopped = true;
            self.error(
                span,
                format!(
                    "The included files are larger than {} MB in total.",
                    MAX_BYTES >> 20
                ),
            );
            return true;
        }
        if let Err(limit) = self.files.num_read.charge(1) {
            self.files.is_stopped = true;
            self.stop(limit.exceeded(span));
            return true;
        }
        let conditions = std::mem::take(&mut self.conditions);
        self.files.open.push(idx);
        let mut toks = self.run(source, file.start..file.end());
        self.files.open.pop();
        self.conditions = conditions;
        if toks.last().is_some_and(|tok| tok.kind == Kind::End) {
            toks.pop();
        }
        out.extend(toks);
        true
    }
}

/// Adds a note with the `#include` to the first error of each included file.
pub(crate) fn with_include_notes(mut diagnostics: Vec<Diagnostic>, text: &str) -> Vec<Diagnostic> {
    if !files::has_names(text) {
        return diagnostics;
    }
    let all = files::split(text);
    // No note for the main file, which is file 1 if file 0 has the macros of the command line.
    let mut reported = BTreeSet::from([0, usize::from(all[0].name == files::COMMAND_LINE)]);
    let mut directives = None;
    for diagnostic in &mut diagnostics {
        let is_error = diagnostic.severity == Severity::Error && diagnostic.span.line > 0;
        let file = files::file_of_line(&all, diagnostic.span.line);
        if !is_error || !reported.insert(file) {
            continue;
        }
        let directives = directives.get_or_insert_with(|| first_directives(text, &all));
        if let Some(span) = directives.get(&file) {
            let note = format!("`{}` is included here.", all[file].name);
            diagnostic.notes.push((Some(*span), note));
        }
    }
    diagnostics
}

/// The first directive that includes each file, by the file's index. A file's own directives do not count.
fn first_directives(text: &str, all: &[File<'_>]) -> BTreeMap<usize, Span> {
    let index = Index::of(all);
    let source = Source::new(text);
    let leads = |from: usize, name: &str| {
        let exact = found(&index, Search::Path, from, name);
        if exact != Found::Nothing || headers::header(name).is_some() {
            return exact;
        }
        found(&index, Search::Name, from, name)
    };
    let mut out = BTreeMap::new();
    for (from, file) in all.iter().enumerate() {
        for (name, _) in files::includes(file.text) {
            if let Found::File(wanted) = leads(from, name)
                && wanted != from
            {
                // The name is a slice of the text, and its quotes surround it.
                let start = name.as_ptr() as usize - text.as_ptr() as usize;
                let end = start + name.len() + 1;
                out.entry(wanted)
                    .or_insert_with(|| source.span(start as u32 - 1, end as u32));
            }
        }
    }
    out
}
