// grid 1 block 32 n 3 m 9 a -20 -13 -6 1 8 15 22 29 36 43 50 57 64 71 78 85 92 99 106 113 120 127 134 141 148 155 162 169 176 183 190 197 204 211 218 225 232 239 246 253 260 267 274 281 288 295 302 309 316 323 330 337 344 351 358 365 372 379 386 393 400 407 414 421
// gf100 gk110 gp104 tu102 gh100
// by hand: unions, members without a name, reference members, lambdas, and results whose type is auto
union Bits { float f; unsigned u; int i; short h[2]; };
union Wide { double d; unsigned w[2]; unsigned long long q; };
struct Color { union { struct { unsigned char r, g, b, a; }; unsigned whole; }; };
struct Variant { int kind; union { int i; float f; }; __device__ Variant(int v) : kind(0), i(v) {} __device__ Variant(float v) : kind(1), f(v) {}
  __device__ int value() const { return kind == 0 ? i : (int)(f * 2); } };
struct Adder { int &sum; const int *from; __device__ Adder(int &s, const int *p) : sum(s), from(p) {} __device__ void add(int i) { sum += from[i]; } };
struct Pair { int &first; int second; };
template <typename F> __device__ void repeat(int n, F f) { for (int i = 0; i < n; i++) f(i); }
template <typename F, typename T> __device__ T folded(const int *v, int n, T first, const F &f) { for (int i = 0; i < n; i++) first = f(first, v[i]); return first; }
struct Counter { int total; __device__ int run(const int *v, int n) {
  auto add = [this, v](int i) { total += v[i]; }; for (int i = 0; i < n; i++) add(i);
  auto twice = [=]() { return total * 2; }; return twice() + helper(); }
  __device__ int helper() const { auto f = [&] { return total + other(); }; return f(); }
  __device__ int other() const { return 7; } };
__device__ auto square(int v) { return v * v; }
__device__ auto choose(int v) { if (v > 0) return 1.5f; return 2.5f; }
template <typename T> __device__ auto widened(T v) { return v * 1000ll; }
namespace inner { __device__ int offset(int v) { return v + 5; } template <int N> struct By { int v; __device__ int run() { auto f = [&](int k) { return offset(v) * N + k; }; return f(2); } }; }
__global__ void k(unsigned *out, int *a, unsigned *g, int n, int m) {
    int t = threadIdx.x, v = a[t];
    unsigned *o = out + t * 16;
    Bits b;
    b.f = v * 0.5f;
    b.u ^= 0x80000000u;
    o[0] = (unsigned)(int)(b.f * 4) + (b.i < 0);
    b.h[0] = (short)v;
    o[1] = b.u;
    Bits copy = b, list = {1.0f};
    o[2] = copy.u + list.u;
    Wide w;
    w.w[0] = 0; w.w[1] = 0x40000000u + (v & 15) * 65536u;
    o[3] = (unsigned)(int)(w.d * 1024);
    w.q = 0x3ff8000000000000ull;
    o[3] += w.w[1] + (w.d == 1.5);
    Color c;
    c.whole = 0x01020304u * (v & 7);
    c.g = 9;
    o[4] = c.whole + c.r + c.a;
    Variant x(v), y(v * 0.25f);
    o[5] = x.value() + y.value() * 3;
    int sum = 1;
    Adder adder(sum, a);
    adder.add(t); adder.add(3);
    Pair pair = {sum, 4};
    pair.first += pair.second;
    o[6] = sum;
    int s = n;
    auto body = [&](int i) { s += a[(t + i) & 31] * 2; };
    repeat(3, body);
    o[7] = s;
    auto scaled = [s](auto p, auto q) { return p * s + q; };
    o[8] = (unsigned)(scaled(3, 2) + (int)scaled(0.5f, 2.0f));
    int calls = 0;
    auto nested = [&, k = t * 2](int p) mutable -> int { k++; auto in = [&] { calls++; return p + k; }; return in() + in(); };
    int once = nested(1), again = nested(2);
    o[9] = once + again * 100 + calls * 10000;
    o[10] = folded(a, m, 0, [](int p, int q) { return p > q ? p : q; }) + (int)folded(a, 4, 0.5f, [&](float p, int q) { return p + q * n; });
    Counter counter{0};
    o[11] = counter.run(a, 5);
    o[12] = square(v) + (int)(choose(v) * 10) + (unsigned)widened(v);
    inner::By<3> by{v};
    o[13] = by.run() + [](int p) { return p + 1; }(t);
    auto pick = [=](bool first) { return first ? v : m; };
    o[14] = pick(t & 1);
    Bits many[3];
    for (int i = 0; i < 3; i++) many[i].f = i + 0.5f;
    o[15] = many[t % 3].u + g[0];
}
