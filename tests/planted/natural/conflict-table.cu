// A table with one entry per row of 32 words.
__global__ void lookup(const int *keys, const float *table, float *out)
{
#ifdef FIXED
    const int row = 33;
#else
    const int row = 32;
#endif
    __shared__ float t[64 * 33];
    for (int i = threadIdx.x; i < 64; i += blockDim.x)
        t[i * row] = table[i];
    __syncthreads();
    float v = 0;
    int key = keys[threadIdx.x];
    #pragma unroll 4
    for (int k = 0; k < 128; k++)
        v += t[((key + threadIdx.x + k) & 63) * row]; // PLANTED
    out[blockIdx.x * blockDim.x + threadIdx.x] = v;
}

int main()
{
    int *keys;
    float *table, *out;
    cudaMalloc(&keys, 256 * sizeof(int));
    cudaMalloc(&table, 64 * sizeof(float));
    cudaMalloc(&out, 2048 * sizeof(float));
    cudaMemset(keys, 0, 256 * sizeof(int));
    cudaMemset(table, 0, 64 * sizeof(float));
    lookup<<<8, 256>>>(keys, table, out);
    cudaDeviceSynchronize();
    return 0;
}
