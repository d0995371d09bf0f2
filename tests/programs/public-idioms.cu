// grid 1 block 32 n 3 m 9 a -20 -13 -6 1 8 15 22 29 36 43 50 57 64 71 78 85 92 99 106 113 120 127 134 141 148 155 162 169 176 183 190 197 204 211 218 225 232 239 246 253 260 267 274 281 288 295 302 309 316 323 330 337 344 351 358 365 372 379 386 393 400 407 414 421
// gf100 gk110 gp104 tu102 gh100
// by hand: class template arguments that are left out, unions without a name, vectors as bases, addresses as template arguments, constexpr pointers, goto past objects, raw strings, and wide characters
template <class A, class B> struct Pair { A first; B second; };
template <class T> struct Box {
  T value;
  __device__ Box(T v) : value(v) {}
  __device__ Box(T v, int more) : value(v + more) {}
};
template <class T, int N> struct Row { T cells[N]; };
template <class T> struct Kind { static constexpr bool is_small = sizeof(T) < 4; };
template <class T> __device__ T clipped(int v) {
  return (T)((Kind<T>::is_small && (v > 100 || v < -100)) ? (v > 0 ? 100 : -100) : v);
}
struct Note {
  unsigned *at;
  int tag;
  __device__ Note(unsigned *where, int t) : at(where), tag(t) {}
  __device__ ~Note() { *at = *at * 10 + tag; }
};
__device__ void leaves(unsigned *o, int v) {
  Note outer(o, 1);
  if (v % 4 == 0) goto end;
  {
    Note inner(o, 2);
    if (v % 4 == 1) goto end;
    {
      Note inmost(o, 3);
      if (v % 4 == 2) goto middle;
    }
    *o = *o * 10 + 7;
  }
middle:
  *o = *o * 10 + 8;
end:
  *o = *o * 10 + 9;
}
__device__ void repeats(unsigned *o, int n) {
  int i = 0;
again:
  {
    Note each(o, i + 1);
    i++;
    if (i < n) goto again;
  }
}
typedef int (*Unary)(int);
template <class T> __device__ int twice(T v) { return 2 * v; }
template <class T> __device__ int minus(T v) { return -v; }
template <int Which> __device__ constexpr Unary chosen() {
  if constexpr (Which == 0) {
    return twice<int>;
  } else {
    return minus<int>;
  }
}
struct Wide : public uint2 {
  __device__ Wide(unsigned a, unsigned b) {
    uint2::x = a;
    y = b;
  }
  __device__ unsigned sum() const { return x + y; }
};
__device__ unsigned both(uint2 v) { return v.x * 3 + v.y; }
__device__ int primes[4] = {2, 3, 5, 7};
template <int *At> __device__ int prime(int i) { return At[i]; }
template <int (&All)[4]> __device__ int last() { return All[3]; }
template <class T> __device__ int kind_of(T v) { return v.no_such_member; }
__device__ int kind_of(const unsigned &v) { return v % 10; }
__constant__ char table[] = "wxyz";
#define IS_OLD defined(NO_SUCH_MACRO)
#define IS_NEW (defined(IS_OLD) && !IS_OLD)
#if IS_OLD
#error "a macro that creates defined"
#endif
#if IS_NEW
__device__ int version() { return 5; }
#endif
__global__ void k(unsigned *o, const int *a, unsigned *g, int n, unsigned m) {
  int t = threadIdx.x;
  o += t * 16;
  Pair pair{t, 2.5f};
  Box box(a[t]), more(a[t], 100), copy(box);
  auto made = Box{(short)t};
  o[0] = pair.first + (int)(2 * pair.second) + (sizeof(pair) << 8);
  o[1] = box.value + copy.value * 3 + more.value * 5 + made.value * 7 + (sizeof(made) << 20);
  union {
    unsigned word;
    unsigned char bytes[4];
    unsigned short halves[2];
  };
  word = 0x01020304u * (unsigned)(t + 1);
  o[2] = bytes[t & 3] + 256 * halves[0] + halves[1];
  bytes[2] = 7;
  o[3] = word;
  constexpr const char *text = "constant";
  constexpr Unary f = chosen<0>(), h = chosen<1>();
  constexpr int (*direct)(int) = minus<int>;
  o[4] = text[t & 7] + table[t & 3];
  o[5] = f(t) + 1000 * h(t) + direct(a[t]);
  o[6] = clipped<short>(a[t]) + 1000 * clipped<signed char>(a[t] / 4) + clipped<int>(a[t]);
  o[7] = 0;
  leaves(o + 7, t);
  o[8] = 0;
  repeats(o + 8, t % 5 + 1);
  o[9] = u'\u00e9' + U'\U0001F600' + L'w' + u8'x' + sizeof(u'x') + 16 * sizeof(U'x') + 256 * sizeof(L'x') + 4096 * sizeof(u8'x');
  o[10] = R"(a\n"b)"[t % 6] + sizeof(R"x()")x") * 256;
  o[11] = "one\
two"[t % 7] + version() * 1000;
  Unary late = twice<int>;
  if (t & 1) late = minus<int>;
  o[12] = late(a[t]);
  Row<int, 3> row{{t, n, 4}};
  Pair nested{row, Box(1u)};
  Wide wide(t, 2 * t + 1);
  wide.x += n;
  uint2 narrow = wide;
  o[14] = both(wide) + 100 * wide.sum() + 10000 * narrow.y;
  o[15] = prime<primes>(t & 3) + 100 * last<primes>() + 10000 * kind_of(word);
  o[13] = nested.first.cells[t % 3] + nested.second.value;
}
