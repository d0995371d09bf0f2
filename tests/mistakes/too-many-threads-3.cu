// --arch tu102 --block 512 --args in:f32*512:iota,out:f32*512:zero
__global__ void __launch_bounds__(256) scale(const float *in, float *out) // mistake
{
    out[threadIdx.x] = 2.0f * in[threadIdx.x];
}
