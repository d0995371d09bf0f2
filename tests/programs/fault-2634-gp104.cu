// grid 1 block 8 n 0 m 0 a 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
// gf100 gm204 gp104 tu102 gh100
// seed 2634, gp104 fmad=false: Fault("reference: A return without a call.")
__device__ __noinline__ void f1(int v0, int v1, int v2) {
  if (v0) {
  }
  else if (v0 < 7)
    return;
  if (v0 != 0)
    return;
}
__global__ void k(unsigned *o, const int *a, unsigned *g, int n, unsigned m) {
  __shared__ unsigned c[8];
  o += (blockIdx.x * blockDim.x + threadIdx.x) * 16;
  int v2 = 0;
  int v3 = ((int)threadIdx.x & 31) ? 0 : (v2++);
  if (v2)
    f1(0, 0, 0);
  if (threadIdx.x < 8) c[threadIdx.x] = 0;
  __syncthreads();
  __syncthreads();
  v2 = (c[0 & 7]) & 4095;
  __syncthreads();
}
