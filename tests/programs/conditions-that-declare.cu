// grid 1 block 32 n 3 m 9 a -20 -13 -6 1 8 15 22 29 36 43 50 57 64 71 78 85 92 99 106 113 120 127 134 141 148 155 162 169 176 183 190 197 204 211 218 225 232 239 246 253 260 267 274 281 288 295 302 309 316 323 330 337 344 351 358 365 372 379 386 393 400 407 414 421
// gf100 gk110 gp104 tu102 gh100
// by hand: variables in conditions, references to values, members by their base's name, casts to what is derived
struct Base { int f; unsigned u; __device__ Base(int f, unsigned u) : f(f), u(u) {} __device__ int get() const { return f; } };
struct Derived : Base { int f; __device__ Derived(const Base &b, int v) : Base(b), f(v) {} __device__ int get() const { return Base::get() * 2 + f; } };
template <class D> struct Self { __device__ D &set(int k) { static_cast<D *>(this)->v = k; return *static_cast<D *>(this); } };
struct Own : Self<Own> { int v; __device__ Own(int v) : v(v) {} };
template <class T> struct Holder { T v; template <class U> __device__ U as() const { return U(v); } };
template <class T, class U> struct Same { static const bool value = false; };
template <class T> struct Same<T, T> { static const bool value = true; };
struct Left { int left; __device__ explicit operator bool() const { return left > 0; } };
__global__ void k(unsigned *out, const int *a, unsigned *g, int n, unsigned m) {
  int t = threadIdx.x, v = a[t];
  unsigned *o = out + t * 16;
  if (int c = v / 8) o[0] = c; else o[0] = 100 + c;
  if (int c = v - n; c > 50) o[1] = c; else if (c < 0) o[1] = -c;
  switch (int c = v & 3; c + 1) { case 1: o[2] = 5 + c; break; case 3: o[2] = 7; default: o[2] += c; }
  int rest = t;
  while (int c = rest & 7) { rest -= 2; if (c == 3) continue; o[3] += c; if (rest < 0) break; }
  if (Left l = {v - 30}) o[4] = l.left;
  int &&held = int(v * 3);
  held += 4;
  const int &kept = v + 1;
  unsigned &&wide = m + t;
  ++wide;
  o[5] = held + kept;
  o[6] = wide;
  Derived d(Base(v, m), n);
  o[7] = d.f + d.Base::f * 10 + d.get() + d.Base::get();
  Base part = Base(d);
  o[8] = part.f + Base(d).u;
  Own own(3);
  o[9] = own.set(v).v + own.set(t).set(n).v * 100;
  o[10] = (Holder<int>{v}.as<short>()) + (Holder<unsigned>{m}.v);
  o[11] = Same<int, decltype('c' + true)>::value + 2 * Same<unsigned, decltype(v + 1)>::value;
  for (int i = 0; i < 3; i++) { if (const int c = a[(t + i) & 63]; c % 2 == 0) continue; else o[12] += c; }
}
