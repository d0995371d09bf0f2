// --arch tu102 --grid 2 --block 64 --args in:i32*100:iota,out:i32*100:zero,i32:100
__global__ void shift(const int *in, int *out, int n)
{
    __shared__ int tile[64];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    tile[threadIdx.x] = in[i];
    __syncthreads(); // mistake
    out[i] = tile[threadIdx.x ^ 1];
}
