// grid 1 block 8 n 0 m 0 a 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
// gf100 gm204 gp104 tu102 gh100
// seed 200059, gf100 fmad=false max_registers=32: Wrong { machine: true, reference: true }
__device__ int d2i(double x) { return x > -30000 && x < 30000 ? (int)x : 77; }
__device__ int f0(unsigned *o, int d, double v0, int v1, bool v2) {
  if (d <= 0) return 0;
  o[v2] = d2i(v0);
  int v4 = f0(o, d - 1, 0, 0, 0);
  return 0;
}
__global__ void k(unsigned *o, const int *a, unsigned *g, int n, unsigned m) {
  o += (blockIdx.x * blockDim.x + threadIdx.x) * 16;
  int v5 = f0(o, 2, 1, 0, 0);
}
