// grid 1 block 32 n 3 m 9 a -20 -13 -6 1 8 15 22 29 36 43 50 57 64 71 78 85 92 99 106 113 120 127 134 141 148 155 162 169 176 183 190 197 204 211 218 225 232 239 246 253 260 267 274 281 288 295 302 309 316 323 330 337 344 351 358 365 372 379 386 393 400 407 414 421
// g80 gt200 gf100 gk110 gp104 tu102 gh100
// by hand: results by decltype, specializations for references, pointers, and arrays, members outside, captured arrays
#include <type_traits>
template <typename T, typename U> __device__ auto add(T a, U b) -> decltype(a + b) { return a + b; }
template <typename T> __device__ auto first(T &v) -> decltype(v[0]) { return v[0]; }
template <typename F, typename T> __device__ auto apply(F f, T v) -> decltype(f(v)) { return f(v); }
template <typename T> struct Kind { static const int value = 1; typedef T bare; };
template <typename T> struct Kind<T &> { static const int value = 2; typedef T bare; };
template <typename T> struct Kind<T &&> { static const int value = 3; typedef T bare; };
template <typename T> struct Kind<T *> { static const int value = 4 + Kind<T>::value * 10; typedef T bare; };
template <typename T> struct Kind<const T> { static const int value = 5; typedef T bare; };
template <typename T, int N> struct Kind<T[N]> { static const int value = 6 + N * 10; typedef T bare; };
template <typename T> struct Box {
  T v;
  __device__ Box(T x) : v(x) {}
  __device__ int scaled(int by) const;
  __device__ static int size();
};
template <typename T> __device__ int Box<T>::scaled(int by) const { return (int)v * by; }
template <typename T> __device__ int Box<T>::size() { return sizeof(T); }
template <> __device__ int Box<short>::scaled(int by) const { return v * by + 1000; }
template <> __device__ int Box<double>::size() { return 88; }
template <typename T> struct Op;
template <> struct Op<float> { __device__ static int code(); __device__ int run(int v) const; int k; };
template <> struct Op<int> { __device__ static int code() { return 7; } };
__device__ int Op<float>::code() { return 9; }
__device__ int Op<float>::run(int v) const { return v * k; }
template <typename T> struct Holder { T value; typedef T &reference; __device__ reference get() { return value; } };
typedef int &int_ref;
__device__ int_ref at(int *p, int i) { return p[i]; }
enum Dir { LEFT, RIGHT = 5 };
namespace dir { __device__ const int x = 4; __device__ int f(int v) { return v + x; } enum class Side : unsigned char { A = 3, B }; }
__device__ int pick(int v) { return v; }
__device__ float pick(float v) { return v * 2; }
__device__ unsigned pick(unsigned v) { return v + 100; }
struct Adder { int by; __device__ int operator()(int v) const { return v + by; } };
__global__ void k(unsigned *o, const int *a, unsigned *g, int n, unsigned m) {
  o += threadIdx.x * 16;
  int v = a[threadIdx.x & 63];
  o[0] = add(v, n) + (int)(add(v, 0.5f) * 2) + sizeof(add('a', 'b'));
  int list[4] = {v, 2, 3, 4};
  first(list) += 10;
  o[1] = list[0] + apply(Adder{5}, v) * 100;
  o[2] = Kind<int>::value + Kind<int &>::value * 10 + Kind<float &&>::value * 100 + Kind<int **>::value * 1000 + Kind<const int>::value * 1000000 + Kind<char[7]>::value * 10000000;
  Kind<int &>::bare copy = v;
  copy++;
  o[3] = copy + v * 1000;
  Box<int> bi(v); Box<short> bs(7); Box<double> bd(2.0);
  o[4] = bi.scaled(3) + bs.scaled(2) * 10 + bd.scaled(4) + Box<int>::size() * 100000 + Box<double>::size() * 1000000;
  Op<float> op = {n};
  o[5] = Op<float>::code() + Op<int>::code() * 10 + op.run(v) * 100;
  Holder<int> h = {v};
  h.get() += 3;
  at(list, 2) = 50;
  o[6] = h.value + list[2] * 1000;
  int grid[2][2] = {{1, v}, {3, 4}};
  auto sum = [=](int w) { int s = w; for (int i = 0; i < 4; i++) s += list[i] * (i + 1); return s + grid[1][0] * grid[0][1]; };
  list[0] = 1000; grid[1][0] = 100;
  o[7] = sum(2);
  auto change = [list, n](int w) mutable { list[1] += w; return list[1] + n; };
  o[8] = change(5) + change(6) * 100 + list[1] * 10000;
  int size = sizeof(size);
  unsigned *self = (unsigned *)(sizeof(*self) > 2 ? o : 0);
  o[9] = size + (self == o) * 10;
  o[10] = Dir::RIGHT + LEFT + dir::f(v) + dir::x * 1000 + (int)dir::Side::B * 10000;
  o[11] = pick(v) + (int)pick(1.5f) * 10 + pick(7u) + pick('a') * 1000 + pick((short)2);
  const int &r = v;
  decltype(r) same = v;
  decltype((v)) alias = v;
  alias += 2;
  o[12] = same + v * 100;
  decltype(v) plain = v; plain = 0;
  o[13] = plain + v;
  o[14] = [](auto &&x) -> decltype(auto) { return x + 1; }(v);
  o[15] = std::is_same<decltype(list[0]), int &>::value + std::is_same<std::remove_reference<int &&>::type, int>::value * 10;
}
