// grid 1 block 64 n 3 m 9 a -20 -13 -6 1 8 15 22 29 36 43 50 57 64 71 78 -18 -11 -4 3 10 17 24 31 38 45 52 59 66 73 80 -16 -9 -2 5 12 19 26 33 40 47 54 61 68 75 82 -14 -7 0 7 14 21 28 35 42 49 56 63 70 77 -19 -12 -5 2 9
// g80 gt200 gf100 gk110 gp104 tu102 gh100
// by hand: structs that hold arrays as values: made, copied, passed, returned, captured
struct V { int v[4]; __device__ int sum() const { int s = 0; for (int i = 0; i < 4; i++) s += v[i]; return s; } };
struct M { V rows[2]; float w; char name[5]; };
struct D { int items[8] = {}; int top = 3; };
struct E { int items[3] = {1, 2}; int top{4}; __device__ E &add(int k) { items[k % 3] += k; return *this; } };
__device__ V make(int a, int b) { return V{{a, b, a + b}}; }
__device__ V make2(int a) { return {a, 1, 2, 3}; }
__device__ V twice(V x) { for (int i = 0; i < 4; i++) x.v[i] *= 2; return x; }
__device__ M both(const V &a, V b) { return M{{a, b}, 2.5f, "abc"}; }
__device__ V pick(bool c, V a, V b) { return c ? a : b; }
__device__ __noinline__ V called(V a, int k) { a.v[k & 3] += k; return a; }
__global__ void k(unsigned *o, const int *a, unsigned *g, int n, unsigned m) {
  o += (blockIdx.x * blockDim.x + threadIdx.x) * 16;
  int t = threadIdx.x;
  V x = make(a[t & 63], n), y = make2(t);
  o[0] = x.sum(); o[1] = twice(y).sum(); o[2] = make(1, 2).v[t & 3];
  M mm = both(x, y);
  o[3] = mm.rows[t & 1].v[(t + 1) & 3]; o[4] = (unsigned)(mm.w * 2); o[5] = mm.name[t % 5];
  x = pick(t & 1, y, twice(x)); o[6] = x.sum() + x.v[n & 3];
  o[7] = D().items[t & 7] + D{}.top + E().add(t).items[t % 3] + E{}.top + E{{7, t}}.items[1] + E{{}, 9}.top;
  int list[3] = {t, n, 9};
  auto f = [=](int i) { return list[i] + x.v[i & 3]; };
  list[0] = 100;
  o[8] = f(t % 3) + f(2);
  y = called(y, t); o[9] = y.sum(); o[10] = called(V{1, 2, 3, 4}, t + 1).v[t & 3];
  V z[3] = {x, make(2, 3), V{}}; o[11] = z[t % 3].sum();
  y = x = z[1]; o[12] = (y = twice(x)).v[t & 3];
  __shared__ V sh[64]; sh[t] = make(t, 2); __syncthreads(); V w = sh[(t + 7) & 63]; o[13] = w.sum();
  const M c = {{{{1, 2}}, {{t}}}, 1.5f, {'x', 'y'}}; M d(c); o[14] = d.rows[1].v[0] + d.name[1] + d.rows[t & 1].v[1];
  const auto &r = c; auto &q = r; o[15] = q.rows[0].v[1] + V{x}.sum() + V(x).v[1] + (V{y}.v[0]);
}
