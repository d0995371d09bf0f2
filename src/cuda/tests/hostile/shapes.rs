//! Source texts that grow without bound: one construct nested, or repeated, `n` times.

/// A text of size `n`.
pub(crate) struct Shape {
    /// The name.
    pub(crate) name: &'static str,
    /// Writes the text.
    pub(crate) text: fn(usize) -> String,
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
pub(crate) const GROWING: &[Shape] = &[
    Shape {
        name: "statements",
        text: |n| format!("__global__ void k(int *o) {{ {} }}", "o[0] += o[1];\n".repeat(n)),
    },
    Shape {
        name: "distinct statements",
        text: |n| {
            format!(
                "__global__ void k(int *o) {{ {} }}",
                each(n, |i| format!("o[{i}] = o[{}] * {i};\n", i + 7))
            )
        },
    },
    Shape {
        name: "locals",
        text: |n| {
            format!(
                "__global__ void k(int *o) {{ int x0 = o[0];\n{} o[0] = x{n}; }}",
                each(n, |i| format!("int x{} = x{i} * 3 + o[{i}];\n", i + 1))
            )
        },
    },
    Shape {
        name: "arrays",
        text: |n| {
            format!(
                "__global__ void k(int *o) {{ {} }}",
                each(n, |i| format!(
                    "int a{i}[4]; a{i}[o[{i}] & 3] = 1; o[{i}] = a{i}[1];\n"
                ))
            )
        },
    },
    Shape {
        name: "live locals",
        text: |n| {
            format!(
                "__global__ void k(int *o) {{ {} o[0] = 0{}; }}",
                each(n, |i| format!("int x{i} = o[{i}];\n")),
                each(n.min(250), |i| format!(" + x{i}"))
            )
        },
    },
    Shape {
        name: "branches",
        text: |n| {
            format!(
                "__global__ void k(int *o) {{ {} }}",
                each(n, |i| format!("if (o[{i}]) o[{}] = {i};\n", i + 1))
            )
        },
    },
    Shape {
        name: "loops",
        text: |n| {
            format!(
                "__global__ void k(int *o) {{ {} }}",
                each(n, |i| format!("for (int i = 0; i < o[{i}]; i++) o[i] += {i};\n"))
            )
        },
    },
    Shape {
        name: "counted loops",
        text: |n| {
            format!(
                "__global__ void k(int *o) {{ {} }}",
                each(n, |i| format!("for (int i = 0; i < 8; i++) o[i] += {i};\n"))
            )
        },
    },
    Shape {
        name: "barriers",
        text: |n| {
            format!(
                "__global__ void k(int *o) {{ __shared__ int s[32]; {} }}",
                each(n, |i| format!(
                    "s[threadIdx.x] = {i}; __syncthreads(); o[{i}] = s[31 - threadIdx.x]; __syncthreads();\n"
                ))
            )
        },
    },
    Shape {
        name: "labels",
        text: |n| {
            format!(
                "__global__ void k(int *o) {{ {} }}",
                each(n, |i| format!("a{i}: o[0]++;\n"))
            )
        },
    },
    Shape {
        name: "forward gotos",
        text: |n| {
            format!(
                "__global__ void k(int *o) {{ {} }}",
                each(n, |i| format!("if (o[{i}]) goto a{i}; o[0]++; a{i}: o[1]++;\n"))
            )
        },
    },
    Shape {
        name: "gotos to the end",
        text: |n| {
            format!(
                "__global__ void k(int *o) {{ {} end: o[1]++; }}",
                each(n, |i| format!("if (o[{i}]) goto end;\n"))
            )
        },
    },
    Shape {
        name: "gotos to the start",
        text: |n| {
            format!(
                "__global__ void k(int *o) {{ start: o[1]++; {} }}",
                each(n, |i| format!("if (o[{i}]) goto start;\n"))
            )
        },
    },
    Shape {
        name: "crossing gotos",
        text: |n| {
            format!(
                "__global__ void k(int *o) {{ {} }}",
                each(n, |i| format!(
                    "a{i}: o[0]++; if (o[{i}] > {i}) goto a{};\n",
                    (i * 7919 + 13) % n
                ))
            )
        },
    },
    Shape {
        name: "unconditional gotos",
        text: |n| {
            format!(
                "__global__ void k(int *o) {{ {} a{n}: o[1]++; }}",
                each(n, |i| format!("a{i}: goto a{};\n", i + 1))
            )
        },
    },
    Shape {
        name: "undeclared labels",
        text: |n| {
            format!(
                "__global__ void k(int *o) {{ {} }}",
                each(n, |i| format!("goto a{i};\n"))
            )
        },
    },
    Shape {
        name: "cases",
        text: |n| {
            format!(
                "__global__ void k(int *o) {{ switch (o[0]) {{ {} }} }}",
                each(n, |i| format!("case {i}: o[{i}] = {};\n", i * 3))
            )
        },
    },
    Shape {
        name: "breaking cases",
        text: |n| {
            format!(
                "__global__ void k(int *o) {{ switch (o[0]) {{ {} }} }}",
                each(n, |i| format!("case {}: o[{i}] = {}; break;\n", i * 5, i * 3))
            )
        },
    },
    Shape {
        name: "functions",
        text: |n| {
            format!(
                "{}__global__ void k(int *o) {{ o[0] = f0(1); }}",
                each(n, |i| format!(
                    "__device__ int f{i}(int x) {{ return x + {i}; }}\n"
                ))
            )
        },
    },
    Shape {
        name: "called functions",
        text: |n| {
            format!(
                "{}__global__ void k(int *o) {{ {} }}",
                each(n, |i| format!(
                    "__device__ int f{i}(int x) {{ return x + {i}; }}\n"
                )),
                each(n, |i| format!("o[{i}] = f{i}(o[{i}]);\n"))
            )
        },
    },
    Shape {
        name: "function chain",
        text: |n| {
            format!(
                "__device__ int f0(int x) {{ return x; }}\n{}__global__ void k(int *o) {{ o[0] = f{n}(1); }}",
                each(n, |i| format!(
                    "__device__ int f{}(int x) {{ return f{i}(x) + 1; }}\n",
                    i + 1
                ))
            )
        },
    },
    Shape {
        name: "prototypes",
        text: |n| {
            format!(
                "{}{KERNEL}",
                each(n, |i| format!("__device__ int f{i}(int x);\n"))
            )
        },
    },
    Shape {
        name: "overloads",
        text: |n| {
            format!(
                "{}__global__ void k(int *o) {{ A0 a; o[0] = f(a); }}",
                each(n, |i| format!(
                    "struct A{i} {{}}; __device__ int f(A{i} x) {{ return {i}; }}\n"
                ))
            )
        },
    },
    Shape {
        name: "kernels",
        text: |n| each(n, |i| format!("__global__ void k{i}(int *o) {{ o[0] = {i}; }}\n")),
    },
    Shape {
        name: "launches",
        text: |n| {
            format!(
                "{KERNEL} int main() {{ int *p; cudaMalloc(&p, 4); {} }}",
                "k<<<1, 1>>>(p);\n".repeat(n)
            )
        },
    },
    Shape {
        name: "kernel template launches",
        text: |n| {
            format!(
                "template <int N> __global__ void k(int *o) {{ o[0] = N; }} int main() {{ int *p; cudaMalloc(&p, 4); {} }}",
                each(n, |i| format!("k<{i}><<<1, 1>>>(p);\n"))
            )
        },
    },
    Shape {
        name: "globals",
        text: |n| {
            format!(
                "{}__global__ void k(int *o) {{ o[0] = g0; }}",
                each(n, |i| format!("__device__ int g{i} = {i};\n"))
            )
        },
    },
    Shape {
        name: "used globals",
        text: |n| {
            format!(
                "{}__global__ void k(int *o) {{ {} }}",
                each(n, |i| format!("__device__ int g{i} = {i};\n")),
                each(n, |i| format!("g{i} = o[{i}];\n"))
            )
        },
    },
    Shape {
        name: "shared variables",
        text: |n| {
            format!(
                "__global__ void k(int *o) {{ {} }}",
                each(n, |i| format!("__shared__ int s{i}; s{i} = o[{i}];\n"))
            )
        },
    },
    Shape {
        name: "constants",
        text: |n| {
            format!(
                "{}__global__ void k(int *o) {{ o[0] = c{}; }}",
                each(n, |i| format!(
                    "constexpr int c{i} = {};\n",
                    if i == 0 {
                        "1".to_owned()
                    } else {
                        format!("c{} + 1", i - 1)
                    }
                )),
                n - 1
            )
        },
    },
    Shape {
        name: "macros",
        text: |n| format!("{}{KERNEL}", each(n, |i| format!("#define M{i} {i}\n"))),
    },
    Shape {
        name: "used macros",
        text: |n| {
            format!(
                "{}__global__ void k(int *o) {{ {} }}",
                each(n, |i| format!("#define M{i} {i}\n")),
                each(n, |i| format!("o[{i}] = M{i};\n"))
            )
        },
    },
    Shape {
        name: "macro chain",
        text: |n| {
            format!(
                "#define M0 1\n{}__global__ void k(int *o) {{ o[0] = M{n}; }}",
                each(n, |i| format!("#define M{} M{i}\n", i + 1))
            )
        },
    },
    Shape {
        name: "function macro chain",
        text: |n| {
            format!(
                "#define M0(x) x\n{}__global__ void k(int *o) {{ o[0] = M{n}(1); }}",
                each(n, |i| format!("#define M{}(x) M{i}(x)\n", i + 1))
            )
        },
    },
    Shape {
        name: "macro parameters",
        text: |n| {
            format!(
                "#define M({}) {}\n__global__ void k(int *o) {{ o[0] = M({}); }}",
                each(n, |i| format!("{}x{i}", if i > 0 { "," } else { "" })),
                each(n, |i| format!("{}x{i}", if i > 0 { "+" } else { "" })),
                each(n, |i| format!("{}1", if i > 0 { "," } else { "" }))
            )
        },
    },
    Shape {
        name: "macro uses",
        text: |n| {
            format!(
                "#define M(x) ((x) + 1)\n__global__ void k(int *o) {{ {} }}",
                "o[0] = M(o[0]);\n".repeat(n)
            )
        },
    },
    Shape {
        name: "macro body",
        text: |n| {
            format!(
                "#define M {}\n__global__ void k(int *o) {{ M }}",
                "o[0]++; ".repeat(n)
            )
        },
    },
    Shape {
        name: "undefs",
        text: |n| format!("{}{KERNEL}", each(n, |i| format!("#define M {i}\n#undef M\n"))),
    },
    Shape {
        name: "conditionals",
        text: |n| format!("{}{KERNEL}", each(n, |i| format!("#if {i} > 3\n#else\n#endif\n"))),
    },
    Shape {
        name: "elifs",
        text: |n| {
            format!(
                "#if 0\n{}#endif\n{KERNEL}",
                each(n, |i| format!("#elif {i} > 1000000\n"))
            )
        },
    },
    Shape {
        name: "unknown directives",
        text: |n| format!("{}{KERNEL}", "#defin A\n".repeat(n)),
    },
    Shape {
        name: "unknown includes",
        text: |n| format!("{}{KERNEL}", each(n, |i| format!("#include \"a{i}.h\"\n"))),
    },
    Shape {
        name: "headers",
        text: |n| {
            format!(
                "{}{KERNEL}",
                "#include <cuda_fp16.h>\n#include <cooperative_groups.h>\n".repeat(n)
            )
        },
    },
    Shape {
        name: "lines",
        text: |n| format!("{}{KERNEL}", each(n, |i| format!("#line {i} \"a\"\n"))),
    },
    Shape {
        name: "typedefs",
        text: |n| {
            format!(
                "{}__global__ void k(int *o) {{ t0 x = 1; o[0] = x; }}",
                each(n, |i| format!("typedef int t{i};\n"))
            )
        },
    },
    Shape {
        name: "typedef chain",
        text: |n| {
            format!(
                "typedef int t0;\n{}__global__ void k(int *o) {{ t{n} x = 1; o[0] = x; }}",
                each(n, |i| format!("typedef t{i} t{};\n", i + 1))
            )
        },
    },
    Shape {
        name: "pointer typedef chain",
        text: |n| {
            format!(
                "typedef int t0;\n{}__global__ void k(int *o) {{ t{n} x = 0; o[0] = x == 0; }}",
                each(n, |i| format!("typedef t{i} *t{};\n", i + 1))
            )
        },
    },
    Shape {
        name: "array typedef chain",
        text: |n| {
            format!(
                "typedef int t0;\n{}__global__ void k(int *o) {{ o[0] = sizeof(t{n}); }}",
                each(n, |i| format!("typedef t{i} t{}[1];\n", i + 1))
            )
        },
    },
    Shape {
        name: "using chain",
        text: |n| {
            format!(
                "using t0 = int;\n{}__global__ void k(int *o) {{ t{n} x = 1; o[0] = x; }}",
                each(n, |i| format!("using t{} = t{i};\n", i + 1))
            )
        },
    },
    Shape {
        name: "function typedef chain",
        text: |n| {
            format!(
                "typedef int t0();\n{}__global__ void k(int *o) {{ t{n} *x = 0; o[0] = x == 0; }}",
                each(n, |i| format!("typedef int t{}(t{i} *);\n", i + 1))
            )
        },
    },
    Shape {
        name: "structs",
        text: |n| {
            format!(
                "{}__global__ void k(int *o) {{ A0 a; o[0] = a.m = 1; }}",
                each(n, |i| format!("struct A{i} {{ int m; }};\n"))
            )
        },
    },
    Shape {
        name: "struct chain",
        text: |n| {
            format!(
                "struct A0 {{ int m; }};\n{}__global__ void k(int *o) {{ o[0] = sizeof(A{n}); }}",
                each(n, |i| format!("struct A{} {{ A{i} a; }};\n", i + 1))
            )
        },
    },
    Shape {
        name: "used struct chain",
        text: |n| {
            format!(
                "struct A0 {{ int m; }};\n{}__global__ void k(int *o) {{ A{n} a; A{n} b = a; o[0] = sizeof(b); }}",
                each(n, |i| format!("struct A{} {{ A{i} a; }};\n", i + 1))
            )
        },
    },
    Shape {
        name: "doubled structs",
        text: |n| {
            format!(
                "struct A0 {{ int m; }};\n{}__global__ void k(int *o) {{ A{n} a; A{n} b = a; o[0] = sizeof(b); }}",
                each(n, |i| format!("struct A{} {{ A{i} a, b; }};\n", i + 1))
            )
        },
    },
    Shape {
        name: "base chain",
        text: |n| {
            format!(
                "struct A0 {{ int m; }};\n{}__global__ void k(int *o) {{ A{n} a; a.m = 1; o[0] = a.m; }}",
                each(n, |i| format!("struct A{} : A{i} {{ int m{i}; }};\n", i + 1))
            )
        },
    },
    Shape {
        name: "empty base chain",
        text: |n| {
            format!(
                "struct A0 {{ int m; }};\n{}__global__ void k(int *o) {{ A{n} a; a.m = 1; o[0] = a.m; }}",
                each(n, |i| format!("struct A{} : A{i} {{ }};\n", i + 1))
            )
        },
    },
    Shape {
        name: "bases",
        text: |n| {
            format!(
                "{}struct B : {} {{}}; __global__ void k(int *o) {{ B b; b.m0 = 1; o[0] = b.m0; }}",
                each(n, |i| format!("struct A{i} {{ int m{i}; }};\n")),
                each(n, |i| format!("{}A{i}", if i > 0 { ", " } else { "" }))
            )
        },
    },
    Shape {
        name: "pointer struct chain",
        text: |n| {
            format!(
                "struct A0 {{ int m; }};\n{}__global__ void k(int *o, A{n} *a) {{ o[0] = sizeof(*a); }}",
                each(n, |i| format!("struct A{} {{ A{i} *a; }};\n", i + 1))
            )
        },
    },
    Shape {
        name: "fields",
        text: |n| {
            format!(
                "struct A {{ {} }};\n__global__ void k(int *o, A *a) {{ o[0] = a->m{}; }}",
                each(n, |i| format!("int m{i};\n")),
                n - 1
            )
        },
    },
    Shape {
        name: "copied fields",
        text: |n| {
            format!(
                "struct A {{ {} }};\n__global__ void k(int *o, A *a) {{ A b = *a; b.m0++; a[1] = b; }}",
                each(n, |i| format!("int m{i};\n"))
            )
        },
    },
    Shape {
        name: "bit-fields",
        text: |n| {
            format!(
                "struct A {{ {} }};\n__global__ void k(int *o, A *a) {{ a->m{} = 1; }}",
                each(n, |i| format!("int m{i} : 3;\n")),
                n - 1
            )
        },
    },
    Shape {
        name: "methods",
        text: |n| {
            format!(
                "struct A {{ {} }};\n__global__ void k(int *o) {{ A a; o[0] = a.m0(); }}",
                each(n, |i| format!("__device__ int m{i}() {{ return {i}; }}\n"))
            )
        },
    },
    Shape {
        name: "called methods",
        text: |n| {
            format!(
                "struct A {{ int x; {} }};\n__global__ void k(int *o) {{ A a; {} }}",
                each(n, |i| format!("__device__ int m{i}() {{ return x + {i}; }}\n")),
                each(n, |i| format!("o[{i}] = a.m{i}();\n"))
            )
        },
    },
    Shape {
        name: "unions",
        text: |n| {
            format!(
                "union A {{ {} }};\n__global__ void k(int *o) {{ A a; a.m0 = 1; o[0] = a.m{}; }}",
                each(n, |i| format!("int m{i};\n")),
                n - 1
            )
        },
    },
    Shape {
        name: "enumerators",
        text: |n| {
            format!(
                "enum E {{ {} }};\n__global__ void k(int *o) {{ o[0] = e{}; }}",
                each(n, |i| format!("e{i},\n")),
                n - 1
            )
        },
    },
    Shape {
        name: "enums",
        text: |n| {
            format!(
                "{}__global__ void k(int *o) {{ o[0] = e0; }}",
                each(n, |i| format!("enum E{i} {{ e{i} }};\n"))
            )
        },
    },
    Shape {
        name: "initializers",
        text: |n| {
            format!(
                "__constant__ int c[] = {{ {} }};\n__global__ void k(int *o) {{ o[0] = c[o[1]]; }}",
                each(n, |i| format!("{i},\n"))
            )
        },
    },
    Shape {
        name: "local initializers",
        text: |n| {
            format!(
                "__global__ void k(int *o) {{ int c[] = {{ {} }}; o[0] = c[o[1]]; }}",
                each(n, |i| format!("{i},\n"))
            )
        },
    },
    Shape {
        name: "struct initializers",
        text: |n| {
            format!(
                "struct P {{ int x, y; }}; __constant__ P c[] = {{ {} }};\n__global__ void k(int *o) {{ o[0] = c[o[1]].y; }}",
                each(n, |i| format!("{{{i}, 1}},\n"))
            )
        },
    },
    Shape {
        name: "string",
        text: |n| {
            format!(
                "__constant__ char c[] = \"{}\";\n__global__ void k(int *o) {{ o[0] = c[o[1]]; }}",
                "a".repeat(n)
            )
        },
    },
    Shape {
        name: "strings",
        text: |n| {
            format!(
                "__global__ void k(int *o) {{ {} }}",
                each(n, |i| format!("printf(\"a{i} %d\\n\", o[{i}]);\n"))
            )
        },
    },
    Shape {
        name: "string parts",
        text: |n| format!("__global__ void k(int *o) {{ printf({}); }}", "\"a\" ".repeat(n)),
    },
    Shape {
        name: "templates",
        text: |n| {
            format!(
                "{}__global__ void k(int *o) {{ o[0] = f0(1); }}",
                each(n, |i| format!(
                    "template <class T> __device__ T f{i}(T x) {{ return x; }}\n"
                ))
            )
        },
    },
    Shape {
        name: "called templates",
        text: |n| {
            format!(
                "{}__global__ void k(int *o) {{ {} }}",
                each(n, |i| format!(
                    "template <class T> __device__ T f{i}(T x) {{ return x; }}\n"
                )),
                each(n, |i| format!("o[{i}] = f{i}(o[{i}]);\n"))
            )
        },
    },
    Shape {
        name: "template instances",
        text: |n| {
            format!(
                "template <int N> __device__ int f(int x) {{ return x + N; }}\n__global__ void k(int *o) {{ {} }}",
                each(n, |i| format!("o[{i}] = f<{i}>(o[{i}]);\n"))
            )
        },
    },
    Shape {
        name: "template chain",
        text: |n| {
            format!(
                "template <int N> __device__ int f(int x) {{ return f<N - 1>(x) + 1; }} template <> __device__ int f<0>(int x) {{ return x; }}\n__global__ void k(int *o) {{ o[0] = f<{n}>(1); }}"
            )
        },
    },
    Shape {
        name: "class instances",
        text: |n| {
            format!(
                "template <int N> struct S {{ int a; }};\n__global__ void k(int *o) {{ {} }}",
                each(n, |i| format!("S<{i}> s{i}; s{i}.a = o[{i}]; o[{i}] = s{i}.a;\n"))
            )
        },
    },
    Shape {
        name: "class chain",
        text: |n| {
            format!(
                "template <int N> struct S {{ static const int v = S<N - 1>::v + 1; }}; template <> struct S<0> {{ static const int v = 0; }};\n__global__ void k(int *o) {{ o[0] = S<{n}>::v; }}"
            )
        },
    },
    Shape {
        name: "specializations",
        text: |n| {
            format!(
                "template <int N> struct S {{ int a; }};\n{}__global__ void k(int *o) {{ S<1> s; s.a = 1; o[0] = s.a; }}",
                each(n, |i| format!("template <> struct S<{i}> {{ int b, a; }};\n"))
            )
        },
    },
    Shape {
        name: "template parameters",
        text: |n| {
            format!(
                "template <{}> __device__ int f() {{ return 1; }}\n__global__ void k(int *o) {{ o[0] = f<{}>(); }}",
                each(n, |i| format!("{}int N{i}", if i > 0 { ", " } else { "" })),
                each(n, |i| format!("{}{i}", if i > 0 { ", " } else { "" }))
            )
        },
    },
    Shape {
        name: "pack",
        text: |n| {
            format!(
                "template <class... T> __device__ int f(T... x) {{ return (x + ...); }}\n__global__ void k(int *o) {{ o[0] = f({}); }}",
                each(n, |i| format!("{}{i}", if i > 0 { ", " } else { "" }))
            )
        },
    },
    Shape {
        name: "function parameters",
        text: |n| {
            format!(
                "__device__ int f({}) {{ return x0; }}\n__global__ void k(int *o) {{ o[0] = f({}); }}",
                each(n, |i| format!("{}int x{i}", if i > 0 { ", " } else { "" })),
                each(n, |i| format!("{}{i}", if i > 0 { ", " } else { "" }))
            )
        },
    },
    Shape {
        name: "kernel parameters",
        text: |n| {
            format!(
                "__global__ void k(int *o{}) {{ o[0] = x0; }}",
                each(n, |i| format!(", int x{i}"))
            )
        },
    },
    Shape {
        name: "lambdas",
        text: |n| {
            format!(
                "__global__ void k(int *o) {{ {} }}",
                each(n, |i| format!(
                    "auto f{i} = [=](int x) {{ return x + {i}; }}; o[{i}] = f{i}(1);\n"
                ))
            )
        },
    },
    Shape {
        name: "generic lambdas",
        text: |n| {
            format!(
                "__global__ void k(int *o) {{ {} }}",
                each(n, |i| format!(
                    "auto f{i} = [=](auto x) {{ return x + {i}; }}; o[{i}] = f{i}(1);\n"
                ))
            )
        },
    },
    Shape {
        name: "captures",
        text: |n| {
            format!(
                "__global__ void k(int *o) {{ {} auto f = [=] {{ return {}1; }}; o[0] = f(); }}",
                each(n, |i| format!("int x{i} = o[{i}];\n")),
                each(n.min(200), |i| format!("x{i} + "))
            )
        },
    },
    Shape {
        name: "namespaces",
        text: |n| {
            format!(
                "{}__global__ void k(int *o) {{ o[0] = n0::f(); }}",
                each(n, |i| format!(
                    "namespace n{i} {{ __device__ int f() {{ return {i}; }} }}\n"
                ))
            )
        },
    },
    Shape {
        name: "usings",
        text: |n| {
            format!(
                "{}__global__ void k(int *o) {{ o[0] = f0(); }}",
                each(n, |i| format!(
                    "namespace n{i} {{ __device__ int f{i}() {{ return {i}; }} }} using namespace n{i};\n"
                ))
            )
        },
    },
    Shape {
        name: "aliases",
        text: |n| {
            format!(
                "namespace n0 {{ __device__ int f() {{ return 1; }} }}\n{}__global__ void k(int *o) {{ o[0] = n{n}::f(); }}",
                each(n, |i| format!("namespace n{} = n{i};\n", i + 1))
            )
        },
    },
    Shape {
        name: "one namespace",
        text: |n| {
            format!(
                "namespace a {{ {} }}__global__ void k(int *o) {{ o[0] = a::f0(1); }}",
                each(n, |i| format!(
                    "__device__ int f{i}(int x) {{ return x + {i}; }}\n"
                ))
            )
        },
    },
    Shape {
        name: "scopes",
        text: |n| {
            format!(
                "__global__ void k(int *o) {{ {} }}",
                each(n, |i| format!("{{ int x = o[{i}]; o[{i}] = x + 1; }}\n"))
            )
        },
    },
    Shape {
        name: "errors",
        text: |n| {
            format!(
                "__global__ void k(int *o) {{ {} }}",
                each(n, |i| format!("o[{i}] = y{i};\n"))
            )
        },
    },
    Shape {
        name: "syntax errors",
        text: |n| {
            format!(
                "__global__ void k(int *o) {{ {} }}",
                each(n, |i| format!("o[{i}] = ) y{i};\n"))
            )
        },
    },
    Shape {
        name: "errors at file scope",
        text: |n| each(n, |i| format!("foo{i} bar{i} baz;\n")),
    },
    Shape {
        name: "error on one line",
        text: |n| {
            format!(
                "__global__ void k(int *o) {{ {} }}",
                each(n, |i| format!("o[{i}] = y{i}; "))
            )
        },
    },
    Shape {
        name: "errors in kernels",
        text: |n| {
            each(n, |i| {
                format!("__global__ void k{i}(int *o) {{ o[0] = y{i}; }}\n")
            })
        },
    },
    Shape {
        name: "unknown characters",
        text: |n| format!("{KERNEL}{}", "@".repeat(n)),
    },
    Shape {
        name: "closing braces",
        text: |n| format!("{KERNEL}{}", "}".repeat(n)),
    },
    Shape {
        name: "semicolons",
        text: |n| format!("__global__ void k(int *o) {{ {} }}", ";".repeat(n)),
    },
    Shape {
        name: "comment lines",
        text: |n| format!("{}{KERNEL}", "// a\n".repeat(n)),
    },
    Shape {
        name: "comments",
        text: |n| format!("{}{KERNEL}", "/*a*/".repeat(n)),
    },
    Shape {
        name: "open comments",
        text: |n| format!("{KERNEL}{}", "/*".repeat(n)),
    },
    Shape {
        name: "quotes",
        text: |n| format!("{KERNEL}{}", "\"\n".repeat(n)),
    },
    Shape {
        name: "newlines",
        text: |n| format!("{}{KERNEL}", "\n".repeat(n)),
    },
    Shape {
        name: "backslashes",
        text: |n| format!("{}{KERNEL}", "\\\n".repeat(n)),
    },
    Shape {
        name: "name",
        text: |n| format!("__global__ void {}(int *o) {{ o[0] = 1; }}", "k".repeat(n)),
    },
    Shape {
        name: "long names",
        text: |n| {
            format!(
                "__global__ void k(int *o) {{ int {0} = 1; {0}++; {0}++; o[0] = {0} + {0}x; }}",
                "k".repeat(n)
            )
        },
    },
    Shape {
        name: "host statements",
        text: |n| {
            format!(
                "{KERNEL} int main() {{ int a[9]; {} k<<<1, 1>>>(0); }}",
                "a[0] += 1;\n".repeat(n)
            )
        },
    },
    Shape {
        name: "host locals",
        text: |n| {
            format!(
                "{KERNEL} int main() {{ {} k<<<1, 1>>>(0); }}",
                each(n, |i| format!("int a{i} = {i};\n"))
            )
        },
    },
    Shape {
        name: "host functions",
        text: |n| {
            format!(
                "{KERNEL} {} int main() {{ int *p; cudaMalloc(&p, 4 + f0(1)); k<<<1, 1>>>(p); }}",
                each(n, |i| format!("int f{i}(int x) {{ return x + {i}; }}\n"))
            )
        },
    },
    Shape {
        name: "host structs",
        text: |n| {
            format!(
                "{KERNEL} {} int main() {{ A0 a; k<<<1, 1>>>(0); }}",
                each(n, |i| format!("struct A{i} {{ int m; }};\n"))
            )
        },
    },
    Shape {
        name: "host struct chain",
        text: |n| {
            format!(
                "{KERNEL} struct A0 {{ int m; }}; {} int main() {{ A{n} a; k<<<1, sizeof(a)>>>(0); }}",
                each(n, |i| format!("struct A{} {{ A{i} a; }};\n", i + 1))
            )
        },
    },
    Shape {
        name: "host base chain",
        text: |n| {
            format!(
                "{KERNEL} struct A0 {{ int m; }}; {} int main() {{ A{n} a; a.m = 1; k<<<1, a.m>>>(0); }}",
                each(n, |i| format!("struct A{} : A{i} {{ int n{i}; }};\n", i + 1))
            )
        },
    },
    Shape {
        name: "host typedef chain",
        text: |n| {
            format!(
                "{KERNEL} typedef int t0; {} int main() {{ t{n} a = 1; k<<<1, a>>>(0); }}",
                each(n, |i| format!("typedef t{i} t{};\n", i + 1))
            )
        },
    },
    Shape {
        name: "host pointer typedef chain",
        text: |n| {
            format!(
                "{KERNEL} typedef int t0; {} int main() {{ t{n} a; k<<<1, sizeof(a)>>>(0); }}",
                each(n, |i| format!("typedef t{i} *t{};\n", i + 1))
            )
        },
    },
    Shape {
        name: "host call chain",
        text: |n| {
            format!(
                "{KERNEL} int f0(int x) {{ return x; }} {} int main() {{ k<<<1, f{n}(1)>>>(0); }}",
                each(n, |i| format!("int f{}(int x) {{ return f{i}(x); }}\n", i + 1))
            )
        },
    },
    Shape {
        name: "host allocations",
        text: |n| {
            format!(
                "{KERNEL} int main() {{ {} }}",
                each(n, |i| format!(
                    "int *p{i}; cudaMalloc(&p{i}, 1024); k<<<1, 1>>>(p{i});\n"
                ))
            )
        },
    },
    Shape {
        name: "host unknown branches",
        text: |n| {
            format!(
                "{KERNEL} int main(int argc, char **argv) {{ int *p; cudaMalloc(&p, 1024); {} k<<<1, 1>>>(p); }}",
                each(n, |i| format!(
                    "int a{i} = 0; if (rand() % 2) a{i} = 1; else p[0] = a{i};\n"
                ))
            )
        },
    },
    Shape {
        name: "host templates",
        text: |n| {
            format!(
                "{KERNEL} {} int main() {{ k<<<1, f0<int>(1)>>>(0); }}",
                each(n, |i| format!("template <class T> T f{i}(T x) {{ return x; }}\n"))
            )
        },
    },
    Shape {
        name: "open host templates",
        text: |n| {
            format!(
                "{KERNEL} {} int main() {{ k<<<1, 1>>>(0); }}",
                "template <class T> ".repeat(n)
            )
        },
    },
    Shape {
        name: "open typedefs",
        text: |n| {
            format!(
                "{KERNEL} {} int main() {{ k<<<1, 1>>>(0); }}",
                "typedef ".repeat(n)
            )
        },
    },
    Shape {
        name: "less than",
        text: |n| {
            format!(
                "__global__ void k(int *o) {{ int a = 1; o[0] = {}1; }}",
                "a < ".repeat(n.min(250))
            )
        },
    },
    Shape {
        name: "open angles",
        text: |n| {
            format!(
                "template <class T> struct S {{}}; __global__ void k(int *o) {{ {} }}",
                "S<".repeat(n)
            )
        },
    },
    Shape {
        name: "angle statements",
        text: |n| {
            format!(
                "template <class T> struct S {{}}; __global__ void k(int *o) {{ {} }}",
                "S<int> a; a<1; ".repeat(n)
            )
        },
    },
    Shape {
        name: "open fors",
        text: |n| format!("__global__ void k(int *o) {{ {} }}", "for (".repeat(n)),
    },
    Shape {
        name: "open brackets",
        text: |n| format!("__global__ void k(int *o) {{ o[0] = {}", "[".repeat(n)),
    },
    Shape {
        name: "open lambdas",
        text: |n| format!("__global__ void k(int *o) {{ o[0] = {}", "[](".repeat(n)),
    },
    Shape {
        name: "asm",
        text: |n| {
            format!(
                "__global__ void k(int *o) {{ {} }}",
                "asm(\"mov.u32 %0, 1;\" : \"=r\"(o[0]));\n".repeat(n)
            )
        },
    },
    Shape {
        name: "asm lines",
        text: |n| {
            format!(
                "__global__ void k(int *o) {{ asm(\"{}\" : \"=r\"(o[0])); }}",
                "mov.u32 %0, 1; ".repeat(n)
            )
        },
    },
    Shape {
        name: "asm registers",
        text: |n| {
            format!(
                "__global__ void k(int *o) {{ asm(\"{{ {} }}\" : \"=r\"(o[0])); }}",
                each(n, |i| format!(".reg .u32 t{i}; mov.u32 t{i}, 1; "))
            )
        },
    },
    Shape {
        name: "markers",
        text: |n| {
            format!(
                "{KERNEL}\n{}",
                each(n, |i| format!("//--- warpscope file: a{i}.h\nint x{i};\n"))
            )
        },
    },
    Shape {
        name: "included markers",
        text: |n| {
            format!(
                "{}{KERNEL}\n{}",
                each(n, |i| format!("#include \"a{i}.h\"\n")),
                each(n, |i| format!("//--- warpscope file: a{i}.h\nint x{i};\n"))
            )
        },
    },
    Shape {
        name: "wrong markers",
        text: |n| {
            format!(
                "{}{KERNEL}\n{}",
                each(n, |i| format!("#include \"a{i}.h\"\n")),
                each(n, |i| format!("//--- warpscope file: a{i}.h\nint x{i} = ;\n"))
            )
        },
    },
    Shape {
        name: "atomics",
        text: |n| {
            format!(
                "__global__ void k(int *o) {{ {} }}",
                each(n, |i| format!("atomicAdd(&o[{i}], {i});\n"))
            )
        },
    },
    Shape {
        name: "doubles",
        text: |n| {
            format!(
                "__global__ void k(double *o) {{ {} }}",
                each(n, |i| format!("o[{i}] = o[{}] / 3.0 + {i};\n", i + 1))
            )
        },
    },
    Shape {
        name: "divisions",
        text: |n| {
            format!(
                "__global__ void k(long long *o) {{ {} }}",
                each(n, |i| format!("o[{i}] = o[{}] / o[{i}];\n", i + 1))
            )
        },
    },
    Shape {
        name: "accumulation",
        text: |n| {
            format!(
                "__global__ void k(float *o) {{ float s = 0; {} o[0] = s; }}",
                each(n, |i| format!("s = s * o[{i}] + o[{}];\n", i + 1))
            )
        },
    },
    Shape {
        name: "loads first",
        text: |n| {
            format!(
                "__global__ void k(float *o, float *p) {{ {} {} }}",
                each(n, |i| format!("float x{i} = o[{i}];\n")),
                each(n, |i| format!("p[{i}] = x{i};\n"))
            )
        },
    },
    Shape {
        name: "returns",
        text: |n| {
            format!(
                "__global__ void k(int *o) {{ {} }}",
                each(n, |i| format!("if (o[{i}] == {i}) return;\n"))
            )
        },
    },
    Shape {
        name: "selects",
        text: |n| {
            format!(
                "__global__ void k(int *o) {{ int x = o[0]; {} o[0] = x; }}",
                each(n, |i| format!("x = o[{i}] ? x + {i} : x * 3;\n"))
            )
        },
    },
    Shape {
        name: "short circuits",
        text: |n| {
            format!(
                "__global__ void k(int *o) {{ {} }}",
                each(n, |i| format!(
                    "if (o[{i}] && o[{}] || o[3]) o[{i}] = 1;\n",
                    i + 1
                ))
            )
        },
    },
];
