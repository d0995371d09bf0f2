// grid 1 block 8 n 0 m 0 a 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
// gt200 gf100 gp104 tu102 gh100
// seed 100089, gt200 fmad=false max_registers=32: Wrong { machine: true, reference: true }
__device__ int f0(int v0) {
  if (1) {
    if (0) {
      if (0)
        return 0;
    }
  }
  else
    return 0;
  return 1;
}
__global__ void k(unsigned *o, const int *a, unsigned *g, int n, unsigned m) {
  o += (blockIdx.x * blockDim.x + threadIdx.x) * 16;
  int v5 = f0(0);
  o[15] ^= (17u) * 31u + (unsigned)v5;
}
