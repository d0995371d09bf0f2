// --arch tu102 --block 64 --args in:i32*64:iota,out:i32*64:zero
__global__ void reverse(const int *in, int *out)
{
    __shared__ int tile[64];
    int t = threadIdx.x;
    tile[t] = in[t];
    out[t] = tile[63 - t]; // mistake
}
