// grid 1 block 32 n 3 m 9 a -20 -13 -6 1 8 15 22 29 36 43 50 57 64 71 78 -18 -11 -4 3 10 17 24 31 38 45 52 59 66 73 80 -16 -9 -2 5 12 19 26 33 40 47 54 61 68 75 82 -14 -7 0 7 14 21 28 35 42 49 56 63 70 77 -19 -12 -5 2 9
// gf100 gp104 tu102 gh100
// by hand: structs too large for registers: copied, assigned in a chain, passed
struct Large { int v[300]; unsigned w; };
struct Wide { double a[200]; Large inner; unsigned more; };
__device__ int at(Large x, int i) { x.v[i % 300] += 1; return x.v[i % 300] + x.v[(i + 1) % 300]; }
__device__ void fill(Large &x, int by) { for (int i = 0; i < 300; i++) x.v[i] = i * by; x.w = by; }
__global__ void k(unsigned *o, const int *a, unsigned *g, int n, unsigned m) {
  o += (blockIdx.x * blockDim.x + threadIdx.x) * 16;
  int t = threadIdx.x;
  Large x, y, z;
  fill(x, t + 1);
  Large copy = x;
  copy.v[t] = 1000;
  o[0] = x.v[t] + copy.v[t] + copy.v[299];
  z = y = copy;
  y.v[3] = 7;
  o[1] = z.v[3] + y.v[3] + z.w; o[2] = at(x, t) + at(z, t * 9 + n); o[3] = x.v[t];
  __shared__ Large all[4];
  if (t < 4) all[t] = x;
  __syncthreads();
  const Large mine = all[t & 3];
  o[4] = mine.v[t + 7] + mine.w;
  Wide big; big.inner = z; big.more = m; for (int i = 0; i < 200; i++) big.a[i] = i * 0.5;
  Wide second(big);
  o[5] = second.inner.v[t] + second.more + (unsigned)second.a[t * 3];
  Large list[3] = {};
  list[n % 3] = (x.w += 2, x);
  o[6] = list[0].v[5] + list[1].v[5] + list[2].w + list[n % 3].w;
  x = x; o[7] = x.v[11];
}
