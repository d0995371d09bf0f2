// grid 1 block 8 n 0 m 0 a 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
// gt200 gf100 gp104 tu102 gh100
// seed 301332, gh100 fmad=false max_registers=24: Wrong { machine: true, reference: true }
struct S0 { int m0; int m1; int m2; };
struct S1 { unsigned m0; unsigned char m1; };
__device__ int f3(int v0, int v1) {
  int i2 = 1;
  if (--i2 > 0) goto L1;
  L0: ;
  if (--i2 > 0) goto L0;
  L1: ;
  if (--i2 > 0) goto L0;
  return 0;
}
__global__ void k(unsigned *o, const int *a, unsigned *g, int n, unsigned m) {
  o += (blockIdx.x * blockDim.x + threadIdx.x) * 16;
  int v7 = 0;
  for (int i8 = 0; i8 < 1; i8++) {
    v7 = f3(0, 0);
    o[0] = 1;
  }
}
