// --arch tu102 --block 16x8 --args in:f32*128:iota,out:f32*128:zero,i32:16,i32:8
__global__ void transpose(const float *in, float *out, int width, int height)
{
    int x = threadIdx.x, y = threadIdx.y;
    out[x * width + y] = in[y * width + x]; // mistake
}
