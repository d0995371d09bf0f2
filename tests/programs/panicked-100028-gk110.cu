// grid 1 block 8 n 0 m 0 a 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
// gk110 gp104 gv100 tu102 gh100
// seed 100028, gk110 fmad=false max_registers=32: Panicked("src/cuda/../cuda/opt/prune.rs:160: index out of bounds: the len is  but the index is ")
__global__ void k(unsigned *o, const int *a, unsigned *g, int n, unsigned m) {
  o += (blockIdx.x * blockDim.x + threadIdx.x) * 16;
  int v0 = (int)threadIdx.x;
  int v2 = 0;
  if ((v2 = 1)) {
    switch (v0) {
    case 8:
      break;
    case 3: default:
      v2 = 0;
    case 2:
      ;
    }
    int i4 = 1;
    while (i4-- > 0 && (v2)) {
    }
  }
}
