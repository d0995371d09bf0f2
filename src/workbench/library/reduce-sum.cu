// A sum in shared memory, halved at
// each step. In the last steps one
// warp works, the others stall.
__global__ void reduce_sum(
    const int *in, int *out)
{
  __shared__ int s[256];
  int t = threadIdx.x;
  s[t] = in[blockIdx.x * 256 + t];
  __syncthreads();
  for (int h = 128; h > 0; h /= 2) {
    if (t < h)
      s[t] += s[t + h];
    __syncthreads();
  }
  if (t == 0)
    out[blockIdx.x] = s[0];
}
