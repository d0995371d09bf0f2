// --arch tu102 --block 32 --args in:f32*1024:iota,out:f32*32:zero,i32:70000
__global__ void column(const float *in, float *out, int width)
{
    int row = threadIdx.x + 40000;
    out[threadIdx.x] = in[row * width]; // mistake
}
