//! Source texts that grow without bound: one construct nested, or repeated, `n` times.

/// A text of size `n`.
pub(crate) struct Shape {
    /// The name.
    pub(crate) name: &'static str,
    /// Writes the text.
    pub(crate) text: fn(usize) -> String,
}

const fn shape(name: &'static str, text: fn(usize) -> String) -> Shape {
    Shape { name, text }
}

/// A construct that contains itself: what opens it, what is innermost, and what closes it.
pub(crate) struct Nest {
    /// The name.
    pub(crate) name: &'static str,
    opening: &'static str,
    middle: &'static str,
    closing: &'static str,
}

impl Nest {
    /// The construct, `n` levels deep; without its end if `is_open`.
    pub(crate) fn text(&self, n: usize, is_open: bool) -> String {
        let closing = if is_open { 0 } else { n };
        format!(
            "{}{}{}",
            self.opening.repeat(n),
            self.middle,
            self.closing.repeat(closing)
        )
    }
}

const fn nest(
    name: &'static str,
    opening: &'static str,
    middle: &'static str,
    closing: &'static str,
) -> Nest {
    Nest {
        name,
        opening,
        middle,
        closing,
    }
}

/// Nested expressions.
pub(crate) const EXPRESSIONS: &[Nest] = &[
    nest("parentheses", "(", "1", ")"),
    nest("not", "!", "1", ""),
    nest("minus", "- ", "1", ""),
    nest("complement", "~", "1", ""),
    nest("dereference", "*", "p", ""),
    nest("address", "& ", "p", ""),
    nest("decrement", "--", "p", ""),
    nest("postfix", "", "p", "++"),
    nest("cast", "(int)", "1", ""),
    nest("parenthesized cast", "((int)", "1", ")"),
    nest("named cast", "static_cast<int>(", "1", ")"),
    nest("constructed", "int(", "1", ")"),
    nest("sizeof", "sizeof ", "1", ""),
    nest("sizeof parentheses", "sizeof(", "1", ")"),
    nest("conditional", "1 ? ", "1", " : 1"),
    nest("chained conditional", "1 ? 1 : ", "1", ""),
    nest("assignment", "p = ", "1", ""),
    nest("list", "{", "1", "}"),
    nest("index", "p[", "1", "]"),
    nest("indices", "", "p", "[1]"),
    nest("call", "f(", "1", ")"),
    nest("calls", "", "f", "(1)"),
    nest("members", "", "p", ".a"),
    nest("arrows", "", "p", "->a"),
    nest("sum", "1 + ", "1", ""),
    nest("right sum", "1 + (", "1", ")"),
    nest("conjunction", "p && ", "1", ""),
    nest("comma", "1, ", "1", ""),
    nest("comparison", "1 < ", "1", ""),
    nest("template argument", "S<", "int", ">"),
    nest("unknown template", "std::x<", "int", ">"),
    nest("value argument", "S<(", "1", ")>()"),
    nest("type member", "S<int>::", "a", ""),
    nest("name", "a::", "a", ""),
    nest("lambda", "[&]{ return ", "1", "; }()"),
    nest("generic lambda", "[=](auto x) { return ", "1", "; }(1)"),
    nest("lambda argument", "[=](auto f) { return f(f); }(", "1", ")"),
    nest("capture", "[x = ", "1", "]{}"),
    nest("decltype", "decltype(", "1", ")()"),
    nest("strings", "\"a\" ", "\"b\"", ""),
    nest("statement", "({ ", "1;", " })"),
    nest("new", "new ", "int", ""),
    nest("fold", "(p + ... + ", "p", ")"),
    nest("pack", "", "p", "..."),
    nest("construction", "S<int>{", "1", "}"),
    nest("texture", "tex1Dfetch<int>(", "p", ")"),
    nest("defined", "defined(", "X", ")"),
    nest("digits", "9", "", ""),
    nest("hex digits", "0x", "", ""),
    nest("brackets", "[", "", "]"),
    nest("braces", "{", "", "}"),
    nest("angles", "<", "", ">"),
];

/// Nested types and declarators.
pub(crate) const DECLARATIONS: &[Nest] = &[
    nest("pointer", "int ***", "x", ""),
    nest("pointers", "int *", "x", ";"),
    nest("stars", "*", "x", ""),
    nest("references", "&", "x", ""),
    nest("arrays", "", "int x", "[1]"),
    nest("large arrays", "", "int x", "[4294967295]"),
    nest("open arrays", "", "int x", "[]"),
    nest("function pointers", "int (*", "x", ")()"),
    nest("parameters", "int x(", "int", ")"),
    nest("parenthesized names", "int (", "x", ")"),
    nest("const", "const ", "int x", ""),
    nest("words", "long ", "x", ""),
    nest("unsigned", "unsigned ", "x", ""),
    nest("template", "template <class T> ", "int x", ""),
    nest(
        "template template",
        "template <template <",
        "class T",
        "> class U>",
    ),
    nest("struct", "struct A { ", "int x;", " } a;"),
    nest("anonymous struct", "struct { ", "int x;", " };"),
    nest("union", "union { ", "int x;", " };"),
    nest("bases", "struct A : ", "B", " {}"),
    nest("instance", "S<", "int", "> x;"),
    nest("two instances", "S<S<int>, ", "int", "> x;"),
    nest("enum", "enum { A = ", "1", " };"),
    nest("namespace", "namespace a { ", "int x;", " }"),
    nest("linkage", "extern \"C\" { ", "int x;", " }"),
    nest("specifiers", "__device__ ", "int x", ""),
    nest("attributes", "[[a]] ", "int x", ""),
    nest("alignment", "alignas(", "4", ") int x"),
    nest("bounds", "__launch_bounds__(", "4", ") int x"),
    nest("decltypes", "decltype(", "1", ") x"),
    nest("typename", "typename ", "T", " x"),
    nest("members", "struct A { S<", "int", "> a; };"),
    nest("operators", "operator ", "int", "()"),
    nest("initializers", "int x = {", "1", "};"),
    nest("using", "using a = ", "int", ";"),
];

/// Nested statements.
pub(crate) const STATEMENTS: &[Nest] = &[
    nest("blocks", "{", ";", "}"),
    nest("if", "if (o[0]) ", "o[1]++;", ""),
    nest("if block", "if (o[0]) { ", "o[1]++;", " }"),
    nest("else", "if (o[0]) o[1]++; else ", "o[1]++;", ""),
    nest("if else", "if (o[0]) ", "o[1]++;", " else o[2]++;"),
    nest("for", "for (int i = 0; i < o[0]; i++) ", "o[1]++;", ""),
    nest("counted for", "for (int i = 0; i < 9; i++) ", "o[1]++;", ""),
    nest("while", "while (o[0]) ", "o[1]++;", ""),
    nest("do", "do ", "o[1]++;", " while (o[0]);"),
    nest("switch", "switch (o[0]) { case 1: ", "o[1]++;", " }"),
    nest("case", "case 1: ", "o[1]++;", ""),
    nest("label", "a: ", "o[1]++;", ""),
    nest("pragmas", "\n#pragma unroll\n", "o[1]++;", ""),
    nest(
        "unrolled",
        "\n#pragma unroll\nfor (int i = 0; i < 100000; i++)\n",
        "o[1]++;",
        "",
    ),
    nest("range for", "for (auto x : ", "o", ") {}"),
    nest("try", "try { ", "o[1]++;", " } catch (...) {}"),
    nest("local struct", "struct A { void f() { ", "int x;", " } };"),
    nest("local lambda", "auto f = [&] { ", "o[1]++;", " };"),
    nest(
        "generic local lambda",
        "auto f = [&](auto x) { ",
        "o[1]++;",
        " }; f(1);",
    ),
    nest("declared condition", "if (int a = o[0]) ", "o[1]++;", ""),
    nest("constexpr if", "if constexpr (1) ", "o[1]++;", ""),
    nest("directives", "\n#if 1\n", "o[1]++;", "\n#endif\n"),
    nest("asm", "asm(\"", "", "\");"),
    nest("launches", "k<<<1, ", "1", ">>>(o);"),
    nest("goto", "goto a; ", "a: o[1]++;", ""),
];

/// Where an expression `X` is.
pub(crate) const PLACES: &[(&str, &str)] = &[
    ("kernel", "__global__ void k(int *o, int *p) { o[0] = X; }"),
    (
        "condition",
        "__global__ void k(int *o, int *p) { if (X) o[0] = 1; while (X) o[0] = 2; }",
    ),
    (
        "host",
        "__global__ void k(int *o) { o[0] = 1; } int main() { int *p; int x = X; cudaMalloc(&p, X); k<<<X, 1>>>(p); for (int i = X; X; X) { X; } f(X); return X; }",
    ),
    (
        "host function",
        "__global__ void k(int *o) { o[0] = 1; } int f(int p = X) { return X; } int main() { int *q; cudaMalloc(&q, 4); k<<<f(1), 1>>>(q); }",
    ),
    (
        "global",
        "int g = X; __device__ int d = X; __constant__ int c[] = {X}; constexpr int e = X; __global__ void k(int *o) { o[0] = g + d + c[0] + e; }",
    ),
    (
        "extent",
        "__device__ int d[X]; __global__ void k(int *o) { __shared__ int s[X]; o[0] = d[1] + s[1]; }",
    ),
    (
        "directive",
        "#if X\n#endif\n#define M X\n#define F(x) x x\n__global__ void k(int *o) { o[0] = M; o[1] = F(X); }",
    ),
    (
        "enum",
        "enum E { A = X }; struct B { int b : X; }; static_assert(X, \"a\"); __global__ void k(int *o) { o[0] = A; }",
    ),
    (
        "template",
        "template <int N> struct T {}; template <class T> struct S {}; template <int N = X> __global__ void k(int *o) { T<X> t; S<decltype(X)> s; o[0] = N; } template __global__ void k<X>(int *);",
    ),
    (
        "case",
        "__global__ void k(int *o, int *p) { switch (X) { case X: o[0] = 1; } \n#pragma unroll X\n for (int i = 0; i < X; i++) o[i] = X; return X; }",
    ),
    (
        "function",
        "__device__ int f(int p = X) { return X; } template <class T> __device__ auto g(T p) { return X; } __global__ void k(int *o) { o[0] = f() + g(1); }",
    ),
    (
        "constructor",
        "struct C { int a = X; C() : a(X) {} int f() { return X; } }; __global__ void k(int *o) { C c; o[0] = c.f(); }",
    ),
    (
        "assembly",
        "__global__ void k(int *o, int *p) { asm(\"mov.u32 %0, 1;\" : \"=r\"(X) : \"r\"(X)); }",
    ),
    (
        "type",
        "__global__ void k(int *o, int *p) { X x; X *y; o[0] = sizeof(X); (X)1; static_cast<X>(1); } X g; typedef X A; using B = X; X f(X a);",
    ),
];

/// Where a declaration `X` is.
pub(crate) const DECLARED_IN: &[(&str, &str)] = &[
    (
        "file",
        "template <class T, class U = T> struct S { T a; }; X; __global__ void k(int *o) { o[0] = 1; } int main() { }",
    ),
    (
        "device",
        "template <class T, class U = T> struct S { T a; }; __device__ X; __global__ void k(int *o) { o[0] = 1; }",
    ),
    (
        "kernel",
        "template <class T, class U = T> struct S { T a; }; __global__ void k(int *o) { X; o[0] = 1; }",
    ),
    (
        "parameters",
        "template <class T, class U = T> struct S { T a; }; __global__ void k(X) { } __device__ int f(X) { return 1; }",
    ),
    (
        "struct",
        "template <class T, class U = T> struct S { T a; }; struct Z { X; }; __global__ void k(int *o, Z z) { o[0] = 1; }",
    ),
    (
        "host",
        "template <class T, class U = T> struct S { T a; }; __global__ void k(int *o) { o[0] = 1; } int main() { X; k<<<1, 1>>>(0); }",
    ),
    (
        "typedef",
        "template <class T, class U = T> struct S { T a; }; typedef X; using A = X; __global__ void k(int *o) { o[0] = sizeof(X); (X)1; auto f = [](X) {}; }",
    ),
    (
        "template",
        "template <X> struct T { }; template <class T> struct U { X; T b; }; __global__ void k(int *o) { U<int> u; o[0] = sizeof(u); }",
    ),
];

/// Where statements `X` are.
pub(crate) const STATEMENTS_IN: &[(&str, &str)] = &[
    ("kernel", "__global__ void k(int *o) { X }"),
    (
        "host",
        "__global__ void k(int *o) { o[0] = 1; } int main() { int *o; cudaMalloc(&o, 4); X k<<<1, 1>>>(o); }",
    ),
    (
        "host function",
        "__global__ void k(int *o) { o[0] = 1; } void f(int *o) { X k<<<1, 1>>>(o); } int main() { int *o; cudaMalloc(&o, 4); f(o); }",
    ),
    (
        "function",
        "template <class T> __device__ int f(T *o) { X return 1; } __global__ void k(int *o) { o[0] = f(o); }",
    ),
    (
        "constexpr",
        "constexpr int f(int a) { int o[3] = {}; X return 1; } __global__ void k(int *o) { constexpr int a = f(1); o[0] = a; }",
    ),
    (
        "lambda",
        "__global__ void k(int *o) { auto f = [=](auto a) { X return 1; }; o[0] = f(1); }",
    ),
    ("file", "X __global__ void k(int *o) { o[0] = 1; }"),
    ("macro", "#define M X\n__global__ void k(int *o) { M }"),
];

fn each(n: usize, piece: impl Fn(usize) -> String) -> String {
    (0..n).map(piece).collect()
}

const KERNEL: &str = "__global__ void k(int *o) { o[0] = 1; }";

/// Texts with `n` of something, whose time must grow at most with `n log n`.
// One row for each shape.
#[rustfmt::skip]
pub(crate) const GROWING: &[Shape] = &[
    shape("statements", |n| format!("__global__ void k(int *o) {{ {} }}", "o[0] += o[1];\n".repeat(n))),
    shape("distinct statements", |n| format!("__global__ void k(int *o) {{ {} }}", each(n, |i| format!("o[{i}] = o[{}] * {i};\n", i + 7)))),
    shape("locals", |n| format!("__global__ void k(int *o) {{ int x0 = o[0];\n{} o[0] = x{n}; }}", each(n, |i| format!("int x{} = x{i} * 3 + o[{i}];\n", i + 1)))),
    shape("arrays", |n| format!("__global__ void k(int *o) {{ {} }}", each(n, |i| format!("int a{i}[4]; a{i}[o[{i}] & 3] = 1; o[{i}] = a{i}[1];\n")))),
    shape("live locals", |n| format!("__global__ void k(int *o) {{ {} o[0] = 0{}; }}", each(n, |i| format!("int x{i} = o[{i}];\n")), each(n.min(250), |i| format!(" + x{i}")))),
    shape("branches", |n| format!("__global__ void k(int *o) {{ {} }}", each(n, |i| format!("if (o[{i}]) o[{}] = {i};\n", i + 1)))),
    shape("loops", |n| format!("__global__ void k(int *o) {{ {} }}", each(n, |i| format!("for (int i = 0; i < o[{i}]; i++) o[i] += {i};\n")))),
    shape("counted loops", |n| format!("__global__ void k(int *o) {{ {} }}", each(n, |i| format!("for (int i = 0; i < 8; i++) o[i] += {i};\n")))),
    shape("barriers", |n| format!("__global__ void k(int *o) {{ __shared__ int s[32]; {} }}", each(n, |i| format!("s[threadIdx.x] = {i}; __syncthreads(); o[{i}] = s[31 - threadIdx.x]; __syncthreads();\n")))),
    shape("labels", |n| format!("__global__ void k(int *o) {{ {} }}", each(n, |i| format!("a{i}: o[0]++;\n")))),
    shape("forward gotos", |n| format!("__global__ void k(int *o) {{ {} }}", each(n, |i| format!("if (o[{i}]) goto a{i}; o[0]++; a{i}: o[1]++;\n")))),
    shape("gotos to the end", |n| format!("__global__ void k(int *o) {{ {} end: o[1]++; }}", each(n, |i| format!("if (o[{i}]) goto end;\n")))),
    shape("gotos to the start", |n| format!("__global__ void k(int *o) {{ start: o[1]++; {} }}", each(n, |i| format!("if (o[{i}]) goto start;\n")))),
    shape("crossing gotos", |n| format!("__global__ void k(int *o) {{ {} }}", each(n, |i| format!("a{i}: o[0]++; if (o[{i}] > {i}) goto a{};\n", (i * 7919 + 13) % n)))),
    shape("unconditional gotos", |n| format!("__global__ void k(int *o) {{ {} a{n}: o[1]++; }}", each(n, |i| format!("a{i}: goto a{};\n", i + 1)))),
    shape("undeclared labels", |n| format!("__global__ void k(int *o) {{ {} }}", each(n, |i| format!("goto a{i};\n")))),
    shape("cases", |n| format!("__global__ void k(int *o) {{ switch (o[0]) {{ {} }} }}", each(n, |i| format!("case {i}: o[{i}] = {};\n", i * 3)))),
    shape("breaking cases", |n| format!("__global__ void k(int *o) {{ switch (o[0]) {{ {} }} }}", each(n, |i| format!("case {}: o[{i}] = {}; break;\n", i * 5, i * 3)))),
    shape("functions", |n| format!("{}__global__ void k(int *o) {{ o[0] = f0(1); }}", each(n, |i| format!("__device__ int f{i}(int x) {{ return x + {i}; }}\n")))),
    shape("called functions", |n| format!("{}__global__ void k(int *o) {{ {} }}", each(n, |i| format!("__device__ int f{i}(int x) {{ return x + {i}; }}\n")), each(n, |i| format!("o[{i}] = f{i}(o[{i}]);\n")))),
    shape("function chain", |n| format!("__device__ int f0(int x) {{ return x; }}\n{}__global__ void k(int *o) {{ o[0] = f{n}(1); }}", each(n, |i| format!("__device__ int f{}(int x) {{ return f{i}(x) + 1; }}\n", i + 1)))),
    shape("prototypes", |n| format!("{}{KERNEL}", each(n, |i| format!("__device__ int f{i}(int x);\n")))),
    shape("overloads", |n| format!("{}__global__ void k(int *o) {{ A0 a; o[0] = f(a); }}", each(n, |i| format!("struct A{i} {{}}; __device__ int f(A{i} x) {{ return {i}; }}\n")))),
    shape("kernels", |n| each(n, |i| format!("__global__ void k{i}(int *o) {{ o[0] = {i}; }}\n"))),
    shape("launches", |n| format!("{KERNEL} int main() {{ int *p; cudaMalloc(&p, 4); {} }}", "k<<<1, 1>>>(p);\n".repeat(n))),
    shape("kernel template launches", |n| format!("template <int N> __global__ void k(int *o) {{ o[0] = N; }} int main() {{ int *p; cudaMalloc(&p, 4); {} }}", each(n, |i| format!("k<{i}><<<1, 1>>>(p);\n")))),
    shape("extended lambdas", |n| format!("{KERNEL} int main() {{ int v = 1; {} }}", each(n, |i| format!("auto f{i} = [=] __device__ (int i) {{ return i + v; }};\n")))),
    shape("captured names", |n| format!("{KERNEL} int main() {{ {} auto f = [=] __device__ () {{ return 0{}; }}; }}", each(n, |i| format!("int n{i} = 1;\n")), each(n, |i| format!(" + n{i}")))),
    shape("brackets beside an extended lambda", |n| format!("{KERNEL} int main() {{ auto f = [=] __device__ (int i) {{ return i; }}; int x = {}0{}; }}", "a[b ".repeat(n), "]".repeat(n))),
    shape("globals", |n| format!("{}__global__ void k(int *o) {{ o[0] = g0; }}", each(n, |i| format!("__device__ int g{i} = {i};\n")))),
    shape("used globals", |n| format!("{}__global__ void k(int *o) {{ {} }}", each(n, |i| format!("__device__ int g{i} = {i};\n")), each(n, |i| format!("g{i} = o[{i}];\n")))),
    shape("shared variables", |n| format!("__global__ void k(int *o) {{ {} }}", each(n, |i| format!("__shared__ int s{i}; s{i} = o[{i}];\n")))),
    shape("constants", |n| format!("{}__global__ void k(int *o) {{ o[0] = c{}; }}", each(n, |i| format!("constexpr int c{i} = {};\n", if i == 0 { "1".to_owned() } else { format!("c{} + 1", i - 1) })), n - 1)),
    shape("macros", |n| format!("{}{KERNEL}", each(n, |i| format!("#define M{i} {i}\n")))),
    shape("used macros", |n| format!("{}__global__ void k(int *o) {{ {} }}", each(n, |i| format!("#define M{i} {i}\n")), each(n, |i| format!("o[{i}] = M{i};\n")))),
    shape("macro chain", |n| format!("#define M0 1\n{}__global__ void k(int *o) {{ o[0] = M{n}; }}", each(n, |i| format!("#define M{} M{i}\n", i + 1)))),
    shape("function macro chain", |n| format!("#define M0(x) x\n{}__global__ void k(int *o) {{ o[0] = M{n}(1); }}", each(n, |i| format!("#define M{}(x) M{i}(x)\n", i + 1)))),
    shape("macro parameters", |n| format!("#define M({}) {}\n__global__ void k(int *o) {{ o[0] = M({}); }}", each(n, |i| format!("{}x{i}", if i > 0 { "," } else { "" })), each(n, |i| format!("{}x{i}", if i > 0 { "+" } else { "" })), each(n, |i| format!("{}1", if i > 0 { "," } else { "" })))),
    shape("macro uses", |n| format!("#define M(x) ((x) + 1)\n__global__ void k(int *o) {{ {} }}", "o[0] = M(o[0]);\n".repeat(n))),
    shape("macro body", |n| format!("#define M {}\n__global__ void k(int *o) {{ M }}", "o[0]++; ".repeat(n))),
    shape("undefs", |n| format!("{}{KERNEL}", each(n, |i| format!("#define M {i}\n#undef M\n")))),
    shape("conditionals", |n| format!("{}{KERNEL}", each(n, |i| format!("#if {i} > 3\n#else\n#endif\n")))),
    shape("elifs", |n| format!("#if 0\n{}#endif\n{KERNEL}", each(n, |i| format!("#elif {i} > 1000000\n")))),
    shape("unknown directives", |n| format!("{}{KERNEL}", "#defin A\n".repeat(n))),
    shape("unknown includes", |n| format!("{}{KERNEL}", each(n, |i| format!("#include \"a{i}.h\"\n")))),
    shape("headers", |n| format!("{}{KERNEL}", "#include <cuda_fp16.h>\n#include <cooperative_groups.h>\n".repeat(n))),
    shape("lines", |n| format!("{}{KERNEL}", each(n, |i| format!("#line {i} \"a\"\n")))),
    shape("typedefs", |n| format!("{}__global__ void k(int *o) {{ t0 x = 1; o[0] = x; }}", each(n, |i| format!("typedef int t{i};\n")))),
    shape("typedef chain", |n| format!("typedef int t0;\n{}__global__ void k(int *o) {{ t{n} x = 1; o[0] = x; }}", each(n, |i| format!("typedef t{i} t{};\n", i + 1)))),
    shape("pointer typedef chain", |n| format!("typedef int t0;\n{}__global__ void k(int *o) {{ t{n} x = 0; o[0] = x == 0; }}", each(n, |i| format!("typedef t{i} *t{};\n", i + 1)))),
    shape("array typedef chain", |n| format!("typedef int t0;\n{}__global__ void k(int *o) {{ o[0] = sizeof(t{n}); }}", each(n, |i| format!("typedef t{i} t{}[1];\n", i + 1)))),
    shape("using chain", |n| format!("using t0 = int;\n{}__global__ void k(int *o) {{ t{n} x = 1; o[0] = x; }}", each(n, |i| format!("using t{} = t{i};\n", i + 1)))),
    shape("function typedef chain", |n| format!("typedef int t0();\n{}__global__ void k(int *o) {{ t{n} *x = 0; o[0] = x == 0; }}", each(n, |i| format!("typedef int t{}(t{i} *);\n", i + 1)))),
    shape("structs", |n| format!("{}__global__ void k(int *o) {{ A0 a; o[0] = a.m = 1; }}", each(n, |i| format!("struct A{i} {{ int m; }};\n")))),
    shape("struct chain", |n| format!("struct A0 {{ int m; }};\n{}__global__ void k(int *o) {{ o[0] = sizeof(A{n}); }}", each(n, |i| format!("struct A{} {{ A{i} a; }};\n", i + 1)))),
    shape("used struct chain", |n| format!("struct A0 {{ int m; }};\n{}__global__ void k(int *o) {{ A{n} a; A{n} b = a; o[0] = sizeof(b); }}", each(n, |i| format!("struct A{} {{ A{i} a; }};\n", i + 1)))),
    shape("doubled structs", |n| format!("struct A0 {{ int m; }};\n{}__global__ void k(int *o) {{ A{n} a; A{n} b = a; o[0] = sizeof(b); }}", each(n, |i| format!("struct A{} {{ A{i} a, b; }};\n", i + 1)))),
    shape("base chain", |n| format!("struct A0 {{ int m; }};\n{}__global__ void k(int *o) {{ A{n} a; a.m = 1; o[0] = a.m; }}", each(n, |i| format!("struct A{} : A{i} {{ int m{i}; }};\n", i + 1)))),
    shape("empty base chain", |n| format!("struct A0 {{ int m; }};\n{}__global__ void k(int *o) {{ A{n} a; a.m = 1; o[0] = a.m; }}", each(n, |i| format!("struct A{} : A{i} {{ }};\n", i + 1)))),
    shape("bases", |n| format!("{}struct B : {} {{}}; __global__ void k(int *o) {{ B b; b.m0 = 1; o[0] = b.m0; }}", each(n, |i| format!("struct A{i} {{ int m{i}; }};\n")), each(n, |i| format!("{}A{i}", if i > 0 { ", " } else { "" })))),
    shape("pointer struct chain", |n| format!("struct A0 {{ int m; }};\n{}__global__ void k(int *o, A{n} *a) {{ o[0] = sizeof(*a); }}", each(n, |i| format!("struct A{} {{ A{i} *a; }};\n", i + 1)))),
    shape("fields", |n| format!("struct A {{ {} }};\n__global__ void k(int *o, A *a) {{ o[0] = a->m{}; }}", each(n, |i| format!("int m{i};\n")), n - 1)),
    shape("copied fields", |n| format!("struct A {{ {} }};\n__global__ void k(int *o, A *a) {{ A b = *a; b.m0++; a[1] = b; }}", each(n, |i| format!("int m{i};\n")))),
    shape("bit-fields", |n| format!("struct A {{ {} }};\n__global__ void k(int *o, A *a) {{ a->m{} = 1; }}", each(n, |i| format!("int m{i} : 3;\n")), n - 1)),
    shape("methods", |n| format!("struct A {{ {} }};\n__global__ void k(int *o) {{ A a; o[0] = a.m0(); }}", each(n, |i| format!("__device__ int m{i}() {{ return {i}; }}\n")))),
    shape("called methods", |n| format!("struct A {{ int x; {} }};\n__global__ void k(int *o) {{ A a; {} }}", each(n, |i| format!("__device__ int m{i}() {{ return x + {i}; }}\n")), each(n, |i| format!("o[{i}] = a.m{i}();\n")))),
    shape("unions", |n| format!("union A {{ {} }};\n__global__ void k(int *o) {{ A a; a.m0 = 1; o[0] = a.m{}; }}", each(n, |i| format!("int m{i};\n")), n - 1)),
    shape("enumerators", |n| format!("enum E {{ {} }};\n__global__ void k(int *o) {{ o[0] = e{}; }}", each(n, |i| format!("e{i},\n")), n - 1)),
    shape("enums", |n| format!("{}__global__ void k(int *o) {{ o[0] = e0; }}", each(n, |i| format!("enum E{i} {{ e{i} }};\n")))),
    shape("initializers", |n| format!("__constant__ int c[] = {{ {} }};\n__global__ void k(int *o) {{ o[0] = c[o[1]]; }}", each(n, |i| format!("{i},\n")))),
    shape("local initializers", |n| format!("__global__ void k(int *o) {{ int c[] = {{ {} }}; o[0] = c[o[1]]; }}", each(n, |i| format!("{i},\n")))),
    shape("struct initializers", |n| format!("struct P {{ int x, y; }}; __constant__ P c[] = {{ {} }};\n__global__ void k(int *o) {{ o[0] = c[o[1]].y; }}", each(n, |i| format!("{{{i}, 1}},\n")))),
    shape("string", |n| format!("__constant__ char c[] = \"{}\";\n__global__ void k(int *o) {{ o[0] = c[o[1]]; }}", "a".repeat(n))),
    shape("strings", |n| format!("__global__ void k(int *o) {{ {} }}", each(n, |i| format!("printf(\"a{i} %d\\n\", o[{i}]);\n")))),
    shape("string parts", |n| format!("__global__ void k(int *o) {{ printf({}); }}", "\"a\" ".repeat(n))),
    shape("templates", |n| format!("{}__global__ void k(int *o) {{ o[0] = f0(1); }}", each(n, |i| format!("template <class T> __device__ T f{i}(T x) {{ return x; }}\n")))),
    shape("called templates", |n| format!("{}__global__ void k(int *o) {{ {} }}", each(n, |i| format!("template <class T> __device__ T f{i}(T x) {{ return x; }}\n")), each(n, |i| format!("o[{i}] = f{i}(o[{i}]);\n")))),
    shape("template instances", |n| format!("template <int N> __device__ int f(int x) {{ return x + N; }}\n__global__ void k(int *o) {{ {} }}", each(n, |i| format!("o[{i}] = f<{i}>(o[{i}]);\n")))),
    shape("template chain", |n| format!("template <int N> __device__ int f(int x) {{ return f<N - 1>(x) + 1; }} template <> __device__ int f<0>(int x) {{ return x; }}\n__global__ void k(int *o) {{ o[0] = f<{n}>(1); }}")),
    shape("class instances", |n| format!("template <int N> struct S {{ int a; }};\n__global__ void k(int *o) {{ {} }}", each(n, |i| format!("S<{i}> s{i}; s{i}.a = o[{i}]; o[{i}] = s{i}.a;\n")))),
    shape("class chain", |n| format!("template <int N> struct S {{ static const int v = S<N - 1>::v + 1; }}; template <> struct S<0> {{ static const int v = 0; }};\n__global__ void k(int *o) {{ o[0] = S<{n}>::v; }}")),
    shape("specializations", |n| format!("template <int N> struct S {{ int a; }};\n{}__global__ void k(int *o) {{ S<1> s; s.a = 1; o[0] = s.a; }}", each(n, |i| format!("template <> struct S<{i}> {{ int b, a; }};\n")))),
    shape("template parameters", |n| format!("template <{}> __device__ int f() {{ return 1; }}\n__global__ void k(int *o) {{ o[0] = f<{}>(); }}", each(n, |i| format!("{}int N{i}", if i > 0 { ", " } else { "" })), each(n, |i| format!("{}{i}", if i > 0 { ", " } else { "" })))),
    shape("pack", |n| format!("template <class... T> __device__ int f(T... x) {{ return (x + ...); }}\n__global__ void k(int *o) {{ o[0] = f({}); }}", each(n, |i| format!("{}{i}", if i > 0 { ", " } else { "" })))),
    shape("function parameters", |n| format!("__device__ int f({}) {{ return x0; }}\n__global__ void k(int *o) {{ o[0] = f({}); }}", each(n, |i| format!("{}int x{i}", if i > 0 { ", " } else { "" })), each(n, |i| format!("{}{i}", if i > 0 { ", " } else { "" })))),
    shape("kernel parameters", |n| format!("__global__ void k(int *o{}) {{ o[0] = x0; }}", each(n, |i| format!(", int x{i}")))),
    shape("lambdas", |n| format!("__global__ void k(int *o) {{ {} }}", each(n, |i| format!("auto f{i} = [=](int x) {{ return x + {i}; }}; o[{i}] = f{i}(1);\n")))),
    shape("generic lambdas", |n| format!("__global__ void k(int *o) {{ {} }}", each(n, |i| format!("auto f{i} = [=](auto x) {{ return x + {i}; }}; o[{i}] = f{i}(1);\n")))),
    shape("captures", |n| format!("__global__ void k(int *o) {{ {} auto f = [=] {{ return {}1; }}; o[0] = f(); }}", each(n, |i| format!("int x{i} = o[{i}];\n")), each(n.min(200), |i| format!("x{i} + ")))),
    shape("namespaces", |n| format!("{}__global__ void k(int *o) {{ o[0] = n0::f(); }}", each(n, |i| format!("namespace n{i} {{ __device__ int f() {{ return {i}; }} }}\n")))),
    shape("usings", |n| format!("{}__global__ void k(int *o) {{ o[0] = f0(); }}", each(n, |i| format!("namespace n{i} {{ __device__ int f{i}() {{ return {i}; }} }} using namespace n{i};\n")))),
    shape("aliases", |n| format!("namespace n0 {{ __device__ int f() {{ return 1; }} }}\n{}__global__ void k(int *o) {{ o[0] = n{n}::f(); }}", each(n, |i| format!("namespace n{} = n{i};\n", i + 1)))),
    shape("one namespace", |n| format!("namespace a {{ {} }}__global__ void k(int *o) {{ o[0] = a::f0(1); }}", each(n, |i| format!("__device__ int f{i}(int x) {{ return x + {i}; }}\n")))),
    shape("scopes", |n| format!("__global__ void k(int *o) {{ {} }}", each(n, |i| format!("{{ int x = o[{i}]; o[{i}] = x + 1; }}\n")))),
    shape("errors", |n| format!("__global__ void k(int *o) {{ {} }}", each(n, |i| format!("o[{i}] = y{i};\n")))),
    shape("syntax errors", |n| format!("__global__ void k(int *o) {{ {} }}", each(n, |i| format!("o[{i}] = ) y{i};\n")))),
    shape("errors at file scope", |n| each(n, |i| format!("foo{i} bar{i} baz;\n"))),
    shape("error on one line", |n| format!("__global__ void k(int *o) {{ {} }}", each(n, |i| format!("o[{i}] = y{i}; ")))),
    shape("errors in kernels", |n| each(n, |i| format!("__global__ void k{i}(int *o) {{ o[0] = y{i}; }}\n"))),
    shape("unknown characters", |n| format!("{KERNEL}{}", "@".repeat(n))),
    shape("closing braces", |n| format!("{KERNEL}{}", "}".repeat(n))),
    shape("semicolons", |n| format!("__global__ void k(int *o) {{ {} }}", ";".repeat(n))),
    shape("comment lines", |n| format!("{}{KERNEL}", "// a\n".repeat(n))),
    shape("comments", |n| format!("{}{KERNEL}", "/*a*/".repeat(n))),
    shape("open comments", |n| format!("{KERNEL}{}", "/*".repeat(n))),
    shape("quotes", |n| format!("{KERNEL}{}", "\"\n".repeat(n))),
    shape("newlines", |n| format!("{}{KERNEL}", "\n".repeat(n))),
    shape("backslashes", |n| format!("{}{KERNEL}", "\\\n".repeat(n))),
    shape("name", |n| format!("__global__ void {}(int *o) {{ o[0] = 1; }}", "k".repeat(n))),
    shape("long names", |n| format!("__global__ void k(int *o) {{ int {0} = 1; {0}++; {0}++; o[0] = {0} + {0}x; }}", "k".repeat(n))),
    shape("host statements", |n| format!("{KERNEL} int main() {{ int a[9]; {} k<<<1, 1>>>(0); }}", "a[0] += 1;\n".repeat(n))),
    shape("host locals", |n| format!("{KERNEL} int main() {{ {} k<<<1, 1>>>(0); }}", each(n, |i| format!("int a{i} = {i};\n")))),
    shape("host functions", |n| format!("{KERNEL} {} int main() {{ int *p; cudaMalloc(&p, 4 + f0(1)); k<<<1, 1>>>(p); }}", each(n, |i| format!("int f{i}(int x) {{ return x + {i}; }}\n")))),
    shape("host structs", |n| format!("{KERNEL} {} int main() {{ A0 a; k<<<1, 1>>>(0); }}", each(n, |i| format!("struct A{i} {{ int m; }};\n")))),
    shape("host struct chain", |n| format!("{KERNEL} struct A0 {{ int m; }}; {} int main() {{ A{n} a; k<<<1, sizeof(a)>>>(0); }}", each(n, |i| format!("struct A{} {{ A{i} a; }};\n", i + 1)))),
    shape("host base chain", |n| format!("{KERNEL} struct A0 {{ int m; }}; {} int main() {{ A{n} a; a.m = 1; k<<<1, a.m>>>(0); }}", each(n, |i| format!("struct A{} : A{i} {{ int n{i}; }};\n", i + 1)))),
    shape("host typedef chain", |n| format!("{KERNEL} typedef int t0; {} int main() {{ t{n} a = 1; k<<<1, a>>>(0); }}", each(n, |i| format!("typedef t{i} t{};\n", i + 1)))),
    shape("host pointer typedef chain", |n| format!("{KERNEL} typedef int t0; {} int main() {{ t{n} a; k<<<1, sizeof(a)>>>(0); }}", each(n, |i| format!("typedef t{i} *t{};\n", i + 1)))),
    shape("host call chain", |n| format!("{KERNEL} int f0(int x) {{ return x; }} {} int main() {{ k<<<1, f{n}(1)>>>(0); }}", each(n, |i| format!("int f{}(int x) {{ return f{i}(x); }}\n", i + 1)))),
    shape("host allocations", |n| format!("{KERNEL} int main() {{ {} }}", each(n, |i| format!("int *p{i}; cudaMalloc(&p{i}, 1024); k<<<1, 1>>>(p{i});\n")))),
    shape("host unknown branches", |n| format!("{KERNEL} int main(int argc, char **argv) {{ int *p; cudaMalloc(&p, 1024); {} k<<<1, 1>>>(p); }}", each(n, |i| format!("int a{i} = 0; if (rand() % 2) a{i} = 1; else p[0] = a{i};\n")))),
    shape("host templates", |n| format!("{KERNEL} {} int main() {{ k<<<1, f0<int>(1)>>>(0); }}", each(n, |i| format!("template <class T> T f{i}(T x) {{ return x; }}\n")))),
    shape("open host templates", |n| format!("{KERNEL} {} int main() {{ k<<<1, 1>>>(0); }}", "template <class T> ".repeat(n))),
    shape("open typedefs", |n| format!("{KERNEL} {} int main() {{ k<<<1, 1>>>(0); }}", "typedef ".repeat(n))),
    shape("less than", |n| format!("__global__ void k(int *o) {{ int a = 1; o[0] = {}1; }}", "a < ".repeat(n.min(250)))),
    shape("open angles", |n| format!("template <class T> struct S {{}}; __global__ void k(int *o) {{ {} }}", "S<".repeat(n))),
    shape("angle statements", |n| format!("template <class T> struct S {{}}; __global__ void k(int *o) {{ {} }}", "S<int> a; a<1; ".repeat(n))),
    shape("open fors", |n| format!("__global__ void k(int *o) {{ {} }}", "for (".repeat(n))),
    shape("open brackets", |n| format!("__global__ void k(int *o) {{ o[0] = {}", "[".repeat(n))),
    shape("open lambdas", |n| format!("__global__ void k(int *o) {{ o[0] = {}", "[](".repeat(n))),
    shape("asm", |n| format!("__global__ void k(int *o) {{ {} }}", "asm(\"mov.u32 %0, 1;\" : \"=r\"(o[0]));\n".repeat(n))),
    shape("asm lines", |n| format!("__global__ void k(int *o) {{ asm(\"{}\" : \"=r\"(o[0])); }}", "mov.u32 %0, 1; ".repeat(n))),
    shape("asm registers", |n| format!("__global__ void k(int *o) {{ asm(\"{{ {} }}\" : \"=r\"(o[0])); }}", each(n, |i| format!(".reg .u32 t{i}; mov.u32 t{i}, 1; ")))),
    shape("markers", |n| format!("{KERNEL}\n{}", each(n, |i| format!("//--- warpscope file: a{i}.h\nint x{i};\n")))),
    shape("included markers", |n| format!("{}{KERNEL}\n{}", each(n, |i| format!("#include \"a{i}.h\"\n")), each(n, |i| format!("//--- warpscope file: a{i}.h\nint x{i};\n")))),
    shape("wrong markers", |n| format!("{}{KERNEL}\n{}", each(n, |i| format!("#include \"a{i}.h\"\n")), each(n, |i| format!("//--- warpscope file: a{i}.h\nint x{i} = ;\n")))),
    shape("atomics", |n| format!("__global__ void k(int *o) {{ {} }}", each(n, |i| format!("atomicAdd(&o[{i}], {i});\n")))),
    shape("doubles", |n| format!("__global__ void k(double *o) {{ {} }}", each(n, |i| format!("o[{i}] = o[{}] / 3.0 + {i};\n", i + 1)))),
    shape("divisions", |n| format!("__global__ void k(long long *o) {{ {} }}", each(n, |i| format!("o[{i}] = o[{}] / o[{i}];\n", i + 1)))),
    shape("accumulation", |n| format!("__global__ void k(float *o) {{ float s = 0; {} o[0] = s; }}", each(n, |i| format!("s = s * o[{i}] + o[{}];\n", i + 1)))),
    shape("loads first", |n| format!("__global__ void k(float *o, float *p) {{ {} {} }}", each(n, |i| format!("float x{i} = o[{i}];\n")), each(n, |i| format!("p[{i}] = x{i};\n")))),
    shape("returns", |n| format!("__global__ void k(int *o) {{ {} }}", each(n, |i| format!("if (o[{i}] == {i}) return;\n")))),
    shape("selects", |n| format!("__global__ void k(int *o) {{ int x = o[0]; {} o[0] = x; }}", each(n, |i| format!("x = o[{i}] ? x + {i} : x * 3;\n")))),
    shape("short circuits", |n| format!("__global__ void k(int *o) {{ {} }}", each(n, |i| format!("if (o[{i}] && o[{}] || o[3]) o[{i}] = 1;\n", i + 1)))),
];
