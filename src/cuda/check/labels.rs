//! Labels: the targets of `goto`, and of `switch` cases in inner blocks.

use std::collections::BTreeMap;

use super::{Checker, Checks, Symbol};
use crate::ast::{self, Ident, Name};
use crate::diagnostic::Diagnostic;
use crate::hir::{Arm, Expr, LabelId, LocalId, Stmt, StmtKind, Type};
use engine::ids::Span;

/// The labels of the function whose body is being checked.
#[derive(Debug, Default)]
pub(super) struct Labels {
    all: Vec<Label>,
    by_name: BTreeMap<Name, LabelId>,
    /// Variables with initializers, each with the variables that were alive when its lifetime began.
    initialized: Vec<(LocalId, Alive)>,
    alive: Alive,
    /// The variables that were alive before each open scope.
    outer: Vec<Alive>,
    /// The numbers of the open scopes, except those that the function itself opens.
    scopes: Vec<u32>,
    num_scopes: u32,
    /// The jumps past objects with destructors, by a label that stands for the jump until its target is known.
    leaving: Vec<Leaving>,
}

/// A `goto` in scopes with objects that have destructors.
#[derive(Debug)]
struct Leaving {
    /// The label that stands for the jump.
    mark: LabelId,
    target: LabelId,
    /// The objects that exist at the jump, in the order of their destruction, with the calls that destroy them.
    objects: Vec<(Living, Vec<Stmt>)>,
}

/// An object of a scope: the number of the scope, and the position among its objects.
type Living = (u32, usize);

/// The variables with initializers that are alive at a location, as a linked list: the last one, by its position from
/// 1 in [`Labels::initialized`], which refers to its predecessors; 0 for none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Alive(usize);

/// A label.
#[derive(Debug)]
struct Label {
    /// The name; `None` for labels that a `switch` needs.
    name: Option<Name>,
    /// The span of the definition; `None` until the label is defined.
    place: Option<Place>,
    /// The scopes around it, with the number of their objects before it.
    around: Vec<Living>,
    /// The jumps to the label.
    jumps: Vec<Place>,
}

/// A location in a function.
#[derive(Clone, Copy, Debug)]
struct Place {
    span: Span,
    alive: Alive,
}

/// The arms of a `switch` that jump into its body.
#[derive(Debug)]
pub(super) struct Jumps {
    ty: Type,
    arms: Vec<Arm>,
    /// The variables that are alive at the `switch`.
    start: Alive,
}

impl Labels {
    /// Records that the lifetime of a variable with an initializer begins.
    pub(super) fn initialize(&mut self, local: LocalId) {
        self.initialized.push((local, self.alive));
        self.alive = Alive(self.initialized.len());
    }

    /// The variables that are alive at the current location.
    pub(super) const fn alive(&self) -> Alive {
        self.alive
    }

    /// A variable that is alive at one location and not at another.
    fn skipped(&self, mut place: Alive, mut jump: Alive) -> Option<LocalId> {
        let mut skipped = None;
        // All live variables are older than the variables that were initialized later.
        while place != jump {
            if place > jump {
                let (local, before) = self.initialized[place.0 - 1];
                skipped = Some(local);
                place = before;
            } else {
                jump = self.initialized[jump.0 - 1].1;
            }
        }
        skipped
    }
}

impl Checker {
    pub(super) fn open_scope(&mut self) {
        self.body.scopes.push(BTreeMap::new());
        self.body.cleanups.push(Vec::new());
        let labels = &mut self.body.labels;
        labels.outer.push(labels.alive);
        labels.num_scopes += 1;
        labels.scopes.push(labels.num_scopes);
    }

    pub(super) fn close_scope(&mut self) {
        for (name, symbol) in self.body.scopes.pop().unwrap_or_default() {
            if let Symbol::Local { id, .. } = symbol {
                let span = self.body.locals[id.0 as usize].span;
                self.body.ended.insert(name, span);
            }
        }
        self.body.cleanups.pop();
        let labels = &mut self.body.labels;
        labels.alive = labels.outer.pop().unwrap_or_default();
        labels.scopes.pop();
    }

    /// The number of the open scope at a depth.
    fn scope_number(&self, depth: usize) -> u32 {
        let scopes = &self.body.labels.scopes;
        let num_own = self.body.cleanups.len().saturating_sub(scopes.len());
        // The function's own scopes have the highest numbers.
        match depth.checked_sub(num_own) {
            Some(idx) => scopes.get(idx).copied().unwrap_or_default(),
            None => u32::MAX - depth as u32,
        }
    }

    const fn here(&self, span: Span) -> Place {
        Place {
            span,
            alive: self.body.labels.alive,
        }
    }

    fn new_label(&mut self, name: Option<Name>) -> LabelId {
        let labels = &mut self.body.labels.all;
        let id = LabelId(labels.len() as u32);
        labels.push(Label {
            name,
            place: None,
            around: Vec::new(),
            jumps: Vec::new(),
        });
        id
    }

    /// The label with a name. Its scope is the function.
    fn label_id(&mut self, name: &Name) -> LabelId {
        if let Some(id) = self.body.labels.by_name.get(name) {
            return *id;
        }
        let id = self.new_label(Some(name.clone()));
        self.body.labels.by_name.insert(name.clone(), id);
        id
    }

    fn label_of(&mut self, id: LabelId) -> &mut Label {
        &mut self.body.labels.all[id.0 as usize]
    }

    fn jump_to(&mut self, id: LabelId, from: Place) -> StmtKind {
        self.label_of(id).jumps.push(from);
        StmtKind::Goto(id)
    }

    /// `name:`.
    pub(super) fn label(&mut self, name: &Ident) -> Checks<StmtKind> {
        let id = self.label_id(&name.name);
        if let Some(first) = self.label_of(id).place {
            let message = format!("The label `{}` has already been defined.", name.name);
            let diagnostic = Diagnostic::error(name.span, message).note_at(first.span, "First defined here.");
            return self.report(diagnostic);
        }
        let place = self.here(name.span);
        let counts: Vec<usize> = self.body.cleanups.iter().map(Vec::len).collect();
        let around = (counts.into_iter().enumerate())
            .map(|(depth, num)| (self.scope_number(depth), num))
            .collect();
        let label = self.label_of(id);
        label.place = Some(place);
        label.around = around;
        Ok(StmtKind::Label(id))
    }

    /// `goto name;`.
    pub(super) fn goto(&mut self, name: &Ident, span: Span) -> StmtKind {
        let from = Place {
            span,
            ..self.here(name.span)
        };
        let id = self.label_id(&name.name);
        let jump = self.jump_to(id, from);
        if !self.has_cleanups(0) {
            return jump;
        }
        let mut objects = Vec::new();
        let open: Vec<_> = self.body.cleanups.iter().cloned().enumerate().collect();
        for (depth, places) in open.into_iter().rev() {
            let scope = self.scope_number(depth);
            for (idx, place) in places.into_iter().enumerate().rev() {
                let mut calls = Vec::new();
                let _ = self.destroy(place, span, &mut calls);
                objects.push(((scope, idx), calls));
            }
        }
        let mark = self.new_label(None);
        self.body.labels.leaving.push(Leaving {
            mark,
            target: id,
            objects,
        });
        StmtKind::Goto(mark)
    }

    /// `break` out of a `switch` that is lowered to jumps.
    pub(super) fn jump_out(&mut self, span: Span) -> StmtKind {
        let from = self.here(span);
        match self.body.break_label {
            Some(id) => self.jump_to(id, from),
            None => StmtKind::Break,
        }
    }

    /// A `switch` with cases in inner blocks: its arms jump to labels in the body that follows.
    pub(super) fn switch_of_jumps(
        &mut self,
        value: Checks<Expr>,
        ty: &Type,
        stmts: &[ast::Stmt],
        span: Span,
    ) -> Checks<StmtKind> {
        let end = self.new_label(None);
        let start = self.here(span);
        self.body.break_label = Some(end);
        self.body.jumps = Some(Jumps {
            ty: ty.clone(),
            arms: Vec::new(),
            start: start.alive,
        });
        let mut body = Vec::new();
        for stmt in stmts {
            self.statement(stmt, &mut body);
        }
        let mut arms = self.body.jumps.take().map_or_else(Vec::new, |jumps| jumps.arms);
        self.check_values(&arms, span)?;
        if !arms.iter().any(|arm| arm.is_default) {
            let kind = self.jump_to(end, start);
            arms.push(Arm {
                values: Vec::new(),
                is_default: true,
                body: vec![Stmt { kind, span }],
                span,
            });
        }
        let value = value?;
        let mut out = vec![Stmt {
            kind: StmtKind::Switch { value, arms },
            span,
        }];
        out.extend(body);
        let place = self.here(span);
        let end_label = self.label_of(end);
        if !end_label.jumps.is_empty() {
            end_label.place = Some(place);
            let kind = StmtKind::Label(end);
            out.push(Stmt { kind, span });
        }
        Ok(StmtKind::Block(out))
    }

    /// A case of a `switch` that is lowered to jumps.
    pub(super) fn inner_case(&mut self, stmt: &ast::Stmt, out: &mut Vec<Stmt>) {
        let span = stmt.span;
        let Some(jumps) = &self.body.jumps else {
            let _ = self.error::<()>(span, "A `case` label may only be used within a `switch`.");
            return;
        };
        let (ty, alive) = (jumps.ty.clone(), jumps.start);
        let values = if let ast::StmtKind::Case(first, last) = &stmt.kind {
            match self.case_values(first, last.as_ref(), &ty) {
                Ok(values) => values,
                Err(_) => return,
            }
        } else {
            if jumps.arms.iter().any(|arm| arm.is_default) {
                self.report_default(span);
            }
            Vec::new()
        };
        let id = self.new_label(None);
        let place = self.here(span);
        self.label_of(id).place = Some(place);
        let kind = self.jump_to(id, Place { span, alive });
        if let Some(jumps) = &mut self.body.jumps {
            jumps.arms.push(Arm {
                is_default: values.is_empty(),
                values,
                body: vec![Stmt { kind, span }],
                span,
            });
        }
        out.push(Stmt {
            kind: StmtKind::Label(id),
            span,
        });
    }

    /// Warns about a case that bypasses the initializer of a variable that is alive after it.
    pub(super) fn warn_skipped(&mut self, start: Alive, span: Span) {
        let labels = &self.body.labels;
        if let Some(local) = labels.skipped(labels.alive, start) {
            let name = self.body.locals[local.0 as usize].name.clone();
            self.warn(
                span,
                format!(
                    "This label bypasses the initialization of `{name}`; declare `{name}` in its own block."
                ),
            );
        }
    }

    /// Checks the labels at the end of a function.
    pub(super) fn check_labels(&mut self, body: &mut [Stmt]) {
        self.end_jumps(body);
        for label in std::mem::take(&mut self.body.labels.all) {
            let Some(place) = label.place else {
                if let (Some(name), Some(jump)) = (&label.name, label.jumps.first()) {
                    let message = format!("The label `{name}` is referenced but not defined.");
                    let _ = self.error::<()>(jump.span, message);
                }
                continue;
            };
            if let (Some(name), true) = (&label.name, label.jumps.is_empty()) {
                self.warn(
                    place.span,
                    format!("The label `{name}` is declared but never referenced."),
                );
            }
            for jump in &label.jumps {
                if let Some(local) = self.body.labels.skipped(place.alive, jump.alive) {
                    let is_case = label.name.is_none();
                    self.report_skipped(local, is_case, jump.span);
                }
            }
        }
    }

    /// Puts the destructors of the objects that a jump leaves in front of it.
    fn end_jumps(&mut self, body: &mut [Stmt]) {
        let leaving = std::mem::take(&mut self.body.labels.leaving);
        if leaving.is_empty() {
            return;
        }
        let mut jumps = BTreeMap::new();
        for jump in leaving {
            let around = &self.body.labels.all[jump.target.0 as usize].around;
            let lives = |(scope, idx): Living| around.iter().any(|(own, num)| *own == scope && idx < *num);
            let ended = jump.objects.into_iter().filter(|(object, _)| !lives(*object));
            let calls: Vec<Stmt> = ended.flat_map(|(_, calls)| calls).collect();
            jumps.insert(jump.mark, (jump.target, calls));
        }
        replace_jumps(body, &mut jumps);
    }

    fn report_skipped(&mut self, local: LocalId, is_case: bool, span: Span) {
        let local = &self.body.locals[local.0 as usize];
        let (name, declared) = (&local.name, local.span);
        let (what, before) = if is_case {
            ("label", "switch")
        } else {
            ("`goto`", "goto")
        };
        let message = format!(
            "This {what} bypasses the initialization of `{name}`; declare `{name}` before the `{before}`."
        );
        let diagnostic =
            Diagnostic::error(span, message).note_at(declared, format!("`{name}` is declared here."));
        let _ = self.report::<()>(diagnostic);
    }
}

/// Replaces the labels that stand for jumps.
fn replace_jumps(body: &mut [Stmt], jumps: &mut BTreeMap<LabelId, (LabelId, Vec<Stmt>)>) {
    for stmt in body {
        let span = stmt.span;
        match &mut stmt.kind {
            StmtKind::Goto(label) => {
                if let Some((target, mut calls)) = jumps.remove(label) {
                    calls.push(Stmt {
                        kind: StmtKind::Goto(target),
                        span,
                    });
                    stmt.kind = StmtKind::Block(calls);
                }
            }
            StmtKind::Block(inner) => replace_jumps(inner, jumps),
            StmtKind::If { then, otherwise, .. } => {
                replace_jumps(std::slice::from_mut(then), jumps);
                if let Some(otherwise) = otherwise {
                    replace_jumps(std::slice::from_mut(otherwise), jumps);
                }
            }
            StmtKind::While { body, .. } | StmtKind::DoWhile { body, .. } => {
                replace_jumps(std::slice::from_mut(body), jumps);
            }
            StmtKind::For { init, body, .. } => {
                replace_jumps(init, jumps);
                replace_jumps(std::slice::from_mut(body), jumps);
            }
            StmtKind::Switch { arms, .. } => {
                for arm in arms {
                    replace_jumps(&mut arm.body, jumps);
                }
            }
            _ => {}
        }
    }
}

/// Whether control can enter the body of a `switch` by other ways than its direct cases.
pub(super) fn needs_jumps(stmts: &[ast::Stmt]) -> bool {
    let is_case = |stmt: &ast::Stmt| matches!(stmt.kind, ast::StmtKind::Case(..) | ast::StmtKind::Default);
    let first = stmts.iter().position(is_case).unwrap_or(stmts.len());
    // Statements before the first case are reachable only through a label.
    stmts[..first].iter().any(has_label) || stmts.iter().filter(|stmt| !is_case(stmt)).any(has_case)
}

/// Whether a statement contains a case of the enclosing `switch`.
fn has_case(stmt: &ast::Stmt) -> bool {
    matches!(stmt.kind, ast::StmtKind::Case(..) | ast::StmtKind::Default) || parts(stmt).any(has_case)
}

/// Whether a statement contains a label that `goto` can name.
fn has_label(stmt: &ast::Stmt) -> bool {
    let inner = match &stmt.kind {
        ast::StmtKind::Label(_) => return true,
        ast::StmtKind::Switch { body, .. } => Some(body.as_ref()),
        _ => None,
    };
    inner.into_iter().chain(parts(stmt)).any(has_label)
}

/// The substatements of a statement, except those of an inner `switch`.
pub(super) fn parts(stmt: &ast::Stmt) -> impl Iterator<Item = &ast::Stmt> {
    let (block, single, otherwise) = match &stmt.kind {
        ast::StmtKind::Block(block) => (block.stmts.as_slice(), None, None),
        ast::StmtKind::If { then, otherwise, .. } => (&[][..], Some(then), otherwise.as_ref()),
        ast::StmtKind::While { body, .. }
        | ast::StmtKind::DoWhile { body, .. }
        | ast::StmtKind::For { body, .. }
        | ast::StmtKind::RangeFor { body, .. } => (&[][..], Some(body), None),
        _ => (&[][..], None, None),
    };
    block
        .iter()
        .chain(single.into_iter().chain(otherwise).map(AsRef::as_ref))
}
