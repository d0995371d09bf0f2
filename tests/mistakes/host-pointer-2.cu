// --arch tu102 --block 32 --args in:f32*32:iota,i64:94285619466240
__global__ void scale(const float *in, float *out)
{
    out[threadIdx.x] = 2.0f * in[threadIdx.x]; // mistake
}
