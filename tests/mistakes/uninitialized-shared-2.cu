// --arch tu102 --block 32 --args in:f32*32:iota,out:f32*32:zero
__global__ void smooth(const float *in, float *out)
{
    __shared__ float tile[34];
    int t = threadIdx.x;
    tile[t + 1] = in[t];
    __syncthreads();
    out[t] = (tile[t] + tile[t + 1] + tile[t + 2]) / 3.0f; // mistake
}
