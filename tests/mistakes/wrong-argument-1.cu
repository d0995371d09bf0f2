// --arch tu102 --block 64 --args in:f32*64:iota,out:f32*64:zero
__device__ float mix(float a, float b, float t) { return a + (b - a) * t; }

__global__ void blend(const float *in, float *out)
{
    int i = threadIdx.x;
    out[i] = mix(in[i], 0.5f); // mistake
}
