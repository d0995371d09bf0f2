// grid 1 block 8 n 0 m 0 a 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
// gf100 gm204 gp104 tu102 gh100
// seed 100159, gf100 fmad=false pointers_32_bit: Wrong { machine: true, reference: true }
__global__ void k(unsigned *o, const int *a, unsigned *g, int n, unsigned m) {
  o += (blockIdx.x * blockDim.x + threadIdx.x) * 16;
  int v0 = 0;
  switch (((v0++) >> (((int)threadIdx.x) & 31))) {
  case 1:
    v0 = 0;
    break;
  case 7:
    atomicOr(&g[4 + (0 & 3)], 0);
  case 8:
    ;
  }
  o[15] ^= (17u) * 31u + (unsigned)v0;
}
