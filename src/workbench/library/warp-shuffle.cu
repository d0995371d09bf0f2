// A warp adds up 32 numbers by
// shuffles without a mask: they reach
// only the lanes that are active.
__global__ void warp_shuffle(
    const int *in, int *out)
{
  int t = threadIdx.x;
  int v = in[blockIdx.x * 32 + t];
  v += __shfl_down(v, 16);
  v += __shfl_down(v, 8);
  v += __shfl_down(v, 4);
  v += __shfl_down(v, 2);
  v += __shfl_down(v, 1);
  if (t == 0)
    out[blockIdx.x] = v;
}
