// --arch tu102 --block 32 --args out:f32*32:zero
float factors[4] = {1.0f, 2.0f, 3.0f, 4.0f};

__global__ void scale(float *out)
{
    out[threadIdx.x] = factors[threadIdx.x & 3]; // mistake
}
