// Counts how often each key occurs, with a loop over the grid.
__global__ void histogram(const int *keys, unsigned int *counts, int n)
{
  int stride = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)
    atomicAdd(&counts[keys[i]], 1u);
}
