// --arch tu102 --block 32 --args out:i32*32:zero,i32:100000
__device__ int depth(int n, int limit)
{
    if (n == limit)
        return n;
    return 1 + depth(n + 1, limit); // mistake
}

__global__ void k(int *out, int limit)
{
    out[threadIdx.x] = depth(0, limit);
}
