// grid 1 block 8 n 0 m 0 a 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
// gf100 gm204 gp104 tu102 gh100
// seed 679, gh100 fmad=false max_registers=16: Fault("Lanes wait at a convergence point for lanes of their warp that never come.")
__global__ void k(unsigned *o, const int *a, unsigned *g, int n, unsigned m) {
  o += (blockIdx.x * blockDim.x + threadIdx.x) * 16;
  int v0 = 0;
  int i4 = 3;
  if (v0) goto L0;
  do {
     {
      v0 = 0;
    }
    L0: ;
     {
    }
  } while (--i4 > 0 && ((int)threadIdx.x));
}
