// grid 1 block 8 n 0 m 0 a 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
// gk110 gp104 gv100 tu102 gh100
// seed 200062, gk110 fmad=false max_registers=24: Wrong { machine: true, reference: true }
__global__ void k(unsigned *o, const int *a, unsigned *g, int n, unsigned m) {
  o += (blockIdx.x * blockDim.x + threadIdx.x) * 16;
  switch (0) {
  default:
  case 4:
    if (1) {
      if (0) {
        if (0)
          break;
      }
    }
    else
      break;
    o[0] = 1;
    ;
  }
}
