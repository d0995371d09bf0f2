// Newton steps until the budget of the element is used up.
__device__ int budget(int i)
{
#ifdef FIXED
    return (i / 32 + i / 256) % 8 == 0 ? 160 : 20;
#else
    return i % 8 == 0 ? 160 : 20;
#endif
}
__global__ void solve(const int *seeds, int *out)
{
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    int left = budget(i), x = seeds[i];
    while (left > 0) { // PLANTED
        x = x * 1664525 + 1013904223; // PLANTED
        x ^= x >> 7; // PLANTED
        left--; // PLANTED
    }
    out[i] = x;
}

int main()
{
    int *seeds, *out;
    cudaMalloc(&seeds, 8192 * sizeof(int));
    cudaMalloc(&out, 8192 * sizeof(int));
    cudaMemset(seeds, 1, 8192 * sizeof(int));
    solve<<<32, 256>>>(seeds, out);
    cudaDeviceSynchronize();
    return 0;
}
