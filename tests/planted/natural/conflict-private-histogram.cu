// Every thread has bins of its own in shared memory.
__global__ void histogram(const unsigned char *data, unsigned int *counts, int perThread)
{
    __shared__ unsigned int bins[32 * 128];
    for (int i = threadIdx.x; i < 32 * 128; i += blockDim.x)
        bins[i] = 0;
    __syncthreads();
    int first = blockIdx.x * blockDim.x * perThread + threadIdx.x;
    for (int k = 0; k < perThread; k++) {
        int bin = data[first + k * blockDim.x] & 31;
#ifdef FIXED
        bins[bin * 128 + threadIdx.x]++;
#else
        bins[threadIdx.x * 32 + bin]++; // PLANTED
#endif
    }
    __syncthreads();
    if (threadIdx.x < 32)
        atomicAdd(&counts[threadIdx.x], bins[threadIdx.x]);
}

int main()
{
    unsigned char *data;
    unsigned int *counts;
    cudaMalloc(&data, 8 * 128 * 64);
    cudaMalloc(&counts, 32 * sizeof(unsigned int));
    cudaMemset(data, 3, 8 * 128 * 64);
    cudaMemset(counts, 0, 32 * sizeof(unsigned int));
    histogram<<<8, 128>>>(data, counts, 64);
    cudaDeviceSynchronize();
    return 0;
}
