// grid 1 block 32 n 3 m 9 a -20 -13 -6 1 8 15 22 29 36 43 50 57 64 71 78 85 92 99 106 113 120 127 134 141 148 155 162 169 176 183 190 197 204 211 218 225 232 239 246 253 260 267 274 281 288 295 302 309 316 323 330 337 344 351 358 365 372 379 386 393 400 407 414 421
// g80 gt200 gf100 gk110 gp104 tu102 gh100
// by hand: member functions, constructors, operators, static members, nested types, inheritance, function objects
struct Complex {
  int re, im;
  __device__ Complex() : re(0), im(0) {}
  __device__ Complex(int r) : re(r), im(1) {}
  __device__ Complex(int r, int i) : re{r}, im{i} { re += 0; }
  __device__ int norm() const { return re * re + im * im; }
  __device__ Complex operator+(const Complex &o) const { return Complex(re + o.re, im + o.im); }
  __device__ Complex &operator+=(Complex o) { re += o.re; im += o.im; return *this; }
  __device__ Complex operator-() const { return {-re, -im}; }
  __device__ bool operator==(const Complex &o) const { return re == o.re && this->im == o.im; }
  __device__ int operator()(int x) const { return re * x + im; }
  __device__ int &operator[](int i) { return i ? im : re; }
  __device__ int operator[](int i) const { return (i ? im : re) + 1000; }
  __device__ Complex &operator++() { ++re; return *this; }
  __device__ Complex operator++(int) { Complex old = *this; ++*this; return old; }
  __device__ friend Complex operator*(int k, Complex c) { return Complex(k * c.re, k * c.im); }
  template <typename T> __device__ T scaled(T by) const { return by * re; }
};
class Counter {
public:
  static const int LIMIT = 10;
  typedef unsigned value_type;
  enum Kind { UP = 2, DOWN };
  struct Step { int by; };
  __device__ Counter(int start, Step s = {3}) { n = start; step = s; }
  __device__ void add() { n += step.by; if (n > LIMIT) wrap(); }
  __device__ value_type get() const { return n; }
  __device__ static int twice(int v) { return 2 * v; }
private:
  int n;
  Step step;
  __device__ void wrap() { n -= LIMIT; wrapped++; }
public:
  int wrapped = 0;
};
struct Base { int b = 5; __device__ int get() const { return b; } __device__ int twice() { return 2 * get(); } };
struct Derived : public Base {
  int d;
  __device__ Derived(int v) : d(v) { b += 1; }
  __device__ int get() const { return d * 100 + Base::b; }
  __device__ int both() { return get() + twice(); }
};
struct Less { __device__ bool operator()(int a, int b) const { return a < b; } };
struct Plain { int x; int y = 4; int z[2]; };
namespace geo {
struct Box {
  int lo, hi;
  __device__ int size() const;
  __device__ int grown(int by);
};
__device__ int Box::size() const { return hi - lo; }
}
__device__ int geo::Box::grown(int by) { hi += by; return size(); }
template <typename F> __device__ int apply(F f, int a, int b) { return f(a, b); }
template <typename T> __device__ typename T::value_type value_of(const T &t) { return t.get() + T::LIMIT; }
__global__ void k(unsigned *o, const int *a, unsigned *g, int n, unsigned m) {
  o += threadIdx.x * 16;
  int v = a[threadIdx.x & 63];
  Complex x(v, 2), y = Complex(n), z;
  z = x + y;
  z += 7;
  o[0] = z.norm() + (-z).re;
  o[1] = (x == y) + 2 * (x == Complex(v, 2)) + z(10);
  z[0] += 100;
  const Complex c = 3 * z;
  o[2] = c[0] + c[1] + z[1];
  Complex p = z++;
  o[3] = p.re * 1000 + (++z).re + c.scaled(2u);
  Counter k1(v & 7), k2(1, {5});
  for (int i = 0; i < 6; i++) { k1.add(); k2.add(); }
  o[4] = k1.get() * 100 + k2.get() + k1.wrapped * 10000;
  o[5] = Counter::LIMIT + Counter::twice(n) + Counter::DOWN + k1.twice(2) + sizeof(Counter::Step) + sizeof(Counter);
  Derived d(v);
  o[6] = d.get() + d.both() + d.b;
  o[7] = apply(Less(), v, n) + apply(Less{}, n, v) * 2;
  Plain q;
  q.x = 1;
  o[8] = q.y + q.x;
  geo::Box box{1, v};
  o[9] = box.size() + box.grown(5) * 100;
  o[10] = value_of(k1);
  Complex arr[3];
  arr[1] = x;
  Complex *ptr = arr + 1;
  o[11] = ptr->norm() + arr[0].norm() + (*ptr)[1] + ptr[1](4);
  struct Local { int w; __device__ int get() const { return w + 1; } } l = {v};
  o[12] = l.get();
  o[13] = (x + y).norm() + Complex(1, 2)(3) + Complex(4).im;
}
