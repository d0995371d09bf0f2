//! The compiler as a service: requests and responses are plain data, so that the compiler can run in a worker while the
//! page shows the last program. A native session calls [`respond`] directly.

use std::ops::Range;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::Problem;
use super::host_code::{self, HostEntry};
use super::start::{self, Compiled};
use crate::message::pack;
use crate::share::{self, Scenario};
use cuda::assist::{self, Completion, Hover};
use engine::arch::ArchId;
use engine::isa::{CompileOptions, Program};

/// A request to the compiler.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Request {
    /// Compiles the kernel of a link.
    Compile {
        /// The link's text.
        link: String,
    },
    /// Reads the launches in the host code of a link's source.
    HostLaunches {
        /// The link's text.
        link: String,
    },
    /// Answers a query of the editor about its text.
    Editor(EditorRequest),
    /// Answers `compile` of the JavaScript API.
    Api {
        /// The source text.
        source: String,
        /// The options, as JSON.
        options: String,
    },
}

/// A query about a place in a source text.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EditorRequest {
    /// The whole text of the editor.
    pub text: String,
    /// The target architecture.
    pub arch: ArchId,
    /// The compiler's options.
    pub options: CompileOptions,
    /// The kernel whose registers an explanation names: `None` for the first one.
    pub entry: Option<String>,
    /// Offset in bytes.
    pub at: usize,
    /// The query.
    pub query: EditorQuery,
}

/// The editor's query about a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum EditorQuery {
    /// Completions; `asked`: the user opened the list.
    Complete {
        /// Whether the user opened the list.
        asked: bool,
    },
    /// An explanation of the name.
    Hover,
    /// The declaration of the name.
    Definition,
    /// All uses of a local name.
    Uses,
    /// The matching angle brackets.
    Angles,
}

/// The compiler's response to a [`Request`] of the same name.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Response {
    /// The program and its diagnostics.
    Compiled(Box<CompiledData>),
    /// The launches; empty if the host code has none.
    HostLaunches(Vec<HostEntry>),
    /// Completions, if any.
    Completion(Option<Completion>),
    /// An explanation, if any.
    Hover(Option<Hover>),
    /// The declaration of a name, if any.
    Definition(Option<Range<usize>>),
    /// Uses of a local name; `None` for other names.
    Uses(Option<Vec<Range<usize>>>),
    /// A pair of angle brackets, if any.
    Angles(Option<(Range<usize>, Range<usize>)>),
    /// JSON, or an error message.
    Api(Result<String, String>),
    /// The compiler failed, with the reason as a sentence.
    Failed(String),
}

/// A compiled kernel as data.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CompiledData {
    /// The program in [`pack`]'s format; `None` if the source has errors.
    pub program: Option<Vec<u8>>,
    /// Errors and warnings.
    pub problems: Vec<Problem>,
    /// Names of the kernels, if the source has more than one.
    pub entries: Vec<String>,
}

/// The compiler of this thread. A session without one makes requests ([`super::Session::requests`]). The page has no
/// compiler, so its module does not contain one.
#[derive(Clone, Copy, Debug)]
pub struct Toolchain(&'static Functions);

/// Behind a reference, so that `None` is a null pointer: of a pair of functions the optimizer would keep one.
#[derive(Debug)]
struct Functions {
    compile: fn(&Scenario) -> Compiled,
    host_launches: fn(&Scenario) -> Vec<HostEntry>,
}

impl Toolchain {
    /// The compiler of this thread.
    pub const HERE: Self = Self(&Functions {
        compile: start::compile,
        host_launches: host_code::launches,
    });

    pub(super) fn compile(self, scenario: &Scenario) -> Compiled {
        (self.0.compile)(scenario)
    }

    pub(super) fn host_launches(self, scenario: &Scenario) -> Vec<HostEntry> {
        (self.0.host_launches)(scenario)
    }
}

/// Answers a request with this thread's compiler.
pub fn respond(request: &Request) -> Response {
    match request {
        Request::Compile { link } => {
            let Compiled {
                program,
                problems,
                entries,
            } = compiled(&share::decode(link).scenario);
            Response::Compiled(Box::new(CompiledData {
                program: program.as_deref().map(pack),
                problems,
                entries,
            }))
        }
        Request::HostLaunches { link } => {
            Response::HostLaunches(host_code::launches(&share::decode(link).scenario))
        }
        Request::Editor(request) => editor(request),
        Request::Api { source, options } => {
            let options = serde_json::from_str(options).unwrap_or_default();
            Response::Api(crate::api::compile(source, options).map(|answer| answer.to_string()))
        }
    }
}

thread_local! {
    /// The index of the text of the last query.
    static INDEX: std::cell::RefCell<Option<assist::Index>> = const { std::cell::RefCell::new(None) };
    /// The last compiled program, which explanations use.
    static LAST: std::cell::RefCell<Option<LastProgram>> = const { std::cell::RefCell::new(None) };
}

/// Answers a query of the editor.
fn editor(request: &EditorRequest) -> Response {
    let EditorRequest {
        text,
        arch,
        options,
        at,
        ..
    } = request;
    INDEX.with_borrow_mut(|kept| {
        let index = match kept.take() {
            Some(index) if index.is_of(text, *arch, options) => index,
            before => assist::Index::read(text, *arch, options, before.as_ref()),
        };
        let index = kept.insert(index);
        match request.query {
            EditorQuery::Complete { asked } => Response::Completion(index.complete(*at, asked)),
            EditorQuery::Hover => Response::Hover(assist::hover(index, *at, explained(request).as_deref())),
            EditorQuery::Definition => Response::Definition(index.definition(*at)),
            EditorQuery::Uses => Response::Uses(index.uses_of_local(*at)),
            EditorQuery::Angles => Response::Angles(index.matching_angles(*at)),
        }
    })
}

/// A compiled program with the compiler's inputs.
struct LastProgram {
    source: String,
    arch: ArchId,
    options: CompileOptions,
    entry: Option<String>,
    program: Option<Arc<Program>>,
}

impl LastProgram {
    fn is_of(&self, request: &EditorRequest) -> bool {
        (&self.source, self.arch, &self.options, &self.entry)
            == (&request.text, request.arch, &request.options, &request.entry)
    }
}

/// Compiles a scenario, and keeps its program for explanations.
fn compiled(scenario: &Scenario) -> Compiled {
    let compiled = start::compile(scenario);
    LAST.set(Some(LastProgram {
        source: scenario.source().to_owned(),
        arch: scenario.arch,
        options: scenario.compile,
        entry: scenario.entry().map(str::to_owned),
        program: compiled.program.clone(),
    }));
    compiled
}

/// The program for an explanation: the last one, or it is compiled.
fn explained(request: &EditorRequest) -> Option<Arc<Program>> {
    let compile = || {
        let entry = request.entry.as_deref();
        let compiled = cuda::compile(&request.text, entry, request.arch, &request.options);
        LastProgram {
            source: request.text.clone(),
            arch: request.arch,
            options: request.options,
            entry: request.entry.clone(),
            program: compiled.ok().map(|compiled| Arc::new(compiled.program)),
        }
    };
    LAST.with_borrow_mut(|kept| {
        let last = match kept.take().filter(|last| last.is_of(request)) {
            Some(last) => last,
            None => compile(),
        };
        kept.insert(last).program.clone()
    })
}
