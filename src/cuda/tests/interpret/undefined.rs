//! Undefined behavior is reported at its location.

use super::{Undefined, UndefinedKind, buffer, one_block, outcome, unit};
use cuda::interpret::{InterpretError, Limits, run};
use engine::launch::Role;

/// Checks the findings of a kernel's body by their lines; the body starts in line 2.
fn findings(body: &str, expected: &[(UndefinedKind, u32)]) {
    let source = format!("__global__ void k(int *a, int *o) {{ int t = threadIdx.x;\n{body}\n}}");
    let outcome = outcome(&unit(&source), &[1, 2, 3, 4], 4).unwrap();
    let found: Vec<(UndefinedKind, u32)> = outcome
        .undefined
        .iter()
        .map(|Undefined { kind, span, .. }| (*kind, span.line))
        .collect();
    assert_eq!(found, expected);
}

#[test]
fn accesses_outside_of_variables_are_found() {
    findings("o[t] = a[t + 1];", &[(UndefinedKind::OutOfBounds, 2)]);
    findings(
        "int x[4] = {}; x[t + 1] = 3;\no[t] = x[t];",
        &[(UndefinedKind::OutOfBounds, 2)],
    );
    findings(
        "__shared__ int s[4]; s[t] = t;\no[t] = s[t - 1];",
        &[(UndefinedKind::OutOfBounds, 3)],
    );
    findings(
        "o[t] = *(short *)((char *)a + 1);",
        &[(UndefinedKind::Misaligned, 2)],
    );
}

#[test]
fn reads_of_unwritten_variables_are_found() {
    findings(
        "int x; if (t < 3) x = 1;\no[t] = x;",
        &[(UndefinedKind::Uninitialized, 3)],
    );
    findings(
        "int x[4]; x[0] = 1;\no[t] = x[t];",
        &[(UndefinedKind::Uninitialized, 3)],
    );
    findings(
        "__shared__ int s[4]; if (t) s[t] = t;\no[t] = s[t];",
        &[(UndefinedKind::Uninitialized, 3)],
    );
    findings("int x; if (t < 3) x = 1;\nif (t < 3) o[t] = x;", &[]);
    findings(
        "for (int i = 0; i < 2; i++) { int x; if (i == 0) x = 1;\no[t] = x; }",
        &[(UndefinedKind::Uninitialized, 3)],
    );
}

#[test]
fn arithmetic_without_result_is_found() {
    findings("o[t] = 3 / t;", &[(UndefinedKind::DivisionByZero, 2)]);
    findings("o[t] = t ? 3 % t : 0;", &[]);
    findings("o[t] = 1 << (t + 29);", &[(UndefinedKind::ShiftRange, 2)]);
    findings("o[t] = 1ll >> (t + 60);", &[]);
}

#[test]
fn barriers_that_threads_miss_are_found() {
    findings(
        "if (t < 2)\n__syncthreads();\no[t] = 1;",
        &[(UndefinedKind::DivergentBarrier, 3)],
    );
    findings("if (t < 2) return;\n__syncthreads();\no[t] = 1;", &[]);
}

#[test]
fn members_that_miss_a_warp_function_are_found() {
    findings(
        "if (t < 2) o[t] = __ballot_sync(15, 1);",
        &[(UndefinedKind::MissingMember, 2)],
    );
    findings("if (t < 2) o[t] = __ballot_sync(3, 1);", &[]);
    findings(
        "if (t < 2) o[t] = __shfl_sync(3, t, 2);",
        &[(UndefinedKind::InactiveSource, 2)],
    );
}

#[test]
fn threads_that_wait_for_each_other_stop_at_the_limit() {
    let source = "__global__ void k(volatile int *a, int *o) { while (a[0] != 0) ; o[0] = 1; }";
    let error = outcome(&unit(source), &[1], 4).unwrap_err();
    assert!(matches!(error, InterpretError::StepLimit(_)), "{error}");
}

#[test]
fn traps_end_the_run() {
    let source = "__global__ void k(int *a, int *o) {\nassert(threadIdx.x < 3); }";
    let error = outcome(&unit(source), &[1], 4).unwrap_err();
    assert!(
        matches!(error, InterpretError::Assertion(span) if span.line == 2),
        "{error}"
    );
}

/// Checks the lines of findings of one kind, which is reported only on request, with 64 threads.
fn requested_findings(kind: UndefinedKind, body: &str, expected: &[u32]) {
    let source = format!("__global__ void k(int *a, int *o) {{ int t = threadIdx.x;\n{body}\n}}");
    let zeros = [0; 64];
    let launch = one_block(64, vec![buffer(&zeros, Role::In), buffer(&zeros, Role::Out)]);
    let limits = Limits {
        finds_races: true,
        finds_signed_overflow: true,
        ..Limits::default()
    };
    let outcome = run(&unit(&source), "k", &launch, limits).unwrap();
    assert!(outcome.undefined.iter().all(|finding| finding.kind == kind));
    let mut lines: Vec<u32> = outcome
        .undefined
        .iter()
        .map(|finding| finding.span.line)
        .collect();
    lines.dedup();
    assert_eq!(lines, expected, "{body}");
    let unlimited = run(&unit(&source), "k", &launch, Limits::default()).unwrap();
    assert_eq!(unlimited.undefined, []);
}

#[test]
fn races_are_found() {
    let race = |body, lines: &[u32]| requested_findings(UndefinedKind::Race, body, lines);
    race("o[t / 2] = t;", &[2]);
    race("o[t / 2] = 7;", &[]);
    race("o[t] = t;\no[t] += o[63 - t];", &[3]);
    race(
        "o[t] = t; __syncthreads(); int x = o[63 - t]; __syncthreads(); o[t] = x;",
        &[],
    );
    race(
        "o[t] = t; __syncwarp(); int x = o[t ^ 1]; __syncwarp(); o[t] = x;",
        &[],
    );
    race("o[t] = t; __syncwarp();\nint x = o[t ^ 32]; a[t] = x;", &[3]);
    race("int x = o[0]; __syncwarp();\nif (t == 0) o[0] = x + 1;", &[3]);
    race("atomicAdd(o, t);", &[]);
    race("atomicAdd(o, t);\nif (t == 5) o[0] = 3;", &[3]);
    race(
        "__shared__ char s[64]; s[t] = t; __syncthreads(); o[t] = s[t ^ 1];",
        &[],
    );
}

#[test]
fn signed_overflow_is_found() {
    let overflow = |body, lines: &[u32]| requested_findings(UndefinedKind::SignedOverflow, body, lines);
    overflow("int x = 0x7fffffc0 + t;\no[t] = x + 1;", &[3]);
    overflow("unsigned x = 0xffffffc0u + t; o[t] = x + 1;", &[]);
    overflow("o[t] = (t + 0x10000) * (0x7fff - t);", &[]);
    overflow("o[t] = (t + 0x10000) * 0x7fff;", &[2]);
    overflow("int x = t - 0x7fffffff - 1; o[t] =\n-x;", &[3]);
    overflow("char c = 127; c++; o[t] = c;", &[]);
}
