//! Types of host code: resolution, size, and text.

use std::rc::Rc;

use super::machine::*;
use super::tree::*;
use super::value::*;

impl Machine {
    pub(super) fn intern(&mut self, ty: Ty) -> TyId {
        let types = &mut self.types;
        *self.type_ids.entry(ty).or_insert_with(|| {
            types.push(ty);
            types.len() as TyId - 1
        })
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
            Ty::I64
            | Ty::U64
            | Ty::F64
            | Ty::Pointer(_)
            | Ty::Function
            | Ty::Engine(_)
            | Ty::Distribution(..) => 8,
            Ty::Array(elem, len) => self.size_of(self.pointee(elem)).saturating_mul(len),
            Ty::Struct(id) => self.records[id as usize].size,
            Ty::Vector(_) => 24,
            Ty::Opaque => 32,
        }
    }

    pub(super) fn align_of(&self, ty: Ty) -> u64 {
        match ty {
            Ty::Array(elem, _) => self.align_of(self.pointee(elem)),
            Ty::Struct(id) => self.records[id as usize].align,
            Ty::Vector(_) | Ty::Opaque => 8,
            other => self.size_of(other),
        }
    }

    /// Resolves a written type, without references.
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
            TypeExpr::TypeOf(name) => self.variable(*name).map_or(Ty::Opaque, |at| at.ty),
            TypeExpr::Function => Ty::Function,
            TypeExpr::Named(name, args) => self.named_type(*name, args)?,
        })
    }

    pub(super) fn named_type(&mut self, name: Name, args: &[TemplateArg]) -> Runs<Ty> {
        if self.type_depth >= MAX_TYPES {
            return Ok(Ty::Opaque);
        }
        self.type_depth += 1;
        let ty = self.named_type_within(name, args);
        self.type_depth -= 1;
        ty
    }

    pub(super) fn named_type_within(&mut self, name: Name, args: &[TemplateArg]) -> Runs<Ty> {
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
            ("string", None) => self.string_type(),
            // Handles.
            ("cudaStream_t" | "cudaEvent_t", None) => Ty::U64,
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
            (_, first) => match super::engines::engine_kind(&text) {
                Some(kind) => Ty::Engine(kind),
                None => self
                    .distribution_type(&text, first)
                    .or_else(|| self.builtin_record(&text))
                    .unwrap_or(Ty::Opaque),
            },
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
            // A source that never mentions the name cannot use the field.
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

    pub(super) fn add_record(&mut self, text: &str, fields: Vec<Field>, size: u64, align: u64) -> Ty {
        let id = self.records.len() as u32;
        self.records.push(Record {
            name: text.to_owned(),
            space: String::new(),
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

    pub(super) fn record(&mut self, name: Name, idx: usize, args: &[TemplateArg]) -> Runs<Ty> {
        let tree = Rc::clone(&self.tree);
        let def = &tree.structs[idx].1;
        let mut bindings = Vec::new();
        let mut key = self.text(name).to_owned();
        for (param, arg) in def
            .templates
            .iter()
            .zip(args.iter().map(Some).chain(std::iter::repeat(None)))
        {
            if param.is_pack {
                // A pack is last.
                for arg in args.get(def.templates.len() - 1..).unwrap_or_default() {
                    let binding = self.bind(arg)?;
                    key += &format!(",{}", self.binding_text(&binding));
                }
                break;
            }
            let Some(arg) = arg.or(param.default.as_ref()) else {
                // The injected name of a template.
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
        // A struct with pointers to itself is registered before its fields.
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
            // The layout of a string differs from the real one.
            is_opaque |= ty == Ty::Opaque || self.is_string(ty);
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
        record.space.clone_from(&def.space);
        record.align = align;
        record.methods.clone_from(&def.methods);
        record.bindings = bindings;
        record.is_opaque = is_opaque;
        Ok(Ty::Struct(id))
    }

    /// The types and offsets of a record's members.
    pub(super) fn members(&self, id: u32) -> Vec<(Ty, u64)> {
        let fields = self.records[id as usize].fields.iter();
        fields.map(|field| (field.ty, field.offset)).collect()
    }

    pub(super) fn bind(&mut self, arg: &TemplateArg) -> Runs<Binding> {
        Ok(match arg {
            TemplateArg::Type(ty) => {
                if let TypeExpr::Named(name, args) = ty
                    && args.is_empty()
                    && let Some(text @ Binding::Text(_)) = self.binding(*name)
                {
                    return Ok(text);
                }
                let resolved = self.resolve(ty)?;
                match ty {
                    TypeExpr::Named(name, _) if resolved == Ty::Opaque => {
                        let written = self.tree.spellings.get(name);
                        Binding::Text(written.map_or_else(|| self.text(*name).to_owned(), Clone::clone))
                    }
                    _ => Binding::Type(resolved),
                }
            }
            TemplateArg::Value(value) => {
                // A type name that was parsed as a value.
                if let ExprKind::Name { name, .. } = value.kind
                    && let ty @ (Ty::Struct(_) | Ty::Vector(_)) = self.named_type(name, &[])?
                {
                    return Ok(Binding::Type(ty));
                }
                // A type of a header, such as `wmma::row_major`, is known to the compiler alone.
                if let ExprKind::Name { name, of, args: None } = value.kind
                    && !self.is_declared(name, of)
                {
                    let written = self.tree.spellings.get(&name);
                    return Ok(Binding::Text(
                        written.map_or_else(|| self.text(name).to_owned(), Clone::clone),
                    ));
                }
                Binding::Value(self.eval(value)?)
            }
        })
    }

    pub(super) fn binding(&self, name: Name) -> Option<Binding> {
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

    pub(super) fn binding_text(&self, binding: &Binding) -> String {
        match binding {
            Binding::Type(ty) => self.type_text(*ty),
            Binding::Value(value) => self.value_text(value),
            Binding::Text(text) => text.clone(),
        }
    }

    /// A type in C syntax.
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
            Ty::Struct(id) => {
                let record = &self.records[id as usize];
                let name = match record.name.split_once(',') {
                    Some((name, args)) => format!("{name}<{}>", args.replace(',', ", ")),
                    None => record.name.clone(),
                };
                match &*record.space {
                    "" => name,
                    space => format!("{space}::{name}"),
                }
            }
            Ty::Function | Ty::Engine(_) | Ty::Distribution(..) | Ty::Opaque => "?".to_owned(),
        }
    }

    pub(super) fn value_text(&self, value: &Value) -> String {
        match value.ty {
            Ty::Bool => (value.bits != 0).to_string(),
            Ty::U64 => value.bits.to_string(),
            Ty::F32 | Ty::F64 => self.float_of(value).to_string(),
            Ty::Function => match &self.callees[value.bits as usize] {
                Callee::Named(name, _, Some(of)) => format!("{}::{}", self.text(*of), self.text(*name)),
                Callee::Named(name, _, None) => self.text(*name).to_owned(),
                Callee::Lambda(..) => "?".to_owned(),
            },
            _ if value.is_known() => value.bits.cast_signed().to_string(),
            _ => "?".to_owned(),
        }
    }
}

/// A type without references.
pub(super) fn strip(ty: &TypeExpr) -> &TypeExpr {
    match ty {
        TypeExpr::Reference(to) => strip(to),
        other => other,
    }
}
