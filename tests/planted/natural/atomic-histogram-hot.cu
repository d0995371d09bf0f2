// A histogram whose data has one value.
__global__ void count(const unsigned char *data, unsigned int *bins)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int k = 0; k < 4; k++) {
        unsigned int v = data[i + k * 4096];
#ifdef FIXED
        v = (v + i + k * 4096) & 16383;
#endif
        atomicAdd(&bins[v], 1u); // PLANTED
    }
}

int main()
{
    unsigned char *data;
    unsigned int *bins;
    cudaMalloc(&data, 16384);
    cudaMalloc(&bins, 16384 * sizeof(unsigned int));
    cudaMemset(data, 9, 16384);
    cudaMemset(bins, 0, 16384 * sizeof(unsigned int));
    count<<<16, 256>>>(data, bins);
    cudaDeviceSynchronize();
    return 0;
}
