// grid 1 block 8 n 0 m 0 a 0 6 6 2 2 0 2 17 3 5 5 6 2 7 1 7 2 2 7 3 0 1 4 -76 0 4 7 4 3 2 1 7 0 1 6 4 3 1 6 7 4 5 0 2 7 5 1 3 2 0 6 1 4 0 5 3 4 6 0 1 -76 2 1 6
// gf100 gm204 gp104 tu102 gh100
// seed 1390, gf100 fmad=false max_registers=16: Fault("reference: Lane 5 writes 4 bytes of memory at 0x70000000f, which is not a multiple of 4.")
__device__ int f2i(float x) { return x > -30000 && x < 30000 ? (int)x : 77; }
__device__ __noinline__ void f0(unsigned *o, int v0) {
  if (v0 >= 0) {
    if (v0 <= 0)
      return;
  }
  o[1] = 0;
}
__device__ int f1(unsigned *o, int v0, unsigned *v1) {
  if (((int)threadIdx.x) != 5)
    return 0;
  else if ((int)threadIdx.x)
    *v1 = (int)threadIdx.x;
  *v1 += (unsigned)v0;
  f0(o, 0);
  return *v1;
}
__global__ void k(unsigned *o, const int *a, unsigned *g, int n, unsigned m) {
  o += (blockIdx.x * blockDim.x + threadIdx.x) * 16;
  float v1 = a[0];
  unsigned v2 = a[1];
  int v3 = f1(o, a[2], &v2);
  int v8 = f1(o, 0, &v2);
  o[15] ^= ((17u) * 31u + (unsigned)f2i(v1)) * 31u + (unsigned)v8;
}
