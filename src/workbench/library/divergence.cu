// Lanes of a warp take four paths in
// turn. With i / 32 % 4 in line 11
// all lanes of a warp take one path.
__global__ void divergence(
    const int *in, int *out,
    int rounds)
{
  int i = blockIdx.x * blockDim.x
        + threadIdx.x;
  int v = in[i];
  int way = i % 4;
  for (int r = 0; r < rounds; ++r) {
    if (way == 0) {
      for (int k = 0; k < r + 4; ++k)
        v = v * 3 + k;
    } else if (way == 1) {
      for (int k = 0; k < r + 8; ++k)
        v = (v ^ r) + k;
    } else if (way == 2) {
      for (int k = 0; k < r + 12; ++k)
        v += v >> 3;
    } else {
      v -= r;
    }
  }
  out[i] = v;
}
