// grid 1 block 48 n 0 m 0 a 7 4 1 7 0 6 4 6 7 5 2 7 2 33 0 7 -86 6 70 1 7 95 68 0 4 7 2 -96 55 30 2 -81 -72 5 2 72 19 23 7 7 0 -53 -53 7 0 -15 0 5 4 6 4 -87 2 5 -95 1 -98 3 6 5 0 -44 -11 2
// gt200 gf100 gp104 tu102 gh100
// seed 2722, tu102 fmad=false max_registers=20 pointers_32_bit: Fault("1 warps wait at a barrier of their block that the other threads never reach.")
struct S0 { int m0; unsigned char m1; long long m2; };
struct S1 { int m0; short m1; };
__device__ S0 f2(int v0, int v1, unsigned &v2) {
  S0 v3 = {1, 2, 3};
  return v3;
}
__device__ int f3(unsigned *o, const int *a, int v0) {
  int i1 = 4;
  if (a[0]) goto L0;
  while (i1-- > 0 && ((int)threadIdx.x)) {
     {
      S0 v2 = f2(0, 0, o[1]);
    }
    L0: ;
     {
    }
  }
  return 0;
}
__global__ void k(unsigned *o, const int *a, unsigned *g, int n, unsigned m) {
  __shared__ unsigned s1[48];
  o += (blockIdx.x * blockDim.x + threadIdx.x) * 16;
  int v0 = 0;
  int v1 = 0;
  v1 = f3(o, a, 0);
  s1[threadIdx.x] = 0;
  __syncthreads();
  v0 = (s1[(unsigned)0 % 48u]) & 4095;
  __syncthreads();
}
