//! The evaluator of host code.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::calls::{Platform, Signature};
use super::engines::{Distribution, Engine};
use super::errors::Errors;
use super::library::textures::{CudaArray, TextureObject};
use super::memory::*;
use super::random::{Rand, Rand48};
use super::runs::Kernel;
use super::tree::*;
use super::value::*;
use super::{Guess, GuessOf, Limits, Note, Reading, SharedPreference};
use crate::compile::Parsed;
use engine::arch::ArchId;
use engine::streams::HostStream;

/// The reason why the evaluation stops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stop {
    /// The program exits.
    Exit,
    /// The step limit is exceeded.
    Limit,
}

pub(super) type Runs<T> = Result<T, Stop>;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Flow {
    Next,
    Break,
    Continue,
    Return,
}

#[derive(Clone, Debug)]
pub(super) struct Variable {
    pub(super) name: Name,
    pub(super) at: Location,
}

#[derive(Clone, Debug)]
pub(super) enum Binding {
    Type(Ty),
    Value(Value),
    /// What only the device knows, as it is written.
    Text(String),
}

#[derive(Debug, Default)]
pub(super) struct Frame {
    pub(super) variables: Vec<Variable>,
    pub(super) bindings: Vec<(Name, Binding)>,
    pub(super) this: Option<(u64, u32)>,
    pub(super) result: Option<Value>,
    /// Returns under unknown conditions: the first step, the reason, and the results.
    pub(super) left: Option<(u64, State, Vec<Value>)>,
    /// The enclosing frame of a lambda.
    pub(super) outer: Option<usize>,
}

#[derive(Clone, Debug)]
pub(super) struct Field {
    pub(super) name: Name,
    pub(super) ty: Ty,
    pub(super) offset: u64,
    pub(super) init: Init,
}

#[derive(Debug)]
pub(super) struct Record {
    pub(super) name: String,
    /// The enclosing namespaces and records, as `a::b`.
    pub(super) space: String,
    pub(super) fields: Vec<Field>,
    pub(super) size: u64,
    pub(super) align: u64,
    pub(super) methods: Vec<Rc<Function>>,
    pub(super) bindings: Vec<(Name, Binding)>,
    pub(super) is_opaque: bool,
}

/// The reason why a value is unknown.
pub(super) struct Reason {
    pub(super) text: String,
    /// Whether the value is a result of a launch.
    pub(super) launch: bool,
}

/// A callable: a function name with template arguments and the qualifier before `::`, or a lambda with the index of
/// its frame.
#[derive(Clone)]
pub(super) enum Callee {
    Named(Name, Vec<TemplateArg>, Option<Name>),
    Lambda(Rc<Function>, usize),
}

pub(super) struct Machine {
    pub(super) tree: Rc<Tree>,
    pub(super) memory: Memory,
    pub(super) types: Vec<Ty>,
    pub(super) records: Vec<Record>,
    pub(super) record_ids: BTreeMap<String, u32>,
    pub(super) functions: BTreeMap<Name, Vec<Rc<Function>>>,
    pub(super) aliases: BTreeMap<Name, TypeExpr>,
    pub(super) structs: BTreeMap<Name, usize>,
    pub(super) constants: BTreeMap<Name, Value>,
    pub(super) globals: BTreeMap<Name, Location>,
    /// Device variables: name, address, and whether the variable is `__constant__`.
    pub(super) symbols: Vec<(Name, Location, bool)>,
    pub(super) statics: BTreeMap<(Name, u32), Location>,
    pub(super) strings: BTreeMap<Vec<u8>, u64>,
    pub(super) frames: Vec<Frame>,
    pub(super) callees: Vec<Callee>,
    pub(super) ids: BTreeMap<String, Name>,
    pub(super) reasons: Vec<Reason>,
    pub(super) rand: Option<Rand>,
    pub(super) rand_step: u64,
    pub(super) rand48: Rand48,
    pub(super) step: u64,
    pub(super) limit: u64,
    pub(super) limits: Limits,
    /// Number of thread statements that kernels can still execute.
    pub(super) kernel_steps: u64,
    /// The source, for the kernels that run.
    pub(super) source: String,
    pub(super) arch: ArchId,
    pub(super) parsed: Option<Rc<Parsed>>,
    pub(super) kernels: BTreeMap<String, Option<Rc<Kernel>>>,
    /// The assumptions so far.
    pub(super) assumed: Vec<Guess>,
    /// Random number engines and distributions of the C++ library; variables hold their indices.
    pub(super) engines: Vec<Engine>,
    pub(super) distributions: Vec<Distribution>,
    pub(super) loop_depth: u32,
    pub(super) type_depth: u32,
    /// Lines of the enclosing unknown conditions.
    pub(super) conditions: Vec<u32>,
    /// Nesting depth of code whose launches are not recorded.
    pub(super) muted: u32,
    /// `break` and `continue` under unknown conditions: the first step, and the reason.
    pub(super) left_loop: Option<(u64, State)>,
    pub(super) left_round: Option<(u64, State)>,
    pub(super) line: u32,
    pub(super) reading: Reading,
    pub(super) launches_of_line: BTreeMap<u32, u32>,
    /// Preferences of kernels for the split of shared memory and L1, by the kernel's name.
    pub(super) preferences: Vec<(String, SharedPreference)>,
    /// The computer's GPUs, and the current one.
    pub(super) platform: Platform,
    pub(super) gpu: u8,
    pub(super) num_events: u32,
    /// CUDA arrays and texture and surface objects, by their allocations.
    pub(super) arrays: BTreeMap<usize, CudaArray>,
    pub(super) textures: BTreeMap<usize, TextureObject>,
    pub(super) signatures: Vec<Signature>,
    /// The open levels of statements and expressions.
    pub(super) levels: u32,
    /// The program of the kernels that are not instances of templates.
    pub(super) unit: Option<Rc<crate::hir::Unit>>,
    /// The ids of the types.
    pub(super) type_ids: BTreeMap<Ty, TyId>,
    /// The errors of the runtime.
    pub(super) errors: Errors,
}

/// Maximum call depth.
pub(super) const MAX_CALLS: usize = 32;
/// Maximum nesting depth of statements and expressions, through all calls. Assumption: programs have 50 levels. Each level
/// is up to five calls, and the stack of a browser's worker has 1 MB.
pub(super) const MAX_LEVELS: u32 = 200;
/// Maximum nesting depth of type aliases and members.
pub(super) const MAX_TYPES: u32 = 24;
/// Maximum number of recorded launches per line.
pub(super) const KEPT_OF_LINE: u32 = 4;
/// Maximum number of recorded launches.
pub(super) const KEPT: usize = 64;

impl Machine {
    pub(super) fn new(tree: Tree, source: &str, arch: ArchId, limits: Limits) -> Self {
        let mut machine = Self {
            ids: tree
                .names
                .iter()
                .enumerate()
                .map(|(id, name)| (name.clone(), id as Name))
                .collect(),
            tree: Rc::new(tree),
            memory: Memory::new(limits.bytes),
            types: Vec::new(),
            records: Vec::new(),
            record_ids: BTreeMap::new(),
            functions: BTreeMap::new(),
            aliases: BTreeMap::new(),
            structs: BTreeMap::new(),
            constants: BTreeMap::new(),
            globals: BTreeMap::new(),
            symbols: Vec::new(),
            statics: BTreeMap::new(),
            strings: BTreeMap::new(),
            frames: vec![Frame::default()],
            callees: Vec::new(),
            reasons: Vec::new(),
            rand: Some(Rand::new(1)),
            rand_step: 0,
            rand48: Rand48::unseeded(),
            step: 1,
            limit: limits.steps,
            kernel_steps: limits.kernel_steps,
            limits,
            source: source.to_owned(),
            arch,
            parsed: None,
            unit: None,
            type_ids: BTreeMap::new(),
            errors: Errors::default(),
            kernels: BTreeMap::new(),
            assumed: Vec::new(),
            engines: Vec::new(),
            distributions: Vec::new(),
            loop_depth: 0,
            type_depth: 0,
            conditions: Vec::new(),
            muted: 0,
            left_loop: None,
            left_round: None,
            line: 0,
            reading: Reading {
                streams: vec![HostStream::default_stream()],
                ..Reading::default()
            },
            launches_of_line: BTreeMap::new(),
            preferences: Vec::new(),
            platform: Platform::default(),
            gpu: 0,
            num_events: 0,
            signatures: Vec::new(),
            arrays: BTreeMap::new(),
            textures: BTreeMap::new(),
            levels: 0,
        };
        let text = format!("it is in more than {} MB of memory", limits.bytes >> 20);
        machine.memory.too_large = machine.reason(text);
        machine
    }

    /// Runs `main`.
    pub(super) fn run(mut self, given: &[String]) -> Reading {
        let tree = Rc::clone(&self.tree);
        if let Some((line, text)) = &tree.stopped {
            self.line = *line;
            self.note(text.clone());
        }
        for function in &tree.functions {
            self.functions
                .entry(function.name)
                .or_default()
                .push(Rc::clone(function));
        }
        for (name, ty) in &tree.aliases {
            self.aliases.insert(*name, ty.clone());
        }
        for (idx, (name, _)) in tree.structs.iter().enumerate() {
            self.structs.insert(*name, idx);
        }
        let mut last = -1_i64;
        for (name, value, is_first) in &tree.enumerators {
            let value = match value {
                Some(value) => self.eval(value).unwrap_or(Value::unknown(REASONS)),
                None => Value::int(if *is_first { 0 } else { last + 1 }),
            };
            last = value.bits.cast_signed();
            self.constants.insert(*name, value);
        }
        for (declarator, declared_space) in &tree.globals {
            self.line = declarator.line;
            let _ = self.global(declarator, *declared_space);
        }
        let Some(main) = self
            .id("main")
            .and_then(|name| self.functions.get(&name))
            .and_then(|list| list.iter().find(|function| function.body.is_some()).cloned())
        else {
            return self.reading;
        };
        self.reading.has_main = true;
        let args = self.main_arguments(given, main.line);
        let num_params = main.params.len().min(2);
        let result = self.call_with(
            &main,
            &[],
            args[..num_params].iter().map(|arg| (arg.clone(), None)).collect(),
            None,
        );
        if matches!(result, Err(Stop::Limit)) {
            let text = format!("Evaluation of main() stopped after {} steps.", self.limits.steps);
            self.note(text);
        }
        self.finish_errors();
        self.reading
    }

    /// `argc` and `argv`. Without arguments, `argc` is assumed to be 1, and the other contents of `argv` are unknown.
    fn main_arguments(&mut self, given: &[String], line: u32) -> [Value; 2] {
        let why = self.reason("it comes from the command line".to_owned());
        let char_pointer = self.pointer_to(Ty::I8);
        let ty = self.pointer_to(char_pointer);
        let program = self.memory.alloc(8, Space::Host, "argv[0]".to_owned(), line);
        self.memory.fill(program, 8, b'a', why, 1);
        let room = 512.max(8 * given.len() as u64 + 16);
        let argv = self.memory.alloc(room, Space::Host, "argv".to_owned(), line);
        self.memory.fill(argv, room, 0, why, 1);
        self.memory.store(argv, 8, program, KNOWN, 1);
        if given.is_empty() {
            return [Value::new(Ty::I32, 1, ARGC), Value::new(ty, argv, KNOWN)];
        }
        let mut at = argv;
        for text in given {
            let mut bytes = text.clone().into_bytes();
            bytes.push(0);
            let states = vec![KNOWN; bytes.len()];
            let address = self
                .memory
                .alloc(bytes.len() as u64, Space::Host, "argv".to_owned(), line);
            self.memory.write(address, &bytes, &states, 1);
            at += 8;
            self.memory.store(at, 8, address, KNOWN, 1);
        }
        self.memory.store(at + 8, 8, 0, KNOWN, 1);
        [Value::int(given.len() as i64 + 1), Value::new(ty, argv, KNOWN)]
    }

    /// Records an assumption for all later launches.
    pub(super) fn assume(&mut self, what: String, why: &str) {
        let guess = Guess {
            of: GuessOf::Launch,
            what,
            why: why.to_owned(),
        };
        if self.assumed.len() < 8 && !self.assumed.contains(&guess) {
            self.assumed.push(guess);
        }
    }

    pub(super) fn id(&self, text: &str) -> Option<Name> {
        self.ids.get(text).copied()
    }

    pub(super) fn text(&self, name: Name) -> &str {
        &self.tree.names[name as usize]
    }

    /// The state for a reason.
    pub(super) fn reason(&mut self, text: String) -> State {
        self.reason_of(text, false)
    }

    pub(super) fn reason_of(&mut self, text: String, launch: bool) -> State {
        let known = self.reasons.iter().position(|reason| reason.text == text);
        let idx = known.unwrap_or_else(|| {
            let most = usize::from(u8::MAX - REASONS);
            if self.reasons.len() < most {
                self.reasons.push(Reason { text, launch });
            }
            self.reasons.len() - 1
        });
        REASONS + idx as u8
    }

    pub(super) fn why(&self, state: State) -> String {
        match state {
            KNOWN | ARGC => "it is known".to_owned(),
            UNTOUCHED => "main() does not write it".to_owned(),
            _ => self.reasons[usize::from(state - REASONS)].text.clone(),
        }
    }

    pub(super) fn is_result(&self, state: State) -> bool {
        state >= REASONS && self.reasons[usize::from(state - REASONS)].launch
    }

    pub(super) fn note(&mut self, text: String) {
        let note = Note {
            line: self.line,
            text,
        };
        if !self.reading.notes.contains(&note) && self.reading.notes.len() < 32 {
            self.reading.notes.push(note);
        }
    }

    pub(super) fn not_evaluated(&mut self, what: &str) -> State {
        let line = self.line;
        self.reason(format!("{what} at line {line} is not evaluated"))
    }

    pub(super) fn tick(&mut self) -> Runs<()> {
        self.step += 1;
        if self.step > self.limit {
            Err(Stop::Limit)
        } else {
            Ok(())
        }
    }
}

/// A passed value, with its place if it is passed by reference.
pub(super) type Passed = (Value, Option<Location>);
