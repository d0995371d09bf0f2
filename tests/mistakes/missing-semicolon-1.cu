// --arch tu102 --block 64 --args in:f32*64:iota,out:f32*64:zero
__global__ void scale(const float *in, float *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x // mistake
    out[i] = 2.0f * in[i];
}
