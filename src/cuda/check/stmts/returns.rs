//! `return` statements.

use super::*;

impl Checker {
    pub(super) fn return_statement(&mut self, value: Option<&ast::Expr>, span: Span) -> Checks<StmtKind> {
        let Some(info) = self.body.ret.clone() else {
            return Err(Reported);
        };
        let ret = info.ty;
        if std::mem::take(&mut self.body.is_auto)
            && let Some(value) = value
        {
            let (value, returned) = self.returned_value(value, None)?;
            if let Some(info) = &mut self.body.ret {
                info.ty = value.ty.clone();
            }
            return Ok(if value.ty == Type::Void {
                self.return_after_call(value, span)
            } else {
                self.returning(Some(value), returned, span)
            });
        }
        match value {
            Some(value) if info.is_ref => {
                let operand = self.operand(value)?;
                let address = self.bind_reference(operand, &ret, info.is_const, value.span)?;
                self.warn_dangling(&address, value.span);
                Ok(self.returning(Some(address), None, span))
            }
            None if ret == Type::Void => Ok(self.returning(None, None, span)),
            None => {
                let message = format!("This function must return a value of type `{}`.", self.text(&ret));
                self.error(span, message)
            }
            Some(value) if ret == Type::Void => {
                let returned = self.operand(value)?;
                if *ops::operand_type(&returned) == Type::Void {
                    let call = self.rvalue(returned)?;
                    return Ok(self.return_after_call(call, span));
                }
                let message = if self.body.is_kernel {
                    "A kernel returns no value; store the result in memory that a parameter points to."
                } else {
                    "This function returns void; declare it with the type of this value."
                };
                self.error(value.span, message)
            }
            Some(value) => {
                let (value, returned) = self.returned_value(value, Some(&ret))?;
                Ok(self.returning(Some(value), returned, span))
            }
        }
    }

    /// The return value; with the variable that is returned without a copy.
    fn returned_value(&mut self, e: &ast::Expr, ret: Option<&Type>) -> Checks<(Expr, Option<LocalId>)> {
        const CONTEXT: &str = "as the result of this function";
        let local = match &e.kind {
            ast::ExprKind::Name(name) => {
                match self.body.scopes.iter().rev().find_map(|scope| scope.get(name)) {
                    Some(Symbol::Local {
                        id, is_ref: false, ..
                    }) => Some(*id),
                    _ => None,
                }
            }
            _ => None,
        };
        let moves = local.filter(|id| {
            let local = &self.body.locals[id.0 as usize];
            local.storage == Storage::Automatic
                && ret.is_none_or(|ret| local.ty == *ret)
                && (self.needs_copy(&local.ty) || self.needs_destroy(&local.ty))
        });
        if let Some(id) = moves {
            let mut operand = self.operand(e)?;
            let value = self.rvalue(operand.clone())?;
            let is_result =
                matches!(&e.kind, ast::ExprKind::Name(name) if self.body.result.as_ref() == Some(name));
            if id.0 >= self.body.num_params && is_result {
                return Ok((value, Some(id)));
            }
            if let Operand::Place(lvalue) = &mut operand {
                lvalue.expires = true;
            }
            return Ok((self.copied(&operand, value)?, None));
        }
        let value = if let Some(ret) = ret {
            self.initial_value(e, ret, CONTEXT)?
        } else {
            let operand = self.operand(e)?;
            let value = self.rvalue(operand.clone())?;
            self.copied(&operand, value)?
        };
        Ok((value, None))
    }

    /// `return f();` in a void function: the call, then the return.
    fn return_after_call(&mut self, call: Expr, span: Span) -> StmtKind {
        let call = self.end_full_expression(call);
        let kind = self.returning(None, None, span);
        let stmt = |kind| Stmt { kind, span };
        StmtKind::Block(vec![stmt(StmtKind::Expr(call)), stmt(kind)])
    }
}
