// A warp adds up 32 numbers in shared
// memory, in five steps. __syncwarp()
// separates reads from writes:
// correct in any lane order.
__global__ void warp_sum_sync(
    const int *in, int *out)
{
  __shared__ int s[48];
  int t = threadIdx.x;
  int v = in[blockIdx.x * 32 + t];
  s[t] = v;
  if (t < 16)
    s[32 + t] = 0;
  __syncwarp();
  for (int d = 16; d > 0; d /= 2) {
    v += s[t + d];
    __syncwarp();
    s[t] = v;
    __syncwarp();
  }
  if (t == 0)
    out[blockIdx.x] = v;
}
