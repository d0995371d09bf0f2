// grid 1 block 8 n 0 m 0 a 5 -7 6 3 2 4 0 2 4 18 2 32 5 7 25 0 1 4 -21 4 0 58 0 4 81 6 1 -48 4 -53 7 -89 -14 75 3 1 88 1 -93 55 1 -100 0 5 7 -14 3 6 -32 -51 47 1 -28 2 5 -32 4 7 4 35 7 4 45 3
// gt200 gf100 gp104 tu102 gh100
// seed 200031, gt200 fmad=false: Wrong { machine: true, reference: true }
__global__ void k(unsigned *o, const int *a, unsigned *g, int n, unsigned m) {
  o += (blockIdx.x * blockDim.x + threadIdx.x) * 16;
  switch (a[0]) {
  case 0:
    break;
  default:
  case 8:
    o[0] = 1;
  case 2:
    ;
  }
}
