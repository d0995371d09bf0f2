// A warp adds up 32 numbers by
// shuffles that wait for the lanes
// that their mask names.
__global__ void warp_shuffle_sync(
    const int *in, int *out)
{
  int t = threadIdx.x;
  int v = in[blockIdx.x * 32 + t];
  v += __shfl_down_sync(~0u, v, 16);
  v += __shfl_down_sync(~0u, v, 8);
  v += __shfl_down_sync(~0u, v, 4);
  v += __shfl_down_sync(~0u, v, 2);
  v += __shfl_down_sync(~0u, v, 1);
  if (t == 0)
    out[blockIdx.x] = v;
}
