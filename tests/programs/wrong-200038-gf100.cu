// grid 1 block 8 n 0 m 0 a 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
// gf100 gm204 gp104 tu102 gh100
// seed 200038, gf100 fmad=false: Wrong { machine: true, reference: true }
struct S0 { int m0; unsigned m1; int m2; };
struct S1 { int m0; unsigned m1; signed char m2; };
__device__ void f0(unsigned *o, int v0) {
  if (0)
    return;
  else if (0) {
    if (0)
      return;
  }
  o[0] = 3;
}
__global__ void k(unsigned *o, const int *a, unsigned *g, int n, unsigned m) {
  o += (blockIdx.x * blockDim.x + threadIdx.x) * 16;
  f0(o, 0);
}
