//! The inputs of the editor.

use std::rc::Rc;

use workbench::app::assist::Target;
use workbench::app::code::LineNote;
use workbench::app::files::editor_key;
use workbench::app::{FileTab, Problem, Session};

/// The editor's inputs other than the session, kept between renders.
pub(crate) struct EditorState {
    pub text: Rc<str>,
    pub problems: Rc<[Problem]>,
    pub notes: Rc<[LineNote]>,
    /// A line of the file to show, and the number of the request.
    pub focus: Option<(u32, u32)>,
    pub tabs: Vec<FileTab>,
    /// The number of files beyond the limit of tabs.
    pub num_files_without_tab: usize,
    /// Problems in other files; see [`Session::problems_elsewhere`].
    pub elsewhere: Vec<(String, u32, String)>,
    /// The name of the file. Each file has its own editor.
    pub key: Rc<str>,
    num_wishes: u32,
    /// The session's number of line requests at the last update.
    num_followed: u32,
    /// The number of requests so far to show the definition of the name at the cursor.
    pub definition: u32,
    /// The compile target of the text.
    pub target: Target,
}

impl EditorState {
    /// The initial state.
    pub(crate) fn of(session: &Session) -> Self {
        let mut state = Self {
            text: Rc::from(""),
            problems: Rc::from([]),
            notes: Rc::from([]),
            focus: None,
            tabs: Vec::new(),
            num_files_without_tab: 0,
            elsewhere: Vec::new(),
            key: Rc::from(""),
            num_wishes: 0,
            num_followed: 0,
            definition: 0,
            target: target(session),
        };
        state.follow(session);
        state
    }

    /// Updates the state from the session.
    pub(crate) fn follow(&mut self, session: &Session) {
        let key = editor_key(session);
        if key != self.key {
            // A request for a line of another file expires, unless the request itself led to this file.
            if self.num_wishes == self.num_followed {
                self.focus = None;
            }
            self.key = key;
        }
        self.num_followed = self.num_wishes;
        if *self.text != *session.shown_text() {
            self.text = Rc::from(session.shown_text());
        }
        let problems = session.shown_problems();
        if *self.problems != *problems {
            self.problems = Rc::from(problems);
        }
        self.tabs = session.file_tabs();
        self.num_files_without_tab = session.num_files_without_tab();
        self.elsewhere = if self.tabs.is_empty() {
            Vec::new()
        } else {
            session.problems_elsewhere()
        };
        let target = target(session);
        if self.target != target {
            self.target = target;
        }
        let notes = session.shown_notes();
        if *self.notes != *notes {
            self.notes = Rc::from(notes);
        }
    }

    /// Requests that the cursor moves to a line of the file.
    pub(crate) fn request_line(&mut self, line: u32) {
        self.num_wishes += 1;
        self.focus = Some((line, self.num_wishes));
    }
}

fn target(session: &Session) -> Target {
    Target {
        arch: session.setup().arch,
        options: session.setup().compile,
        entry: session.setup().alone().entry().map(str::to_owned),
    }
}
