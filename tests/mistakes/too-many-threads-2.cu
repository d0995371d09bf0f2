// --arch tu102 --block 64x64 --args out:f32*4096:zero
__global__ void fill(float *image) // mistake
{
    int x = threadIdx.x, y = threadIdx.y;
    image[y * blockDim.x + x] = 1.0f;
}
