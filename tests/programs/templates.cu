// grid 1 block 32 n 3 m 9 a -20 -13 -6 1 8 15 22 29 36 43 50 57 64 71 78 85 92 99 106 113 120 127 134 141 148 155 162 169 176 183 190 197 204 211 218 225 232 239 246 253 260 267 274 281 288 295 302 309 316 323 330 337 344 351 358 365 372 379 386 393 400 407 414 421
// g80 gt200 gf100 gk110 gp104 tu102 gh100
// by hand: function templates: deduction, explicit arguments, defaults, specializations, overloads, recursion
template <typename T> __device__ T sq(T x) { return x * x; }
template <> __device__ int sq<int>(int x) { return -x; }
template <class T, int N = 4> __device__ __forceinline__ T sum(const T *p) {
  T s = 0;
  for (int i = 0; i < N; i++) s += p[i];
  return s;
}
template <typename T> __device__ void swp(T &a, T &b) { T t = a; a = b; b = t; }
template <typename T, unsigned N> __device__ int count(const T (&a)[N]) { return N + sizeof(T); }
template <unsigned n> __device__ unsigned fact() {
  if constexpr (n == 0) return 1; else return n * fact<n - 1>();
}
template <typename T> __device__ int kind(T) { return 1; }
template <typename T> __device__ int kind(T *) { return 2; }
template <typename T> __device__ int kind(const T *) { return 3; }
__device__ int kind(unsigned) { return 4; }
template <typename A, typename B> __device__ bool same(A, B) { return false; }
template <typename A> __device__ bool same(A, A) { return true; }
template <typename To, typename From> __device__ To as(From v) { return (To)v; }
template <bool up, typename T> __device__ T step(T v, T by = T(3)) { return up ? v + by : v - by; }
template <typename T> __device__ T later(T);
struct Pair { int a, b; };
template <typename T> __device__ bool operator<(const T &x, const T &y) { return x.a < y.a; }
template <typename T> __device__ T least(T x, T y) { return y < x ? y : x; }
template <typename T, int W> __device__ T turn(T v) {
  __shared__ T s[W];
  s[threadIdx.x % W] = v;
  __syncthreads();
  T r = s[(threadIdx.x + 1) % W];
  __syncthreads();
  return r;
}
__global__ void k(unsigned *o, const int *a, unsigned *g, int n, unsigned m) {
  o += threadIdx.x * 16;
  int v = a[threadIdx.x & 63], w = n;
  int loc[5] = {v, 2, 3, w, 5};
  o[0] = sq(v) + sq(m) + sq<unsigned>(v);
  o[1] = sum(loc) * 100 + sum<int, 5>(loc) + sum<int, (5 > 3) ? 2 : 1>(loc);
  swp(v, w);
  o[2] = v * 1000 + w;
  short h[7];
  o[3] = count(loc) * 100 + count(h);
  o[4] = fact<10>() + fact<0>();
  unsigned u = 3;
  o[5] = kind(v) * 1000 + kind(&v) * 100 + kind((const int *)loc) * 10 + kind(u);
  o[6] = same(v, w) * 10 + same(v, u);
  o[7] = as<unsigned char>(v * 77) + as<short>(70000) + as<int>(2.75f);
  o[8] = step<true>(v) * 256 + step<false, int>(v, 7u);
  o[9] = later(w) + later((unsigned char)200);
  Pair p = {v, 1}, q = {w, 2};
  o[10] = least(p, q).b + least(3, 2);
  o[11] = turn<int, 32>(w) + turn<unsigned, 16>(5u);
}
template <typename T> __device__ T later(T v) { return v + 100; }
