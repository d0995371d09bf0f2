// --arch tu102 --block 32 --args out:i32*32:zero
__device__ bool is_odd(int n);
__device__ bool is_even(int n)
{
    return n == 0 ? true : is_odd(n - 1);
}
__device__ bool is_odd(int n)
{
    return n == 0 ? false : !is_even(n - 1); // mistake
}

__global__ void k(int *out)
{
    out[threadIdx.x] = is_even(-2 - (int)threadIdx.x);
}
