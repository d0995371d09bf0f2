//! Declarations: specifiers, types, declarators, structs, enums.

mod declarators;
mod specifiers;
mod structs;

use std::collections::BTreeMap;
use std::sync::Arc;

use super::{MAX_DEPTH, MAX_PATH, Parsed, Parser, describe, is_reserved};
use crate::ast::{
    BaseType, CONSTRUCTOR, CONVERSION, DESTRUCTOR, Declaration, Declarator, Derived, EnumDef, Expr, Ident,
    Initializer, Item, Member, Name, ReferenceType, Specifiers, StructDef, TemplateArg, TypeName,
};
use crate::diagnostic::Diagnostic;
use crate::hir::Type;
use crate::preprocess::Kind;
use crate::source::join;
use crate::types::{SCALAR_WORDS, builtin_type, scalar_of_words, short_type};
use engine::ids::Span;
use engine::isa::ImageShape;

pub(super) use specifiers::is_specifier;

/// The specifiers and base type of a declaration.
pub(super) struct Head {
    pub(super) specifiers: Specifiers,
    pub(super) ty: TypeName,
    pub(super) span: Span,
}

impl Parser {
    /// Whether a declaration starts here.
    pub(super) fn at_declaration(&self) -> bool {
        if self.at_attributes(0) {
            return true;
        }
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
        // No declaration has a brace directly behind its type.
        if self.peek_at(ahead).is("{") {
            return true;
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
                    BaseType::Known(self.long_type(&words, ty))
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
            "typename" => {
                self.enter_nesting()?;
                let base = self.base_type();
                self.depth = self.depth.saturating_sub(1);
                return base;
            }
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
        if let Some(ty) = self.builtin_type(&tok.text) {
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
            let mut num_names = 0;
            while self.at("::") && self.peek_at(1).kind == Kind::Ident {
                num_names += 1;
                if num_names > MAX_PATH {
                    let message =
                        format!("This name has more than {MAX_PATH} parts; name an inner type with `using`.");
                    let span = self.span_from(start);
                    return self.stop(Diagnostic::error(span, message));
                }
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
        Ok(match self.builtin_type(&name.name) {
            Some(ty) if self.declared_type(&name.name) != Some(true) => BaseType::Known(ty),
            _ => BaseType::Named(name),
        })
    }

    /// The type of a name that needs no declaration; with `-m32`, `size_t` and its relatives have 32 bits.
    fn builtin_type(&self, name: &str) -> Option<Type> {
        let short = short_type(name).filter(|_| self.has_short_long);
        short.or_else(|| builtin_type(name))
    }

    /// The type of C's own words; with `-m32`, `long` has 32 bits and `long long` has 64.
    fn long_type(&self, words: &[&str], ty: Type) -> Type {
        let is_long = words.iter().filter(|word| **word == "long").count() == 1;
        match ty {
            Type::I64 if is_long && self.has_short_long => Type::I32,
            Type::U64 if is_long && self.has_short_long => Type::U32,
            ty => ty,
        }
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
}

/// Whether a parameter is `void` alone, as in `f(void)`.
pub(super) fn is_void(ty: &TypeName) -> bool {
    matches!(ty.base, BaseType::Known(Type::Void)) && ty.derived.is_empty()
}
