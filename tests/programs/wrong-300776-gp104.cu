// grid 1 block 8 n 0 m 0 a 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
// gf100 gm204 gp104 tu102 gh100
// seed 300776, gp104 fmad=false max_registers=24: Wrong { machine: true, reference: true }
__global__ void k(unsigned *o, const int *a, unsigned *g, int n, unsigned m) {
  o += (blockIdx.x * blockDim.x + threadIdx.x) * 16;
  int v4 = 0;
  for (int i5 = 0; i5 < 1; i5++) {
    if (v4) {
      int i6 = 1;
      if (--i6 > 0) goto L1;
      L0: ;
      if (--i6 > 0) goto L0;
      L1: ;
      if (--i6 > 0) goto L0;
    }
    else
      o[0] = 1;
  }
}
