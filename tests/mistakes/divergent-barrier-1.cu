// --arch tu102 --block 64 --args in:i32*64:iota,out:i32*64:zero
__global__ void reverse(const int *in, int *out)
{
    __shared__ int tile[64];
    int t = threadIdx.x;
    if (t < 48) {
        tile[t] = in[t];
        __syncthreads(); // mistake
        out[t] = tile[47 - t];
    }
}
