// A warp adds up 32 numbers by
// shuffles whose mask is the lanes
// active at this moment, not all 32.
__global__ void warp_shuffle_active(
    const int *in, int *out)
{
  int t = threadIdx.x;
  int v = in[blockIdx.x * 32 + t];
  v += __shfl_down_sync(
      __activemask(), v, 16);
  v += __shfl_down_sync(
      __activemask(), v, 8);
  v += __shfl_down_sync(
      __activemask(), v, 4);
  v += __shfl_down_sync(
      __activemask(), v, 2);
  v += __shfl_down_sync(
      __activemask(), v, 1);
  if (t == 0)
    out[blockIdx.x] = v;
}
