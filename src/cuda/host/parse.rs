//! From tokens to the tree of host code. What is not understood becomes `Opaque` with the names in it.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::tree::*;
use crate::cuda::lex::{Number, literal_bytes, parse_char, parse_number};
use crate::cuda::preprocess::{Kind, Tok};

/// What could not be read: the caller skips it.
pub(super) struct Unread;

type Read<T> = Result<T, Unread>;

/// How deep expressions and statements may be nested.
const MAX_DEPTH: u32 = 48;

pub(super) struct Parser {
    toks: Vec<Tok>,
    pos: usize,
    /// How many `>` of the token at `pos` have closed template arguments.
    closed: usize,
    ids: BTreeMap<String, Name>,
    tree: Tree,
    /// Names of types, and of templates of functions.
    types: BTreeSet<String>,
    templates: BTreeSet<String>,
    depth: u32,
    /// Whether `>` closes template arguments here.
    in_angles: bool,
    /// Whether `__constant__` stood among the words that were read last.
    is_constant: bool,
}

/// Class templates and classes of libraries whose names are types.
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

/// The parameters of a kernel's launch, or names of functions of the library that take template arguments.
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
];

impl Parser {
    pub(super) fn new(toks: Vec<Tok>) -> Self {
        let mut kept = Vec::with_capacity(toks.len());
        let (mut num_headers, mut in_pragma) = (0, false);
        for tok in toks {
            match tok.kind {
                Kind::LibraryStart => num_headers += 1,
                Kind::LibraryEnd => num_headers -= 1,
                Kind::PragmaUnroll => in_pragma = true,
                Kind::PragmaEnd => in_pragma = false,
                _ if num_headers > 0 || in_pragma => {}
                _ => kept.push(tok),
            }
        }
        let mut parser = Self {
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
        };
        parser.scan();
        parser
    }

    /// Notes the names of types and of function templates, wherever they are declared.
    fn scan(&mut self) {
        let is_name = |tok: &Tok| tok.kind == Kind::Ident;
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
                    // The name is the last one before the semicolon, outside of brackets.
                    let (mut depth, mut last) = (0_i32, None);
                    for (at, tok) in self.toks.iter().enumerate().skip(idx + 1) {
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
                    // The function's name stands before the first parenthesis behind the parameters.
                    let (mut depth, mut at) = (0_i32, idx + 1);
                    while let Some(tok) = self.toks.get(at) {
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
                    while let Some(tok) = self.toks.get(at) {
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

    // ---- Tokens

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

    /// Closes template arguments, perhaps with a part of `>>` or `>>>`.
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

    fn back(&mut self, (pos, closed): (usize, usize)) {
        (self.pos, self.closed) = (pos, closed);
    }

    /// Reads something, or stays in front of it.
    fn attempt<T>(&mut self, read: impl FnOnce(&mut Self) -> Read<T>) -> Option<T> {
        let (from, depth, angles) = (self.position(), self.depth, self.in_angles);
        let result = read(self).ok();
        if result.is_none() {
            self.back(from);
            (self.depth, self.in_angles) = (depth, angles);
        }
        result
    }

    /// Skips a group of brackets that opens here.
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

    /// Skips to behind the next semicolon, or a block that ends what is here.
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

    // ---- File scope

    pub(super) fn tree(mut self) -> Tree {
        while !self.at_end() {
            let from = self.pos;
            if self.item(&[]).is_err() {
                self.back((from, 0));
                self.skip_statement();
            }
            if self.pos == from {
                self.next();
            }
        }
        self.tree
    }

    fn item(&mut self, templates: &[TemplateParameter]) -> Read<()> {
        if self.take(";") || self.take("}") {
            return Ok(());
        }
        if self.take_word("extern") {
            if self.peek().kind == Kind::Str {
                self.next();
                if self.take("{") {
                    return Ok(());
                }
            }
            return self.item(templates);
        }
        if self.at_word("inline") && self.peek_at(1).is_word("namespace") {
            self.next();
        }
        if self.take_word("namespace") {
            while !self.at("{") && !self.at(";") && !self.at_end() {
                self.next();
            }
            self.next();
            return Ok(());
        }
        if self.take_word("using") {
            if self.peek_at(1).is("=") {
                let name = self.ident()?;
                self.next();
                let ty = self.type_id()?;
                let name = self.name(&name);
                self.tree.aliases.push((name, ty));
            }
            self.skip_statement();
            return Ok(());
        }
        if self.take_word("static_assert") {
            self.skip_statement();
            return Ok(());
        }
        if self.take_word("template") {
            if !self.at("<") {
                self.skip_statement(); // an explicit instantiation
                return Ok(());
            }
            let params = self.template_parameters()?;
            return self.item(&params);
        }
        if self.take_word("typedef") {
            if self.at_word("enum")
                || self.at_word("struct")
                || self.at_word("union")
                || self.at_word("class")
            {
                self.record(templates, true)?;
                return Ok(());
            }
            let base = self.type_specifier()?;
            let (name, ty) = self.declarator(base)?;
            self.tree.aliases.push((name.ok_or(Unread)?, ty));
            self.skip_statement();
            return Ok(());
        }
        let is_record = ["struct", "class", "union", "enum"]
            .iter()
            .any(|word| self.at_word(word));
        if is_record && self.attempt(|this| this.record(templates, false)).is_some() {
            return Ok(());
        }
        self.declaration_or_function(templates)
    }

    fn template_parameters(&mut self) -> Read<Vec<TemplateParameter>> {
        self.expect("<")?;
        let mut params = Vec::new();
        let outer = std::mem::replace(&mut self.in_angles, true);
        while !self.at_close_angle() {
            let is_type = self.at_word("typename") || self.at_word("class");
            if self.at_word("template") {
                return Err(Unread);
            }
            let name = if is_type {
                self.next();
                self.take("...");
                self.attempt(Self::ident)
            } else {
                self.type_id()?;
                self.take("...");
                self.attempt(Self::ident)
            };
            if let Some(name) = name.as_ref().filter(|_| is_type) {
                self.types.insert(name.clone());
            }
            let default = if self.take("=") {
                Some(if is_type {
                    TemplateArg::Type(self.type_id()?)
                } else {
                    TemplateArg::Value(self.assignment()?)
                })
            } else {
                None
            };
            let name = name.map(|name| self.name(&name));
            params.push(TemplateParameter { name, default });
            if !self.take(",") {
                break;
            }
        }
        self.in_angles = outer;
        self.close_angle()?;
        Ok(params)
    }

    /// A struct, union, or enum, with variables or names of the type behind it.
    fn record(&mut self, templates: &[TemplateParameter], is_typedef: bool) -> Read<()> {
        let word = self.ident()?;
        if word == "enum" {
            let _ = self.take_word("class") || self.take_word("struct");
        }
        while self.at_word("__align__") || self.at_word("alignas") || self.at_word("__attribute__") {
            self.next();
            self.skip_group();
        }
        let tag = self.attempt(Self::ident);
        let mut is_opaque = false;
        if self.take(":") {
            is_opaque = word != "enum";
            while !self.at("{") && !self.at(";") && !self.at_end() {
                self.next();
            }
        }
        if !self.at("{") {
            if word != "enum" && tag.is_some() && !is_typedef && self.take(";") {
                return Ok(()); // declared only
            }
            if is_typedef && let Some(tag) = tag {
                let tag = self.name(&tag);
                let base = TypeExpr::Named(tag, Vec::new());
                let (name, ty) = self.declarator(base)?;
                let name = name.ok_or(Unread)?;
                if name != tag {
                    self.tree.aliases.push((name, ty));
                }
                self.skip_statement();
                return Ok(());
            }
            return Err(Unread);
        }
        let tag = tag.unwrap_or_else(|| format!("(unnamed {})", self.pos));
        let tag = self.name(&tag);
        if word == "enum" {
            self.next();
            let mut is_first = true;
            while !self.at("}") && !self.at_end() {
                let name = self.ident()?;
                let name = self.name(&name);
                let value = if self.take("=") {
                    Some(self.assignment()?)
                } else {
                    None
                };
                self.tree
                    .enumerators
                    .push((name, value, std::mem::take(&mut is_first)));
                if !self.take(",") {
                    break;
                }
            }
            self.expect("}")?;
            let int = TypeExpr::Int {
                bytes: 4,
                signed: true,
            };
            self.tree.aliases.push((tag, int));
        } else {
            let record = self.members(tag, templates, word == "union", is_opaque)?;
            self.tree.structs.push((tag, record));
        }
        // Variables, or other names.
        while !self.at(";") && !self.at_end() {
            let (name, ty) = self.declarator(TypeExpr::Named(tag, Vec::new()))?;
            let name = name.ok_or(Unread)?;
            if is_typedef {
                if name != tag {
                    self.tree.aliases.push((name, ty));
                }
            } else {
                let line = self.line();
                let init = self.initializer()?;
                let declarator = Declarator {
                    name,
                    ty,
                    init,
                    is_static: true,
                    line,
                };
                self.tree.globals.push((declarator, Home::Host));
            }
            if !self.take(",") {
                break;
            }
        }
        self.take(";");
        Ok(())
    }

    fn members(
        &mut self,
        tag: Name,
        templates: &[TemplateParameter],
        is_union: bool,
        is_opaque: bool,
    ) -> Read<Struct> {
        self.expect("{")?;
        let mut record = Struct {
            templates: templates.to_vec(),
            fields: Vec::new(),
            methods: Vec::new(),
            is_union,
            is_opaque,
        };
        while !self.at("}") && !self.at_end() {
            if ["public", "private", "protected"]
                .iter()
                .any(|word| self.at_word(word))
                && self.peek_at(1).is(":")
            {
                self.next();
                self.next();
                continue;
            }
            let from = self.position();
            if self.member(tag, &mut record).is_err() {
                self.back(from);
                // A skipped function changes nothing of the layout; anything else may.
                let start = self.pos;
                self.skip_statement();
                let has_call = self.toks[start..self.pos].iter().any(|tok| tok.is("("));
                record.is_opaque |= !has_call;
                if self.pos == start {
                    self.next();
                }
            }
        }
        self.expect("}")?;
        Ok(record)
    }

    fn member(&mut self, tag: Name, record: &mut Struct) -> Read<()> {
        if self.take(";") {
            return Ok(());
        }
        let mut is_static = false;
        let mut is_template = false;
        let mut templates = Vec::new();
        if self.at_word("typedef")
            || self.at_word("using")
            || self.at_word("enum")
            || self.at_word("friend")
            || self.at("~")
        {
            return match () {
                () if self.at_word("friend") || self.at("~") => {
                    self.skip_statement();
                    Ok(())
                }
                () => self.item(&[]),
            };
        }
        if (self.at_word("struct") || self.at_word("union"))
            && (self.peek_at(1).is("{") || self.peek_at(2).is("{"))
        {
            return Err(Unread);
        }
        if self.at_word("template") {
            self.next();
            templates = self.template_parameters()?;
            is_template = true;
        }
        self.specifiers(&mut is_static);
        let line = self.line();
        // A constructor.
        let tag_text = self.tree.names[tag as usize].clone();
        if self.at_word(&tag_text) && self.peek_at(1).is("(") {
            self.next();
            let params = self.parameters()?;
            let _ = self.take_word("noexcept");
            let mut inits = Vec::new();
            if self.take(":") {
                loop {
                    let member = self.ident()?;
                    let member = self.name(&member);
                    let args = if self.take("{") {
                        let args = self.list("}")?;
                        self.expect("}")?;
                        args
                    } else {
                        self.arguments()?
                    };
                    inits.push((member, args));
                    if !self.take(",") {
                        break;
                    }
                }
            }
            let body = if self.at("{") {
                Some(self.block()?)
            } else {
                self.skip_statement();
                None
            };
            record.methods.push(Rc::new(Function {
                name: tag,
                templates,
                params,
                ret: TypeExpr::Void,
                body,
                inits,
                is_kernel: false,
                writes: Vec::new(),
                line,
            }));
            return Ok(());
        }
        let base = self.type_specifier()?;
        loop {
            if self.at_word("operator") {
                self.skip_statement();
                return Ok(());
            }
            let (name, ty) = self.declarator(base.clone())?;
            let name = name.ok_or(Unread)?;
            if self.at("(") {
                let params = self.parameters()?;
                while self.take_word("const") || self.take_word("noexcept") || self.take_word("override") {}
                let body = if self.at("{") {
                    Some(self.block()?)
                } else {
                    self.skip_statement();
                    None
                };
                record.methods.push(Rc::new(Function {
                    name,
                    templates,
                    params,
                    ret: ty,
                    body,
                    inits: Vec::new(),
                    is_kernel: false,
                    writes: Vec::new(),
                    line,
                }));
                return Ok(());
            }
            if self.at(":") || is_template {
                return Err(Unread);
            }
            let init = self.initializer()?;
            let field = Declarator {
                name,
                ty,
                init,
                is_static,
                line,
            };
            if is_static {
                self.tree.globals.push((field, Home::Host));
            } else {
                record.fields.push(field);
            }
            if !self.take(",") {
                break;
            }
        }
        self.expect(";")
    }

    /// Skips words in front of a declaration; returns whether one makes it a kernel, and whether one makes it the
    /// device's.
    fn specifiers(&mut self, is_static: &mut bool) -> (bool, bool) {
        let (mut is_kernel, mut is_of_device) = (false, false);
        while self.peek().kind == Kind::Ident {
            match &*self.peek().text {
                "__global__" => is_kernel = true,
                "__constant__" => (is_of_device, self.is_constant) = (true, true),
                "__device__" | "__managed__" => is_of_device = true,
                "static" => *is_static = true,
                "inline" | "__host__" | "__forceinline__" | "__inline__" | "__inline" | "constexpr"
                | "extern" | "register" | "volatile" | "__noinline__" | "explicit" | "virtual"
                | "mutable" | "thread_local" | "__restrict__" => {}
                "__launch_bounds__" | "__attribute__" | "__align__" | "alignas" | "__cluster_dims__"
                | "__maxnreg__" | "__declspec" => {
                    self.next();
                    if self.at("(") {
                        self.skip_group();
                    }
                    continue;
                }
                _ => break,
            }
            self.next();
        }
        if self.at("[") && self.peek_at(1).is("[") {
            self.skip_group();
        }
        (is_kernel, is_of_device)
    }

    fn declaration_or_function(&mut self, templates: &[TemplateParameter]) -> Read<()> {
        let mut is_static = false;
        self.is_constant = false;
        let (mut is_kernel, mut is_of_device) = self.specifiers(&mut is_static);
        let base = self.type_specifier()?;
        let more = self.specifiers(&mut is_static);
        is_kernel |= more.0;
        is_of_device |= more.1;
        loop {
            let line = self.line();
            let more = self.specifiers(&mut is_static);
            is_kernel |= more.0;
            is_of_device |= more.1;
            let (name, ty) = self.declarator(base.clone())?;
            let name = name.ok_or(Unread)?;
            if self.at("(") && !self.at_constructor_arguments() {
                let params = self.parameters()?;
                while self.peek().kind == Kind::Ident && !self.at_end() {
                    self.next(); // noexcept, const
                }
                let start = self.pos;
                let has_body = self.at("{");
                let body = if has_body && !is_kernel {
                    self.attempt(Self::block)
                } else {
                    None
                };
                if has_body && body.is_none() {
                    self.skip_group();
                }
                let writes = params
                    .iter()
                    .map(|param| is_kernel && self.is_written(param, start, self.pos))
                    .collect();
                if !has_body {
                    self.skip_statement();
                }
                self.tree.functions.push(Rc::new(Function {
                    name,
                    templates: templates.to_vec(),
                    params,
                    ret: ty,
                    body,
                    inits: Vec::new(),
                    is_kernel,
                    writes,
                    line,
                }));
                return Ok(());
            }
            let init = self.initializer()?;
            let declarator = Declarator {
                name,
                ty,
                init,
                is_static: true,
                line,
            };
            let home = match (is_of_device, self.is_constant) {
                (false, _) => Home::Host,
                (true, false) => Home::Device,
                (true, true) => Home::Constant,
            };
            self.tree.globals.push((declarator, home));
            if !self.take(",") {
                break;
            }
        }
        self.expect(";")
    }

    /// Whether what stands in these parentheses at file scope are values, not parameters.
    fn at_constructor_arguments(&mut self) -> bool {
        let from = self.position();
        self.next();
        let next = self.peek();
        let is_value = matches!(next.kind, Kind::Number | Kind::Str | Kind::Char)
            || (next.kind == Kind::Ident
                && !self.at_type()
                && ["+", "-", "*", "/", "<<", "(", ")"]
                    .iter()
                    .any(|op| self.peek_at(1).is(op))
                && !(self.peek_at(1).is("*") && (self.peek_at(2).is(",") || self.peek_at(2).is(")"))));
        self.back(from);
        is_value
    }

    /// Whether a kernel's body may write through a pointer: it does anything with the pointer but read elements.
    fn is_written(&self, param: &Parameter, from: usize, to: usize) -> bool {
        let (Some(name), TypeExpr::Pointer { is_const, .. }) = (param.name, &param.ty) else {
            return false;
        };
        let name = &self.tree.names[name as usize];
        if *is_const {
            return false;
        }
        if from == to {
            return true; // only declared here
        }
        (from..to).any(|at| {
            if !self.toks[at].is_word(name) || self.toks[at - 1].is(".") || self.toks[at - 1].is("->") {
                return false;
            }
            let mut end = at + 1;
            if !self.toks[end].is("[") {
                return true;
            }
            while self.toks.get(end).is_some_and(|tok| tok.is("[")) {
                let mut depth = 0;
                while end < to {
                    depth += i32::from(self.toks[end].is("[")) - i32::from(self.toks[end].is("]"));
                    end += 1;
                    if depth == 0 {
                        break;
                    }
                }
            }
            while self.toks[end].is(".") {
                end += 2;
            }
            let changes = [
                "=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=", "++", "--",
            ];
            changes.iter().any(|op| self.toks[end].is(op))
                || ["++", "--", "&"].iter().any(|op| self.toks[at - 1].is(op)) && !self.is_binary_and(at - 1)
        })
    }

    /// Whether the `&` at a place has an operand on its left.
    fn is_binary_and(&self, at: usize) -> bool {
        let before = &self.toks[at - 1];
        self.toks[at].is("&")
            && (before.is(")") || before.is("]") || matches!(before.kind, Kind::Ident | Kind::Number))
    }

    fn parameters(&mut self) -> Read<Vec<Parameter>> {
        self.expect("(")?;
        let mut params = Vec::new();
        if self.at_word("void") && self.peek_at(1).is(")") {
            self.next();
        }
        while !self.at(")") {
            if self.take("...") {
                break;
            }
            let mut is_static = false;
            self.specifiers(&mut is_static);
            let base = self.type_specifier()?;
            let (name, mut ty) = self.declarator(base)?;
            // Arrays and functions decay.
            ty = match ty {
                TypeExpr::Array(elem, _) => TypeExpr::Pointer {
                    to: elem,
                    is_const: false,
                },
                other => other,
            };
            if self.at("(") {
                self.skip_group();
                ty = TypeExpr::Function;
            }
            let default = if self.take("=") {
                Some(self.assignment()?)
            } else {
                None
            };
            params.push(Parameter { name, ty, default });
            if !self.take(",") {
                break;
            }
        }
        self.expect(")")?;
        Ok(params)
    }

    // ---- Types

    /// Whether a type can start here.
    fn at_type(&self) -> bool {
        let tok = self.peek();
        if tok.kind != Kind::Ident {
            return false;
        }
        let word = &*tok.text;
        if is_type_word(word) {
            return true;
        }
        if self.peek_at(1).is("::") {
            // `a::b::c`: the last name counts.
            let mut ahead = 0;
            while self.peek_at(ahead + 1).is("::") && self.peek_at(ahead + 2).kind == Kind::Ident {
                ahead += 2;
            }
            let last = self.peek_at(ahead);
            let is_clock = ["time_point", "duration", "ifstream", "result_type"]
                .iter()
                .any(|word| last.is_word(word));
            return is_type_word(&last.text)
                || is_clock
                || (self.types.contains(&*last.text) && !self.peek_at(ahead + 1).is("::"));
        }
        self.types.contains(word)
            || ((word.ends_with("_t") || word.starts_with("cuda")) && self.peek_at(1).kind == Kind::Ident)
    }

    fn type_id(&mut self) -> Read<TypeExpr> {
        let base = self.type_specifier()?;
        let ty = self.pointers(base);
        if self.at("(") && self.peek_at(1).is("*") {
            self.skip_group();
            if self.at("(") {
                self.skip_group();
            }
            return Ok(TypeExpr::Function);
        }
        if self.take("[") {
            let len = if self.at("]") {
                None
            } else {
                Some(Box::new(self.expression()?))
            };
            self.expect("]")?;
            return Ok(TypeExpr::Array(Box::new(ty), len));
        }
        Ok(ty)
    }

    /// The type in front of a declarator. A `const` of it is kept where pointers follow (see `pointers`).
    fn type_specifier(&mut self) -> Read<TypeExpr> {
        let (mut is_unsigned, mut is_signed, mut longs, mut word) = (false, false, 0, None::<String>);
        let mut named = None;
        loop {
            if self.peek().kind != Kind::Ident {
                break;
            }
            let text = self.peek().text.to_string();
            match &*text {
                "const" | "volatile" | "typename" | "struct" | "class" | "enum" | "union" | "constexpr"
                | "register" | "static" | "inline" | "__restrict__" => {}
                "unsigned" => is_unsigned = true,
                "signed" => is_signed = true,
                "long" => longs += 1,
                "int" | "char" | "short" | "float" | "double" | "bool" | "void" | "auto" => {
                    if word.as_deref() != Some("short") {
                        word = Some(text);
                    }
                }
                _ => {
                    let nothing_yet =
                        word.is_none() && longs == 0 && !is_unsigned && !is_signed && named.is_none();
                    if !nothing_yet {
                        break;
                    }
                    named = Some(self.named_type()?);
                    continue;
                }
            }
            self.next();
        }
        if let Some(named) = named {
            return Ok(named);
        }
        let int = |bytes| TypeExpr::Int {
            bytes,
            signed: !is_unsigned,
        };
        Ok(match word.as_deref() {
            Some("float") => TypeExpr::Float,
            Some("double") => TypeExpr::Double,
            Some("bool") => TypeExpr::Bool,
            Some("void") => TypeExpr::Void,
            Some("auto") => TypeExpr::Auto,
            Some("char") => int(1),
            Some("short") => int(2),
            _ if longs > 0 => int(8),
            Some("int") => int(4),
            _ if is_unsigned || is_signed => int(4),
            _ => return Err(Unread),
        })
    }

    fn named_type(&mut self) -> Read<TypeExpr> {
        if self.take_word("decltype") {
            self.skip_group();
            return Ok(TypeExpr::Auto);
        }
        self.take("::");
        let mut text = self.ident()?;
        let mut args = self.type_arguments()?;
        while self.at("::") && self.peek_at(1).kind == Kind::Ident {
            self.next();
            text = self.ident()?;
            args = self.type_arguments()?;
        }
        let int = |bytes, signed| TypeExpr::Int { bytes, signed };
        Ok(match &*text {
            "size_t" | "uint64_t" | "uintptr_t" | "ulong" | "cudaTextureObject_t" => int(8, false),
            "ssize_t" | "ptrdiff_t" | "int64_t" | "intptr_t" | "time_t" | "clock_t" => int(8, true),
            "int8_t" => int(1, true),
            "uint8_t" | "uchar" => int(1, false),
            "int16_t" => int(2, true),
            "uint16_t" | "ushort" => int(2, false),
            "int32_t" | "cudaError_t" | "cudaError" | "cudaMemcpyKind" => int(4, true),
            "uint32_t" | "uint" => int(4, false),
            "half" | "__half" => TypeExpr::Half,
            _ => {
                let name = self.name(&text);
                TypeExpr::Named(name, args)
            }
        })
    }

    fn type_arguments(&mut self) -> Read<Vec<TemplateArg>> {
        if self.at("<") {
            self.template_arguments()
        } else {
            Ok(Vec::new())
        }
    }

    fn template_arguments(&mut self) -> Read<Vec<TemplateArg>> {
        self.expect("<")?;
        let outer = std::mem::replace(&mut self.in_angles, true);
        let mut args = Vec::new();
        while !self.at_close_angle() {
            let ty = if self.at_type() {
                self.attempt(|this| {
                    let ty = this.type_id()?;
                    if this.at(",") || this.at_close_angle() {
                        Ok(ty)
                    } else {
                        Err(Unread)
                    }
                })
            } else {
                None
            };
            args.push(match ty {
                Some(ty) => TemplateArg::Type(ty),
                None => TemplateArg::Value(self.assignment()?),
            });
            if !self.take(",") {
                break;
            }
        }
        self.in_angles = outer;
        self.close_angle()?;
        Ok(args)
    }

    fn pointers(&mut self, mut ty: TypeExpr) -> TypeExpr {
        // `const` before the star was passed by the specifier: look back for it.
        let mut is_const = self.const_before();
        loop {
            if self.take("*") {
                ty = TypeExpr::Pointer {
                    to: Box::new(ty),
                    is_const,
                };
                is_const = false;
            } else if self.at("&") || self.at("&&") {
                self.next();
                ty = TypeExpr::Reference(Box::new(ty));
            } else if self.take_word("const") {
                is_const = matches!(ty, TypeExpr::Pointer { .. });
            } else if !(self.take_word("__restrict__")
                || self.take_word("__restrict")
                || self.take_word("volatile")
                || self.take_word("restrict"))
            {
                return ty;
            }
        }
    }

    /// Whether `const` stands among the words of the type that ends here.
    fn const_before(&self) -> bool {
        let mut at = self.pos;
        let mut angles = 0;
        while at > 0 {
            at -= 1;
            let tok = &self.toks[at];
            match tok.kind {
                Kind::Punct(">") => angles += 1,
                Kind::Punct("<") => angles -= 1,
                Kind::Punct("::") => {}
                Kind::Ident if tok.is_word("const") && angles == 0 => return true,
                Kind::Ident => {}
                _ if angles > 0 => {}
                _ => return false,
            }
            if angles < 0 {
                return false;
            }
        }
        false
    }

    fn declarator(&mut self, base: TypeExpr) -> Read<(Option<Name>, TypeExpr)> {
        let ty = self.pointers(base);
        if self.at("(") && self.peek_at(1).is("*") && self.peek_at(2).kind == Kind::Ident {
            // A pointer to a function or to an array.
            self.next();
            self.next();
            let name = self.ident()?;
            let functions = self.extents(TypeExpr::Function)?;
            self.expect(")")?;
            let name = self.name(&name);
            if self.at("(") {
                self.skip_group();
                return Ok((Some(name), functions));
            }
            let array = self.extents(ty)?;
            return Ok((
                Some(name),
                TypeExpr::Pointer {
                    to: Box::new(array),
                    is_const: false,
                },
            ));
        }
        if self.at("(") && self.peek_at(1).is("&") && self.peek_at(2).kind == Kind::Ident {
            self.next();
            self.next();
            let name = self.ident()?;
            self.expect(")")?;
            let name = self.name(&name);
            let array = self.extents(ty)?;
            return Ok((Some(name), TypeExpr::Reference(Box::new(array))));
        }
        let mut name = None;
        if self.peek().kind == Kind::Ident {
            let mut text = self.ident()?;
            while self.at("::") && self.peek_at(1).kind == Kind::Ident {
                self.next();
                text = self.ident()?;
            }
            name = Some(self.name(&text));
        }
        Ok((name, self.extents(ty)?))
    }

    fn extents(&mut self, ty: TypeExpr) -> Read<TypeExpr> {
        let mut extents = Vec::new();
        while self.take("[") {
            extents.push(if self.at("]") {
                None
            } else {
                Some(Box::new(self.expression()?))
            });
            self.expect("]")?;
        }
        let array = |ty, extent| TypeExpr::Array(Box::new(ty), extent);
        Ok(extents.into_iter().rev().fold(ty, array))
    }

    fn initializer(&mut self) -> Read<Init> {
        if self.take("=") {
            return Ok(if self.at("{") {
                self.next();
                let list = self.list("}")?;
                self.expect("}")?;
                Init::List(list)
            } else {
                Init::Value(self.assignment()?)
            });
        }
        if self.take("{") {
            let list = self.list("}")?;
            self.expect("}")?;
            return Ok(Init::List(list));
        }
        if self.at("(") {
            return Ok(Init::Args(self.arguments()?));
        }
        Ok(Init::None)
    }

    // ---- Statements

    fn block(&mut self) -> Read<Stmt> {
        let line = self.line();
        self.expect("{")?;
        let mut stmts = Vec::new();
        while !self.at("}") {
            if self.at_end() {
                return Err(Unread);
            }
            stmts.push(self.statement());
        }
        self.next();
        let kind = StmtKind::Block(stmts);
        Ok(Stmt { kind, line })
    }

    /// A statement; one that is not understood is skipped.
    fn statement(&mut self) -> Stmt {
        let (from, line, depth, angles) = (self.position(), self.line(), self.depth, self.in_angles);
        self.in_angles = false;
        self.depth += 1;
        let result = if self.depth > MAX_DEPTH {
            Err(Unread)
        } else {
            self.try_statement()
        };
        self.depth = depth;
        self.in_angles = angles;
        let kind = result.unwrap_or_else(|Unread| {
            self.back(from);
            self.skip_statement();
            if self.position() == from {
                self.next();
            }
            StmtKind::Opaque(self.names_between(from.0, self.pos))
        });
        Stmt { kind, line }
    }

    fn try_statement(&mut self) -> Read<StmtKind> {
        if self.at("{") {
            return Ok(self.block()?.kind);
        }
        if self.take(";") {
            return Ok(StmtKind::Block(Vec::new()));
        }
        if self.peek().kind == Kind::Ident {
            match &*self.peek().text.clone() {
                "if" => {
                    self.next();
                    self.take_word("constexpr");
                    self.expect("(")?;
                    let mut init = None;
                    let condition = match self.attempt(|this| {
                        let condition = this.expression()?;
                        this.expect(")")?;
                        Ok(condition)
                    }) {
                        Some(condition) => condition,
                        None => {
                            let line = self.line();
                            let declared = self.declaration()?;
                            let last = declared.last().map(|declarator| declarator.name);
                            init = Some(Box::new(Stmt {
                                kind: StmtKind::Declaration(declared),
                                line,
                            }));
                            let condition = if self.take(";") {
                                self.expression()?
                            } else {
                                let name = last.ok_or(Unread)?;
                                let kind = ExprKind::Name {
                                    name,
                                    of: None,
                                    args: None,
                                };
                                Expr { kind, line }
                            };
                            self.expect(")")?;
                            condition
                        }
                    };
                    let then = Box::new(self.statement());
                    let otherwise = self.take_word("else").then(|| Box::new(self.statement()));
                    return Ok(StmtKind::If {
                        init,
                        condition,
                        then,
                        otherwise,
                    });
                }
                "while" => {
                    self.next();
                    self.expect("(")?;
                    let condition = Some(self.expression()?);
                    self.expect(")")?;
                    let body = Box::new(self.statement());
                    return Ok(StmtKind::Loop {
                        init: None,
                        condition,
                        step: None,
                        body,
                        is_do: false,
                    });
                }
                "do" => {
                    self.next();
                    let body = Box::new(self.statement());
                    if !self.take_word("while") {
                        return Err(Unread);
                    }
                    self.expect("(")?;
                    let condition = Some(self.expression()?);
                    self.expect(")")?;
                    self.take(";");
                    return Ok(StmtKind::Loop {
                        init: None,
                        condition,
                        step: None,
                        body,
                        is_do: true,
                    });
                }
                "for" => return self.for_loop(),
                "switch" => {
                    self.next();
                    self.expect("(")?;
                    let value = self.expression()?;
                    self.expect(")")?;
                    self.expect("{")?;
                    let (mut labels, mut body) = (Vec::new(), Vec::new());
                    while !self.take("}") {
                        if self.at_end() {
                            return Err(Unread);
                        }
                        if self.take_word("case") {
                            let label = self.conditional()?;
                            self.expect(":")?;
                            labels.push((Some(label), body.len()));
                        } else if self.at_word("default") {
                            self.next();
                            self.expect(":")?;
                            labels.push((None, body.len()));
                        } else {
                            body.push(self.statement());
                        }
                    }
                    return Ok(StmtKind::Switch { value, labels, body });
                }
                "return" => {
                    self.next();
                    let value = if self.at(";") {
                        None
                    } else if self.at("{") {
                        Some(self.primary()?)
                    } else {
                        Some(self.expression()?)
                    };
                    self.expect(";")?;
                    return Ok(StmtKind::Return(value));
                }
                "break" => {
                    self.next();
                    self.expect(";")?;
                    return Ok(StmtKind::Break);
                }
                "continue" => {
                    self.next();
                    self.expect(";")?;
                    return Ok(StmtKind::Continue);
                }
                "throw" => {
                    self.skip_statement();
                    return Ok(StmtKind::Throw);
                }
                "try" => {
                    self.next();
                    let block = self.block()?;
                    while self.take_word("catch") {
                        self.skip_group();
                        self.skip_group();
                    }
                    return Ok(block.kind);
                }
                "case" | "default" | "goto" | "asm" => return Err(Unread),
                "using" | "typedef" | "static_assert" => {
                    self.item(&[])?;
                    return Ok(StmtKind::Block(Vec::new()));
                }
                "struct" | "union" | "enum" | "class"
                    if self.peek_at(1).is("{") || self.peek_at(2).is("{") || self.peek_at(2).is(":") =>
                {
                    self.record(&[], false)?;
                    return Ok(StmtKind::Block(Vec::new()));
                }
                _ if self.peek_at(1).is(":") && !self.peek_at(1).is("::") => {
                    // A label.
                    self.next();
                    self.next();
                    return Ok(StmtKind::Block(Vec::new()));
                }
                "delete" => {
                    self.skip_statement();
                    return Ok(StmtKind::Block(Vec::new()));
                }
                _ => {}
            }
        }
        if self.starts_declaration()
            && let Some(declared) = self.attempt(|this| {
                let declared = this.declaration()?;
                this.expect(";")?;
                Ok(declared)
            })
        {
            return Ok(StmtKind::Declaration(declared));
        }
        let expr = self.expression()?;
        self.expect(";")?;
        Ok(StmtKind::Expr(expr))
    }

    /// Whether a declaration starts here: a type that no parenthesis follows, or two names in a row.
    fn starts_declaration(&mut self) -> bool {
        if self.peek().kind != Kind::Ident {
            return false;
        }
        let word = &*self.peek().text;
        if ["static", "extern", "register", "constexpr", "__shared__"].contains(&word) {
            return true;
        }
        if self.at_type() {
            let from = self.position();
            let is_type = self.type_specifier().is_ok();
            let behind =
                self.at("(") && !self.peek_at(1).is("*") || self.at("{") || self.at(".") || self.at("::");
            self.back(from);
            return is_type && !behind;
        }
        // A type of an unknown library: `Foo bar`, `Foo* bar =`, `a::Foo<T> bar`.
        let from = self.position();
        let named = self.named_type().is_ok();
        let next = self.peek().kind == Kind::Ident && !self.at_word("const");
        let follows = |tok: &Tok| [";", "=", "(", "{", "[", ","].iter().any(|punct| tok.is(punct));
        let is_value = named && next && follows(self.peek_at(1));
        let is_pointer = named
            && (self.at("*") || self.at("&"))
            && self.peek_at(1).kind == Kind::Ident
            && self.peek_at(2).is("=");
        self.back(from);
        is_value || is_pointer
    }

    fn declaration(&mut self) -> Read<Vec<Declarator>> {
        let mut is_static = false;
        self.specifiers(&mut is_static);
        let base = self.type_specifier()?;
        if self.at("[") || self.at("&") && self.peek_at(1).is("[") {
            return Err(Unread); // structured binding
        }
        let mut declared = Vec::new();
        loop {
            let line = self.line();
            let (name, ty) = self.declarator(base.clone())?;
            let name = name.ok_or(Unread)?;
            let init = self.initializer()?;
            declared.push(Declarator {
                name,
                ty,
                init,
                is_static,
                line,
            });
            if !self.take(",") {
                return Ok(declared);
            }
        }
    }

    fn for_loop(&mut self) -> Read<StmtKind> {
        self.next();
        self.expect("(")?;
        let range = self.attempt(|this| {
            let base = this.type_specifier()?;
            let (name, ty) = this.declarator(base)?;
            this.expect(":")?;
            let range = this.expression()?;
            this.expect(")")?;
            Ok((name.ok_or(Unread)?, ty, range))
        });
        if let Some((name, ty, range)) = range {
            let body = Box::new(self.statement());
            return Ok(StmtKind::RangeLoop {
                name,
                ty,
                range,
                body,
            });
        }
        let line = self.line();
        let init = if self.take(";") {
            None
        } else {
            let declared = if self.starts_declaration() {
                self.attempt(Self::declaration)
            } else {
                None
            };
            let kind = match declared {
                Some(declared) => StmtKind::Declaration(declared),
                None => StmtKind::Expr(self.expression()?),
            };
            self.expect(";")?;
            Some(Box::new(Stmt { kind, line }))
        };
        let condition = if self.at(";") {
            None
        } else {
            Some(self.expression()?)
        };
        self.expect(";")?;
        let step = if self.at(")") {
            None
        } else {
            Some(self.expression()?)
        };
        self.expect(")")?;
        let body = Box::new(self.statement());
        Ok(StmtKind::Loop {
            init,
            condition,
            step,
            body,
            is_do: false,
        })
    }

    // ---- Expressions

    fn expression(&mut self) -> Read<Expr> {
        let outer = std::mem::replace(&mut self.in_angles, false);
        let result = self.comma();
        self.in_angles = outer;
        result
    }

    fn comma(&mut self) -> Read<Expr> {
        let mut left = self.assignment()?;
        while self.at(",") {
            let line = self.line();
            self.next();
            let right = self.assignment()?;
            left = Expr {
                kind: ExprKind::Binary(BinaryOp::Comma, Box::new(left), Box::new(right)),
                line,
            };
        }
        Ok(left)
    }

    fn assignment(&mut self) -> Read<Expr> {
        self.depth += 1;
        if self.depth > MAX_DEPTH * 2 {
            self.depth -= 1;
            return Err(Unread);
        }
        let result = self.assignment_within();
        self.depth -= 1;
        result
    }

    fn assignment_within(&mut self) -> Read<Expr> {
        let left = self.conditional()?;
        let op = match self.peek().kind {
            _ if self.closed > 0 => return Ok(left),
            Kind::Punct("=") => None,
            Kind::Punct("+=") => Some(BinaryOp::Add),
            Kind::Punct("-=") => Some(BinaryOp::Sub),
            Kind::Punct("*=") => Some(BinaryOp::Mul),
            Kind::Punct("/=") => Some(BinaryOp::Div),
            Kind::Punct("%=") => Some(BinaryOp::Rem),
            Kind::Punct("<<=") => Some(BinaryOp::Shl),
            Kind::Punct(">>=") => Some(BinaryOp::Shr),
            Kind::Punct("&=") => Some(BinaryOp::And),
            Kind::Punct("|=") => Some(BinaryOp::Or),
            Kind::Punct("^=") => Some(BinaryOp::Xor),
            _ => return Ok(left),
        };
        let line = self.line();
        self.next();
        let right = if self.at("{") {
            self.primary()?
        } else {
            self.assignment()?
        };
        let kind = ExprKind::Assign(op, Box::new(left), Box::new(right));
        Ok(Expr { kind, line })
    }

    fn conditional(&mut self) -> Read<Expr> {
        let condition = self.binary(0)?;
        if !self.at("?") {
            return Ok(condition);
        }
        let line = self.line();
        self.next();
        let outer = std::mem::replace(&mut self.in_angles, false);
        let then = self.assignment();
        self.in_angles = outer;
        let then = then?;
        self.expect(":")?;
        let otherwise = self.assignment()?;
        let kind = ExprKind::Conditional(Box::new(condition), Box::new(then), Box::new(otherwise));
        Ok(Expr { kind, line })
    }

    fn binary(&mut self, least: u8) -> Read<Expr> {
        let mut left = self.unary()?;
        while let Some((op, level)) = self.binary_op().filter(|(_, level)| *level >= least) {
            let line = self.line();
            self.next();
            let right = self.binary(level + 1)?;
            left = Expr {
                kind: ExprKind::Binary(op, Box::new(left), Box::new(right)),
                line,
            };
        }
        Ok(left)
    }

    fn binary_op(&self) -> Option<(BinaryOp, u8)> {
        let Kind::Punct(punct) = self.peek().kind else {
            return None;
        };
        if self.closed > 0 || (self.in_angles && matches!(punct, ">" | ">>" | ">>>")) {
            return None;
        }
        Some(match punct {
            "||" => (BinaryOp::LogicalOr, 0),
            "&&" => (BinaryOp::LogicalAnd, 1),
            "|" => (BinaryOp::Or, 2),
            "^" => (BinaryOp::Xor, 3),
            "&" => (BinaryOp::And, 4),
            "==" => (BinaryOp::Eq, 5),
            "!=" => (BinaryOp::Ne, 5),
            "<" => (BinaryOp::Lt, 6),
            "<=" => (BinaryOp::Le, 6),
            ">" => (BinaryOp::Gt, 6),
            ">=" => (BinaryOp::Ge, 6),
            "<<" => (BinaryOp::Shl, 7),
            ">>" => (BinaryOp::Shr, 7),
            "+" => (BinaryOp::Add, 8),
            "-" => (BinaryOp::Sub, 8),
            "*" => (BinaryOp::Mul, 9),
            "/" => (BinaryOp::Div, 9),
            "%" => (BinaryOp::Rem, 9),
            _ => return None,
        })
    }

    fn unary(&mut self) -> Read<Expr> {
        let line = self.line();
        let op = match self.peek().kind {
            Kind::Punct("+") => Some(UnaryOp::Plus),
            Kind::Punct("-") => Some(UnaryOp::Minus),
            Kind::Punct("!") => Some(UnaryOp::Not),
            Kind::Punct("~") => Some(UnaryOp::Complement),
            Kind::Punct("*") => Some(UnaryOp::Deref),
            Kind::Punct("&") => Some(UnaryOp::Address),
            Kind::Punct("++") => Some(UnaryOp::PreIncrement),
            Kind::Punct("--") => Some(UnaryOp::PreDecrement),
            _ => None,
        };
        if let Some(op) = op {
            self.next();
            let operand = self.unary()?;
            let kind = ExprKind::Unary(op, Box::new(operand));
            return Ok(Expr { kind, line });
        }
        if self.at("(") && self.is_cast() {
            let cast = self.attempt(|this| {
                this.next();
                let ty = this.type_id()?;
                this.expect(")")?;
                let operand = this.unary()?;
                Ok(ExprKind::Cast(ty, Box::new(operand)))
            });
            if let Some(kind) = cast {
                return Ok(Expr { kind, line });
            }
        }
        if self.take_word("sizeof") {
            if self.at("(") {
                let ty = self.attempt(|this| {
                    this.next();
                    if !this.at_type() {
                        return Err(Unread);
                    }
                    let ty = this.type_id()?;
                    this.expect(")")?;
                    Ok(ty)
                });
                if let Some(ty) = ty {
                    return Ok(Expr {
                        kind: ExprKind::SizeofType(ty),
                        line,
                    });
                }
            }
            let operand = self.unary()?;
            return Ok(Expr {
                kind: ExprKind::Sizeof(Box::new(operand)),
                line,
            });
        }
        if self.at_word("new") {
            self.next();
            if self.at("(") {
                return Err(Unread);
            }
            let base = self.type_specifier()?;
            let ty = self.pointers(base);
            let count = if self.take("[") {
                let count = self.expression()?;
                self.expect("]")?;
                Some(Box::new(count))
            } else {
                None
            };
            let mut is_zeroed = false;
            let args = if self.at("(") {
                is_zeroed = true;
                self.arguments()?
            } else if self.take("{") {
                is_zeroed = true;
                let args = self.list("}")?;
                self.expect("}")?;
                args
            } else {
                Vec::new()
            };
            let kind = ExprKind::New {
                ty,
                count,
                args,
                is_zeroed,
            };
            return self.postfix(Expr { kind, line });
        }
        let primary = self.primary()?;
        self.postfix(primary)
    }

    /// Whether the parenthesis here holds a type.
    fn is_cast(&self) -> bool {
        let first = self.peek_at(1);
        if first.kind != Kind::Ident {
            return false;
        }
        is_type_word(&first.text) || self.types.contains(&*first.text) || {
            // `(Foo*)`, `(std::size_t)`, `(Foo**)`
            let mut ahead = 1;
            while self.peek_at(ahead).kind == Kind::Ident && self.peek_at(ahead + 1).is("::") {
                ahead += 2;
            }
            let is_known = self.types.contains(&*self.peek_at(ahead).text);
            ahead += 1;
            let has_star = self.peek_at(ahead).is("*");
            while self.peek_at(ahead).is("*") {
                ahead += 1;
            }
            (has_star || is_known) && self.peek_at(ahead).is(")") && {
                let behind = self.peek_at(ahead + 1);
                matches!(behind.kind, Kind::Ident | Kind::Number) || behind.is("(") || behind.is("&")
            }
        }
    }

    fn postfix(&mut self, mut expr: Expr) -> Read<Expr> {
        loop {
            let line = self.line();
            if self.closed > 0 {
                return Ok(expr);
            }
            let kind = match self.peek().kind {
                Kind::Punct("(") => ExprKind::Call(Box::new(expr), self.arguments()?),
                Kind::Punct("[") => {
                    self.next();
                    let index = self.expression()?;
                    self.expect("]")?;
                    ExprKind::Index(Box::new(expr), Box::new(index))
                }
                Kind::Punct(punct @ ("." | "->")) => {
                    self.next();
                    self.take_word("template");
                    let name = self.ident()?;
                    if self.at("<") && self.templates.contains(&name) {
                        self.template_arguments()?;
                    }
                    let name = self.name(&name);
                    ExprKind::Member {
                        object: Box::new(expr),
                        name,
                        is_arrow: punct == "->",
                    }
                }
                Kind::Punct("++") => {
                    self.next();
                    ExprKind::Unary(UnaryOp::PostIncrement, Box::new(expr))
                }
                Kind::Punct("--") => {
                    self.next();
                    ExprKind::Unary(UnaryOp::PostDecrement, Box::new(expr))
                }
                Kind::Punct("<<<") => {
                    self.next();
                    let outer = std::mem::replace(&mut self.in_angles, true);
                    let mut config = Vec::new();
                    while !self.at(">>>") {
                        config.push(if self.at("{") {
                            self.primary()?
                        } else {
                            self.assignment()?
                        });
                        if !self.take(",") {
                            break;
                        }
                    }
                    self.in_angles = outer;
                    self.expect(">>>")?;
                    let args = self.arguments()?;
                    ExprKind::Launch {
                        kernel: Box::new(expr),
                        config,
                        args,
                    }
                }
                _ => return Ok(expr),
            };
            expr = Expr { kind, line };
        }
    }

    fn arguments(&mut self) -> Read<Vec<Expr>> {
        self.expect("(")?;
        let args = self.list(")")?;
        self.expect(")")?;
        Ok(args)
    }

    fn list(&mut self, end: &str) -> Read<Vec<Expr>> {
        let outer = std::mem::replace(&mut self.in_angles, false);
        let mut items = Vec::new();
        while !self.at(end) {
            if self.at(".") && self.peek_at(1).kind == Kind::Ident {
                return Err(Unread); // designated
            }
            items.push(if self.at("{") {
                self.primary()?
            } else {
                self.assignment()?
            });
            self.take("...");
            if !self.take(",") {
                break;
            }
        }
        self.in_angles = outer;
        Ok(items)
    }

    fn primary(&mut self) -> Read<Expr> {
        let line = self.line();
        let tok = self.peek().clone();
        let kind = match tok.kind {
            Kind::Number => {
                self.next();
                match parse_number(&tok.text).map_err(|_| Unread)? {
                    Number::Int {
                        value,
                        unsigned,
                        long,
                    } => ExprKind::Int {
                        value,
                        unsigned,
                        long,
                    },
                    Number::F32(value) => ExprKind::F32(value),
                    Number::F64(value) => ExprKind::F64(value),
                }
            }
            Kind::Str => {
                let mut bytes = Vec::new();
                while self.peek().kind == Kind::Str {
                    bytes.extend(literal_bytes(&self.peek().text.clone()).unwrap_or_default());
                    self.next();
                }
                while bytes.last() == Some(&0) {
                    bytes.pop();
                }
                bytes.push(0);
                ExprKind::Str(bytes)
            }
            Kind::Char => {
                self.next();
                ExprKind::Char(parse_char(&tok.text).map_err(|_| Unread)?)
            }
            Kind::Punct("(") => {
                self.next();
                let inner = self.expression()?;
                self.expect(")")?;
                return Ok(inner);
            }
            Kind::Punct("{") => {
                self.next();
                let items = self.list("}")?;
                self.expect("}")?;
                ExprKind::List(items)
            }
            Kind::Punct("[") => self.lambda(line)?,
            Kind::Punct("::") => {
                self.next();
                return self.primary();
            }
            Kind::Ident => match &*tok.text {
                "true" | "false" => {
                    self.next();
                    ExprKind::Bool(&*tok.text == "true")
                }
                "nullptr" => {
                    self.next();
                    ExprKind::Int {
                        value: 0,
                        unsigned: false,
                        long: true,
                    }
                }
                "this" => {
                    self.next();
                    ExprKind::This
                }
                "static_cast" | "reinterpret_cast" | "const_cast" | "dynamic_cast" => {
                    self.next();
                    self.expect("<")?;
                    let outer = std::mem::replace(&mut self.in_angles, true);
                    let ty = self.type_id();
                    self.in_angles = outer;
                    let ty = ty?;
                    self.close_angle()?;
                    self.expect("(")?;
                    let operand = self.expression()?;
                    self.expect(")")?;
                    ExprKind::Cast(ty, Box::new(operand))
                }
                _ => self.name_or_construct()?,
            },
            _ => return Err(Unread),
        };
        Ok(Expr { kind, line })
    }

    fn name_or_construct(&mut self) -> Read<ExprKind> {
        if self.at_type() {
            let built = self.attempt(|this| {
                let ty = this.type_specifier()?;
                if this.at("(") {
                    return Ok(ExprKind::Construct(ty, this.arguments()?));
                }
                if this.at("{") {
                    this.next();
                    let args = this.list("}")?;
                    this.expect("}")?;
                    return Ok(ExprKind::Construct(ty, args));
                }
                Err(Unread)
            });
            if let Some(kind) = built {
                return Ok(kind);
            }
        }
        let mut of = None;
        let mut text = self.ident()?;
        loop {
            let is_scope = self.at("<")
                && (self.templates.contains(&text) || self.types.contains(&text))
                && !self.in_shift_of(&text);
            let args = if is_scope {
                self.attempt(Self::template_arguments)
            } else {
                None
            };
            if self.at("::") && self.peek_at(1).kind == Kind::Ident {
                self.next();
                of = Some(self.name(&text));
                text = self.ident()?;
                continue;
            }
            let name = self.name(&text);
            return Ok(ExprKind::Name { name, of, args });
        }
    }

    /// Whether the `<` behind a name that is a template's, too, is an operator: never in practice.
    fn in_shift_of(&self, _name: &str) -> bool {
        false
    }

    fn lambda(&mut self, line: u32) -> Read<ExprKind> {
        self.skip_group();
        let params = if self.at("(") {
            self.parameters()?
        } else {
            Vec::new()
        };
        while self.peek().kind == Kind::Ident {
            self.next();
        }
        if self.take("->") {
            self.type_id()?;
        }
        let body = Some(self.block()?);
        let name = self.name("(lambda)");
        Ok(ExprKind::Lambda(Rc::new(Function {
            name,
            templates: Vec::new(),
            params,
            ret: TypeExpr::Auto,
            body,
            inits: Vec::new(),
            is_kernel: false,
            writes: Vec::new(),
            line,
        })))
    }
}

/// Words that are types or stand in front of one.
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
