// --arch tu102 --grid 2 --block 64 --args in:f32*128:iota,out:f32*128:zero
__global__ void add_one(const float *in, float *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) // mistake
        out[i] = in[i] + 1.0f;
}
