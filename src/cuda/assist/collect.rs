//! The declarations of a source and of its headers, from the syntax tree.

use std::ops::Range;

use super::scopes::Marks;
use super::{Index, Of, Symbol, SymbolKind};
use crate::ast::{
    self, BaseType, Block, Declaration, Derived, EnumDef, Expr, ExprKind, Function, Ident, Item, Member,
    Stmt, StmtKind, StructDef, TemplateArg, TemplateParam, TemplateParamKind, TypeName,
};
use crate::hir::{Pointer, Type};
use crate::lex::{TokenKind, tokens};
use crate::types::is_type_word;
use crate::types::type_text;
use engine::ids::Span;

/// Maximum length of a displayed declaration, in characters.
const MAX_SIGNATURE: usize = 240;

/// Adds the names of a syntax tree and the macros of the text.
pub(super) fn collect(index: &mut Index, items: &[Item]) {
    let text = std::mem::take(&mut index.text);
    let marks = Marks::new(&text);
    let mut collector = Collector {
        text: &text,
        marks: &marks,
        index,
        prefix: String::new(),
        owner: String::new(),
    };
    collector.items(items);
    collector.macros();
    index.text = text;
}

struct Collector<'a> {
    text: &'a str,
    marks: &'a Marks<'a>,
    index: &'a mut Index,
    /// The prefix `a::b::` inside a namespace or struct.
    prefix: String,
    /// The enclosing function or struct.
    owner: String,
}

/// A text on one line.
pub(super) fn one_line(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    let line = words.join(" ");
    match line.char_indices().nth(MAX_SIGNATURE) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}

impl Collector<'_> {
    fn put(&mut self, name: &Ident, kind: SymbolKind, signature: String, of: Option<Of>) -> usize {
        let own = name.name.rsplit("::").next().unwrap_or(&name.name).to_owned();
        let place = self.place_of(name, &own);
        let is_inside = super::is_local(kind);
        let scope = match &place {
            Some(place) if is_inside => place.end..self.marks.scope_end(place.start),
            _ if is_inside => 0..0,
            _ => 0..usize::MAX,
        };
        let path = if is_inside {
            own.clone()
        } else {
            format!("{}{}", self.prefix, name.name)
        };
        let header = if place.is_none() {
            self.header_at(name.span)
        } else {
            None
        };
        self.index.symbols.push(Symbol {
            name: own,
            path,
            kind,
            signature: one_line(&signature),
            place,
            header,
            scope,
            owner: self.owner.clone(),
            of,
        });
        self.index.symbols.len() - 1
    }

    /// The span of a name in the text, unless the name comes from a header or macro.
    fn place_of(&self, name: &Ident, own: &str) -> Option<Range<usize>> {
        let (start, end) = (name.span.start as usize, name.span.end as usize);
        let written = self.text.get(start..end)?;
        written.ends_with(own).then(|| end - own.len()..end)
    }

    /// The header that the directive at a span includes.
    fn header_at(&self, span: Span) -> Option<String> {
        let line = self.text.lines().nth((span.line as usize).checked_sub(1)?)?;
        let (_, rest) = line.split_once("include")?;
        Some(rest.split("//").next()?.trim().to_owned())
    }

    fn is_own(&self, span: Span) -> bool {
        let slice = self.text.get(span.start as usize..span.end as usize);
        slice.is_some_and(|slice| !slice.is_empty() && slice != "include")
    }

    fn slice(&self, start: u32, end: usize) -> String {
        self.text.get(start as usize..end).unwrap_or_default().to_owned()
    }

    // ---- types as text

    fn type_name(&self, ty: &TypeName) -> String {
        let mut base = match &ty.base {
            BaseType::Known(known) => type_text(known, &[]),
            BaseType::Auto => "auto".to_owned(),
            BaseType::Named(name) | BaseType::Elaborated(name) => name.name.to_string(),
            BaseType::Instance { name, args, member } => {
                let args: Vec<String> = args.iter().map(|arg| self.template_arg(arg)).collect();
                let member = member
                    .as_ref()
                    .map_or(String::new(), |member| format!("::{}", member.name));
                format!("{}<{}>{member}", name.name, args.join(", "))
            }
            BaseType::TypeOf(_) | BaseType::Decltype(_) => "decltype(…)".to_owned(),
            BaseType::Nested { of, name, .. } => format!("{}::{}", self.type_name(of), name.name),
            BaseType::Struct(def) => def
                .name
                .as_ref()
                .map_or("struct".to_owned(), |name| name.name.to_string()),
            BaseType::Enum(def) => def
                .name
                .as_ref()
                .map_or("enum".to_owned(), |name| name.name.to_string()),
            BaseType::Texture(_) => "texture".to_owned(),
        };
        // Keep the spelling of a single known type: `size_t`, not the underlying type.
        if matches!(ty.base, BaseType::Known(_)) && self.is_own(ty.span) {
            // The span of a parameter's type includes the parameter's name.
            let slice = self.slice(ty.span.start, ty.span.end as usize);
            let words: Vec<&str> = slice
                .split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_')
                .filter(|word| !matches!(*word, "" | "const" | "volatile"))
                .take_while(|word| is_type_word(word))
                .collect();
            if !words.is_empty() {
                base = words.join(" ");
            }
        }
        let mut out = String::new();
        if ty.is_const {
            out.push_str("const ");
        }
        if ty.is_volatile {
            out.push_str("volatile ");
        }
        out.push_str(&base);
        for step in &ty.derived {
            let gap = if out.ends_with('*') || out.ends_with('&') {
                ""
            } else {
                " "
            };
            match step {
                Derived::Pointer {
                    is_const, restrict, ..
                } => {
                    out.push_str(gap);
                    out.push('*');
                    if *is_const {
                        out.push_str(" const");
                    }
                    if *restrict {
                        out.push_str("__restrict__");
                    }
                }
                Derived::Reference => out.push_str(&format!("{gap}&")),
                Derived::RvalueReference => out.push_str(&format!("{gap}&&")),
                Derived::Array(_) => {}
                Derived::Function(params) => {
                    let params: Vec<String> = params.iter().map(|param| self.type_name(&param.ty)).collect();
                    out.push_str(&format!("({})", params.join(", ")));
                }
            }
        }
        out
    }

    fn template_arg(&self, arg: &TemplateArg) -> String {
        match arg {
            TemplateArg::Type(ty) => self.type_name(ty),
            TemplateArg::Value(value) => self.value_text(value),
            TemplateArg::Expansion(pattern) => format!("{}...", self.template_arg(pattern)),
        }
    }

    fn value_text(&self, value: &Expr) -> String {
        match &value.kind {
            ExprKind::Name(name) => name.to_string(),
            _ if self.is_own(value.span) => one_line(&self.slice(value.span.start, value.span.end as usize)),
            ExprKind::Bool(value) => value.to_string(),
            _ => "…".to_owned(),
        }
    }

    /// The extents of an array, as written.
    fn extents(&self, ty: &TypeName) -> String {
        let mut out = String::new();
        for step in &ty.derived {
            if let Derived::Array(len) = step {
                let len = len.as_ref().map_or(String::new(), |len| self.value_text(len));
                out = format!("[{len}]{out}");
            }
        }
        out
    }

    /// The type information of a written type.
    fn of(ty: &TypeName) -> Option<Of> {
        let mut of = match &ty.base {
            BaseType::Known(known) => Of::Known(known.clone()),
            BaseType::Named(name) | BaseType::Elaborated(name) => Of::Named(name.name.to_string()),
            BaseType::Instance {
                name, member: None, ..
            } => Of::Named(name.name.to_string()),
            BaseType::Struct(def) => Of::Named(def.name.as_ref()?.name.to_string()),
            _ => return None,
        };
        for step in &ty.derived {
            match (step, &mut of) {
                (Derived::Pointer { .. }, Of::Known(known)) => *known = known.clone().pointer_to(),
                (Derived::Array(_), Of::Known(known)) => *known = Type::Array(Box::new(known.clone()), 1),
                (Derived::Pointer { .. }, Of::Named(name)) => name.push('*'),
                (Derived::Array(_), Of::Named(name)) => name.push('*'),
                (Derived::Function(_), _) => return None,
                (Derived::Reference | Derived::RvalueReference, _) => {}
            }
        }
        Some(of)
    }

    // ---- declarations

    fn items(&mut self, items: &[Item]) {
        for item in items {
            self.item(item);
        }
    }

    fn item(&mut self, item: &Item) {
        match item {
            Item::Function(function) => self.function(function, &[]),
            Item::Template(template) => self.function(&template.function, &template.params),
            Item::ClassTemplate(template) => {
                self.class(&template.def, &template.params);
                if let Some(name) = &template.def.name {
                    self.index.templates.insert(name.name.to_string());
                }
            }
            Item::AliasTemplate(template) => {
                self.index.templates.insert(template.name.name.to_string());
                let signature = format!("using {} = {}", template.name.name, self.type_name(&template.ty));
                self.put(
                    &template.name,
                    SymbolKind::Type,
                    signature,
                    Self::of(&template.ty),
                );
                self.template_params(&template.params);
            }
            Item::VariableTemplate(template) => {
                for declarator in &template.declaration.declarators {
                    self.index.templates.insert(declarator.name.name.to_string());
                }
                self.declaration(&template.declaration, SymbolKind::Variable);
                self.template_params(&template.params);
            }
            Item::Namespace(name, inner) => {
                let mut enclosing = self.prefix.clone();
                for part in name.split("::").filter(|part| !part.is_empty()) {
                    let path = format!("{enclosing}{part}");
                    if !self.index.symbols.iter().any(|symbol| symbol.path == path) {
                        let place = self.namespace_place(part);
                        self.namespace(part, path.clone(), format!("namespace {path}"), place);
                    }
                    enclosing = format!("{path}::");
                }
                let outer = std::mem::replace(&mut self.prefix, enclosing);
                self.items(inner);
                self.prefix = outer;
            }
            Item::NamespaceAlias(from, to) => self.alias(from, to),
            Item::UsingNamespace(name) => self.index.usings.push(name.clone()),
            Item::UsingName(path) => self.using_name(path),
            Item::Declaration(declaration) => self.declaration(declaration, SymbolKind::Variable),
            Item::Host(name) => self.host(name, SymbolKind::Function),
            Item::Unsupported(names, _) => {
                for name in names {
                    self.host(name, SymbolKind::Function);
                }
            }
            Item::Guide(_) | Item::Instance(_) | Item::StaticAssert(_) | Item::UsingEnum(_) => {}
        }
    }

    /// A host item or an item with an error. `function` is the kind that is recorded if the item is a function.
    fn host(&mut self, name: &Ident, function: SymbolKind) {
        let Some(place) = self.place_of(name, &name.name) else {
            return;
        };
        let start = self.text[..place.start]
            .rfind(['\n', ';', '{', '}'])
            .map_or(0, |end| end + 1);
        let end = self.text[place.end..]
            .find([';', '{', '\n'])
            .map_or(self.text.len(), |at| place.end + at);
        let kind = if self.text[place.end..].trim_start().starts_with('(') {
            function
        } else {
            SymbolKind::Variable
        };
        let signature = self.text[start..end].to_owned();
        self.put(name, kind, signature, None);
    }

    fn namespace(&mut self, name: &str, path: String, signature: String, place: Option<Range<usize>>) {
        self.index.symbols.push(Symbol {
            name: name.to_owned(),
            path,
            kind: SymbolKind::Namespace,
            signature,
            place,
            header: None,
            scope: 0..usize::MAX,
            owner: String::new(),
            of: None,
        });
    }

    /// The first mention of a namespace in the text.
    fn namespace_place(&self, name: &str) -> Option<Range<usize>> {
        (1..self.marks.len())
            .find(|idx| {
                self.marks.word(*idx) == name && matches!(self.marks.word(idx - 1), "namespace" | "::")
            })
            .filter(|idx| self.marks.word(idx - 1) == "namespace" && self.marks.word(idx + 1) != "=")
            .map(|idx| self.marks.range(idx))
    }

    /// `namespace from = to;`, both with a trailing `::`.
    fn alias(&mut self, from: &ast::Name, to: &ast::Name) {
        self.index.aliases.insert(from.clone(), to.clone());
        let (name, of) = (from.trim_end_matches("::"), to.trim_end_matches("::"));
        let own = name.rsplit("::").next().unwrap_or(name).to_owned();
        let place = (1..self.marks.len())
            .find(|idx| {
                self.marks.word(*idx) == own
                    && self.marks.word(idx - 1) == "namespace"
                    && self.marks.word(idx + 1) == "="
            })
            .map(|idx| self.marks.range(idx));
        self.namespace(&own, name.to_owned(), format!("namespace {own} = {of}"), place);
    }

    fn using_name(&mut self, path: &Ident) {
        if let Some((_, last)) = path.name.rsplit_once("::") {
            self.index.aliases.insert(last.into(), path.name.clone());
        }
    }

    fn template_params(&mut self, params: &[TemplateParam]) {
        for param in params {
            let Some(name) = &param.name else { continue };
            let signature = self.template_param_text(param);
            let idx = self.put(name, SymbolKind::Parameter, signature, None);
            let symbol = &mut self.index.symbols[idx];
            if let Some(place) = &symbol.place {
                symbol.scope = place.end..self.marks.head_end(place.end);
            }
        }
    }

    fn template_param_text(&self, param: &TemplateParam) -> String {
        let name = param.name.as_ref().map_or("", |name| &*name.name);
        let dots = if param.is_pack { "..." } else { "" };
        match &param.kind {
            TemplateParamKind::Type(_) => format!("typename{dots} {name}"),
            TemplateParamKind::Value(ty, _) => format!("{}{dots} {name}", self.type_name(ty)),
            TemplateParamKind::Template(_) => format!("template <…> class{dots} {name}"),
        }
    }

    fn function(&mut self, function: &Function, template: &[TemplateParam]) {
        let kind = if function.specifiers.global.is_some() {
            SymbolKind::Kernel
        } else {
            SymbolKind::Function
        };
        self.function_of(function, template, kind);
    }

    fn function_of(&mut self, function: &Function, template: &[TemplateParam], kind: SymbolKind) {
        let name = &function.name;
        let own = name.name.rsplit("::").next().unwrap_or(&name.name);
        if own.starts_with("__ws_") || matches!(own, ast::CONSTRUCTOR | ast::DESTRUCTOR) {
            self.body(function, template, name);
            return;
        }
        if !template.is_empty() {
            self.index.templates.insert(own.to_owned());
        }
        let signature = self.function_text(function, own, template);
        let idx = self.put(name, kind, signature, Self::of(&function.ret));
        if let Some(place) = self.index.symbols[idx].place.clone()
            && function.body.is_some()
        {
            self.index.symbols[idx].scope = place.start..self.marks.head_end(place.end);
        }
        self.body(function, template, name);
    }

    fn body(&mut self, function: &Function, template: &[TemplateParam], name: &Ident) {
        if function.is_library {
            return;
        }
        let owner = std::mem::replace(&mut self.owner, format!("{}{}", self.prefix, name.name));
        self.template_params(template);
        for param in &function.params {
            if let Some(name) = &param.name {
                let signature = format!(
                    "{}{} {}{}",
                    self.type_name(&param.ty),
                    if param.is_pack { "..." } else { "" },
                    name.name,
                    self.extents(&param.ty)
                );
                self.put(
                    name,
                    SymbolKind::Parameter,
                    without_pointer_space(&signature),
                    Self::of(&param.ty),
                );
            }
        }
        if let Some(body) = &function.body {
            self.block(body);
        }
        self.owner = owner;
    }

    fn function_text(&self, function: &Function, own: &str, template: &[TemplateParam]) -> String {
        let specifiers = &function.specifiers;
        let words = [
            (specifiers.global.is_some(), "__global__ "),
            (specifiers.host, "__host__ "),
            (specifiers.device && !function.is_library, "__device__ "),
        ];
        let mut out: String = words
            .iter()
            .filter(|(is, _)| *is)
            .map(|(_, word)| *word)
            .collect();
        if !template.is_empty() {
            let params: Vec<String> = template
                .iter()
                .map(|param| self.template_param_text(param))
                .collect();
            out.insert_str(0, &format!("template <{}> ", params.join(", ")));
        }
        let params: Vec<String> = function
            .params
            .iter()
            .map(|param| {
                let name = param.name.as_ref().map_or("", |name| &*name.name);
                let dots = if param.is_pack { "..." } else { "" };
                let ty = self.type_name(&param.ty);
                let text = format!("{ty}{dots} {name}{}", self.extents(&param.ty));
                without_pointer_space(text.trim_end())
            })
            .collect();
        let is_const = if function.is_const { " const" } else { "" };
        without_pointer_space(&format!(
            "{out}{} {own}({}){is_const}",
            self.type_name(&function.ret),
            params.join(", ")
        ))
    }

    fn class(&mut self, def: &StructDef, template: &[TemplateParam]) {
        let Some(name) = &def.name else {
            return;
        };
        if name.name.starts_with("__ws_") || name.name.starts_with("__group") {
            return;
        }
        let word = if def.is_union { "union" } else { "struct" };
        let path = format!("{}{}", self.prefix, name.name);
        let bases = def.bases.iter().filter_map(|base| match base {
            TemplateArg::Type(ty) => Some(self.type_name(ty)),
            _ => None,
        });
        let bases: Vec<String> = bases.collect();
        let from = if bases.is_empty() {
            String::new()
        } else {
            format!(" : {}", bases.join(", "))
        };
        let body = if def.is_forward { "" } else { " { … }" };
        self.put(
            name,
            SymbolKind::Type,
            format!("{word} {path}{from}{body}"),
            Some(Of::Named(path.clone())),
        );
        if let Some(base) = bases.first() {
            let base = base.split('<').next().unwrap_or_default().to_owned();
            self.index.bases.insert(path.clone(), base);
        }
        let outer = (self.prefix.clone(), self.owner.clone());
        self.template_params(template);
        self.prefix = format!("{path}::");
        self.owner = path;
        for member in &def.members {
            match member {
                Member::Declaration(declaration) => self.declaration(declaration, SymbolKind::Field),
                Member::Function(function) => self.function_of(function, &[], SymbolKind::Method),
                Member::Template(template) => {
                    self.function_of(&template.function, &template.params, SymbolKind::Method);
                }
                Member::Item(item) => self.item(item),
                Member::Host(name) => self.host(name, SymbolKind::Method),
                Member::Friend(_) | Member::StaticAssert(_) => {}
            }
        }
        (self.prefix, self.owner) = outer;
    }

    fn enumeration(&mut self, def: &EnumDef) {
        let outer = self.prefix.clone();
        if let Some(name) = &def.name {
            if name.name.starts_with("__") {
                return;
            }
            let word = if def.is_class { "enum class" } else { "enum" };
            self.put(name, SymbolKind::Type, format!("{word} {}", name.name), None);
            if def.is_class {
                self.prefix = format!("{outer}{}::", name.name);
            }
        }
        for (name, value) in &def.values {
            let value = value
                .as_ref()
                .map_or(String::new(), |value| format!(" = {}", self.value_text(value)));
            self.put(name, SymbolKind::Constant, format!("{}{value}", name.name), None);
        }
        self.prefix = outer;
    }

    fn declaration(&mut self, declaration: &Declaration, kind: SymbolKind) {
        match &declaration.ty.base {
            BaseType::Struct(def) => self.class(def, &[]),
            BaseType::Enum(def) => self.enumeration(def),
            _ => {}
        }
        let specifiers = &declaration.specifiers;
        let words = [
            (specifiers.is_static, "static "),
            (specifiers.is_extern, "extern "),
            (specifiers.constant, "__constant__ "),
            (specifiers.shared.is_some(), "__shared__ "),
            (specifiers.device && kind == SymbolKind::Variable, "__device__ "),
            (specifiers.is_constexpr, "constexpr "),
        ];
        let words: String = words
            .iter()
            .filter(|(is, _)| *is)
            .map(|(_, word)| *word)
            .collect();
        for declarator in &declaration.declarators {
            let name = &declarator.name;
            let ty = self.type_name(&declarator.ty);
            if specifiers.is_typedef {
                self.put(
                    name,
                    SymbolKind::Type,
                    format!("typedef {ty} {}", name.name),
                    Self::of(&declarator.ty),
                );
                continue;
            }
            let is_constant = declarator.ty.is_const || specifiers.is_constexpr;
            let value = declarator
                .single_value()
                .filter(|value| is_constant && !matches!(value.kind, ExprKind::List(_)))
                .map_or(String::new(), |value| format!(" = {}", self.value_text(value)));
            let ty = ty
                .strip_prefix("const ")
                .filter(|_| specifiers.is_constexpr)
                .unwrap_or(&ty);
            let head = format!("{words}{ty} {}{}", name.name, self.extents(&declarator.ty));
            let signature = without_pointer_space(&head) + &value;
            if !(name.name.starts_with("__ws_") || name.name.starts_with("__") && kind == SymbolKind::Field) {
                self.put(name, kind, signature, Self::of(&declarator.ty));
            }
            match &declarator.init {
                Some(ast::Initializer::Value(value)) => self.expr(value),
                Some(ast::Initializer::Constructor(values)) => {
                    for value in values {
                        self.expr(value);
                    }
                }
                None => {}
            }
        }
    }

    // ---- bodies

    fn block(&mut self, block: &Block) {
        block.stmts.iter().for_each(|stmt| self.stmt(stmt));
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Declaration(declaration) => self.declaration(declaration, SymbolKind::Local),
            StmtKind::Block(block) => self.block(block),
            StmtKind::If {
                cond,
                then,
                otherwise,
                ..
            } => {
                self.expr(cond);
                self.stmt(then);
                if let Some(stmt) = otherwise {
                    self.stmt(stmt);
                }
            }
            StmtKind::While { body, .. } | StmtKind::DoWhile { body, .. } | StmtKind::Switch { body, .. } => {
                self.stmt(body);
            }
            StmtKind::For {
                init,
                cond,
                step,
                body,
                ..
            } => {
                if let Some(stmt) = init {
                    self.stmt(stmt);
                }
                cond.iter().chain(step).for_each(|expr| self.expr(expr));
                self.stmt(body);
            }
            StmtKind::RangeFor {
                init,
                variable,
                range,
                body,
                ..
            } => {
                if let Some(stmt) = init {
                    self.stmt(stmt);
                }
                self.stmt(variable);
                self.expr(range);
                self.stmt(body);
            }
            StmtKind::Bindings(bindings) => {
                let names: Vec<&str> = bindings.names.iter().map(|name| &*name.name).collect();
                let signature = format!("{} [{}]", self.type_name(&bindings.ty), names.join(", "));
                for name in &bindings.names {
                    self.put(name, SymbolKind::Local, signature.clone(), None);
                }
                bindings.value.iter().for_each(|value| self.expr(value));
            }
            StmtKind::Label(name) => {
                let idx = self.put(name, SymbolKind::Label, format!("{}:", name.name), None);
                if let Some(place) = self.index.symbols[idx].place.clone() {
                    let enclosing = self
                        .index
                        .symbols
                        .iter()
                        .filter(|symbol| symbol.scope.contains(&place.start))
                        .filter(|symbol| matches!(symbol.kind, SymbolKind::Kernel | SymbolKind::Function))
                        .map(|symbol| symbol.scope.clone())
                        .next_back();
                    self.index.symbols[idx].scope = enclosing.unwrap_or(0..self.text.len());
                }
            }
            StmtKind::Expr(expr) | StmtKind::Return(Some(expr)) => self.expr(expr),
            StmtKind::NamespaceAlias(from, to) => self.alias(from, to),
            StmtKind::UsingNamespace(name) => self.index.usings.push(name.clone()),
            StmtKind::UsingName(path) => self.using_name(path),
            StmtKind::Error(names) => {
                for name in names {
                    if let Some(place) = self.place_of(name, &name.name) {
                        let start = self.text[..place.start]
                            .rfind(['\n', ';', '{', '}', '('])
                            .map_or(0, |at| at + 1);
                        let signature = self.text[start..place.end].trim().to_owned();
                        self.put(name, SymbolKind::Local, signature, None);
                    }
                }
            }
            _ => {}
        }
    }

    /// The lambdas of an expression.
    fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Lambda(lambda) => {
                let nothing = Ident {
                    name: self.owner.as_str().into(),
                    span: Span::default(),
                };
                let prefix = std::mem::take(&mut self.prefix);
                self.body(&lambda.function, &lambda.params, &nothing);
                self.prefix = prefix;
            }
            ExprKind::Call { args, .. } | ExprKind::Construct { args, .. } => {
                for arg in args {
                    self.expr(arg);
                }
            }
            ExprKind::MethodCall { base, args, .. } => {
                self.expr(base);
                for arg in args {
                    self.expr(arg);
                }
            }
            ExprKind::Assign { rhs, .. } => self.expr(rhs),
            _ => {}
        }
    }

    // ---- macros

    fn macros(&mut self) {
        let all = tokens(self.text);
        for line in all.split(|token| token.kind == TokenKind::Newline) {
            let line: Vec<_> = line
                .iter()
                .filter(|token| token.kind != TokenKind::Comment)
                .collect();
            let [hash, word, name, rest @ ..] = line.as_slice() else {
                continue;
            };
            if hash.text(self.text) != "#"
                || word.text(self.text) != "define"
                || name.kind != TokenKind::Ident
            {
                continue;
            }
            let end = rest.last().map_or(name.end, |token| token.end) as usize;
            let place = name.start as usize..name.end as usize;
            let name = name.text(self.text).to_owned();
            self.index.symbols.push(Symbol {
                path: name.clone(),
                name,
                kind: SymbolKind::Macro,
                signature: one_line(&self.text[hash.start as usize..end].replace("\\\n", " ")),
                place: Some(place),
                header: None,
                scope: 0..usize::MAX,
                owner: String::new(),
                of: None,
            });
        }
    }
}

/// A declaration without a space between `*` and the name.
fn without_pointer_space(text: &str) -> String {
    text.replace("* ", "*")
        .replace("& ", "&")
        .replace("*const", "*const ")
        .replace("__restrict__", "__restrict__ ")
        .replace("  ", " ")
}

/// The pointee type of a pointer type of the checker.
pub(super) fn pointee(ty: &Type) -> Option<Type> {
    match ty {
        Type::Pointer(pointer) => {
            let Pointer { pointee, .. } = &**pointer;
            Some(pointee.clone())
        }
        Type::Array(elem, _) => Some((**elem).clone()),
        _ => None,
    }
}
