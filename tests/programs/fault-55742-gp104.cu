// grid 1 block 8 n 0 m 0 a 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
// gf100 gm204 gp104 tu102 gh100
// seed 55742, gp104 fmad=false max_registers=24: Fault("reference: A return without a call.")
__device__ __noinline__ void f0(unsigned *o, int v0) {
  if (v0) {
    o[0] = 0;
    return;
  }
  if (v0 != 5)
    return;
  int v1 = (v0++) / 774925514ull;
}
__device__ int f1(unsigned *o, int v0) {
  f0(o, 0);
  return 0;
}
__global__ void k(unsigned *o, const int *a, unsigned *g, int n, unsigned m) {
  o += (blockIdx.x * blockDim.x + threadIdx.x) * 16;
  switch ((1 | a[0])) {
  case 1: {
    int v3 = f1(o, 0);
  }
    ;
  }
  int v6 = f1(o, 0);
}
