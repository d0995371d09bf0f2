//! Expressions.

use super::*;

impl Parser {
    pub(super) fn expression(&mut self) -> Read<Expr> {
        let outer = std::mem::replace(&mut self.in_angles, false);
        let result = self.comma();
        self.in_angles = outer;
        result
    }

    pub(super) fn comma(&mut self) -> Read<Expr> {
        let mut left = self.assignment()?;
        let mut chain = 0;
        while self.at(",") {
            self.link(&mut chain)?;
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

    pub(super) fn assignment(&mut self) -> Read<Expr> {
        self.nested(Self::assignment_within)
    }

    pub(super) fn assignment_within(&mut self) -> Read<Expr> {
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

    pub(super) fn conditional(&mut self) -> Read<Expr> {
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

    pub(super) fn binary(&mut self, least: u8) -> Read<Expr> {
        let mut left = self.unary()?;
        let mut chain = 0;
        while let Some((op, level)) = self.binary_op().filter(|(_, level)| *level >= least) {
            self.link(&mut chain)?;
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

    pub(super) fn binary_op(&self) -> Option<(BinaryOp, u8)> {
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

    pub(super) fn unary(&mut self) -> Read<Expr> {
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
            let operand = self.nested(Self::unary)?;
            let kind = ExprKind::Unary(op, Box::new(operand));
            return Ok(Expr { kind, line });
        }
        if self.at("(") && self.is_cast() {
            let cast = self.attempt(|this| {
                this.next();
                let ty = this.type_id()?;
                this.expect(")")?;
                let operand = this.nested(Self::unary)?;
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
            let operand = self.nested(Self::unary)?;
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

    /// Whether the parenthesis here contains a type.
    pub(super) fn is_cast(&self) -> bool {
        let first = self.peek_at(1);
        if first.kind != Kind::Ident {
            return false;
        }
        is_type_word(&first.text) || self.types.contains(&*first.text) || {
            // `(Foo*)`, `(std::size_t)`, `(Foo**)`
            let mut ahead = 1;
            while self.peek_at(ahead).kind == Kind::Ident
                && self.peek_at(ahead + 1).is("::")
                && ahead <= MAX_TYPE
            {
                ahead += 2;
            }
            let is_known = self.types.contains(&*self.peek_at(ahead).text);
            ahead += 1;
            let has_star = self.peek_at(ahead).is("*");
            while self.peek_at(ahead).is("*") && ahead <= MAX_TYPE {
                ahead += 1;
            }
            (has_star || is_known) && self.peek_at(ahead).is(")") && {
                let behind = self.peek_at(ahead + 1);
                matches!(behind.kind, Kind::Ident | Kind::Number) || behind.is("(") || behind.is("&")
            }
        }
    }

    pub(super) fn postfix(&mut self, mut expr: Expr) -> Read<Expr> {
        let mut chain = 0;
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
                    // `>` and `>>` are operators here: only `>>>` ends the configuration.
                    let outer = std::mem::replace(&mut self.in_angles, false);
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
            self.link(&mut chain)?;
            expr = Expr { kind, line };
        }
    }

    pub(super) fn arguments(&mut self) -> Read<Vec<Expr>> {
        self.expect("(")?;
        let args = self.list(")")?;
        self.expect(")")?;
        Ok(args)
    }

    pub(super) fn list(&mut self, end: &str) -> Read<Vec<Expr>> {
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

    pub(super) fn primary(&mut self) -> Read<Expr> {
        let line = self.line();
        let tok = self.peek().clone();
        let kind = match tok.kind {
            Kind::Number => {
                self.next();
                match parse_number(&tok.text, false).map_err(|_| Unread)? {
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
                match parse_char(&tok.text).map_err(|_| Unread)? {
                    Character::Narrow(value) => ExprKind::Char(value),
                    wide => ExprKind::Int {
                        value: wide.value() as u64,
                        unsigned: matches!(wide, Character::Long(_)),
                        long: false,
                    },
                }
            }
            Kind::Punct("(") => {
                self.next();
                let inner = self.expression()?;
                self.expect(")")?;
                return Ok(inner);
            }
            Kind::Punct("{") => {
                self.next();
                let items = self.nested(|this| this.list("}"))?;
                self.expect("}")?;
                ExprKind::List(items)
            }
            Kind::Punct("[") => self.nested(|this| this.lambda(line))?,
            Kind::Punct("::") => {
                while self.take("::") {}
                return self.nested(Self::primary);
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

    pub(super) fn name_or_construct(&mut self) -> Read<ExprKind> {
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
                && !self.is_less_than_operator(&text);
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

    /// Whether the `<` after a name that is also a template is an operator: never in practice.
    pub(super) fn is_less_than_operator(&self, _name: &str) -> bool {
        false
    }

    pub(super) fn lambda(&mut self, line: u32) -> Read<ExprKind> {
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
            space: String::new(),
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
