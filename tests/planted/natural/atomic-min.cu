// The smallest key, in one word for all.
__global__ void smallest(const int *keys, int *least, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
#ifdef FIXED
        atomicMin(&least[i], keys[i]);
#else
        atomicMin(&least[0], keys[i] + i); // PLANTED
#endif
}

int main()
{
    int *keys, *least;
    cudaMalloc(&keys, 8192 * sizeof(int));
    cudaMalloc(&least, 8192 * sizeof(int));
    cudaMemset(keys, 0, 8192 * sizeof(int));
    cudaMemset(least, 0x7f, 8192 * sizeof(int));
    smallest<<<16, 256>>>(keys, least, 8192);
    cudaDeviceSynchronize();
    return 0;
}
