// grid 1 block 32 n 0 m 0 a 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
// gk110 gp104 gv100 tu102 gh100
// seed 10078964, gk110 fmad=false max_registers=32: Wrong { machine: false, reference: true }
__device__ __noinline__ void f0(int v0) {
  if ((int)threadIdx.x)
    return;
  for (int i1 = 0; i1 < 1; i1++) {
    v0 = (i1 / 3081ull) & 4095;
  }
}
__global__ void k(unsigned *o, const int *a, unsigned *g, int n, unsigned m) {
  o += (blockIdx.x * blockDim.x + threadIdx.x) * 16;
  int v2 = 0;
  f0(0);
  v2 = __shfl_xor_sync(0xffffffffu, (int)(0), 2 & 31);
  o[v2 & 15] = 9;
}
