// --arch tu102 --block 32 --args in:f32*1024:iota,out:f32*32:zero
__global__ void hash(const float *in, float *out)
{
    int key = threadIdx.x + 1;
    int slot = key * 1640531527 % 1024; // overflow
    out[threadIdx.x] = in[slot]; // mistake
}
