//! The type of the expression before `.` and `->`, and the members of that type.

use super::collect::pointee;
use super::scopes::Marks;
use super::{Index, Of, Symbol, SymbolKind};
use crate::hir::Type;
use crate::parse;
use crate::types::type_text;
use crate::types::{LANE_NAMES, builtin_type, scalar_of_words, vector};

/// Maximum nesting depth of expressions.
const MAX_DEPTH: u32 = 24;

impl Index {
    /// The type of the expression before the `.` or `->` token: the type of the object in both cases.
    pub(super) fn type_before(&self, marks: &Marks<'_>, dot: usize) -> Option<Of> {
        let start = postfix_start(marks, dot)?;
        let of = self.type_of(marks, start, dot, 0)?;
        if marks.word(dot) == "->" {
            self.pointee_of(&of)
        } else {
            Some(of)
        }
    }

    /// The pointee type of a pointer, or the element type of an array.
    fn pointee_of(&self, of: &Of) -> Option<Of> {
        match of {
            Of::Known(ty) => pointee(ty).map(Of::Known),
            Of::Named(name) => match name.strip_suffix('*') {
                Some(name) => Some(Of::Named(name.to_owned())),
                None => self.pointee_of(&self.typedef(name)?),
            },
        }
    }

    /// The aliased type of a type name, if the name is an alias.
    fn typedef(&self, name: &str) -> Option<Of> {
        let symbol = self.type_symbol(name)?;
        match &symbol.of {
            Some(Of::Named(other)) if *other == symbol.path || other == name => None,
            of => of.clone(),
        }
    }

    fn type_symbol(&self, name: &str) -> Option<&Symbol> {
        let types = || {
            self.symbols
                .iter()
                .filter(|symbol| symbol.kind == SymbolKind::Type)
        };
        let meanings = parse::meanings("", &self.usings, &self.aliases, name);
        meanings
            .iter()
            .find_map(|meaning| types().find(|symbol| *symbol.path == **meaning))
            .or_else(|| {
                let inside = format!("::{name}");
                types().find(|symbol| symbol.path.ends_with(&inside))
            })
    }

    /// The type of the tokens of a postfix expression.
    fn type_of(&self, marks: &Marks<'_>, start: usize, end: usize, depth: u32) -> Option<Of> {
        if depth > MAX_DEPTH || start >= end {
            return None;
        }
        let mut idx = start;
        let mut of = match marks.word(idx) {
            "*" => return self.pointee_of(&self.type_of(marks, start + 1, end, depth + 1)?),
            "&" => {
                return match self.type_of(marks, start + 1, end, depth + 1)? {
                    Of::Known(ty) => Some(Of::Known(ty.pointer_to())),
                    Of::Named(name) => Some(Of::Named(name + "*")),
                };
            }
            "(" => {
                let close = marks.partner(idx)?;
                idx = close + 1;
                match written_type(marks, start + 1, close) {
                    // A cast determines the type.
                    Some(of)
                        if idx < end
                            && (marks.is_word(idx) || matches!(marks.word(idx), "(" | "&" | "*")) =>
                    {
                        return Some(of);
                    }
                    _ => self.type_of(marks, start + 1, close, depth + 1)?,
                }
            }
            "static_cast" | "reinterpret_cast" | "const_cast" => {
                let mut close = idx + 1;
                while close < end && marks.word(close) != ">" {
                    close += 1;
                }
                let of = written_type(marks, idx + 2, close)?;
                idx = marks.partner(close + 1)? + 1;
                of
            }
            "this" => {
                idx += 1;
                let prefix = self.prefix_at(marks.range(start).start);
                Of::Named(format!("{}*", prefix.strip_suffix("::")?))
            }
            _ if marks.is_word(idx) => {
                while marks.word(idx + 1) == "::" && idx + 2 < end {
                    idx += 2;
                }
                let name = idx;
                idx += 1;
                if marks.word(idx) == "<" {
                    let mut close = idx + 1;
                    while close < end && (marks.word(close) != ">" || marks.angle_start(close) != Some(idx)) {
                        close += 1;
                    }
                    if close < end && matches!(marks.word(close + 1), "(" | "{" | "::") {
                        idx = close + 1;
                    }
                }
                let calls = marks.word(idx) == "(" && idx < end;
                let of = self.type_of_name(marks, name, calls)?;
                if calls {
                    idx = marks.partner(idx)? + 1;
                }
                of
            }
            _ => return None,
        };
        while idx < end {
            match marks.word(idx) {
                "[" => {
                    of = self.pointee_of(&of)?;
                    idx = marks.partner(idx)? + 1;
                }
                "(" => idx = marks.partner(idx)? + 1,
                word @ ("." | "->") => {
                    let object = if word == "->" { self.pointee_of(&of)? } else { of };
                    let name = marks.word(idx + 1);
                    let members = self.members(&object);
                    of = members
                        .into_iter()
                        .find(|member| member.name == name)?
                        .of
                        .clone()?;
                    idx += 2;
                }
                "++" | "--" => idx += 1,
                _ => return None,
            }
        }
        Some(of)
    }

    fn type_of_name(&self, marks: &Marks<'_>, token: usize, calls: bool) -> Option<Of> {
        let name = marks.word(token);
        match name {
            "threadIdx" | "blockIdx" => return vector("uint3").map(|vector| Of::Known(Type::Vector(vector))),
            "blockDim" | "gridDim" => return vector("dim3").map(|vector| Of::Known(Type::Vector(vector))),
            _ => {}
        }
        let Some(symbol) = self.symbol_of(marks, token) else {
            // `make_float4(…)`, `float4(…)`.
            let ty = name.strip_prefix("make_").unwrap_or(name);
            return builtin_type(ty).filter(|_| calls).map(Of::Known);
        };
        if calls && symbol.kind == SymbolKind::Type {
            return Some(Of::Named(symbol.path));
        }
        match self.fact(&symbol) {
            Some(fact) if !calls => Some(Of::Known(fact.ty.clone())),
            _ => symbol.of,
        }
    }

    /// The members of a type. Members of bases come last.
    pub(super) fn members(&self, of: &Of) -> Vec<Symbol> {
        let member = |name: &str, ty: &Type, owner: &str| Symbol {
            name: name.to_owned(),
            path: format!("{owner}::{name}"),
            kind: SymbolKind::Field,
            signature: format!("{} {name}", type_text(ty, &self.structs)),
            place: None,
            header: None,
            scope: 0..usize::MAX,
            owner: owner.to_owned(),
            of: Some(Of::Known(ty.clone())),
        };
        match of {
            Of::Known(Type::Vector(vector)) => LANE_NAMES
                .into_iter()
                .take(usize::from(vector.lanes))
                .map(|lane| member(lane, &vector.elem, vector.name))
                .collect(),
            Of::Known(Type::Struct(id)) => {
                let Some(def) = self.structs.get(id.0 as usize) else {
                    return Vec::new();
                };
                let class = def.name.split('<').next().unwrap_or_default();
                let mut out = self.members_of_class(class);
                for field in def.fields.iter().filter(|field| !field.name.starts_with("__")) {
                    match out.iter_mut().find(|symbol| symbol.name == field.name) {
                        Some(symbol) => symbol.of = Some(Of::Known(field.ty.clone())),
                        None if field.name.is_empty() => {}
                        None => out.insert(0, member(&field.name, &field.ty, class)),
                    }
                }
                out
            }
            Of::Known(_) => Vec::new(),
            Of::Named(name) => {
                if let Some(ty) = builtin_type(name) {
                    return self.members(&Of::Known(ty));
                }
                match self.typedef(name) {
                    Some(other) if other != *of => self.members(&other),
                    _ => match self.type_symbol(name) {
                        Some(symbol) => self.members_of_class(&symbol.path),
                        None => self.members_of_class(name),
                    },
                }
            }
        }
    }

    fn members_of_class(&self, class: &str) -> Vec<Symbol> {
        let mut out: Vec<Symbol> = Vec::new();
        let mut class = class.to_owned();
        for _ in 0..MAX_DEPTH {
            for symbol in &self.symbols {
                let is_own = symbol.owner == class
                    && matches!(symbol.kind, SymbolKind::Field | SymbolKind::Method)
                    && !symbol.name.starts_with("operator")
                    && !symbol.name.starts_with("__");
                if is_own && !out.iter().any(|other| other.name == symbol.name) {
                    out.push(symbol.clone());
                }
            }
            let Some(base) = self.bases.get(&class) else { break };
            let Some(symbol) = self.type_symbol(base) else {
                break;
            };
            class.clone_from(&symbol.path);
        }
        out
    }
}

/// The first token of the postfix expression that ends before a token.
fn postfix_start(marks: &Marks<'_>, end: usize) -> Option<usize> {
    let mut idx = end.checked_sub(1)?;
    loop {
        match marks.word(idx) {
            ")" | "]" => {
                idx = marks.partner(idx)?;
                let before = idx.checked_sub(1);
                let goes_on = before.is_some_and(|before| {
                    marks.is_word(before) && !matches!(marks.word(before), "return" | "if" | "while" | "for")
                        || matches!(marks.word(before), ")" | "]")
                        || (marks.word(before) == ">" && marks.word(idx) == "(")
                });
                if !goes_on {
                    return Some(idx);
                }
                idx -= 1;
                continue;
            }
            ">" => {
                idx = marks.angle_start(idx)?.checked_sub(1)?;
                continue;
            }
            _ if marks.is_word(idx) => {}
            _ => return None,
        }
        match idx.checked_sub(1).map(|before| marks.word(before)) {
            Some("." | "->" | "::") => idx = idx.checked_sub(2)?,
            _ => return Some(idx),
        }
    }
}

/// The type that a sequence of tokens denotes, such as `const float4 *`.
fn written_type(marks: &Marks<'_>, start: usize, end: usize) -> Option<Of> {
    let words: Vec<&str> = (start..end)
        .map(|idx| marks.word(idx))
        .filter(|word| !matches!(*word, "const" | "volatile" | "struct" | "__restrict__"))
        .collect();
    let num_names = words
        .iter()
        .take_while(|word| !matches!(**word, "*" | "&"))
        .count();
    let (names, steps) = words.split_at(num_names);
    if steps.iter().any(|step| !matches!(*step, "*" | "&")) {
        return None;
    }
    let pointers = steps.iter().filter(|step| **step == "*").count();
    let known = scalar_of_words(names).or_else(|| match names {
        [name] => builtin_type(name),
        _ => None,
    });
    if let Some(mut ty) = known {
        for _ in 0..pointers {
            ty = ty.pointer_to();
        }
        return Some(Of::Known(ty));
    }
    // A single name can be a variable in parentheses.
    match names {
        [name] if pointers > 0 => Some(Of::Named(format!("{name}{}", "*".repeat(pointers)))),
        _ => None,
    }
}
