//! The files of the source: the file in the editor, and edits of the file list. See [`engine::files`].

use std::collections::BTreeMap;
use std::rc::Rc;

use super::code::LineNote;
use super::{Effect, Problem, Session, text};
use crate::scene::counted;
use engine::files::{self, File};
use engine::ids::Span;

mod opened;
mod zip;

pub use opened::{Opened, OpenedFile, chosen as opened_sources};

/// The state of the file tabs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FilesState {
    /// Index of the file in the editor.
    shown: usize,
    /// Index of the file that is being renamed.
    renaming: Option<usize>,
}

/// Edits of the files, which are identified by their indices.
#[derive(Clone, Debug, PartialEq)]
pub enum FileEdit {
    /// Shows a file.
    Show(usize),
    /// Moves the cursor to a line, from 1, of the shown file.
    Line(u32),
    /// Adds an empty header.
    Add,
    /// Starts renaming.
    Name(usize),
    /// Renames a file; an empty name keeps the old one.
    Rename(usize, String),
    /// Removes a file.
    Remove(usize),
    /// Makes a file the main file.
    MakeMain(usize),
    /// Opens files from the device.
    Open(Vec<OpenedFile>),
}

/// A file's tab.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileTab {
    /// The path.
    pub name: String,
    /// The label: the name without folders, if it is unique.
    pub label: String,
    /// Whether the editor shows the file.
    pub is_shown: bool,
    /// Whether the file is being renamed.
    pub is_renamed: bool,
    /// The number of errors and warnings.
    pub num_problems: usize,
    /// Whether a problem is an error.
    pub is_broken: bool,
    /// Whether the selected warp executes code of the file.
    pub is_current: bool,
}

/// Limit of tabs: as many files as a link may have. Only a typed text can name more.
const MAX_TABS: usize = crate::share::MAX_FILES;

/// The default name of a new file.
const NEW: &str = "header.cuh";

impl Session {
    /// The index of the file in the editor.
    pub fn shown_file(&self) -> usize {
        if self.ui.files.shown == 0 {
            return 0;
        }
        self.ui.files.shown.min(files::split(&self.side().text).len() - 1)
    }

    /// The text of the file in the editor.
    pub fn shown_text(&self) -> &str {
        let all = files::split(&self.side().text);
        all[self.shown_file().min(all.len() - 1)].text
    }

    /// The problems of the file in the editor, with spans relative to the file; then problems without a place.
    pub fn shown_problems(&self) -> Vec<Problem> {
        let all = files::split(&self.side().text);
        if all.len() == 1 && all[0].start == 0 {
            return self.derived().problems.clone();
        }
        let shown = self.shown_file();
        let own = self
            .derived()
            .problems
            .iter()
            .filter_map(|problem| match problem.span {
                None => Some(problem.clone()),
                Some(span) if files::file_of_line(&all, span.line) != shown => None,
                Some(span) => Some(Problem {
                    span: Some(within(&all[shown], span)),
                    ..problem.clone()
                }),
            });
        own.collect()
    }

    /// The problems of the other files: the file's name and line as text, the line in the whole source, and the
    /// message.
    pub fn problems_elsewhere(&self) -> Vec<(String, u32, String)> {
        let all = files::split(&self.side().text);
        let shown = self.shown_file();
        let others = self.derived().problems.iter().filter_map(|problem| {
            let span = problem.span?;
            let file = files::file_of_line(&all, span.line);
            let line = (span.line + 1).saturating_sub(all[file].first_line);
            let place = format!("{}:{line}", all[file].base_name());
            (file != shown).then(|| (place, span.line, problem.message.clone()))
        });
        others.collect()
    }

    /// The run's notes on the lines of the file in the editor.
    pub fn shown_notes(&self) -> Vec<LineNote> {
        let notes = self.derived().line_notes(self);
        let all = files::split(&self.side().text);
        let Some(file) = all
            .get(self.shown_file())
            .filter(|_| all.len() > 1 || all[0].start > 0)
        else {
            return notes;
        };
        let before = file.first_line as usize - 1;
        notes
            .into_iter()
            .skip(before)
            .take(file.num_lines() as usize)
            .collect()
    }

    /// The tabs of the files; none if the source is a single unnamed file.
    pub fn file_tabs(&self) -> Vec<FileTab> {
        let all = files::split(&self.side().text);
        if all.len() == 1 && all[0].start == 0 && self.ui.files.renaming.is_none() {
            return Vec::new();
        }
        let current = self
            .derived()
            .line_notes(self)
            .iter()
            .position(|note| note.current);
        let current = current.map(|idx| files::file_of_line(&all, idx as u32 + 1));
        // Counted once for all tabs: a text can name thousands of files.
        let mut num_same: BTreeMap<&str, usize> = BTreeMap::new();
        for file in &all {
            *num_same.entry(file.base_name()).or_default() += 1;
        }
        let mut problems: BTreeMap<usize, (usize, bool)> = BTreeMap::new();
        for problem in &self.derived().problems {
            let Some(span) = problem.span else { continue };
            let (num, is_broken) = problems.entry(files::file_of_line(&all, span.line)).or_default();
            *num += 1;
            *is_broken |= problem.fatal;
        }
        let shown = self.shown_file();
        let tab = |(idx, file): (usize, &File<'_>)| {
            let is_unique = num_same.get(file.base_name()) == Some(&1);
            let label = if is_unique { file.base_name() } else { file.name };
            let (num_problems, is_broken) = problems.get(&idx).copied().unwrap_or_default();
            FileTab {
                name: file.name.to_owned(),
                label: label.to_owned(),
                is_shown: idx == shown,
                is_renamed: self.ui.files.renaming == Some(idx),
                num_problems,
                is_broken,
                is_current: current == Some(idx),
            }
        };
        all.iter().enumerate().take(MAX_TABS).map(tab).collect()
    }

    /// The number of files beyond the limit of tabs. The compiler reads them, too.
    pub fn num_files_without_tab(&self) -> usize {
        files::split(&self.side().text).len().saturating_sub(MAX_TABS)
    }

    /// Replaces the text of the file in the editor.
    pub(super) fn write_shown(&mut self, text: &str) {
        self.side_mut().text = files::with_text(&self.side().text, self.shown_file(), text);
    }

    /// Shows the file that contains a line of the whole source, and moves the cursor to the line.
    pub(super) fn focus_line(&mut self, line: u32) -> Vec<Effect> {
        let all = files::split(&self.side().text);
        let file = files::file_of_line(&all, line);
        let own = (line + 1).saturating_sub(all[file].first_line).max(1);
        self.ui.files.shown = file;
        vec![Effect::FocusLine(own)]
    }

    /// Replaces the session's files as one undo step, and shows one of them.
    fn set_files(&mut self, all: &[(String, String)], shown: usize) -> Vec<Effect> {
        // Recent typing becomes an undo step of its own.
        let mut effects = match self.edit_ms.take() {
            Some(_) => text::compile(self),
            None => Vec::new(),
        };
        self.typed_ms = None;
        self.side_mut().text = files::join(all.iter().map(|(name, text)| (name.as_str(), text.as_str())));
        self.ui.files = FilesState {
            shown,
            renaming: None,
        };
        effects.extend(text::compile(self));
        self.typed_ms = None;
        effects
    }

    fn owned_files(&self) -> Vec<(String, String)> {
        let all = files::split(&self.side().text);
        all.iter()
            .map(|file| (file.name.to_owned(), file.text.to_owned()))
            .collect()
    }
}

/// Applies an edit.
pub(super) fn edit(session: &mut Session, edit: FileEdit) -> Vec<Effect> {
    let mut all = session.owned_files();
    let num = all.len();
    let name_of = |idx: usize| all.get(idx).map_or("", |(name, _)| name.as_str()).to_owned();
    match edit {
        FileEdit::Show(idx) => {
            session.ui.files.shown = idx.min(num - 1);
            session.ui.files.renaming = None;
            let name = name_of(session.ui.files.shown);
            vec![Effect::Announce(format!("The editor shows {name}."))]
        }
        FileEdit::Line(line) => {
            let first = files::split(&session.side().text)[session.shown_file()].first_line;
            session.focus_line(first + line.max(1) - 1)
        }
        FileEdit::Add => {
            let name = free_name(&all, NEW);
            all.push((name, "#pragma once\n\n".to_owned()));
            let effects = session.set_files(&all, num);
            session.ui.files.renaming = Some(num);
            effects
        }
        FileEdit::Name(idx) => {
            session.ui.files.shown = idx.min(num - 1);
            session.ui.files.renaming = Some(session.ui.files.shown);
            Vec::new()
        }
        FileEdit::Rename(idx, name) => {
            session.ui.files.renaming = None;
            let name = files::normalized(&name);
            let Some((old, _)) = all.get(idx).filter(|(old, _)| !name.is_empty() && *old != name) else {
                return Vec::new();
            };
            if all.iter().any(|(other, _)| *other == name) {
                session.say(format!(
                    "A file named {name} already exists: {old} keeps its name."
                ));
                return Vec::new();
            }
            all[idx].0 = name;
            session.set_files(&all, idx)
        }
        FileEdit::Remove(idx) => {
            if num < 2 || idx >= num {
                session.say("The last file cannot be removed.");
                return Vec::new();
            }
            let (name, _) = all.remove(idx);
            if idx == 0 {
                // The next main file must be able to contain a kernel.
                let main = all.iter().position(|(name, text)| opened::has_kernel(name, text));
                let main = all.remove(main.unwrap_or(0));
                all.insert(0, main);
            }
            let shown = session.shown_file();
            let shown = if shown > idx { shown - 1 } else { shown };
            let effects = session.set_files(&all, shown.min(num - 2));
            session.say(format!("Removed {name}. Undo restores the file."));
            effects
        }
        FileEdit::MakeMain(idx) => {
            if idx == 0 || idx >= num {
                return Vec::new();
            }
            let main = all.remove(idx);
            let name = main.0.clone();
            all.insert(0, main);
            let effects = session.set_files(&all, 0);
            session.say(format!("{name} is now the main file."));
            effects
        }
        FileEdit::Open(files) => open(session, files),
    }
}

/// Opens files from the device. They replace the source if any of them has a kernel; otherwise they are added.
fn open(session: &mut Session, files: Vec<OpenedFile>) -> Vec<Effect> {
    let opened = opened::chosen(files);
    session.ui.warnings = opened.left_out_text().into_iter().collect();
    if opened.files.is_empty() {
        session.say("None of these files is CUDA C++ source.");
        return Vec::new();
    }
    let num = opened.files.len();
    if opened.has_kernel {
        let said = match num {
            1 => format!("Opened {}.", opened.files[0].0),
            num => format!(
                "Opened {}; {} is the main file.",
                counted(num as u64, "file"),
                opened.files[0].0
            ),
        };
        let effects = session.set_files(&opened.files, 0);
        session.say(said);
        return effects;
    }
    let mut all = session.owned_files();
    let mut shown = all.len();
    for (name, text) in opened.files {
        match all.iter_mut().position(|(other, _)| *other == name) {
            Some(idx) => {
                all[idx].1 = text;
                shown = shown.min(idx);
            }
            None => all.push((name, text)),
        }
    }
    let effects = session.set_files(&all, shown);
    session.say(format!(
        "{} added.",
        match num {
            1 => "1 file is".to_owned(),
            num => format!("{num} files are"),
        }
    ));
    effects
}

/// An unused name: `header.cuh`, or `header2.cuh`.
fn free_name(all: &[(String, String)], wanted: &str) -> String {
    let (stem, ending) = wanted.rsplit_once('.').unwrap_or((wanted, ""));
    let names = std::iter::once(wanted.to_owned()).chain((2..).map(|n| format!("{stem}{n}.{ending}")));
    let mut free = names.filter(|name| all.iter().all(|(other, _)| other != name));
    free.next().unwrap_or_default()
}

/// Converts a span of the whole source to a span of a file.
fn within(file: &File<'_>, span: Span) -> Span {
    let start = file.start as u32;
    Span {
        start: span.start.saturating_sub(start),
        end: span.end.saturating_sub(start).min(file.text.len() as u32),
        line: (span.line + 1).saturating_sub(file.first_line),
        ..span
    }
}

/// A key of the editor's contents, which renders again only if the key changes.
pub fn editor_key(session: &Session) -> Rc<str> {
    let all = files::split(&session.side().text);
    Rc::from(all.get(session.shown_file()).map_or("", |file| file.name))
}

#[cfg(test)]
mod tests;
