// grid 1 block 8 n 0 m 0 a 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
// gf100 gm204 gp104 tu102 gh100
// seed 664, gm204 fmad=false: Wrong { machine: true, reference: true }
struct S0 { int m0; unsigned char m1; };
__global__ void k(unsigned *o, const int *a, unsigned *g, int n, unsigned m) {
  o += (blockIdx.x * blockDim.x + threadIdx.x) * 16;
  for (int i3 = 0; i3 < 1; i3++) {
    switch (0) {
    default: {
      int i4 = 1;
      if (--i4 > 0) goto L1;
      L0: ;
      if (--i4 > 0) goto L0;
      L1: ;
      if (--i4 > 0) goto L0;
    }
    case 7:
      atomicMin(&g[20 + (0 & 3)], 0);
      ;
    }
  }
}
