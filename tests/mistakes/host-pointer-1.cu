// --arch tu102 --block 32 --args i64:140722908717072,out:f32*32:zero
__global__ void scale(const float *in, float *out)
{
    out[threadIdx.x] = 2.0f * in[threadIdx.x]; // mistake
}
