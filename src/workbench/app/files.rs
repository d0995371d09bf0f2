//! The files of the editor's text: which one is shown, and what is done to them. See [`engine::files`].

use std::rc::Rc;

use super::code::LineNote;
use super::{Effect, Problem, Session, text};
use crate::scene::counted;
use engine::files::{self, File};
use engine::ids::Span;

mod opened;
mod zip;

pub use opened::OpenedFile;

/// What is shown of the files.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FilesState {
    /// The file in the editor, by its position.
    shown: usize,
    /// The file whose name is being written.
    renaming: Option<usize>,
}

/// What happens to the files of the text; files are told by their positions.
#[derive(Clone, Debug, PartialEq)]
pub enum FileEdit {
    /// Shows a file.
    Show(usize),
    /// Puts the cursor into a line, from 1, of the file that is shown.
    Line(u32),
    /// Adds an empty header.
    Add,
    /// Begins to write another name.
    Name(usize),
    /// Gives a file another name; without one it keeps its own.
    Rename(usize, String),
    /// Takes a file out.
    Remove(usize),
    /// Makes a file the main file.
    MakeMain(usize),
    /// Takes files from the device in.
    Open(Vec<OpenedFile>),
}

/// A file as its tab shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileTab {
    /// Its path.
    pub name: String,
    /// What tells it from the others: its name without folders where that is enough.
    pub label: String,
    /// Whether the editor shows it.
    pub is_shown: bool,
    /// Whether its name is being written.
    pub is_renamed: bool,
    /// How many errors and warnings it has.
    pub num_problems: usize,
    /// Whether one of them keeps the kernel from running.
    pub is_broken: bool,
    /// Whether the selected warp is in it.
    pub is_current: bool,
}

/// The name that a new file gets.
const NEW: &str = "header.cuh";

impl Session {
    /// The position of the file in the editor.
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

    /// The problems of the file in the editor, with their places in it; then those without a place.
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

    /// The problems of the other files: the file's name and the line in it, the line in the whole text, and the
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

    /// What the run says of the lines of the file in the editor.
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

    /// The tabs of the files; none where the text is one file without a name.
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
        let tab = |(idx, file): (usize, &File<'_>)| {
            let own = || {
                let problems = self.derived().problems.iter();
                problems.filter(|problem| {
                    problem
                        .span
                        .is_some_and(|span| files::file_of_line(&all, span.line) == idx)
                })
            };
            let same = all.iter().filter(|other| other.base_name() == file.base_name());
            let label = if same.count() > 1 {
                file.name
            } else {
                file.base_name()
            };
            FileTab {
                name: file.name.to_owned(),
                label: label.to_owned(),
                is_shown: idx == self.shown_file(),
                is_renamed: self.ui.files.renaming == Some(idx),
                num_problems: own().count(),
                is_broken: own().any(|problem| problem.fatal),
                is_current: current == Some(idx),
            }
        };
        all.iter().enumerate().map(tab).collect()
    }

    /// Gives the file in the editor another text.
    pub(super) fn write_shown(&mut self, text: &str) {
        self.side_mut().text = files::with_text(&self.side().text, self.shown_file(), text);
    }

    /// Shows the file of a line of the whole text, and has the cursor put there.
    pub(super) fn focus_line(&mut self, line: u32) -> Vec<Effect> {
        let all = files::split(&self.side().text);
        let file = files::file_of_line(&all, line);
        let own = (line + 1).saturating_sub(all[file].first_line).max(1);
        self.ui.files.shown = file;
        vec![Effect::FocusLine(own)]
    }

    /// Makes a text of files the session's text, as one step of undo, and shows one of them.
    fn set_files(&mut self, all: &[(String, String)], shown: usize) -> Vec<Effect> {
        // What was typed a moment ago is a step of its own.
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

/// Does something to the files of the text.
pub(super) fn edit(session: &mut Session, edit: FileEdit) -> Vec<Effect> {
    let mut all = session.owned_files();
    let num = all.len();
    let name_of = |idx: usize| all.get(idx).map_or("", |(name, _)| name.as_str()).to_owned();
    match edit {
        FileEdit::Show(idx) => {
            session.ui.files.shown = idx.min(num - 1);
            session.ui.files.renaming = None;
            let name = name_of(session.ui.files.shown);
            vec![Effect::Announce(format!("{name} is in the editor."))]
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
            let name = files::normalised(&name);
            let Some((old, _)) = all.get(idx).filter(|(old, _)| !name.is_empty() && *old != name) else {
                return Vec::new();
            };
            if all.iter().any(|(other, _)| *other == name) {
                session.say(format!("There is a file {name} already: {old} keeps its name."));
                return Vec::new();
            }
            all[idx].0 = name;
            session.set_files(&all, idx)
        }
        FileEdit::Remove(idx) => {
            if num < 2 || idx >= num {
                session.say("The only file stays.");
                return Vec::new();
            }
            let (name, _) = all.remove(idx);
            if idx == 0 {
                // The next main file is one that can have a kernel.
                let main = all.iter().position(|(name, text)| opened::has_kernel(name, text));
                let main = all.remove(main.unwrap_or(0));
                all.insert(0, main);
            }
            let shown = session.shown_file();
            let shown = if shown > idx { shown - 1 } else { shown };
            let effects = session.set_files(&all, shown.min(num - 2));
            session.say(format!("{name} is removed. Undo brings it back."));
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
            session.say(format!("{name} is the main file."));
            effects
        }
        FileEdit::Open(files) => open(session, files),
    }
}

/// Takes files from the device in: in place of the text where one of them has a kernel, beside it otherwise.
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
            1 => format!("{} is open.", opened.files[0].0),
            num => format!(
                "{} are open; {} is the main file.",
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

/// A name that no file has: `header.cuh`, or `header2.cuh`.
fn free_name(all: &[(String, String)], wanted: &str) -> String {
    let (stem, ending) = wanted.rsplit_once('.').unwrap_or((wanted, ""));
    let names = std::iter::once(wanted.to_owned()).chain((2..).map(|n| format!("{stem}{n}.{ending}")));
    let mut free = names.filter(|name| all.iter().all(|(other, _)| other != name));
    free.next().unwrap_or_default()
}

/// A span of the whole text as one of a file's text.
fn within(file: &File<'_>, span: Span) -> Span {
    let start = file.start as u32;
    Span {
        start: span.start.saturating_sub(start),
        end: span.end.saturating_sub(start).min(file.text.len() as u32),
        line: (span.line + 1).saturating_sub(file.first_line),
        ..span
    }
}

/// What the editor shows of a session, so that it is made anew only where it changed.
pub fn editor_key(session: &Session) -> Rc<str> {
    let all = files::split(&session.side().text);
    Rc::from(all.get(session.shown_file()).map_or("", |file| file.name))
}

#[cfg(test)]
mod tests;
