//! Short texts that are expensive to compile: unbounded template instantiation, doubling macros, and large loops.

use super::super::random::Random;

/// Inserts an expensive text before or after a program.
pub(super) fn bomb(text: &mut String, random: &mut Random) {
    let num = random.pick(&[8, 20, 40, 100, 1000, 10_000]);
    let piece = match random.below(22) {
        0 => doubling_macros(num),
        1 => format!(
            "template <int N> struct R {{ static const int value = R<N + 1>::value; }};\n\
             __global__ void r(int *o) {{ o[0] = R<{num}>::value; }}\n"
        ),
        2 => format!(
            "template <int N> __device__ int f(int x) {{ return f<N - 1>(x) + f<N - 2>(x); }}\n\
             __global__ void r(int *o) {{ o[0] = f<{num}>(o[1]); }}\n"
        ),
        3 => format!(
            "template <int N> __device__ int f(int x) {{ if constexpr (N > 0) return f<N - 1>(x) + f<N - 1>(x + 1); else return x; }}\n\
             __global__ void r(int *o) {{ o[0] = f<{num}>(o[1]); }}\n"
        ),
        4 => format!(
            "template <class T> struct P {{ T a, b; }};\n__global__ void r(int *o) {{ {}int{} x; o[0] = sizeof(x); }}\n",
            "P<".repeat(num),
            ">".repeat(num)
        ),
        5 => format!(
            "template <class T> struct P {{ typedef typename P<P<T>>::type type; }};\n__global__ void r(int *o) {{ P<int>::type x; o[{num}] = x; }}\n"
        ),
        6 => format!(
            "template <class T> __device__ int f(T x) {{ return f(&x); }}\n__global__ void r(int *o) {{ o[{num}] = f(1); }}\n"
        ),
        7 => format!(
            "__global__ void r(int *o) {{ int s = 0; _Pragma(\"unroll\") for (int i = 0; i < {num}; i++) \
             _Pragma(\"unroll\") for (int j = 0; j < {num}; j++) s += o[i * j]; o[0] = s; }}\n"
        ),
        8 => format!(
            "__global__ void r(int *o) {{\n#pragma unroll\nfor (int i = 0; i < {num}; i++)\n#pragma unroll\n\
             for (int j = 0; j < {num}; j++) o[i] += o[j];\n}}\n"
        ),
        9 => format!("__global__ void r(int *o) {{ int a[{num}][{num}][{num}]; o[0] = a[1][2][3]; }}\n"),
        10 => format!(
            "__shared__ int s[{num}ll * {num} * {num} * {num}];\n__global__ void r(int *o) {{ o[0] = s[1]; }}\n"
        ),
        11 => {
            let cases: String = (0..num.min(4000))
                .map(|at| format!("case {at}: o[{at}] = {at}; "))
                .collect::<Vec<_>>()
                .concat();
            format!("__global__ void r(int *o) {{ switch (o[0]) {{ {cases} }} }}\n")
        }
        12 => format!(
            "__global__ void r(int *o) {{ {} }}\n",
            "o[0] += o[1];".repeat(num.min(4000))
        ),
        13 => format!(
            "__global__ void r(int *o) {{ o[0] = {}0; }}\n",
            "o[1] + ".repeat(num.min(4000))
        ),
        14 => format!(
            "constexpr int f(int n) {{ int s = 0; for (int i = 0; i < {num}; i++) for (int j = 0; j < {num}; j++) s += n; return s; }}\n\
             constexpr int v = f(3);\n__global__ void r(int *o) {{ o[0] = v; }}\n"
        ),
        15 => format!(
            "constexpr long f(int n) {{ return n < 2 ? n : f(n - 1) + f(n - 2); }}\n__global__ void r(long *o) {{ constexpr long v = f({num}); o[0] = v; }}\n"
        ),
        16 => {
            let classes: String = (1..num.min(2000))
                .map(|at| format!("struct A{at} : A{} {{ int m{at}; }};\n", at - 1))
                .collect::<Vec<_>>()
                .concat();
            format!(
                "struct A0 {{ int m0; }};\n{classes}__global__ void r(int *o) {{ A{} x; x.m0 = 1; o[0] = x.m0; }}\n",
                num.min(2000) - 1
            )
        }
        17 => {
            let classes: String = (1..num.min(200))
                .map(|at| format!("struct B{at} {{ B{} a, b; }};\n", at - 1))
                .collect::<Vec<_>>()
                .concat();
            format!(
                "struct B0 {{ int m; }};\n{classes}__global__ void r(int *o) {{ B{} x; o[0] = sizeof(x); }}\n",
                num.min(200) - 1
            )
        }
        18 => {
            let overloads: String = (0..num.min(1000))
                .map(|at| format!("template <class T, int N> __device__ int f(T (&x)[N], char (*)[N % {at} + 1]) {{ return {at}; }}\n"))
                .collect::<Vec<_>>().concat();
            format!("{overloads}__global__ void r(int *o) {{ int a[3]; o[0] = f(a, 0); }}\n")
        }
        19 => {
            let lambdas = "[=](auto f) { return f(f); }(".repeat(num.min(60));
            format!(
                "__global__ void r(int *o) {{ o[0] = {lambdas}1{}; }}\n",
                ")".repeat(num.min(60))
            )
        }
        20 => format!(
            "__global__ void r(int *o) {{ auto f = [&](auto self, int n) -> int {{ return n < 1 ? o[0] : self(self, n - 1); }}; o[1] = f(f, {num}); }}\n"
        ),
        _ => format!(
            "#include __FILE__\n#include \"kernel.cu\"\n#line {num} \"{}\"\n",
            "x".repeat(num)
        ),
    };
    if random.percent(50) {
        text.insert_str(0, &piece);
    } else {
        text.push('\n');
        text.push_str(&piece);
    }
}

fn doubling_macros(num: usize) -> String {
    let mut out = String::from("#define A0 x +\n");
    for at in 1..num.min(2000) {
        out += &format!("#define A{at} A{} A{}\n", at - 1, at - 1);
    }
    out + &format!(
        "__global__ void r(int *o) {{ int x = 1; o[0] = A{} 0; }}\n",
        num.min(2000) - 1
    )
}
