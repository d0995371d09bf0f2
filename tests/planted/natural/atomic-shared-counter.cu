// A counter of the block in shared memory.
__global__ void tickets(const int *in, int *out)
{
    __shared__ int next[256];
    next[threadIdx.x] = 0;
    __syncthreads();
    int got = 0;
    for (int k = 0; k < 16; k++)
#ifdef FIXED
        got += atomicAdd(&next[threadIdx.x], in[threadIdx.x] + 1);
#else
        got += atomicAdd(&next[0], in[threadIdx.x] + 1); // PLANTED
#endif
    out[blockIdx.x * 256 + threadIdx.x] = got;
}

int main()
{
    int *in, *out;
    cudaMalloc(&in, 256 * sizeof(int));
    cudaMalloc(&out, 1024 * sizeof(int));
    cudaMemset(in, 0, 256 * sizeof(int));
    tickets<<<4, 256>>>(in, out);
    cudaDeviceSynchronize();
    return 0;
}
