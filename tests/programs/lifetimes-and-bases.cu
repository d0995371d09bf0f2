// grid 1 block 32 n 3 m 9 a -20 -13 -6 1 8 15 22 29 36 43 50 57 64 71 78 85 92 99 106 113 120 127 134 141 148 155 162 169 176 183 190 197 204 211 218 225 232 239 246 253 260 267 274 281 288 295 302 309 316 323 330 337 344 351 358 365 372 379 386 393 400 407 414 421
// gf100 gk110 gp104 tu102 gh100
// by hand: destructors at the ends of scopes, copies and moves, overloads by &&, several bases, explicit, deleted
#include <utility>
#include <type_traits>
struct Log {
  int *at;
  __device__ explicit Log(int *p) : at(p) { *at = *at * 3 + 1; }
  __device__ ~Log() { *at = *at * 5 + 2; }
  Log(const Log &) = delete;
  Log &operator=(const Log &) = delete;
};
struct Handle {
  int *log;
  int id;
  __device__ Handle(int *l, int i) : log(l), id(i) { *log = *log * 7 + id; }
  __device__ Handle(const Handle &o) : log(o.log), id(o.id + 1) { *log = *log * 7 + 3; }
  __device__ Handle(Handle &&o) : log(o.log), id(o.id) { o.id = 0; *log = *log * 7 + 5; }
  __device__ Handle &operator=(const Handle &o) { id = o.id + 100; *log += 11; return *this; }
  __device__ Handle &operator=(Handle &&o) { id = o.id + 200; o.id = -1; *log += 13; return *this; }
  __device__ ~Handle() { *log = *log * 7 + id; }
};
struct Two { Handle first, second; int extra; };
struct Outer {
  Handle inner;
  int *log;
  __device__ Outer(int *l, int i) : inner(l, i), log(l) {}
  __device__ ~Outer() { if (inner.id > 2) { *log += 1000; return; } *log += 2000; }
};
struct Area { int w, h; __device__ int area() const { return w * h; } __device__ void grow(int by) { w += by; } };
struct Named { int name; __device__ int title() const { return name * 10; } };
struct Tag {};
struct Window : Area, Tag, public Named {
  int depth;
  __device__ Window(int a, int b, int c) : Area{a, b}, Named{c}, depth(a + c) {}
  __device__ int all() const { return area() + title() + Named::title() + depth; }
};
struct Deep : Window { using Window::Window; int own; __device__ Deep(int v) : Window(v, 2, 3), own(9) {} };
__device__ int kind(int &) { return 1; }
__device__ int kind(const int &) { return 2; }
__device__ int kind(int &&) { return 3; }
template <typename T> __device__ T &&keep(typename std::remove_reference<T>::type &v) { return static_cast<T &&>(v); }
template <typename T> __device__ int through(T &&v) { return kind(keep<T>(v)); }
template <typename T> __device__ int plain(T &&v) { return kind(v) * 10 + std::is_lvalue_reference<T>::value; }
__device__ int take(Handle h) { return h.id; }
__device__ Handle give(int *l, int i) { return Handle(l, i); }
__device__ Handle pick(int *l, bool first) {
  Handle a(l, 1);
  if (first) return a;
  Handle b(l, 2);
  return b;
}
__device__ int name_of(const Named &n) { return n.name; }
__device__ int name_through(const Named *n) { return n ? n->name : -1; }
__device__ int early(int *l, int v) {
  Log a(l);
  for (int i = 0; i < 4; i++) {
    Log b(l);
    if (i == 1) continue;
    if (v > 20) break;
    if (v < 0) return *l + v;
  }
  return *l;
}
struct Meters { int v; __device__ explicit Meters(int x) : v(x) {} __device__ explicit operator bool() const { return v != 0; } };
__device__ int only(int v) { return v; }
int only(float) = delete;
__global__ void k(unsigned *o, const int *a, unsigned *g, int n, unsigned m) {
  o += threadIdx.x * 16;
  int v = a[threadIdx.x & 63], l = 0;
  { Log x(&l); { Log y(&l); l += v; } l += 1; }
  o[0] = l;
  l = v;
  o[1] = early(&l, v) * 3 + l;
  l = 0;
  { Handle h(&l, 4); Handle c = h; Handle d(std::move(c)); o[2] = h.id + c.id * 10 + d.id * 100; }
  o[3] = l;
  l = 0;
  { Handle h(&l, 2); int t = take(h); t += take(std::move(h)) * 10; int u = take(Handle(&l, 7)); o[4] = t + u * 100 + h.id * 1000; }
  o[5] = l;
  l = 0;
  { Handle h = give(&l, 3); Handle e = pick(&l, v & 1); h = e; h = give(&l, 5); o[6] = h.id + e.id * 1000; }
  o[7] = l;
  l = 0;
  { Two t = {Handle(&l, 1), Handle(&l, 2), 7}; Two u = t; u.second = t.first; o[8] = u.first.id + u.second.id * 10 + u.extra; }
  o[9] = l;
  l = 0;
  { Outer x(&l, v & 3); Handle list[2] = {Handle(&l, 1), Handle(&l, 2)}; const Handle &r = Handle(&l, 6); l += r.id + list[1].id; Handle(&l, 9); }
  o[10] = l;
  int x = v;
  const int y = n;
  o[11] = kind(x) + kind(y) * 10 + kind(v + 1) * 100 + kind(std::move(x)) * 1000 + through(x) * 10000 + through(5) * 100000 + plain(x) * 1000000 + plain(7) * 100000000;
  Window w(v, n, 5);
  w.grow(2);
  o[12] = w.all() + name_of(w) * 1000 + name_through(&w) * 100 + w.Area::w + sizeof(Window);
  Deep deep(v);
  Named &named = deep;
  named.name += 4;
  Window *back = static_cast<Window *>(static_cast<Deep *>(&named));
  o[13] = deep.title() + back->depth + deep.own + static_cast<Deep &>(named).w;
  Meters meters(v - 1);
  o[14] = (meters ? 1 : 2) + only(3) * 10 + static_cast<Meters>(4).v * 100 + Meters{5}.v * 1000;
  l = 1;
  auto lambda = [h = Handle(&l, 2)](int z) { return h.id + z; };
  o[15] = lambda(v) + (Handle(&l, 3).id > 2 && l > 0);
}
