// Counters in shared memory: lanes that
// count the same value wait for each
// other.
__global__ void histogram(
    const unsigned char *data,
    unsigned *bins, int n)
{
  __shared__ unsigned local[64];
  int t = threadIdx.x;
  if (t < 64)
    local[t] = 0;
  __syncthreads();
  int i = blockIdx.x * blockDim.x + t;
  int step = gridDim.x * blockDim.x;
  for (; i < n; i += step)
    atomicAdd(&local[data[i] & 63], 1u);
  __syncthreads();
  if (t < 64)
    atomicAdd(&bins[t], local[t]);
}
