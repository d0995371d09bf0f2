// grid 1 block 8 n 0 m 0 a 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
// gf100 gm204 gp104 tu102 gh100
// seed 357, gf100 fmad=false: Fault("reference: Threads of block 0 wait for each other.")
__device__ __noinline__ void f0(int n, int v0) {
  if ((int)threadIdx.x) {
    if (n) {
    }
    else
      return;
  }
  #pragma unroll 1
  for (int i2 = 0; i2 < 1; i2++) {
  }
}
__global__ void k(unsigned *o, const int *a, unsigned *g, int n, unsigned m) {
  __shared__ unsigned s1[8];
  o += (blockIdx.x * blockDim.x + threadIdx.x) * 16;
  int v1 = 0;
  f0(n, 0);
  s1[threadIdx.x] = 0;
  __syncthreads();
  v1 = s1[(unsigned)0 % 8u];
  __syncthreads();
}
