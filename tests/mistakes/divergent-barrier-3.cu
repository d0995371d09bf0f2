// --arch tu102 --block 64 --args in:i32*64:iota,inout:i32*64:zero
__global__ void scan(const int *in, int *out)
{
    __shared__ int tile[64];
    int t = threadIdx.x;
    tile[t] = in[t];
    for (int i = 0; i < t; i++) {
        out[t] += tile[i];
        __syncthreads(); // mistake
    }
}
