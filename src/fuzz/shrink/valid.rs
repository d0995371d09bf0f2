//! Checks that a reduced program is still valid C++: names are declared before use, and jumps have targets.

use std::collections::BTreeMap;

use super::super::tree::{Arg, Expr, Function, Place, Program, Ret, Stmt, VarId, VarTy};
use super::super::walk;

pub(super) fn is_valid(program: &Program) -> bool {
    let is_valid = |function: &Function| {
        let mut scope = Scope {
            program,
            function,
            declared: (0..function.num_params).collect(),
            labels: BTreeMap::new(),
            gotos: Vec::new(),
            num_loops: 0,
            can_break: false,
        };
        scope.has_all(&function.body)
            && scope.has_labels()
            && function
                .result
                .as_ref()
                .is_none_or(|result| scope.has_names(result))
            && function
                .result_struct
                .is_none_or(|id| scope.declared.contains(&id))
    };
    program.functions.iter().all(is_valid) && is_valid(&program.kernel)
}

struct Scope<'a> {
    program: &'a Program,
    function: &'a Function,
    declared: Vec<VarId>,
    /// The declarations visible at each label and at each goto.
    labels: BTreeMap<usize, Vec<VarId>>,
    gotos: Vec<(usize, Vec<VarId>)>,
    num_loops: usize,
    can_break: bool,
}

impl Scope<'_> {
    /// Whether every goto has a label and jumps past no declaration.
    fn has_labels(&self) -> bool {
        self.gotos.iter().all(|(label, here)| {
            let there = self.labels.get(label);
            there.is_some_and(|there| there.iter().all(|id| here.contains(id)))
        })
    }

    /// Records the declarations at a label. Returns false if the label is a duplicate.
    fn label(&mut self, label: usize) -> bool {
        self.labels.insert(label, self.declared.clone()).is_none()
    }

    fn is_declared(&self, id: VarId) -> bool {
        self.declared.contains(&id)
    }

    /// Whether the names in an lvalue are declared with the required kind.
    fn has_place(&self, place: &Place) -> bool {
        let kind = |id: &VarId| self.function.vars[*id].ty;
        match place {
            Place::Own(_) => true,
            Place::Var(id) => {
                self.is_declared(*id) && matches!(kind(id), VarTy::Scalar(_) | VarTy::Reference(_))
            }
            Place::Elem(id, _) => self.is_declared(*id) && matches!(kind(id), VarTy::Array(..)),
            Place::Member(id, _) => self.is_declared(*id) && matches!(kind(id), VarTy::Struct(_)),
            Place::Deref(id) => self.is_declared(*id) && matches!(kind(id), VarTy::Pointer(_)),
        }
    }

    fn has_names(&self, e: &Expr) -> bool {
        let mut all = true;
        walk::each_expr(&mut e.clone(), &mut |e| {
            all &= match e {
                Expr::Place(place) | Expr::Assign(place, _) | Expr::Step { place, .. } => {
                    self.has_place(place)
                }
                Expr::Call(callee, args) => self.has_arguments(*callee, args),
                _ => true,
            };
        });
        all
    }

    fn has_arguments(&self, callee: usize, args: &[Arg]) -> bool {
        let callee = &self.program.functions[callee];
        let args: Vec<&Arg> = args.iter().filter(|arg| !matches!(arg, Arg::Depth(_))).collect();
        args.iter().zip(&callee.vars).all(|(arg, param)| match arg {
            Arg::Value(_) => matches!(param.ty, VarTy::Scalar(_)),
            Arg::Address(place) | Arg::Reference(place) => {
                self.has_place(place)
                    && match param.ty {
                        VarTy::Pointer(ty) | VarTy::Reference(ty) => {
                            place.ty(self.program, self.function) == ty
                        }
                        _ => false,
                    }
            }
            Arg::Struct(id) => self.is_declared(*id) && self.function.vars[*id].ty == param.ty,
            Arg::Depth(_) => true,
        })
    }

    /// Whether a value fits a variable that may be a struct.
    fn fits(&self, id: VarId, value: Option<&Expr>) -> bool {
        let returned = |idx: usize| self.program.functions[idx].ret;
        match (self.function.vars[id].ty, value) {
            (_, None) => true,
            (VarTy::Struct(of), Some(Expr::Call(idx, args))) => {
                returned(*idx) == Ret::Struct(of) && self.has_arguments(*idx, args)
            }
            (VarTy::Struct(_), Some(Expr::Place(Place::Var(other)))) => {
                self.is_declared(*other) && self.function.vars[*other].ty == self.function.vars[id].ty
            }
            (VarTy::Struct(_), Some(_)) => false,
            (_, Some(value)) => self.is_scalar(value),
        }
    }

    fn is_scalar(&self, e: &Expr) -> bool {
        let mut all = self.has_names(e);
        walk::each_expr(&mut e.clone(), &mut |e| {
            if let Expr::Call(idx, _) = e {
                all &= matches!(self.program.functions[*idx].ret, Ret::Scalar(_));
            }
        });
        all
    }

    fn has_all(&mut self, stmts: &[Stmt]) -> bool {
        stmts.iter().all(|stmt| self.has(stmt))
    }

    /// Checks a nested scope.
    fn has_block(&mut self, stmts: &[Stmt]) -> bool {
        let mark = self.declared.len();
        let all = self.has_all(stmts);
        self.declared.truncate(mark);
        all
    }

    fn has(&mut self, stmt: &Stmt) -> bool {
        match stmt {
            Stmt::Declare(id, init) => {
                let fits = self.fits(*id, init.as_ref()) && !self.is_declared(*id);
                self.declared.push(*id);
                return fits;
            }
            Stmt::Fuel(id, _) => {
                let is_new = !self.is_declared(*id);
                self.declared.push(*id);
                return is_new;
            }
            Stmt::Assign(Place::Var(id), op, value)
                if matches!(self.function.vars[*id].ty, VarTy::Struct(_)) =>
            {
                return self.is_declared(*id) && op.is_none() && self.fits(*id, Some(value));
            }
            Stmt::Expr(Expr::Call(idx, args)) => return self.has_arguments(*idx, args),
            _ => {}
        }
        if let Some(place) = walk::place_of(stmt)
            && !self.has_place(place)
        {
            return false;
        }
        let mut own = true;
        let mark = self.declared.len();
        if let Stmt::Loop { var, .. } | Stmt::Again { fuel: var, .. } | Stmt::Enter { var, .. } = stmt {
            self.declared.push(*var);
        }
        walk::exprs_of(&mut stmt.clone(), &mut |e| own &= self.is_scalar(e));
        let inner = own && self.has_inner(stmt);
        self.declared.truncate(mark);
        inner
    }

    fn has_inner(&mut self, stmt: &Stmt) -> bool {
        match stmt {
            Stmt::Break => self.can_break,
            Stmt::Continue => self.num_loops > 0,
            Stmt::Goto(label, fuel) => {
                self.gotos.push((*label, self.declared.clone()));
                fuel.is_none_or(|fuel| self.is_declared(fuel))
            }
            Stmt::Label(label) => self.label(*label),
            Stmt::Return(value) => value.is_some() || !matches!(self.function.ret, Ret::Scalar(_)),
            Stmt::Checksum(ids) => ids.iter().all(|id| self.is_declared(*id)),
            Stmt::Loop { body, .. } => {
                let could_break = std::mem::replace(&mut self.can_break, true);
                self.num_loops += 1;
                let all = self.has_block(body);
                self.num_loops -= 1;
                self.can_break = could_break;
                all
            }
            Stmt::Switch(_, arms) => {
                let could_break = std::mem::replace(&mut self.can_break, true);
                let all = arms.iter().all(|(_, body)| self.has_block(body));
                self.can_break = could_break;
                all
            }
            Stmt::Leave(label, body) | Stmt::Again { label, body, .. } => {
                self.label(*label) && self.has_block(body)
            }
            Stmt::Enter {
                label, first, second, ..
            } => {
                let could_break = std::mem::replace(&mut self.can_break, true);
                self.num_loops += 1;
                let all = self.label(*label) && self.has_block(first) && self.has_block(second);
                self.num_loops -= 1;
                self.can_break = could_break;
                all
            }
            Stmt::If(_, then, otherwise) => {
                self.has_block(then)
                    && otherwise
                        .as_ref()
                        .is_none_or(|otherwise| self.has_block(otherwise))
            }
            Stmt::Block(body) | Stmt::Once(body) | Stmt::Counters { body, .. } => self.has_block(body),
            Stmt::Exchange { before, after, .. } => self.has_all(before) && self.has_all(after),
            _ => true,
        }
    }
}
