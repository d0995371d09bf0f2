// --arch tu102 --block 32 --args in:f32*32:iota,out:f32*32:zero
__global__ void pairs(const float *in, float *out)
{
    __shared__ float tile[33];
    int t = threadIdx.x;
    tile[t] = in[t];
    tile[32] = 0.0f;
    __syncthreads();
    float2 pair = *reinterpret_cast<float2 *>(&tile[t]); // mistake
    out[t] = pair.x + pair.y;
}
