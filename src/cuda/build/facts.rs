//! Facts about functions that the translation needs in advance: which variables are set only once, which
//! functions are recursive, and which become too long if all their calls are inlined.

use std::collections::BTreeMap;

use super::hir::{
    Expr, ExprKind, FuncId, Function, FunctionKind, Init, Inlining, LocalId, Place, PlaceKind, Stmt,
    StmtKind, Storage, Type, Unit,
};

/// Facts about the functions that a kernel reaches.
pub(super) struct Facts {
    functions: Vec<Option<FunctionFacts>>,
}

struct FunctionFacts {
    assigned: Vec<bool>,
    once: Vec<bool>,
    recursive: bool,
    /// Whether the function is called because inlining it would make a caller too long.
    is_too_long: bool,
    callees: Vec<FuncId>,
    /// Number of calls of each callee.
    num_calls: Vec<u64>,
    /// Number of its own statements and expressions; after lengths are limited, including inlined code.
    weight: u64,
}

/// Statements and expressions that an inlined call adds to its caller.
const CALL_WEIGHT: u64 = 50;
/// Maximum statements and expressions of a function, including inlined code. The longest of 744 public kernels
/// has 61,000.
const MAX_WEIGHT: u64 = 130_000;
/// Maximum of their sum over a kernel and all functions that it calls.
const MAX_TOTAL: u64 = 400_000;

impl Facts {
    pub(super) fn of(unit: &Unit, kernel: FuncId) -> Self {
        let mut facts = Self {
            functions: unit.functions.iter().map(|_| None).collect(),
        };
        let mut work = vec![kernel];
        while let Some(id) = work.pop() {
            if facts.functions[id.0 as usize].is_some() {
                continue;
            }
            let found = gather(unit.function(id));
            work.extend(&found.callees);
            facts.functions[id.0 as usize] = Some(found);
        }
        let reached: Vec<_> = (0..unit.functions.len())
            .filter(|index| facts.functions[*index].is_some())
            .collect();
        let callees: Vec<Vec<u32>> = (0..unit.functions.len() as u32)
            .map(|id| facts.callees(FuncId(id)).iter().map(|callee| callee.0).collect())
            .collect();
        let on_cycles = crate::ir::flow::cycles::on_cycles(&callees);
        for index in reached {
            if let Some(found) = &mut facts.functions[index] {
                found.recursive = on_cycles[index];
            }
        }
        facts.limit_lengths(unit, kernel);
        facts
    }

    /// Sums up inlined code, callees first. In a function that is too long, the callees that add the most are
    /// called instead.
    fn limit_lengths(&mut self, unit: &Unit, kernel: FuncId) {
        let mut seen = vec![false; self.functions.len()];
        let mut work = vec![(kernel, false)];
        while let Some((id, has_callees)) = work.pop() {
            if has_callees {
                self.limit_length(unit, id);
            } else if !std::mem::replace(&mut seen[id.0 as usize], true) {
                work.push((id, true));
                work.extend(self.callees(id).iter().map(|callee| (*callee, false)));
            }
        }
    }

    fn limit_length(&mut self, unit: &Unit, id: FuncId) {
        let Some(facts) = &self.functions[id.0 as usize] else {
            return;
        };
        let own = facts.weight;
        let mut inlined: Vec<(u64, FuncId)> = (facts.callees.iter().zip(&facts.num_calls))
            .filter(|(callee, _)| !self.is_called(unit, **callee))
            .map(|(callee, num)| (num.saturating_mul(self.weight(*callee) + CALL_WEIGHT), *callee))
            .collect();
        inlined.sort_unstable();
        let sum = |inlined: &[(u64, FuncId)]| {
            let all = inlined.iter().map(|(weight, _)| *weight);
            all.fold(own, u64::saturating_add)
        };
        while sum(&inlined) > MAX_WEIGHT
            && let Some((_, callee)) = inlined.pop()
        {
            if let Some(facts) = &mut self.functions[callee.0 as usize] {
                facts.is_too_long = true;
            }
        }
        let weight = sum(&inlined);
        if let Some(facts) = &mut self.functions[id.0 as usize] {
            facts.weight = weight;
        }
    }

    /// The error for a kernel that is too long to compile, with all functions that it calls.
    pub(super) fn excess(&self, unit: &Unit, kernel: FuncId) -> Option<String> {
        let ids = (0..self.functions.len()).map(|idx| FuncId(idx as u32));
        let own = ids.filter(|id| *id == kernel || self.is_called(unit, *id));
        let total = own.map(|id| self.weight(id)).fold(0, u64::saturating_add);
        (total > MAX_TOTAL).then(|| {
            format!(
                "`{}` and the functions that it calls have {total} statements and expressions, once for each call; \
                 at most {MAX_TOTAL} are compiled. Call fewer functions, or templates with smaller arguments.",
                unit.function(kernel).name
            )
        })
    }

    fn weight(&self, id: FuncId) -> u64 {
        let facts = self.functions[id.0 as usize].as_ref();
        facts.map_or(0, |facts| facts.weight)
    }

    fn callees(&self, id: FuncId) -> &[FuncId] {
        self.functions[id.0 as usize]
            .as_ref()
            .map_or(&[], |facts| &facts.callees)
    }

    /// Whether a variable is set only at its declaration and its address is not taken.
    pub(super) fn is_set_once(&self, id: FuncId, local: LocalId) -> bool {
        self.functions[id.0 as usize]
            .as_ref()
            .is_some_and(|facts| facts.once[local.0 as usize])
    }

    /// Whether a variable, or a part of it, is assigned by name.
    pub(super) fn is_assigned(&self, id: FuncId, local: LocalId) -> bool {
        self.functions[id.0 as usize]
            .as_ref()
            .is_none_or(|facts| facts.assigned[local.0 as usize])
    }

    /// Whether a function must be called instead of inlined.
    pub(super) fn is_called(&self, unit: &Unit, id: FuncId) -> bool {
        let function = unit.function(id);
        function.kind == FunctionKind::Device
            && (function.inlining == Inlining::Never
                || self.functions[id.0 as usize]
                    .as_ref()
                    .is_some_and(|facts| facts.recursive || facts.is_too_long))
    }
}

fn gather(function: &Function) -> FunctionFacts {
    let mut walk = Walk {
        assigned: vec![false; function.locals.len()],
        escaped: vec![false; function.locals.len()],
        declared: vec![0; function.locals.len()],
        callees: BTreeMap::new(),
        weight: 1,
    };
    for index in 0..function.num_params as usize {
        walk.declared[index] = 1;
    }
    walk.stmts(&function.body);
    let once = function.locals.iter().enumerate().map(|(index, local)| {
        local.storage == Storage::Automatic
            && !local.is_volatile
            && !walk.escaped[index]
            && !walk.assigned[index]
            && walk.declared[index] == 1
            && !matches!(local.ty, super::hir::Type::Array(..))
    });
    FunctionFacts {
        once: once.collect(),
        assigned: walk.assigned,
        recursive: false,
        is_too_long: false,
        callees: walk.callees.keys().copied().collect(),
        num_calls: walk.callees.into_values().collect(),
        weight: walk.weight,
    }
}

struct Walk {
    assigned: Vec<bool>,
    escaped: Vec<bool>,
    declared: Vec<u32>,
    /// The callees, with the number of calls.
    callees: BTreeMap<FuncId, u64>,
    weight: u64,
}

impl Walk {
    fn stmts(&mut self, stmts: &[Stmt]) {
        for stmt in stmts {
            self.stmt(stmt);
        }
    }

    fn stmt(&mut self, stmt: &Stmt) {
        self.weight += 1;
        match &stmt.kind {
            StmtKind::Block(stmts) => self.stmts(stmts),
            StmtKind::Expr(expr) => self.expr(expr),
            StmtKind::Declare { local, init } => {
                let index = local.0 as usize;
                match init {
                    Some(Init::Value(value)) => {
                        self.declared[index] += 1;
                        self.expr(value);
                    }
                    Some(Init::Parts { parts, .. }) => {
                        self.assigned[index] = true;
                        for (_, value) in parts {
                            self.expr(value);
                        }
                    }
                    None => self.assigned[index] = true,
                }
            }
            StmtKind::If {
                cond,
                then,
                otherwise,
            } => {
                self.expr(cond);
                self.stmt(then);
                if let Some(stmt) = otherwise {
                    self.stmt(stmt);
                }
            }
            StmtKind::While { cond, body, .. } | StmtKind::DoWhile { cond, body, .. } => {
                self.expr(cond);
                self.stmt(body);
            }
            StmtKind::For {
                init,
                cond,
                step,
                body,
                ..
            } => {
                self.stmts(init);
                cond.iter().chain(step).for_each(|expr| self.expr(expr));
                self.stmt(body);
            }
            StmtKind::Switch { value, arms } => {
                self.expr(value);
                for arm in arms {
                    self.stmts(&arm.body);
                }
            }
            StmtKind::Return(value) => value.iter().for_each(|value| self.expr(value)),
            StmtKind::Break | StmtKind::Continue | StmtKind::Label(_) | StmtKind::Goto(_) => {}
        }
    }

    fn write(&mut self, place: &Place) {
        if let Some(local) = root(place) {
            self.assigned[local.0 as usize] = true;
        }
        self.place(place);
    }

    fn place(&mut self, place: &Place) {
        match &place.kind {
            PlaceKind::Local(_) | PlaceKind::Global(_) => {}
            PlaceKind::Deref(pointer) => self.element(pointer),
            PlaceKind::Field { base, .. } => self.place(base),
        }
    }

    /// A pointer that is only dereferenced: an array element accessed by index does not let the array's address
    /// escape.
    fn element(&mut self, pointer: &Expr) {
        match &pointer.kind {
            ExprKind::PtrAdd { ptr, index, .. } => {
                self.expr(index);
                self.element(ptr);
            }
            ExprKind::AddressOf(place) => {
                if let Some(local) = root(place) {
                    self.escaped[local.0 as usize] = true;
                }
                self.place(place);
            }
            _ => self.expr(pointer),
        }
    }

    fn expr(&mut self, expr: &Expr) {
        self.weight += 1;
        match &expr.kind {
            ExprKind::Const(_) => {}
            ExprKind::Load(place) => self.place(place),
            ExprKind::AddressOf(place) => {
                if let Some(local) = root(place) {
                    self.escaped[local.0 as usize] = true;
                    // A pointer to non-const memory allows writes through it.
                    if !matches!(&expr.ty, Type::Pointer(pointer) if pointer.is_const) {
                        self.assigned[local.0 as usize] = true;
                    }
                }
                self.place(place);
            }
            ExprKind::Assign { place, value } | ExprKind::CompoundAssign { place, value, .. } => {
                self.write(place);
                self.expr(value);
            }
            ExprKind::PtrAssign { place, index, .. } => {
                self.write(place);
                self.expr(index);
            }
            ExprKind::IncDec { place, .. } => self.write(place),
            ExprKind::Unary { operand, .. } => self.expr(operand),
            ExprKind::Binary { lhs, rhs, .. }
            | ExprKind::Compare { lhs, rhs, .. }
            | ExprKind::Logical { lhs, rhs, .. }
            | ExprKind::PtrDiff { lhs, rhs, .. } => {
                self.expr(lhs);
                self.expr(rhs);
            }
            ExprKind::Conditional {
                cond,
                then,
                otherwise,
            } => {
                self.expr(cond);
                self.expr(then);
                self.expr(otherwise);
            }
            ExprKind::Comma { first, second } => {
                self.expr(first);
                self.expr(second);
            }
            ExprKind::Convert(inner) | ExprKind::Bitcast(inner) => self.expr(inner),
            ExprKind::PtrAdd { ptr, index, .. } => {
                self.expr(ptr);
                self.expr(index);
            }
            ExprKind::Call { function, args } => {
                *self.callees.entry(*function).or_default() += 1;
                for arg in args {
                    self.expr(arg);
                }
            }
            ExprKind::Builtin { args, .. } | ExprKind::Aggregate(args) => {
                for arg in args {
                    self.expr(arg);
                }
            }
            ExprKind::Extract { base, .. } => self.expr(base),
        }
    }
}

fn root(place: &Place) -> Option<LocalId> {
    match &place.kind {
        PlaceKind::Local(local) => Some(*local),
        PlaceKind::Field { base, .. } => root(base),
        PlaceKind::Deref(pointer) => element_root(pointer),
        PlaceKind::Global(_) => None,
    }
}

fn element_root(pointer: &Expr) -> Option<LocalId> {
    match &pointer.kind {
        ExprKind::PtrAdd { ptr, .. } => element_root(ptr),
        ExprKind::AddressOf(place) => root(place),
        _ => None,
    }
}
