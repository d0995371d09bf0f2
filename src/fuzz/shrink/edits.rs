//! The edits that make a program smaller.

use super::super::tree::{
    Arg, Base, Expr, Function, Inlining, LoopKind, Program, Ret, Stmt, Ty, Unroll, VarTy,
};
use super::super::walk;

/// One edit of a program.
pub(super) type Edit = Box<dyn Fn(&mut Program)>;

/// Returns all edits of one kind.
type Pass = fn(&Program) -> Vec<Edit>;

pub(super) const PASSES: [Pass; 6] = [launches, removals, unwrapped, details, operands, types];

fn each_function(program: &mut Program, visit: &mut dyn FnMut(&mut Function)) {
    program.functions.iter_mut().for_each(&mut *visit);
    visit(&mut program.kernel);
}

fn each_list(program: &mut Program, visit: &mut dyn FnMut(&mut Vec<Stmt>)) {
    each_function(program, &mut |function| {
        walk::each_list(&mut function.body, visit);
    });
}

/// Changes the list with the given number.
fn with_list(number: usize, change: impl Fn(&mut Vec<Stmt>) + 'static) -> Edit {
    Box::new(move |program| {
        let mut at = 0;
        // The lists nested in the changed list are counted too, which has no effect after the change.
        each_list(program, &mut |list| {
            at += 1;
            if at == number + 1 {
                change(list);
            }
        });
    })
}

fn lists(program: &Program) -> Vec<Vec<Stmt>> {
    let mut out = Vec::new();
    each_list(&mut program.clone(), &mut |list| out.push(list.clone()));
    out
}

/// Returns edits with fewer threads, blocks, and values.
fn launches(program: &Program) -> Vec<Edit> {
    let mut out = Vec::new();
    let mut with = |change: Edit| out.push(change);
    if program.shape.blocks > 1 {
        with(Box::new(move |program| program.shape.blocks = 1));
    }
    let is_warp_wide = program.has_warp_operations();
    for threads in [8, 16, 32] {
        if threads < program.shape.threads && (threads == 32 || !is_warp_wide) {
            with(Box::new(move |program| program.shape.threads = threads));
        }
    }
    if program.shape.n != 0 {
        with(Box::new(move |program| program.shape.n = 0));
    }
    if program.shape.m != 0 {
        with(Box::new(move |program| program.shape.m = 0));
    }
    if program.shape.input.iter().any(|value| *value != 0) {
        with(Box::new(move |program| program.shape.input.fill(0)));
    }
    for idx in 0..program.functions.len() {
        if program.functions[idx].inlining != Inlining::Unsaid {
            with(Box::new(move |program| {
                program.functions[idx].inlining = Inlining::Unsaid;
            }));
        }
        if !program.functions[idx].body.is_empty() && program.functions[idx].result_struct.is_none() {
            with(Box::new(move |program| program.functions[idx].body.clear()));
        }
    }
    out
}

/// Returns edits that remove statements: many at once, then fewer.
fn removals(program: &Program) -> Vec<Edit> {
    let mut out = Vec::new();
    for (number, list) in lists(program).iter().enumerate() {
        let mut len = list.len();
        while len > 0 {
            for start in (0..list.len()).step_by(len) {
                let end = (start + len).min(list.len());
                out.push(with_list(number, move |list| {
                    list.drain(start..end.min(list.len()));
                }));
            }
            len /= 2;
        }
    }
    out
}

/// Returns edits that replace statements with their nested statements.
fn unwrapped(program: &Program) -> Vec<Edit> {
    let mut out = Vec::new();
    for (number, list) in lists(program).iter().enumerate() {
        for (idx, stmt) in list.iter().enumerate() {
            let mut parts: Vec<Vec<Stmt>> = Vec::new();
            walk::lists_of(&mut stmt.clone(), &mut |list| parts.push(list.clone()));
            for part in parts {
                out.push(with_list(number, move |list| {
                    list.splice(idx..=idx, part.clone());
                }));
            }
            if let Stmt::If(cond, then, Some(otherwise)) = stmt {
                for only in [then, otherwise] {
                    let only = Stmt::If(cond.clone(), only.clone(), None);
                    out.push(with_list(number, move |list| list[idx] = only.clone()));
                }
            }
        }
    }
    out
}

/// Returns edits that simplify parts of statements.
fn details(program: &Program) -> Vec<Edit> {
    let mut out = Vec::new();
    for (number, list) in lists(program).iter().enumerate() {
        for (idx, stmt) in list.iter().enumerate() {
            for smaller in simpler_statements(stmt) {
                out.push(with_list(number, move |list| list[idx] = smaller.clone()));
            }
        }
    }
    out
}

fn simpler_statements(stmt: &Stmt) -> Vec<Stmt> {
    match stmt {
        Stmt::Loop {
            kind,
            var,
            turns,
            cond,
            body,
            unroll,
        } => {
            let with = |kind, turns, unroll| Stmt::Loop {
                kind,
                var: *var,
                turns,
                cond: cond.clone(),
                body: body.clone(),
                unroll,
            };
            let mut out = Vec::new();
            if *kind != LoopKind::Count {
                out.push(with(LoopKind::Count, *turns, *unroll));
            }
            if !matches!(kind, LoopKind::Count | LoopKind::While) {
                out.push(with(LoopKind::While, *turns, *unroll));
            }
            if let LoopKind::CountTo {
                base,
                step,
                inclusive,
            } = *kind
            {
                let plain = |base, step, inclusive| LoopKind::CountTo {
                    base,
                    step,
                    inclusive,
                };
                for simpler in [
                    plain(Base::Zero, step, inclusive),
                    plain(base, 1, inclusive),
                    plain(base, step, false),
                ] {
                    if simpler != *kind {
                        out.push(with(simpler, *turns, *unroll));
                    }
                }
            }
            if *unroll != Unroll::Unsaid {
                out.push(with(*kind, *turns, Unroll::Unsaid));
            }
            for fewer in [1, 2, *turns / 2] {
                if fewer < *turns {
                    out.push(with(*kind, fewer, *unroll));
                }
            }
            out
        }
        Stmt::Fuel(var, turns) if *turns > 1 => vec![Stmt::Fuel(*var, turns - 1)],
        Stmt::Switch(value, arms) => {
            let mut out = Vec::new();
            for arm in 0..arms.len() {
                let mut fewer = arms.clone();
                fewer.remove(arm);
                out.push(Stmt::Switch(value.clone(), fewer));
                if arms[arm].0.len() > 1 {
                    for label in 0..arms[arm].0.len() {
                        let mut fewer = arms.clone();
                        fewer[arm].0.remove(label);
                        out.push(Stmt::Switch(value.clone(), fewer));
                    }
                }
            }
            out
        }
        Stmt::Assign(place, Some(_), value) => vec![Stmt::Assign(place.clone(), None, value.clone())],
        Stmt::Declare(id, Some(_)) => vec![Stmt::Declare(*id, None)],
        Stmt::Exchange { place, value, .. } | Stmt::Warp { place, value, .. } => {
            vec![Stmt::Assign(place.clone(), None, value.clone())]
        }
        Stmt::Checksum(ids) => (0..ids.len())
            .map(|idx| {
                let mut fewer = ids.clone();
                fewer.remove(idx);
                Stmt::Checksum(fewer)
            })
            .collect(),
        _ => Vec::new(),
    }
}

fn each_expr(program: &mut Program, visit: &mut dyn FnMut(&mut Expr)) {
    each_function(program, &mut |function| walk::all_exprs(function, visit));
}

/// Returns edits that replace expressions with constants or operands.
fn operands(program: &Program) -> Vec<Edit> {
    let mut all = Vec::new();
    each_expr(&mut program.clone(), &mut |e| all.push(e.clone()));
    let mut out: Vec<Edit> = Vec::new();
    for (number, e) in all.iter().enumerate() {
        for smaller in simpler_expressions(e) {
            out.push(Box::new(move |program: &mut Program| {
                let mut at = 0;
                each_expr(program, &mut |e| {
                    at += 1;
                    if at == number + 1 {
                        *e = smaller.clone();
                    }
                });
            }));
        }
    }
    out
}

fn simpler_expressions(e: &Expr) -> Vec<Expr> {
    let zero = || Expr::int(0);
    let of = |parts: &[&Expr]| -> Vec<Expr> {
        let mut out = vec![zero(), Expr::int(1)];
        out.extend(parts.iter().map(|part| (*part).clone()));
        out
    };
    match e {
        Expr::Const(Ty::I32, 0) => Vec::new(),
        Expr::Const(Ty::I32, _) => vec![zero()],
        Expr::Const(_, value) => vec![zero(), Expr::int((*value).clamp(-99, 99))],
        Expr::Place(_) | Expr::Builtin(_) | Expr::Step { .. } => of(&[]),
        Expr::Input(e) | Expr::Unary(_, e) | Expr::Cast(_, e) | Expr::Assign(_, e) => of(&[e]),
        Expr::Binary(_, l, r) | Expr::Compare(_, l, r) | Expr::Logical(_, l, r) | Expr::Comma(l, r) => {
            of(&[l, r])
        }
        Expr::Cond(c, l, r) => of(&[c, l, r]),
        Expr::Call(_, args) => {
            let mut out = of(&[]);
            out.extend(args.iter().filter_map(|arg| match arg {
                Arg::Value(e) => Some(e.clone()),
                _ => None,
            }));
            out
        }
    }
}

/// Returns edits with simpler types and without unused parts of functions.
fn types(program: &Program) -> Vec<Edit> {
    let mut out: Vec<Edit> = Vec::new();
    let num = program.functions.len();
    for number in 0..=num {
        let mut with = |change: Box<dyn Fn(&mut Function)>| {
            out.push(Box::new(move |program| {
                change(if number < num {
                    &mut program.functions[number]
                } else {
                    &mut program.kernel
                });
            }));
        };
        let function = if number < num {
            &program.functions[number]
        } else {
            &program.kernel
        };
        for (id, var) in function.vars.iter().enumerate() {
            if let VarTy::Scalar(ty) = var.ty
                && ty != Ty::I32
            {
                with(Box::new(move |function| {
                    function.vars[id].ty = VarTy::Scalar(Ty::I32);
                }));
            }
            if let VarTy::Array(ty, len) = var.ty
                && (ty != Ty::I32 || len > 4)
            {
                with(Box::new(move |function| {
                    function.vars[id].ty = VarTy::Array(Ty::I32, 4);
                }));
            }
            if matches!(var.ty, VarTy::Array(..) | VarTy::Struct(_)) && id >= function.num_params {
                with(Box::new(move |function| {
                    function.vars[id].ty = VarTy::Scalar(Ty::I32);
                }));
            }
        }
        if let Ret::Scalar(ty) = function.ret
            && ty != Ty::I32
        {
            with(Box::new(move |function| function.ret = Ret::Scalar(Ty::I32)));
        }
    }
    out
}
