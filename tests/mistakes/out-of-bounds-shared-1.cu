// --arch tu102 --block 64 --args in:i32*64:iota,out:i32*64:zero
__global__ void differences(const int *in, int *out)
{
    __shared__ int tile[64];
    int t = threadIdx.x;
    tile[t] = in[t];
    __syncthreads();
    out[t] = tile[t + 1] - tile[t]; // mistake
}
