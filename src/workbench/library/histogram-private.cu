// Each thread has its own column of
// byte counters: no atomics, but more
// counters to clear and to add up.
__global__ void histogram_private(
    const unsigned char *data,
    unsigned *bins, int n)
{
  __shared__ unsigned char
      own[64][128];
  int t = threadIdx.x;
  for (int b = 0; b < 64; ++b)
    own[b][t] = 0;
  int i = blockIdx.x * blockDim.x + t;
  int step = gridDim.x * blockDim.x;
  for (; i < n; i += step)
    ++own[data[i] & 63][t];
  __syncthreads();
  if (t < 64) {
    unsigned sum = 0;
    // lanes start at other columns
    for (int k = 0; k < 128; ++k)
      sum += own[t][(k + 4*t) & 127];
    bins[blockIdx.x * 64 + t] = sum;
  }
}
