// --arch tu102 --block 32 --args in:i32*32:iota,out:i32*32:zero
__device__ int factorial(int n) // mistake
{
    return n * factorial(n - 1);
}

__global__ void k(const int *in, int *out)
{
    out[threadIdx.x] = factorial(in[threadIdx.x]);
}
