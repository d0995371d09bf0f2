// grid 1 block 8 n 0 m 0 a 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
// gf100 gm204 gp104 tu102 gh100
// seed 50559, gp104 fmad=false max_registers=24: Fault("reference: Threads of block 0 wait for each other.")
__device__ __noinline__ void f0(unsigned *o, unsigned m, int v0, signed char &v1) {
  if (m) {
    v1 = 0;
    return;
  }
  if (v0) {
    int i2 = 1;
    while (i2-- > 0 && (((int)blockIdx.x) < 2)) {
      if (i2) {
        v1 = 0;
        return;
      }
      else if (0 == ((int)blockIdx.x)) {
        o[0] = 0;
        return;
      }
    }
  }
}
__global__ void k(unsigned *o, const int *a, unsigned *g, int n, unsigned m) {
  __shared__ unsigned c[8];
  o += (blockIdx.x * blockDim.x + threadIdx.x) * 16;
  int i0 = (int)threadIdx.x;
  int v1 = (i0) & 4095;
  signed char v4 = 0;
  if (threadIdx.x < 8) c[threadIdx.x] = 0;
  __syncthreads();
  f0(o, m, (v1) & 4095, v4);
  __syncthreads();
  v1 = (c[0 & 7]) & 4095;
  __syncthreads();
}
