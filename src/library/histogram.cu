// Counters in shared memory, one addition a value by atomics: lanes
// with equal values wait for each other. The counts of all blocks are
// added up in global memory.
__global__ void histogram(const unsigned char *data, unsigned int *bins,
                          int n)
{
    __shared__ unsigned int local[64];
    if (threadIdx.x < 64)
        local[threadIdx.x] = 0;
    __syncthreads();

    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
         i += gridDim.x * blockDim.x)
        atomicAdd(&local[data[i] & 63], 1u);
    __syncthreads();

    if (threadIdx.x < 64)
        atomicAdd(&bins[threadIdx.x], local[threadIdx.x]);
}
