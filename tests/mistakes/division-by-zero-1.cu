// --arch tu102 --block 32 --args in:i32*32:iota,out:i32*32:zero
__global__ void invert(const int *in, int *out)
{
    int i = threadIdx.x;
    out[i] = 1000 / in[i]; // mistake
}
