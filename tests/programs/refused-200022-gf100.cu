// grid 1 block 8 n 0 m 0 a 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
// gf100 gm204 gp104 tu102 gh100
// seed 200022, gf100 fmad=false: Refused("The control flow leaves more nested constructs at once than the reconvergence stack can tell apart.")
struct S0 { int m0; unsigned m1; int m2; };
struct S1 { unsigned char m0; int m1; };
__global__ void k(unsigned *o, const int *a, unsigned *g, int n, unsigned m) {
  o += (blockIdx.x * blockDim.x + threadIdx.x) * 16;
  int v0 = (int)threadIdx.x;
  S1 v1 = {1, 2};
  switch (v0) {
  case 7:
    v1.m1 = 0;
  case -1:
    break;
  case 2:
    break;
  case 3:
    break;
  case 4:
    ;
  }
}
