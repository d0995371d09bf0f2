//! Control flow: which threads execute which statement.

use super::{buffer, check, check_unit, integers, one_block, unit, unit_for};
use cuda::hir::{LabelId, Stmt, StmtKind, Unit};
use cuda::interpret::{InterpretError, Limits, run};
use engine::arch::ArchId;
use engine::ids::Span;
use engine::launch::Role;

#[test]
fn returns_nested_in_branches_leave_the_function() {
    let f = "__device__ int f(int t) { if (t == 1) return 0; else if (t != 2) { if (t != 6) return 5; } return 7; }";
    check(f, "o[t] = f(t);", &[], &[5, 0, 7, 5, 5, 5, 7, 5]);
}

#[test]
fn continue_nested_in_branches_skips_the_rest_of_the_iteration() {
    let body = "int s = 0; for (int i = 0; i < 6; i++) { \
                if (a[i] == t) continue; else if (a[i] > 3) { if (a[i] == 5) continue; } s += a[i]; } o[t] = s;";
    // 1 + 2 + 4 + 7 + 3 = 17 without the 5.
    check("", body, &[1, 2, 4, 5, 7, 3], &[17, 16, 15, 14, 13, 17, 17, 10]);
}

#[test]
fn returns_of_a_function_without_result_skip_its_end() {
    let g = "__device__ void g(int t, int *o) { \
             if (t == 1) { o[t] = 1; return; } else { if (t > 3) { if (t < 6) return; } } o[t] = 100 + t; }";
    check(g, "g(t, o);", &[], &[100, 1, 102, 103, 0, 0, 106, 107]);
}

#[test]
fn arms_of_a_switch_fall_through() {
    let body =
        "int b = 10; switch (t) { case 1: b = 0; break; case 2: o[t] = 1; case 6: o[t] += 1; } o[t] += b;";
    check("", body, &[], &[10, 0, 12, 10, 10, 10, 11, 10]);
}

#[test]
fn a_default_in_the_middle_is_entered_last_and_falls_through() {
    let body = "switch (t) { case 0: o[t] += 1; default: o[t] += 10; case 3: o[t] += 100; break; case 4: o[t] += 1000; }";
    check("", body, &[], &[111, 110, 110, 100, 1000, 110]);
}

#[test]
fn break_leaves_only_the_loop() {
    let body = "int i; for (i = 0; i < 20; i++) if (a[i] == threadIdx.x) break; o[t] = i;";
    let a: Vec<i32> = (0..20).map(|i| i * 7 % 20).collect();
    check("", body, &a, &[0, 3, 6, 9, 12, 15, 18, 1]);
}

#[test]
fn breaks_of_nested_loops_and_switches_leave_the_nearest() {
    let body = "for (int i = 0; i < 3; i++) { int j = 0; while (true) { \
                switch (j) { case 2: break; default: if (j == t) goto_out: ; o[t] += 1; } \
                if (++j > t) break; } if (i == 1 && t == 2) continue; o[t] += 100; }";
    let body = body.replace("if (j == t) goto_out: ; ", "");
    // j runs from 0 to t; 2 adds nothing.
    check("", &body, &[], &[303, 306, 206, 309]);
}

#[test]
fn do_while_continues_at_its_condition() {
    let body = "int i = 0; do { i++; if (i == 2) continue; if (i == 5) break; o[t] += i; } while (i < t);";
    check("", body, &[], &[1, 1, 1, 4, 8, 8, 8]);
}

#[test]
fn operands_of_logical_operators_run_where_needed() {
    let f = "__device__ bool f(int *o, int v) { *o += v; return v > 1; }";
    let body = "bool b = t > 1 && f(o + t, t) || f(o + t, 10 * t); o[t] += b ? (t == 3 ? 1000 : 2000) : 0;";
    check(f, body, &[], &[0, 2010, 2002, 1003]);
}

#[test]
fn operands_are_evaluated_from_left_to_right() {
    check(
        "",
        "int x = t; o[t] = x++ * 10 + x; o[t] += (x = 5, x) * 100;",
        &[],
        &[501, 512, 523],
    );
    check(
        "",
        "int x = t; int y = x + (x = 7); o[t] = y * 10 + x;",
        &[],
        &[77, 87, 97],
    );
}

#[test]
fn recursion_keeps_each_calls_variables() {
    let f = "__device__ int f(int n) { int a[2]; a[n & 1] = n; if (n == 0) return 1; int r = f(n - 1); return r + a[n & 1]; }";
    check(f, "o[t] = f(t);", &[], &[1, 2, 4, 7, 11, 16]);
}

#[test]
fn addresses_of_locals_work_in_functions() {
    let f = "struct P { int x, y; }; __device__ void f(P *p, int &r) { p->y += p->x; r = p->y; }";
    check(
        f,
        "P p = {t, 10}; int r; f(&p, r); o[t] = r * 100 + p.x;",
        &[],
        &[1000, 1101, 1202],
    );
}

#[test]
fn nested_calls_stop_at_their_limit() {
    let f = "__device__ int f(int n) { int a[4]; a[n & 3] = n; return n == 0 ? 0 : f(n - 1) + a[n & 3]; }";
    let body = "o[t] = f(t ? 150 : 10);";
    check(f, body, &[], &[55, 11325]);
    let endless = "__device__ int f(int n) { return n == -1 ? 0 : f(n + 1) + 1; } __global__ void k(int *a, int *o) { o[0] = f(0); }";
    let error = super::outcome(&unit(endless), &[], 1).unwrap_err();
    assert_eq!(error, InterpretError::CallDepth(200));
}

#[test]
fn pointers_of_32_bits_reach_every_memory() {
    let source = "__constant__ int c[4] = {7, 8, 9, 10}; __device__ int d[4]; texture<int, 1> x;\n\
                  __device__ void add(int *p, const int *q) { *p += *q; }\n\
                  __global__ void k(int *a, int *o) { int t = threadIdx.x; __shared__ int s[4]; extern __shared__ int e[];\n\
                  int l[2] = {t, 100}; s[t] = 0; e[t] = 1000; d[t] = 10000 * t; __syncthreads();\n\
                  add(&s[t], &l[1]); add(&l[0], &s[t]); l[0] += e[3 - t] + c[t] + d[t];\n\
                  add(o + t, l); o[t] += tex1Dfetch(x, t) + (int)(&s[t] - &s[0]); }";
    for arch in [ArchId::G80, ArchId::Gt200, ArchId::Gf100] {
        let unit = unit_for(source, arch);
        let zeros = buffer(&[0; 4], Role::InOut);
        let texels = buffer(&[100_000, 200_000, 300_000, 400_000], Role::In);
        let mut launch = one_block(4, vec![buffer(&[0], Role::In), zeros, texels]);
        launch.dynamic_shared = 16;
        let outcome = run(&unit, "k", &launch, Limits::default()).unwrap();
        assert_eq!(outcome.undefined, []);
        let got = integers(&outcome.buffers[1].bytes);
        assert_eq!(got, [101_107, 211_110, 321_113, 431_116]);
        assert_eq!(outcome.variables[0].name, "d");
        assert_eq!(integers(&outcome.variables[0].bytes), [0, 10_000, 20_000, 30_000]);
    }
}

fn stmt(kind: StmtKind) -> Stmt {
    Stmt {
        kind,
        span: Span::default(),
    }
}

/// The program with every call of `label(n)` as label n and every call of `jump(n)` as a jump to it, because
/// the parser has no `goto` yet.
fn with_jumps(body: &str) -> Unit {
    let source = format!(
        "__device__ void label(int n) {{}} __device__ void jump(int n) {{}}\n\
         __global__ void k(int *a, int *o) {{ int t = threadIdx.x; {body} }}"
    );
    let mut unit = unit(&source);
    let kernel = unit.kernel("k").unwrap().0 as usize;
    let mut body = std::mem::take(&mut unit.functions[kernel].body);
    for stmt in &mut body {
        replace(&unit, stmt);
    }
    unit.functions[kernel].body = body;
    unit
}

fn replace(unit: &Unit, at: &mut Stmt) {
    use cuda::hir::{Const, ExprKind};
    if let StmtKind::Expr(expr) = &at.kind
        && let ExprKind::Call { function, args } = &expr.kind
        && let [arg] = &args[..]
        && let ExprKind::Const(Const::Int(number)) = arg.kind
    {
        let label = LabelId(number as u32);
        *at = match &*unit.function(*function).name {
            "label" => stmt(StmtKind::Label(label)),
            "jump" => stmt(StmtKind::Goto(label)),
            _ => return,
        };
        return;
    }
    match &mut at.kind {
        StmtKind::Block(stmts) => stmts.iter_mut().for_each(|stmt| replace(unit, stmt)),
        StmtKind::If { then, otherwise, .. } => {
            replace(unit, then);
            if let Some(stmt) = otherwise {
                replace(unit, stmt);
            }
        }
        StmtKind::While { body, .. } | StmtKind::DoWhile { body, .. } | StmtKind::For { body, .. } => {
            replace(unit, body);
        }
        StmtKind::Switch { arms, .. } => {
            let stmts = arms.iter_mut().flat_map(|arm| &mut arm.body);
            stmts.for_each(|stmt| replace(unit, stmt));
        }
        _ => {}
    }
}

#[test]
fn goto_forward_skips_statements() {
    let unit =
        with_jumps("if (t < 2) { if (t == 1) jump(0); o[t] += 1; } o[t] += 10; label(0); o[t] += 100;");
    check_unit(&unit, &[], &[111, 100, 110]);
}

#[test]
fn backward_goto_forms_a_loop() {
    let unit = with_jumps("int i = 0; label(0); o[t] += i; i++; if (i <= t) jump(0); o[t] += 100;");
    check_unit(&unit, &[], &[100, 101, 103, 106]);
}

#[test]
fn goto_enters_the_middle_of_a_loop() {
    let unit = with_jumps(
        "int i = 5; if (t & 1) jump(0); for (i = 0; i < 3; i++) { o[t] += 1; label(0); o[t] += 10; } o[t] += 100;",
    );
    // Odd threads enter at i = 5 and leave after that iteration.
    check_unit(&unit, &[], &[133, 110, 133, 110]);
}

#[test]
fn goto_leaves_nested_loops() {
    let unit = with_jumps(
        "for (int i = 0; i < 4; i++) for (int j = 0; j < 4; j++) { if (i * j == t) { if (t) jump(1); } o[t]++; } o[t] += 100; label(1);",
    );
    check_unit(&unit, &[], &[116, 5, 6, 7, 10, 116]);
}

#[test]
fn goto_jumps_between_branches_and_arms() {
    let unit = with_jumps(
        "if (t & 1) { o[t] += 1; label(0); o[t] += 10; } else { o[t] += 100; if (t == 2) jump(0); if (t == 4) jump(1); } \
         switch (t) { case 1: o[t] += 1000; label(1); o[t] += 2000; break; default: o[t] += 4000; }",
    );
    check_unit(&unit, &[], &[4100, 3011, 4110, 4011, 2100]);
}

#[test]
fn backward_goto_inside_a_loop_stays_in_its_iteration() {
    let unit = with_jumps(
        "for (int i = 0; i < 3; i++) { int n = 0; label(0); o[t] += 1; if (n++ < t) jump(0); o[t] += 100; }",
    );
    check_unit(&unit, &[], &[303, 306, 309]);
}
