//! Sources with several files.

use cuda::diagnostic::Diagnostic;
use cuda::{compile, parse};
use engine::arch::ArchId;
use engine::files::join;
use engine::isa::CompileOptions;

const MAIN: &str =
    "#include \"lib/scale.cuh\"\n__global__ void k(float* x) { x[threadIdx.x] = scaled(x[threadIdx.x]); }\n";

fn compiled(text: &str) -> Result<engine::isa::Program, String> {
    let result = compile(text, None, ArchId::Tu102, &CompileOptions::default());
    result
        .map(|compiled| compiled.program)
        .map_err(|errors| rendered(&errors, text))
}

fn rendered(diagnostics: &[Diagnostic], text: &str) -> String {
    diagnostics
        .iter()
        .map(|error| error.render("unnamed.cu", text))
        .collect()
}

fn said(text: &str) -> String {
    rendered(&parse(text, ArchId::Tu102).diagnostics, text)
}

#[test]
fn a_header_declares_functions_and_keeps_its_line_numbers() {
    let header = "#pragma once\n__device__ float scaled(float x) {\n    return x * 3.0f;\n}\n";
    let text = join([("kernel.cu", MAIN), ("lib/scale.cuh", header)]);
    let program = compiled(&text).unwrap();
    let product = program
        .code
        .iter()
        .find(|instruction| instruction.text(ArchId::Tu102).starts_with("FMUL"));
    assert_eq!(
        engine::files::place(&text, product.unwrap().span.line),
        (Some("lib/scale.cuh"), 3)
    );
    let alone = format!("{}{}", &header[13..], &MAIN[25..]);
    assert_eq!(program.listing(), compiled(&alone).unwrap().listing());
}

#[test]
fn an_error_in_a_header_is_reported_at_its_line() {
    let header = "\n__device__ float scaled(float x) {\n    return y;\n}\n";
    let text = join([("src/kernel.cu", MAIN), ("src/lib/scale.cuh", header)]);
    let expected = "src/lib/scale.cuh:3:12: error: The variable `y` is not declared.\n        return y;\n           ^\n\
                    src/kernel.cu:1:10: note: `src/lib/scale.cuh` is included here.\n    #include \"lib/scale.cuh\"\n             ^~~~~~~~~~~~~~~\n";
    let got = said(&text);
    assert!(got.contains("src/lib/scale.cuh:3:12: error: "), "{got}");
    assert!(
        got.ends_with(&expected[expected.find("src/kernel").unwrap()..]),
        "{got}"
    );
}

#[test]
fn include_guards_work_and_unguarded_files_are_included_again() {
    let twice = "#include \"a.h\"\n#include \"a.h\"\n__global__ void k(int* x) { x[0] = N; }\n";
    let once = [
        "#pragma once\n#define N 1\nstruct A { int a; };\n",
        "#ifndef A_H\n#define A_H\n#define N 1\nstruct A { int a; };\n#endif\n",
    ];
    for header in once {
        assert_eq!(said(&join([("kernel.cu", twice), ("a.h", header)])), "");
    }
    let again = said(&join([
        ("kernel.cu", twice),
        ("a.h", "struct A { int a; };\n#define N 1\n"),
    ]));
    assert!(again.contains("a.h:1:"), "{again}");
    let counted = "#define ADD(n) + n\n__global__ void k(int* x) { x[0] = 0\n#include \"list.inc\"\n;\n#undef ADD\n\
                   #define ADD(n) - n\nx[1] = 0\n#include \"list.inc\"\n; }\n";
    let text = join([("kernel.cu", counted), ("list.inc", "ADD(3)\nADD(4)\n")]);
    let alone = "__global__ void k(int* x) { x[0] = 7; x[1] = -7; }";
    assert_eq!(
        compiled(&text).unwrap().listing(),
        compiled(alone).unwrap().listing()
    );
}

#[test]
fn a_recursive_include_is_an_error() {
    let kernel = "#include \"a.h\"\n__global__ void k() {}\n";
    let itself = said(&join([
        ("kernel.cu", kernel),
        ("a.h", "#include \"a.h\"\n#include \"a.h\"\n"),
    ]));
    assert!(
        itself.contains("a.h:1:10: error: `a.h` includes itself recursively."),
        "{itself}"
    );
    let through = said(&join([
        ("kernel.cu", kernel),
        ("a.h", "#include \"b.h\"\n"),
        ("b.h", "#include \"a.h\"\n"),
    ]));
    assert!(through.contains("includes itself recursively"), "{through}");
    let chain: Vec<(String, String)> = (0..30)
        .map(|n| (format!("{n}.h"), format!("#include \"{}.h\"\n", n + 1).repeat(2)))
        .collect();
    let mut parts = vec![("kernel.cu", "#include \"0.h\"\n__global__ void k() {}\n")];
    parts.extend(chain.iter().map(|(name, text)| (name.as_str(), text.as_str())));
    let wide = said(&join(parts));
    assert!(
        wide.contains("error: The `#include` directives read more than 10,000 files."),
        "{wide}"
    );
    let large = format!("//{}\n", "x".repeat(100_000));
    let many = "#include \"large.h\"\n".repeat(100);
    let large = said(&join([("kernel.cu", many.as_str()), ("large.h", &large)]));
    assert!(
        large.contains("error: The included files are larger than 8 MB in total."),
        "{large}"
    );
    // A file may include itself a limited number of times.
    let counting = "#ifndef N\n#define N 0\n#include \"n.h\"\n#elif N == 0\n#undef N\n#define N 5\n#endif\n";
    let text = join([
        (
            "kernel.cu",
            "#include \"n.h\"\n__global__ void k(int* x) { *x = N; }",
        ),
        ("n.h", counting),
    ]);
    assert_eq!(said(&text), "");
}

#[test]
fn an_ambiguous_include_lists_the_matching_files() {
    let text = join([
        ("kernel.cu", "#include \"c.h\"\n__global__ void k() {}\n"),
        ("a/c.h", ""),
        ("b/c.h", ""),
    ]);
    let got = said(&text);
    assert!(
        got.starts_with("kernel.cu:1:10: error: `c.h` is ambiguous; it matches `a/c.h`, `b/c.h`.\n"),
        "{got}"
    );
    assert!(got.contains("as in `#include \"a/c.h\"`"), "{got}");
}

#[test]
fn built_in_headers_have_priority_over_base_names_but_not_over_paths() {
    let kernel = "#include <cuComplex.h>\n__global__ void k(float* x) { x[0] = cuCrealf(make_cuFloatComplex(1, 2)); }\n";
    assert_eq!(
        said(&join([
            ("kernel.cu", kernel),
            ("other/cuComplex.h", "#error not this one")
        ])),
        ""
    );
    let own = "__device__ int cuCrealf(int x) { return x; }\n__device__ int make_cuFloatComplex(int a, int) { return a; }";
    assert_eq!(said(&join([("kernel.cu", kernel), ("cuComplex.h", own)])), "");
}

#[test]
fn files_that_are_not_included_are_not_compiled() {
    let text = join([
        ("kernel.cu", "__global__ void k() {}\n"),
        ("a.h", "#error no\n\"unfinished\n"),
    ]);
    assert_eq!(said(&text), "");
    let missing = said("#include \"a.h\"\n__global__ void k() {}\n");
    assert!(
        missing.starts_with("unnamed.cu:1:2: warning: Could not open source file `a.h`"),
        "{missing}"
    );
}

#[test]
fn a_main_file_without_a_kernel_names_the_file_with_one() {
    let text = join([
        ("host.cu", "int a;\n"),
        ("k.cuh", "__global__ void h() {}"),
        ("k.cu", "__global__ void k() {}"),
    ]);
    let got = compiled(&text).unwrap_err();
    assert_eq!(
        got,
        "host.cu:0:0: error: The main file has no `__global__` function, but `k.cu` has: make it the main file.\n"
    );
}

#[test]
fn conditional_parts_must_end_in_their_file() {
    let open = join([
        ("kernel.cu", "#include \"a.h\"\n__global__ void k() {}\n"),
        ("a.h", "#if 1\n"),
    ]);
    assert!(
        said(&open).starts_with("a.h:1:2: error: The `#endif` for this directive is missing"),
        "{}",
        said(&open)
    );
    let close = join([
        (
            "kernel.cu",
            "#if 1\n#include \"a.h\"\n#endif\n__global__ void k() {}\n",
        ),
        ("a.h", "#endif\n"),
    ]);
    assert!(
        said(&close).starts_with("a.h:1:2: error: This `#endif` has no matching `#if`"),
        "{}",
        said(&close)
    );
    let skipped = join([
        (
            "kernel.cu",
            "#if 0\n#include \"a.h\"\n#endif\n__global__ void k() {}\n",
        ),
        ("a.h", "#error no\n"),
    ]);
    assert_eq!(said(&skipped), "");
}

#[test]
fn locations_include_file_names() {
    let kernel = "#include \"a.h\"\n__global__ void k(int* x) { x[0] = LINE; x[1] = line(); printf(FILE); assert(x[0] > 1); }\n";
    let header = "\n#define LINE __LINE__\n__device__ int line() { return __LINE__; }\n#define FILE __FILE__ \"\\n\"\n";
    let text = join([("kernel.cu", kernel), ("a.h", header)]);
    let alone = "__device__ int line() { return 3; }\n__global__ void k(int* x) { x[0] = 2; x[1] = line(); \
                 printf(\"kernel.cu\\n\"); assert(x[0] > 1); }\n";
    assert_eq!(
        compiled(&text).unwrap().listing(),
        compiled(alone).unwrap().listing()
    );
}
