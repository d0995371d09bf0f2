// --arch tu102 --block 32 --args in:i32*32:iota,out:i32*32:zero
__global__ void classify(const int *in, int *out)
{
    int v = in[threadIdx.x], kind;
    if (v > 20)
        kind = 2;
    else if (v > 10)
        kind = 1;
    out[threadIdx.x] = kind; // mistake
}
