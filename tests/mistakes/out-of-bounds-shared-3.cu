// --arch tu102 --block 64 --args in:i32*64:iota,inout:i32*32:zero
__global__ void histogram(const int *in, int *bins)
{
    __shared__ int counts[32];
    int t = threadIdx.x;
    if (t < 32)
        counts[t] = 0;
    __syncthreads();
    atomicAdd(&counts[in[t]], 1); // mistake
    __syncthreads();
    if (t < 32)
        atomicAdd(&bins[t], counts[t]);
}
