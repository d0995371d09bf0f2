// grid 1 block 32 n 3 m 9 a -20 -13 -6 1 8 15 22 29 36 43 50 57 64 71 78 85 92 99 106 113 120 127 134 141 148 155 162 169 176 183 190 197 204 211 218 225 232 239 246 253 260 267 274 281 288 295 302 309 316 323 330 337 344 351 358 365 372 379 386 393 400 407 414 421
// g80 gt200 gf100 gk110 gp104 tu102 gh100
// by hand: class templates: values and types, member functions, deduction, specializations, aliases, policies
template <typename T, int N> struct Vec {
  typedef T value_type;
  static const int SIZE = N;
  T v[N];
  __device__ T &operator[](int i) { return v[i]; }
  __device__ const T &operator[](int i) const { return v[i]; }
  __device__ T sum() const { T s = 0; for (int i = 0; i < N; i++) s += v[i]; return s; }
  __device__ static int bytes() { return N * sizeof(T); }
  template <typename U> __device__ U as(int i) const { return (U)v[i]; }
};
template <typename T, int N> __device__ Vec<T, N> operator+(const Vec<T, N> &a, const Vec<T, N> &b) {
  Vec<T, N> r;
  for (int i = 0; i < N; i++) r[i] = a[i] + b[i];
  return r;
}
template <typename T> using Pair = Vec<T, 2>;
template <typename T> struct Limits { static const int MOST = 1; __device__ static T least() { return T(0); } };
template <> struct Limits<int> { static const int MOST = 7; __device__ static int least() { return -7; } };
template <typename T> struct Sum { __device__ T operator()(T a, T b) const { return a + b; } };
template <typename T> struct Most { __device__ T operator()(T a, T b) const { return a > b ? a : b; } };
template <typename Op, typename T, int N> __device__ T fold(const Vec<T, N> &v, Op op) {
  T r = v[0];
  for (int i = 1; i < N; i++) r = op(r, v[i]);
  return r;
}
template <typename T> class Stack {
public:
  __device__ Stack() : top(0) {}
  __device__ void push(T x) { if (top < 8) items[top++] = x; }
  __device__ T pop() { return top > 0 ? items[--top] : T(-1); }
  __device__ bool empty() const { return top == 0; }
private:
  T items[8];
  int top;
};
template <bool b> struct Choose { template <typename T> __device__ static T of(T x, T y) { return b ? x : y; } };
template <typename T, typename Policy = Limits<T>> struct Clamp : Policy {
  __device__ T operator()(T x) const { return x > T(Policy::MOST) ? T(Policy::MOST) : x; }
};
template <typename C> __device__ typename C::value_type first(const C &c) { typename C::value_type f = c[0]; return f; }
__global__ void k(unsigned *o, const int *a, unsigned *g, int n, unsigned m) {
  o += threadIdx.x * 16;
  int v = a[threadIdx.x & 63];
  Vec<int, 3> p = {{v, 2, 3}}, q = {{4, n, 6}};
  Vec<int, 3> r = p + q;
  o[0] = r.sum() + r[1] * 100;
  Vec<unsigned char, 5> c = {{200, 100, 50, 25, (unsigned char)v}};
  o[1] = c.sum() + Vec<unsigned char, 5>::bytes() * 1000 + Vec<int, 3>::SIZE;
  Pair<short> s = {{(short)v, 7}};
  o[2] = s.sum() + sizeof(s) * 10 + p.as<short>(0);
  o[3] = Limits<int>::MOST + Limits<float>::MOST * 10 + Limits<int>::least() + (int)Limits<unsigned>::least();
  o[4] = fold(p, Sum<int>()) + fold(q, Most<int>()) * 1000;
  Stack<int> st;
  for (int i = 0; i < 5; i++) st.push(v + i);
  int top = st.pop();
  while (!st.empty()) top = top * 3 + st.pop();
  o[5] = top + st.pop();
  o[6] = Choose<true>::of(v, n) + Choose<false>::of(v, n) * 2;
  Clamp<int> clamp;
  o[7] = clamp(v) + clamp.least();
  o[8] = first(p) + first(c);
}
