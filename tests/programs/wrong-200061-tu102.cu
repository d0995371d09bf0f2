// grid 1 block 8 n 0 m 0 a 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
// gt200 gf100 gp104 tu102 gh100
// seed 200061, tu102 fmad=false max_registers=16: Wrong { machine: true, reference: true }
__device__ void f0(unsigned *o, int v0) {
  if (0)
    return;
  else if (0) {
    if (0)
      return;
  }
  o[0] = 1;
}
__device__ int f1(unsigned *o, int v0, int &v1) {
  f0(o, 0);
  return 0;
}
__global__ void k(unsigned *o, const int *a, unsigned *g, int n, unsigned m) {
  o += (blockIdx.x * blockDim.x + threadIdx.x) * 16;
  int v0 = 0;
  if (f1(o, 0, v0)) {
  }
}
