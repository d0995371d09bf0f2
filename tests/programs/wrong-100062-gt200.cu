// grid 1 block 8 n 0 m 0 a 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
// gt200 gf100 gp104 tu102 gh100
// seed 100062, gt200 fmad=false max_registers=16: Wrong { machine: true, reference: true }
struct S0 { int m0; int m1; unsigned char m2; };
__device__ int f2(unsigned *o, int v0) {
  o[0] = 2;
  return 0;
}
__global__ void k(unsigned *o, const int *a, unsigned *g, int n, unsigned m) {
  o += (blockIdx.x * blockDim.x + threadIdx.x) * 16;
  int i0 = (int)threadIdx.x;
  switch (i0) {
  case 3:
    break;
  case 8: {
    int v6 = 0;
  }
  case 0:
    if (f2(o, 0)) {
    }
    ;
  }
}
