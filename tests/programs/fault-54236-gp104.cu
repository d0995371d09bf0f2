// grid 1 block 8 n 0 m 0 a 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
// gf100 gm204 gp104 tu102 gh100
// seed 54236, gp104 fmad=false max_registers=16: Fault("reference: A return without a call.")
__device__ __noinline__ void f0(unsigned *o, int v0, unsigned *v1, int v2) {
  if (v2) {
    if (v2 != 0)
      return;
  }
  o[0] = 0;
}
__global__ void k(unsigned *o, const int *a, unsigned *g, int n, unsigned m) {
  o += (blockIdx.x * blockDim.x + threadIdx.x) * 16;
  int v0 = (int)threadIdx.x;
  unsigned v1 = 0;
  if (v0)
    f0(o, 0, &v1, 1);
  f0(o, 0, &v1, 0);
}
