// Divergent paths execute one after
// the other. With group 1 adjacent
// lanes diverge; with group 32 only
// whole warps differ.
__global__ void ladder(
    const int *in, int *out,
    int ways, int group)
{
  int i = blockIdx.x * blockDim.x
        + threadIdx.x;
  int way = i / group % ways;
  int v = in[i];
  for (int w = 0; w < ways; ++w)
    if (way == w)
      for (int k = 0; k < 8; ++k)
        v = v * 3 + (v >> 5);
  out[i] = v;
}
