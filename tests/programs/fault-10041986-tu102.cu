// grid 1 block 8 n 0 m 0 a 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
// gf100 gm204 gp104 tu102 gh100
// seed 10041986, tu102 fmad=false max_registers=24: Fault("OutOfBounds")
__device__ signed char f0(unsigned *o, const int *a, int d, int v0) {
  if (d <= 0) return 0;
  for (long long i1 = 0 + (long long)(((unsigned)(a[0])) % 3u), i1n = 0 + (long long)(((unsigned)(a[0])) / 2u % 2u), i1s = 1; i1 < i1n; i1 += i1s) {
    o[0] = a[v0 & 63];
    int v2[4] = {(int)(a[((int)threadIdx.x) & 63]), 2, 3, 4};
    v2[i1 & 3] = 0;
  }
  int v3 = f0(o, a, d - 1, 0);
  return 0;
}
__global__ void k(unsigned *o, const int *a, unsigned *g, int n, unsigned m) {
  o += (blockIdx.x * blockDim.x + threadIdx.x) * 16;
  int v2 = f0(o, a, 3, 0);
}
