// Reads what another warp writes,
// without a barrier in between.
__global__ void mistake_race(
    const int *in, int *out)
{
  __shared__ int s[128];
  int t = threadIdx.x;
  s[t] = in[t];
  out[t] = s[127 - t];
}
