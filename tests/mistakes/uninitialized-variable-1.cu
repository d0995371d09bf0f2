// --arch tu102 --block 32 --args in:f32*32:iota,out:f32*32:zero
__global__ void sum(const float *in, float *out)
{
    float total;
    for (int i = 0; i < 32; i++)
        total += in[i]; // mistake
    out[threadIdx.x] = total;
}
