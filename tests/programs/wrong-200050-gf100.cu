// grid 1 block 8 n 0 m 0 a 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
// gf100 gm204 gp104 tu102 gh100
// seed 200050, gf100 fmad=false: Wrong { machine: true, reference: true }
__global__ void k(unsigned *o, const int *a, unsigned *g, int n, unsigned m) {
  o += (blockIdx.x * blockDim.x + threadIdx.x) * 16;
  int i0 = (int)threadIdx.x;
  switch (i0) {
  case 4:
    break;
  default:
  case 3:
    atomicAnd(&g[8 + (0 & 3)], 0);
  case 1:
    ;
  }
}
