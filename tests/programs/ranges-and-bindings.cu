// grid 1 block 32 n 3 m 9 a -20 -13 -6 1 8 15 22 29 36 43 50 57 64 71 78 85 92 99 106 113 120 127 134 141 148 155 162 169 176 183 190 197 204 211 218 225 232 239 246 253 260 267 274 281 288 295 302 309 316 323 330 337 344 351 358 365 372 379 386 393 400 407 414 421
// g80 gt200 gf100 gk110 gp104 tu102 gh100
// by hand: loops over ranges and structured bindings: arrays, structs, lists, iterators, references
struct Span {
  const int *data;
  int size;
  __device__ const int *begin() const { return data; }
  __device__ const int *end() const { return data + size; }
};
template <typename T, int N> struct Ring {
  T items[N];
  struct Iterator {
    const Ring *ring;
    int at;
    __device__ bool operator!=(const Iterator &other) const { return at != other.at; }
    __device__ Iterator &operator++() { at += 2; return *this; }
    __device__ T operator*() const { return ring->items[at % N]; }
  };
  __device__ Iterator begin() const { return {this, 1}; }
  __device__ Iterator end() const { return {this, 1 + 2 * N}; }
};
struct Counter { int to; };
struct CountIt {
  int v;
  __device__ int operator*() const { return v; }
  __device__ void operator++() { v++; }
  __device__ bool operator!=(CountIt o) const { return v != o.v; }
};
__device__ CountIt begin(Counter) { return CountIt{0}; }
__device__ CountIt end(Counter c) { return CountIt{c.to}; }
struct Pair { int first; float second; };
struct Triple : Pair { short third; };
struct Rgb { unsigned char r, g, b; };
__device__ Pair make(int v) { Pair p = {v * 2, v * 0.5f}; return p; }
__device__ int table[4] = {3, 1, 4, 1};
__global__ void k(unsigned *o, const int *a, unsigned *g, int n, unsigned m) {
  __shared__ int tile[8];
  o += threadIdx.x * 16;
  const int *p = a + (threadIdx.x & 31);
  int v[5];
  int next = 0;
  for (int &x : v) x = p[next++];
  int s = 0;
  for (int x : v) s += x;
  o[0] = s;
  s = 0;
  for (const auto &x : v) { if (x % 2) continue; if (s > 1000) break; s = s * 3 + x; }
  o[1] = s;
  int grid[2][3] = {{1, 2, 3}, {4, 5, p[0]}};
  s = 0;
  for (auto &row : grid) { row[0] += 10; for (int cell : row) s = s * 7 + cell; }
  o[2] = s;
  s = 0;
  for (int x : Span{p, n + 1}) s += x * 2;
  for (auto x : {1, n, 7}) s += x * 1000;
  o[3] = s;
  Ring<int, 3> ring = {{p[0], p[1], p[2]}};
  s = 0;
  for (auto x : ring) s = s * 5 + x;
  for (auto i : Counter{4}) s += i * 100000;
  o[4] = s;
  auto [first, second] = make(p[0]);
  o[5] = first + (int)(second * 4);
  int w[3] = {p[0], p[1], p[2]};
  auto [x0, x1, x2] = w;
  auto &[r0, r1, r2] = w;
  r0 = 5; x1 = 6; r2 += x2;
  o[6] = x0 + x1 * 10 + w[0] * 100 + w[2] * 1000;
  Pair pairs[3] = {{1, 2.5f}, {n, 3.5f}, {p[0], 4.5f}};
  s = 0;
  for (auto [a1, b1] : pairs) s += a1 * (int)b1;
  for (auto &[a1, b1] : pairs) { a1 += 1; b1 *= 2; }
  for (const auto &[a1, b1] : pairs) s += a1 * (int)b1 * 100;
  o[7] = s;
  const auto &[c0, c1] = pairs[1];
  o[8] = c0 + (int)c1;
  Rgb pixel = {200, (unsigned char)p[0], 7};
  auto [r, gg, b] = pixel;
  r += 100;
  o[9] = r + gg * 1000 + b;
  if (auto [q, h] = make(n); q > 3) o[10] = q + (int)h; else o[10] = 0;
  auto &&[t0, t1] = make(7);
  t0++;
  o[11] = t0 * 10 + (int)t1;
  if (threadIdx.x == 0) { int i = 0; for (auto &t : tile) t = table[i++ & 3] + i; }
  __syncthreads();
  s = 0;
#pragma unroll
  for (auto t : tile) s = s * 2 + t;
  o[12] = s;
  for (auto &t : table) s += t;
  o[13] = s;
  auto total = [=, &pairs]() { int z = first; for (auto &q : pairs) z += q.first; return z + x0; };
  o[14] = total();
  int acc = 0;
  for (int i = 0, stop = 2; auto y : v) { acc += y * i++; if (i > stop) break; }
  o[15] = acc;
}
