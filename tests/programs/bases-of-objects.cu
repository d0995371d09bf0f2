// grid 1 block 32 n 3 m 9 a -20 -13 -6 1 8 15 22 29 36 43 50 57 64 71 78 -18 -11 -4 3 10 17 24 31 38 45 52 59 66 73 80 -16 -9 -2 5 12 19 26 33 40 47 54 61 68 75 82 -14 -7 0 7 14 21 28 35 42 49 56 63 70 77 -19 -12 -5 2 9
// g80 gt200 gf100 gp104 tu102 gh100
// by hand: members by the name of a base, copies of a base, conversions, references that auto makes, casts that make objects
namespace space {
struct N { int v; unsigned w; __device__ int sum() const { return v + int(w & 7u); } };
}
struct P : public space::N {
  int g;
  __device__ P(const space::N &b, int g) : space::N(b), g(g) {}
};
struct Q : public P {
  int v;
  __device__ Q(const P &b, int v) : P(b), v(v) {}
};
// A conversion to bool, which a constructor would take.
struct B {
  int f = 78;
  __device__ B(int a) : f(a) {}
  __device__ explicit operator bool() const { return f != 0; }
};
class D : public B {
public:
  int g;
  __device__ D(const B &b, int g) : B(b), g(g) {}
};
template <typename T> struct H {
  T v;
  __device__ T get() const { return v; }
  __device__ int plain() { return 1; }
  __device__ int plain() const { return 2; }
  template <typename U> __device__ U as() const { return U(v); }
};
struct E : public H<int> {
  int v;
  __device__ E(int a, int b) : v(b) { this->H<int>::v = a; }
  __device__ int both() const { return this->H<int>::get() * 100 + v; }
};
struct W { int v; __device__ operator int() const { return v; } };
__device__ B operator+(B l, const B &r) { return B(l.f * r.f); }
__device__ int taken(B b) { return b.f; }
__device__ int f2(int x) { return x + 1; }
struct Field { int f2; __device__ void change() { int *p = &f2; *p += 5; } };
__global__ void k(unsigned *o, const int *a, unsigned *g, int n, unsigned m) {
  o += (blockIdx.x * blockDim.x + threadIdx.x) * 16;
  int t = threadIdx.x;
  Q q(P(space::N{t, m}, n), 40 + t);
  o[0] = q.v; o[1] = q.space::N::v; o[2] = q.P::N::v; o[3] = q.P::g + q.N::sum() + q.P::N::sum();
  o[4] = (space::N(q).v) * 10 + (unsigned)(P(q).w);
  D d(B{n + t}, 9);
  o[5] = B(d).f; o[6] = taken(d); B copy = d; o[7] = copy.f;
  E e(t, 7);
  const E fixed(5, t);
  o[8] = e.H<int>::v; o[9] = e.both() + e.H<int>::as<unsigned>() + (&e)->H<int>::template as<short>();
  o[10] = e.H<int>::plain() * 10 + fixed.H<int>::plain();
  const B &r = B(t * 3);
  auto &s = r; auto &&u = fixed;
  o[11] = s.f + u.v;
  Field field{t}; field.change(); o[12] = field.f2 + f2(n);
  e.H<int>::v += 2; o[13] = e.get();
  W w{t}; o[14] = (w + n) / 2; o[15] = (B(w) + B(n)).f;
}
