// Counters in shared memory: lanes
// that count the same value
// serialize.
__global__ void histogram(
    const unsigned char *data,
    unsigned *bins, int n)
{
  __shared__ unsigned mine[64];
  int t = threadIdx.x;
  if (t < 64)
    mine[t] = 0;
  __syncthreads();
  int i = blockIdx.x * blockDim.x + t;
  int step = gridDim.x * blockDim.x;
  for (; i < n; i += step)
    atomicAdd(&mine[data[i] & 63], 1);
  __syncthreads();
  if (t < 64)
    atomicAdd(&bins[t], mine[t]);
}
