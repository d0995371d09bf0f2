//! The parser, from tokens to the tree of host code. Unsupported code becomes `Opaque` with its identifiers.

mod expressions;
mod items;
mod statements;
mod types;

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::tree::*;
use crate::lex::{Character, Number, literal_bytes, parse_char, parse_number};
use crate::limits::Limit;
use crate::preprocess::{Kind, Tok};

/// A parse failure: the caller skips the construct.
pub(super) struct Unread;

type Read<T> = Result<T, Unread>;

/// Maximum nesting depth of statements; expressions and types have twice this depth. Assumption: programs nest ten levels.
/// Each level is up to ten calls, and the stack of a browser's worker has 1 MB.
const MAX_DEPTH: u32 = 48;
/// Maximum number of `*` and `[]` of a type. Assumption: programs have three. Each is a level of the tree.
const MAX_DERIVED: usize = 16;
/// Maximum number of operators in a chain (`a + b + c …`). Assumption: programs have some tens. Each is a level of the tree.
const MAX_CHAIN: u32 = 300;
/// Maximum number of tokens of a type that are searched backwards. Assumption: types are shorter.
const MAX_TYPE: usize = 1000;
/// The number of steps for each token of the text. Assumption: of few tokens several meanings are tried.
const STEPS_PER_TOKEN: u64 = 64;

pub(super) struct Parser {
    toks: Vec<Tok>,
    pos: usize,
    /// Number of `>` characters of the token at `pos` that have closed template arguments.
    closed: usize,
    ids: BTreeMap<String, Name>,
    tree: Tree,
    /// Names of types, and of function templates.
    types: BTreeSet<String>,
    templates: BTreeSet<String>,
    /// The enclosing namespaces and other braces at file scope; empty strings for braces that do not qualify names.
    spaces: Vec<String>,
    depth: u32,
    /// Whether `>` closes template arguments.
    in_angles: bool,
    /// Whether `__constant__` was among the last specifiers.
    is_constant: bool,
    /// The steps that are left, each a token that is read or looked at.
    steps: u64,
}

/// Library class templates and classes, whose names are types.
const LIBRARY_TYPES: &[&str] = &[
    "vector",
    "array",
    "string",
    "unique_ptr",
    "shared_ptr",
    "host_vector",
    "device_vector",
    "map",
    "set",
    "unordered_map",
    "pair",
    "tuple",
    "function",
    "ifstream",
    "ofstream",
    "stringstream",
    "ostringstream",
    "istringstream",
    "fstream",
    "mt19937",
    "mt19937_64",
    "default_random_engine",
    "random_device",
    "minstd_rand",
    "uniform_real_distribution",
    "uniform_int_distribution",
    "normal_distribution",
    "numeric_limits",
    "complex",
    "thread",
    "mutex",
    "list",
    "deque",
    "queue",
    "stack",
    "bitset",
    "atomic",
    "initializer_list",
    "string_view",
    "optional",
    "device_ptr",
    "size_t",
    "ssize_t",
    "ptrdiff_t",
    "int8_t",
    "uint8_t",
    "int16_t",
    "uint16_t",
    "int32_t",
    "uint32_t",
    "int64_t",
    "uint64_t",
    "uintptr_t",
    "intptr_t",
    "uint",
    "uchar",
    "ushort",
    "ulong",
    "dim3",
    "cudaError_t",
    "cudaError",
    "cudaEvent_t",
    "cudaStream_t",
    "cudaDeviceProp",
    "cudaArray",
    "cudaArray_t",
    "cudaExtent",
    "cudaPitchedPtr",
    "cudaMemcpy3DParms",
    "cudaChannelFormatDesc",
    "cudaTextureObject_t",
    "cudaSurfaceObject_t",
    "cudaResourceDesc",
    "cudaTextureDesc",
    "cudaGraph_t",
    "cudaGraphExec_t",
    "cudaGraphNode_t",
    "cudaMemPool_t",
    "cudaMemcpyKind",
    "cudaFuncAttribute",
    "cudaFuncCache",
    "cudaDeviceAttr",
    "cudaFuncAttributes",
    "curandState",
    "curandGenerator_t",
    "cublasHandle_t",
    "cublasStatus_t",
    "FILE",
    "time_t",
    "clock_t",
    "timeval",
    "timespec",
    "StopWatchInterface",
    "half",
    "__half",
    "half2",
    "__half2",
    "nv_bfloat16",
    "__nv_bfloat16",
    "uchar3",
    "char2",
    "char3",
    "char4",
    "uchar2",
    "uchar4",
    "short2",
    "short3",
    "short4",
    "ushort2",
    "ushort3",
    "ushort4",
    "int2",
    "int3",
    "int4",
    "uint2",
    "uint3",
    "uint4",
    "long2",
    "longlong2",
    "ulonglong2",
    "float2",
    "float3",
    "float4",
    "double2",
    "double3",
    "double4",
    "float1",
    "int1",
    "uint1",
    "double1",
    "cuComplex",
    "cuDoubleComplex",
    "cuFloatComplex",
];

/// Names of library functions that take template arguments.
const LIBRARY_TEMPLATES: &[&str] = &[
    "make_unique",
    "make_shared",
    "min",
    "max",
    "cudaMalloc",
    "swap",
    "make_pair",
    "get",
    "fill",
    "accumulate",
    "cudaCreateChannelDesc",
];

impl Parser {
    pub(super) fn new(toks: Vec<Tok>) -> Self {
        let mut kept = Vec::with_capacity(toks.len());
        let (mut num_headers, mut in_pragma) = (0, false);
        for mut tok in toks {
            if tok.kind == Kind::Ident {
                tok.kind = match &*tok.text {
                    "and" => Kind::Punct("&&"),
                    "or" => Kind::Punct("||"),
                    "not" => Kind::Punct("!"),
                    _ => Kind::Ident,
                };
            }
            match tok.kind {
                Kind::LibraryStart => num_headers += 1,
                Kind::LibraryEnd => num_headers -= 1,
                Kind::PragmaUnroll => in_pragma = true,
                Kind::PragmaEnd => in_pragma = false,
                _ if num_headers > 0 || in_pragma => {}
                _ if tok.is_word("__extension__") => {}
                _ => kept.push(tok),
            }
        }
        let mut parser = Self {
            steps: Limit::ParserSteps.most() + STEPS_PER_TOKEN * kept.len() as u64,
            toks: kept,
            pos: 0,
            closed: 0,
            ids: BTreeMap::new(),
            tree: Tree::default(),
            types: LIBRARY_TYPES.iter().map(|name| (*name).to_owned()).collect(),
            templates: LIBRARY_TEMPLATES.iter().map(|name| (*name).to_owned()).collect(),
            depth: 0,
            in_angles: false,
            is_constant: false,
            spaces: Vec::new(),
        };
        parser.scan();
        parser
    }

    /// Records the names of types and of function templates in the complete text.
    fn scan(&mut self) {
        let is_name = |tok: &Tok| tok.kind == Kind::Ident;
        let mut steps = self.steps as usize;
        for idx in 0..self.toks.len().saturating_sub(1) {
            let text = &*self.toks[idx].text.clone();
            let next = &self.toks[idx + 1];
            match text {
                "struct" | "class" | "union" | "typename" if is_name(next) => {
                    self.types.insert(next.text.to_string());
                }
                "class" if next.is_word("T") => {}
                "enum" if is_name(next) => {
                    let at = idx + 1 + usize::from(next.is_word("class") || next.is_word("struct"));
                    if let Some(name) = self.toks.get(at).filter(|tok| is_name(tok)) {
                        self.types.insert(name.text.to_string());
                    }
                }
                "using" if is_name(next) && self.toks.get(idx + 2).is_some_and(|tok| tok.is("=")) => {
                    self.types.insert(next.text.to_string());
                }
                "typedef" => {
                    // The last name before the semicolon, outside brackets.
                    let (mut depth, mut last) = (0_i32, None);
                    for (at, tok) in self.toks.iter().enumerate().skip(idx + 1).take(steps) {
                        steps -= 1;
                        if tok.is("{") || tok.is("[") {
                            depth += 1;
                        } else if tok.is("}") || tok.is("]") {
                            depth -= 1;
                        } else if depth == 0 && tok.is(";") {
                            break;
                        } else if depth == 0 && is_name(tok) && !self.toks[at - 1].is("(") {
                            last = Some(tok.text.to_string());
                        } else if depth == 0 && is_name(tok) && self.toks[at + 1].is(")") {
                            last = Some(tok.text.to_string());
                            break;
                        }
                    }
                    self.types.extend(last);
                }
                "template" if next.is("<") => {
                    // The function name precedes the first parenthesis after the template parameters.
                    let (mut depth, mut at) = (0_i32, idx + 1);
                    while let Some(tok) = self.toks.get(at).filter(|_| steps > 0) {
                        steps -= 1;
                        match tok.kind {
                            Kind::Punct("<") => depth += 1,
                            Kind::Punct(">") => depth -= 1,
                            Kind::Punct(">>") => depth -= 2,
                            Kind::End => break,
                            _ => {}
                        }
                        at += 1;
                        if depth <= 0 {
                            break;
                        }
                    }
                    while let Some(tok) = self.toks.get(at).filter(|_| steps > 0) {
                        steps -= 1;
                        let closes = |tok: &Tok| tok.is(";") || tok.is("{") || tok.kind == Kind::End;
                        if closes(tok) || tok.is_word("struct") || tok.is_word("class") {
                            break;
                        }
                        let attribute = |tok: &Tok| {
                            tok.text.starts_with("__launch_bounds") || tok.is_word("__attribute__")
                        };
                        if is_name(tok) && self.toks[at + 1].is("(") && !attribute(tok) {
                            self.templates.insert(tok.text.to_string());
                            break;
                        }
                        at += 1;
                    }
                }
                _ => {}
            }
        }
    }

    pub(super) fn name(&mut self, text: &str) -> Name {
        if let Some(id) = self.ids.get(text) {
            return *id;
        }
        let id = self.tree.names.len() as Name;
        self.tree.names.push(text.to_owned());
        self.ids.insert(text.to_owned(), id);
        id
    }

    // ---- tokens

    fn peek(&self) -> &Tok {
        self.peek_at(0)
    }

    fn peek_at(&self, ahead: usize) -> &Tok {
        // The last token is the end of the text.
        let idx = (self.pos + ahead).min(self.toks.len() - 1);
        &self.toks[idx]
    }

    fn at(&self, punct: &str) -> bool {
        self.closed == 0 && self.peek().is(punct)
    }

    fn at_word(&self, word: &str) -> bool {
        self.peek().is_word(word)
    }

    fn at_end(&self) -> bool {
        self.peek().kind == Kind::End
    }

    fn line(&self) -> u32 {
        self.peek().span.line
    }

    fn next(&mut self) {
        self.closed = 0;
        self.steps = self.steps.saturating_sub(1);
        if self.steps == 0 {
            self.stop(Limit::ParserSteps.message());
        }
        if self.pos + 1 < self.toks.len() {
            self.pos += 1;
        }
    }

    fn take(&mut self, punct: &str) -> bool {
        let found = self.at(punct);
        if found {
            self.next();
        }
        found
    }

    fn take_word(&mut self, word: &str) -> bool {
        let found = self.at_word(word);
        if found {
            self.next();
        }
        found
    }

    fn expect(&mut self, punct: &str) -> Read<()> {
        if self.take(punct) { Ok(()) } else { Err(Unread) }
    }

    fn ident(&mut self) -> Read<String> {
        if self.peek().kind != Kind::Ident {
            return Err(Unread);
        }
        let text = self.peek().text.to_string();
        self.next();
        Ok(text)
    }

    /// Ends reading. A parser that tries another meaning goes back, so that the tokens themselves end.
    fn stop(&mut self, message: String) {
        if self.tree.stopped.is_some() {
            return;
        }
        self.tree.stopped = Some((self.line(), message));
        let empty: std::sync::Arc<str> = "".into();
        for tok in &mut self.toks {
            (tok.kind, tok.text) = (Kind::End, empty.clone());
        }
    }

    /// Reads a construct that can contain itself.
    fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Read<T>) -> Read<T> {
        self.depth += 1;
        let result = if self.depth > 2 * MAX_DEPTH {
            self.stop("Host code is nested too deeply here; the rest is not read. Split it into smaller statements.".to_owned());
            Err(Unread)
        } else {
            read(self)
        };
        self.depth = self.depth.saturating_sub(1);
        result
    }

    /// Counts an operator of a chain.
    fn link(&mut self, chain: &mut u32) -> Read<()> {
        *chain += 1;
        if *chain <= MAX_CHAIN {
            return Ok(());
        }
        self.stop("This expression of the host code is too long; the rest is not read. Split it into several statements.".to_owned());
        Err(Unread)
    }

    /// Closes template arguments, optionally with a part of `>>` or `>>>`.
    fn close_angle(&mut self) -> Read<()> {
        let width = match self.peek().kind {
            Kind::Punct(">") => 1,
            Kind::Punct(">>") => 2,
            Kind::Punct(">>>") => 3,
            _ => return Err(Unread),
        };
        self.closed += 1;
        if self.closed == width {
            self.next();
        }
        Ok(())
    }

    fn at_close_angle(&self) -> bool {
        matches!(self.peek().kind, Kind::Punct(">" | ">>" | ">>>"))
    }

    fn position(&self) -> (usize, usize) {
        (self.pos, self.closed)
    }

    fn reset_to(&mut self, (pos, closed): (usize, usize)) {
        (self.pos, self.closed) = (pos, closed);
    }

    /// Parses a construct, or resets the position if it fails.
    fn attempt<T>(&mut self, read: impl FnOnce(&mut Self) -> Read<T>) -> Option<T> {
        let (from, depth, angles) = (self.position(), self.depth, self.in_angles);
        let result = read(self).ok();
        if result.is_none() {
            self.reset_to(from);
            (self.depth, self.in_angles) = (depth, angles);
        }
        result
    }

    /// Skips a bracketed group that opens here.
    fn skip_group(&mut self) {
        let mut depth = 0;
        while !self.at_end() {
            match self.peek().kind {
                Kind::Punct("(" | "{" | "[") => depth += 1,
                Kind::Punct(")" | "}" | "]") => depth -= 1,
                _ => {}
            }
            self.next();
            if depth <= 0 {
                break;
            }
        }
    }

    /// Skips to after the next semicolon, or after a block that ends the construct.
    fn skip_statement(&mut self) {
        while !self.at_end() && !self.at("}") {
            if self.at("{") {
                self.skip_group();
                let goes_on =
                    self.at_word("else") || self.at_word("catch") || self.at_word("while") || self.at(",");
                if !goes_on && !self.at(";") {
                    return;
                }
            } else if self.at("(") || self.at("[") {
                self.skip_group();
            } else if self.at(";") {
                self.next();
                return;
            } else {
                self.next();
            }
        }
    }

    fn names_between(&mut self, from: usize, to: usize) -> Vec<Name> {
        let texts: BTreeSet<String> = self.toks[from..to]
            .iter()
            .filter(|tok| tok.kind == Kind::Ident)
            .map(|tok| tok.text.to_string())
            .collect();
        texts.into_iter().map(|text| self.name(&text)).collect()
    }
}

/// Keywords that are types or precede a type.
fn is_type_word(word: &str) -> bool {
    matches!(
        word,
        "void"
            | "bool"
            | "char"
            | "short"
            | "int"
            | "long"
            | "float"
            | "double"
            | "signed"
            | "unsigned"
            | "auto"
            | "const"
            | "volatile"
            | "struct"
            | "typename"
            | "decltype"
    )
}
