// Each count is an atomic in L2.
// Lanes that count the same value
// serialize.
__global__ void histogram_global(
    const unsigned char *data,
    unsigned *bins, int n)
{
  int i = blockIdx.x * blockDim.x
        + threadIdx.x;
  int step = gridDim.x * blockDim.x;
  for (; i < n; i += step)
    atomicAdd(&bins[data[i] & 63], 1);
}
