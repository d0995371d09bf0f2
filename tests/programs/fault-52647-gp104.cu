// grid 1 block 8 n 0 m 0 a 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
// gf100 gm204 gp104 tu102 gh100
// seed 52647, gp104 fmad=false: Fault("reference: Threads of block 0 wait for each other.")
struct S0 { int m0; unsigned short m1; int m2; };
struct S1 { int m0; int m1; int m2; };
__device__ __noinline__ void f0(int v0, int &v1) {
  if (v0) {
    if (v0 != 0)
      return;
  }
  int v2 = (v1 = (int)((unsigned)v1 + 1u));
}
__global__ void k(unsigned *o, const int *a, unsigned *g, int n, unsigned m) {
  __shared__ unsigned c[8];
  o += (blockIdx.x * blockDim.x + threadIdx.x) * 16;
  int v1 = 0;
  S1 v2 = {1, 2, 3};
  if (threadIdx.x < 8) c[threadIdx.x] = 0;
  __syncthreads();
  f0(((int)threadIdx.x & 31), v1);
  __syncthreads();
  v2.m2 = c[0 & 7];
  __syncthreads();
}
