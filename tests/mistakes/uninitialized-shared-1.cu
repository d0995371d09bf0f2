// --arch tu102 --block 64 --args in:i32*64:iota:mod8,inout:i32*8:zero
__global__ void histogram(const int *in, int *bins)
{
    __shared__ int counts[8];
    int t = threadIdx.x;
    atomicAdd(&counts[in[t]], 1); // mistake
    __syncthreads();
    if (t < 8)
        atomicAdd(&bins[t], counts[t]);
}
