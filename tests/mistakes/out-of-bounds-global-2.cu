// --arch tu102 --block 64 --args in:f32*64:iota,out:f32*64:zero,i32:64
__global__ void smooth(const float *in, float *out, int n)
{
    int i = threadIdx.x;
    if (i < n)
        out[i] = (in[i - 1] + in[i] + in[i + 1]) / 3.0f; // mistake
}
