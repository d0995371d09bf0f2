// grid 1 block 8 n 0 m 0 a 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
// gf100 gm204 gp104 tu102 gh100
// seed 126, tu102 fmad=false max_registers=24: Fault("Lanes wait at a convergence point for lanes of their warp that never come.")
__device__ int f0(unsigned *o, int v0, int &v1, int *v2) {
  int i4 = 4;
  if ((int)threadIdx.x) goto L0;
  do {
     {
      o[0] = 0;
    }
    L0: ;
     {
    }
  } while (--i4 > 0 && (1));
  return 0;
}
__global__ void k(unsigned *o, const int *a, unsigned *g, int n, unsigned m) {
  o += (blockIdx.x * blockDim.x + threadIdx.x) * 16;
  int v3 = 0;
  int v7 = f0(o, 0, v3, &v3);
}
