//! Types and declarators.

use super::*;

impl Parser {
    /// Whether a type can start here.
    pub(super) fn at_type(&self) -> bool {
        let tok = self.peek();
        if tok.kind != Kind::Ident {
            return false;
        }
        let word = &*tok.text;
        if is_type_word(word) {
            return true;
        }
        if self.peek_at(1).is("::") {
            // `a::b::c`: only the last name is kept.
            let mut ahead = 0;
            while self.peek_at(ahead + 1).is("::")
                && self.peek_at(ahead + 2).kind == Kind::Ident
                && ahead <= MAX_TYPE
            {
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

    pub(super) fn type_id(&mut self) -> Read<TypeExpr> {
        self.nested(Self::type_id_within)
    }

    fn type_id_within(&mut self) -> Read<TypeExpr> {
        let base = self.type_specifier()?;
        let ty = self.pointers(base);
        if self.at("(") && self.peek_at(1).is("*") {
            self.skip_group();
            if self.at("[") {
                let array = self.extents(ty)?;
                return Ok(TypeExpr::Pointer {
                    to: Box::new(array),
                    is_const: false,
                });
            }
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

    /// The type before a declarator. Its `const` is kept if pointers follow (see `pointers`).
    pub(super) fn type_specifier(&mut self) -> Read<TypeExpr> {
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

    pub(super) fn named_type(&mut self) -> Read<TypeExpr> {
        if self.take_word("decltype") {
            if self.peek_at(1).kind == Kind::Ident && self.peek_at(2).is(")") {
                self.next();
                let name = self.ident()?;
                self.next();
                return Ok(TypeExpr::TypeOf(self.name(&name)));
            }
            self.skip_group();
            return Ok(TypeExpr::Auto);
        }
        self.take("::");
        let start = self.pos;
        let mut text = self.ident()?;
        let mut args = self.type_arguments()?;
        while self.at("::") && self.peek_at(1).kind == Kind::Ident {
            self.next();
            text = self.ident()?;
            args = self.type_arguments()?;
        }
        let int = |bytes, signed| TypeExpr::Int { bytes, signed };
        Ok(match &*text {
            "size_t" | "uint64_t" | "uintptr_t" | "ulong" | "cudaTextureObject_t" | "cudaSurfaceObject_t" => {
                int(8, false)
            }
            "ssize_t" | "ptrdiff_t" | "int64_t" | "intptr_t" | "time_t" | "clock_t" => int(8, true),
            "int8_t" => int(1, true),
            "uint8_t" | "uchar" => int(1, false),
            "int16_t" => int(2, true),
            "uint16_t" | "ushort" => int(2, false),
            "int32_t" | "cudaError_t" | "cudaError" | "cudaMemcpyKind" | "cudaFuncAttribute"
            | "cudaFuncCache" | "cudaDeviceAttr" => int(4, true),
            "uint32_t" | "uint" => int(4, false),
            "half" | "__half" => TypeExpr::Half,
            _ => {
                let name = self.name(&text);
                self.keep_spelling(name, start);
                TypeExpr::Named(name, args)
            }
        })
    }

    /// Keeps the words of a name since `start`, if there are several.
    fn keep_spelling(&mut self, name: Name, start: usize) {
        let words = &self.toks[start..self.pos];
        if words.len() < 2 {
            return;
        }
        let mut written = String::new();
        for (idx, tok) in words.iter().enumerate() {
            if idx > 0 && tok.kind == Kind::Ident && words[idx - 1].kind == Kind::Ident {
                written.push(' ');
            }
            written.push_str(&tok.text);
        }
        self.tree.spellings.insert(name, written);
    }

    pub(super) fn type_arguments(&mut self) -> Read<Vec<TemplateArg>> {
        if self.at("<") {
            self.nested(Self::template_arguments)
        } else {
            Ok(Vec::new())
        }
    }

    pub(super) fn template_arguments(&mut self) -> Read<Vec<TemplateArg>> {
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
                None => TemplateArg::Value(self.argument_value()?),
            });
            if !self.take(",") {
                break;
            }
        }
        self.in_angles = outer;
        self.close_angle()?;
        Ok(args)
    }

    /// A template argument that is no type of the text: a value, or a name that can be a type of a header, whose words are kept.
    fn argument_value(&mut self) -> Read<Expr> {
        while self.at("::") {
            self.next();
        }
        let start = self.pos;
        let value = self.assignment()?;
        if let ExprKind::Name { name, args: None, .. } = value.kind {
            self.keep_spelling(name, start);
        }
        Ok(value)
    }

    pub(super) fn pointers(&mut self, mut ty: TypeExpr) -> TypeExpr {
        // The specifiers consumed the `const` before the star: search backwards.
        let mut is_const = self.const_before();
        let mut num_derived = 0;
        loop {
            num_derived += usize::from(matches!(self.peek().kind, Kind::Punct("*" | "&" | "&&")));
            if num_derived > MAX_DERIVED {
                self.stop("This type of the host code has too many `*`; the rest is not read. Put a struct in between.".to_owned());
                return ty;
            }
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

    /// Whether `const` is one of the specifiers of the type that ends here.
    pub(super) fn const_before(&self) -> bool {
        let mut at = self.pos;
        let mut angles = 0;
        let start = self.pos.saturating_sub(MAX_TYPE);
        while at > start {
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

    pub(super) fn declarator(&mut self, base: TypeExpr) -> Read<(Option<Name>, TypeExpr)> {
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

    pub(super) fn extents(&mut self, ty: TypeExpr) -> Read<TypeExpr> {
        let mut extents = Vec::new();
        while self.take("[") {
            if extents.len() >= MAX_DERIVED {
                self.stop("This array of the host code has too many dimensions; the rest is not read. Put a struct in between.".to_owned());
                return Err(Unread);
            }
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

    pub(super) fn initializer(&mut self) -> Read<Init> {
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
}
