//! Declarations at file scope, and members of structs.

use super::*;

impl Parser {
    pub(in crate::host) fn tree(mut self) -> Tree {
        while !self.at_end() {
            let from = self.pos;
            if self.item(&[]).is_err() {
                self.reset_to((from, 0));
                self.skip_statement();
            }
            if self.pos == from {
                self.next();
            }
        }
        self.tree
    }

    pub(super) fn item(&mut self, templates: &[TemplateParameter]) -> Read<()> {
        if self.take(";") {
            return Ok(());
        }
        if self.take("}") {
            self.spaces.pop();
            return Ok(());
        }
        if self.take_word("extern") {
            if self.peek().kind == Kind::Str {
                self.next();
                if self.take("{") {
                    self.spaces.push(String::new());
                    return Ok(());
                }
            }
            return self.nested(|this| this.item(templates));
        }
        // The names of an inline namespace belong to the enclosing namespace.
        let is_inline = self.at_word("inline") && self.peek_at(1).is_word("namespace");
        if is_inline {
            self.next();
        }
        if self.take_word("namespace") {
            let mut space = String::new();
            while !self.at("{") && !self.at(";") && !self.at_end() {
                space += &self.peek().text;
                self.next();
            }
            if self.take("{") {
                self.spaces.push(if is_inline { String::new() } else { space });
            } else {
                self.next();
            }
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
                self.skip_statement(); // An explicit instantiation.
                return Ok(());
            }
            let params = self.template_parameters()?;
            return self.nested(|this| this.item(&params));
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

    pub(super) fn template_parameters(&mut self) -> Read<Vec<TemplateParameter>> {
        self.expect("<")?;
        let mut params = Vec::new();
        let outer = std::mem::replace(&mut self.in_angles, true);
        while !self.at_close_angle() {
            if self.at_word("template") {
                // `template <class> class C`
                self.next();
                self.nested(Self::template_parameters)?;
            }
            let is_type = self.at_word("typename") || self.at_word("class");
            let (name, is_pack) = if is_type {
                self.next();
                let is_pack = self.take("...");
                (self.attempt(Self::ident), is_pack)
            } else {
                let base = self.type_specifier()?;
                let from = self.position();
                let is_pointer = self.declarator(base.clone());
                // `int (*f)(int)`, `int f(int)`
                match is_pointer {
                    Ok((Some(name), _)) if self.at(",") || self.at("=") || self.at_close_angle() => {
                        (Some(self.tree.names[name as usize].clone()), false)
                    }
                    Ok((Some(name), _)) if self.at("(") => {
                        self.skip_group();
                        (Some(self.tree.names[name as usize].clone()), false)
                    }
                    _ => {
                        self.reset_to(from);
                        self.pointers(base);
                        if self.at("(") {
                            self.skip_group();
                        }
                        if self.at("(") {
                            self.skip_group();
                        }
                        let is_pack = self.take("...");
                        (self.attempt(Self::ident), is_pack)
                    }
                }
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
            params.push(TemplateParameter {
                is_pack,
                name,
                default,
            });
            if !self.take(",") {
                break;
            }
        }
        self.in_angles = outer;
        self.close_angle()?;
        Ok(params)
    }

    /// A struct, union, or enum, optionally with declarators.
    pub(super) fn record(&mut self, templates: &[TemplateParameter], is_typedef: bool) -> Read<()> {
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
                return Ok(()); // A forward declaration.
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
            let spaces = self.spaces.iter().filter(|space| !space.is_empty());
            let space = spaces.cloned().collect::<Vec<_>>().join("::");
            self.spaces.push(self.tree.names[tag as usize].clone());
            let record = self.members(tag, templates, word == "union", is_opaque);
            self.spaces.pop();
            let record = Struct { space, ..record? };
            self.tree.structs.push((tag, record));
        }
        // Variables, or type aliases.
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
                self.tree.globals.push((declarator, DeclaredSpace::Host));
            }
            if !self.take(",") {
                break;
            }
        }
        self.take(";");
        Ok(())
    }

    pub(super) fn members(
        &mut self,
        tag: Name,
        templates: &[TemplateParameter],
        is_union: bool,
        is_opaque: bool,
    ) -> Read<Struct> {
        self.expect("{")?;
        let mut record = Struct {
            space: String::new(),
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
                self.reset_to(from);
                // A skipped function does not change the layout; a skipped data member can.
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

    pub(super) fn member(&mut self, tag: Name, record: &mut Struct) -> Read<()> {
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
                () => self.nested(|this| this.item(&[])),
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
        let tag_text = self.tree.names[tag as usize].clone();
        if self.at_word(&tag_text) && self.peek_at(1).is("(") {
            let constructor = self.constructor(tag, templates, line)?;
            record.methods.push(Rc::new(constructor));
            return Ok(());
        }
        let base = self.type_specifier()?;
        loop {
            let is_call = self.at_word("operator") && self.peek_at(1).is("(") && self.peek_at(2).is(")");
            if self.at_word("operator") && !is_call {
                self.skip_statement();
                return Ok(());
            }
            let (name, ty) = if is_call {
                for _ in 0..3 {
                    self.next();
                }
                (self.name("operator()"), base.clone())
            } else {
                let (name, ty) = self.declarator(base.clone())?;
                (name.ok_or(Unread)?, ty)
            };
            if self.at("(") {
                let params = self.parameters()?;
                while self.take_word("const") || self.take_word("noexcept") || self.take_word("override") {}
                let body = self.body_of_function()?;
                record.methods.push(Rc::new(Function {
                    name,
                    space: String::new(),
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
                self.tree.globals.push((field, DeclaredSpace::Host));
            } else {
                record.fields.push(field);
            }
            if !self.take(",") {
                break;
            }
        }
        self.expect(";")
    }

    /// A constructor of the struct `tag`, from its name on.
    fn constructor(&mut self, tag: Name, templates: Vec<TemplateParameter>, line: u32) -> Read<Function> {
        self.next();
        let params = self.parameters()?;
        let _ = self.take_word("noexcept");
        let inits = self.member_initializers()?;
        let body = self.body_of_function()?;
        Ok(Function {
            name: tag,
            space: String::new(),
            templates,
            params,
            ret: TypeExpr::Void,
            body,
            inits,
            is_kernel: false,
            writes: Vec::new(),
            line,
        })
    }

    /// The member initializers of a constructor: `: a(1), b{2}`.
    fn member_initializers(&mut self) -> Read<Vec<(Name, Vec<Expr>)>> {
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
        Ok(inits)
    }

    /// The body of a function; `None` for a declaration without a body, which is skipped.
    fn body_of_function(&mut self) -> Read<Option<Stmt>> {
        if self.at("{") {
            return self.block().map(Some);
        }
        self.skip_statement();
        Ok(None)
    }

    /// Skips specifiers. Returns whether one makes the declaration a kernel, and whether one makes it device code.
    pub(super) fn specifiers(&mut self, is_static: &mut bool) -> (bool, bool) {
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

    pub(super) fn declaration_or_function(&mut self, templates: &[TemplateParameter]) -> Read<()> {
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
                    self.next(); // `noexcept`, `const`.
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
                let spaces = self.spaces.iter().filter(|space| is_kernel && !space.is_empty());
                let space = spaces.cloned().collect::<Vec<_>>().join("::");
                self.tree.functions.push(Rc::new(Function {
                    name,
                    space,
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
            let declared_space = match (is_of_device, self.is_constant) {
                (false, _) => DeclaredSpace::Host,
                (true, false) => DeclaredSpace::Device,
                (true, true) => DeclaredSpace::Constant,
            };
            self.tree.globals.push((declarator, declared_space));
            if !self.take(",") {
                break;
            }
        }
        self.expect(";")
    }

    /// Whether these parentheses at file scope contain values instead of parameters.
    pub(super) fn at_constructor_arguments(&mut self) -> bool {
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
        self.reset_to(from);
        is_value
    }

    /// Whether the body of a kernel can write through a pointer: it uses the pointer for anything other than reading
    /// elements.
    pub(super) fn is_written(&self, param: &Parameter, from: usize, to: usize) -> bool {
        let (Some(name), TypeExpr::Pointer { is_const, .. }) = (param.name, &param.ty) else {
            return false;
        };
        let name = &self.tree.names[name as usize];
        if *is_const {
            return false;
        }
        if from == to {
            return true; // A declaration without a body.
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

    /// Whether the `&` at a position has a left operand.
    pub(super) fn is_binary_and(&self, at: usize) -> bool {
        let before = &self.toks[at - 1];
        self.toks[at].is("&")
            && (before.is(")") || before.is("]") || matches!(before.kind, Kind::Ident | Kind::Number))
    }

    pub(super) fn parameters(&mut self) -> Read<Vec<Parameter>> {
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
            // Arrays and functions decay to pointers.
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
}
