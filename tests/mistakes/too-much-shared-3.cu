// --arch tu102 --block 32 --shared 100000 --args in:f32*32:iota,out:f32*32:zero
__global__ void load(const float *in, float *out) // mistake
{
    extern __shared__ float tile[];
    tile[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = tile[31 - threadIdx.x];
}
