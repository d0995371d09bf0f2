// grid 1 block 32 n 3 m 9 a -20 -13 -6 1 8 15 22 29 36 43 50 57 64 71 78 85 92 99 106 113 120 127 134 141 148 155 162 169 176 183 190 197 204 211 218 225 232 239 246 253 260 267 274 281 288 295 302 309 316 323 330 337 344 351 358 365 372 379 386 393 400 407 414 421
// g80 gt200 gf100 gk110 gp104 tu102 gh100
// by hand: parameter packs: recursion, folds, packs of values and types, class templates, lambdas
#include <utility>
template <typename T> __device__ T sum(T v) { return v; }
template <typename T, typename... Rest> __device__ T sum(T v, Rest... rest) { return v + sum(rest...); }
template <typename... Args> __device__ int count(Args... args) { return sizeof...(Args) * 10 + sizeof...(args); }
template <typename... Ts> __device__ int added(const Ts &...values) { return (0 + ... + values); }
template <typename... Ts> __device__ int taken(Ts... values) { return (values - ...); }
template <typename... Ts> __device__ int taken_left(Ts... values) { return (... - values); }
template <typename... Ts> __device__ int shifted(int start, Ts... values) { return (start << ... << values); }
template <typename... Ts> __device__ bool all(Ts... values) { return (... && values); }
template <typename... Ts> __device__ bool any(Ts... values) { return (values || ...); }
template <typename... Ts> __device__ int last(Ts... values) { return (values, ...); }
template <typename T, typename... Ts> __device__ bool among(T v, Ts... values) { return ((v == values) || ...); }
template <int... Is> __device__ int dot(const int *p) { return ((p[Is] * (Is + 1)) + ... + 0); }
template <int First, int... Rest> struct Max {
  static constexpr int tail = Max<Rest...>::value;
  static constexpr int value = First > tail ? First : tail;
};
template <int Only> struct Max<Only> { static constexpr int value = Only; };
template <typename... Ts> struct Tuple;
template <> struct Tuple<> { static const int SIZE = 0; };
template <typename T, typename... Ts> struct Tuple<T, Ts...> {
  static const int SIZE = 1 + Tuple<Ts...>::SIZE;
  T head;
  Tuple<Ts...> tail;
  __device__ Tuple(T h, Ts... t) : head(h), tail(t...) {}
};
template <typename T> struct Tuple<T> {
  static const int SIZE = 1;
  T head;
  __device__ Tuple(T h) : head(h) {}
};
template <int I> struct Get {
  template <typename T, typename... Ts> __device__ static auto of(const Tuple<T, Ts...> &t) { return Get<I - 1>::of(t.tail); }
};
template <> struct Get<0> {
  template <typename T, typename... Ts> __device__ static T of(const Tuple<T, Ts...> &t) { return t.head; }
};
template <int... Is> struct Seq {};
template <int N, int... Is> struct MakeSeq { typedef typename MakeSeq<N - 1, N - 1, Is...>::type type; };
template <int... Is> struct MakeSeq<0, Is...> { typedef Seq<Is...> type; };
template <int... Is> __device__ int gather(const int *p, Seq<Is...>) {
  int v[] = {p[Is]...};
  int s = 0;
  for (int i = 0; i < (int)sizeof...(Is); i++) s = s * 3 + v[i];
  return s;
}
template <typename F, typename... Args> __device__ auto call(F f, Args &&...args) { return f(args...); }
template <typename... Ts> __device__ void assign(int v, Ts &...targets) { ((targets = v++), ...); }
template <typename... Ts> __device__ void add_all(int v, Ts *...targets) { int dummy[] = {(*targets += v, 0)...}; (void)dummy; }
template <typename... Ts> __device__ int bytes() { return (sizeof(Ts) + ... + 0); }
template <typename... Ts> __device__ int pairs(Ts... vs) { return sum((vs * count(vs...))...); }
template <typename T, int N, typename... Ts> __device__ void fill(T (&out)[N], Ts... vs) {
  T values[N] = {static_cast<T>(vs)...};
  for (int i = 0; i < N; i++) out[i] = values[i];
}
template <typename... Fs> struct Chain;
template <typename F> struct Chain<F> {
  F f;
  __device__ int operator()(int v) const { return f(v); }
};
template <typename F, typename... Fs> struct Chain<F, Fs...> {
  F f;
  Chain<Fs...> next;
  __device__ int operator()(int v) const { return next(f(v)); }
};
template <typename T, T... Vs> struct Values { __device__ static int weighted() { int i = 0; return ((Vs * ++i) + ...); } };
template <template <typename> class... Cs> __device__ int wrapped() { return (Cs<int>::V + ...); }
template <typename T> struct One { static constexpr int V = 1; };
template <typename T> struct Four { static constexpr int V = sizeof(T); };
template <typename... Ts> using First = Tuple<Ts...>;
template <typename... Ts> constexpr int how_many = sizeof...(Ts);
template <class T, class... Ts> struct is_one_of { static constexpr bool value = ((sizeof(T) == 0) || ... || (sizeof(T) == sizeof(Ts))); };
template <size_t... Is> __device__ int spread(const int *p, std::index_sequence<Is...>) { return ((p[Is] << Is) + ...); }
template <int N> __device__ int spread(const int *p) { return spread(p, std::make_index_sequence<N>{}); }
template <typename F, typename... Args> __device__ auto relay(F &&f, Args &&...args) { return f(std::forward<Args>(args)...); }
struct Double { __device__ int operator()(int v) const { return 2 * v; } };
struct AddOne { __device__ int operator()(int v) const { return v + 1; } };
template <typename... Ts> __global__ void store(unsigned *o, Ts... values) {
  unsigned all[] = {(unsigned)values...};
  for (int i = 0; i < (int)sizeof...(Ts); i++) o[i] = all[i];
}
template __global__ void store<int, short>(unsigned *, int, short);
__global__ void k(unsigned *o, const int *a, unsigned *g, int n, unsigned m) {
  o += threadIdx.x * 16;
  const int *p = a + (threadIdx.x & 31);
  int v = p[0];
  o[0] = sum(v, n, 4, (short)5) + (int)sum(1.5f, 2) * 2;
  o[1] = count() + count(v) * 100 + count(v, 2.0f, 'c') * 10000;
  o[2] = added(v, n, 3u) + taken(v, n, 7) * 100 + taken_left(v, n, 7) * 10000;
  o[3] = shifted(1, n, 2) + all(v, n) * 100 + any(v > 8, false) * 1000 + all() * 10000 + any() * 100000;
  o[4] = last(n, v) + among(v, 8, 15, n) * 1000 + dot<0, 2, 5>(p) * 7;
  o[5] = Max<3, 9, 4>::value + Max<2>::value * 100 + Tuple<int, float, char>::SIZE * 1000;
  Tuple<int, float, short> t(v, 2.5f, 7);
  o[6] = Get<0>::of(t) + (int)(Get<1>::of(t) * 2) * 1000 + Get<2>::of(t) * 100000;
  o[7] = gather(p, typename MakeSeq<5>::type());
  o[8] = call([](int x, int y) { return x * y; }, v, n) + call([=](auto... xs) { return (xs + ... + v); }, 1, 2, 3);
  int x, y, z;
  assign(v, x, y, z);
  add_all(10, &x, &z);
  o[9] = x + y * 100 + z * 10000;
  o[10] = bytes<char, int, long long>() + bytes<>() + pairs(v, n, 2);
  int f[3];
  fill(f, 2.9f, v, 'a');
  o[11] = f[0] + f[1] * 100 + f[2] * 10000;
  Chain<Double, AddOne, Double> chain = {};
  o[12] = chain(v) + Values<int, 5, 6, 7>::weighted() + wrapped<One, Four>() * 1000;
  First<int, int> two(v, n);
  o[13] = two.head + two.tail.head + how_many<int, float> * 100 + is_one_of<int, char, float>::value * 1000;
  auto bound = [=](auto... more) { return [=](int last) { return (more + ... + last) + v; }; };
  o[14] = bound(1, 2, n)(4);
  int up = 1;
  o[4] += spread<5>(p) * 3 + relay([](int &a, int b) { a += b; return a; }, up, 4);
  o[4] += up * 100;
  o[15] = [](auto first, auto... rest) { return first * 2 + sizeof...(rest); }(v, 1, 2.0f);
}
