//! Statements and declarations.

use super::*;

impl Parser {
    pub(super) fn block(&mut self) -> Read<Stmt> {
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

    /// A statement; an unsupported statement is skipped.
    pub(super) fn statement(&mut self) -> Stmt {
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
            self.reset_to(from);
            self.skip_statement();
            if self.position() == from {
                self.next();
            }
            StmtKind::Opaque(self.names_between(from.0, self.pos))
        });
        Stmt { kind, line }
    }

    pub(super) fn try_statement(&mut self) -> Read<StmtKind> {
        if self.at("{") {
            return Ok(self.block()?.kind);
        }
        if self.take(";") {
            return Ok(StmtKind::Block(Vec::new()));
        }
        if self.peek().kind == Kind::Ident {
            match &*self.peek().text.clone() {
                "if" => return self.if_statement(),
                "while" => return self.while_statement(),
                "do" => return self.do_statement(),
                "for" => return self.for_loop(),
                "switch" => return self.switch_statement(),
                "return" => return self.return_statement(),
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
                "try" => return self.try_block(),
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

    /// `if (condition) … else …`.
    fn if_statement(&mut self) -> Read<StmtKind> {
        self.next();
        self.take_word("constexpr");
        self.expect("(")?;
        let mut init = None;
        let condition = if let Some(condition) = self.attempt(|this| {
            let condition = this.expression()?;
            this.expect(")")?;
            Ok(condition)
        }) {
            condition
        } else {
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
        };
        let then = Box::new(self.statement());
        let otherwise = self.take_word("else").then(|| Box::new(self.statement()));
        Ok(StmtKind::If {
            init,
            condition,
            then,
            otherwise,
        })
    }

    /// `while (condition) …`.
    fn while_statement(&mut self) -> Read<StmtKind> {
        self.next();
        self.expect("(")?;
        let condition = Some(self.expression()?);
        self.expect(")")?;
        let body = Box::new(self.statement());
        Ok(StmtKind::Loop {
            init: None,
            condition,
            step: None,
            body,
            is_do: false,
        })
    }

    /// `do … while (condition);`.
    fn do_statement(&mut self) -> Read<StmtKind> {
        self.next();
        let body = Box::new(self.statement());
        if !self.take_word("while") {
            return Err(Unread);
        }
        self.expect("(")?;
        let condition = Some(self.expression()?);
        self.expect(")")?;
        self.take(";");
        Ok(StmtKind::Loop {
            init: None,
            condition,
            step: None,
            body,
            is_do: true,
        })
    }

    /// `switch (value) { … }`.
    fn switch_statement(&mut self) -> Read<StmtKind> {
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
        Ok(StmtKind::Switch { value, labels, body })
    }

    /// `return value;`.
    fn return_statement(&mut self) -> Read<StmtKind> {
        self.next();
        let value = if self.at(";") {
            None
        } else if self.at("{") {
            Some(self.primary()?)
        } else {
            Some(self.expression()?)
        };
        self.expect(";")?;
        Ok(StmtKind::Return(value))
    }

    /// The block of `try`, without the handlers.
    fn try_block(&mut self) -> Read<StmtKind> {
        self.next();
        let block = self.block()?;
        while self.take_word("catch") {
            self.skip_group();
            self.skip_group();
        }
        Ok(block.kind)
    }

    /// Whether a declaration starts here: a type that is not followed by a parenthesis, or two consecutive names.
    pub(super) fn starts_declaration(&mut self) -> bool {
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
            self.reset_to(from);
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
        self.reset_to(from);
        is_value || is_pointer
    }

    pub(super) fn declaration(&mut self) -> Read<Vec<Declarator>> {
        let mut is_static = false;
        self.specifiers(&mut is_static);
        let base = self.type_specifier()?;
        if self.at("[") || self.at("&") && self.peek_at(1).is("[") {
            return Err(Unread); // A structured binding.
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

    pub(super) fn for_loop(&mut self) -> Read<StmtKind> {
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
}
