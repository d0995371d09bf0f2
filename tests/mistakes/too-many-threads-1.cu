// --arch tu102 --block 2048 --args out:f32*2048:zero
__global__ void fill(float *out) // mistake
{
    out[threadIdx.x] = 1.0f;
}
