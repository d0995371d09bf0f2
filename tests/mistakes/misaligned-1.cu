// --arch tu102 --block 8 --args in:f32*64:iota,out:f32*8:zero
__global__ void sums(const float *in, float *out)
{
    const float4 *vectors = (const float4 *)(in + 1);
    float4 v = vectors[threadIdx.x]; // mistake
    out[threadIdx.x] = v.x + v.y + v.z + v.w;
}
