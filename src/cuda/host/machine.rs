//! Runs host code as far as it is understood.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::memory::{ARGC, KNOWN, Memory, REASONS, Space, State, UNTOUCHED, is_known};
use super::random::{Rand, Rand48};
use super::tree::*;
use super::{HostArg, HostLaunch, HostSymbol, HostValue, Limits, Note, Number, Reading};
use crate::launch::f16_bits;

/// The index of a type behind a pointer or in an array.
type TyId = u32;

/// A type of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Ty {
    Void,
    Bool,
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    I64,
    U64,
    F16,
    F32,
    F64,
    Pointer(TyId),
    Array(TyId, u64),
    Struct(u32),
    /// `std::vector` and the like: address, length, and capacity in elements.
    Vector(TyId),
    /// A function or lambda, as its index among those that were named.
    Function,
    /// What is not understood.
    Opaque,
}

/// A value, or why there is none.
#[derive(Clone, Debug)]
pub(super) struct Value {
    pub(super) ty: Ty,
    pub(super) bits: u64,
    pub(super) state: State,
    /// Bytes and states of a struct or vector.
    pub(super) parts: Option<Rc<(Vec<u8>, Vec<State>)>>,
}

impl Value {
    pub(super) const fn new(ty: Ty, bits: u64, state: State) -> Self {
        Self {
            ty,
            bits,
            state,
            parts: None,
        }
    }

    pub(super) const fn unknown(state: State) -> Self {
        Self::new(Ty::Opaque, 0, state)
    }

    pub(super) const fn void() -> Self {
        Self::new(Ty::Void, 0, KNOWN)
    }

    pub(super) const fn int(value: i64) -> Self {
        Self::new(Ty::I32, value as u64, KNOWN)
    }

    pub(super) const fn is_known(&self) -> bool {
        is_known(self.state) && !matches!(self.ty, Ty::Opaque)
    }
}

/// Where a value lies. A state other than known: somewhere in the allocation of the address.
#[derive(Clone, Copy, Debug)]
pub(super) struct Location {
    pub(super) address: u64,
    pub(super) ty: Ty,
    pub(super) state: State,
}

/// Why running stops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stop {
    /// The program ends itself.
    Exit,
    /// Too many steps.
    Limit,
}

type Runs<T> = Result<T, Stop>;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Flow {
    Next,
    Break,
    Continue,
    Return,
}

#[derive(Clone, Debug)]
struct Variable {
    name: Name,
    at: Location,
}

#[derive(Clone, Debug)]
enum Binding {
    Type(Ty),
    Value(Value),
}

#[derive(Debug, Default)]
struct Frame {
    variables: Vec<Variable>,
    bindings: Vec<(Name, Binding)>,
    this: Option<(u64, u32)>,
    result: Option<Value>,
    /// Where paths left the function on conditions that are not known: the first step, the reason, and the results.
    left: Option<(u64, State, Vec<Value>)>,
    /// The frame whose variables a lambda sees.
    outer: Option<usize>,
}

#[derive(Clone, Debug)]
pub(super) struct Field {
    pub(super) name: Name,
    pub(super) ty: Ty,
    pub(super) offset: u64,
    init: Init,
}

#[derive(Debug)]
pub(super) struct Record {
    pub(super) name: String,
    pub(super) fields: Vec<Field>,
    pub(super) size: u64,
    pub(super) align: u64,
    methods: Vec<Rc<Function>>,
    bindings: Vec<(Name, Binding)>,
    is_opaque: bool,
}

/// A reason for what is not known.
struct Reason {
    text: String,
    /// The launch whose result it is.
    launch: bool,
}

/// Something that can be called: a function's name, or a lambda with the frame that made it.
#[derive(Clone)]
enum Callee {
    Named(Name, Vec<TemplateArg>),
    Lambda(Rc<Function>, usize),
}

pub(super) struct Machine {
    tree: Rc<Tree>,
    pub(super) memory: Memory,
    types: Vec<Ty>,
    pub(super) records: Vec<Record>,
    record_ids: BTreeMap<String, u32>,
    functions: BTreeMap<Name, Vec<Rc<Function>>>,
    aliases: BTreeMap<Name, TypeExpr>,
    structs: BTreeMap<Name, usize>,
    constants: BTreeMap<Name, Value>,
    globals: BTreeMap<Name, Location>,
    /// Variables of the device: name, address, and whether it is `__constant__`.
    symbols: Vec<(Name, Location, bool)>,
    statics: BTreeMap<(Name, u32), Location>,
    strings: BTreeMap<Vec<u8>, u64>,
    frames: Vec<Frame>,
    callees: Vec<Callee>,
    ids: BTreeMap<String, Name>,
    reasons: Vec<Reason>,
    pub(super) rand: Option<Rand>,
    rand_step: u64,
    pub(super) rand48: Rand48,
    pub(super) step: u64,
    limit: u64,
    limits: Limits,
    loop_depth: u32,
    type_depth: u32,
    /// Lines of conditions that are not known, around what runs.
    conditions: Vec<u32>,
    /// Launches are not recorded.
    muted: u32,
    /// Where paths left the loop, or its round, on conditions that are not known.
    left_loop: Option<(u64, State)>,
    left_round: Option<(u64, State)>,
    pub(super) line: u32,
    pub(super) reading: Reading,
    launches_of_line: BTreeMap<u32, u32>,
}

/// How deep calls may be nested.
const MAX_CALLS: usize = 32;
/// How deep aliases and members may name further types.
const MAX_TYPES: u32 = 24;
/// Launches of one line that are kept.
const KEPT_OF_LINE: u32 = 4;
/// Launches that are kept.
const KEPT: usize = 64;

impl Machine {
    pub(super) fn new(tree: Tree, limits: Limits) -> Self {
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
            limits,
            loop_depth: 0,
            type_depth: 0,
            conditions: Vec::new(),
            muted: 0,
            left_loop: None,
            left_round: None,
            line: 0,
            reading: Reading::default(),
            launches_of_line: BTreeMap::new(),
        };
        let text = format!("it is in more than {} MB of memory", limits.bytes >> 20);
        machine.memory.too_large = machine.reason(text);
        machine
    }

    /// Runs `main`.
    pub(super) fn run(mut self) -> Reading {
        let tree = Rc::clone(&self.tree);
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
        for (declarator, home) in &tree.globals {
            self.line = declarator.line;
            let _ = self.global(declarator, *home);
        }
        let Some(main) = self
            .id("main")
            .and_then(|name| self.functions.get(&name))
            .and_then(|list| list.iter().find(|function| function.body.is_some()).cloned())
        else {
            return self.reading;
        };
        self.reading.has_main = true;
        let argc = Value::new(Ty::I32, 1, ARGC);
        let char_pointer = self.pointer_to(Ty::I8);
        let program = self.memory.alloc(8, Space::Host, "argv[0]".to_owned(), main.line);
        let why = self.reason("it comes from the command line".to_owned());
        self.memory.fill(program, 8, b'a', why, 1);
        let argv = self.memory.alloc(512, Space::Host, "argv".to_owned(), main.line);
        self.memory.fill(argv, 512, 0, why, 1);
        self.memory.store(argv, 8, program, KNOWN, 1);
        let ty = self.pointer_to(char_pointer);
        let argv = Value::new(ty, argv, KNOWN);
        let args = [argc, argv];
        let num_params = main.params.len().min(2);
        let result = self.call_with(
            &main,
            &[],
            args[..num_params].iter().map(|arg| (arg.clone(), None)).collect(),
            None,
        );
        if matches!(result, Err(Stop::Limit)) {
            let text = format!("Reading stopped after {} steps.", self.limits.steps);
            self.note(text);
        }
        self.reading
    }

    pub(super) fn id(&self, text: &str) -> Option<Name> {
        self.ids.get(text).copied()
    }

    pub(super) fn text(&self, name: Name) -> &str {
        &self.tree.names[name as usize]
    }

    /// The state that stands for a reason.
    pub(super) fn reason(&mut self, text: String) -> State {
        self.reason_of(text, false)
    }

    fn reason_of(&mut self, text: String, launch: bool) -> State {
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

    fn is_result(&self, state: State) -> bool {
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

    fn not_read(&mut self, what: &str) -> State {
        let line = self.line;
        self.reason(format!("{what} at line {line} is not read"))
    }

    // ---- Types

    pub(super) fn intern(&mut self, ty: Ty) -> TyId {
        let known = self.types.iter().position(|other| *other == ty);
        known.unwrap_or_else(|| {
            self.types.push(ty);
            self.types.len() - 1
        }) as TyId
    }

    pub(super) fn pointer_to(&mut self, ty: Ty) -> Ty {
        Ty::Pointer(self.intern(ty))
    }

    pub(super) fn pointee(&self, id: TyId) -> Ty {
        self.types[id as usize]
    }

    pub(super) fn size_of(&self, ty: Ty) -> u64 {
        match ty {
            Ty::Void | Ty::Bool | Ty::I8 | Ty::U8 => 1,
            Ty::I16 | Ty::U16 | Ty::F16 => 2,
            Ty::I32 | Ty::U32 | Ty::F32 => 4,
            Ty::I64 | Ty::U64 | Ty::F64 | Ty::Pointer(_) | Ty::Function => 8,
            Ty::Array(elem, len) => self.size_of(self.pointee(elem)).saturating_mul(len),
            Ty::Struct(id) => self.records[id as usize].size,
            Ty::Vector(_) => 24,
            Ty::Opaque => 32,
        }
    }

    fn align_of(&self, ty: Ty) -> u64 {
        match ty {
            Ty::Array(elem, _) => self.align_of(self.pointee(elem)),
            Ty::Struct(id) => self.records[id as usize].align,
            Ty::Vector(_) | Ty::Opaque => 8,
            other => self.size_of(other),
        }
    }

    /// The type that is written, without references.
    pub(super) fn resolve(&mut self, ty: &TypeExpr) -> Runs<Ty> {
        Ok(match ty {
            TypeExpr::Void => Ty::Void,
            TypeExpr::Auto => Ty::Opaque,
            TypeExpr::Bool => Ty::Bool,
            TypeExpr::Int {
                bytes: 1,
                signed: true,
            } => Ty::I8,
            TypeExpr::Int { bytes: 1, .. } => Ty::U8,
            TypeExpr::Int {
                bytes: 2,
                signed: true,
            } => Ty::I16,
            TypeExpr::Int { bytes: 2, .. } => Ty::U16,
            TypeExpr::Int {
                bytes: 8,
                signed: true,
            } => Ty::I64,
            TypeExpr::Int { bytes: 8, .. } => Ty::U64,
            TypeExpr::Int { signed: true, .. } => Ty::I32,
            TypeExpr::Int { .. } => Ty::U32,
            TypeExpr::Float => Ty::F32,
            TypeExpr::Double => Ty::F64,
            TypeExpr::Half => Ty::F16,
            TypeExpr::Pointer { to, .. } => {
                let to = self.resolve(to)?;
                self.pointer_to(to)
            }
            TypeExpr::Reference(to) => self.resolve(to)?,
            TypeExpr::Array(elem, len) => {
                let elem = self.resolve(elem)?;
                let len = match len {
                    Some(len) => self.eval(len)?,
                    None => Value::int(0),
                };
                if !len.is_known() || len.bits > 1 << 32 {
                    return Ok(Ty::Opaque);
                }
                Ty::Array(self.intern(elem), len.bits)
            }
            TypeExpr::Function => Ty::Function,
            TypeExpr::Named(name, args) => self.named_type(*name, args)?,
        })
    }

    fn named_type(&mut self, name: Name, args: &[TemplateArg]) -> Runs<Ty> {
        if self.type_depth >= MAX_TYPES {
            return Ok(Ty::Opaque);
        }
        self.type_depth += 1;
        let ty = self.named_type_within(name, args);
        self.type_depth -= 1;
        ty
    }

    fn named_type_within(&mut self, name: Name, args: &[TemplateArg]) -> Runs<Ty> {
        if let Some(Binding::Type(ty)) = self.binding(name) {
            return Ok(ty);
        }
        if let Some(idx) = self.structs.get(&name).copied() {
            return self.record(name, idx, args);
        }
        if let Some(alias) = self.aliases.get(&name).cloned() {
            return match alias {
                TypeExpr::Named(other, _) if other == name => Ok(Ty::Opaque),
                alias => self.resolve(&alias),
            };
        }
        let text = self.text(name).to_owned();
        let first = match args.first() {
            Some(TemplateArg::Type(ty)) => Some(self.resolve(ty)?),
            _ => None,
        };
        Ok(match (&*text, first) {
            ("vector" | "host_vector" | "device_vector", Some(elem)) => Ty::Vector(self.intern(elem)),
            ("unique_ptr" | "shared_ptr" | "device_ptr", Some(elem)) => match elem {
                Ty::Array(elem, _) => Ty::Pointer(elem),
                elem => self.pointer_to(elem),
            },
            ("array", Some(elem)) => match args.get(1) {
                Some(TemplateArg::Value(len)) => {
                    let len = self.eval(len)?;
                    if len.is_known() {
                        Ty::Array(self.intern(elem), len.bits)
                    } else {
                        Ty::Opaque
                    }
                }
                _ => Ty::Opaque,
            },
            _ => self.builtin_record(&text).unwrap_or(Ty::Opaque),
        })
    }

    /// `dim3` and the vector types.
    pub(super) fn builtin_record(&mut self, text: &str) -> Option<Ty> {
        if let Some(id) = self.record_ids.get(text) {
            return Some(Ty::Struct(*id));
        }
        let (base, lanes) = if text == "dim3" {
            ("uint", 3)
        } else {
            text.split_at_checked(text.len() - 1)
                .and_then(|(base, lanes)| Some((base, lanes.parse::<usize>().ok()?)))?
        };
        let elem = match base {
            "char" => Ty::I8,
            "uchar" => Ty::U8,
            "short" => Ty::I16,
            "ushort" => Ty::U16,
            "int" => Ty::I32,
            "uint" => Ty::U32,
            "long" | "longlong" => Ty::I64,
            "ulong" | "ulonglong" => Ty::U64,
            "float" => Ty::F32,
            "double" => Ty::F64,
            _ => return None,
        };
        if !(1..=4).contains(&lanes) {
            return None;
        }
        let width = self.size_of(elem);
        let mut fields = Vec::new();
        for (idx, name) in ["x", "y", "z", "w"].iter().take(lanes).enumerate() {
            // A text without the name has no use of the field.
            let name = self.id(name).unwrap_or(Name::MAX - idx as u32);
            fields.push(Field {
                name,
                ty: elem,
                offset: idx as u64 * width,
                init: Init::None,
            });
        }
        let align = if lanes == 3 || text == "dim3" {
            width
        } else {
            (width * lanes as u64).min(16)
        };
        Some(self.add_record(text, fields, width * lanes as u64, align))
    }

    fn add_record(&mut self, text: &str, fields: Vec<Field>, size: u64, align: u64) -> Ty {
        let id = self.records.len() as u32;
        self.records.push(Record {
            name: text.to_owned(),
            fields,
            size,
            align,
            methods: Vec::new(),
            bindings: Vec::new(),
            is_opaque: false,
        });
        self.record_ids.insert(text.to_owned(), id);
        Ty::Struct(id)
    }

    fn record(&mut self, name: Name, idx: usize, args: &[TemplateArg]) -> Runs<Ty> {
        let tree = Rc::clone(&self.tree);
        let def = &tree.structs[idx].1;
        let mut bindings = Vec::new();
        let mut key = self.text(name).to_owned();
        for (param, arg) in def
            .templates
            .iter()
            .zip(args.iter().map(Some).chain(std::iter::repeat(None)))
        {
            let Some(arg) = arg.or(param.default.as_ref()) else {
                // The name of a template in itself.
                let own = self.frames.last().and_then(|frame| frame.this).map(|(_, id)| id);
                return Ok(own.map_or(Ty::Opaque, Ty::Struct));
            };
            let binding = self.bind(arg)?;
            key += &format!(",{}", self.binding_text(&binding));
            bindings.extend(param.name.map(|name| (name, binding)));
        }
        if let Some(id) = self.record_ids.get(&key) {
            return Ok(Ty::Struct(*id));
        }
        // A struct that holds pointers to itself is there before its fields.
        let Ty::Struct(id) = self.add_record(&key, Vec::new(), 0, 1) else {
            return Ok(Ty::Opaque);
        };
        self.frames.push(Frame {
            bindings: bindings.clone(),
            ..Frame::default()
        });
        let (mut fields, mut size, mut align) = (Vec::new(), 0_u64, 1_u64);
        let mut is_opaque = def.is_opaque;
        let mut result = Ok(());
        for field in &def.fields {
            let ty = match self.resolve(&field.ty) {
                Ok(ty) => ty,
                Err(stop) => {
                    result = Err(stop);
                    break;
                }
            };
            let ty = if matches!(field.ty, TypeExpr::Reference(_)) {
                Ty::Opaque
            } else {
                ty
            };
            is_opaque |= ty == Ty::Opaque;
            let (width, own) = (self.size_of(ty), self.align_of(ty).max(1));
            let offset = if def.is_union {
                0
            } else {
                size.next_multiple_of(own)
            };
            size = size.max(offset + width);
            align = align.max(own);
            fields.push(Field {
                name: field.name,
                ty,
                offset,
                init: field.init.clone(),
            });
        }
        self.frames.pop();
        result?;
        let record = &mut self.records[id as usize];
        record.fields = fields;
        record.size = size.next_multiple_of(align).max(1);
        record.align = align;
        record.methods = def.methods.clone();
        record.bindings = bindings;
        record.is_opaque = is_opaque;
        Ok(Ty::Struct(id))
    }

    fn bind(&mut self, arg: &TemplateArg) -> Runs<Binding> {
        Ok(match arg {
            TemplateArg::Type(ty) => Binding::Type(self.resolve(ty)?),
            TemplateArg::Value(value) => {
                // A name that is a type's reads as a value.
                if let ExprKind::Name { name, .. } = value.kind
                    && let ty @ (Ty::Struct(_) | Ty::Vector(_)) = self.named_type(name, &[])?
                {
                    return Ok(Binding::Type(ty));
                }
                Binding::Value(self.eval(value)?)
            }
        })
    }

    fn binding(&self, name: Name) -> Option<Binding> {
        let frame = self.frames.last()?;
        let find = |frame: &Frame| {
            frame
                .bindings
                .iter()
                .find(|(other, _)| *other == name)
                .map(|(_, binding)| binding.clone())
        };
        find(frame).or_else(|| find(&self.frames[frame.outer?]))
    }

    fn binding_text(&self, binding: &Binding) -> String {
        match binding {
            Binding::Type(ty) => self.type_text(*ty),
            Binding::Value(value) => self.value_text(value),
        }
    }

    /// A type as C has it.
    pub(super) fn type_text(&self, ty: Ty) -> String {
        match ty {
            Ty::Void => "void".to_owned(),
            Ty::Bool => "bool".to_owned(),
            Ty::I8 => "char".to_owned(),
            Ty::U8 => "unsigned char".to_owned(),
            Ty::I16 => "short".to_owned(),
            Ty::U16 => "unsigned short".to_owned(),
            Ty::I32 => "int".to_owned(),
            Ty::U32 => "unsigned int".to_owned(),
            Ty::I64 => "long".to_owned(),
            Ty::U64 => "unsigned long".to_owned(),
            Ty::F16 => "__half".to_owned(),
            Ty::F32 => "float".to_owned(),
            Ty::F64 => "double".to_owned(),
            Ty::Pointer(to) | Ty::Vector(to) | Ty::Array(to, _) => {
                format!("{}*", self.type_text(self.pointee(to)))
            }
            Ty::Struct(id) => match self.records[id as usize].name.split_once(',') {
                Some((name, args)) => format!("{name}<{}>", args.replace(',', ", ")),
                None => self.records[id as usize].name.clone(),
            },
            Ty::Function | Ty::Opaque => "?".to_owned(),
        }
    }

    fn value_text(&self, value: &Value) -> String {
        match value.ty {
            Ty::Bool => (value.bits != 0).to_string(),
            Ty::U64 => value.bits.to_string(),
            Ty::F32 | Ty::F64 => self.float_of(value).to_string(),
            Ty::Function => match &self.callees[value.bits as usize] {
                Callee::Named(name, _) => self.text(*name).to_owned(),
                Callee::Lambda(..) => "?".to_owned(),
            },
            _ if value.is_known() => value.bits.cast_signed().to_string(),
            _ => "?".to_owned(),
        }
    }

    // ---- Numbers

    /// The bits of an integer in a type, sign- or zero-extended.
    pub(super) fn wrap(ty: Ty, bits: u64) -> u64 {
        match ty {
            Ty::Bool => u64::from(bits != 0),
            Ty::I8 => bits as i8 as u64,
            Ty::U8 => bits as u8 as u64,
            Ty::I16 => bits as i16 as u64,
            Ty::U16 | Ty::F16 => bits as u16 as u64,
            Ty::I32 => bits as i32 as u64,
            Ty::U32 | Ty::F32 => bits as u32 as u64,
            _ => bits,
        }
    }

    pub(super) fn float_of(&self, value: &Value) -> f64 {
        match value.ty {
            Ty::F16 => half_value(value.bits as u16),
            Ty::F32 => f64::from(f32::from_bits(value.bits as u32)),
            Ty::F64 => f64::from_bits(value.bits),
            Ty::U64 => value.bits as f64,
            _ => value.bits.cast_signed() as f64,
        }
    }

    pub(super) const fn is_float(ty: Ty) -> bool {
        matches!(ty, Ty::F16 | Ty::F32 | Ty::F64)
    }

    pub(super) const fn is_integer(ty: Ty) -> bool {
        matches!(
            ty,
            Ty::Bool | Ty::I8 | Ty::U8 | Ty::I16 | Ty::U16 | Ty::I32 | Ty::U32 | Ty::I64 | Ty::U64
        )
    }

    pub(super) fn from_float(ty: Ty, value: f64) -> u64 {
        match ty {
            Ty::F16 => f16_bits(value).into(),
            Ty::F32 => (value as f32).to_bits().into(),
            Ty::F64 => value.to_bits(),
            Ty::Bool => u64::from(value != 0.0),
            Ty::U64 => value as u64,
            _ => Self::wrap(ty, value as i64 as u64),
        }
    }

    /// A value in another type.
    pub(super) fn convert(&mut self, value: Value, ty: Ty) -> Value {
        if value.ty == ty || ty == Ty::Void {
            return value;
        }
        let scalar = |ty| Self::is_float(ty) || Self::is_integer(ty);
        match (value.ty, ty) {
            (from, to) if scalar(from) && scalar(to) => {
                if !is_known(value.state) {
                    return Value::new(ty, 0, value.state);
                }
                let bits = match (Self::is_float(from), Self::is_float(to)) {
                    (false, false) => Self::wrap(to, value.bits),
                    // Once, not through double.
                    (false, true) if to == Ty::F32 => {
                        let bits = if from == Ty::U64 {
                            (value.bits as f32).to_bits()
                        } else {
                            (value.bits.cast_signed() as f32).to_bits()
                        };
                        u64::from(bits)
                    }
                    _ => Self::from_float(to, self.float_of(&value)),
                };
                Value::new(ty, bits, value.state)
            }
            (Ty::Opaque, _) if !is_known(value.state) => Value::new(ty, value.bits, value.state),
            (Ty::Function, Ty::Pointer(_)) => value,
            (Ty::Pointer(_) | Ty::Array(..), Ty::Pointer(_)) => Value { ty, ..value },
            (Ty::Pointer(_), to) if Self::is_integer(to) => {
                Value::new(ty, Self::wrap(to, value.bits), value.state)
            }
            (from, Ty::Pointer(_) | Ty::Function) if Self::is_integer(from) => {
                Value::new(ty, value.bits, value.state)
            }
            (from, Ty::Struct(id)) if Self::is_integer(from) && self.records[id as usize].name == "dim3" => {
                self.make_dim3(&[value])
            }
            (Ty::Struct(from), Ty::Struct(to))
                if self.records[from as usize].size == self.records[to as usize].size =>
            {
                Value { ty, ..value }
            }
            (_, Ty::Opaque) => value,
            _ => {
                let state = if is_known(value.state) {
                    self.not_read("a conversion")
                } else {
                    value.state
                };
                Value::new(ty, 0, state)
            }
        }
    }

    pub(super) fn make_dim3(&mut self, values: &[Value]) -> Value {
        let ty = self.builtin_record("dim3").unwrap_or(Ty::Opaque);
        let (mut data, mut state) = (Vec::new(), Vec::new());
        for idx in 0..3 {
            let value = values.get(idx).cloned().unwrap_or(Value::int(1));
            let value = self.convert(value, Ty::U32);
            data.extend((value.bits as u32).to_le_bytes());
            state.extend([value.state; 4]);
        }
        Value {
            ty,
            bits: 0,
            state: KNOWN,
            parts: Some(Rc::new((data, state))),
        }
    }

    // ---- Memory

    pub(super) fn load(&mut self, at: Location) -> Value {
        match at.ty {
            Ty::Array(elem, _) => Value::new(Ty::Pointer(elem), at.address, at.state),
            Ty::Opaque | Ty::Void => {
                let state = if at.state != KNOWN {
                    at.state
                } else {
                    self.memory
                        .load(at.address, 1)
                        .map_or(REASONS, |(_, state)| state)
                };
                Value::unknown(if is_known(state) {
                    self.not_read("a value")
                } else {
                    state
                })
            }
            Ty::Struct(_) | Ty::Vector(_) => {
                let size = self.size_of(at.ty);
                let parts = self.memory.bytes(at.address, size).filter(|_| at.state == KNOWN);
                match parts {
                    Some(parts) => Value {
                        ty: at.ty,
                        bits: 0,
                        state: KNOWN,
                        parts: Some(Rc::new(parts)),
                    },
                    None => Value::new(
                        at.ty,
                        0,
                        if at.state == KNOWN {
                            self.not_read("a value")
                        } else {
                            at.state
                        },
                    ),
                }
            }
            ty => {
                if at.state != KNOWN {
                    return Value::new(ty, 0, at.state);
                }
                match self.memory.load(at.address, self.size_of(ty)) {
                    Some((bits, state)) => {
                        if self.is_result(state) {
                            self.note_read_back(at.address);
                        }
                        Value::new(ty, Self::wrap(ty, bits), state)
                    }
                    None => Value::new(ty, 0, self.not_read("memory outside of every allocation")),
                }
            }
        }
    }

    pub(super) fn store(&mut self, at: Location, value: Value) {
        self.step += 1;
        if at.state != KNOWN {
            if at.address != 0 {
                self.forget_at(at.address, at.state, self.step);
            }
            return;
        }
        let value = self.convert(value, at.ty);
        let size = self.size_of(at.ty);
        match at.ty {
            Ty::Opaque | Ty::Void => {
                let state = if is_known(value.state) { KNOWN } else { value.state };
                self.memory.forget_range(at.address, size, state, self.step);
            }
            Ty::Struct(_) | Ty::Vector(_) => match &value.parts {
                Some(parts) => {
                    self.memory.write(at.address, &parts.0, &parts.1, self.step);
                }
                None => self.memory.forget_range(at.address, size, value.state, self.step),
            },
            Ty::Array(..) => {}
            _ => {
                self.memory
                    .store(at.address, size, value.bits, value.state, self.step);
            }
        }
    }

    /// Room for a variable.
    fn room(&mut self, name: Name, ty: Ty) -> Location {
        let size = self.size_of(ty);
        let on_stack = if size <= 1 << 12 {
            self.memory.push(size)
        } else {
            None
        };
        let address = on_stack.unwrap_or_else(|| {
            let (name, line) = (self.text(name).to_owned(), self.line);
            self.memory.alloc(size, Space::Host, name, line)
        });
        Location {
            address,
            ty,
            state: KNOWN,
        }
    }

    fn temporary(&mut self, value: Value) -> Location {
        let ty = value.ty;
        let size = self.size_of(ty);
        let address = self
            .memory
            .push(size)
            .unwrap_or_else(|| self.memory.alloc(size, Space::Host, "a value".to_owned(), 0));
        let at = Location {
            address,
            ty,
            state: KNOWN,
        };
        self.store(at, value);
        at
    }

    fn declare(&mut self, name: Name, at: Location) {
        if let Some(frame) = self.frames.last_mut() {
            frame.variables.push(Variable { name, at });
        }
    }

    fn variable(&self, name: Name) -> Option<Location> {
        let mut frame = self.frames.last()?;
        loop {
            if let Some(variable) = frame
                .variables
                .iter()
                .rev()
                .find(|variable| variable.name == name)
            {
                return Some(variable.at);
            }
            if let Some((this, id)) = frame.this
                && let Some(field) = self.records[id as usize]
                    .fields
                    .iter()
                    .find(|field| field.name == name)
            {
                return Some(Location {
                    address: this + field.offset,
                    ty: field.ty,
                    state: KNOWN,
                });
            }
            match frame.outer {
                Some(outer) => frame = &self.frames[outer],
                None => break,
            }
        }
        self.globals.get(&name).copied()
    }

    /// Makes unknown what a pointer leads to: its allocation, or the variable that it points into.
    pub(super) fn forget_at(&mut self, address: u64, state: State, step: u64) {
        if let Some((0, _)) = self.memory.place(address) {
            let variables = self.frames.iter().rev().flat_map(|frame| &frame.variables);
            let found = variables
                .map(|variable| variable.at)
                .find(|at| (at.address..at.address + self.size_of(at.ty)).contains(&address));
            if let Some(at) = found {
                let size = self.size_of(at.ty);
                self.memory.forget_range(at.address, size, state, step);
                return;
            }
        }
        self.memory.forget(address, state, step);
    }

    /// Makes unknown what an expression of an unknown function could change.
    fn forget_value(&mut self, value: &Value, state: State) {
        if matches!(value.ty, Ty::Pointer(_)) && value.bits != 0 {
            self.forget_at(value.bits, state, self.step);
        }
        if let (Ty::Vector(_), Some(parts)) = (value.ty, &value.parts) {
            let data = u64::from_le_bytes(parts.0[..8].try_into().unwrap_or_default());
            self.forget_at(data, state, self.step);
        }
    }

    fn forget_names(&mut self, names: &[Name], state: State) {
        self.step += 1;
        for name in names {
            if let Some(at) = self.variable(*name) {
                let value = self.load(at);
                self.forget_value(&value, state);
                let size = self.size_of(at.ty);
                self.memory.forget_range(at.address, size, state, self.step);
            }
        }
    }

    // ---- Declarations

    fn global(&mut self, declarator: &Declarator, home: Home) -> Runs<()> {
        let (ty, init) = self.declared_type(declarator)?;
        let space = if home == Home::Host {
            Space::Host
        } else {
            Space::Device
        };
        let name = self.text(declarator.name).to_owned();
        let size = self.size_of(ty);
        let address = self.memory.alloc(size, space, name, declarator.line);
        let at = Location {
            address,
            ty,
            state: KNOWN,
        };
        self.memory.fill(address, size, 0, KNOWN, 0);
        self.globals.insert(declarator.name, at);
        self.initialize(at, &declarator.init, init, true)?;
        if home != Home::Host {
            let (idx, _) = self.memory.place(address).unwrap_or_default();
            self.memory.allocs[idx].written = 0;
            self.symbols.push((declarator.name, at, home == Home::Constant));
        }
        Ok(())
    }

    /// The type of a variable, with the value of its initializer where that gives the type.
    fn declared_type(&mut self, declarator: &Declarator) -> Runs<(Ty, Option<Value>)> {
        let mut ty = self.resolve(&declarator.ty)?;
        let is_auto = matches!(strip(&declarator.ty), TypeExpr::Auto);
        let mut init = None;
        if let (true, Init::Value(value)) = (is_auto, &declarator.init) {
            let value = self.eval(value)?;
            ty = value.ty;
            init = Some(value);
        }
        if let (Ty::Array(elem, 0), TypeExpr::Array(_, None)) = (ty, &declarator.ty) {
            let len = match &declarator.init {
                Init::List(items) => items.len() as u64,
                Init::Value(Expr {
                    kind: ExprKind::Str(text),
                    ..
                }) => text.len() as u64,
                _ => 0,
            };
            ty = Ty::Array(elem, len);
        }
        Ok((ty, init))
    }

    fn declaration(&mut self, declarator: &Declarator) -> Runs<()> {
        self.line = declarator.line;
        if let TypeExpr::Reference(_) = declarator.ty {
            let Init::Value(init) = &declarator.init else {
                return Ok(());
            };
            let at = match self.place(init)? {
                Some(at) => at,
                None => {
                    let value = self.eval(init)?;
                    self.temporary(value)
                }
            };
            self.declare(declarator.name, at);
            return Ok(());
        }
        if declarator.is_static {
            let key = (declarator.name, declarator.line);
            if let Some(at) = self.statics.get(&key).copied() {
                self.declare(declarator.name, at);
                return Ok(());
            }
        }
        // A vector whose only argument in braces or parentheses is a length, and so on.
        let (ty, init) = self.declared_type(declarator)?;
        let at = if declarator.is_static {
            let size = self.size_of(ty);
            let name = self.text(declarator.name).to_owned();
            let address = self.memory.alloc(size, Space::Host, name, declarator.line);
            self.memory.fill(address, size, 0, KNOWN, self.step);
            let at = Location {
                address,
                ty,
                state: KNOWN,
            };
            self.statics.insert((declarator.name, declarator.line), at);
            at
        } else {
            self.room(declarator.name, ty)
        };
        self.initialize(at, &declarator.init, init, declarator.is_static)?;
        // Names of allocations are those of the variables that hold them.
        self.name_allocation(at, declarator.name);
        self.declare(declarator.name, at);
        Ok(())
    }

    fn name_allocation(&mut self, at: Location, name: Name) {
        if matches!(at.ty, Ty::Pointer(_) | Ty::Vector(_))
            && let Some((address, KNOWN)) = self.memory.load(at.address, 8)
            && let Some((idx @ 1.., _)) = self.memory.place(address)
            && self.memory.allocs[idx].name.is_empty()
        {
            self.memory.allocs[idx].name = self.text(name).to_owned();
        }
    }

    fn initialize(&mut self, at: Location, init: &Init, known: Option<Value>, is_zeroed: bool) -> Runs<()> {
        match init {
            Init::None => match at.ty {
                Ty::Vector(_) => {
                    let size = self.size_of(at.ty);
                    self.memory.fill(at.address, size, 0, KNOWN, self.step);
                }
                Ty::Struct(_) => self.construct(at, &[], is_zeroed)?,
                _ => {}
            },
            Init::Value(expr) => {
                if let (Ty::Array(elem, len), ExprKind::Str(text)) = (at.ty, &expr.kind)
                    && self.size_of(self.pointee(elem)) == 1
                {
                    let mut bytes = text.clone();
                    bytes.resize(len as usize, 0);
                    let states = vec![KNOWN; bytes.len()];
                    self.memory.write(at.address, &bytes, &states, self.step);
                    return Ok(());
                }
                let value = match known {
                    Some(value) => value,
                    None => self.eval(expr)?,
                };
                let is_record = matches!(at.ty, Ty::Struct(_) | Ty::Vector(_));
                if is_record && value.ty != at.ty && is_known(value.state) && value.parts.is_none() {
                    return self.construct_from(at, vec![value]);
                }
                let value = self.copied(value);
                self.store(at, value);
            }
            Init::Args(args) => self.construct(at, args, is_zeroed)?,
            Init::List(items) => self.initialize_list(at, items)?,
        }
        Ok(())
    }

    /// A copy of a vector has elements of its own.
    fn copied(&mut self, value: Value) -> Value {
        if let (Ty::Vector(elem), Some(parts)) = (value.ty, &value.parts) {
            let word = |at: usize| u64::from_le_bytes(parts.0[at..at + 8].try_into().unwrap_or_default());
            let (data, len) = (word(0), word(8));
            if parts.1.iter().any(|state| *state != KNOWN) || data == 0 {
                return value;
            }
            let size = len * self.size_of(self.pointee(elem));
            let address = self
                .memory
                .alloc(size.max(1), Space::Host, String::new(), self.line);
            self.memory.copy(address, data, size, self.step);
            return self.vector_value(value.ty, address, len);
        }
        value
    }

    pub(super) fn vector_value(&self, ty: Ty, data: u64, len: u64) -> Value {
        let mut bytes = data.to_le_bytes().to_vec();
        bytes.extend(len.to_le_bytes());
        bytes.extend(len.to_le_bytes());
        let states = vec![KNOWN; 24];
        Value {
            ty,
            bits: 0,
            state: KNOWN,
            parts: Some(Rc::new((bytes, states))),
        }
    }

    fn initialize_list(&mut self, at: Location, items: &[Expr]) -> Runs<()> {
        match at.ty {
            Ty::Array(elem, len) => {
                let ty = self.pointee(elem);
                let width = self.size_of(ty);
                self.memory.fill(at.address, width * len, 0, KNOWN, self.step);
                // `std::array` may have braces in braces.
                if let [
                    Expr {
                        kind: ExprKind::List(inner),
                        ..
                    },
                ] = items
                    && !matches!(ty, Ty::Array(..) | Ty::Struct(_))
                {
                    return self.initialize_list(at, inner);
                }
                let is_flat = matches!(ty, Ty::Array(..))
                    && items
                        .iter()
                        .all(|item| !matches!(item.kind, ExprKind::List(_) | ExprKind::Str(_)));
                if is_flat && let Ty::Array(inner, per) = ty {
                    let inner = self.pointee(inner);
                    if matches!(inner, Ty::Array(..)) || per == 0 {
                        return Ok(());
                    }
                    let width = self.size_of(inner);
                    for (idx, item) in items.iter().enumerate() {
                        let value = self.eval(item)?;
                        self.store(
                            Location {
                                address: at.address + idx as u64 * width,
                                ty: inner,
                                state: KNOWN,
                            },
                            value,
                        );
                    }
                    return Ok(());
                }
                for (idx, item) in items.iter().enumerate().take(len as usize) {
                    let place = Location {
                        address: at.address + idx as u64 * width,
                        ty,
                        state: KNOWN,
                    };
                    self.initialize_item(place, item)?;
                }
            }
            Ty::Struct(id) => {
                let has_constructor = self.has_constructor(id);
                if has_constructor || self.records[id as usize].name == "dim3" {
                    return self.construct(at, items, true);
                }
                let size = self.size_of(at.ty);
                self.memory.fill(at.address, size, 0, KNOWN, self.step);
                self.default_members(at, id)?;
                let fields: Vec<(Ty, u64)> = self.records[id as usize]
                    .fields
                    .iter()
                    .map(|field| (field.ty, field.offset))
                    .collect();
                for (item, (ty, offset)) in items.iter().zip(fields) {
                    self.initialize_item(
                        Location {
                            address: at.address + offset,
                            ty,
                            state: KNOWN,
                        },
                        item,
                    )?;
                }
            }
            Ty::Vector(elem) => {
                let ty = self.pointee(elem);
                let width = self.size_of(ty);
                let len = items.len() as u64;
                let data = self
                    .memory
                    .alloc((width * len).max(1), Space::Host, String::new(), self.line);
                for (idx, item) in items.iter().enumerate() {
                    self.initialize_item(
                        Location {
                            address: data + idx as u64 * width,
                            ty,
                            state: KNOWN,
                        },
                        item,
                    )?;
                }
                let value = self.vector_value(at.ty, data, len);
                self.store(at, value);
            }
            _ => match items {
                [] => self.store(at, Value::int(0)),
                [item, ..] => {
                    let value = self.eval(item)?;
                    self.store(at, value);
                }
            },
        }
        Ok(())
    }

    fn initialize_item(&mut self, at: Location, item: &Expr) -> Runs<()> {
        match &item.kind {
            ExprKind::List(inner) => self.initialize_list(at, inner),
            _ => {
                let value = self.eval(item)?;
                self.store(at, value);
                Ok(())
            }
        }
    }

    fn has_constructor(&self, id: u32) -> bool {
        let record = &self.records[id as usize];
        let name = record.name.split(',').next().unwrap_or_default();
        record.methods.iter().any(|method| self.text(method.name) == name)
    }

    fn default_members(&mut self, at: Location, id: u32) -> Runs<()> {
        for idx in 0..self.records[id as usize].fields.len() {
            let field = self.records[id as usize].fields[idx].clone();
            let place = Location {
                address: at.address + field.offset,
                ty: field.ty,
                state: KNOWN,
            };
            match field.init {
                Init::None if !matches!(field.ty, Ty::Struct(_) | Ty::Vector(_)) => {}
                init => self.initialize(place, &init, None, false)?,
            }
        }
        Ok(())
    }

    fn construct(&mut self, at: Location, args: &[Expr], is_zeroed: bool) -> Runs<()> {
        if args.is_empty() && is_zeroed {
            let size = self.size_of(at.ty);
            self.memory.fill(at.address, size, 0, KNOWN, self.step);
        }
        if let (Ty::Vector(elem), [from, _, ..]) = (at.ty, args) {
            // `vector(first, last)` with two pointers or iterators.
            let first = self.eval(from)?;
            if let Ty::Pointer(_) = first.ty {
                let last = self.eval(&args[1])?;
                let width = self.size_of(self.pointee(elem)).max(1);
                if first.is_known() && last.is_known() && last.bits >= first.bits {
                    let size = last.bits - first.bits;
                    let data = self
                        .memory
                        .alloc(size.max(1), Space::Host, String::new(), self.line);
                    self.memory.copy(data, first.bits, size, self.step);
                    let value = self.vector_value(at.ty, data, size / width);
                    self.store(at, value);
                    return Ok(());
                }
            }
        }
        let mut values = Vec::new();
        for arg in args {
            values.push(self.eval(arg)?);
        }
        self.construct_from(at, values)
    }

    fn construct_from(&mut self, at: Location, mut values: Vec<Value>) -> Runs<()> {
        match at.ty {
            Ty::Struct(id) => {
                if let [value] = &values[..]
                    && value.ty == at.ty
                {
                    self.store(at, values.remove(0));
                    return Ok(());
                }
                if self.records[id as usize].name == "dim3" {
                    let value = self.make_dim3(&values);
                    self.store(at, value);
                    return Ok(());
                }
                self.default_members(at, id)?;
                let record = &self.records[id as usize];
                let name = record.name.split(',').next().unwrap_or_default().to_owned();
                let found = record.methods.iter().find(|method| {
                    let required = method
                        .params
                        .iter()
                        .filter(|param| param.default.is_none())
                        .count();
                    self.text(method.name) == name && (required..=method.params.len()).contains(&values.len())
                });
                match found.cloned() {
                    Some(method) => {
                        let args = values.into_iter().map(|value| (value, None)).collect();
                        self.call_with(&method, &[], args, Some((at.address, id)))?;
                    }
                    None if values.is_empty() => {}
                    None if !self.has_constructor(id) => {
                        let fields: Vec<(Ty, u64)> = self.records[id as usize]
                            .fields
                            .iter()
                            .map(|field| (field.ty, field.offset))
                            .collect();
                        for (value, (ty, offset)) in values.into_iter().zip(fields) {
                            self.store(
                                Location {
                                    address: at.address + offset,
                                    ty,
                                    state: KNOWN,
                                },
                                value,
                            );
                        }
                    }
                    None => {
                        let state = self.not_read("a constructor");
                        let size = self.size_of(at.ty);
                        self.memory.forget_range(at.address, size, state, self.step);
                    }
                }
                Ok(())
            }
            Ty::Vector(elem) => {
                let ty = self.pointee(elem);
                let value = match values.first() {
                    None => self.vector_value(at.ty, 0, 0),
                    Some(value) if matches!(value.ty, Ty::Vector(_)) => {
                        let value = value.clone();
                        let value = Value { ty: at.ty, ..value };
                        self.copied(value)
                    }
                    Some(len) if len.is_known() && Self::is_integer(len.ty) && len.bits < 1 << 35 => {
                        let len = len.bits;
                        let width = self.size_of(ty);
                        let data =
                            self.memory
                                .alloc((width * len).max(1), Space::Host, String::new(), self.line);
                        let first = values.get(1).cloned();
                        self.fill_elements(data, ty, len, first);
                        self.vector_value(at.ty, data, len)
                    }
                    Some(len) => {
                        let state = if is_known(len.state) {
                            self.not_read("a vector")
                        } else {
                            len.state
                        };
                        Value::new(at.ty, 0, state)
                    }
                };
                self.store(at, value);
                Ok(())
            }
            Ty::Opaque => {
                let state = self.not_read("an object");
                for value in &values {
                    if !matches!(value.ty, Ty::Pointer(_)) {
                        continue;
                    }
                    self.forget_value(&value.clone(), state);
                }
                self.store(at, Value::unknown(state));
                Ok(())
            }
            _ => {
                let value = values.into_iter().next().unwrap_or(Value::int(0));
                self.store(at, value);
                Ok(())
            }
        }
    }

    /// Fills elements with a value, or with zeros.
    pub(super) fn fill_elements(&mut self, data: u64, ty: Ty, len: u64, value: Option<Value>) {
        let width = self.size_of(ty);
        self.step += 1;
        match value {
            Some(value) => {
                if matches!(ty, Ty::Opaque) || len == 0 {
                    return;
                }
                self.store(
                    Location {
                        address: data,
                        ty,
                        state: KNOWN,
                    },
                    value,
                );
                let Some((bytes, states)) = self.memory.bytes(data, width) else {
                    return;
                };
                let is_uniform = bytes.iter().all(|byte| *byte == bytes[0])
                    && states.iter().all(|state| *state == states[0]);
                if is_uniform {
                    self.memory
                        .fill(data, width * len, bytes[0], states[0], self.step);
                } else {
                    for idx in 1..len {
                        self.memory.write(data + idx * width, &bytes, &states, self.step);
                    }
                }
            }
            None => self.memory.fill(data, width * len, 0, KNOWN, self.step),
        }
    }

    // ---- Statements

    fn block(&mut self, stmts: &[Stmt]) -> Runs<Flow> {
        let top = self.memory.top;
        let num_variables = self.frames.last().map_or(0, |frame| frame.variables.len());
        let mut flow = Ok(Flow::Next);
        for stmt in stmts {
            flow = self.exec(stmt);
            if flow != Ok(Flow::Next) {
                break;
            }
        }
        self.memory.top = top;
        if let Some(frame) = self.frames.last_mut() {
            frame.variables.truncate(num_variables);
        }
        flow
    }

    fn tick(&mut self) -> Runs<()> {
        self.step += 1;
        if self.step > self.limit {
            Err(Stop::Limit)
        } else {
            Ok(())
        }
    }

    fn exec(&mut self, stmt: &Stmt) -> Runs<Flow> {
        self.tick()?;
        self.line = stmt.line;
        match &stmt.kind {
            StmtKind::Block(stmts) => self.block(stmts),
            StmtKind::Expr(expr) => {
                self.eval(expr)?;
                Ok(Flow::Next)
            }
            StmtKind::Declaration(declared) => {
                for declarator in declared {
                    self.declaration(declarator)?;
                }
                Ok(Flow::Next)
            }
            StmtKind::If {
                init,
                condition,
                then,
                otherwise,
            } => {
                let top = self.memory.top;
                let num_variables = self.frames.last().map_or(0, |frame| frame.variables.len());
                if let Some(init) = init {
                    self.exec(init)?;
                }
                let flow = self.branch(condition, then, otherwise.as_deref());
                if let (Some(_), Some(frame)) = (init, self.frames.last_mut()) {
                    frame.variables.truncate(num_variables);
                    self.memory.top = top;
                }
                flow
            }
            StmtKind::Loop {
                init,
                condition,
                step,
                body,
                is_do,
            } => {
                let top = self.memory.top;
                let num_variables = self.frames.last().map_or(0, |frame| frame.variables.len());
                let mut result = match init {
                    Some(init) => self.exec(init),
                    None => Ok(Flow::Next),
                };
                if result.is_ok() {
                    result = self.bounded(stmt.line, |this| {
                        this.rounds(condition.as_ref(), step.as_ref(), body, *is_do)
                    });
                }
                self.memory.top = top;
                if let Some(frame) = self.frames.last_mut() {
                    frame.variables.truncate(num_variables);
                }
                result
            }
            StmtKind::RangeLoop {
                name,
                ty,
                range,
                body,
            } => {
                let line = stmt.line;
                self.bounded(line, |this| this.range_loop(*name, ty, range, body))
            }
            StmtKind::Switch { value, labels, body } => {
                let value = self.eval(value)?;
                if !is_known(value.state) {
                    let since = self.step;
                    self.step += 1;
                    let state = self.condition_reason(value.state);
                    self.conditions.push(stmt.line);
                    for (_, start) in labels {
                        let _ = self.block(&body[*start..])?;
                    }
                    self.conditions.pop();
                    self.memory.forget_since(since, state, self.step);
                    return Ok(Flow::Next);
                }
                let mut start = None;
                for (label, at) in labels {
                    let is_it = match label {
                        Some(label) => {
                            let label = self.eval(label)?;
                            label.is_known() && label.bits == value.bits
                        }
                        None => false,
                    };
                    if is_it {
                        start = Some(*at);
                        break;
                    }
                }
                let default = labels
                    .iter()
                    .find(|(label, _)| label.is_none())
                    .map(|(_, at)| *at);
                match start.or(default) {
                    Some(start) => match self.block(&body[start..])? {
                        Flow::Break => Ok(Flow::Next),
                        flow => Ok(flow),
                    },
                    None => Ok(Flow::Next),
                }
            }
            StmtKind::Return(value) => {
                let value = match value {
                    Some(value) => self.eval(value)?,
                    None => Value::void(),
                };
                let value = self.copied(value);
                if let Some(frame) = self.frames.last_mut() {
                    frame.result = Some(value);
                }
                Ok(Flow::Return)
            }
            StmtKind::Break => Ok(Flow::Break),
            StmtKind::Continue => Ok(Flow::Continue),
            StmtKind::Throw => Err(Stop::Exit),
            StmtKind::Opaque(names) => {
                let state = self.not_read("the statement");
                self.forget_names(names, state);
                Ok(Flow::Next)
            }
        }
    }

    fn condition_reason(&mut self, state: State) -> State {
        if state == UNTOUCHED {
            let line = self.line;
            return self.reason(format!("the condition at line {line} is not known"));
        }
        let why = self.why(state);
        if why.starts_with("the condition") {
            return state;
        }
        let line = self.line;
        self.reason(format!("the condition at line {line} is not known ({why})"))
    }

    fn branch(&mut self, condition: &Expr, then: &Stmt, otherwise: Option<&Stmt>) -> Runs<Flow> {
        let line = self.line;
        let value = self.eval(condition)?;
        self.line = line;
        if value.is_known() {
            let holds = self.holds(&value);
            let (taken, other) = if holds {
                (Some(then), otherwise)
            } else {
                (otherwise, Some(then))
            };
            let flow = match taken {
                Some(taken) => self.exec(taken),
                None => Ok(Flow::Next),
            };
            let ends = flow == Err(Stop::Exit) || (flow == Ok(Flow::Return) && self.frames.len() == 2);
            if value.state == ARGC && ends {
                self.line = line;
                self.note(
                    "The program ends here without arguments; reading goes on as if they had been given."
                        .to_owned(),
                );
                return match other {
                    Some(other) => self.exec(other),
                    None => Ok(Flow::Next),
                };
            }
            return flow;
        }
        let state = self.condition_reason(value.state);
        // The branch that ends the program, if one does, goes first: the other is what goes on.
        let (first, second) = match otherwise {
            Some(other) if ends(other, &self.tree) => (Some(other), Some(then)),
            _ => (Some(then), otherwise),
        };
        let mut flows = [Flow::Next; 2];
        let mut exits = [false; 2];
        for (idx, stmt) in [first, second].into_iter().enumerate() {
            let Some(stmt) = stmt else {
                continue;
            };
            let since = self.step + 1;
            self.step += 2;
            let is_sure = idx == 1 && (exits[0] || flows[0] != Flow::Next);
            if !is_sure {
                self.conditions.push(line);
            }
            let flow = self.exec(stmt);
            if !is_sure {
                self.conditions.pop();
            }
            match flow {
                Err(Stop::Limit) => return Err(Stop::Limit),
                Err(Stop::Exit) => exits[idx] = true,
                Ok(flow) => flows[idx] = flow,
            }
            if flows[idx] == Flow::Return && self.frames.len() == 2 {
                exits[idx] = true;
                flows[idx] = Flow::Next;
            }
            if is_sure {
                return flow.map(|_| flows[1]);
            }
            self.memory.forget_since(since, state, self.step);
            if self.rand_step >= since {
                self.rand = None;
            }
            self.leave(flows[idx], since, state);
        }
        if exits == [true, true] {
            return Err(Stop::Exit);
        }
        Ok(Flow::Next)
    }

    /// Notes that a path has left the function, the loop, or the round of a loop on a condition that is not known.
    fn leave(&mut self, flow: Flow, since: u64, state: State) {
        match flow {
            Flow::Next => {}
            Flow::Return => {
                if let Some(frame) = self.frames.last_mut() {
                    let result = frame.result.take().unwrap_or(Value::void());
                    frame
                        .left
                        .get_or_insert((since, state, Vec::new()))
                        .2
                        .push(result);
                }
            }
            Flow::Break => {
                self.left_loop.get_or_insert((since, state));
            }
            Flow::Continue => {
                self.left_round.get_or_insert((since, state));
            }
        }
    }

    pub(super) fn holds(&self, value: &Value) -> bool {
        if Self::is_float(value.ty) {
            self.float_of(value) != 0.0
        } else {
            value.bits != 0
        }
    }

    /// Runs a loop within the limit on its steps.
    fn bounded(&mut self, line: u32, run: impl FnOnce(&mut Self) -> Runs<Flow>) -> Runs<Flow> {
        let since = self.step;
        let (limit, depth) = (self.limit, self.frames.len());
        let outer = (self.left_loop.take(), self.left_round.take());
        let num_conditions = self.conditions.len();
        if self.loop_depth == 0 {
            self.limit = self.limits.steps.min(self.step + self.limits.loop_steps);
        }
        self.loop_depth += 1;
        let mut result = run(self);
        self.loop_depth -= 1;
        if let Some((since, state)) = self.left_loop {
            self.memory.forget_since(since, state, self.step);
        }
        (self.left_loop, self.left_round) = outer;
        if self.loop_depth == 0 {
            self.limit = limit;
            if result == Err(Stop::Limit) && self.step < self.limits.steps {
                self.frames.truncate(depth);
                self.conditions.truncate(num_conditions);
                self.line = line;
                let steps = self.limits.loop_steps;
                let state = self.reason(format!("the loop at line {line} takes more than {steps} steps"));
                self.note(format!(
                    "The loop at line {line} takes more than {steps} steps, so what it computes is not read."
                ));
                self.memory.forget_since(since, state, self.step);
                if self.rand_step >= since {
                    self.rand = None;
                }
                result = Ok(Flow::Next);
            }
        }
        result
    }

    fn rounds(
        &mut self,
        condition: Option<&Expr>,
        step: Option<&Expr>,
        body: &Stmt,
        is_do: bool,
    ) -> Runs<Flow> {
        let line = self.line;
        let mut is_first = is_do;
        loop {
            self.tick()?;
            if !std::mem::take(&mut is_first)
                && let Some(condition) = condition
            {
                let value = self.eval(condition)?;
                if !value.is_known() {
                    self.line = line;
                    return self.unknown_rounds(value.state, condition, step, body);
                }
                if !self.holds(&value) {
                    return Ok(Flow::Next);
                }
            }
            let flow = self.exec(body)?;
            if let Some((since, state)) = self.left_round.take() {
                self.memory.forget_since(since, state, self.step);
            }
            match flow {
                Flow::Break => return Ok(Flow::Next),
                Flow::Return => return Ok(Flow::Return),
                Flow::Next | Flow::Continue => {}
            }
            if let Some(step) = step {
                self.eval(step)?;
            }
        }
    }

    /// Rounds of a loop of which it is not known how many there are: what they change becomes unknown.
    fn unknown_rounds(
        &mut self,
        state: State,
        condition: &Expr,
        step: Option<&Expr>,
        body: &Stmt,
    ) -> Runs<Flow> {
        let state = self.condition_reason(state);
        let line = self.line;
        self.conditions.push(line);
        let mut result = Ok(Flow::Next);
        for round in 0..3 {
            let since = self.step + 1;
            self.step += 2;
            self.muted += u32::from(round > 0);
            let mut run = || {
                let flow = self.exec(body)?;
                if let Some(step) = step {
                    self.eval(step)?;
                }
                self.eval(condition)?;
                Ok(flow)
            };
            let flow = run();
            self.muted -= u32::from(round > 0);
            match flow {
                Err(Stop::Limit) => {
                    result = Err(Stop::Limit);
                    break;
                }
                Err(Stop::Exit) => {}
                Ok(flow) => {
                    if flow == Flow::Return {
                        self.leave(flow, since, state);
                    }
                }
            }
            self.memory.forget_since(since, state, self.step);
            if self.rand_step >= since {
                self.rand = None;
            }
        }
        self.conditions.pop();
        result
    }

    fn range_loop(&mut self, name: Name, ty: &TypeExpr, range: &Expr, body: &Stmt) -> Runs<Flow> {
        let line = self.line;
        let at = match self.place(range)? {
            Some(at) => at,
            None => {
                let value = self.eval(range)?;
                self.temporary(value)
            }
        };
        let (data, elem, len) = match at.ty {
            Ty::Array(elem, len) => (at.address, self.pointee(elem), len),
            Ty::Vector(elem) => {
                let (data, len, state) = self.vector_parts(at);
                if state != KNOWN {
                    return self.unknown_range(state, body);
                }
                (data, self.pointee(elem), len)
            }
            _ => {
                self.line = line;
                let state = self.not_read("the loop");
                return self.unknown_range(state, body);
            }
        };
        let width = self.size_of(elem);
        for idx in 0..len {
            self.tick()?;
            let (top, num_variables) = (
                self.memory.top,
                self.frames.last().map_or(0, |frame| frame.variables.len()),
            );
            let place = Location {
                address: data + idx * width,
                ty: elem,
                state: KNOWN,
            };
            let at = if matches!(ty, TypeExpr::Reference(_)) {
                place
            } else {
                let value = self.load(place);
                let ty = if matches!(ty, TypeExpr::Auto) {
                    elem
                } else {
                    self.resolve(ty)?
                };
                let at = self.room(name, ty);
                self.store(at, value);
                at
            };
            self.declare(name, at);
            let flow = self.exec(body);
            if let Some((since, state)) = self.left_round.take() {
                self.memory.forget_since(since, state, self.step);
            }
            self.memory.top = top;
            if let Some(frame) = self.frames.last_mut() {
                frame.variables.truncate(num_variables);
            }
            match flow? {
                Flow::Break => break,
                Flow::Return => return Ok(Flow::Return),
                Flow::Next | Flow::Continue => {}
            }
        }
        Ok(Flow::Next)
    }

    fn unknown_range(&mut self, state: State, body: &Stmt) -> Runs<Flow> {
        let since = self.step + 1;
        self.step += 2;
        self.conditions.push(self.line);
        let flow = self.exec(body);
        self.conditions.pop();
        self.memory.forget_since(since, state, self.step);
        match flow {
            Err(Stop::Limit) => Err(Stop::Limit),
            _ => Ok(Flow::Next),
        }
    }

    /// Address and length of a vector, and whether they are known.
    pub(super) fn vector_parts(&self, at: Location) -> (u64, u64, State) {
        let word = |offset| self.memory.load(at.address + offset, 8).unwrap_or((0, REASONS));
        let ((data, a), (len, b)) = (word(0), word(8));
        let state = if at.state != KNOWN { at.state } else { a.max(b) };
        (data, len, state)
    }

    // ---- Places

    /// Where the value of an expression lies; `None` if it is no lvalue.
    pub(super) fn place(&mut self, expr: &Expr) -> Runs<Option<Location>> {
        self.tick()?;
        Ok(match &expr.kind {
            ExprKind::Name { name, args: None, .. } => self.variable(*name),
            ExprKind::Unary(UnaryOp::Deref, operand) => {
                let pointer = self.eval(operand)?;
                self.target(&pointer)
            }
            ExprKind::Unary(UnaryOp::PreIncrement | UnaryOp::PreDecrement, operand) => {
                self.eval(expr)?;
                self.place(operand)?
            }
            ExprKind::Assign(_, left, _) => {
                self.eval(expr)?;
                self.place(left)?
            }
            ExprKind::Index(object, index) => {
                let base = match self.place(object)? {
                    Some(at) if matches!(at.ty, Ty::Vector(_)) => {
                        let Ty::Vector(elem) = at.ty else { return Ok(None) };
                        let (data, _, state) = self.vector_parts(at);
                        Value::new(Ty::Pointer(elem), data, state)
                    }
                    Some(at) => self.load(at),
                    None => self.eval(object)?,
                };
                let index = self.eval(index)?;
                let (base, index) = if Self::is_integer(base.ty) {
                    (index, base)
                } else {
                    (base, index)
                };
                let element = self.offset(&base, &index, false);
                self.target(&element)
            }
            ExprKind::Member {
                object,
                name,
                is_arrow,
            } => {
                let at = if *is_arrow {
                    let pointer = self.eval(object)?;
                    self.target(&pointer)
                } else {
                    match self.place(object)? {
                        Some(at) => Some(at),
                        None => {
                            let value = self.eval(object)?;
                            if matches!(value.ty, Ty::Struct(_)) {
                                Some(self.temporary(value))
                            } else {
                                None
                            }
                        }
                    }
                };
                let Some(at) = at else {
                    return Ok(None);
                };
                match at.ty {
                    Ty::Struct(id) => {
                        let field = self.records[id as usize]
                            .fields
                            .iter()
                            .find(|field| field.name == *name);
                        field.map(|field| Location {
                            address: at.address + field.offset,
                            ty: field.ty,
                            state: at.state,
                        })
                    }
                    _ => None,
                }
            }
            ExprKind::Call(callee, args) => match &callee.kind {
                // Elements that a member function returns a reference to.
                ExprKind::Member { object, name, .. } => {
                    let Some(at) = self.place(object)? else {
                        return Ok(None);
                    };
                    let text = self.text(*name).to_owned();
                    self.element_of(at, &text, args)?
                }
                _ => None,
            },
            ExprKind::Conditional(condition, then, otherwise) => {
                let value = self.eval(condition)?;
                if !value.is_known() {
                    return Ok(None);
                }
                if self.holds(&value) {
                    self.place(then)?
                } else {
                    self.place(otherwise)?
                }
            }
            ExprKind::Cast(TypeExpr::Reference(_), operand) => self.place(operand)?,
            _ => None,
        })
    }

    /// The element that a member function of a container returns a reference to.
    pub(super) fn library_element(
        &mut self,
        at: Location,
        name: &str,
        args: &[Expr],
    ) -> Runs<Option<Location>> {
        self.element_of(at, name, args)
    }

    /// The types of a kernel's parameters.
    pub(super) fn kernel_parameter_types(&mut self, kernel: &Value) -> Runs<Vec<Ty>> {
        let Some(Callee::Named(name, _)) = self
            .callees
            .get(kernel.bits as usize)
            .filter(|_| kernel.ty == Ty::Function)
            .cloned()
        else {
            return Ok(Vec::new());
        };
        let found = self
            .functions
            .get(&name)
            .and_then(|list| list.iter().find(|function| function.is_kernel).cloned());
        let Some(function) = found else {
            return Ok(Vec::new());
        };
        function
            .params
            .iter()
            .map(|param| self.resolve(&param.ty))
            .collect()
    }

    fn element_of(&mut self, at: Location, name: &str, args: &[Expr]) -> Runs<Option<Location>> {
        let (data, elem, len, state) = match at.ty {
            Ty::Vector(elem) => {
                let (data, len, state) = self.vector_parts(at);
                (data, elem, len, state)
            }
            Ty::Array(elem, len) => (at.address, elem, len, at.state),
            _ => return Ok(None),
        };
        let ty = self.pointee(elem);
        let width = self.size_of(ty);
        let index = match (name, args) {
            ("at", [index]) => self.eval(index)?,
            ("front", []) => Value::int(0),
            ("back", []) => Value::int(len as i64 - 1),
            _ => return Ok(None),
        };
        let state = state.max(index.state);
        let address = if is_known(state) {
            data.wrapping_add(index.bits.wrapping_mul(width))
        } else {
            data
        };
        Ok(Some(Location {
            address,
            ty,
            state: if is_known(state) { KNOWN } else { state },
        }))
    }

    /// What a pointer points to.
    pub(super) fn target(&mut self, pointer: &Value) -> Option<Location> {
        let state = if is_known(pointer.state) {
            KNOWN
        } else {
            pointer.state
        };
        match pointer.ty {
            Ty::Pointer(to) => Some(Location {
                address: pointer.bits,
                ty: self.pointee(to),
                state,
            }),
            Ty::Opaque => Some(Location {
                address: 0,
                ty: Ty::Opaque,
                state: if state == KNOWN { REASONS } else { state },
            }),
            _ => None,
        }
    }

    /// A pointer moved by elements.
    fn offset(&mut self, pointer: &Value, count: &Value, back: bool) -> Value {
        let Ty::Pointer(to) = pointer.ty else {
            let state = if is_known(pointer.state) {
                self.not_read("an expression")
            } else {
                pointer.state
            };
            return Value::unknown(state);
        };
        let width = self.size_of(self.pointee(to)) as i64;
        let state = pointer.state.max(count.state);
        if !is_known(state) || !Self::is_integer(count.ty) {
            // The bits stay, as a hint of the allocation.
            return Value::new(
                pointer.ty,
                pointer.bits,
                if is_known(state) {
                    self.not_read("an index")
                } else {
                    state
                },
            );
        }
        let by = count
            .bits
            .cast_signed()
            .wrapping_mul(if back { -width } else { width });
        Value::new(pointer.ty, pointer.bits.wrapping_add(by as u64), KNOWN)
    }

    // ---- Expressions

    pub(super) fn eval(&mut self, expr: &Expr) -> Runs<Value> {
        self.tick()?;
        Ok(match &expr.kind {
            ExprKind::Int {
                value,
                unsigned,
                long,
            } => {
                let ty = match (unsigned, long) {
                    (false, false) => Ty::I32,
                    (true, false) => Ty::U32,
                    (false, true) => Ty::I64,
                    (true, true) => Ty::U64,
                };
                Value::new(ty, Self::wrap(ty, *value), KNOWN)
            }
            ExprKind::Char(value) => Value::new(Ty::I8, *value as u64, KNOWN),
            ExprKind::Bool(value) => Value::new(Ty::Bool, u64::from(*value), KNOWN),
            ExprKind::F32(value) => Value::new(Ty::F32, value.to_bits().into(), KNOWN),
            ExprKind::F64(value) => Value::new(Ty::F64, value.to_bits(), KNOWN),
            ExprKind::Str(text) => {
                let address = match self.strings.get(text) {
                    Some(address) => *address,
                    None => {
                        let address = self.memory.alloc(
                            text.len() as u64,
                            Space::Host,
                            "a string".to_owned(),
                            expr.line,
                        );
                        let states = vec![KNOWN; text.len()];
                        self.memory.write(address, text, &states, 0);
                        self.strings.insert(text.clone(), address);
                        address
                    }
                };
                Value::new(self.pointer_to(Ty::I8), address, KNOWN)
            }
            ExprKind::Name { name, args, of } => self.name_value(*name, *of, args.as_deref(), expr.line)?,
            ExprKind::This => match self.frames.last().and_then(|frame| frame.this) {
                Some((address, id)) => Value::new(self.pointer_to(Ty::Struct(id)), address, KNOWN),
                None => Value::unknown(self.not_read("`this`")),
            },
            ExprKind::Unary(op, operand) => self.unary(*op, operand)?,
            ExprKind::Binary(op, left, right) => self.binary_expr(*op, left, right)?,
            ExprKind::Assign(op, left, right) => self.assign(*op, left, right)?,
            ExprKind::Conditional(condition, then, otherwise) => {
                let condition = self.eval(condition)?;
                if condition.is_known() {
                    let chosen = if self.holds(&condition) { then } else { otherwise };
                    let value = self.eval(chosen)?;
                    // `c ? 1 : 2.0` is a double; the types of the other side count only where both are numbers.
                    return Ok(value);
                }
                let state = self.condition_reason(condition.state);
                let since = self.step + 1;
                self.step += 2;
                let a = self.eval(then)?;
                let b = self.eval(otherwise)?;
                self.memory.forget_since(since, state, self.step);
                if a.ty == b.ty && a.bits == b.bits && a.is_known() && b.is_known() && a.parts.is_none() {
                    a
                } else {
                    Value::new(a.ty, a.bits, state)
                }
            }
            ExprKind::Call(callee, args) => self.call_expr(callee, args, expr.line)?,
            ExprKind::Index(..) => match self.place(expr)? {
                Some(at) => self.load(at),
                None => Value::unknown(self.not_read("an element")),
            },
            ExprKind::Member { .. } => match self.place(expr)? {
                Some(at) => self.load(at),
                None => Value::unknown(self.not_read("a member")),
            },
            ExprKind::Cast(ty, operand) => {
                let to = self.resolve(ty)?;
                let value = self.eval(operand)?;
                if to == Ty::Opaque {
                    value
                } else {
                    self.convert(value, to)
                }
            }
            ExprKind::Construct(ty, args) => {
                let ty = self.resolve(ty)?;
                if !matches!(ty, Ty::Struct(_) | Ty::Vector(_) | Ty::Opaque | Ty::Array(..)) {
                    let value = match args.first() {
                        Some(arg) => self.eval(arg)?,
                        None => Value::int(0),
                    };
                    return Ok(self.convert(value, ty));
                }
                let top = self.memory.top;
                let size = self.size_of(ty);
                let address = self
                    .memory
                    .push(size)
                    .unwrap_or_else(|| self.memory.alloc(size, Space::Host, String::new(), 0));
                let at = Location {
                    address,
                    ty,
                    state: KNOWN,
                };
                self.construct(at, args, true)?;
                let value = self.load(at);
                self.memory.top = top;
                value
            }
            ExprKind::List(items) => match &items[..] {
                [one] => self.eval(one)?,
                // The configuration of a launch, or an argument, without a type.
                items if items.len() <= 3 && !items.is_empty() => {
                    let mut values = Vec::new();
                    for item in items {
                        values.push(self.eval(item)?);
                    }
                    if values.iter().all(|value| Self::is_integer(value.ty)) {
                        self.make_dim3(&values)
                    } else {
                        Value::unknown(self.not_read("a list"))
                    }
                }
                _ => Value::unknown(self.not_read("a list")),
            },
            ExprKind::SizeofType(ty) => {
                let ty = self.resolve(ty)?;
                self.size_value(ty)
            }
            ExprKind::Sizeof(operand) => {
                if let ExprKind::Name { name, args: None, .. } = operand.kind
                    && self.variable(name).is_none()
                {
                    let ty = self.named_type(name, &[])?;
                    return Ok(self.size_value(ty));
                }
                let ty = match self.place(operand)? {
                    Some(at) => at.ty,
                    None => self.eval(operand)?.ty,
                };
                self.size_value(ty)
            }
            ExprKind::New {
                ty,
                count,
                args,
                is_zeroed,
            } => {
                let ty = self.resolve(ty)?;
                let count = match count {
                    Some(count) => self.eval(count)?,
                    None => Value::int(1),
                };
                let pointer = self.pointer_to(ty);
                if !count.is_known() || count.bits > 1 << 32 {
                    let state = if is_known(count.state) {
                        self.not_read("an allocation")
                    } else {
                        count.state
                    };
                    return Ok(Value::new(pointer, 0, state));
                }
                let width = self.size_of(ty);
                let address =
                    self.memory
                        .alloc((width * count.bits).max(1), Space::Host, String::new(), expr.line);
                let at = Location {
                    address,
                    ty,
                    state: KNOWN,
                };
                if *is_zeroed && args.is_empty() {
                    self.memory.fill(address, width * count.bits, 0, KNOWN, self.step);
                }
                if count.bits == 1 && (!args.is_empty() || matches!(ty, Ty::Struct(_) | Ty::Vector(_))) {
                    self.construct(at, args, *is_zeroed)?;
                } else if let Ty::Struct(id) = ty
                    && (self.has_constructor(id)
                        || self.records[id as usize]
                            .fields
                            .iter()
                            .any(|field| !matches!(field.init, Init::None)))
                    && count.bits < 1 << 16
                {
                    for idx in 0..count.bits {
                        self.construct(
                            Location {
                                address: address + idx * width,
                                ..at
                            },
                            &[],
                            false,
                        )?;
                    }
                } else if matches!(ty, Ty::Vector(_)) {
                    self.memory.fill(address, width * count.bits, 0, KNOWN, self.step);
                }
                Value::new(pointer, address, KNOWN)
            }
            ExprKind::Launch { kernel, config, args } => {
                let kernel = self.eval(kernel)?;
                let mut values = Vec::new();
                for value in config {
                    values.push(self.eval(value)?);
                }
                let mut passed = Vec::new();
                for arg in args {
                    passed.push(self.eval(arg)?);
                }
                self.line = expr.line;
                self.launch(&kernel, &values, passed)?;
                Value::void()
            }
            ExprKind::Lambda(function) => {
                self.callees
                    .push(Callee::Lambda(Rc::clone(function), self.frames.len() - 1));
                Value::new(Ty::Function, self.callees.len() as u64 - 1, KNOWN)
            }
        })
    }

    fn size_value(&mut self, ty: Ty) -> Value {
        let is_opaque =
            matches!(ty, Ty::Opaque) || matches!(ty, Ty::Struct(id) if self.records[id as usize].is_opaque);
        if is_opaque {
            return Value::new(Ty::U64, 0, self.not_read("the size of a type"));
        }
        Value::new(Ty::U64, self.size_of(ty), KNOWN)
    }

    fn name_value(
        &mut self,
        name: Name,
        of: Option<Name>,
        args: Option<&[TemplateArg]>,
        line: u32,
    ) -> Runs<Value> {
        if args.is_none() {
            if let Some(Binding::Value(value)) = self.binding(name) {
                return Ok(value);
            }
            if let Some(at) = self.variable(name) {
                return Ok(self.load(at));
            }
            if let Some(value) = self.constants.get(&name) {
                return Ok(value.clone());
            }
        }
        if self.functions.contains_key(&name) {
            let args = self.concrete(args.unwrap_or_default())?;
            self.callees.push(Callee::Named(name, args));
            return Ok(Value::new(Ty::Function, self.callees.len() as u64 - 1, KNOWN));
        }
        let text = self.text(name).to_owned();
        let of = of.map(|of| self.text(of).to_owned());
        if let Some(value) = super::calls::constant(&text, of.as_deref()) {
            return Ok(value);
        }
        self.line = line;
        Ok(Value::unknown(self.reason(format!("`{text}` is not known"))))
    }

    /// Template arguments without names of parameters that only this frame knows.
    fn concrete(&mut self, args: &[TemplateArg]) -> Runs<Vec<TemplateArg>> {
        let mut out = Vec::new();
        for arg in args {
            out.push(match self.bind(arg)? {
                Binding::Type(_) | Binding::Value(Value { ty: Ty::Opaque, .. }) => arg.clone(),
                Binding::Value(value) if Self::is_integer(value.ty) && value.is_known() => {
                    let kind = if value.ty == Ty::Bool {
                        ExprKind::Bool(value.bits != 0)
                    } else {
                        ExprKind::Int {
                            value: value.bits,
                            unsigned: value.ty == Ty::U32 || value.ty == Ty::U64,
                            long: matches!(value.ty, Ty::I64 | Ty::U64),
                        }
                    };
                    TemplateArg::Value(Expr {
                        kind,
                        line: self.line,
                    })
                }
                Binding::Value(_) => arg.clone(),
            });
        }
        Ok(out)
    }

    fn unary(&mut self, op: UnaryOp, operand: &Expr) -> Runs<Value> {
        use UnaryOp::{
            Address, Complement, Deref, Minus, Not, Plus, PostDecrement, PostIncrement, PreDecrement,
            PreIncrement,
        };
        Ok(match op {
            Address => match self.place(operand)? {
                Some(at) => {
                    let ty = self.pointer_to(at.ty);
                    Value::new(ty, at.address, at.state)
                }
                None => self.eval(operand)?,
            },
            Deref => {
                let pointer = self.eval(operand)?;
                if pointer.ty == Ty::Function {
                    return Ok(pointer);
                }
                match self.target(&pointer) {
                    Some(at) => self.load(at),
                    None => Value::unknown(self.not_read("an expression")),
                }
            }
            PreIncrement | PreDecrement | PostIncrement | PostDecrement => {
                let Some(at) = self.place(operand)? else {
                    return Ok(Value::unknown(self.not_read("an expression")));
                };
                let old = self.load(at);
                let back = matches!(op, PreDecrement | PostDecrement);
                let new = match old.ty {
                    Ty::Pointer(_) => self.offset(&old, &Value::int(1), back),
                    _ => self.arithmetic(
                        if back { BinaryOp::Sub } else { BinaryOp::Add },
                        &old,
                        &Value::int(1),
                    ),
                };
                let new = self.convert(new, at.ty);
                self.store(at, new.clone());
                if matches!(op, PreIncrement | PreDecrement) {
                    new
                } else {
                    old
                }
            }
            Not => {
                let value = self.eval(operand)?;
                if value.is_known() {
                    let holds = self.holds(&value);
                    Value::new(Ty::Bool, u64::from(!holds), value.state)
                } else {
                    Value::new(Ty::Bool, 0, self.unknown_state(value.state))
                }
            }
            Plus => self.eval(operand)?,
            Minus => {
                let value = self.eval(operand)?;
                match value.ty {
                    ty if Self::is_float(ty) => {
                        if !is_known(value.state) {
                            return Ok(value);
                        }
                        let negated = -self.float_of(&value);
                        Value::new(ty, Self::from_float(ty, negated), value.state)
                    }
                    _ => self.arithmetic(BinaryOp::Sub, &Value::int(0), &value),
                }
            }
            Complement => {
                let value = self.eval(operand)?;
                self.arithmetic(BinaryOp::Xor, &value, &Value::int(-1))
            }
        })
    }

    fn unknown_state(&mut self, state: State) -> State {
        if is_known(state) {
            self.not_read("an expression")
        } else {
            state
        }
    }

    fn binary_expr(&mut self, op: BinaryOp, left: &Expr, right: &Expr) -> Runs<Value> {
        use BinaryOp::{Comma, LogicalAnd, LogicalOr, Shl, Shr};
        if op == Comma {
            self.eval(left)?;
            return self.eval(right);
        }
        let a = self.eval(left)?;
        if matches!(op, LogicalAnd | LogicalOr) {
            let is_or = op == LogicalOr;
            if a.is_known() && self.holds(&a) == is_or {
                return Ok(Value::new(Ty::Bool, u64::from(is_or), a.state));
            }
            let since = self.step + 1;
            self.step += 2;
            let b = self.eval(right)?;
            if !a.is_known() {
                let state = self.unknown_state(a.state);
                self.memory.forget_since(since, state, self.step);
                // It is known where the second operand decides.
                if b.is_known() && self.holds(&b) == is_or && b.state == KNOWN {
                    return Ok(Value::new(Ty::Bool, u64::from(is_or), KNOWN));
                }
                return Ok(Value::new(Ty::Bool, 0, state));
            }
            if !b.is_known() {
                return Ok(Value::new(Ty::Bool, 0, self.unknown_state(b.state)));
            }
            let holds = self.holds(&b);
            return Ok(Value::new(Ty::Bool, u64::from(holds), a.state.max(b.state)));
        }
        if a.ty == Ty::Opaque && matches!(op, Shl | Shr) {
            // A stream: what `>>` reads into becomes unknown.
            if op == Shr
                && let Some(at) = self.place(right)?
            {
                let state = self.not_read("input");
                let size = self.size_of(at.ty);
                self.step += 1;
                self.memory.forget_range(at.address, size, state, self.step);
            } else {
                self.eval(right)?;
            }
            return Ok(a);
        }
        let b = self.eval(right)?;
        Ok(self.arithmetic(op, &a, &b))
    }

    /// Arithmetic of two values.
    pub(super) fn arithmetic(&mut self, op: BinaryOp, a: &Value, b: &Value) -> Value {
        use BinaryOp::{Add, And, Div, Eq, Ge, Gt, Le, Lt, Mul, Ne, Or, Rem, Shl, Shr, Sub, Xor};
        let is_comparison = matches!(op, Eq | Ne | Lt | Le | Gt | Ge);
        match (a.ty, b.ty, op) {
            (Ty::Pointer(_), ty, Add | Sub) if Self::is_integer(ty) => return self.offset(a, b, op == Sub),
            (ty, Ty::Pointer(_), Add) if Self::is_integer(ty) => return self.offset(b, a, false),
            (Ty::Pointer(to), Ty::Pointer(_), Sub) => {
                let state = a.state.max(b.state);
                let width = self.size_of(self.pointee(to)).max(1) as i64;
                let bits = a.bits.wrapping_sub(b.bits).cast_signed() / width;
                return Value::new(Ty::I64, bits as u64, state);
            }
            _ => {}
        }
        let rank = |ty: Ty| match ty {
            Ty::F64 => 7,
            Ty::F32 => 6,
            Ty::F16 => 5,
            Ty::U64 | Ty::Pointer(_) | Ty::Function => 4,
            Ty::I64 => 3,
            Ty::U32 => 2,
            Ty::Opaque | Ty::Struct(_) | Ty::Vector(_) | Ty::Void | Ty::Array(..) => 9,
            _ => 1,
        };
        let common = match rank(a.ty).max(rank(b.ty)) {
            7 => Ty::F64,
            6 => Ty::F32,
            5 => Ty::F16,
            4 => Ty::U64,
            3 => Ty::I64,
            2 => Ty::U32,
            1 => Ty::I32,
            _ => {
                let state = a.state.max(b.state);
                let state = self.unknown_state(state);
                return Value::new(if is_comparison { Ty::Bool } else { Ty::Opaque }, 0, state);
            }
        };
        let common = if matches!(op, Shl | Shr) {
            if rank(a.ty) == 1 { Ty::I32 } else { a.ty }
        } else {
            common
        };
        let state = a.state.max(b.state);
        if !is_known(state) {
            return Value::new(if is_comparison { Ty::Bool } else { common }, 0, state);
        }
        let convert = |this: &mut Self, value: &Value| {
            if matches!(value.ty, Ty::Pointer(_) | Ty::Function) {
                value.bits
            } else {
                this.convert(value.clone(), common).bits
            }
        };
        let (x, y) = (
            convert(self, a),
            if matches!(op, Shl | Shr) {
                b.bits
            } else {
                convert(self, b)
            },
        );
        if Self::is_float(common) {
            let (left, right) = (
                self.float_of(&Value::new(common, x, KNOWN)),
                self.float_of(&Value::new(common, y, KNOWN)),
            );
            let holds = match op {
                Eq => left == right,
                Ne => left != right,
                Lt => left < right,
                Le => left <= right,
                Gt => left > right,
                Ge => left >= right,
                _ => {
                    // The sum, difference, product, and quotient of two floats, rounded to double and then to
                    // float, is the one rounded once.
                    let result = match op {
                        Add => left + right,
                        Sub => left - right,
                        Mul => left * right,
                        Div => left / right,
                        _ => f64::NAN,
                    };
                    return Value::new(common, Self::from_float(common, result), state);
                }
            };
            return Value::new(Ty::Bool, u64::from(holds), state);
        }
        let is_signed = matches!(common, Ty::I32 | Ty::I64);
        let (sx, sy) = (x.cast_signed(), y.cast_signed());
        let holds = match op {
            Eq => x == y,
            Ne => x != y,
            Lt => {
                if is_signed {
                    sx < sy
                } else {
                    x < y
                }
            }
            Le => {
                if is_signed {
                    sx <= sy
                } else {
                    x <= y
                }
            }
            Gt => {
                if is_signed {
                    sx > sy
                } else {
                    x > y
                }
            }
            Ge => {
                if is_signed {
                    sx >= sy
                } else {
                    x >= y
                }
            }
            _ => {
                let bits = match op {
                    Add => x.wrapping_add(y),
                    Sub => x.wrapping_sub(y),
                    Mul => x.wrapping_mul(y),
                    Div | Rem if y == 0 => return Value::new(common, 0, self.not_read("a division by zero")),
                    Div if is_signed => sx.wrapping_div(sy) as u64,
                    Div => x / y,
                    Rem if is_signed => sx.wrapping_rem(sy) as u64,
                    Rem => x % y,
                    And => x & y,
                    Or => x | y,
                    Xor => x ^ y,
                    Shl => x.wrapping_shl(y as u32),
                    Shr if is_signed => sx.wrapping_shr(y as u32) as u64,
                    _ => x.wrapping_shr(y as u32),
                };
                return Value::new(common, Self::wrap(common, bits), state);
            }
        };
        Value::new(Ty::Bool, u64::from(holds), state)
    }

    fn assign(&mut self, op: Option<BinaryOp>, left: &Expr, right: &Expr) -> Runs<Value> {
        if let (None, ExprKind::List(items)) = (op, &right.kind) {
            if let Some(at) = self.place(left)? {
                self.initialize_list(at, items)?;
            }
            return Ok(Value::void());
        }
        let value = self.eval(right)?;
        let Some(at) = self.place(left)? else {
            // What is on the left is not understood, so neither is what it changes.
            let value_of_left = self.eval(left)?;
            let state = self.unknown_state(value_of_left.state);
            self.forget_value(&value_of_left, state);
            return Ok(Value::unknown(state));
        };
        let value = match op {
            None => self.copied(value),
            Some(op) => {
                let old = self.load(at);
                self.arithmetic(op, &old, &value)
            }
        };
        let value = if at.ty == Ty::Opaque {
            value
        } else {
            self.convert(value, at.ty)
        };
        self.store(at, value.clone());
        if let ExprKind::Name { name, .. } = left.kind {
            self.name_allocation(at, name);
        }
        Ok(value)
    }

    // ---- Calls

    fn call_expr(&mut self, callee: &Expr, args: &[Expr], line: u32) -> Runs<Value> {
        match &callee.kind {
            ExprKind::Name {
                name,
                args: template_args,
                ..
            } => {
                if self.variable(*name).is_none() || self.functions.contains_key(name) {
                    if let Some(this) = self.frames.last().and_then(|frame| frame.this) {
                        let method = self.method(this.1, *name, args.len());
                        if let Some(method) = method {
                            return self.call_function(&method, &[], args, Some(this));
                        }
                    }
                    let template_args = template_args.as_deref().unwrap_or_default();
                    if let Some(function) = self.overload(*name, args)? {
                        if function.is_kernel {
                            return Ok(Value::unknown(self.not_read("a call of a kernel")));
                        }
                        if function.body.is_some() {
                            return self.call_function(&function, template_args, args, None);
                        }
                    }
                    let text = self.text(*name).to_owned();
                    self.line = line;
                    return self.library_call(&text, template_args, args);
                }
                let value = self.eval(callee)?;
                self.call_value(&value, args)
            }
            ExprKind::Member {
                object,
                name,
                is_arrow,
            } => {
                self.line = line;
                self.method_call(object, *name, *is_arrow, args)
            }
            _ => {
                let value = self.eval(callee)?;
                self.call_value(&value, args)
            }
        }
    }

    pub(super) fn call_value(&mut self, value: &Value, args: &[Expr]) -> Runs<Value> {
        if value.ty == Ty::Function && value.is_known() {
            match self.callees.get(value.bits as usize).cloned() {
                Some(Callee::Named(name, template_args)) => {
                    if let Some(function) = self.overload(name, args)?
                        && function.body.is_some()
                    {
                        return self.call_function(&function, &template_args, args, None);
                    }
                }
                Some(Callee::Lambda(function, outer)) => {
                    let passed = self.passed(&function, args)?;
                    return self.call_lambda(&function, outer, passed);
                }
                None => {}
            }
        }
        if let Ty::Struct(_) = value.ty {
            let state = self.not_read("a call of an object");
            self.forget_args(args, state)?;
            return Ok(Value::unknown(state));
        }
        let state = self.not_read("a call");
        self.forget_args(args, state)?;
        Ok(Value::unknown(state))
    }

    /// Calls a function or lambda with values.
    pub(super) fn call_with_values(&mut self, callee: &Value, args: Vec<Value>) -> Runs<Option<Value>> {
        if callee.ty != Ty::Function || !callee.is_known() {
            return Ok(None);
        }
        let args: Vec<Passed> = args.into_iter().map(|value| (value, None)).collect();
        match self.callees.get(callee.bits as usize).cloned() {
            Some(Callee::Lambda(function, outer)) => Ok(Some(self.call_lambda(&function, outer, args)?)),
            Some(Callee::Named(name, _)) => {
                let found = self
                    .functions
                    .get(&name)
                    .and_then(|list| list.iter().find(|f| f.body.is_some()).cloned());
                match found {
                    Some(function) => Ok(Some(self.call_with(&function, &[], args, None)?)),
                    None => Ok(None),
                }
            }
            None => Ok(None),
        }
    }

    fn call_lambda(&mut self, function: &Rc<Function>, outer: usize, args: Vec<Passed>) -> Runs<Value> {
        if outer >= self.frames.len() {
            return Ok(Value::unknown(self.not_read("a lambda")));
        }
        let this = self.frames[outer].this;
        self.enter(function, Vec::new(), args, this, Some(outer))
    }

    fn method(&self, id: u32, name: Name, num_args: usize) -> Option<Rc<Function>> {
        self.records[id as usize]
            .methods
            .iter()
            .find(|method| {
                let required = method
                    .params
                    .iter()
                    .filter(|param| param.default.is_none())
                    .count();
                method.name == name && (required..=method.params.len()).contains(&num_args)
            })
            .cloned()
    }

    /// The function of a name that takes these arguments best.
    fn overload(&mut self, name: Name, args: &[Expr]) -> Runs<Option<Rc<Function>>> {
        let Some(list) = self.functions.get(&name) else {
            return Ok(None);
        };
        let fitting: Vec<Rc<Function>> = list
            .iter()
            .filter(|function| {
                let required = function
                    .params
                    .iter()
                    .filter(|param| param.default.is_none())
                    .count();
                (required..=function.params.len()).contains(&args.len())
            })
            .cloned()
            .collect();
        let with_body: Vec<Rc<Function>> = fitting
            .iter()
            .filter(|function| function.body.is_some())
            .cloned()
            .collect();
        let fitting = if with_body.is_empty() { fitting } else { with_body };
        if fitting.len() < 2 {
            return Ok(fitting.into_iter().next());
        }
        let mut types = Vec::new();
        for arg in args {
            types.push(match self.place(arg)? {
                Some(at) => match at.ty {
                    Ty::Array(elem, _) => Ty::Pointer(elem),
                    ty => ty,
                },
                None if matches!(arg.kind, ExprKind::Call(..) | ExprKind::Assign(..)) => Ty::Opaque,
                None => self.eval(arg)?.ty,
            });
        }
        let mut best: Option<(i32, Rc<Function>)> = None;
        for function in fitting {
            let mut score = if function.templates.is_empty() { 1 } else { 0 };
            for (param, ty) in function.params.iter().zip(&types) {
                if function.templates.is_empty() && self.resolve(&param.ty)? == *ty {
                    score += 4;
                } else if matches!(strip(&param.ty), TypeExpr::Pointer { .. }) == matches!(ty, Ty::Pointer(_))
                {
                    score += 1;
                }
            }
            if best.as_ref().is_none_or(|(other, _)| score > *other) {
                best = Some((score, function));
            }
        }
        Ok(best.map(|(_, function)| function))
    }

    fn passed(&mut self, function: &Function, args: &[Expr]) -> Runs<Vec<Passed>> {
        let mut passed = Vec::new();
        for (idx, arg) in args.iter().enumerate() {
            let is_ref = function
                .params
                .get(idx)
                .is_some_and(|param| matches!(param.ty, TypeExpr::Reference(_)));
            let at = if is_ref { self.place(arg)? } else { None };
            let value = match at {
                Some(at) => self.load(at),
                None => self.eval(arg)?,
            };
            passed.push((value, at));
        }
        Ok(passed)
    }

    fn call_function(
        &mut self,
        function: &Rc<Function>,
        template_args: &[TemplateArg],
        args: &[Expr],
        this: Option<(u64, u32)>,
    ) -> Runs<Value> {
        let passed = self.passed(function, args)?;
        self.call_with(function, template_args, passed, this)
    }

    fn call_with(
        &mut self,
        function: &Rc<Function>,
        template_args: &[TemplateArg],
        args: Vec<Passed>,
        this: Option<(u64, u32)>,
    ) -> Runs<Value> {
        let mut bindings = match this {
            Some((_, id)) => self.records[id as usize].bindings.clone(),
            None => Vec::new(),
        };
        bindings.extend(self.deduce(function, template_args, &args)?);
        self.enter(function, bindings, args, this, None)
    }

    /// What the parameters of a function template stand for.
    fn deduce(
        &mut self,
        function: &Function,
        template_args: &[TemplateArg],
        args: &[Passed],
    ) -> Runs<Vec<(Name, Binding)>> {
        let mut bindings: Vec<(Name, Binding)> = Vec::new();
        for (param, arg) in function.templates.iter().zip(template_args) {
            let binding = self.bind(arg)?;
            bindings.extend(param.name.map(|name| (name, binding)));
        }
        for param in function.templates.iter().skip(template_args.len()) {
            let Some(name) = param.name else {
                continue;
            };
            let mut found = None;
            for (parameter, (value, at)) in function.params.iter().zip(args) {
                let ty = match at {
                    Some(at) => at.ty,
                    None => value.ty,
                };
                found = self.matched(&parameter.ty, ty, name);
                if found.is_some() {
                    break;
                }
            }
            let binding = match (found, &param.default) {
                (Some(binding), _) => binding,
                (None, Some(default)) => {
                    self.frames.push(Frame {
                        bindings: bindings.clone(),
                        ..Frame::default()
                    });
                    let binding = self.bind(default);
                    self.frames.pop();
                    binding?
                }
                (None, None) => continue,
            };
            bindings.push((name, binding));
        }
        Ok(bindings)
    }

    /// What a template parameter stands for if a type is matched against one that is written.
    fn matched(&self, written: &TypeExpr, ty: Ty, wanted: Name) -> Option<Binding> {
        match (written, ty) {
            (TypeExpr::Named(name, args), _) if *name == wanted && args.is_empty() => {
                (!matches!(ty, Ty::Opaque | Ty::Void)).then_some(Binding::Type(ty))
            }
            (TypeExpr::Reference(to), _) => self.matched(to, ty, wanted),
            (TypeExpr::Pointer { to, .. }, Ty::Pointer(id) | Ty::Array(id, _)) => {
                self.matched(to, self.pointee(id), wanted)
            }
            (TypeExpr::Array(elem, len), Ty::Array(id, count)) => match len.as_deref() {
                Some(Expr {
                    kind: ExprKind::Name { name, .. },
                    ..
                }) if *name == wanted => Some(Binding::Value(Value::new(Ty::U64, count, KNOWN))),
                _ => self.matched(elem, self.pointee(id), wanted),
            },
            (TypeExpr::Named(_, args), Ty::Vector(id)) => match args.first() {
                Some(TemplateArg::Type(elem)) => self.matched(elem, self.pointee(id), wanted),
                _ => None,
            },
            (TypeExpr::Named(_, args), Ty::Struct(id)) => {
                let bindings = &self.records[id as usize].bindings;
                args.iter()
                    .zip(bindings)
                    .find_map(|(arg, (_, binding))| match (arg, binding) {
                        (TemplateArg::Type(written), Binding::Type(ty)) => self.matched(written, *ty, wanted),
                        (
                            TemplateArg::Value(Expr {
                                kind: ExprKind::Name { name, .. },
                                ..
                            }),
                            Binding::Value(_),
                        ) if *name == wanted => Some(binding.clone()),
                        _ => None,
                    })
            }
            _ => None,
        }
    }

    fn enter(
        &mut self,
        function: &Rc<Function>,
        bindings: Vec<(Name, Binding)>,
        args: Vec<Passed>,
        this: Option<(u64, u32)>,
        outer: Option<usize>,
    ) -> Runs<Value> {
        if self.frames.len() > MAX_CALLS {
            let state = self.reason(format!("calls are nested more than {MAX_CALLS} deep"));
            for (value, at) in &args {
                self.forget_value(&value.clone(), state);
                if let Some(at) = at {
                    let size = self.size_of(at.ty);
                    self.memory.forget_range(at.address, size, state, self.step);
                }
            }
            return Ok(Value::unknown(state));
        }
        let (top, line, depth) = (self.memory.top, self.line, self.frames.len());
        let outer_loops = (self.left_loop.take(), self.left_round.take());
        self.frames.push(Frame {
            bindings,
            this,
            outer,
            ..Frame::default()
        });
        let result = self.enter_within(function, args);
        let frame = self.frames.drain(depth..).next().unwrap_or_default();
        self.memory.top = top;
        self.line = line;
        (self.left_loop, self.left_round) = outer_loops;
        let mut value = result?;
        if let Some((since, state, others)) = frame.left {
            self.memory.forget_since(since, state, self.step);
            let same = |other: &Value| {
                other.ty == value.ty && other.bits == value.bits && other.is_known() && other.parts.is_none()
            };
            if !(value.is_known() && others.iter().all(same)) {
                value = Value::new(value.ty, value.bits, state);
            }
        }
        Ok(value)
    }

    fn enter_within(&mut self, function: &Rc<Function>, args: Vec<Passed>) -> Runs<Value> {
        let mut args = args.into_iter();
        for param in &function.params {
            let (value, at) = match args.next() {
                Some(passed) => passed,
                None => match &param.default {
                    Some(default) => (self.eval(default)?, None),
                    None => (Value::unknown(self.not_read("an argument")), None),
                },
            };
            let Some(name) = param.name else {
                continue;
            };
            let is_ref = matches!(param.ty, TypeExpr::Reference(_));
            let at = match at.filter(|_| is_ref) {
                Some(at) => at,
                None => {
                    let mut ty = self.resolve(&param.ty)?;
                    if ty == Ty::Opaque || (is_ref && matches!(value.ty, Ty::Struct(_) | Ty::Vector(_))) {
                        ty = value.ty;
                    }
                    let value = if is_ref { value } else { self.copied(value) };
                    let is_record = matches!(ty, Ty::Struct(_));
                    let at = self.room(name, ty);
                    if is_record && value.ty != ty && value.parts.is_none() && is_known(value.state) {
                        self.construct_from(at, vec![value])?;
                    } else {
                        self.store(at, value);
                    }
                    at
                }
            };
            self.name_allocation(at, name);
            self.declare(name, at);
        }
        if let Some((address, id)) = self.frames.last().and_then(|frame| frame.this) {
            for (name, values) in &function.inits {
                let field = self.records[id as usize]
                    .fields
                    .iter()
                    .find(|field| field.name == *name)
                    .cloned();
                if let Some(field) = field {
                    let at = Location {
                        address: address + field.offset,
                        ty: field.ty,
                        state: KNOWN,
                    };
                    self.construct(at, values, true)?;
                }
            }
        }
        let Some(body) = &function.body else {
            return Ok(Value::unknown(self.not_read("a function")));
        };
        let flow = self.exec(body)?;
        let result = self.frames.last_mut().and_then(|frame| frame.result.take());
        let ret = self.resolve(&function.ret)?;
        Ok(match (flow, result) {
            (Flow::Return, Some(value)) if ret != Ty::Opaque && ret != Ty::Void => self.convert(value, ret),
            (Flow::Return, Some(value)) => value,
            _ => Value::void(),
        })
    }

    fn method_call(&mut self, object: &Expr, name: Name, is_arrow: bool, args: &[Expr]) -> Runs<Value> {
        let at = if is_arrow {
            let pointer = self.eval(object)?;
            self.target(&pointer)
        } else {
            match self.place(object)? {
                Some(at) => Some(at),
                None => {
                    let value = self.eval(object)?;
                    Some(self.temporary(value))
                }
            }
        };
        let Some(at) = at else {
            let state = self.not_read("a call");
            self.forget_args(args, state)?;
            return Ok(Value::unknown(state));
        };
        if let Ty::Struct(id) = at.ty {
            if let Some(method) = self
                .method(id, name, args.len())
                .filter(|method| method.body.is_some() && at.state == KNOWN)
            {
                return self.call_function(&method, &[], args, Some((at.address, id)));
            }
            // A member that is a function's address.
            let field = self.records[id as usize]
                .fields
                .iter()
                .find(|field| field.name == name)
                .cloned();
            if let Some(field) = field {
                let value = self.load(Location {
                    address: at.address + field.offset,
                    ty: field.ty,
                    state: at.state,
                });
                return self.call_value(&value, args);
            }
        }
        let text = self.text(name).to_owned();
        self.library_method(at, &text, args)
    }

    /// Makes unknown what a function that is not understood could change through its arguments.
    pub(super) fn forget_args(&mut self, args: &[Expr], state: State) -> Runs<()> {
        for arg in args {
            let at = match arg.kind {
                ExprKind::Name { .. } | ExprKind::Index(..) | ExprKind::Member { .. } => self.place(arg)?,
                _ => None,
            };
            let value = match at {
                Some(at) => self.load(at),
                None => self.eval(arg)?,
            };
            self.step += 1;
            self.forget_value(&value, state);
            if let Some(at) = at.filter(|at| !matches!(at.ty, Ty::Pointer(_) | Ty::Array(..))) {
                let size = self.size_of(at.ty);
                self.memory.forget_range(at.address, size, state, self.step);
            }
        }
        Ok(())
    }

    pub(super) fn random(&mut self) -> Value {
        self.rand_step = self.step;
        match &mut self.rand {
            Some(rand) => Value::new(Ty::I32, rand.step().into(), KNOWN),
            None => {
                let state = self.reason("how many random numbers came before is not known".to_owned());
                Value::new(Ty::I32, 0, state)
            }
        }
    }

    // ---- Launches

    fn dims(&mut self, value: Option<&Value>) -> Result<[u32; 3], String> {
        let Some(value) = value else {
            return Err("it is not given".to_owned());
        };
        let value = match value.ty {
            ty if Self::is_integer(ty) && is_known(value.state) => {
                return u32::try_from(value.bits)
                    .map(|x| [x, 1, 1])
                    .map_err(|_| "it is negative".to_owned());
            }
            Ty::Struct(_) if value.parts.is_some() => value,
            // A float, as ceil gives it.
            ty if Self::is_float(ty) && is_known(value.state) => {
                return Ok([self.float_of(value) as u32, 1, 1]);
            }
            _ => {
                return Err(self.why(if is_known(value.state) {
                    REASONS
                } else {
                    value.state
                }));
            }
        };
        let Some(parts) = value.parts.as_ref().filter(|parts| parts.0.len() == 12) else {
            return Err("its type is not known".to_owned());
        };
        if let Some(state) = parts.1.iter().find(|state| !is_known(**state)) {
            return Err(self.why(*state));
        }
        let word =
            |idx: usize| u32::from_le_bytes(parts.0[idx * 4..idx * 4 + 4].try_into().unwrap_or_default());
        Ok([word(0), word(1), word(2)])
    }

    pub(super) fn launch(&mut self, kernel: &Value, config: &[Value], args: Vec<Value>) -> Runs<()> {
        let callee = if kernel.ty == Ty::Function && kernel.is_known() {
            self.callees.get(kernel.bits as usize).cloned()
        } else {
            None
        };
        let Some(Callee::Named(name, template_args)) = callee else {
            let state = self.not_read("the kernel");
            for arg in &args {
                self.forget_value(arg, state);
            }
            self.note("Which kernel this launches is not known.".to_owned());
            return Ok(());
        };
        let list = self.functions.get(&name).cloned().unwrap_or_default();
        let function = list
            .iter()
            .filter(|function| function.is_kernel && args.len() <= function.params.len())
            .max_by_key(|function| !function.writes.is_empty());
        let Some(function) = function.cloned() else {
            return Ok(());
        };
        let passed: Vec<Passed> = args.iter().map(|arg| (arg.clone(), None)).collect();
        let bindings = self.deduce(&function, &template_args, &passed)?;
        let text = self.text(name).to_owned();
        let instance = if function.templates.is_empty() {
            text.clone()
        } else {
            let texts: Vec<String> = bindings
                .iter()
                .map(|(_, binding)| self.binding_text(binding))
                .collect();
            format!("{text}<{}>", texts.join(", "))
        };
        let line = self.line;
        self.step += 1;
        if self.muted == 0 {
            self.reading.num_launches += 1;
            let of_line = self.launches_of_line.entry(line).or_default();
            *of_line += 1;
            if *of_line > KEPT_OF_LINE {
                let kept = self
                    .reading
                    .launches
                    .iter_mut()
                    .rev()
                    .find(|launch| launch.line == line);
                if let Some(kept) = kept {
                    kept.num_more += 1;
                }
            } else if self.reading.launches.len() < KEPT {
                self.record_launch(&instance, &function, config, &args, bindings)?;
            }
        }
        // What the kernel may write is its result.
        let state = self.reason_of(
            format!("it is a result of the launch at line {line}, which is not run"),
            true,
        );
        for (idx, arg) in args.iter().enumerate() {
            let writes = function.writes.get(idx).copied().unwrap_or(true);
            match (arg.ty, writes) {
                (Ty::Pointer(_), true) => self.forget_at(arg.bits, state, self.step),
                (Ty::Struct(id), _) => {
                    // Pointers in a struct.
                    let fields = self.records[id as usize].fields.clone();
                    for field in fields.iter().filter(|field| matches!(field.ty, Ty::Pointer(_))) {
                        if let Some(parts) = &arg.parts {
                            let at = field.offset as usize;
                            let bits = u64::from_le_bytes(parts.0[at..at + 8].try_into().unwrap_or_default());
                            self.forget_at(bits, state, self.step);
                        }
                    }
                }
                _ => {}
            }
        }
        for idx in 0..self.symbols.len() {
            let (_, at, is_constant) = self.symbols[idx];
            if !is_constant {
                let was_written = self
                    .memory
                    .place(at.address)
                    .is_some_and(|(idx, _)| self.memory.allocs[idx].written > 0);
                self.forget_at(at.address, state, self.step);
                if let Some((idx, _)) = self.memory.place(at.address).filter(|_| !was_written) {
                    // Only what the host writes is given with a launch.
                    self.memory.allocs[idx].written = 0;
                }
            }
        }
        Ok(())
    }

    fn record_launch(
        &mut self,
        instance: &str,
        function: &Function,
        config: &[Value],
        args: &[Value],
        bindings: Vec<(Name, Binding)>,
    ) -> Runs<()> {
        let grid = self.dims(config.first());
        let block = self.dims(config.get(1));
        let shared = match config.get(2) {
            None => Ok(0),
            Some(value) if value.is_known() => Ok(value.bits as u32),
            Some(value) => Err(self.why(value.state)),
        };
        let mut given = Vec::new();
        self.frames.push(Frame {
            bindings,
            ..Frame::default()
        });
        for (idx, arg) in args.iter().enumerate() {
            let ty = self.resolve(&function.params[idx].ty);
            let ty = match ty {
                Ok(ty) => ty,
                Err(stop) => {
                    self.frames.pop();
                    return Err(stop);
                }
            };
            let is_pointer = matches!(ty, Ty::Pointer(_));
            let is_address = is_pointer && !Self::is_integer(arg.ty);
            let arg = if is_address || ty == Ty::Opaque {
                arg.clone()
            } else {
                self.convert(arg.clone(), ty)
            };
            let value = self.host_value(&arg);
            let name = function.params[idx]
                .name
                .map(|name| self.text(name).to_owned())
                .unwrap_or_default();
            given.push(HostArg {
                parameter: name,
                value,
                is_written: function.writes.get(idx).copied().unwrap_or(true),
            });
        }
        self.frames.pop();
        let mut symbols = Vec::new();
        for idx in 0..self.symbols.len() {
            let (name, at, _) = self.symbols[idx];
            let Some((alloc, _)) = self.memory.place(at.address) else {
                continue;
            };
            if self.memory.allocs[alloc].written > 0 {
                symbols.push(HostSymbol {
                    name: self.text(name).to_owned(),
                    contents: self.contents(alloc, 0),
                });
            }
        }
        self.reading.launches.push(HostLaunch {
            kernel: instance.to_owned(),
            line: self.line,
            grid,
            block,
            shared,
            args: given,
            symbols,
            condition: self.conditions.first().copied(),
            num_more: 0,
        });
        Ok(())
    }

    fn host_value(&mut self, value: &Value) -> HostValue {
        match value.ty {
            Ty::Pointer(_) if is_known(value.state) && value.bits == 0 => HostValue::Null,
            Ty::Pointer(to) if is_known(value.state) => match self.memory.place(value.bits) {
                Some((idx, offset)) if idx > 0 => {
                    let mut contents = self.contents(idx, offset);
                    contents.holds_pointers = self.holds_pointers(self.pointee(to));
                    HostValue::Buffer(contents)
                }
                _ => HostValue::Unknown("it points to no allocation".to_owned()),
            },
            ty if Self::is_integer(ty) && is_known(value.state) => HostValue::Number(if ty == Ty::U64 {
                Number::Int(value.bits.into())
            } else {
                Number::Int(value.bits.cast_signed().into())
            }),
            ty if Self::is_float(ty) && is_known(value.state) => {
                HostValue::Number(Number::Float(self.float_of(value)))
            }
            ty @ Ty::Struct(_) => match &value.parts {
                Some(_) if self.holds_pointers(ty) => HostValue::Unknown(
                    "it is a struct with pointers, which a launch here cannot give".to_owned(),
                ),
                Some(parts) => match parts.1.iter().find(|state| **state >= REASONS) {
                    Some(state) => HostValue::Unknown(self.why(*state)),
                    None => HostValue::Bytes(parts.0.clone()),
                },
                None => HostValue::Unknown(self.why(value.state)),
            },
            _ => HostValue::Unknown(self.why(if is_known(value.state) {
                REASONS
            } else {
                value.state
            })),
        }
    }

    fn holds_pointers(&self, ty: Ty) -> bool {
        match ty {
            Ty::Pointer(_) | Ty::Vector(_) | Ty::Function => true,
            Ty::Array(elem, _) => self.holds_pointers(self.pointee(elem)),
            Ty::Struct(id) => self.records[id as usize]
                .fields
                .iter()
                .any(|field| self.holds_pointers(field.ty)),
            _ => false,
        }
    }

    fn contents(&mut self, idx: usize, offset: u64) -> super::Contents {
        let snapshot = self.memory.snapshot(idx);
        let mut reasons = BTreeMap::new();
        let states: Vec<State> = if snapshot.state.is_empty() {
            vec![snapshot.all.1]
        } else {
            snapshot.state.clone()
        };
        for state in states {
            if state >= REASONS {
                reasons.entry(state).or_insert_with(|| self.why(state));
            }
        }
        let alloc = &self.memory.allocs[idx];
        super::Contents {
            name: alloc.name.clone(),
            line: alloc.line,
            allocation: idx as u32,
            offset,
            is_read_back: false,
            is_managed: alloc.space == Space::Managed,
            holds_pointers: false,
            snapshot,
            reasons,
        }
    }

    /// Notes that the host reads what launches left in an allocation.
    pub(super) fn note_read_back(&mut self, address: u64) {
        let Some((idx, _)) = self.memory.place(address) else {
            return;
        };
        for launch in &mut self.reading.launches {
            for arg in &mut launch.args {
                if let HostValue::Buffer(contents) = &mut arg.value
                    && contents.allocation == idx as u32
                {
                    contents.is_read_back = true;
                }
            }
        }
    }

    /// The variable of the device that an expression names.
    pub(super) fn symbol(&mut self, expr: &Expr) -> Runs<Option<Location>> {
        Ok(match &expr.kind {
            ExprKind::Name { name, .. } => self.globals.get(name).copied(),
            ExprKind::Unary(UnaryOp::Address, inner) | ExprKind::Cast(_, inner) => self.symbol(inner)?,
            ExprKind::Index(..) | ExprKind::Member { .. } => self.place(expr)?,
            ExprKind::Str(text) => {
                let text = String::from_utf8_lossy(&text[..text.len().saturating_sub(1)]).into_owned();
                self.id(&text).and_then(|name| self.globals.get(&name).copied())
            }
            _ => None,
        })
    }
}

/// A value that is passed, with its place if it is passed by reference.
type Passed = (Value, Option<Location>);

/// A type without references.
pub(super) fn strip(ty: &TypeExpr) -> &TypeExpr {
    match ty {
        TypeExpr::Reference(to) => strip(to),
        other => other,
    }
}

/// Whether a statement ends the program or leaves the function at its end.
fn ends(stmt: &Stmt, tree: &Tree) -> bool {
    match &stmt.kind {
        StmtKind::Block(stmts) => stmts.last().is_some_and(|last| ends(last, tree)),
        StmtKind::Return(_) | StmtKind::Throw => true,
        StmtKind::Expr(Expr {
            kind: ExprKind::Call(callee, _),
            ..
        }) => match &callee.kind {
            ExprKind::Name { name, .. } => matches!(
                &*tree.names[*name as usize],
                "exit" | "abort" | "_exit" | "terminate"
            ),
            _ => false,
        },
        _ => false,
    }
}

/// The value of a half-precision number.
pub(super) fn half_value(bits: u16) -> f64 {
    let sign = if bits & 0x8000 != 0 { -1.0 } else { 1.0 };
    let (exponent, fraction) = (i32::from(bits >> 10 & 31), f64::from(bits & 0x3ff));
    sign * match exponent {
        0 => libm::ldexp(fraction, -24),
        31 if fraction == 0.0 => f64::INFINITY,
        31 => f64::NAN,
        _ => libm::ldexp(fraction + 1024.0, exponent - 25),
    }
}
