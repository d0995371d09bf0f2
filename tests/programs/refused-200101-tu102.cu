// grid 1 block 8 n 0 m 0 a 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
// gf100 gm204 gp104 tu102 gh100
// seed 200101, tu102 fmad=false: Refused("The control flow is nested deeper than 16 convergence barriers can follow.")
__device__ void f0(unsigned *o, const int *a, unsigned &v0, unsigned &v1) {
  if (a[0])
    return;
  for (int i2 = 0; i2 < 15; i2++) {
    if (a[0] > i2) {
      o[0] = 0;
      break;
    }
  }
}
__global__ void k(unsigned *o, const int *a, unsigned *g, int n, unsigned m) {
  __shared__ int s0[8];
  o += (blockIdx.x * blockDim.x + threadIdx.x) * 16;
  int i0 = (int)threadIdx.x;
  int v1 = (i0) & 4095;
  int v3 = i0;
  int v4 = 0;
  if (v1) {
    if (v3)
      f0(o, a, o[0], o[0]);
  }
  s0[threadIdx.x] = 0;
  __syncthreads();
  v4 = s0[(unsigned)0 % 8u];
  __syncthreads();
}
