//! Prints programs as CUDA C++, with the code that keeps operations defined.

mod expr;
mod range;

use std::collections::BTreeSet;
use std::fmt::Write as _;

use super::tree::{
    Arg, Atomic, Base, Expr, Function, Inlining, LoopKind, Place, Program, Ret, Stmt, Ty, Unroll, VarId,
    VarTy, WarpOp,
};
use super::walk;

/// Parameters that functions receive if they need them.
const CONTEXT: [(&str, &str); 5] = [
    ("unsigned *", "o"),
    ("const int *", "a"),
    ("unsigned *", "g"),
    ("int ", "n"),
    ("unsigned ", "m"),
];

impl Program {
    /// Returns the program as CUDA C++.
    pub fn source(&self) -> String {
        let mut needs: Vec<BTreeSet<usize>> = Vec::new();
        for (idx, function) in self.functions.iter().enumerate() {
            let own = needed(function, &needs, idx);
            needs.push(own);
        }
        let mut out = String::new();
        let has_structs =
            |function: &Function| function.vars.iter().any(|var| matches!(var.ty, VarTy::Struct(_)));
        let has_structs = self.functions.iter().chain([&self.kernel]).any(has_structs);
        for (idx, fields) in self.structs.iter().enumerate().filter(|_| has_structs) {
            let fields: Vec<String> = fields
                .iter()
                .enumerate()
                .map(|(field, ty)| format!("{} m{field};", ty.text()))
                .collect();
            let _ = writeln!(out, "struct S{idx} {{ {} }};", fields.join(" "));
        }
        let mut code = String::new();
        let used = self.called();
        for (idx, function) in self
            .functions
            .iter()
            .enumerate()
            .filter(|(idx, _)| used.contains(idx))
        {
            code += &print_function(self, function, Some(idx), &needs);
        }
        code += &print_function(self, &self.kernel, None, &needs);
        for (name, ty) in [("f2i", "float"), ("d2i", "double")] {
            if code.contains(&format!("{name}(")) {
                let _ = writeln!(
                    out,
                    "__device__ int {name}({ty} x) {{ return x > -30000 && x < 30000 ? (int)x : 77; }}"
                );
            }
        }
        if let Some(unit) = &self.cpp {
            out += &unit.items_text();
        }
        out + &code
    }
}

impl Program {
    /// Returns the functions that the kernel calls, directly or indirectly.
    fn called(&self) -> BTreeSet<usize> {
        let mut out = BTreeSet::new();
        let mut rest = vec![&self.kernel];
        while let Some(function) = rest.pop() {
            walk::all_exprs(&mut function.clone(), &mut |e| {
                if let Expr::Call(idx, _) = e
                    && out.insert(*idx)
                {
                    rest.push(&self.functions[*idx]);
                }
            });
        }
        out
    }
}

/// Returns the indices in `CONTEXT` that a function or its callees need.
fn needed(function: &Function, callees: &[BTreeSet<usize>], idx: usize) -> BTreeSet<usize> {
    let mut needs = BTreeSet::new();
    let mut function = function.clone();
    walk::each_stmt(&mut function.body, &mut |stmt| {
        if matches!(stmt, Stmt::Atomic(..)) {
            needs.insert(2);
        }
        if matches!(walk::place_of(stmt), Some(Place::Own(_))) || matches!(stmt, Stmt::Checksum(_)) {
            needs.insert(0);
        }
    });
    walk::all_exprs(&mut function, &mut |expr| match expr {
        Expr::Place(Place::Own(_))
        | Expr::Assign(Place::Own(_), _)
        | Expr::Step {
            place: Place::Own(_), ..
        } => {
            needs.insert(0);
        }
        Expr::Input(_) => {
            needs.insert(1);
        }
        Expr::Builtin(super::tree::Builtin::N) => {
            needs.insert(3);
        }
        Expr::Builtin(super::tree::Builtin::M) => {
            needs.insert(4);
        }
        Expr::Call(callee, args) => {
            if *callee != idx
                && let Some(callee) = callees.get(*callee)
            {
                needs.extend(callee);
            }
            let takes_own =
                |arg: &Arg| matches!(arg, Arg::Address(Place::Own(_)) | Arg::Reference(Place::Own(_)));
            if args.iter().any(takes_own) {
                needs.insert(0);
            }
        }
        _ => {}
    });
    needs
}

fn print_function(
    program: &Program,
    function: &Function,
    idx: Option<usize>,
    needs: &[BTreeSet<usize>],
) -> String {
    let mut printer = Printer {
        program,
        function,
        needs,
        out: String::new(),
        indent: 1,
        num_barriers: 0,
    };
    let mut params: Vec<String> = CONTEXT
        .iter()
        .enumerate()
        .filter(|(need, _)| idx.is_none_or(|idx| needs[idx].contains(need)))
        .map(|(_, (ty, name))| format!("{ty}{name}"))
        .collect();
    if function.recursive {
        params.push("int d".to_owned());
    }
    params.extend((0..function.num_params).map(|param| printer.declarator(param)));
    let params = params.join(", ");
    let head = match idx {
        None => format!("__global__ void k({params}) {{\n"),
        Some(idx) => {
            let ret = match function.ret {
                Ret::Void => "void".to_owned(),
                Ret::Scalar(ty) => ty.text().to_owned(),
                Ret::Struct(idx) => format!("S{idx}"),
            };
            let inlining = match function.inlining {
                Inlining::Unsaid => "",
                Inlining::Never => "__noinline__ ",
                Inlining::Always => "__forceinline__ ",
            };
            format!("__device__ {inlining}{ret} f{idx}({params}) {{\n")
        }
    };
    printer.shared_variables();
    if idx.is_none() {
        printer.line("o += (blockIdx.x * blockDim.x + threadIdx.x) * 16;");
    }
    if function.recursive {
        let result = printer.returned(None);
        printer.line(&format!("if (d <= 0) {result}"));
    }
    printer.stmts(&function.body);
    if function.ret != Ret::Void {
        let result = printer.returned(function.result.as_ref());
        printer.line(&result);
    }
    if let Some(unit) = program.cpp.as_ref().filter(|_| idx.is_none()) {
        // Braces separate the names, because both parts number theirs.
        printer.out += &format!("  {{\n{}  }}\n", unit.body_text());
    }
    head + &printer.out + "}\n"
}

struct Printer<'a> {
    program: &'a Program,
    function: &'a Function,
    needs: &'a [BTreeSet<usize>],
    out: String,
    indent: usize,
    num_barriers: usize,
}

impl Printer<'_> {
    fn line(&mut self, text: &str) {
        for _ in 0..self.indent {
            self.out += "  ";
        }
        self.out += text;
        self.out.push('\n');
    }

    /// Appends to the last line.
    fn append(&mut self, text: &str) {
        if self.out.ends_with('\n') {
            self.out.pop();
        }
        self.out += text;
        self.out.push('\n');
    }

    fn name(&self, id: VarId) -> String {
        if self.function.vars[id].fixed && id >= self.function.num_params {
            format!("i{id}")
        } else {
            format!("v{id}")
        }
    }

    fn declarator(&self, id: VarId) -> String {
        let name = self.name(id);
        match self.function.vars[id].ty {
            VarTy::Scalar(ty) => format!("{} {name}", ty.text()),
            VarTy::Array(ty, len) => format!("{} {name}[{len}]", ty.text()),
            VarTy::Struct(idx) => format!("S{idx} {name}"),
            VarTy::Pointer(ty) => format!("{} *{name}", ty.text()),
            VarTy::Reference(ty) => format!("{} &{name}", ty.text()),
        }
    }

    fn shared_variables(&mut self) {
        let mut used = BTreeSet::new();
        walk::each_stmt(&mut self.function.body.clone(), &mut |stmt| {
            if let Stmt::Exchange { shared, .. } = stmt {
                used.insert(*shared);
            }
        });
        for idx in used {
            let ty = self.program.shared[idx];
            self.line(&format!(
                "__shared__ {} s{idx}[{}];",
                ty.text(),
                self.program.shape.threads
            ));
        }
        let mut has_counters = false;
        walk::each_stmt(&mut self.function.body.clone(), &mut |stmt| {
            has_counters |= matches!(stmt, Stmt::Counters { .. });
        });
        if has_counters {
            self.line("__shared__ unsigned c[8];");
        }
    }

    /// Prints the return statement.
    fn returned(&self, value: Option<&Expr>) -> String {
        match self.function.ret {
            Ret::Void => "return;".to_owned(),
            Ret::Scalar(ty) => {
                let value = value.map_or_else(|| "0".to_owned(), |value| self.converted(value, ty));
                format!("return {value};")
            }
            Ret::Struct(_) => {
                let id = self.function.result_struct.unwrap_or(0);
                format!("return {};", self.name(id))
            }
        }
    }

    fn stmts(&mut self, stmts: &[Stmt]) {
        for stmt in stmts {
            self.stmt(stmt);
        }
    }

    /// Prints statements in braces after the text of the last line.
    fn body(&mut self, stmts: &[Stmt]) {
        self.append(" {");
        self.indent += 1;
        self.stmts(stmts);
        self.indent -= 1;
        self.line("}");
    }

    fn cond(&self, cond: &Expr) -> String {
        self.expr(cond)
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match stmt {
            Stmt::Declare(id, init) => self.declare(*id, init.as_ref()),
            Stmt::Expr(e) => {
                let text = self.expr(e);
                self.line(&format!("{text};"));
            }
            Stmt::Assign(place, op, value) => {
                let text = self.assignment(place, *op, value);
                self.line(&format!("{text};"));
            }
            Stmt::If(cond, then, otherwise) => {
                let head = format!("if ({})", self.cond(cond));
                self.line(&head);
                self.if_rest(then, otherwise.as_deref());
            }
            Stmt::Loop {
                kind,
                var,
                turns,
                cond,
                body,
                unroll,
            } => self.repeat(*kind, *var, *turns, cond, body, *unroll),
            Stmt::Switch(value, arms) => {
                let head = format!("switch ({})", self.selector(value));
                self.line(&head);
                self.append(" {");
                for (labels, body) in arms {
                    let labels: Vec<String> = labels
                        .iter()
                        .map(|label| label.map_or("default:".to_owned(), |value| format!("case {value}:")))
                        .collect();
                    self.line(&labels.join(" "));
                    let declares = |stmt: &Stmt| {
                        matches!(
                            stmt,
                            Stmt::Declare(..)
                                | Stmt::Loop { .. }
                                | Stmt::Again { .. }
                                | Stmt::Leave(..)
                                | Stmt::Fuel(..)
                                | Stmt::Enter { .. }
                        )
                    };
                    if body.iter().any(declares) {
                        self.body(body);
                    } else {
                        self.indent += 1;
                        self.stmts(body);
                        self.indent -= 1;
                    }
                }
                // A label cannot stand before `}`.
                self.indent += 1;
                self.line(";");
                self.indent -= 1;
                self.line("}");
            }
            Stmt::Block(body) => {
                self.line("");
                self.body(body);
            }
            Stmt::Break => self.line("break;"),
            Stmt::Continue => self.line("continue;"),
            Stmt::Return(value) => {
                let text = self.returned(value.as_ref());
                self.line(&text);
            }
            Stmt::Leave(label, body) => {
                self.line("");
                self.body(body);
                self.line(&format!("L{label}: ;"));
            }
            Stmt::Again {
                label,
                fuel,
                turns,
                body,
            } => {
                let name = self.name(*fuel);
                self.line(&format!("int {name} = {turns};"));
                self.line(&format!("L{label}:"));
                self.body(body);
            }
            Stmt::Goto(label, fuel) => match fuel {
                Some(fuel) => {
                    let name = self.name(*fuel);
                    self.line(&format!("if (--{name} > 0) goto L{label};"));
                }
                None => self.line(&format!("goto L{label};")),
            },
            Stmt::Label(label) => self.line(&format!("L{label}: ;")),
            Stmt::Fuel(fuel, turns) => {
                let name = self.name(*fuel);
                self.line(&format!("int {name} = {turns};"));
            }
            Stmt::Enter {
                label,
                var,
                turns,
                entry,
                cond,
                tests_last,
                first,
                second,
            } => {
                let (i, entry, cond) = (self.name(*var), self.cond(entry), self.cond(cond));
                self.line(&format!("int {i} = {turns};"));
                self.line(&format!("if ({entry}) goto L{label};"));
                if *tests_last {
                    self.line("do {");
                } else {
                    self.line(&format!("while ({i}-- > 0 && ({cond})) {{"));
                }
                self.indent += 1;
                self.line("");
                self.body(first);
                self.line(&format!("L{label}: ;"));
                self.line("");
                self.body(second);
                self.indent -= 1;
                if *tests_last {
                    self.line(&format!("}} while (--{i} > 0 && ({cond}));"));
                } else {
                    self.line("}");
                }
            }
            Stmt::Once(body) => {
                self.line("do");
                self.body(body);
                self.append(" while (0);");
            }
            Stmt::Checksum(ids) => self.checksum(ids),
            _ => self.parallel(stmt),
        }
    }

    /// Prints statements in which threads interact.
    fn parallel(&mut self, stmt: &Stmt) {
        match stmt {
            Stmt::Atomic(op, idx, value) => {
                let idx = self.operand(idx, Ty::I32);
                let value = self.converted(value, Ty::U32);
                let (name, region) = match op {
                    Atomic::Add => ("atomicAdd", 0),
                    Atomic::Or => ("atomicOr", 4),
                    Atomic::And => ("atomicAnd", 8),
                    Atomic::Xor => ("atomicXor", 12),
                    Atomic::MaxSigned => ("atomicMax", 16),
                    Atomic::MinUnsigned => ("atomicMin", 20),
                };
                let text = if *op == Atomic::MaxSigned {
                    format!("{name}((int *)&g[{region} + ({idx} & 3)], (int)({value}));")
                } else {
                    format!("{name}(&g[{region} + ({idx} & 3)], {value});")
                };
                self.line(&text);
            }
            Stmt::SharedAtomic(op, idx, value) => {
                let idx = self.operand(idx, Ty::I32);
                let value = self.converted(value, Ty::U32);
                let (name, region) = match op {
                    Atomic::Add => ("atomicAdd", 0),
                    Atomic::Or | Atomic::And => ("atomicOr", 2),
                    Atomic::Xor => ("atomicXor", 4),
                    Atomic::MaxSigned | Atomic::MinUnsigned => ("atomicMax", 6),
                };
                self.line(&format!("{name}(&c[{region} + ({idx} & 1)], {value});"));
            }
            Stmt::Exchange {
                shared,
                value,
                before,
                place,
                from,
                after,
            } => {
                let ty = self.program.shared[*shared];
                let value = self.converted(value, ty);
                self.line(&format!("s{shared}[threadIdx.x] = {value};"));
                self.stmts(before);
                self.line("__syncthreads();");
                let threads = self.program.shape.threads;
                let from = self.operand(from, Ty::U32);
                let text = format!("s{shared}[(unsigned){from} % {threads}u]");
                self.receive(place, ty, &text);
                self.stmts(after);
                self.line("__syncthreads();");
            }
            Stmt::Counters { body, place, from } => {
                self.line("if (threadIdx.x < 8) c[threadIdx.x] = 0;");
                self.line("__syncthreads();");
                self.stmts(body);
                self.line("__syncthreads();");
                let from = self.operand(from, Ty::I32);
                self.receive(place, Ty::U32, &format!("c[{from} & 7]"));
                self.line("__syncthreads();");
            }
            Stmt::Warp {
                op,
                place,
                value,
                lane,
            } => self.warp(*op, place, value, lane),
            Stmt::Barrier => self.line("__syncthreads();"),
            _ => {}
        }
        self.num_barriers += 1;
    }

    fn warp(&mut self, op: WarpOp, place: &Place, value: &Expr, lane: &Expr) {
        const MASK: &str = "0xffffffffu";
        let (name, is_shuffle) = match op {
            WarpOp::Shuffle => ("__shfl_sync", true),
            WarpOp::ShuffleXor => ("__shfl_xor_sync", true),
            WarpOp::ShuffleUp => ("__shfl_up_sync", true),
            WarpOp::ShuffleDown => ("__shfl_down_sync", true),
            WarpOp::Ballot => ("__ballot_sync", false),
            WarpOp::Any => ("__any_sync", false),
            WarpOp::All => ("__all_sync", false),
        };
        if is_shuffle {
            let mut ty = self.ty(value).promoted();
            if ty == Ty::F64 {
                ty = Ty::F32;
            }
            let value = self.converted(value, ty);
            let lane = self.operand(lane, Ty::I32);
            let text = format!("{name}({MASK}, ({})({value}), {lane} & 31)", ty.text());
            self.receive(place, ty, &text);
        } else {
            let ty = if op == WarpOp::Ballot { Ty::U32 } else { Ty::I32 };
            let value = self.cond(value);
            self.receive(place, ty, &format!("{name}({MASK}, {value})"));
        }
    }

    /// Prints a store of a value of the given type.
    fn receive(&mut self, place: &Place, ty: Ty, text: &str) {
        let small = place.is_small(self.function);
        let to = place.ty(self.program, self.function);
        let value = self.convert_text(text, ty, to, small);
        let place = self.place(place);
        self.line(&format!("{place} = {value};"));
    }

    fn declare(&mut self, id: VarId, init: Option<&Expr>) {
        let head = self.declarator(id);
        let var = self.function.vars[id];
        let text = match var.ty {
            VarTy::Scalar(_) | VarTy::Reference(_) | VarTy::Pointer(_) => {
                let place = Place::Var(id);
                let value = init.map_or_else(|| "0".to_owned(), |init| self.value_for(&place, init));
                format!("{head} = {value};")
            }
            VarTy::Array(ty, len) => {
                let values: Vec<String> = (0..len.min(4))
                    .map(|idx| match (idx, init) {
                        (0, Some(init)) => format!("({})({})", ty.text(), self.converted(init, ty)),
                        _ => (idx + 1).to_string(),
                    })
                    .collect();
                format!("{head} = {{{}}};", values.join(", "))
            }
            VarTy::Struct(idx) => {
                if let Some(Expr::Call(..) | Expr::Place(Place::Var(_))) = init {
                    let value = init.map_or_else(String::new, |init| self.expr(init));
                    format!("{head} = {value};")
                } else {
                    let values: Vec<String> = (1..=self.program.structs[idx].len())
                        .map(|value| value.to_string())
                        .collect();
                    format!("{head} = {{{}}};", values.join(", "))
                }
            }
        };
        self.line(&text);
    }

    fn checksum(&mut self, ids: &[VarId]) {
        let mut sum = "17u".to_owned();
        let mut add = |text: String| sum = format!("({sum}) * 31u + (unsigned){text}");
        for id in ids {
            let name = self.name(*id);
            match self.function.vars[*id].ty {
                VarTy::Scalar(ty) => add(self.convert_text(&name, ty, Ty::U32, false)),
                VarTy::Array(ty, len) => {
                    for idx in 0..len {
                        add(self.convert_text(&format!("{name}[{idx}]"), ty, Ty::U32, false));
                    }
                }
                VarTy::Struct(idx) => {
                    for (field, ty) in self.program.structs[idx].iter().enumerate() {
                        add(self.convert_text(&format!("{name}.m{field}"), *ty, Ty::U32, false));
                    }
                }
                VarTy::Pointer(_) | VarTy::Reference(_) => {}
            }
        }
        self.line(&format!("o[15] ^= {sum};"));
    }

    fn if_rest(&mut self, then: &[Stmt], otherwise: Option<&[Stmt]>) {
        let is_short = |stmts: &[Stmt]| {
            matches!(
                stmts,
                [Stmt::Expr(_) | Stmt::Assign(..) | Stmt::Break | Stmt::Continue | Stmt::Return(_)]
            )
        };
        if is_short(then) {
            self.indent += 1;
            self.stmts(then);
            self.indent -= 1;
        } else {
            self.body(then);
        }
        match otherwise {
            None => {}
            Some([Stmt::If(cond, then, otherwise)]) => {
                let head = format!("else if ({})", self.cond(cond));
                self.line(&head);
                self.if_rest(then, otherwise.as_deref());
            }
            Some(stmts) => {
                self.line("else");
                if is_short(stmts) {
                    self.indent += 1;
                    self.stmts(stmts);
                    self.indent -= 1;
                } else {
                    self.body(stmts);
                }
            }
        }
    }

    fn unroll(&mut self, unroll: Unroll) {
        match unroll {
            Unroll::Unsaid => {}
            Unroll::Full => self.line("#pragma unroll"),
            Unroll::By(n) => self.line(&format!("#pragma unroll {n}")),
        }
    }

    /// Prints the head of a loop that counts to a runtime bound.
    ///
    /// `numbers` provides start, bound, and step. The loop runs at most `turns` iterations, and at least one if the
    /// test is `<=`.
    fn counting_head(
        &self,
        base: Base,
        step: u32,
        inclusive: bool,
        var: VarId,
        turns: u32,
        numbers: &Expr,
    ) -> String {
        let i = self.name(var);
        let (name, least, greatest) = match self.function.vars[var].ty {
            VarTy::Scalar(Ty::U32) => ("unsigned", "0u", "4294967200u"),
            VarTy::Scalar(Ty::I64) => (
                "long long",
                "(-9223372036854775807LL - 1)",
                "9223372036854775700LL",
            ),
            VarTy::Scalar(Ty::U64) => ("unsigned long long", "0ull", "18446744073709551500ull"),
            _ => ("int", "(-2147483647 - 1)", "2147483600"),
        };
        let base = match base {
            Base::Zero => "0",
            Base::Least => least,
            Base::Greatest => greatest,
        };
        let numbers = format!("(unsigned)({})", self.converted(numbers, Ty::U32));
        let (test, bounds) = if inclusive {
            ("<=", turns.max(1))
        } else {
            ("<", turns + 1)
        };
        let step = match step {
            0 => format!("1 + ({name})(({numbers}) / 3u % 4u)"),
            step => step.to_string(),
        };
        format!(
            "for ({name} {i} = {base} + ({name})(({numbers}) % 3u), \
             {i}n = {base} + ({name})(({numbers}) / 2u % {bounds}u), {i}s = {step}; {i} {test} {i}n; {i} += {i}s)"
        )
    }

    fn repeat(&mut self, kind: LoopKind, var: VarId, turns: u32, cond: &Expr, body: &[Stmt], unroll: Unroll) {
        let i = self.name(var);
        let numbers = cond;
        let cond = self.cond(cond);
        let is_for = matches!(
            kind,
            LoopKind::Count | LoopKind::CountTo { .. } | LoopKind::CountDown | LoopKind::CountWhile
        );
        if !is_for && kind != LoopKind::NoStep {
            self.line(&format!("int {i} = {turns};"));
        }
        self.unroll(unroll);
        let (head, first, last) = match kind {
            LoopKind::Count => (format!("for (int {i} = 0; {i} < {turns}; {i}++)"), None, None),
            LoopKind::CountTo {
                base,
                step,
                inclusive,
            } => (
                self.counting_head(base, step, inclusive, var, turns, numbers),
                None,
                None,
            ),
            LoopKind::CountDown => {
                let last = i64::from(turns) - 1;
                (format!("for (int {i} = {last}; {i} >= 0; --{i})"), None, None)
            }
            LoopKind::CountWhile => (
                format!("for (int {i} = 0; {i} < {turns} && ({cond}); {i}++)"),
                None,
                None,
            ),
            LoopKind::NoStep => (
                format!("for (int {i} = 0; {cond}; )"),
                Some(format!("if ({i}++ >= {turns}) break;")),
                None,
            ),
            LoopKind::Endless => (
                "for (;;)".to_owned(),
                Some(format!("if ({i}-- <= 0) break;")),
                Some(format!("if (!({cond})) break;")),
            ),
            LoopKind::While => (format!("while ({i}-- > 0 && ({cond}))"), None, None),
            LoopKind::WhileCondFirst => (format!("while (({cond}) && --{i} > 0)"), None, None),
            LoopKind::DoWhile | LoopKind::DoWhileFuelFirst => ("do".to_owned(), None, None),
        };
        self.line(&head);
        self.append(" {");
        self.indent += 1;
        if let Some(first) = first {
            self.line(&first);
        }
        self.stmts(body);
        if let Some(last) = last {
            self.line(&last);
        }
        self.indent -= 1;
        self.line("}");
        match kind {
            LoopKind::DoWhile => self.append(&format!(" while (({cond}) && --{i} > 0);")),
            LoopKind::DoWhileFuelFirst => self.append(&format!(" while (--{i} > 0 && ({cond}));")),
            _ => {}
        }
    }
}
