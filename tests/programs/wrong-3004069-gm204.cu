// grid 1 block 8 n 0 m 0 a 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
// gf100 gm204 gp104 tu102 gh100
// seed 3004069, gm204 fmad=false: Wrong { machine: true, reference: true }
__device__ int f0(int v0, int &v1) {
  #pragma unroll 3
  for (int i2 = 0 + (int)((v0) % 3u), i2n = 0 + (int)((v0) / 2u % 2u), i2s = 1 + (int)((v0) / 3u % 4u); i2 < i2n; i2 += i2s) {
    v1 = i2;
  }
  return 0;
}
__global__ void k(unsigned *o, const int *a, unsigned *g, int n, unsigned m) {
  o += (blockIdx.x * blockDim.x + threadIdx.x) * 16;
  int v0 = 0;
  int v1 = (v0 = (int)threadIdx.x);
  int v10 = 0;
  int v11 = f0((v0) & 4095, v10);
  o[15] ^= (17u) * 31u + (unsigned)v10;
}
