//! Single-thread kernels whose results test the semantics of the language.

use cuda::{compile, parse};
use engine::arch::ArchId;
use engine::isa::{CompileOptions, ElemType};
use engine::launch::{Argument, Fill, Launch, Pattern, Role};
use engine::sim::reference;

/// The first integers that `k(int *out)` stores with one thread; they start as 0.
fn ints(source: &str, arch: ArchId, num: usize) -> Vec<i32> {
    let compiled =
        compile(source, Some("k"), arch, &CompileOptions::default()).unwrap_or_else(|diagnostics| {
            let said: String = diagnostics.iter().map(|d| d.render("k.cu", source)).collect();
            panic!("{said}")
        });
    let out = Argument::Buffer {
        elem: ElemType::I32,
        len: 64,
        fill: Fill::of(Pattern::Zero),
        role: Role::Out,
        start: 0,
    };
    let launch = Launch {
        grid: [1, 1, 1],
        block: [1, 1, 1],
        dynamic_shared: 0,
        args: vec![out],
        symbols: Vec::new(),
    };
    let outputs = reference::run(&compiled.program, &launch).expect("a run without faults");
    let bytes = outputs.argument(0).expect("the buffer");
    bytes
        .chunks_exact(4)
        .take(num)
        .map(|word| i32::from_le_bytes(word.try_into().expect("four bytes")))
        .collect()
}

#[test]
fn null_pointers_convert_to_every_pointer_type() {
    let source = "struct Node { int value; Node *next; };
__device__ int is_null(const int *p) { return p == NULL ? 1 : 0; }
__device__ int or_default(int a, const float *p = nullptr) { return p ? a : -a; }
__device__ int *none(int which) { if (which) return NULL; return 0; }
__device__ float *nowhere = NULL;
__global__ void k(int *out)
{
    int *a = NULL, *b = nullptr, *c = 0, *d(NULL), *e{nullptr}, *f = {};
    void *g = NULL;
    out[0] = is_null(a) + is_null(b) + is_null(c) + is_null(d) + is_null(e) + is_null(f) + is_null(out);
    a = out; a = NULL; b = out; b = nullptr; c = out; c = 0;
    out[1] = !a + !b + (c == 0) + (NULL == g) + (nullptr == e) + !out + (out != NULL);
    out[2] = is_null(NULL) + is_null(0) + is_null(nullptr) + or_default(20) + or_default(40, NULL);
    bool t = a, u = !a;
    out[3] = t + 2 * u + 4 * (out && u) + 8 * (a || !out);
    int *p = out[5] ? out : NULL, *q = out[5] ? NULL : out, *r = out[5] ? nullptr : out, *s = out[5] ? 0 : out;
    out[4] = (p == nullptr) + 2 * (q == out) + 4 * (r == s) + 8 * (none(0) == none(1)) + 16 * (nowhere == 0);
    Node last = {3, NULL}, first = {4, &last};
    int sum = 0;
    for (Node *n = &first; n; n = n->next) sum += n->value;
    out[5] = sum;
    if (a) out[6] = 1; else if (out) out[6] = 2;
    while (p != NULL) p = 0;
    int i = NULL;
    out[7] = (p ? 1 : 5) + i + (int)sizeof(NULL);
}
";
    assert_eq!(ints(source, ArchId::Tu102, 8), [6, 6, -57, 6, 31, 7, 2, 13]);
}

#[test]
fn pointers_to_elements_of_any_size_can_be_subtracted() {
    let source = "struct P { float x, y, z; };
struct Q { char a[7]; };
struct R { double a[5]; };
__device__ P ps[40]; __device__ Q qs[90]; __device__ R rs[70]; __device__ P ts[6][4];
__global__ void k(int *out)
{
    P *p = ps + out[7]; Q *q = qs + 11; R *r = &rs[3];
    out[0] = &ps[31] - p; out[1] = p - &ps[31]; out[2] = &qs[80] - q; out[3] = q - &qs[80];
    out[4] = &rs[67] - r; out[5] = (int)(((&ps[31] - p) * sizeof(P)) >> 2); out[6] = &ts[5][3] - &ts[0][0];
    out[7] = &ts[5] - ts;
}
";
    assert_eq!(ints(source, ArchId::Tu102, 8), [31, -31, 69, -69, 64, 93, 23, 5]);
}

#[test]
fn a_prototype_and_its_definition_are_the_same_function() {
    let source = "__device__ int sum(const int *a, int n);
__device__ int sum(const int *a, const int n = 3);
__device__ int sum(const int *__restrict__ values, int m) { int s = 0; for (int i = 0; i < m; ++i) s += values[i]; return s; }
__device__ int sum(const int *, int);
__device__ int later(int, int = 5);
__device__ void first(int a[4]);
struct V { int x; };
__device__ int kind(V &a);
__device__ int kind(const V &a);
__global__ void k(int *out);
__global__ void k(int *__restrict__ o)
{
    for (int i = 0; i < 5; ++i) o[i] = i + 1;
    int a = sum(o), b = sum(o, 5), c = later(1), d = later(1, 2);
    V v; const V w = {2};
    first(o + 5);
    o[0] = a; o[1] = b; o[2] = c; o[3] = d; o[4] = kind(v) * 10 + kind(w);
}
__global__ void k(int *);
__device__ int later(int a, int b) { return a * 100 + b; }
__device__ void first(int *a) { a[0] = 77; }
__device__ int kind(V &a) { return 1; }
__device__ int kind(const V &a) { return 2; }
";
    assert_eq!(ints(source, ArchId::Tu102, 6), [6, 15, 105, 102, 12, 77]);
}

#[test]
fn operator_lookup_considers_both_operands() {
    let source = "struct V { int x, y, z; };
struct P { V pos, vel; };
__device__ V operator+(V a, V b) { return V{a.x + b.x, a.y + b.y, a.z + b.z}; }
__device__ V operator*(const V &a, int s) { return V{a.x * s, a.y * s, a.z * s}; }
__device__ V operator*(int s, const V &a) { return a * s; }
__device__ V operator-(const V &a) { return -1 * a; }
__device__ V operator-(const V &a, const V &b) { return a + -b; }
__device__ int operator*(const V &a, const V &b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
__device__ bool operator==(const V &a, const V &b) { return a.x == b.x && a.y == b.y && a.z == b.z; }
__device__ V operator+(const V &a, int s) { return V{a.x + s, a.y + s, a.z + s}; }
__device__ V same(const V &a) { return a; }
__device__ int hash(const V &a) { return a.x + 10 * a.y + 100 * a.z; }
__device__ V moved(const P &p, int dt) { return p.pos + p.vel * dt; }
__device__ V moved_by(const P *p, int dt) { return p->pos + dt * p[0].vel; }
__global__ void k(int *out)
{
    P p = {{1, 2, 3}, {4, 5, 6}};
    P &r = p; const P &c = p; P list[2] = {p, p}; P *q = list;
    out[0] = hash(p.pos + p.vel * 2); out[1] = hash(r.pos + 2 * r.vel); out[2] = hash(c.pos + c.vel * 2);
    out[3] = hash(q->pos + q[1].vel * 2); out[4] = hash(moved(p, 2)); out[5] = hash(moved_by(&p, 2));
    out[6] = hash(same(p.pos + p.vel) * (p.pos * p.vel) - same(p.pos)); out[7] = hash(-(p.pos - p.vel) + 1);
    out[8] = (p.pos + p.vel == p.vel + p.pos) + 2 * (p.pos == p.vel); out[9] = hash((p.pos + p.vel) * 2 * 3);
    p.pos = p.pos + p.vel * 2; out[10] = hash(p.pos); list[1].pos = moved(list[0], 3); out[11] = hash(list[1].pos);
}
";
    assert_eq!(
        ints(source, ArchId::Tu102, 12),
        [
            1629, 1629, 1629, 1629, 1629, 1629, 30879, 444, 1, 5850, 1629, 2283
        ]
    );
}

#[test]
fn references_are_returned_and_operators_return_lvalues() {
    let source = "struct V { int x, y; };
struct W { V v[2]; int a[3]; };
__device__ V &operator+=(V &a, const V &b) { a.x += b.x; a.y += b.y; return a; }
__device__ V operator+(V a, const V &b) { return a += b; }
__device__ V &operator*=(V &a, int s) { a.x *= s; a.y *= s; return a; }
__device__ int &at(V &v, int i) { return i == 0 ? v.x : v.y; }
__device__ const int &larger(const int &a, const int &b) { return a < b ? b : a; }
__device__ int &element(int *p, int i) { return p[i]; }
__device__ void add(int &a, int b) { a += b; }
__device__ int twice(const int &a) { return 2 * a; }
__device__ int calls = 0;
__device__ int &counted(int *p) { ++calls; return p[0]; }
__global__ void k(int *out)
{
    V a = {1, 2}, b = {3, 4}, c = {5, 6};
    (a += b) += c; out[0] = a.x * 100 + a.y;
    (a += b *= 2) *= 3; out[1] = a.x * 100 + a.y; out[2] = b.x * 100 + b.y;
    at(a, 1) = 3; at(a, 0) += 7; at(b, 0)++; ++at(b, 1); out[3] = a.x * 100 + a.y; out[4] = b.x * 100 + b.y;
    element(out, 5) = 17; add(element(out, 5), 3); int *p = &element(out, 6); *p = 8; int &r = element(out, 7); r = 9;
    int x = 1, y = 2, n = out[30];
    (n ? x : y) = 30; int *px = &(n ? x : y); *px += 4; ++(n > 2 ? x : y); add(n ? y : x, 5); out[8] = x * 100 + y;
    ++x = 4; ++ ++x; (x += 2) = 40; (y = 3) += 2; --(y -= 1); out[9] = x * 100 + y;
    (x, y) = 11; add(++x, 1); add(x += 1, 2); add((x, y), 1); int *q = &++x; *q += 3; int &s = (y = 70); s += 1; out[10] = x * 100 + y;
    int i = 12; out[12] = 1; out[13] = 2; (out[i++] += 5) *= 3; out[11] = i; (out[i++] = 4) += 14;
    (n ? a : b).x = 21; out[14] = b.x; (n ? a : b) = c; out[15] = b.x * 100 + b.y; (a = b).y = 9; out[16] = a.x * 100 + a.y; (a = b) += c; out[17] = a.x * 100 + a.y;
    int *w = out + 17; *++w = 3; (++w)[0] = 4; (w += 1)[0] = 5; *(w = w + 1) = 6; out[22] = larger(x, y); out[23] = larger(3, 4) + twice(++x) + twice(y = 3) + twice(n ? x : y);
    counted(out + 24) += 3; counted(out + 24) = counted(out + 24) + 1; counted(out + 24); out[25] = calls;
    W m = {{{1, 2}, {3, 4}}, {5, 6, 7}}, o = m; (n ? m : o).a[1] = 60; (n ? m : o).v[1].x = 30; out[26] = o.a[1] + o.v[1].x + m.a[1]; (m = o).a[2] = 1; out[27] = m.a[2] + m.v[1].x;
    const int &bound = n ? x : y; y = 44; out[28] = bound; volatile int v = 3; (v += 2) += 1; out[29] = v; a += a + a; out[31] = a.x;
}
";
    assert_eq!(
        ints(source, ArchId::Tu102, 32),
        [
            912, 4560, 608, 5203, 709, 20, 8, 9, 635, 4003, 4971, 13, 18, 18, 21, 506, 509, 1012, 3, 4, 5, 6,
            71, 116, 4, 4, 96, 31, 44, 6, 0, 30
        ]
    );
}

#[test]
fn constant_memory_has_addresses() {
    let source = "struct V { int x, y; };
__constant__ int table[2][3] = {{1, 2, 3}, {4, 5, 6}};
__constant__ int row[4] = {10, 20, 30, 40};
__constant__ V vs[2] = {{7, 8}, {9, 11}};
__constant__ int one = 5;
__device__ int sum(const int *p, int n) { int s = 0; for (int i = 0; i < n; ++i) s += p[i]; return s; }
__device__ int first(int *p) { return p[0]; }
__device__ int second_row(const int (*p)[3]) { return p[1][0]; }
__device__ int value(const int &a) { return a; }
__device__ int read(int &a) { return a; }
__global__ void k(int *out)
{
    int i = out[0] + 1;
    const int *p = &table[0][0], *q = &row[1], *r = *table, *s = table[i]; int *t = row + 2;
    out[1] = p[4] + q[i]; out[2] = r[2] + s[i]; out[3] = *row + **table + *(row + i) + *&one; out[4] = sum(row, 4) + sum(table[1], 3) + sum(&row[i], 2);
    out[5] = first(row) + first(&row[i]) + second_row(table); out[6] = (&vs[1])->y + (vs + 1)->x; const V *v = vs; out[7] = v[i].x + v->y;
    const V &w = vs[i]; const int &x = row[3]; int &y = row[i]; out[8] = w.x + x + y; out[9] = value(row[2]) + value(one) + read(one) + *t; out[10] = &row[3] - &row[1];
}
";
    assert_eq!(
        ints(source, ArchId::Tu102, 11),
        [0, 35, 8, 36, 165, 34, 20, 17, 69, 70, 2]
    );
}

#[test]
fn alignments_match_the_types() {
    let source = "struct A { char a; double d; };
struct __align__(16) B { float x; };
__global__ void k(int *out)
{
    out[0] = alignof(float); out[1] = __alignof__(double); out[2] = alignof(A); out[3] = alignof(B); out[4] = __alignof(long long);
    out[5] = __alignof__(out[0]); out[6] = __alignof__ out; out[7] = alignof(int[4]); out[8] = alignof(short &); out[9] = sizeof(alignof(int));
    alignas(16) float t[4]; out[10] = __alignof__(t); A a; out[11] = __alignof__ a.a; out[12] = __alignof__(a);
    static_assert(alignof(double) == 8 && alignof(char) == 1, \"\");
}
";
    assert_eq!(
        ints(source, ArchId::Tu102, 13),
        [4, 8, 8, 16, 8, 4, 8, 4, 2, 8, 16, 1, 8]
    );
}

#[test]
fn float_and_double_overloads_coincide_without_double_precision() {
    let source = "__global__ void k(int *out)
{
    float x = out[1];
    out[0] = isnan(x) + isinf(x) + signbit(x) + 2 * isfinite(x) + 4 * isnan(1.0) + 8 * isnan(__int_as_float(0x7fc00000 + out[1]));
    out[1] = (int)round(x + 2.5f) + (int)pow(x + 2.0f, 3) + (int)copysign(x + 1.0f, -2.0f) + (int)sin(x) + (int)ldexp(1.0, 4);
}";
    for arch in [ArchId::G80, ArchId::Tu102] {
        assert_eq!(ints(source, arch, 2), [10, 26]);
    }
}

#[test]
fn floats_convert_to_long_integers() {
    let source = "__global__ void k(int *out)
{
    float x = 1649267441664.0f + out[0];
    long long a = (long long)x, b = (long long)-x, c = (long long)(out[0] - 2.75f);
    unsigned long long d = (unsigned long long)(x * 8388608.0f);
    out[0] = (int)(a >> 32); out[1] = (int)a; out[2] = (int)(b >> 32); out[3] = (int)b; out[4] = (int)c; out[5] = (int)(c >> 32);
    out[6] = (int)(d >> 32); out[7] = (int)d; out[8] = (int)(float)a == 0x7fffffff; out[9] = (float)b == -x;
}";
    for arch in [ArchId::G80, ArchId::Gp104, ArchId::Tu102] {
        assert_eq!(
            ints(source, arch, 10),
            [384, 0, -384, 0, -2, -1, -1_073_741_824, 0, 1, 1],
            "{arch:?}"
        );
    }
}

/// CUDA documents `INT_MIN` and `INT_MAX` for numbers without an exponent.
#[test]
fn exponents_of_special_numbers_are_as_documented() {
    let source = "__device__ float number(int bits) { return __int_as_float(bits); }
__global__ void k(int *out)
{
    int o = out[0];
    out[0] = ilogbf(number(o)); out[1] = ilogbf(number(0x7f800000 + o)); out[2] = ilogbf(number(0x7fc00000 + o));
    out[3] = ilogbf(o + 10.0f); out[4] = ilogbf(o - 0.25f); out[5] = ilogbf(number(o)) == FP_ILOGB0;
    out[6] = logbf(number(o)) == -INFINITY; out[7] = logbf(number(0xff800000 + o)) == INFINITY;
    out[8] = isnan(logbf(number(0x7fc00000 + o))); out[9] = (int)logbf(o + 10.0f); out[10] = logbf(number(0x80000000 + o)) == -INFINITY;
}";
    for arch in [ArchId::G80, ArchId::Tu102] {
        let expected = [i32::MIN, i32::MAX, i32::MIN, 3, -2, 1, 1, 1, 1, 3, 1];
        assert_eq!(ints(source, arch, 11), expected, "{arch:?}");
    }
    let doubles = source
        .replace("ilogbf(", "ilogb((double)")
        .replace("logbf(", "logb((double)");
    let expected = [i32::MIN, i32::MAX, i32::MIN, 3, -2, 1, 1, 1, 1, 3, 1];
    assert_eq!(ints(&doubles, ArchId::Tu102, 11), expected);
}

#[test]
fn a_byte_order_mark_is_ignored() {
    let source = "\u{feff}#define VALUE 7\n__global__ void k(int *out) { out[0] = VALUE; }";
    assert_eq!(ints(source, ArchId::Tu102, 1), [7]);
    assert!(
        parse(&source.replace("#define", "\u{feff}#define"), ArchId::Tu102)
            .unit
            .is_none()
    );
}

#[test]
fn the_predefined_macros_of_nvcc_on_linux_exist() {
    let source = "#if defined(__linux__) && defined(__unix__) && defined(__x86_64__) && defined(__LP64__) && !defined(_WIN32)
#if defined(__CUDACC__) && defined(__NVCC__) && __GNUC__ >= 9 && !defined(__clang__) && !defined(_MSC_VER)
__global__ void k(int *out) { out[0] = __SIZEOF_POINTER__ + __CHAR_BIT__; out[1] = __CUDA_ARCH__ == __CUDA_ARCH_LIST__; }
#endif
#endif";
    assert_eq!(ints(source, ArchId::Tu102, 2), [16, 1]);
}

#[test]
fn pragma_operators_work_in_macros() {
    let source = "#define UNROLL(n) _Pragma(\"unroll\") for (int i = 0; i < n; i++)
#define QUIET _Pragma(\"nv_diag_suppress 177\")
__global__ void k(int *out)
{
    QUIET
    UNROLL(3) out[i] = i + 1;
    _Pragma(\"unroll 1\") for (int i = 3; i < 5; i++) out[i] = 10 * i;
}
";
    assert_eq!(ints(source, ArchId::Tu102, 5), [1, 2, 3, 30, 40]);
}

#[test]
fn barriers_and_pipelines_wait_for_asynchronous_copies() {
    let source = "#include <cooperative_groups.h>
#include <cuda/barrier>
#include <cuda/pipeline>
namespace cg = cooperative_groups;
__global__ void k(int *out)
{
    __shared__ int staged[8];
    __shared__ alignas(16) int rows[4][4];
    __shared__ cuda::barrier<cuda::thread_scope_block> bar;
    auto block = cg::this_thread_block();
    if (block.thread_rank() == 0) init(&bar, block.size());
    block.sync();
    out[8] = 7;
    cuda::memcpy_async(block, staged, out, sizeof(int) * 8, bar);
    cuda::memcpy_async(&rows[0][0], out + 4, cuda::aligned_size_t<16>(16), bar);
    bar.arrive_and_wait();
    cuda::pipeline<cuda::thread_scope_thread> pipe = cuda::make_pipeline();
    pipe.producer_acquire();
    cuda::memcpy_async(&rows[1][0], &rows[0][0], sizeof(int4), pipe);
    cuda::memcpy_async(block, &rows[2][0], out + 8, cuda::aligned_size_t<4>(4), pipe);
    pipe.producer_commit();
    pipe.consumer_wait();
    out[0] = staged[0] + 1; out[1] = rows[1][3] + 2; out[2] = rows[2][0];
    pipe.consumer_release();
}
";
    assert_eq!(ints(source, ArchId::Ga100, 3), [1, 2, 7]);
}

/// A class template instance with an error is reported in every kernel that uses it.
#[test]
fn an_invalid_instance_is_an_error_in_each_kernel() {
    let source = "#include <mma.h>
using namespace nvcuda;
__global__ void first(int *out) { wmma::fragment<wmma::matrix_a, 8, 8, 4, double, wmma::row_major> f; out[0] = sizeof(f); }
__global__ void k(int *out) { wmma::fragment<wmma::matrix_a, 8, 8, 4, double, wmma::row_major> f; out[0] = sizeof(f); }
template <typename T> struct Pair { static_assert(sizeof(T) == 4, \"\"); T a, b; };
__global__ void second(int *out) { Pair<char> p; out[0] = sizeof(p); }
__global__ void third(int *out) { Pair<char> p; out[0] = sizeof(p); }
__global__ void fourth(int *out) { Pair<int> p; out[0] = sizeof(p); }
";
    let parsed = cuda::parse(source, ArchId::Tu102);
    let compiling: Vec<&str> = (parsed.kernels.iter())
        .filter(|kernel| kernel.compiles)
        .map(|kernel| kernel.name.as_str())
        .collect();
    assert_eq!(compiling, ["fourth"]);
}
