// grid 1 block 32 n 3 m 9 a -20 -13 -6 1 8 15 22 29 36 43 50 57 64 71 78 85 92 99 106 113 120 127 134 141 148 155 162 169 176 183 190 197 204 211 218 225 232 239 246 253 260 267 274 281 288 295 302 309 316 323 330 337 344 351 358 365 372 379 386 393 400 407 414 421
// g80 gt200 gf100 gk110 gp104 tu102 gh100
// by hand: packs of bases, functions of bases beside own ones, and lists for structs with bases, arrays, and bit-fields
template <class... Ts> struct Over : Ts... { using Ts::operator()...; };
template <class... Ts> __device__ Over<Ts...> over(Ts... ts) { return Over<Ts...>{ts...}; }
struct Left { int l; __device__ int pick(int x) const { return x + l; } };
struct Right { float r, s; __device__ int pick(float x) const { return (int)(x * r + s); } };
struct Empty { __device__ int pick(const char *) const { return 9; } };
template <class... Ts> struct Mixed : Ts... { using Ts::pick...; int own; __device__ int both(int i, float f) const { return pick(i) * 100 + pick(f) + own; } };
struct Base { int b; __device__ int f(int x) { return x + b; } __device__ int f(float x) { return (int)(x * 2); } __device__ int g(int) { return 5; } };
struct Child : Base { using Base::f; using Base::g; int c; __device__ int f(int x) { return x * 1000 + c; } __device__ int g(float) { return 6; } __device__ int both(float x) { return f(x) + f(2) + g(1); } };
struct Counted : Base { int n; };
struct Rows { int v[3]; int w; short tail[2]; };
struct Bits { unsigned a : 3; unsigned b : 5; int c[2]; unsigned char d; };
struct Point { int x, y, z; };
struct Nested { Point p; float f; int q[2]; };
struct Words { Bits bits[2]; int end; };
__device__ int sum(const Rows &r) { return r.v[0] + r.v[1] * 10 + r.v[2] * 100 + r.w * 1000 + r.tail[0] * 10000 + r.tail[1] * 100000; }
__device__ int sum(const Bits &r) { return r.a + r.b * 10 + r.c[0] * 1000 + r.c[1] * 10000 + r.d * 100000; }

__global__ void k(unsigned *out, const int *in, unsigned *total, int n, unsigned m) {
    unsigned t = threadIdx.x, *o = out + t * 16;
    int v = in[t];
    float h = v * 0.5f;
    auto add = [=](int a) { return a + n; };
    auto twice = [](float b) { return (int)(b * 2); };
    auto both = over(add, twice, [=](Point p) { return p.x + v; });
    o[0] = both(v);
    o[1] = both(h) + 1000 * both(Point{n, 0, 0});
    Over<decltype(add), decltype(twice)> direct{add, twice};
    o[2] = direct(3) + direct(2.5f) * 100;
    Mixed<Left, Right, Empty> mixed = {{v}, {2.0f, 1.0f}, {}, 4};
    o[3] = mixed.both(n, h) + mixed.pick("x");
    Left left{3};
    Mixed<Left> one{left, 5};
    o[4] = one.own * 100 + one.pick(2) + one.l;
    Child child = {{n}, 3};
    o[5] = child.f(h) + child.f(2) * 3 + child.g(1) * 7 + child.g(1.0f) * 11;
    o[6] = child.both(h);
    Counted counted = {v, 2}, other = {{v + 1}};
    o[7] = counted.b + counted.n * 10 + other.b * 3 + other.n;
    Rows rows = {1, v, 3, 4, 5, 6}, part = {{1, 2}, n}, flat = {v, 2};
    o[8] = sum(rows) + sum(part) * 3 + sum(flat) * 7;
    Bits bits = {1, 2, {3, v}}, open{5, 6, v, 8, 9};
    o[9] = sum(bits) + sum(open) * 3;
    Bits named = {.b = 7, .c = {1, n}, .d = 2};
    o[10] = sum(named);
    Point p = {.x = v, .z = 3};
    Nested nested{.p = {.y = n}, .f = h, .q = {1}};
    o[11] = p.x + p.y + p.z * 100 + nested.p.y * 1000 + (int)nested.f + nested.q[0] * 7 + nested.q[1];
    Words words = {{{1, 2, {3, 4}, 5}, {6, v & 31, {n}}}, v};
    o[12] = sum(words.bits[0]) + sum(words.bits[1]) * 3 + words.end;
    Nested deep = {{1, 2, 3}, h, v, n};
    o[13] = deep.p.z + (int)deep.f + deep.q[0] + deep.q[1] * 100;
    o[14] = sum(Bits{1, 2, 3, 4, 5}) + sum(Rows{1, 2, 3, 4});
    Rows several[2] = {{1, 2, 3, 4}, {{v}, 5, {6, 7}}};
    o[15] = sum(several[t & 1]);
}
