//! Translates HIR to the interpreter's form: a row for each scalar variable and each value of an expression,
//! and an address for each variable in memory.

mod effects;
mod expr;

use std::collections::{BTreeMap, BTreeSet};

use super::code::{Arm, Code, Expr, Function, Kind, Op, POOL, Param, Pooled, Row, Stmt, StmtKind, leaves};
use super::memory::{FIRST, OUTSIDE, Placer, UNDEFINED, WRITTEN, Windows};
use crate::hir::{self, FuncId, GlobalId, GlobalSpace, Init, LocalId, PlaceKind, Storage, Type, Unit};
use engine::ids::Span;

/// A kernel ready to run, with the locations of the unit's variables.
#[derive(Clone, Debug)]
pub(super) struct Resolved {
    pub(super) code: Code,
    /// Initial contents and state of constant memory.
    pub(super) constant: Vec<u8>,
    pub(super) constant_state: Vec<u8>,
}

/// Locations of the variables outside functions.
#[derive(Clone, Debug, Default)]
pub(super) struct Globals {
    /// The address of each `__device__` and `__constant__` variable of the unit.
    pub(super) addresses: Vec<u64>,
}

/// Lays out constant memory and resolves a kernel.
pub(super) fn resolve(
    unit: &Unit,
    kernel: FuncId,
    windows: Windows,
    globals: &Globals,
    constant: Placer,
) -> Resolved {
    let mut resolver = Resolver {
        unit,
        windows,
        code: Code::default(),
        functions: BTreeMap::new(),
        pool: BTreeMap::new(),
        shared: Placer::new(FIRST),
        shared_places: BTreeMap::new(),
        globals,
        constant,
        textures: BTreeMap::new(),
        scope: Scope::default(),
        num_open: 0,
        pending: Vec::new(),
    };
    resolver.function(kernel);
    while let Some((id, idx)) = resolver.pending.pop() {
        resolver.define(id, idx);
    }
    let start = resolver.shared.state.len().next_multiple_of(256);
    resolver.shared.state.resize(start, OUTSIDE);
    resolver.code.shared = resolver.shared.state;
    let mut bytes = vec![0; resolver.constant.state.len()];
    for (global, address) in unit.globals.iter().zip(&globals.addresses) {
        if global.space == GlobalSpace::Constant {
            let offset = (address - windows.constant) as usize;
            bytes[offset..offset + global.image.len()].copy_from_slice(&global.image);
        }
    }
    Resolved {
        code: resolver.code,
        constant: bytes,
        constant_state: resolver.constant.state,
    }
}

/// Location of a local variable.
#[derive(Clone, Copy, Debug)]
enum Variable {
    Registers {
        row: Row,
        len: u32,
    },
    Frame(u32),
    /// An address shared by all threads, in a row of the pool.
    Shared(Row),
}

/// The function being resolved.
#[derive(Default)]
struct Scope {
    variables: Vec<Variable>,
    first_temporary: Row,
    next_row: Row,
    max_row: Row,
    labels: BTreeMap<u32, u32>,
    /// Variables whose address is taken.
    in_memory: BTreeSet<u32>,
    /// The open levels of statements and expressions, and their maximum.
    levels: u32,
    height: u32,
}

impl Scope {
    /// Counts a level of statements and expressions.
    fn enter(&mut self) {
        self.levels += 1;
        self.height = self.height.max(self.levels);
    }
}

struct Resolver<'a> {
    unit: &'a Unit,
    windows: Windows,
    code: Code,
    functions: BTreeMap<u32, usize>,
    pool: BTreeMap<Pooled, Row>,
    shared: Placer,
    /// Rows of the pool with the addresses of shared variables, by function (or `u32::MAX`) and index.
    shared_places: BTreeMap<(u32, u32), Row>,
    globals: &'a Globals,
    constant: Placer,
    textures: BTreeMap<u32, u64>,
    scope: Scope,
    /// The functions whose bodies are being resolved, each inside the one before it.
    num_open: u32,
    /// Functions that are resolved after those, with their indices.
    pending: Vec<(FuncId, usize)>,
}

/// Maximum number of bodies that are resolved inside each other. Assumption: the stack of a browser's worker has room for
/// so many bodies of the greatest depth.
const MAX_OPEN: u32 = 8;

/// A resolved place.
enum Target {
    Registers { row: Row, len: u32 },
    Memory { address: Expr, offset: u64 },
}

impl Resolver<'_> {
    /// The index of a function, which is resolved at its first use.
    fn function(&mut self, id: FuncId) -> usize {
        if let Some(idx) = self.functions.get(&id.0) {
            return *idx;
        }
        let idx = self.code.functions.len();
        self.code.functions.push(Function::default());
        self.functions.insert(id.0, idx);
        if self.num_open >= MAX_OPEN {
            self.pending.push((id, idx));
        } else {
            self.define(id, idx);
        }
        idx
    }

    /// Resolves the body of a function.
    fn define(&mut self, id: FuncId, idx: usize) {
        self.num_open += 1;
        let mut in_memory = BTreeSet::new();
        loop {
            let outer = std::mem::take(&mut self.scope);
            self.scope.in_memory.clone_from(&in_memory);
            let function = self.body(id);
            let inner = std::mem::replace(&mut self.scope, outer);
            if inner.in_memory.len() == in_memory.len() {
                self.code.functions[idx] = function;
                self.num_open -= 1;
                return;
            }
            in_memory = inner.in_memory;
        }
    }

    fn body(&mut self, id: FuncId) -> Function {
        let unit = self.unit;
        let source = unit.function(id);
        let num_result_rows = leaves(unit, &source.ret).len() as u32;
        let mut next = num_result_rows;
        let mut frame = Placer { state: Vec::new() };
        for (index, local) in source.locals.iter().enumerate() {
            let variable = match local.storage {
                Storage::Automatic => {
                    let in_memory = local.address_taken || self.scope.in_memory.contains(&(index as u32));
                    if in_memory || has_array(unit, &local.ty) {
                        let align = local.align.max(unit.align_of(&local.ty));
                        Variable::Frame(frame.place(unit.size_of(&local.ty), align, UNDEFINED))
                    } else {
                        let len = leaves(unit, &local.ty).len() as u32;
                        next += len;
                        Variable::Registers { row: next - len, len }
                    }
                }
                Storage::Shared | Storage::DynamicShared => {
                    let is_dynamic = local.storage == Storage::DynamicShared;
                    Variable::Shared(self.shared_row(
                        (id.0, index as u32),
                        &local.ty,
                        local.align,
                        is_dynamic,
                    ))
                }
            };
            self.scope.variables.push(variable);
        }
        self.scope.first_temporary = next;
        self.scope.next_row = next;
        self.scope.max_row = next;
        let params = (0..source.params().len())
            .map(|index| match self.scope.variables[index] {
                Variable::Registers { row, len } => Param::Registers { row, len },
                Variable::Frame(offset) => Param::Frame {
                    offset,
                    leaves: leaves(unit, &source.locals[index].ty),
                },
                Variable::Shared(_) => Param::Registers { row: 0, len: 0 },
            })
            .collect();
        let body = self.stmts(&source.body, source);
        frame
            .state
            .resize(frame.state.len().next_multiple_of(64), OUTSIDE);
        Function {
            num_result_rows,
            num_registers: next,
            num_rows: self.scope.max_row,
            params,
            num_labels: self.scope.labels.len() as u32,
            frame: frame.state,
            body,
            is_library: source.prelude,
            height: self.scope.height,
            end_span: source.end_span,
        }
    }

    /// The row of the pool that holds the address of a shared variable.
    fn shared_row(&mut self, key: (u32, u32), ty: &Type, align: u32, is_dynamic: bool) -> Row {
        if let Some(row) = self.shared_places.get(&key) {
            return *row;
        }
        let row = if is_dynamic {
            self.pooled(Pooled::DynamicShared)
        } else {
            let align = align.max(self.unit.align_of(ty));
            let offset = self.shared.place(self.unit.size_of(ty), align, UNDEFINED);
            self.pooled(Pooled::Const(self.windows.shared + u64::from(offset)))
        };
        self.shared_places.insert(key, row);
        row
    }

    fn pooled(&mut self, pooled: Pooled) -> Row {
        let pool = &mut self.code.pool;
        *self.pool.entry(pooled).or_insert_with(|| {
            pool.push(pooled);
            (pool.len() as u32 - 1) | POOL
        })
    }

    /// An expression that is a row of the pool.
    fn pool_expr(&mut self, pooled: Pooled, span: Span) -> Expr {
        let row = self.pooled(pooled);
        Expr {
            op: Op::Ready,
            row,
            len: 1,
            span,
        }
    }

    /// Allocates rows for a value until the end of the statement.
    fn rows(&mut self, len: u32) -> Row {
        let row = self.scope.next_row;
        self.scope.next_row += len;
        self.scope.max_row = self.scope.max_row.max(self.scope.next_row);
        row
    }

    fn stmts(&mut self, stmts: &[hir::Stmt], function: &hir::Function) -> Vec<Stmt> {
        stmts.iter().map(|stmt| self.stmt(stmt, function)).collect()
    }

    fn stmt(&mut self, stmt: &hir::Stmt, function: &hir::Function) -> Stmt {
        self.scope.enter();
        let stmt = self.stmt_here(stmt, function);
        self.scope.levels -= 1;
        stmt
    }

    fn stmt_here(&mut self, stmt: &hir::Stmt, function: &hir::Function) -> Stmt {
        let kind = match &stmt.kind {
            hir::StmtKind::Block(stmts) => StmtKind::Block(self.stmts(stmts, function)),
            hir::StmtKind::Expr(expr) => StmtKind::Expr(self.whole(expr)),
            hir::StmtKind::Declare { local, init } => {
                self.declare(*local, init.as_ref(), function, stmt.span)
            }
            hir::StmtKind::If {
                cond,
                then,
                otherwise,
            } => StmtKind::If {
                cond: self.whole(cond),
                then: Box::new(self.stmt(then, function)),
                otherwise: otherwise.as_ref().map(|stmt| Box::new(self.stmt(stmt, function))),
            },
            hir::StmtKind::While { cond, body, .. } => StmtKind::Loop {
                cond: Some(self.whole(cond)),
                step: None,
                body: Box::new(self.stmt(body, function)),
                tests_last: false,
            },
            hir::StmtKind::DoWhile { body, cond, .. } => StmtKind::Loop {
                body: Box::new(self.stmt(body, function)),
                cond: Some(self.whole(cond)),
                step: None,
                tests_last: true,
            },
            hir::StmtKind::For {
                init,
                cond,
                step,
                body,
                ..
            } => {
                let mut stmts = self.stmts(init, function);
                let kind = StmtKind::Loop {
                    cond: cond.as_ref().map(|cond| self.whole(cond)),
                    step: step.as_ref().map(|step| self.whole(step)),
                    body: Box::new(self.stmt(body, function)),
                    tests_last: false,
                };
                stmts.push(stmt_of(kind));
                StmtKind::Block(stmts)
            }
            hir::StmtKind::Switch { value, arms } => {
                let kind = Kind::of(&value.ty, self.unit.pointer_bytes);
                StmtKind::Switch {
                    value: self.whole(value),
                    kind,
                    arms: arms
                        .iter()
                        .map(|arm| Arm {
                            values: arm
                                .values
                                .iter()
                                .map(|value| super::number::cut(*value as u64, kind))
                                .collect(),
                            is_default: arm.is_default,
                            body: self.stmts(&arm.body, function),
                        })
                        .collect(),
                }
            }
            hir::StmtKind::Break => StmtKind::Break,
            hir::StmtKind::Continue => StmtKind::Continue,
            hir::StmtKind::Return(value) => StmtKind::Return(value.as_ref().map(|value| self.whole(value))),
            hir::StmtKind::Label(label) => StmtKind::Label(self.label(label.0)),
            hir::StmtKind::Goto(label) => StmtKind::Goto(self.label(label.0)),
        };
        stmt_of(kind)
    }

    fn label(&mut self, label: u32) -> u32 {
        let num = self.scope.labels.len() as u32;
        *self.scope.labels.entry(label).or_insert(num)
    }

    fn declare(
        &mut self,
        id: LocalId,
        init: Option<&Init>,
        function: &hir::Function,
        span: Span,
    ) -> StmtKind {
        let unit = self.unit;
        let local = function.local(id);
        let variable = self.scope.variables[id.0 as usize];
        let size = unit.size_of(&local.ty) as u32;
        match (init, variable) {
            (_, Variable::Shared(_)) => StmtKind::Block(Vec::new()),
            (None, Variable::Registers { row, len }) => StmtKind::Forget { row, len },
            (None, Variable::Frame(offset)) => StmtKind::Fill {
                offset,
                size,
                is_zero: false,
            },
            (Some(Init::Value(value)), _) => {
                let place = hir::Place {
                    kind: PlaceKind::Local(id),
                    ty: local.ty.clone(),
                    is_volatile: false,
                    span,
                };
                self.scope.next_row = self.scope.first_temporary;
                StmtKind::Expr(self.assign(&place, value, span))
            }
            (Some(Init::Parts { .. }), Variable::Registers { .. }) => {
                self.scope.in_memory.insert(id.0);
                StmtKind::Block(Vec::new())
            }
            (Some(Init::Parts { zero_rest, parts }), Variable::Frame(offset)) => {
                let fill = StmtKind::Fill {
                    offset,
                    size,
                    is_zero: *zero_rest,
                };
                let mut stmts = vec![stmt_of(fill)];
                for (at, value) in parts {
                    self.scope.next_row = self.scope.first_temporary;
                    let address = self.frame_address(offset, span);
                    let ty = &value.ty;
                    let value = self.expr(value);
                    let store = self.write(
                        Target::Memory {
                            address,
                            offset: u64::from(*at),
                        },
                        ty,
                        value,
                        span,
                    );
                    stmts.push(stmt_of(StmtKind::Expr(store)));
                }
                StmtKind::Block(stmts)
            }
        }
    }

    fn frame_address(&mut self, offset: u32, span: Span) -> Expr {
        Expr {
            op: Op::FrameAddress(offset),
            row: self.rows(1),
            len: 1,
            span,
        }
    }

    /// An expression used as a statement.
    fn whole(&mut self, expr: &hir::Expr) -> Expr {
        self.scope.next_row = self.scope.first_temporary;
        self.expr(expr)
    }

    fn global(&mut self, id: GlobalId, span: Span) -> Expr {
        let unit = self.unit;
        let global = unit.global(id);
        match global.space {
            GlobalSpace::Constant | GlobalSpace::Device => {
                let address = self.globals.addresses[id.0 as usize];
                self.pool_expr(Pooled::Const(address), span)
            }
            GlobalSpace::Shared | GlobalSpace::DynamicShared => {
                let is_dynamic = global.space == GlobalSpace::DynamicShared;
                let row = self.shared_row((u32::MAX, id.0), &global.ty, global.align, is_dynamic);
                Expr {
                    op: Op::Ready,
                    row,
                    len: 1,
                    span,
                }
            }
            GlobalSpace::Texture => {
                let address = if let Some(address) = self.textures.get(&id.0) {
                    *address
                } else {
                    let offset = self.constant.place(u64::from(unit.pointer_bytes), 16, WRITTEN);
                    let address = self.windows.constant + u64::from(offset);
                    self.textures.insert(id.0, address);
                    self.code.textures.push(address);
                    address
                };
                self.pool_expr(Pooled::Const(address), span)
            }
        }
    }

    fn place(&mut self, place: &hir::Place) -> Target {
        match &place.kind {
            PlaceKind::Local(id) => match self.scope.variables[id.0 as usize] {
                Variable::Registers { row, len } => Target::Registers { row, len },
                Variable::Frame(offset) => Target::Memory {
                    address: self.frame_address(offset, place.span),
                    offset: 0,
                },
                Variable::Shared(row) => Target::Memory {
                    address: Expr {
                        op: Op::Ready,
                        row,
                        len: 1,
                        span: place.span,
                    },
                    offset: 0,
                },
            },
            PlaceKind::Global(id) => Target::Memory {
                address: self.global(*id, place.span),
                offset: 0,
            },
            PlaceKind::Deref(pointer) => Target::Memory {
                address: self.expr(pointer),
                offset: 0,
            },
            PlaceKind::Field { base, field, offset } => match self.place(base) {
                Target::Registers { row, .. } => {
                    let (before, len) = self.field_rows(&base.ty, *field);
                    Target::Registers {
                        row: row + before,
                        len,
                    }
                }
                Target::Memory { address, offset: at } => Target::Memory {
                    address,
                    offset: at + u64::from(*offset),
                },
            },
        }
    }

    /// The first row of a field relative to its aggregate, and the number of rows.
    fn field_rows(&self, whole: &Type, field: u32) -> (u32, u32) {
        let fields = self.unit.fields(whole);
        let num = |ty: &Type| leaves(self.unit, ty).len() as u32;
        let before = fields.iter().take(field as usize).map(|(ty, _)| num(ty)).sum();
        (before, fields.get(field as usize).map_or(0, |(ty, _)| num(ty)))
    }
}

fn has_array(unit: &Unit, ty: &Type) -> bool {
    match ty {
        Type::Array(..) => true,
        Type::Struct(_) => unit.fields(ty).iter().any(|(field, _)| has_array(unit, field)),
        _ => false,
    }
}

fn stmt_of(kind: StmtKind) -> Stmt {
    let labels = match &kind {
        StmtKind::Block(stmts) => stmts.iter().flat_map(|stmt| stmt.labels.clone()).collect(),
        StmtKind::If { then, otherwise, .. } => {
            let otherwise = otherwise.iter().flat_map(|stmt| stmt.labels.clone());
            then.labels.iter().copied().chain(otherwise).collect()
        }
        StmtKind::Loop { body, .. } => body.labels.clone(),
        StmtKind::Switch { arms, .. } => arms
            .iter()
            .flat_map(|arm| &arm.body)
            .flat_map(|stmt| stmt.labels.clone())
            .collect(),
        StmtKind::Label(label) => vec![*label],
        _ => Vec::new(),
    };
    Stmt { kind, labels }
}
