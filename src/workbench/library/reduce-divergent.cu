// A branch by lane: each step leaves
// half of the active lanes idle, but
// no warp finishes earlier.
__global__ void reduce_divergent(
    const int *in, int *out)
{
  __shared__ int s[256];
  int t = threadIdx.x;
  s[t] = in[blockIdx.x * 256 + t];
  __syncthreads();
  for (int d = 1; d < 256; d *= 2) {
    if (t % (2 * d) == 0)
      s[t] += s[t + d];
    __syncthreads();
  }
  if (t == 0)
    out[blockIdx.x] = s[0];
}
