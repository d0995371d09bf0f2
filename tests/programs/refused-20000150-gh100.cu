// grid 1 block 8 n 0 m 0 a 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
// gt200 gf100 gp104 tu102 gh100
// seed 20000150, gh100 fmad=false max_registers=24: Refused("`k`: the kernel cannot be compiled with 22 registers per thread")
__device__ int f1(unsigned m, int v0) {
  if ((v0++) && (++v0))
    return v0;
  return ((m & 3) == 0) & 1;
}
__device__ int f2(unsigned *o, const int *a, unsigned m, int v0, short v1) {
  for (int i2 = 0 + (int)(((unsigned)(a[0])) % 3u), i2n = 0 + (int)(((unsigned)(a[0])) / 2u % 2u), i2s = 1; i2 < i2n; i2 += i2s) {
    v0 = (i2 ? (i2 != 0) : (((int)threadIdx.x) * (v1--))) & 4095;
  }
  v1 = f1(m, v1);
  o[0] ^= (v0 + a[(int)blockIdx.x]);
  return !v1;
}
__device__ int f3(unsigned *o, const int *a, unsigned m, int v0) {
  o[((int)threadIdx.x) & 15] = f2(o, a, m, a[0], 0);
  return v0 | 1;
}
__global__ void k(unsigned *o, const int *a, unsigned *g, int n, unsigned m) {
  __shared__ int s1[8];
  o += (blockIdx.x * blockDim.x + threadIdx.x) * 16;
  int v0 = 0;
  int v2 = 0;
  unsigned short v3 = 0;
  for (int i4 = 0; i4 < 1; i4++) {
    v0 = (f3(o, a, m, 0 - a[0])) & 4095;
    o[i4 & 15] = f2(o, a, m, 0, v3);
    s1[threadIdx.x] = (a[((int)threadIdx.x) & 63] % (-8ll)) ^ (a[0] % ((((int)threadIdx.x & 31) & 15) + 1));
    if (v0) {
      if ((((int)blockIdx.x) < f2(o, a, m, a[0], n)) && (--v2)) {
      }
    }
    else
      v2 = (f2(o, a, m, 0, v2)) & 4095;
    __syncthreads();
    v3 = s1[(unsigned)(a[i4 & 63] - 1) % 8u];
    __syncthreads();
  }
}
