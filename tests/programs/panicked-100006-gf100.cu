// grid 1 block 8 n 0 m 0 a 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
// gf100 gm204 gp104 tu102 gh100
// seed 100006, gf100 fmad=false: Panicked("src/cuda/../cuda/opt/prune.rs:160: index out of bounds: the len is  but the index is ")
struct S0 { int m0; int m1; };
struct S1 { unsigned m0; long long m1; };
__device__ int f2i(float x) { return x > -30000 && x < 30000 ? (int)x : 77; }
__device__ float f0(int v0, int v1) {
  if (0)
    return 0;
  else if (1) {
    if ((int)threadIdx.x) {
    }
    else
      return (int)threadIdx.x;
  }
  return 0;
}
__global__ void k(unsigned *o, const int *a, unsigned *g, int n, unsigned m) {
  o += (blockIdx.x * blockDim.x + threadIdx.x) * 16;
  int v1 = 0;
  switch (0) {
  default:
    v1 = f2i(f0(0, 0));
  case 6:
    atomicAnd(&g[8 + (v1 & 3)], 0);
    ;
  }
}
