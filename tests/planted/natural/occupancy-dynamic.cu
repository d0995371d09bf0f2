// More dynamic shared memory is requested than the kernel uses.
__global__ void gather(const int *next, int *out, int steps)
{
    extern __shared__ int seen[];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int p = i;
    for (int s = 0; s < steps; s++) {
        p = next[p];
        seen[threadIdx.x] = p;
    }
    out[i] = seen[threadIdx.x];
}

int main()
{
    int *next, *out;
    cudaMalloc(&next, 65536 * sizeof(int));
    cudaMalloc(&out, 65536 * sizeof(int));
    cudaMemset(next, 0, 65536 * sizeof(int));
    #ifdef FIXED
    gather<<<128, 64, 64 * sizeof(int)>>>(next, out, 24);
    #else
    gather<<<128, 64, 32768>>>(next, out, 24); // PLANTED
    #endif
    cudaDeviceSynchronize();
    return 0;
}
