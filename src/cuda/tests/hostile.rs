//! Hostile sources: short texts that describe endless work or memory, or nest a construct without end. Each compiles, or is
//! rejected with words, on the stack of a browser's worker.

mod shapes;

use std::fmt::Write as _;

use cuda::assist::Index;
use cuda::diagnostic::{Diagnostic, MAX_DIAGNOSTICS};
use cuda::host::Limits;
use cuda::{compile, host, lex};
use engine::arch::ArchId;
use engine::files;
use engine::isa::CompileOptions;
use shapes::{DECLARATIONS, DECLARED_IN, EXPRESSIONS, GROWING, Nest, PLACES, STATEMENTS, STATEMENTS_IN};

/// The stack of the tests in bytes: twice the linker's default for WebAssembly, because the frames of these unoptimized
/// tests are larger than those of the page.
const STACK_BYTES: usize = 2 << 20;

/// What the compiler says about a text.
struct Answer {
    diagnostics: Vec<Diagnostic>,
    notes: Vec<String>,
    text: String,
}

impl Answer {
    fn has(&self, words: &str) -> bool {
        words.is_empty()
            || self
                .diagnostics
                .iter()
                .any(|diagnostic| diagnostic.message.contains(words))
            || self.notes.iter().any(|note| note.contains(words))
    }

    fn printed(&self) -> String {
        let all = self.diagnostics.iter();
        all.map(|diagnostic| diagnostic.render("kernel.cu", &self.text))
            .collect()
    }
}

/// Sends a text through all phases: highlighting, compiling, reading the host code, and indexing for the editor.
fn answer(text: String) -> Answer {
    let work = move || {
        let options = CompileOptions::default();
        let _ = lex::highlight(&text);
        let diagnostics = match compile(&text, None, ArchId::Tu102, &options) {
            Ok(compiled) => compiled.diagnostics,
            Err(diagnostics) => diagnostics,
        };
        let reading = host::read(&text, ArchId::Tu102, Limits::PAGE);
        let _ = Index::read(&text, ArchId::Tu102, &options, None);
        Answer {
            diagnostics,
            notes: reading.notes.into_iter().map(|note| note.text).collect(),
            text,
        }
    };
    let thread = std::thread::Builder::new().stack_size(STACK_BYTES).spawn(work);
    thread.expect("a thread starts").join().expect("no panic")
}

/// Checks that the answer to a text has these words, and that the process never takes 1.5 GB.
fn check(text: impl Into<String>, words: &str) {
    let text = text.into();
    let start: String = text.chars().take(100).collect();
    let answer = answer(text);
    assert!(answer.has(words), "{start}: {}", answer.printed());
    check_memory(&start);
}

/// Checks the greatest memory of the process so far, where the system reports it.
fn check_memory(what: &str) {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let peak = peak.and_then(|peak| peak.trim().strip_suffix("kB")?.trim().parse::<u64>().ok());
    assert!(
        peak.is_none_or(|kilobytes| kilobytes < 1_500_000),
        "{what}: {peak:?} KB"
    );
}

const KERNEL: &str = "__global__ void k(int *o) { o[0] = 1; }";

fn in_kernel(code: &str) -> String {
    format!("__global__ void k(int *o) {{ {code} }}")
}

fn in_main(code: &str) -> String {
    format!("{KERNEL} int main() {{ {code} }}")
}

/// A text of `n` lines.
fn lines(n: usize, line: impl Fn(usize) -> String) -> String {
    (0..n).map(line).collect::<Vec<_>>().join("\n")
}

#[test]
fn included_files_are_limited() {
    let mut text = format!("#include \"f0.h\"\n{KERNEL}");
    for idx in 0..40 {
        let _ = write!(
            text,
            "\n{}f{idx}.h\n#include \"f{1}.h\"\n#include \"f{1}.h\"",
            files::MARKER,
            idx + 1
        );
    }
    check(text, "read more than 10,000 files");
}

#[test]
fn macros_are_limited() {
    let nested =
        |name: &str, levels: usize| format!("{}a{}", format!("{name}(").repeat(levels), ")".repeat(levels));
    check(
        format!("#define f(x) {}\n{}", "x ".repeat(20), in_kernel(&nested("f", 7))),
        "expands to more than 100000 tokens",
    );
    check(
        format!(
            "#define c(a, b) a##b\n#define d(a) c(a, a)\n#define e(a) d(a)\n{}",
            in_kernel(&nested("e", 40))
        ),
        "creates a token of more than 65,536 characters",
    );
    check(
        format!(
            "#define s(x) #x\n#define t(x) s(x)\n{}",
            in_kernel(&format!("printf({});", nested("t", 40).replace('a', "\"\\\\\"")))
        ),
        "creates a token of more than 65,536 characters",
    );
    let chain = lines(1000, |idx| format!("#define M{} M{idx}", idx + 1));
    check(
        format!("#define M0 1\n{chain}\n{}", in_kernel("o[0] = M1000;")),
        "More than 256 macros expand",
    );
    check(
        format!("#define f(x) x\n{}", in_kernel(&nested("f", 5000))),
        "nested more than 64 levels",
    );
}

#[test]
fn large_variables_take_no_memory() {
    check(
        format!("__constant__ int x[500000000];\n{KERNEL}"),
        "take 2000000000 bytes; constant memory has 65536",
    );
    check(
        format!("__device__ int x[500000000];\n{KERNEL}"),
        "`__device__` variables take 2000000000 bytes",
    );
    check(
        in_kernel("int x[500000000]; x[o[1]] = 1; o[0] = x[o[2]];"),
        "has 512 KB of local memory",
    );
    check(
        format!("struct A {{ int x[500000000]; }}; {KERNEL}"),
        "more than 1,048,576 numbers",
    );
    check(
        format!("struct A {{ int x[99999]; }}; struct B {{ A a[99]; }}; {KERNEL}"),
        "more than 1,048,576 numbers",
    );
    check(in_kernel("int x[99999][99999][99999];"), "larger than 2 GB");
    check(in_kernel("int x[18446744073709551615u];"), "larger than 2 GB");
}

#[test]
fn types_and_structs_have_limited_depths() {
    let typedefs = |step: &str| {
        lines(9000, |idx| {
            format!("typedef t{idx} {step};").replace("NEXT", &format!("t{}", idx + 1))
        })
    };
    check(
        format!("typedef int t0; {} {KERNEL}", typedefs("*NEXT")),
        "more than 64 levels of `*`",
    );
    check(
        format!("typedef int t0; {} {KERNEL}", typedefs("NEXT[1]")),
        "more than 64 levels of `*`",
    );
    let values = lines(9000, |idx| format!("auto x{} = &x{idx};", idx + 1));
    check(
        in_kernel(&format!("int x0; {values}")),
        "more than 64 levels of `*`",
    );
    let functions = lines(9000, |idx| format!("typedef int t{}(t{idx} *);", idx + 1));
    check(
        format!("typedef int t0(); {functions} {KERNEL}"),
        "more than 1,024 types of functions",
    );
    let bases = lines(6000, |idx| {
        format!("struct A{} : A{idx} {{ int m{idx}; }};", idx + 1)
    });
    check(
        format!("struct A0 {{}}; {bases} {KERNEL}"),
        "more than 128 levels deep",
    );
    let members = lines(6000, |idx| format!("struct A{} {{ A{idx} a; }};", idx + 1));
    check(
        format!("struct A0 {{ int m; }}; {members} {KERNEL}"),
        "more than 128 levels deep",
    );
    let doubled = lines(60, |idx| format!("struct A{} {{ A{idx} a, b; }};", idx + 1));
    check(
        format!("struct A0 {{ int m; }}; {doubled} {KERNEL}"),
        "more than 1,048,576 numbers",
    );
    let wide = lines(300, |idx| format!("struct A{idx} {{ int m; }};"));
    let all: Vec<String> = (0..300).map(|idx| format!("A{idx}")).collect();
    check(
        format!("{wide} struct B : {} {{}}; {KERNEL}", all.join(", ")),
        "more than 256 bases",
    );
    // Ordinary chains compile.
    let bases = lines(100, |idx| {
        format!("struct A{} : A{idx} {{ int m{idx}; }};", idx + 1)
    });
    let text = format!(
        "struct A0 {{ int m; }}; {bases} {}",
        in_kernel("A100 a; a.m = 1; a.m99 = 2; o[0] = a.m + a.m99;")
    );
    let clean = answer(text);
    assert_eq!(clean.diagnostics, []);
}

/// The examples of a tester, which overflowed the stack.
#[test]
fn nested_constructs_are_rejected_with_words() {
    let deep = "nested too deeply";
    check(in_kernel(&format!("o[0] = {}1;", "!".repeat(40_000))), deep);
    check(in_kernel(&format!("o[0] = {}1;", "(int)".repeat(40_000))), deep);
    check(in_kernel(&format!("o[0] = {}1;", "(".repeat(100_000))), deep);
    check(
        in_kernel(&format!("int {}x;", "*".repeat(40_000))),
        "too many `*` and `[]`",
    );
    check(
        in_kernel(&format!("S{}int{} x;", "<S".repeat(9000), ">".repeat(9000))),
        "",
    );
    check(
        format!(
            "template <class T> struct S {{}}; {}",
            in_kernel(&format!("{}int{} x;", "S<".repeat(9000), ">".repeat(9000)))
        ),
        deep,
    );
    check(
        format!("{}int x; {KERNEL}", "template <class T> ".repeat(15_000)),
        "",
    );
    check(in_main(&format!("int x = {}1;", "!".repeat(40_000))), deep);
    check(in_main(&format!("int x = {}1;", "(int)".repeat(40_000))), deep);
    check(in_main(&format!("int {}x;", "*".repeat(40_000))), "too many `*`");
    check(
        in_main(&format!(
            "int x[] = {}1{};",
            "{".repeat(40_000),
            "}".repeat(40_000)
        )),
        deep,
    );
    check(in_main(&format!("x{};", "[x".repeat(40_000))), deep);
    check(in_main(&format!("x{};", "[1]".repeat(40_000))), "too long");
    check(
        in_main(&format!("{}{}", "{".repeat(40_000), "}".repeat(40_000))),
        "",
    );
    check(
        format!(
            "template <class T> struct S {{}}; {}",
            in_main(&format!("{}int{} x;", "S<".repeat(9000), ">".repeat(9000)))
        ),
        deep,
    );
}

/// Function bodies that are checked, inlined, or evaluated inside each other, each from a deep expression.
#[test]
fn nesting_counts_through_functions() {
    let chain = |start: &str, levels: usize| {
        lines(60, |idx| {
            let inner = if idx == 0 {
                "x".to_owned()
            } else {
                format!("f{}(x)", idx - 1)
            };
            format!(
                "{start} f{idx}(int x) {{ return {}{inner}{}; }}",
                "-(1 + ".repeat(levels),
                ")".repeat(levels)
            )
        })
    };
    let call = in_kernel("o[0] = f59(o[1]);");
    check(
        format!("{}\n{call}", chain("__device__ auto", 45)),
        "nested too deeply",
    );
    check(
        format!("{}\n{call}", chain("__device__ int", 45)),
        "nested too deeply here",
    );
    check(
        format!(
            "{}\n{}",
            chain("constexpr int", 45),
            in_kernel("constexpr int v = f59(3); o[0] = v;")
        ),
        "must be a constant expression",
    );
    check(
        format!(
            "{}\n{KERNEL} int main() {{ k<<<1, f59(1)>>>(0); }}",
            chain("int", 30)
        ),
        "stopped",
    );
    // The interpreter runs the first launch for its result.
    let main = "int main() { int *p; cudaMalloc(&p, 64); cudaMemset(p, 0, 64); k<<<1, 1>>>(p); int h[4]; \
                cudaMemcpy(h, p, 16, cudaMemcpyDeviceToHost); k<<<1, h[0] + 1>>>(p); }";
    check(
        format!("{}\n{call} {main}", chain("__noinline__ __device__ int", 45)),
        "",
    );
    let branches = |levels: usize| {
        lines(60, |idx| {
            let inner = if idx == 0 {
                "x".to_owned()
            } else {
                format!("f{}(x)", idx - 1)
            };
            let (open, close) = ("if (x + 1) { ".repeat(levels), "}".repeat(levels));
            format!("__device__ int f{idx}(int x) {{ {open} return {inner}; {close} return 1; }}")
        })
    };
    for levels in [3, 20, 45] {
        check(format!("{}\n{call} {main}", branches(levels)), "");
    }
}

#[test]
fn all_nested_constructs_end() {
    const DEPTH: usize = 3000;
    // Each construct in two places each, so that the test stays short; `growth nests` tries all.
    let some = |nests: &[Nest], places: &[(&str, &str)]| {
        for (idx, nest) in nests.iter().enumerate() {
            for (at, is_open) in [(2 * idx, false), (2 * idx + 1, true)] {
                let (_, place) = places[at % places.len()];
                answer(place.replace('X', &nest.text(DEPTH, is_open)));
                check_memory(nest.name);
            }
        }
    };
    some(EXPRESSIONS, PLACES);
    some(DECLARATIONS, DECLARED_IN);
    some(STATEMENTS, STATEMENTS_IN);
}

#[test]
fn all_growing_constructs_end() {
    for shape in GROWING {
        answer((shape.text)(250));
        check_memory(shape.name);
    }
}

/// Sources whose time was quadratic or worse. Each takes about a second here, and took minutes or gigabytes.
#[test]
fn large_sources_end_soon() {
    let sizes = [
        ("gotos to the end", 4000),
        ("crossing gotos", 4000),
        ("unconditional gotos", 4000),
        ("template parameters", 3000),
        ("usings", 3000),
        ("included markers", 3000),
        ("kernel template launches", 200),
        ("asm", 500),
        ("extended lambdas", 1000),
        ("captured names", 4000),
        ("brackets beside an extended lambda", 10_000),
    ];
    for (name, n) in sizes {
        let shape = GROWING.iter().find(|shape| shape.name == name);
        answer((shape.expect("a shape").text)(n));
        check_memory(name);
    }
}

#[test]
fn unrolled_loops_have_a_limited_size() {
    let nested = "\n#pragma unroll\nfor (int i = 0; i < 100000; i++)".repeat(3);
    check(in_kernel(&format!("{nested} o[i] += o[1];")), "");
    let many = lines(60, |idx| {
        format!("\n#pragma unroll\nfor (int i = 0; i < 1000; i++) o[i] += o[{idx}] * {idx};")
    });
    check(in_kernel(&many), "");
}

#[test]
fn constant_expressions_have_a_limited_sum() {
    let function = "constexpr int f(int n) { int s = 0; for (int i = 0; i < n; i++) s += i; return s; }";
    let many = lines(2000, |idx| format!("constexpr int c{idx} = f(20000);"));
    check(
        format!("{function}\n{many}\n{KERNEL}"),
        "take more than 10,000,000 steps",
    );
}

#[test]
fn a_hundred_diagnostics_are_kept() {
    let labels = lines(30_000, |idx| format!("a{idx}:")).replace('\n', " ");
    let answer = answer(in_kernel(&format!("{labels};")));
    assert_eq!(answer.diagnostics.len(), MAX_DIAGNOSTICS + 1);
    assert!(
        answer.has("29900 more warnings are not shown."),
        "{}",
        answer.printed()
    );
    let printed = answer.printed();
    assert!(printed.len() < 100_000, "{} bytes", printed.len());
    assert!(
        printed.lines().all(|line| line.chars().count() < 500),
        "long lines"
    );
}

#[test]
fn errors_come_before_warnings() {
    let labels = lines(300, |idx| format!("a{idx}:")).replace('\n', " ");
    let errors = lines(150, |idx| format!("o[{idx}] = y{idx};"));
    let answer = answer(in_kernel(&format!("{labels}; {errors}")));
    assert!(
        answer.has("50 more errors and 300 more warnings are not shown."),
        "{}",
        answer.printed()
    );
    check(
        lines(5000, |idx| {
            format!("__global__ void k{idx}(int *o) {{ o[0] = y{idx}; }}")
        }),
        "more errors are not shown",
    );
}

#[test]
fn excerpts_show_the_place() {
    let text = in_kernel(&format!(
        "{}o[0] = wrong; {}",
        "o[1]++; ".repeat(200),
        "o[2]++; ".repeat(200)
    ));
    let printed = answer(text).printed();
    let rows: Vec<&str> = printed.lines().collect();
    let [_, line, mark, ..] = rows.as_slice() else {
        panic!("{printed}");
    };
    assert!(line.chars().count() <= 206, "{line}");
    let at = mark.chars().position(|c| c == '^').expect("a caret");
    let marked: String = line.chars().skip(at).take(5).collect();
    assert_eq!(marked, "wrong", "{printed}");
}

#[test]
fn long_names_are_clipped() {
    let name = "n".repeat(60_000);
    let printed = answer(in_kernel(&format!("o[0] = {name};"))).printed();
    assert!(printed.len() < 5000, "{} bytes", printed.len());
}
