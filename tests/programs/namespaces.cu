// grid 1 block 32 n 3 m 9 a -20 -13 -6 1 8 15 22 29 36 43 50 57 64 71 78 85 92 99 106 113 120 127 134 141 148 155 162 169 176 183 190 197 204 211 218 225 232 239 246 253 260 267 274 281 288 295 302 309 316 323 330 337 344 351 358 365 372 379 386 393 400 407 414 421
// g80 gt200 gf100 gk110 gp104 tu102 gh100
// by hand: namespaces, nested, inline, without a name, with aliases, using directives and declarations
namespace math {
struct V { int x, y; };
__device__ V operator+(V a, V b) { return {a.x + b.x, a.y + b.y}; }
__device__ int dot(V a, V b) { return a.x * b.x + a.y * b.y; }
namespace detail {
constexpr int SIZE = 4;
__constant__ int table[4] = {9, 8, 7, 6};
template <typename T> __device__ T twice(T v) { return v + v + SIZE; }
}
enum class Mode { A, B = 7 };
enum Plain { P = 11 };
typedef int whole;
inline namespace v2 { __device__ int inl() { return 5; } }
}
namespace { __device__ int hidden(int x) { return x + 1; } }
namespace m = math;
namespace a::b { __device__ int deep(int x) { return x * 3; } const int SIZE = 50; }
using math::dot;
int SIZE_OF_HOST;
__device__ int f() { return 1; }
namespace math {
__device__ int f() { return 2; }
__device__ whole use(V v) { return dot(v, v) + detail::twice(1) + detail::SIZE + f() * 10 + ::f() * 100; }
}
namespace math { namespace detail { __device__ int g() { return f() + table[1]; } } }
__global__ void k(unsigned *o, const int *in, unsigned *g, int n, unsigned m_) {
  o += threadIdx.x * 16;
  math::V a{in[threadIdx.x & 63], 2}, b = {3, n};
  m::V c = a + b;
  o[0] = dot(c, a) + dot(a, b);
  o[1] = math::use(c);
  o[2] = (int)math::Mode::B + math::P + math::Plain::P;
  o[3] = hidden(3) + math::inl() + math::v2::inl();
  o[4] = a::b::deep(n) + a::b::SIZE;
  o[5] = f() + math::f();
  o[6] = math::detail::g();
  using namespace math;
  V d = c;
  Mode mode = n > 2 ? Mode::A : Mode::B;
  whole r = ::math::dot(c, d);
  o[7] = r + (mode == Mode::A) + detail::table[threadIdx.x & 3];
  o[8] = ::min(n, 2) + max(3u, m_);
  o[9] = sizeof(math::V) + sizeof(whole);
}
