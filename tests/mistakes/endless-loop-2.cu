// --arch tu102 --block 32 --args in:f32*32:iota,out:f32*32:zero --max-cycles 200000
__global__ void sum(const float *in, float *out)
{
    float total = 0.0f;
    for (int i = 0; i < 32; i += threadIdx.x)
        total += in[i]; // mistake
    out[threadIdx.x] = total;
}
