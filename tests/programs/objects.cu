// grid 1 block 32 n 3 m 9 a -20 -13 -6 1 8 15 22 29 36 43 50 57 64 71 78 85 92 99 106 113 120 127 134 141 148 155 162 169 176 183 190 197 204 211 218 225 232 239 246 253 260 267 274 281 288 295 302 309 316 323 330 337 344 351 358 365 372 379 386 393 400 407 414 421
// g80 gt200 gf100 gk110 gp104 tu102 gh100
// by hand: copies, overloads, traits, tags, and what a class has by itself
template <typename T> struct Base { T a; __device__ Base(T a) : a(a) {} };
template <typename T> struct Derived : Base<T> { T b; __device__ Derived(T x) : Base<T>(x), b(x + 1) {} __device__ T sum() const { return this->a + b; } };
struct Less { __device__ bool operator()(int a, int b) const { return a < b; } };
struct Heap { Less less; int v[4]; enum Mode { A, B }; static const int N = 4;
  __device__ bool ordered(int i, int mode = B, int n = N) const { return less(v[i], v[i + 1]) && mode == B && n == 4; } };
struct P { int x, y; P() = default; __device__ P(int a, int b) : x(a), y(b) {} __device__ P(int a) : P(a, a + 1) {} };
struct Holder { Less less; };
struct M { int v; __device__ M operator-() const { return M{-v}; } __device__ friend M operator-(const M &a, const M &b) { return M{a.v - b.v}; } __device__ M diff(const M &o) const { return *this - o; } };
struct Small { int n; __device__ operator int() const { return n * 100; } };
struct Wrap { Small s; __device__ Wrap(const Small &other) : s(other) {} };
__device__ int twice(int x) { return x + 1000; }
struct Named { int v; __device__ int twice(int x) const { return v; } __device__ int both(int x) const { return ::twice(x) + twice(x); } };
struct Cell { int r; __device__ Cell() : r(-1) {} };
struct Cells { Cell m[3]; int tail; __device__ Cells() : tail(5) {} };
__device__ int takes(bool) { return 3; }
__device__ int takes(const void *) { return 4; }
__device__ int of_list(const P &p) { return p.x * 10 + p.y; }
struct Both { int v; __device__ int get() const { return 1; } __device__ int get() { return 2; }
    __device__ int f() { return get(); } __device__ int g() const { return get(); } };
struct Forward {}; struct Random {};
template <class It> __device__ int advance(It &i, int n, Forward) { i.v += n; return 1; }
template <class It> __device__ int advance(It &i, int n, Random) { i += n; return 2; }
template <class D> struct Self { __device__ int id() const { return D::ID; } };
struct Seven : Self<Seven> { enum { ID = 7 }; };
template <class S> __device__ int id_of(const Self<S> &s) { return s.id(); }
template <class A> struct Box { A v; __device__ Box(A a) : v(a) {} template <class C> __device__ Box(const Box<C> &o) : v(o.v * 2) {} };
__device__ int unboxed(Box<long long> b) { return (int)b.v; }
template <int Bits> struct UInt { typedef unsigned type; static const int bits = Bits; };
template <unsigned A> struct Six { enum { value = A }; };
template <bool C, class T = void> struct OnlyIf {};
template <class T> struct OnlyIf<true, T> { typedef T type; };
template <class T> struct IsInt { static const bool value = false; };
template <> struct IsInt<int> { static const bool value = true; };
template <class T> __device__ typename OnlyIf<IsInt<T>::value, int>::type kind(T) { return 1; }
template <class T> __device__ typename OnlyIf<!IsInt<T>::value && (sizeof(T) > 1), int>::type kind(T) { return 2; }
template <typename T> __constant__ const T table[3] = {T(1), T(2.5), T(3)};
template <typename K> constexpr K EMPTY = K(-1);
template <class T> struct Late;
template <> struct Late<char> { static const int size = 3; };
template <class T, int N> struct Late2;
template <class T> struct Late2<T, 4> { __device__ int operator()(T v) const { return v + 4; } };

__global__ void k(unsigned *out, const int *in, unsigned *total, int n, unsigned m) {
    unsigned t = threadIdx.x, *o = out + t * 16;
    int v = in[t];
    Derived<int> d(v);
    Heap h = {{}, {v, n, 3, 0}};
    P p, q(3), z = P();
    p = q;
    Holder hold;
    M w = {7};
    o[0] = d.sum() + h.ordered(0) * 100 + h.ordered(2) * 1000;
    o[1] = p.y * 10 + z.x + hold.less(v, n) * 1000 + w.diff(M{v}).v * 10000;
    Small s = {v};
    Wrap wrap(s);
    Small s2(s), s3{s};
    o[2] = wrap.s.n + s2.n * 3 + Small(s3).n * 7;
    Named named = {v};
    o[3] = named.both(n);
    Cells cells;
    o[4] = cells.m[0].r * 100 + cells.m[2].r + cells.tail;
    o[5] = takes((float *)out) * 10 + of_list({v, 8});
    Both both;
    o[6] = both.f() * 10 + both.g();
    M it = {v};
    int i = n;
    o[7] = advance(it, 5, Forward()) + advance(i, 5, Random()) * 10 + it.v * 100 + i;
    Seven seven;
    o[8] = id_of(seven);
    Box<int> box(v);
    Box<long long> copy = box;
    o[9] = (int)copy.v + unboxed(box) * 10;
    UInt<Six<6>::value>::type number = 300;
    o[10] = number + UInt<Six<5>::value + 1>::bits;
    o[11] = kind(v) + kind(1.5f) * 10;
    o[12] = (int)(table<float>[1] * 10) + table<int>[1] + (EMPTY<unsigned> == 0xffffffffu);
    o[13] = Late<char>::size + Late2<int, sizeof(int)>()(v);
    o[14] = (v > 3 and not(n == 4)) ? 1 : 0;
    if (IsInt<int>::value) o[15] = 15;
}
