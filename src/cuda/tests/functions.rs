//! Functions as template arguments, and launches of template instances: forms that nvcc takes, and forms that it refuses.

use super::overloads::written;
use super::*;
use cuda::parse_with;

/// The integers that `k(int *)` writes with one thread.
fn ints(source: &str, num: usize) -> Vec<i32> {
    let bytes = written(source, ElemType::I32, num);
    let (words, _) = bytes.as_chunks::<4>();
    words.iter().map(|word| i32::from_le_bytes(*word)).collect()
}

#[test]
fn functions_are_template_arguments() {
    let head = "__device__ int f(int x) { return x + 1; }
__device__ int g(int x) { return x * 2; }
__device__ float f(float x) { return x + 100; }
template <class T> __device__ T h(T x) { return x + 5; }
struct S { __device__ static int m(int x) { return x + 7; } };
namespace n { __device__ int f2(int x) { return x - 1; } template <class T> __device__ T h2(T x) { return x * 3; } }
namespace n { enum class Mode { A = 2, B = 7 }; template <Mode M> struct S { static constexpr int v = (int)M; };
template <Mode M = Mode::A> __device__ int moded() { return (int)M; } }
template <class T> struct Op { static __device__ T add(T a, T b) { return a + b; } };
using fn = int (*)(int);
typedef int plain(int);
template <int (*F)(int)> __device__ int app(int x) { return F(x); }
template <fn F> __device__ int alias(int x) { return (*F)(x); }
template <plain F> __device__ int of_type(int x) { return F(x); }
template <plain *F> __device__ int stored(int x) { plain *p = F; return p(x); }
template <int F(int)> __device__ int written(int x) { return F(x); }
template <int (&F)(int)> __device__ int reference(int x) { return F(x); }
template <auto F> __device__ int any(int x) { return F(x); }
template <class T, T (*F)(T)> __device__ T typed(T x) { return F(x); }
template <class T, T (*F)(T, T)> __device__ T both(T x) { return F(x, x); }
template <int (*F)(int) = g> __device__ int defaulted(int x) { return F(x); }
template <int (*F)(int), int N> __device__ int repeated(int x) { if constexpr (N == 0) return x; else return repeated<F, N - 1>(F(x)); }
template <int (*F)(int)> __device__ int captured(int x) { auto l = [=](int y) { return F(y) + x; }; return l(1); }
template <int (*F)(int)> struct A { __device__ int operator()(int x) const { return F(x); } static constexpr int n = 3; };
template <float (*F)(float)> __device__ int rounded(float x) { return (int)F(x); }
";
    for (call, value) in [
        ("app<f>(1) + 10 * app<&g>(2)", 2 + 40),
        ("app<h<int>>(1)", 6),
        ("app<h>(1)", 6),
        ("app<S::m>(1) + 10 * app<&S::m>(2)", 8 + 90),
        ("app<n::f2>(4) + 10 * app<n::h2<int>>(2)", 3 + 60),
        ("alias<g>(3)", 6),
        ("of_type<f>(3)", 4),
        ("stored<g>(4)", 8),
        ("written<f>(5)", 6),
        ("reference<g>(5)", 10),
        ("any<g>(6)", 12),
        ("typed<int, f>(1) + 10 * (int)typed<float, f>(1)", 2 + 1010),
        ("typed<long long, h>(1)", 6),
        ("both<int, Op<int>::add>(4)", 8),
        ("defaulted<>(7) + defaulted<f>(1)", 14 + 2),
        ("repeated<g, 5>(1)", 32),
        ("captured<f>(10)", 12),
        ("A<g>{}(1) + 10 * A<f>()(2) + 100 * A<f>::n", 2 + 30 + 300),
        ("rounded<sqrtf>(81.0f)", 9),
        ("app<repeated<g, 3>>(2)", 16),
        (
            "n::S<n::Mode::B>::v + n::moded<n::Mode::B>() + n::moded<>()",
            7 + 7 + 2,
        ),
    ] {
        let source = format!("{head}__global__ void k(int *o) {{ o[0] = {call}; }}");
        assert_eq!(ints(&source, 1), [value], "{call}");
    }
    let wrong = |call: &str| {
        let source = format!("{head}__global__ void k(int *o) {{ o[0] = {call}; }}");
        let parsed = parse(&source, ArchId::Tu102);
        parsed
            .diagnostics
            .iter()
            .any(|said| said.severity == Severity::Error)
    };
    for call in [
        "app<n::nosuch>(1)",
        "app<Op<int>::add>(1)",
        "app<nullptr>(1)",
        "app<3>(1)",
    ] {
        assert!(wrong(call), "{call}");
    }
}

/// The names of the kernels of a source, and its first error.
fn kernels(source: &str) -> (Vec<String>, Option<String>) {
    let parsed = parse_with(source, ArchId::Tu102, &CompileOptions::default());
    let names = parsed.kernels.iter().filter(|kernel| kernel.compiles);
    let mut errors = parsed.diagnostics.iter();
    let error = errors.find(|said| said.severity == Severity::Error);
    (
        names.map(|kernel| kernel.name.clone()).collect(),
        error.map(|error| error.message.clone()),
    )
}

#[test]
fn kernels_with_functions_as_arguments_have_their_names() {
    let source = "__device__ void f(float *x, int n) { x[n] = 1; }
typedef void fn(float *, int);
template <fn f> __global__ void k(float *o) { f(o, threadIdx.x); }
template __global__ void k<f>(float *);
template <float (*F)(float)> __global__ void m(float *o) { o[0] = F(1); }
int main() { m<sqrtf><<<1, 32>>>(0); m<__expf><<<1, 32>>>(0); }";
    let (names, error) = kernels(source);
    assert_eq!(error, None);
    assert_eq!(names, ["k<f>", "m<sqrtf>", "m<__expf>"]);
}

/// An instance that a host function launches, and that does not compile, is an error.
#[test]
fn launches_of_wrong_instances_are_errors() {
    let no_instance = "No instance of function template `k` matches these arguments.";
    for (source, expected) in [
        (
            "template <class T> __global__ void k(T *o, nosuch s) { *o = 1; } int main() { float *o; k<float><<<1, 1>>>(o, 1); }",
            no_instance,
        ),
        (
            "template <class T> __global__ void k(typename T::x *o) { *o = 1; } int main() { k<float><<<1, 1>>>(0); }",
            no_instance,
        ),
        (
            "template <class T> __global__ void k(T *o) { *o = 1; } int main() { k<float, int><<<1, 1>>>(0); }",
            no_instance,
        ),
        (
            "template <class T> __global__ void k(T *o, nosuch s) { *o = 1; }",
            "The type `nosuch` is not declared.",
        ),
    ] {
        let (names, error) = kernels(source);
        assert_eq!(names.len(), 0, "{source}");
        assert_eq!(error.as_deref(), Some(expected), "{source}");
    }
    // What only the host knows is no error, and the guess says so.
    for source in [
        "template <class T> __global__ void k(T *o) { *o = 1; } void host() { struct Local {}; k<Local><<<1, 1>>>(0); }",
        "template <int N> __global__ void k(float *o) { *o = N; } template <class T> void host(T n) { k<T::size><<<1, 1>>>(0); }",
    ] {
        let parsed = parse_with(source, ArchId::Tu102, &CompileOptions::default());
        let said: Vec<&str> = parsed.diagnostics.iter().map(|said| &*said.message).collect();
        assert_eq!(parsed.kernels.len(), 1, "{said:?}");
        assert!(parsed.kernels[0].compiles, "{said:?}");
    }
}

#[test]
fn the_preprocessor_knows_what_the_compiler_has() {
    let source = "#if __has_include(<cuda_fp16.h>)
#include <cuda_fp16.h>
#endif
#if defined(__has_include) && __has_include(\"nosuch.h\")
#error no
#endif
#if __has_include(<vector>) && __has_include(<stdio.h>) && !__has_include(<nosuch/nosuch.h>)
#define HEADERS 1
#endif
#if __has_cpp_attribute(maybe_unused)
#define MU [[maybe_unused]]
#endif
#ifdef __has_builtin
#if __has_builtin(__builtin_expect) && !__has_builtin(__builtin_nosuch)
#define BUILTINS 2
#endif
#endif
__global__ void k(int *o) { MU int z; half h = 3; o[0] = HEADERS + BUILTINS + (int)(float)h; }";
    assert_eq!(ints(source, 1), [6]);
}

#[test]
fn gnu_s_functions_have_their_values() {
    let source = "__global__ void k(int *o) {
    int4 *p = (int4 *)__builtin_assume_aligned(o, 16);
    *p = make_int4(1, 2, 3, 4);
    int *q = (int *)__builtin_assume_aligned(o + 4, 16, 0);
    q[0] = isnan(__builtin_nanf(\"\")) + 2 * isinf(__builtin_inff()) + 4 * (__builtin_huge_valf() > 1e38f);
    q[1] = __builtin_popcount(7u) + 10 * __builtin_clz(1u) + 1000 * __builtin_ctz(8u) + 10000 * __builtin_ffs(4);
    q[2] = __builtin_popcountll(~0ull) + 100 * __builtin_clzll(1ull) + 10000 * __builtin_ctzll(16ull);
    q[3] = (int)__builtin_fabsf(-3.0f);
}";
    assert_eq!(
        ints(source, 8),
        [1, 2, 3, 4, 7, 3 + 310 + 3000 + 30000, 64 + 6300 + 40000, 3]
    );
}

/// Words of GNU and C++ that nvcc takes.
#[test]
fn small_forms_have_their_values() {
    let source = "template <auto V> struct C { static constexpr auto v = V; };
template <auto V> struct D { static constexpr auto v = V; };
enum class E : char { a = 3 };
template <class T> __device__ int f(T v) {
    constexpr int n = sizeof(T);
    union { int a[n]; char b[4 * n]; } u;
    struct L { int q[n]; __device__ int size() { return n; } };
    L l;
    l.q[0] = 1;
    u.a[0] = 3;
    return u.b[0] + l.q[0] + l.size();
}
__device__ int which(int x) {
    switch (x) {
    case 1 ... 5: return 1;
    case 'a' ... 'c': return 2;
    case 7: return 3;
    default: return 0;
    }
}
__device__ int jumps(int x) {
    switch (x) { case 0: do { x++; case 2 ... 3: x += 10; } while (x < 3); }
    return x;
}
__global__ void k(int *o) {
    o[0] = C<3>::v + C<'a'>::v + C<true>::v + (int)D<E::a>::v + C<5u>::v;
    o[1] = f(1.0f) + f(1.0);
    const int n = 3;
    auto l = []() { return n; };
    auto m = [](int n) { return n; };
    o[2] = l() + 10 * m(7);
    o[3] = (o[9] ?: 5) + 10 * (o[0] ?: 7);
    o[4] = which(1) + which(5) + which(6) + 10 * which('b') + 100 * which(7);
    int a[] = {[0] = 4, [1] = 5};
    o[5] = a[0] + a[1] + (int)(sizeof(a) / sizeof(a[0]));
    __label__ again;
    int i = 0;
again:
    if (i++ < 3) goto again;
    o[6] = i;
    long double z = 1.5;
    o[7] = (int)(z * 4) + (int)sizeof(z);
    o[8] = jumps(0) + 100 * jumps(3);
}";
    let sum = 3 + 97 + 1 + 3 + 5;
    assert_eq!(
        ints(source, 10),
        [
            sum,
            8 + 12,
            73,
            5 + 10 * sum,
            1 + 1 + 20 + 300,
            11,
            4,
            14,
            11 + 1300,
            0
        ]
    );
    for (text, message) in [
        (
            "switch (*o) { case 5 ... 1: *o = 1; }",
            "A range of cases has from 1 to 65536 values, not 5 to 1.",
        ),
        (
            "int a[2] = {[1] = 1, [0] = 2}; *o = a[0];",
            "Designated array initializers that are out of order are not supported yet.",
        ),
        (
            "struct P { int a; }; int P::*m = &P::a;",
            "Pointers to members are not supported yet.",
        ),
    ] {
        let (_, error) = kernels(&format!("__global__ void k(int *o) {{ {text} }}"));
        assert_eq!(error.as_deref(), Some(message), "{text}");
    }
}

/// Shuffles and reductions of a tile exchange values of any size.
#[test]
fn tiles_exchange_structs() {
    let source = "#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
namespace cg = cooperative_groups;
struct Pair { float m; int s; };
struct Five { char c[5]; };
struct Wide { double a; float b; int c[3]; };
struct Short { short a; };
__global__ void k(const unsigned *in, unsigned *out) {
    const int t = threadIdx.x;
    auto w = cg::tiled_partition<32>(cg::this_thread_block());
    auto h = cg::tiled_partition<16>(cg::this_thread_block());
    Pair p = cg::reduce(w, Pair{(float)t, t}, [](Pair a, Pair b) { return Pair{fmaxf(a.m, b.m), a.s + b.s}; });
    out[t] = p.s + (unsigned)p.m * 1000;
    Five f;
    for (int i = 0; i < 5; i++) f.c[i] = t + i;
    f = w.shfl_xor(f, 1);
    out[32 + t] = f.c[0] + 100 * f.c[4];
    Wide v{t + 0.5, 2.0f * t, {t, t + 1, t + 2}};
    v = h.shfl(v, 3);
    out[64 + t] = (unsigned)(v.a * 2) + 1000 * (unsigned)v.b + 100000 * v.c[2];
    Short s{(short)t};
    out[96 + t] = h.shfl_down(s, 2).a;
    float2 sum = cg::inclusive_scan(w, make_float2(1, t), [](float2 a, float2 b) { return make_float2(a.x + b.x, a.y + b.y); });
    float2 before = cg::exclusive_scan(w, make_float2(1, t), [](float2 a, float2 b) { return make_float2(a.x + b.x, a.y + b.y); });
    out[128 + t] = (unsigned)sum.x + 100 * (unsigned)sum.y + 100000 * (unsigned)before.x;
    auto active = cg::coalesced_threads();
    out[160 + t] = active.shfl_up(make_int4(t, 1, 2, 3), 1).x;
}";
    for arch in [ArchId::Gm204, ArchId::Tu102, ArchId::Gh100] {
        let out = super::tiles::lanes(source, arch, &[0], 192).unwrap();
        for t in 0..32_u32 {
            let first = t / 16 * 16 + 3;
            let expected = [
                496 + 31_000,
                (t ^ 1) + 100 * ((t ^ 1) + 4),
                2 * first + 1 + 1000 * 2 * first + 100_000 * (first + 2),
                if t % 16 < 14 { t + 2 } else { t },
                t + 1 + 100 * (t * (t + 1) / 2) + 100_000 * t,
                t.saturating_sub(1),
            ];
            let found: Vec<u32> = (0..6).map(|row| out[32 * row + t as usize]).collect();
            assert_eq!(found, expected, "{arch:?} {t}");
        }
    }
}

/// Instances that host code names: in launches, as arguments of functions that launch them, and in namespaces.
#[test]
fn host_code_names_instances() {
    let head = "template <int N, bool B = false> __global__ void k(int *o) { *o = N; }
template <class F> void launch(F f, int *o) { f<<<1, 32>>>(o); }
namespace ns { enum class Mode { A, B = 7 }; template <Mode M> __global__ void q(int *o) { *o = (int)M; } }
";
    for (host, expected) in [
        ("auto f = k<4>; f<<<1, 32>>>(o);", vec!["k<4, false>"]),
        ("(k<8>)<<<1, 32>>>(o);", vec!["k<8, false>"]),
        (
            "void *args[] = {&o}; cudaLaunchKernel((void *)k<16, true>, 1, 32, args, 0, 0);",
            vec!["k<16, true>"],
        ),
        (
            "cudaLaunchConfig_t c = {}; c.gridDim = 1; c.blockDim = dim3(32); cudaLaunchKernelEx(&c, k<32>, o);",
            vec!["k<32, false>"],
        ),
        (
            "launch(k<4, true>, o); launch(k<4, true>, o);",
            vec!["k<4, true>"],
        ),
        ("ns::q<ns::Mode::B><<<1, 32>>>(o);", vec!["ns::q<7>"]),
    ] {
        let (names, error) = kernels(&format!(
            "{head}int main() {{ int *o; cudaMalloc(&o, 128); {host} }}"
        ));
        assert_eq!(error, None, "{host}");
        let names: Vec<&str> = (names.iter().map(String::as_str))
            .filter(|name| expected[0].starts_with(&name[..1]))
            .collect();
        assert_eq!(names, expected, "{host}");
    }
    let (names, error) = kernels(
        "namespace ns { struct Row { static constexpr int value = 1; };
template <class T> __global__ void k(int *o) { *o = T::value; }
void run(int *o) { k<Row><<<1, 32>>>(o); } }",
    );
    assert_eq!((names, error), (vec!["ns::k<ns::Row>".to_owned()], None));
}

/// An evaluated `main()` names the instances that the tokens do not show.
#[test]
fn evaluated_launches_choose_instances() {
    let source = "template <class T> __global__ void k(T *o) { *o = T(3); }
template <class T> __global__ void other(T *o) { *o = T(3); }
int main() { double *d; cudaMalloc(&d, 128); k<<<1, 32>>>(d); }";
    let options = CompileOptions::default();
    let guessed = parse_with(source, ArchId::Gh100, &options);
    assert!(guessed.has_guesses);
    let reading = cuda::host::read(source, ArchId::Gh100, cuda::host::Limits::PAGE);
    let names: Vec<String> = reading.launches.into_iter().map(|launch| launch.kernel).collect();
    assert_eq!(names, ["k<double>"]);
    let parsed = cuda::parse_with_instances(source, &names, ArchId::Gh100, &options);
    let names: Vec<&str> = parsed.kernels.iter().map(|kernel| &*kernel.name).collect();
    assert_eq!(names, ["k<double>", "other<float>"]);
    let unknown = ["nosuch<3>".to_owned(), "k<3>".to_owned()];
    let parsed = cuda::parse_with_instances(source, &unknown, ArchId::Gh100, &options);
    assert_eq!(parsed.kernels.len(), 2);
    assert!(
        parsed
            .diagnostics
            .iter()
            .all(|said| said.severity != Severity::Error)
    );
}

/// A host function with more parameters than a call has arguments is not the one that is called.
#[test]
fn calls_of_host_templates_fit_their_parameters() {
    let (names, error) = kernels(
        "struct Tensor { float *data; };
template <class A, class T> __global__ void k(const A *a, T *o) { o[0] = a[0]; }
template <class A, class T> void run(const A *a, T *o, int n, int m) { k<A, T><<<n, m>>>(a, o); }
template <class A> void run(Tensor *from, Tensor *to) { run((const A *)from->data, (float *)to->data, 1, 32); }
int main() { Tensor *t; run<int>(t, t); }",
    );
    assert_eq!(error, None);
    assert!(names.iter().all(|name| !name.contains("Tensor")), "{names:?}");
}

/// The argument of a launch that nothing declares is an error, unless a header that is not here can declare it.
#[test]
fn undeclared_arguments_of_launches_are_errors() {
    let launched = |head: &str, argument: &str| {
        kernels(&format!(
            "{head}template <class T> __global__ void k(T *o) {{ o[0] = T(1); }}
int main() {{ float *o; cudaMalloc(&o, 128); k<{argument}><<<1, 32>>>(o); k<{argument}><<<2, 32>>>(o); }}"
        ))
    };
    let (names, error) = launched("#include <cstdio>\n", "nosuch");
    assert_eq!(names, Vec::<String>::new());
    assert_eq!(
        error.as_deref(),
        Some("`nosuch` is not declared; a template argument of a launch is a type or a constant.")
    );
    for (head, argument) in [
        ("#include \"types.h\"\n", "nosuch"),
        ("#include <vendor/types.h>\n", "nosuch"),
        (
            "template <class nosuch> struct Other { nosuch member; };\n",
            "nosuch",
        ),
    ] {
        let (names, error) = launched(head, argument);
        assert_eq!(error, None, "{head}");
        assert_eq!(names, ["k<float>"], "{head}");
    }
}

/// Member functions of the host's class templates launch instances by the arguments of the class.
#[test]
fn launches_in_member_functions_choose_instances() {
    let source = "
template <typename T> __global__ void fill(T *p, T v) { p[threadIdx.x] = v; }
template <typename T, int N = 2> __global__ void scale(T *p) { p[threadIdx.x] *= N; }
template <typename T, int N = 4> class Array {
 public:
  void zero() { fill<T><<<1, 32>>>(data, T(0)); }
  void set(T v);
  T *data;
};
template <typename T, int N> void Array<T, N>::set(T v) {
  typedef T Element;
  scale<Element, N><<<1, 32>>>(data);
}
template <typename T> void run(Array<T> &a) { a.zero(); }
template class Array<short, 3>;
int main() {
  Array<double> a;
  run(a);
}";
    let (names, _) = kernels(source);
    assert_eq!(names, ["fill<short>", "scale<short, 3>", "fill<double>"]);
}
