//! Tests of the compiler, in a program of their own: as a part of the library they would make Cargo compile it twice.

#![expect(clippy::disallowed_methods, reason = "tests read their tables from files")]
#![allow(missing_docs, clippy::unwrap_used)]

mod allocations;
mod assist;
mod budget;
mod check;
mod cycles;
mod declarations;
mod dominators;
mod functions;
mod groups;
mod host;
mod hostile;
mod interpret;
mod labels;
mod lex;
mod limits;
mod loads;
mod lower;
mod machine;
mod math;
mod opt;
mod overloads;
mod prelude;
mod programs;
mod registers;
mod several_files;
mod sobol;
mod source;
mod special;
mod strings;
mod textures;
mod tiles;
mod video;
mod virtuals;

use std::path::{Path, PathBuf};

use proptest::prelude::*;

use cuda::diagnostic::Severity;
use cuda::{Parsed, compile, parse};
use engine::arch::ArchId;
use engine::isa::{CompileOptions, ElemType};
use engine::launch::{Argument, Fill, Launch, Pattern, Role};
use engine::sim::reference;

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The files with an extension in a folder, sorted by name.
fn files(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let mut out: Vec<PathBuf> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|e| e == ending))
        .collect();
    out.sort();
    out
}

fn rendered(parsed: &Parsed, name: &str, text: &str) -> String {
    parsed.diagnostics.iter().map(|d| d.render(name, text)).collect()
}

#[test]
fn the_built_in_library_compiles_without_diagnostics() {
    let said = cuda::internals::library_diagnostics();
    assert!(said.is_empty(), "{said:?}");
}

/// A source without its expected diagnostics, and its architecture.
fn stripped(text: &str) -> (String, ArchId) {
    let lines: Vec<&str> = text
        .lines()
        .filter(|line| !line.trim_start().starts_with("//~"))
        .collect();
    let arch = match lines.first().and_then(|line| line.strip_prefix("// arch: ")) {
        Some("g80") => ArchId::G80,
        Some("gp104") => ArchId::Gp104,
        _ => ArchId::Tu102,
    };
    (lines.join("\n") + "\n", arch)
}

/// A source with a comment below each line with diagnostics.
fn annotated(source: &str, parsed: &Parsed) -> String {
    let mut out = String::new();
    for (line, number) in source.lines().zip(1..) {
        out.push_str(line);
        out.push('\n');
        for d in parsed.diagnostics.iter().filter(|d| d.line() == number) {
            let word = match d.severity {
                Severity::Error => "error",
                Severity::Warning => "warning",
            };
            out.push_str(&format!("//~ {} {word}: {}\n", d.column(), d.message));
            for (_, note) in &d.notes {
                out.push_str(&format!("//~ note: {note}\n"));
            }
        }
    }
    out
}

/// Every file in `tests/diagnostics` lists its expected diagnostics in comments. `UPDATE_DIAGNOSTICS=1` writes them.
#[test]
fn diagnostics_match_the_expected_comments() {
    let update = std::env::var_os("UPDATE_DIAGNOSTICS").is_some();
    let mut wrong = Vec::new();
    for path in files(&root().join("tests/diagnostics"), "cu") {
        let text = std::fs::read_to_string(&path).unwrap();
        let (source, arch) = stripped(&text);
        let got = annotated(&source, &parse(&source, arch));
        if update {
            std::fs::write(&path, got).unwrap();
        } else if got != text {
            wrong.push(format!("{}:\n{got}", path.display()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Parses for every kind of architecture; the test passes if the parser terminates.
fn parse_for_all_architectures(text: &str) {
    for arch in [ArchId::G80, ArchId::Tu102] {
        let parsed = parse(text, arch);
        for diagnostic in &parsed.diagnostics {
            diagnostic.render("kernel.cu", text);
        }
    }
    let _ = cuda::lex::highlight(text);
}

fn corpus() -> Vec<(String, String)> {
    let mut paths = files(&root().join("tests/corpus"), "cu");
    paths.extend(files(&root().join("tests/diagnostics"), "cu"));
    paths
        .iter()
        .map(|path| {
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            (name, std::fs::read_to_string(path).unwrap())
        })
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn the_front_end_terminates_on_any_text(text in "\\PC{0,200}") {
        parse_for_all_architectures(&text);
    }

    #[test]
    fn the_front_end_terminates_on_any_token_sequence(words in prop::collection::vec(prop::sample::select(WORDS.to_vec()), 0..80)) {
        parse_for_all_architectures(&words.join(" "));
        parse_for_all_architectures(&format!("__global__ void k(int *a) {{ {} }}", words.join(" ")));
    }

    #[test]
    fn the_front_end_terminates_on_mutated_kernels(
        file in any::<prop::sample::Index>(),
        edits in prop::collection::vec((any::<prop::sample::Index>(), 0usize..12, prop::sample::select(WORDS.to_vec())), 1..6),
    ) {
        let corpus = corpus();
        let mut text = corpus[file.index(corpus.len())].1.clone();
        for (at, length, word) in edits {
            let floor = |mut idx: usize| { while !text.is_char_boundary(idx) { idx -= 1; } idx };
            let start = floor(at.index(text.len() + 1));
            let end = floor((start + length).min(text.len())).max(start);
            text.replace_range(start..end, word);
        }
        parse_for_all_architectures(&text);
    }
}

const WORDS: [&str; 76] = [
    "int",
    "float",
    "double",
    "unsigned",
    "const",
    "struct",
    "S",
    "enum",
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    ";",
    ",",
    "=",
    "+",
    "-",
    "*",
    "&",
    "<",
    ">",
    "?",
    ":",
    "::",
    ".",
    "->",
    "++",
    "+=",
    "<<=",
    "if",
    "else",
    "for",
    "while",
    "do",
    "switch",
    "case",
    "default",
    "break",
    "return",
    "1",
    "0x7fffffff",
    "1.5f",
    "2.5",
    "99999999999999999999",
    "'a'",
    "\"s\"",
    "a",
    "x",
    "threadIdx",
    "x",
    "sinf",
    "atomicAdd",
    "min",
    "__shared__",
    "__device__",
    "__global__",
    "void",
    "template",
    "typedef",
    "using",
    "\n#define a a(x)",
    "\n#define x(a) a a",
    "\n#if",
    "\n#else",
    "\n#endif\n",
    "#pragma unroll\n",
    "sizeof",
    "static_cast<int>",
    "constexpr",
    "extern",
    "goto",
    "a:",
    "alignof",
    "operator+=",
];

#[test]
fn a_syntax_error_in_the_only_kernel_is_the_message() {
    let options = CompileOptions::default();
    let messages = |source: &str| -> Vec<String> {
        let errors = compile(source, None, ArchId::Tu102, &options).unwrap_err();
        errors.into_iter().map(|error| error.message).collect()
    };
    let broken = messages("__global__ void k(float *out {\n  out[0] = 1;\n}\n");
    assert!(broken[0].starts_with("Expected `)`"), "{broken:?}");
    assert!(
        !broken.iter().any(|message| message.contains("has no")),
        "{broken:?}"
    );
    assert_eq!(messages("int a;\n"), ["The source has no `__global__` function."]);
}

#[test]
fn deep_nesting_is_reported() {
    let deep = |open: &str, close: &str| {
        let body = format!("{}1{}", open.repeat(4_000), close.repeat(4_000));
        format!("__global__ void k(int *a) {{ a[0] = {body}; }}")
    };
    for text in [
        deep("(", ")"),
        deep("-", ""),
        deep("a[", "]"),
        deep("1+", ""),
        deep("(1+", ")"),
        deep("{", "}"),
        deep("min(1,", ")"),
        deep("1?", ":2"),
        deep("a[0]=", ""),
        format!("__global__ void k(int *a) {{ {} }}", "if (a[0]) ".repeat(4_000)),
        format!("__global__ void k(int *a) {{ {} }}", "{".repeat(4_000)),
        format!("__global__ void k(int {} a) {{ }}", "*".repeat(4_000)),
        format!("__device__ int a{};", "[1]".repeat(4_000)),
        format!(
            "#define f(x) x\n__device__ int a = {}1{};",
            "f(".repeat(4_000),
            ")".repeat(4_000)
        ),
        format!("#if {}1\n#endif", "!".repeat(4_000)),
        format!("#if {}1\n#endif", "(".repeat(4_000)),
    ] {
        parse_for_all_architectures(&text);
    }
    // Just below the limits.
    for text in [
        format!("__global__ void k(int *a) {{ a[0] = {}1; }}", "a[1]+".repeat(290)),
        format!(
            "__global__ void k(int *a) {{ a[0] = {}1{}; }}",
            "(a[1]+".repeat(90),
            ")".repeat(90)
        ),
        format!(
            "__global__ void k(int *a) {{ a[0] = {}1{}; }}",
            "a[".repeat(90),
            "]".repeat(90)
        ),
        format!(
            "__global__ void k(int *a) {{ {} a[0] = 1; }}",
            "if (a[1]) ".repeat(90)
        ),
        format!(
            "__global__ void k(int *a) {{ {} a[0] = 1; }}",
            "if (a[1]) a[2] = 1; else ".repeat(90)
        ),
    ] {
        assert!(parse(&text, ArchId::Tu102).diagnostics.is_empty());
        assert!(cuda::compile(&text, None, ArchId::Tu102, &CompileOptions::default()).is_ok());
    }
    let doubling: String = (1..64)
        .map(|n| format!("#define m{n} m{} m{}\n", n - 1, n - 1))
        .collect::<Vec<_>>()
        .concat();
    parse_for_all_architectures(&format!("{doubling}__device__ int a = m63;"));
}

#[test]
fn the_corpus_compiles() {
    for path in files(&root().join("tests/corpus"), "cu") {
        let text = std::fs::read_to_string(&path).unwrap();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let parsed = parse(&text, ArchId::Tu102);
        let message = rendered(&parsed, &name, &text);
        let all_guesses = parsed
            .diagnostics
            .iter()
            .all(|d| d.message.contains("does not launch"));
        assert!(
            message.is_empty() || (name == "templates.cu" && all_guesses),
            "{message}"
        );
        assert!(parsed.kernels.iter().all(|kernel| kernel.compiles), "{name}");
    }
}

/// `<` after a name with the prefix of a texture function is a comparison, unless the name is that function with a
/// type.
#[test]
fn less_than_after_a_name_like_a_texture_function_is_a_comparison() {
    let source = "enum { surf2D_LAST = 3 };
__device__ int tex3D_rows = 5;
__global__ void k(int *out, int tex2D_w, int tex2D)
{
    int n = threadIdx.x;
    int passed = 0;
    if (tex2D_w < n) passed += 1;
    if (tex2D < n && n > (tex2D)) passed += 2;
    passed += tex3D_rows < n ? 4 : 0;
    for (int texCubemapLod = 0; texCubemapLod < n; texCubemapLod++) passed += 8;
    if (surf2D_LAST < n) passed += 256;
    out[n] = passed;
}";
    let compiled = compile(source, None, ArchId::Tu102, &CompileOptions::default()).unwrap();
    let int = |bits| Argument::Scalar {
        ty: ElemType::I32,
        bits,
    };
    let launch = Launch {
        grid: [1, 1, 1],
        block: [8, 1, 1],
        dynamic_shared: 0,
        args: vec![
            Argument::Buffer {
                elem: ElemType::I32,
                len: 8,
                fill: Fill::of(Pattern::Zero),
                role: Role::Out,
                start: 0,
            },
            int(2),
            int(4),
        ],
        symbols: Vec::new(),
    };
    let outputs = reference::run(&compiled.program, &launch).unwrap();
    let bytes = outputs.argument(0).unwrap();
    let got: Vec<u32> = bytes
        .chunks_exact(4)
        .map(|word| u32::from_le_bytes(word.try_into().unwrap()))
        .collect();
    let bit = |holds, bit| if holds { bit } else { 0 };
    let expected: Vec<u32> = (0..8)
        .map(|n| bit(n > 2, 1) + bit(n > 4, 2) + bit(n > 5, 4) + 8 * n + bit(n > 3, 256))
        .collect();
    assert_eq!(got, expected);
}

/// Names with the prefix of a header's names are unknown until they are declared.
#[test]
fn only_declared_texture_functions_are_known() {
    for (call, message) in [
        (
            "tex2D<float>(out, 1)",
            "`tex2D` takes 2 coordinates after the texture, not 0.",
        ),
        (
            "surf3Dread<float>(1, 1)",
            "`surf3Dread` takes 3 coordinates after the surface, not 1.",
        ),
        (
            "tex1D(1ull, 1)",
            "A texture or surface object has no element type",
        ),
        ("tex2D_row(out)", "The function `tex2D_row` is not declared"),
        ("surf2D_row(out)", "The function `surf2D_row` is not declared"),
    ] {
        let text = format!("__global__ void k(float *out) {{ out[0] = {call}; }}");
        let parsed = parse(&text, ArchId::Tu102);
        let messages: Vec<&str> = parsed.diagnostics.iter().map(|d| d.message.as_str()).collect();
        assert!(
            matches!(messages.as_slice(), [only] if only.starts_with(message)),
            "{call}: {messages:?}"
        );
    }
}

/// A bracket or semicolon that host code lacks is an error, and hides no kernel.
#[test]
fn host_code_hides_no_kernel() {
    let kernel = "__global__ void k(float *o) { o[threadIdx.x] = 1; }\n";
    let template = "template <class T>\n__launch_bounds__(64)\n__global__ void k(T *o) { o[0] = 1; }\n\
        template __global__ void k<float>(float *);\n";
    for before in [
        "int x = 3\n",
        "using namespace std\n",
        "void host(int x)\n",
        "int v[] = {1, 2\n",
        "void f() { g(1, 2; }\n",
        "void f() { int a[3 = {1}; }\n",
        "void f() { if (1) { }\n",
        "#define C if (1) {\nvoid f() { C }\n",
        "auto l = [] { int x; ;\n",
    ] {
        for kernel in [kernel, template] {
            let text = format!("{before}{kernel}");
            let parsed = parse(&text, ArchId::Tu102);
            assert_eq!(parsed.kernels.len(), 1, "{text}");
            assert!(parsed.kernels[0].compiles && parsed.unit.is_some(), "{text}");
            let is_error = |diagnostic: &cuda::diagnostic::Diagnostic| diagnostic.severity == Severity::Error;
            assert!(parsed.diagnostics.iter().any(is_error), "{text}");
        }
    }
}

/// Constants of a host function determine the template arguments of its launches.
#[test]
fn instances_follow_constants_of_host_code() {
    let template = "template <int n> __global__ void k(int *o) { o[threadIdx.x] = n; }\n";
    let prototypes = (0..600)
        .map(|idx| format!("void f{idx}(int);\n"))
        .collect::<Vec<_>>()
        .concat();
    for (host, names) in [
        (
            "void run(int *d) { const unsigned n = 128; k<n><<<1, n>>>(d); }".to_owned(),
            &["k<128>"][..],
        ),
        (
            "void run(int *d) { { const int n = 4; k<n><<<1, 1>>>(d); } { const int n = 8; k<n><<<1, 1>>>(d); } }"
                .to_owned(),
            &["k<4>", "k<8>"],
        ),
        (
            "void run(int *d) { constexpr int n{16}; constexpr int m = n / 2; k<m><<<1, 1>>>(d); }".to_owned(),
            &["k<8>"],
        ),
        (
            "template <int d> void run(int *p) { constexpr int n = (d < 128) ? 8 : 2; k<n><<<1, 1>>>(p); }\n\
             void go(int *p) { run<64>(p); run<256>(p); }"
                .to_owned(),
            &["k<8>", "k<2>"],
        ),
        (
            format!("{prototypes}template <int d> void run(int *p) {{ k<d><<<1, 1>>>(p); }}\nvoid go(int *p) {{ run<64>(p); }}"),
            &["k<64>"],
        ),
    ] {
        let text = format!("{template}{host}");
        let parsed = parse(&text, ArchId::Tu102);
        let mut found: Vec<&str> = parsed.kernels.iter().map(|kernel| &*kernel.name).collect();
        found.sort_unstable();
        let mut wanted = names.to_vec();
        wanted.sort_unstable();
        assert_eq!(found, wanted, "{}", &text[text.len().saturating_sub(300)..]);
    }
}

/// Words and forms that nvcc accepts, each with the value that the kernel stores.
#[test]
fn legal_words_have_their_values() {
    for (before, body, value) in [
        (
            "struct U { __extension__ union { int a; float b; }; };",
            "U u; u.a = 7; o[0] = u.a;",
            7,
        ),
        (
            "",
            "[[maybe_unused]] int x = 3; if (x > 2) [[likely]] o[0] = x;",
            3,
        ),
        (
            "template <int n> struct F { __device__ void operator()(int *o) const { o[0] = n; } };",
            "F<5>{}(o);",
            5,
        ),
        (
            "#include <cuda_fp16.h>",
            "__half_raw r{0x3c00}; half h = r; r = half(2.0f); o[0] = (int)(float)h + r.x;",
            1 + 0x4000,
        ),
        (
            "#include <cublas_v2.h>",
            "__nv_bfloat16 x = 2.0f; half y = 1.0f; o[0] = (int)((float)x + (float)y);",
            3,
        ),
        (
            "#include <cufft.h>",
            "cufftComplex a = {3.0f, 4.0f}, b = cuCmulf(a, a); cufftReal r = b.x; cufftDoubleComplex d = {r, b.y}; o[0] = (int)(d.x + d.y);",
            -7 + 24,
        ),
        (
            "#include <cufftXt.h>",
            "cufftDoubleReal x = 2.5; o[0] = (int)(2 * x) + sizeof(cufftComplex);",
            13,
        ),
        ("", "o[0] = __func__[0] + sizeof(__FUNCTION__);", 107 + 2),
    ] {
        let source = format!("{before}\n__global__ void k(int *o) {{ {body} }}");
        let bytes = overloads::written(&source, ElemType::I32, 1);
        let got = i32::from_le_bytes(bytes.try_into().unwrap());
        assert_eq!(got, value, "{source}");
    }
}
