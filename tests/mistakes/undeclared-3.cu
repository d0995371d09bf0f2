// --arch tu102 --block 64 --args in:f32*64:iota,out:f32*64:zero
__global__ void copy(const float *in, float *out)
{
    int i = blockldx.x * blockDim.x + threadIdx.x; // mistake
    out[i] = in[i];
}
