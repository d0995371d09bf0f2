// grid 1 block 8 n 0 m 0 a 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
// gf100 gm204 gp104 tu102 gh100
// seed 1808, gf100 fmad=false: Fault("reference: Threads of block 0 wait for each other.")
__device__ __noinline__ void f0(unsigned *o, int v0) {
  if (v0) {
  }
  else {
    o[0] = 0;
    return;
  }
  if ((int)threadIdx.x)
    return;
  o[v0 & 15] = ~v0;
}
__global__ void k(unsigned *o, const int *a, unsigned *g, int n, unsigned m) {
  __shared__ int s0[8];
  o += (blockIdx.x * blockDim.x + threadIdx.x) * 16;
  int v0 = 0;
  s0[threadIdx.x] = 0;
  __syncthreads();
  v0 = (s0[(unsigned)0 % 8u]) & 4095;
  f0(o, 1);
  __syncthreads();
}
