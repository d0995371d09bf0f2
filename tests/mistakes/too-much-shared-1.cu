// --arch tu102 --block 32 --args in:f32*32:iota,out:f32*32:zero
__global__ void load(const float *in, float *out)
{
    __shared__ float tile[128][128]; // mistake
    tile[threadIdx.x][0] = in[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = tile[31 - threadIdx.x][0];
}
