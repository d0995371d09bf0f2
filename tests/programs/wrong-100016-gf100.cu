// grid 1 block 8 n 0 m 0 a 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
// gf100 gm204 gp104 tu102 gh100
// seed 100016, gf100 fmad=false max_registers=32: Wrong { machine: true, reference: true }
__device__ int f0(unsigned *o, int v0) {
  switch (v0) {
  case 3:
    break;
  case 4: {
    int v1 = 0;
  }
  default:
  case 8:
    break;
  case 6:
    o[0] = 0;
    ;
  }
  return 0;
}
__global__ void k(unsigned *o, const int *a, unsigned *g, int n, unsigned m) {
  o += (blockIdx.x * blockDim.x + threadIdx.x) * 16;
  int v1 = (o[0] = 1);
  f0(o, a[0]);
}
