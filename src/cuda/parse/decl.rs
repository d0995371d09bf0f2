//! Declarations: specifiers, types, declarators, structs, enums.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::{MAX_DEPTH, Parsed, Parser, describe, is_reserved};
use crate::ast::{
    BaseType, CONSTRUCTOR, CONVERSION, DESTRUCTOR, Declaration, Declarator, Derived, EnumDef, Ident,
    Initializer, Item, Member, Name, ReferenceType, Specifiers, StructDef, TemplateArg, TypeName,
};
use crate::diagnostic::Diagnostic;
use crate::hir::Type;
use crate::preprocess::Kind;
use crate::source::join;
use crate::types::{SCALAR_WORDS, builtin_type, scalar_of_words};
use engine::ids::Span;
use engine::isa::ImageShape;

/// Maximum number of `*`, `&`, and `[]` in one declaration; typedefs can add further levels.
const MAX_STEPS: usize = 16;

/// Specifiers that this compiler accepts and ignores.
const IGNORED_WORDS: [&str; 8] = [
    "register",
    "__inline__",
    "inline",
    "__inline",
    "friend",
    "mutable",
    "virtual",
    "__grid_constant__",
];

/// The specifiers and base type of a declaration.
pub(super) struct Head {
    pub(super) specifiers: Specifiers,
    pub(super) ty: TypeName,
    pub(super) span: Span,
}

impl Parser {
    /// Whether a declaration starts here.
    pub(super) fn at_declaration(&self) -> bool {
        if self.at_type() {
            // `float(x)` and `float2{…}` are expressions.
            let is_nested = matches!(self.peek_at(2).kind, Kind::Punct("*" | "&")) && !self.has_several(1);
            let construct = self.peek_at(1).is("(") && !is_nested || self.peek_at(1).is("{");
            let is_declaration = !construct && !self.starts_with_instance();
            return is_declaration || matches!(&*self.peek().text, "struct" | "class" | "union" | "enum");
        }
        let tok = self.peek();
        if tok.kind != Kind::Ident {
            return false;
        }
        is_specifier(&tok.text)
            || matches!(&*tok.text, "decltype" | "__typeof__" | "typeof")
            || self.looks_like_unknown_type()
    }

    /// Whether the parentheses that open at `ahead` contain several values, so that they are not a declarator.
    fn has_several(&self, ahead: usize) -> bool {
        let mut depth = 0u32;
        for ahead in ahead.. {
            match self.peek_at(ahead).kind {
                Kind::Punct("(" | "[" | "{") => depth += 1,
                Kind::Punct(")" | "]" | "}") if depth <= 1 => return false,
                Kind::Punct(")" | "]" | "}") => depth -= 1,
                Kind::Punct(",") if depth == 1 => return true,
                Kind::Punct(";") | Kind::End => return false,
                _ => {}
            }
        }
        false
    }

    /// Whether an expression starts here that names a member of an instance, `name<args>::member`, or creates an
    /// object: `name<args>()(…)`.
    fn starts_with_instance(&self) -> bool {
        let mut ahead = 0;
        while self.peek_at(ahead).kind == Kind::Ident && self.peek_at(ahead + 1).is("::") {
            ahead += 2;
        }
        ahead += 1;
        if !self.peek_at(ahead).is("<") {
            return false;
        }
        let mut depth = 0u32;
        loop {
            match self.peek_at(ahead).kind {
                Kind::Punct("<" | "(") => depth += 1,
                Kind::Punct(">" | ")") => depth = depth.saturating_sub(1),
                Kind::Punct(">>") => depth = depth.saturating_sub(2),
                Kind::Punct(";" | "{" | "}") | Kind::End => return false,
                _ => {}
            }
            ahead += 1;
            if depth == 0 {
                break;
            }
        }
        let is_grouped = |ahead| matches!(self.peek_at(ahead).kind, Kind::Punct("*" | "&"));
        if self.peek_at(ahead).is("(") {
            return !is_grouped(ahead + 1);
        }
        if !self.peek_at(ahead).is("::") || self.peek_at(ahead + 1).kind != Kind::Ident {
            return false;
        }
        // A type precedes a name.
        let next = self.peek_at(ahead + 2);
        match next.kind {
            Kind::Ident | Kind::Punct("*" | "&" | "::") => false,
            Kind::Punct("(") => !is_grouped(ahead + 3),
            _ => true,
        }
    }

    /// `Name name`, where `Name` is not a known type: most likely misspelled or missing.
    fn looks_like_unknown_type(&self) -> bool {
        let (first, second, third) = (self.peek(), self.peek_at(1), self.peek_at(2));
        first.kind == Kind::Ident
            && !is_reserved(&first.text)
            && second.kind == Kind::Ident
            && !is_reserved(&second.text)
            && matches!(third.kind, Kind::Punct("=" | ";" | "," | "[" | "(" | ")" | "{"))
    }

    /// Specifiers and the base type, in any order.
    pub(super) fn head(&mut self) -> Parsed<Head> {
        self.head_after(Specifiers::default())
    }

    /// A declaration head whose first specifiers were already parsed.
    fn head_after(&mut self, mut specifiers: Specifiers) -> Parsed<Head> {
        let start = self.peek().span;
        let mut words: Vec<String> = Vec::new();
        let mut base = None;
        let (mut is_const, mut is_volatile) = (false, false);
        loop {
            let tok = self.peek().clone();
            if tok.is("[") && self.peek_at(1).is("[") {
                self.skip_balanced();
                continue;
            }
            if tok.kind != Kind::Ident {
                break;
            }
            let word = &*tok.text;
            let is_definition = matches!(base, Some(BaseType::Struct(_) | BaseType::Enum(_)));
            // The `;` of the struct is missing before the next declaration.
            if is_definition && self.starts_line() && is_specifier(word) && self.type_at(1) {
                break;
            }
            match word {
                "const" | "__const__" | "__const" => is_const = true,
                "volatile" | "__volatile__" => is_volatile = true,
                _ if SCALAR_WORDS.contains(&word) && base.is_none() => words.push(word.to_owned()),
                _ if is_specifier(word) => {
                    self.specifier(&mut specifiers)?;
                    continue;
                }
                _ if base.is_none() && words.is_empty() => {
                    base = Some(self.base_type()?);
                    continue;
                }
                _ => break,
            }
            self.next();
        }
        let span = self.span_from(start);
        // `constexpr` variables are const; the specifier does not matter for functions.
        specifiers.is_const = is_const;
        is_const |= specifiers.is_constexpr;
        let base = match base {
            Some(base) => base,
            None if words.is_empty() => {
                let found = describe(self.peek());
                let at = self.peek().span;
                return self.error(at, format!("Expected a type, not {found}."));
            }
            None => {
                let words: Vec<&str> = words.iter().map(String::as_str).collect();
                if let Some(ty) = scalar_of_words(&words) {
                    BaseType::Known(ty)
                } else {
                    let message = format!("`{}` is not a type.", words.join(" "));
                    return self.error(span, message);
                }
            }
        };
        let ty = TypeName {
            base,
            is_const,
            is_volatile,
            derived: Vec::new(),
            span,
        };
        Ok(Head { specifiers, ty, span })
    }

    /// A base type that is not a scalar keyword.
    fn base_type(&mut self) -> Parsed<BaseType> {
        self.check_scope()?;
        if let Some(what) = self.unsupported_type_scope() {
            let span = self.peek().span;
            return self.unsupported(span, what);
        }
        if self.peek_at(1).is("::") || self.at("::") {
            let name = self.path("of a type")?;
            return self.named_type(name);
        }
        let tok = self.next();
        match &*tok.text {
            "auto" => return Ok(BaseType::Auto),
            "struct" | "class" => return self.struct_type(false),
            "union" => return self.struct_type(true),
            "enum" => return self.enum_type(),
            "texture" if self.declared_type("texture").is_none() => return self.texture_type(false),
            "surface" if self.declared_type("surface").is_none() => return self.texture_type(true),
            "typename" => return self.base_type(),
            "decltype" | "__typeof__" | "typeof" => {
                self.expect("(", "before the operand of `decltype` or `typeof`")?;
                if self.peek().is_word("auto") && self.peek_at(1).is(")") {
                    self.next();
                    self.next();
                    return Ok(BaseType::Auto);
                }
                let value = self.outside_angles(Self::expression)?;
                self.expect(")", "after the operand of `decltype` or `typeof`")?;
                return Ok(match &*tok.text {
                    "decltype" => BaseType::Decltype(Box::new(value)),
                    _ => BaseType::TypeOf(Box::new(value)),
                });
            }
            _ => {}
        }
        if self.declared_type(&tok.text) == Some(true) {
            return self.named_type(Ident {
                name: tok.text,
                span: tok.span,
            });
        }
        if let Some(ty) = builtin_type(&tok.text) {
            return Ok(BaseType::Known(ty));
        }
        if tok.kind != Kind::Ident || is_reserved(&tok.text) {
            return self.error(tok.span, format!("Expected a type, not {}.", describe(&tok)));
        }
        // Not a known type: the checker looks the name up again and suggests another name.
        Ok(BaseType::Named(Ident {
            name: tok.text,
            span: tok.span,
        }))
    }

    fn named_type(&mut self, name: Ident) -> Parsed<BaseType> {
        if self.at("<") && self.is_template_name(&name.name) {
            let start = name.span;
            let args = self.template_args()?;
            let member = None;
            let mut base = BaseType::Instance { name, args, member };
            while self.at("::") && self.peek_at(1).kind == Kind::Ident {
                self.next();
                let is_template = self.accept_word("template");
                let path = self.path("of a member")?;
                // `Name<T>::function<int>(…)` is a call.
                let is_call = self.is_method_template(&path.name) && self.is_call_after_angles();
                let args = if self.at("<") && (is_template || self.is_template_name(&path.name)) && !is_call {
                    Some(self.template_args()?)
                } else {
                    None
                };
                base = match (base, args) {
                    (
                        BaseType::Instance {
                            name,
                            args,
                            member: None,
                        },
                        None,
                    ) => BaseType::Instance {
                        name,
                        args,
                        member: Some(path),
                    },
                    (base, args) => BaseType::Nested {
                        of: Box::new(TypeName {
                            base,
                            ..TypeName::known(Type::Void, self.span_from(start))
                        }),
                        name: path,
                        args,
                    },
                };
            }
            return Ok(base);
        }
        Ok(match builtin_type(&name.name) {
            Some(ty) if self.declared_type(&name.name) != Some(true) => BaseType::Known(ty),
            _ => BaseType::Named(name),
        })
    }

    /// `<T, dimensions, read mode>` after `texture`, or `<void, dimensions>` after `surface`.
    fn texture_type(&mut self, is_surface: bool) -> Parsed<BaseType> {
        self.expect("<", "after `texture` or `surface`")?;
        let elem = self.type_name()?;
        let (mut shape, mut reads_fractions) = (ImageShape::D1, false);
        if self.accept(",") {
            let tok = self.next();
            let word = tok
                .text
                .strip_prefix("cudaTextureType")
                .or_else(|| tok.text.strip_prefix("cudaSurfaceType"));
            shape = match word.unwrap_or(&tok.text) {
                "1" | "0x01" | "1D" => ImageShape::D1,
                "2" | "0x02" | "2D" => ImageShape::D2,
                "3" | "0x03" | "3D" => ImageShape::D3,
                "0xF1" | "1DLayered" => ImageShape::Layered1,
                "0xF2" | "2DLayered" => ImageShape::Layered2,
                "0x0C" | "Cubemap" => ImageShape::Cube,
                "0xFC" | "CubemapLayered" => ImageShape::LayeredCube,
                _ => {
                    let message = format!(
                        "Expected the number of dimensions, such as `2` or `cudaTextureType2D`, not {}.",
                        describe(&tok)
                    );
                    return self.error(tok.span, message);
                }
            };
        }
        if self.accept(",") {
            let tok = self.next();
            reads_fractions = match &*tok.text {
                "cudaReadModeElementType" => false,
                "cudaReadModeNormalizedFloat" => true,
                _ => {
                    let message = format!(
                        "Expected `cudaReadModeElementType` or `cudaReadModeNormalizedFloat`, not {}.",
                        describe(&tok)
                    );
                    return self.error(tok.span, message);
                }
            };
        }
        self.expect(">", "after the type of the texture or surface")?;
        Ok(BaseType::Texture(Box::new(ReferenceType {
            elem,
            shape,
            reads_fractions,
            is_surface,
        })))
    }

    pub(super) fn specifier(&mut self, specifiers: &mut Specifiers) -> Parsed<()> {
        let tok = self.next();
        match &*tok.text {
            "typedef" => specifiers.is_typedef = true,
            "static" => specifiers.is_static = true,
            "extern" => {
                specifiers.is_extern = true;
                if self.peek().kind == Kind::Str {
                    // `extern "C"` only affects linkage.
                    self.next();
                    specifiers.is_extern = false;
                }
            }
            "constexpr" | "consteval" => specifiers.is_constexpr = true,
            "__global__" => specifiers.global = Some(tok.span),
            "__device__" => specifiers.device = true,
            "__host__" => specifiers.host = true,
            "__constant__" => specifiers.constant = true,
            "__shared__" => specifiers.shared = Some(tok.span),
            "friend" => specifiers.is_friend = true,
            "__managed__" => specifiers.managed = true,
            "__noinline__" => specifiers.noinline = true,
            "__forceinline__" | "__forceinline" => specifiers.forceinline = true,
            "__launch_bounds__" => {
                self.expect("(", "after `__launch_bounds__`")?;
                let threads = self.assignment()?;
                let blocks = if self.accept(",") {
                    Some(self.assignment()?)
                } else {
                    None
                };
                if self.accept(",") {
                    // The number of blocks in a cluster: no supported chip has clusters.
                    self.assignment()?;
                }
                self.expect(")", "after the launch bounds")?;
                specifiers.launch_bounds = Some((threads, blocks));
            }
            "__align__" | "alignas" => {
                self.expect("(", "after the alignment specifier")?;
                specifiers.align = Some(self.assignment()?);
                self.expect(")", "after the alignment")?;
            }
            "__attribute__" => self.skip_balanced(),
            "explicit" => {
                specifiers.is_explicit = true;
                if self.at("(") {
                    self.skip_balanced();
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// A declarator: pointers, a name, and arrays, which derive the declared type from the base type. The name is
    /// `None` in an abstract declarator.
    pub(super) fn declarator(&mut self, base: &TypeName) -> Parsed<(Option<Ident>, TypeName)> {
        let mut derived = Vec::new();
        self.owner_args.clear();
        let name = self.declarator_steps(&mut derived, 0)?;
        if derived.len() > MAX_STEPS {
            let span = self.prev_span();
            return self.error(span, "This type has too many `*` and `[]`.");
        }
        let mut ty = base.clone();
        ty.derived.extend(derived);
        Ok((name, ty))
    }

    fn declarator_steps(&mut self, out: &mut Vec<Derived>, depth: u32) -> Parsed<Option<Ident>> {
        if depth > MAX_DEPTH / 4 {
            let span = self.peek().span;
            return self.error(span, "This declaration is nested too deeply.");
        }
        loop {
            let tok = self.peek().clone();
            match tok.kind {
                Kind::Punct("*") => {
                    self.next();
                    let (mut is_const, mut is_volatile, mut restrict) = (false, false, false);
                    loop {
                        match &*self.peek().text {
                            "const" => is_const = true,
                            "volatile" => is_volatile = true,
                            "__restrict__" | "__restrict" | "restrict" => restrict = true,
                            _ => break,
                        }
                        self.next();
                    }
                    out.push(Derived::Pointer {
                        is_const,
                        is_volatile,
                        restrict,
                    });
                }
                Kind::Punct("&") => {
                    self.next();
                    self.accept_word("__restrict__");
                    out.push(Derived::Reference);
                }
                Kind::Punct("&&") => {
                    self.next();
                    self.accept_word("__restrict__");
                    out.push(Derived::RvalueReference);
                }
                _ => break,
            }
        }
        while matches!(
            &*self.peek().text,
            "__device__" | "__host__" | "__forceinline__" | "__inline__" | "inline"
        ) {
            self.has_late_device |= self.next().is_word("__device__");
        }
        if self.takes_pack && self.accept("...") {
            self.has_pack = true;
        }
        let mut inner = Vec::new();
        let mut name = None;
        let opens_inner = self.at("(") && matches!(self.peek_at(1).kind, Kind::Punct("*" | "&"));
        if opens_inner {
            self.next();
            name = self.declarator_steps(&mut inner, depth + 1)?;
            self.expect(")", "in this declaration")?;
            if self.accept("(") {
                out.push(Derived::Function(self.parameters()?));
                self.accept_word("noexcept");
                // A reference to a function is equivalent to a pointer.
                for step in &mut inner {
                    if matches!(step, Derived::Reference) {
                        *step = Derived::Pointer {
                            is_const: true,
                            is_volatile: false,
                            restrict: false,
                        };
                    }
                }
            }
        } else if self.peek().kind == Kind::Ident && !is_reserved(&self.peek().text) {
            name = Some(self.declared_path()?);
        }
        let mut arrays = Vec::new();
        while self.at("[") && !self.peek_at(1).is("[") {
            self.next();
            let extent = if self.at("]") {
                None
            } else {
                Some(Box::new(self.conditional()?))
            };
            self.expect("]", "after the array's size")?;
            arrays.push(Derived::Array(extent));
        }
        while self.peek().is_word("__attribute__") || (self.at("[") && self.peek_at(1).is("[")) {
            self.accept_word("__attribute__");
            self.skip_balanced();
        }
        out.extend(arrays.into_iter().rev());
        out.extend(inner);
        Ok(name)
    }

    /// The declared name, which can be a member: `Name::member`, `Name<T>::operator+`. Template arguments of a struct
    /// are dropped, because they are the parameters of the enclosing template.
    fn declared_path(&mut self) -> Parsed<Ident> {
        let start = self.peek().span;
        let mut whole = String::new();
        loop {
            if !whole.is_empty() && self.peek().is_word("operator") {
                whole.push_str(&self.operator_name()?.name);
                break;
            }
            let part = self.ident("to declare")?;
            let is_std = whole.is_empty() && &*part.name == "std";
            if self.at("<") && self.is_member_after_angles() {
                self.read_owner_args();
            }
            if !is_std || !self.at("::") {
                whole.push_str(&part.name);
            }
            if !(self.at("::") && self.peek_at(1).kind == Kind::Ident) {
                break;
            }
            self.next();
            if !whole.is_empty() {
                whole.push_str("::");
            }
        }
        Ok(Ident {
            name: whole.into(),
            span: self.span_from(start),
        })
    }

    /// Whether `(` follows the template arguments that open here.
    fn is_call_after_angles(&mut self) -> bool {
        let start = self.pos;
        if self.at("<") {
            self.skip_angles();
        }
        let found = self.pos > start && self.at("(");
        self.pos = start;
        found
    }

    /// Parses the template arguments of the struct whose member is declared.
    fn read_owner_args(&mut self) {
        let (start, num_diagnostics) = (self.pos, self.diagnostics.len());
        let end = {
            self.skip_angles();
            std::mem::replace(&mut self.pos, start)
        };
        self.owner_args = self.template_args().unwrap_or_default();
        self.diagnostics.truncate(num_diagnostics);
        self.pos = end;
    }

    /// Whether `::` follows the template arguments that open here.
    fn is_member_after_angles(&mut self) -> bool {
        let start = self.pos;
        self.skip_angles();
        let found = self.at("::");
        self.pos = start;
        found
    }

    /// The head and the name of a constructor that is defined outside its struct: `Name::Name(`.
    pub(super) fn outer_constructor(&mut self) -> Parsed<Option<(Head, Ident)>> {
        let start = self.pos;
        let first = self.peek().span;
        let mut specifiers = Specifiers::default();
        while self.peek().kind == Kind::Ident && is_specifier(&self.peek().text) {
            self.specifier(&mut specifiers)?;
        }
        let mut path: Vec<Name> = Vec::new();
        while self.peek().kind == Kind::Ident && !is_reserved(&self.peek().text) {
            path.push(self.next().text);
            if self.at("<") {
                self.read_owner_args();
            }
            if !self.accept("::") {
                break;
            }
        }
        let is_destructor = !path.is_empty() && self.at("~") && path.last() == Some(&self.peek_at(1).text);
        if is_destructor {
            self.next();
            path.push(self.next().text);
        }
        let is_constructor = self.at("(") && path.len() > 1 && path[path.len() - 1] == path[path.len() - 2];
        if !is_constructor {
            self.pos = start;
            return Ok(None);
        }
        let span = self.prev_span();
        path.pop();
        let name = Ident {
            name: format!(
                "{}::{}",
                path.join("::"),
                if is_destructor { DESTRUCTOR } else { CONSTRUCTOR }
            )
            .into(),
            span,
        };
        let ty = TypeName::known(Type::Void, span);
        let span = self.span_from(first);
        Ok(Some((Head { specifiers, ty, span }, name)))
    }

    /// An abstract type, as in casts and `sizeof`.
    pub(super) fn type_name(&mut self) -> Parsed<TypeName> {
        let head = self.head()?;
        let (name, ty) = self.declarator(&head.ty)?;
        match name {
            Some(name) => self.error(
                name.span,
                format!("Expected `)` after the type, not `{}`.", name.name),
            ),
            None => Ok(TypeName {
                span: self.span_from(head.span),
                ..ty
            }),
        }
    }

    /// The declarators after a declaration head, through the `;`.
    pub(super) fn declarators(
        &mut self,
        head: Head,
        first: Option<(Ident, TypeName)>,
    ) -> Parsed<Declaration> {
        let declarators = self.declarators_of(&head, first)?;
        if let [before, minus, after] = &self.toks[self.pos - 1..(self.pos + 2).min(self.toks.len())]
            && minus.is("-")
            && before.kind == Kind::Ident
            && after.kind == Kind::Ident
        {
            let message = format!(
                "A name has letters, digits, and `_`: write `{}_{}`.",
                before.text, after.text
            );
            let span = before.span;
            return self.error(span, message);
        }
        self.expect_semicolon("the declaration")?;
        Ok(Declaration {
            specifiers: head.specifiers,
            ty: head.ty,
            declarators,
            span: self.span_from(head.span),
        })
    }

    /// The declarators after a declaration head, up to the `;`.
    pub(super) fn declarators_of(
        &mut self,
        head: &Head,
        first: Option<(Ident, TypeName)>,
    ) -> Parsed<Vec<Declarator>> {
        let mut declarators = Vec::new();
        let mut next = first;
        if next.is_some() || !self.at(";") {
            loop {
                let (name, mut ty) = match next.take() {
                    Some(first) => first,
                    // `int : 3;`
                    None if self.at(":") && self.num_structs > 0 => self.unnamed_declarator(&head.ty),
                    None => self.named_declarator(&head.ty)?,
                };
                if head.specifiers.is_typedef && self.accept("(") {
                    // `typedef float function(float);`
                    ty.derived.push(Derived::Function(self.parameters()?));
                }
                if head.specifiers.is_typedef {
                    self.declare_type(&name.name);
                } else {
                    self.declare_variable(&name.name);
                }
                let bits = if self.accept(":") {
                    Some(Box::new(self.conditional()?))
                } else {
                    None
                };
                let init = self.initializer()?;
                declarators.push(Declarator { name, ty, init, bits });
                if !self.accept(",") {
                    break;
                }
            }
        }
        split_shared_struct(&mut declarators);
        Ok(declarators)
    }

    /// The declarator of an unnamed bit-field.
    fn unnamed_declarator(&self, base: &TypeName) -> (Ident, TypeName) {
        let name = Ident {
            name: "".into(),
            span: self.peek().span,
        };
        (name, base.clone())
    }

    pub(super) fn named_declarator(&mut self, base: &TypeName) -> Parsed<(Ident, TypeName)> {
        let (name, ty) = self.declarator(base)?;
        Ok((self.declared_name(name)?, ty))
    }

    /// The name of a declarator that requires a name.
    pub(super) fn declared_name(&mut self, name: Option<Ident>) -> Parsed<Ident> {
        if let Some(name) = name {
            Ok(name)
        } else {
            let tok = self.peek().clone();
            let prev = self.toks[self.pos.saturating_sub(1)].clone();
            let message = if prev.is("]") && tok.kind == Kind::Ident {
                format!(
                    "The size of an array is written after its name: `{}[…]`.",
                    tok.text
                )
            } else if tok.is("(") && prev.kind == Kind::Ident && !self.is_type_name(&prev.text) {
                let message = format!(
                    "The function `{}` has no return type; write `void` or another type before it.",
                    prev.text
                );
                return self.error(prev.span, message);
            } else {
                self.not_a_name_message(&tok, "to declare")
            };
            self.error(tok.span, message)
        }
    }

    fn initializer(&mut self) -> Parsed<Option<Initializer>> {
        if self.accept("=") {
            let value = if self.at("{") {
                self.list()?
            } else {
                self.assignment()?
            };
            return Ok(Some(Initializer::Value(value)));
        }
        if self.at("{") {
            return Ok(Some(Initializer::Value(self.list()?)));
        }
        if self.accept("(") {
            let args = self.arguments()?;
            return Ok(Some(Initializer::Constructor(args)));
        }
        Ok(None)
    }

    fn struct_type(&mut self, is_union: bool) -> Parsed<BaseType> {
        let is_class = self.toks[self.pos.saturating_sub(1)].is_word("class");
        let mut align = None;
        loop {
            if self.at("[") && self.peek_at(1).is("[") {
                self.skip_balanced();
                continue;
            }
            if !matches!(
                &*self.peek().text,
                "__align__" | "alignas" | "__attribute__" | "__builtin_align__"
            ) {
                break;
            }
            let mut specifiers = Specifiers::default();
            self.specifier(&mut specifiers)?;
            align = specifiers.align.or(align);
        }
        let name = if self.peek().kind == Kind::Ident {
            Some(if self.peek_at(1).is("::") {
                self.path("of a struct")?
            } else {
                self.ident("of a struct")?
            })
        } else {
            None
        };
        if let Some(name) = &name {
            self.declare_type(&name.name);
        }
        let args = match &name {
            Some(_) if self.at("<") => self.template_args()?,
            _ => Vec::new(),
        };
        let num_diagnostics = self.diagnostics.len();
        if matches!(self.peek_at(1).kind, Kind::Punct("{" | ":")) {
            self.accept_word("final");
        }
        let mut bases = Vec::new();
        let mut unsupported = false;
        if self.at(":") {
            match self.base_classes() {
                Ok(types) => bases = types,
                Err(reported) => {
                    while !self.at("{") && !self.at(";") && !self.at_end() {
                        self.next();
                    }
                    if !self.at("{") {
                        return Err(reported);
                    }
                    unsupported = true;
                }
            }
        }
        if !self.at("{") {
            return match name {
                Some(name) if !args.is_empty() => Ok(BaseType::Instance {
                    name,
                    args,
                    member: None,
                }),
                Some(name) => Ok(BaseType::Elaborated(name)),
                None => {
                    let span = self.peek().span;
                    self.error(span, "Expected a name or `{` after `struct`.")
                }
            };
        }
        self.next();
        self.enter_nesting()?;
        let start = self.pos;
        let result = self.struct_scope(name.as_ref(), unsupported, is_class);
        self.depth -= 1;
        let (members, unsupported) = result?;
        // Access through friends is not modeled.
        let has_friends = self.toks[start..self.pos].iter().any(|tok| tok.is_word("friend"));
        let private = std::mem::take(&mut self.private_members);
        let private = if has_friends { Vec::new() } else { private };
        let used = self.names_used(start, self.pos);
        let is_of_host = !self.has_device_word(start, self.pos);
        let deferred = if unsupported && is_of_host && name.is_some() {
            self.diagnostics
                .split_off(num_diagnostics.min(self.diagnostics.len()))
        } else {
            Vec::new()
        };
        if unsupported && name.is_some() {
            self.mark_contained(num_diagnostics);
        }
        Ok(BaseType::Struct(Arc::new(StructDef {
            name,
            args,
            bases,
            used,
            members,
            align,
            is_union,
            is_forward: false,
            private,
            unsupported,
            deferred,
            is_of_host,
        })))
    }

    /// The last names of `using Base::name;` and `using Bases::name...;` in a token range.
    fn names_used(&self, start: usize, end: usize) -> Vec<Name> {
        let statements =
            self.toks[start..end].split(|tok| matches!(tok.kind, Kind::Punct(";" | "{" | "}" | ":")));
        let names = statements.filter_map(|toks| {
            let (first, path) = toks.split_first()?;
            let last = path.iter().rposition(|tok| tok.is("::"))?;
            let name = path[last + 1..].iter().filter(|tok| !tok.is("..."));
            let is_alias = path.iter().any(|tok| tok.is("="));
            let has_name = first.is_word("using") && !is_alias;
            has_name.then(|| name.map(|tok| &*tok.text).collect::<String>().into())
        });
        names.collect()
    }

    /// `: public Base, Other`, from the colon.
    fn base_classes(&mut self) -> Parsed<Vec<TemplateArg>> {
        self.next();
        let mut bases = Vec::new();
        loop {
            while matches!(&*self.peek().text, "public" | "private" | "protected" | "virtual") {
                let tok = self.next();
                if tok.is_word("virtual") {
                    return self.unsupported(tok.span, "Virtual base classes");
                }
            }
            let base = TemplateArg::Type(self.head()?.ty);
            bases.push(if self.accept("...") {
                TemplateArg::Expansion(Box::new(base))
            } else {
                base
            });
            if !self.accept(",") {
                return Ok(bases);
            }
        }
    }

    /// The members of a struct. The types of the struct are visible inside, and outside as `Name::type`.
    fn struct_scope(
        &mut self,
        name: Option<&Ident>,
        unsupported: bool,
        is_class: bool,
    ) -> Parsed<(Vec<Member>, bool)> {
        let num_scopes = self.types.len();
        self.types.push(BTreeMap::new());
        self.num_structs += 1;
        let result = self.struct_body(name, unsupported, is_class);
        self.num_structs -= 1;
        let inner = self.types.get(num_scopes).cloned().unwrap_or_default();
        self.types.truncate(num_scopes);
        if let Some(name) = name {
            for (own, is_type) in inner {
                if is_type {
                    if self.templates.contains(&own) {
                        let whole = self.declared_here_at_root(&format!("{}::{own}", name.name));
                        self.templates.insert(whole);
                    }
                    self.declare_type(&format!("{}::{own}", name.name).into());
                }
            }
        }
        result
    }

    /// The members, and whether any of them has an error.
    fn struct_body(
        &mut self,
        name: Option<&Ident>,
        mut unsupported: bool,
        mut is_private: bool,
    ) -> Parsed<(Vec<Member>, bool)> {
        let mut members = Vec::new();
        let mut private = Vec::new();
        while !self.at("}") && !self.at_end() {
            let access = matches!(&*self.peek().text, "public" | "private" | "protected");
            if access && self.peek_at(1).is(":") {
                is_private = self.next().is_word("private");
                self.next();
                continue;
            }
            if self.accept(";") {
                continue;
            }
            let (before, num_diagnostics) = (self.pos, self.diagnostics.len());
            let num_members = members.len();
            if self.member(name, &mut members).is_err() {
                let here = self.pos;
                self.pos = before;
                if let Some(host) = self.skip_host_member() {
                    self.diagnostics.truncate(num_diagnostics);
                    members.push(Member::Host(host));
                } else {
                    self.pos = here;
                    unsupported = true;
                    self.skip_statement();
                }
            }
            if is_private {
                private.extend(members[num_members..].iter().flat_map(names_of_member));
            }
            if self.pos == before {
                self.next();
            }
        }
        self.expect("}", "after the members")?;
        self.private_members = private;
        Ok((members, unsupported))
    }

    /// Skips a host function in a struct, from its start. Returns `None` for anything else, and for a virtual
    /// function, which changes the layout of the objects.
    fn skip_host_member(&mut self) -> Option<Ident> {
        let start = self.pos;
        let mut name = None;
        for ahead in 0.. {
            let (tok, next) = (self.peek_at(ahead), self.peek_at(ahead + 1));
            match tok.kind {
                // `static_assert(…)`, `alignas(…)`: not functions.
                _ if matches!(&*tok.text, "static_assert" | "_Static_assert" | "alignas") => return None,
                Kind::Ident if next.is("(") || tok.is_word("operator") => {
                    name = Some(Ident {
                        name: tok.text.clone(),
                        span: tok.span,
                    });
                    break;
                }
                Kind::End | Kind::Punct(";" | "{" | "=" | "}") => return None,
                _ if tok.is_word("virtual") => return None,
                _ => {}
            }
        }
        self.skip_declaration();
        if self.has_device_word(start, self.pos) {
            return None;
        }
        name
    }

    fn member(&mut self, owner: Option<&Ident>, members: &mut Vec<Member>) -> Parsed<()> {
        let tok = self.peek().clone();
        match &*tok.text {
            "static_assert" | "_Static_assert" => {
                members.push(Member::StaticAssert(self.static_assert()?));
                return Ok(());
            }
            "template" => {
                let template = self.member_template(owner)?;
                members.extend(template);
                return Ok(());
            }
            "using" => {
                self.next();
                if self.accept_word("enum") {
                    let name = self.using_enum()?;
                    members.push(Member::Item(Item::UsingEnum(name)));
                } else if self.peek_at(1).is("=") {
                    members.push(Member::Declaration(self.using_alias(tok.span)?));
                } else {
                    // `using Base::member;`: the member is visible in any case.
                    self.skip_statement();
                }
                return Ok(());
            }
            "friend" if matches!(&*self.peek_at(1).text, "class" | "struct") => {
                self.skip_statement();
                return Ok(());
            }
            _ => {}
        }
        members.push(match self.function_or_fields(owner)? {
            Member::Function(function) if function.specifiers.is_friend => Member::Friend(function),
            member => member,
        });
        Ok(())
    }

    /// A member function, a constructor, or fields.
    pub(super) fn function_or_fields(&mut self, owner: Option<&Ident>) -> Parsed<Member> {
        let start = self.peek().span;
        let mut specifiers = Specifiers::default();
        while self.peek().kind == Kind::Ident && is_specifier(&self.peek().text) {
            let word = self.peek().clone();
            if word.is_word("virtual") {
                return self.unsupported(word.span, "Virtual functions");
            }
            self.specifier(&mut specifiers)?;
        }
        let tok = self.peek().clone();
        if tok.is("~") {
            return self.destructor(specifiers, start);
        }
        let is_owner = owner.is_some_and(|owner| owner.name == tok.text);
        if is_owner && self.peek_at(1).is("(") {
            self.next();
            let name = Ident {
                name: CONSTRUCTOR.into(),
                span: tok.span,
            };
            let nothing = TypeName::known(Type::Void, tok.span);
            let head = Head {
                specifiers,
                ty: nothing.clone(),
                span: start,
            };
            return self.member_function(head, name, nothing);
        }
        if tok.is_word("operator") {
            return self.conversion(specifiers, start);
        }
        let mut head = self.head_after(specifiers)?;
        head.span = self.span_from(start);
        if self.at(";") || self.at(":") {
            return Ok(Member::Declaration(self.declarators(head, None)?));
        }
        let (name, ty) = self.item_declarator(&head.ty)?;
        let is_function = is_void(&ty) || name.name.starts_with("operator") || self.opens_parameters();
        if self.at("(") && is_function {
            return self.member_function(head, name, ty);
        }
        Ok(Member::Declaration(self.declarators(head, Some((name, ty)))?))
    }

    /// `operator type()`, from `operator`.
    fn conversion(&mut self, specifiers: Specifiers, start: Span) -> Parsed<Member> {
        let first = self.next().span;
        // Compare tokens, because all code of a header has the span of its directive.
        let start_of_type = self.pos;
        let ty = self.type_name()?;
        let words: Vec<&str> = (self.toks[start_of_type..self.pos].iter())
            .map(|tok| &*tok.text)
            .collect();
        let name = Ident {
            name: format!("{CONVERSION}{}", words.join(" ")).into(),
            span: self.span_from(first),
        };
        let head = Head {
            specifiers,
            ty: ty.clone(),
            span: self.span_from(start),
        };
        self.member_function(head, name, ty)
    }

    fn member_function(&mut self, head: Head, name: Ident, ret: TypeName) -> Parsed<Member> {
        if head.specifiers.global.is_some() {
            let message = format!(
                "A kernel cannot be a member of a struct; declare `{}` outside.",
                name.name
            );
            let span = name.span;
            self.diagnostics.push(Diagnostic::error(span, message));
        }
        let of_device = head.specifiers.device || head.specifiers.is_constexpr;
        let start = self.pos;
        if !of_device && !self.is_defaulted_ahead() {
            self.skip_declaration();
            return Ok(Member::Host(name));
        }
        debug_assert!(self.pos == start, "only looked ahead");
        Ok(Member::Function(Arc::new(self.function(head, name, ret)?)))
    }

    /// Whether `= default` follows the parameters that open here.
    fn is_defaulted_ahead(&self) -> bool {
        let mut depth = 0u32;
        for ahead in 0.. {
            let tok = self.peek_at(ahead);
            match tok.kind {
                Kind::Punct("(") => depth += 1,
                Kind::Punct(")") => depth = depth.saturating_sub(1),
                Kind::Punct("=") if depth == 0 => {
                    return matches!(&*self.peek_at(ahead + 1).text, "default" | "delete");
                }
                Kind::End | Kind::Punct(";" | "{" | "}") if depth == 0 => return false,
                Kind::End => return false,
                _ => {}
            }
        }
        false
    }

    /// `~Name() { … }`. An empty or host-only destructor is ignored.
    fn destructor(&mut self, specifiers: Specifiers, start: Span) -> Parsed<Member> {
        let tok = self.next();
        let name = self.ident("of a destructor")?;
        let before = self.pos;
        self.skip_balanced();
        while self.peek().kind == Kind::Ident {
            self.next();
        }
        let is_trivial = self.at("=") || (self.at("{") && self.peek_at(1).is("}"));
        if is_trivial || !(specifiers.device || specifiers.is_constexpr) {
            self.skip_declaration();
            return Ok(Member::Host(name));
        }
        self.pos = before;
        let nothing = TypeName::known(Type::Void, tok.span);
        let head = Head {
            specifiers,
            ty: nothing.clone(),
            span: start,
        };
        let name = Ident {
            name: DESTRUCTOR.into(),
            span: join(tok.span, name.span),
        };
        Ok(Member::Function(Arc::new(self.function(head, name, nothing)?)))
    }

    fn enum_type(&mut self) -> Parsed<BaseType> {
        let is_class = self.accept_word("class") || self.accept_word("struct");
        let name = if self.peek().kind == Kind::Ident {
            Some(self.ident("of an enum")?)
        } else {
            None
        };
        if let Some(name) = &name {
            self.declare_type(&name.name);
        }
        let underlying = if self.accept(":") {
            Some(self.head()?.ty)
        } else {
            None
        };
        if !self.at("{") {
            return if let Some(name) = name {
                Ok(BaseType::Named(name))
            } else {
                let span = self.peek().span;
                self.error(span, "Expected a name or `{` after `enum`.")
            };
        }
        self.next();
        let mut values = Vec::new();
        while !self.at("}") && !self.at_end() {
            let value_name = self.ident("in this enum")?;
            let value = if self.accept("=") {
                Some(self.conditional()?)
            } else {
                None
            };
            values.push((value_name, value));
            if !self.accept(",") {
                break;
            }
        }
        self.expect("}", "after the names of the enum")?;
        Ok(BaseType::Enum(Box::new(EnumDef {
            name,
            is_class,
            underlying,
            values,
        })))
    }

    /// `using Name = type;`, after `using`.
    pub(super) fn using_alias(&mut self, start: Span) -> Parsed<Declaration> {
        let name = self.ident("after `using`")?;
        self.expect("=", "after the new name")?;
        let ty = self.type_name()?;
        self.expect_semicolon("the declaration")?;
        self.declare_type(&name.name);
        Ok(Declaration {
            specifiers: Specifiers {
                is_typedef: true,
                ..Specifiers::default()
            },
            ty: ty.clone(),
            declarators: vec![Declarator {
                name,
                ty,
                init: None,
                bits: None,
            }],
            span: self.span_from(start),
        })
    }

    /// Reports a word that resembles a CUDA keyword.
    pub(super) fn check_specifier_spelling(&mut self) {
        const WORDS: [&str; 7] = [
            "__global__",
            "__device__",
            "__shared__",
            "__constant__",
            "__host__",
            "__forceinline__",
            "__noinline__",
        ];
        let tok = self.peek().clone();
        let suspicious = tok.kind == Kind::Ident
            && (tok.text.starts_with('_')
                || tok.text.ends_with("__")
                || (WORDS.iter().any(|w| w.trim_matches('_') == &*tok.text) || tok.is_word("kernel"))
                    && self.peek_at(1).kind == Kind::Ident);
        if !suspicious || is_specifier(&tok.text) {
            return;
        }
        let without_underscores = tok.text.trim_matches('_');
        let exact = WORDS
            .into_iter()
            .find(|word| word.trim_matches('_') == without_underscores);
        // An OpenCL keyword.
        let exact = exact.or((without_underscores == "kernel").then_some("__global__"));
        if let Some(near) = exact.or_else(|| crate::check::nearest(&tok.text, WORDS)) {
            let message = format!(
                "`{}` is not a keyword of CUDA C++; did you mean `{near}`?",
                tok.text
            );
            self.diagnostics
                .push(Diagnostic::error(tok.span, message).fix(near));
            self.next();
        }
    }
}

/// The variables and functions that a member declares.
fn names_of_member(member: &Member) -> Vec<Name> {
    match member {
        Member::Declaration(declaration) => {
            let declarators = declaration.declarators.iter();
            declarators
                .map(|declarator| declarator.name.name.clone())
                .collect()
        }
        Member::Function(function) => vec![function.name.name.clone()],
        _ => Vec::new(),
    }
}

/// Whether a word is a specifier that can precede the type of a declaration.
pub(super) fn is_specifier(word: &str) -> bool {
    IGNORED_WORDS.contains(&word)
        || matches!(
            word,
            "typedef"
                | "explicit"
                | "static"
                | "extern"
                | "constexpr"
                | "consteval"
                | "__global__"
                | "__device__"
                | "__host__"
                | "__constant__"
                | "__shared__"
                | "__managed__"
                | "__noinline__"
                | "__forceinline__"
                | "__forceinline"
                | "__launch_bounds__"
                | "__align__"
                | "alignas"
                | "__attribute__"
        )
}

/// Whether a parameter is `void` alone, as in `f(void)`.
pub(super) fn is_void(ty: &TypeName) -> bool {
    matches!(ty.base, BaseType::Known(Type::Void)) && ty.derived.is_empty()
}

/// Splits `struct { … } a, *b;`: the first declarator defines the struct, the others name it.
fn split_shared_struct(declarators: &mut [Declarator]) {
    let [first, others @ ..] = declarators else { return };
    if others.is_empty() {
        return;
    }
    // An unnamed type gets a name that no source can write.
    let unnamed = Ident {
        name: format!("(unnamed {})", first.name.name).into(),
        span: first.ty.span,
    };
    let name = match &mut first.ty.base {
        BaseType::Struct(def) => {
            if let Some(name) = &def.name {
                name.clone()
            } else {
                Arc::make_mut(def).name = Some(unnamed.clone());
                unnamed
            }
        }
        BaseType::Enum(def) => def.name.get_or_insert(unnamed).clone(),
        _ => return,
    };
    for other in others {
        other.ty.base = BaseType::Named(name.clone());
    }
}
