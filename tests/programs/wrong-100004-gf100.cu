// grid 1 block 8 n 0 m 0 a 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
// gf100 gm204 gp104 tu102 gh100
// seed 100004, gf100 fmad=false: Wrong { machine: true, reference: true }
struct S0 { int m0; int m1; };
__global__ void k(unsigned *o, const int *a, unsigned *g, int n, unsigned m) {
  o += (blockIdx.x * blockDim.x + threadIdx.x) * 16;
  int v0 = 0;
  unsigned char v4 = 0;
  switch (((int)threadIdx.x)) {
  case 7:
    break;
  case 5:
    if (0) {
    }
  case 0:
    break;
  default:
    v0 = v4++;
    ;
  }
  o[15] ^= (17u) * 31u + (unsigned)v4;
}
