// --arch tu102 --block 64 --args in:i32*64:iota:mod8,inout:i32*8:zero
__global__ void histogram(const int *in, int *bins)
{
    int value = in[threadIdx.x];
    atomicAdd(bins[value], 1); // mistake
}
