// grid 1 block 8 n 0 m 0 a 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
// gf100 gm204 gp104 tu102 gh100
// seed 200093, gf100 fmad=false: Wrong { machine: true, reference: true }
__global__ void k(unsigned *o, const int *a, unsigned *g, int n, unsigned m) {
  o += (blockIdx.x * blockDim.x + threadIdx.x) * 16;
  int i0 = (int)threadIdx.x;
  int v1[4] = {1, 2, 3, 4};
  switch (i0) {
  case -1:
    break;
  case 2: default:
    v1[m & 3] = 0;
  case 3:
    ;
  }
  o[15] ^= ((((17u) * 31u + (unsigned)v1[0]) * 31u + (unsigned)v1[1]) * 31u + (unsigned)v1[2]) * 31u + (unsigned)v1[3];
}
