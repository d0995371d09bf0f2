// grid 1 block 32 n 3 m 9 a -20 -13 -6 1 8 15 22 29 36 43 50 57 64 71 78 85 92 99 106 113 120 127 134 141 148 155 162 169 176 183 190 197 204 211 218 225 232 239 246 253 260 267 274 281 288 295 302 309 316 323 330 337 344 351 358 365 372 379 386 393 400 407 414 421
// g80 gt200 gf100 gk110 gp104 tu102 gh100
// by hand: deduction guides: of packs, aggregates, pointers, and one type, explicit ones, and among constructors
template <class T, int N> struct Row {
  T v[N];
  __device__ T sum() const { T s = 0; for (int i = 0; i < N; i++) s += v[i]; return s * N; }
};
template <class T, class... U> Row(T, U...) -> Row<T, 1 + sizeof...(U)>;

template <class T> struct Sum {
  T total;
  template <class I> __device__ Sum(I first, I last) : total(0) { for (; first != last; ++first) total += *first; }
};
template <class T> Sum(T *, T *) -> Sum<T>;
template <class T> Sum(const T *, const T *) -> Sum<T>;

template <class... F> struct Either : F... { using F::operator()...; };
template <class... F> Either(F...) -> Either<F...>;

template <class T> struct Box {
  T value;
  __device__ Box(T v) : value(v) {}
  __device__ Box(T v, int more) : value(v + more) {}
};
Box(char) -> Box<int>;

template <class T> struct Wide {
  T value;
  __device__ Wide(T v) : value(v) {}
};
explicit Wide(int) -> Wide<long long>;

// The constructor of a pointer is more specialized than the guide.
template <class T> struct Kind {
  int which;
  __device__ Kind(T) : which(1) {}
  __device__ Kind(T *) : which(2) {}
};
template <class T> Kind(T) -> Kind<T>;
template <class T> __device__ int bytes(const Kind<T> &) { return sizeof(T); }

namespace names {
template <class T = short> struct Text {
  const char *text;
  T length;
  __device__ Text(const char *t) : text(t), length(0) { while (text[length]) length++; }
};
Text(const char *) -> Text<>;
template <class T, class U> struct Pair { T a; U b; };
template <class T, class U> Pair(T, U) -> Pair<T, U>;
template <class T> Pair(T, bool) -> Pair<T, int>;
}

// Nothing uses this guide of the host.
template <class T> struct Host { T *data; };
template <class T> Host(const T &) -> Host<T>;

__global__ void k(unsigned *o, const int *a, unsigned *g, int n, unsigned m) {
  int t = threadIdx.x;
  o += t * 16;
  Row row{t, n, 5};
  o[0] = row.sum();
  Row pair_of_shorts{(short)t, (short)1};
  o[1] = sizeof(pair_of_shorts);
  Sum sum(a + t, a + t + 4);
  o[2] = sum.total;
  int own[3] = {t, n, 7};
  Sum all{own, own + 3};
  o[3] = all.total;
  Either f{[=](int x) { return x + n; }, [](float x) { return (int)(x * 2.0f); }};
  o[4] = f(t) * 1000 + f(1.5f);
  Box letter('A'), number(t, 3);
  o[5] = sizeof(letter) * 1000 + letter.value;
  o[6] = number.value;
  Wide direct(t);
  Wide copied = t;
  o[7] = sizeof(direct) * 10 + sizeof(copied) + direct.value - copied.value;
  Kind plain((short)t);
  Kind pointer(&own[1]);
  o[8] = plain.which * 1000 + bytes(plain) * 100 + pointer.which * 10 + bytes(pointer);
  names::Text text("guide");
  o[9] = text.length * 10 + sizeof(text.length);
  names::Pair pair{(char)t, true};
  o[10] = sizeof(pair) * 100 + pair.b;
  o[11] = names::Pair{t, 2.5f}.b * 4;
  o[12] = Box('B').value + sizeof(Box<int>);
  const Box constant = n;
  o[13] = constant.value;
  o[14] = Box(2.5f).value * 2;
  Box again = letter;
  o[15] = sizeof(again);
}
