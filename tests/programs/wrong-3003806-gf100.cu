// grid 1 block 8 n 0 m 0 a 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
// gf100 gm204 gp104 tu102 gh100
// seed 3003806, gf100 fmad=false: Wrong { machine: true, reference: true }
__device__ int f0(int v0, int *v1) {
  #pragma unroll 7
  for (int i2 = 0 + (int)(((int)threadIdx.x) % 3u), i2n = 0 + (int)(((int)threadIdx.x) / 2u % 2u), i2s = 1 + (int)(((int)threadIdx.x) / 3u % 4u); i2 < i2n; i2 += i2s) {
    *v1 = (int)((unsigned)1 + (unsigned)(*v1));
  }
  return 0;
}
__global__ void k(unsigned *o, const int *a, unsigned *g, int n, unsigned m) {
  o += (blockIdx.x * blockDim.x + threadIdx.x) * 16;
  int v3 = 0;
  int v4 = f0(0, &v3);
  o[15] ^= (17u) * 31u + (unsigned)v3;
}
