// Small blocks with shared memory: the number of blocks limits the warps.
__global__ void chase(const int *next, int *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int p = i & 4095;
    for (int s = 0; s < 32; s++)
        p = next[(p + s * 131 + i) & 4095];
    out[i] = p;
}

int main()
{
    int *next, *out;
    cudaMalloc(&next, 4096 * sizeof(int));
    cudaMalloc(&out, 16384 * sizeof(int));
    cudaMemset(next, 0, 4096 * sizeof(int));
    #ifdef FIXED
    chase<<<128, 128>>>(next, out);
    #else
    chase<<<512, 32>>>(next, out); // PLANTED
    #endif
    cudaDeviceSynchronize();
    return 0;
}
