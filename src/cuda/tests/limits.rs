//! Short texts that would become long programs: each limit has its own diagnostic.

use std::fmt::Write as _;

use cuda::compile;
use engine::arch::ArchId;
use engine::isa::CompileOptions;

/// The number of instructions, or the first diagnostic.
fn length(source: &str, arch: ArchId) -> Result<usize, String> {
    match compile(source, None, arch, &CompileOptions::default()) {
        Ok(compiled) => Ok(compiled.program.code.len()),
        Err(diagnostics) => Err(diagnostics[0].message.clone()),
    }
}

/// A chain of `levels` functions, each with two calls of the next.
fn doubling_calls(levels: u32) -> String {
    format!(
        "template <int N> __device__ int f(int x) {{ if constexpr (N > 0) return f<N - 1>(x) + f<N - 1>(x + 1); else return x; }}
         __global__ void k(int *o) {{ o[0] = f<{levels}>(o[1]); }}"
    )
}

#[test]
fn functions_beyond_the_inline_limit_are_called() {
    for arch in [ArchId::G80, ArchId::Tu102] {
        assert!(length(&doubling_calls(8), arch).unwrap() < 1000);
        assert!(length(&doubling_calls(20), arch).unwrap() < 60_000);
    }
}

#[test]
fn kernels_with_too_many_calls_are_rejected() {
    let message = length(&doubling_calls(62), ArchId::Tu102).unwrap_err();
    assert!(
        message.ends_with(
            "at most 400000 are compiled. Call fewer functions, or templates with smaller arguments."
        ),
        "{message}"
    );
}

#[test]
fn exponentially_growing_macros_are_rejected() {
    let mut source = String::from("#define A0 x +\n");
    for at in 1..60 {
        let _ = writeln!(source, "#define A{at} A{0} A{0}", at - 1);
    }
    source += "__global__ void k(int *o) { int x = 1; o[0] = A59 0; }";
    let message = "The macro `A59` expands to more than 100000 tokens here.";
    assert_eq!(length(&source, ArchId::Tu102), Err(message.to_owned()));
}

#[test]
fn values_with_too_many_scalars_are_rejected() {
    let source = "struct Table { float v[40000]; }; __device__ Table same(const Table &t) { return t; }
                  __global__ void k(Table *t) { t[0] = same(t[1]); }";
    let message = "This copies more than 8192 numbers as one value; pass a pointer or a reference, or copy them in a loop.";
    assert_eq!(length(source, ArchId::Tu102), Err(message.to_owned()));
    let source = "struct Table { float v[70000]; }; __global__ void k(Table *t) { t[0] = Table(); }";
    let message = "`Table` has 70000 scalars, and an expression can create at most 65536; assign the elements in a loop.";
    assert_eq!(length(source, ArchId::Tu102), Err(message.to_owned()));
}

#[test]
fn large_structs_are_copied_in_loops() {
    let source = "struct Table { float v[4000]; }; __device__ float at(Table t, int i) { t.v[i] += 1; return t.v[i]; }
                  __global__ void k(Table *t, int i) { Table a = t[i], b; b = a; a.v[i] = 2; t[0] = b; t[1].v[i] = at(a, i); }";
    assert!(length(source, ArchId::Tu102).unwrap() < 500);
}

#[test]
fn operator_chains_are_checked_once() {
    let source = format!(
        "__global__ void k(int *o) {{ int c = 1; c{} += 1; o[0] = c; }}",
        "--".repeat(60)
    );
    assert!(length(&source, ArchId::Tu102).is_err());
}
