// --arch tu102 --block 32x8 --args in:f32*256:iota,out:f32*256:zero
__global__ void load(const float *in, float *out)
{
    __shared__ float tile[8][8];
    int x = threadIdx.x, y = threadIdx.y;
    tile[x][y] = in[y * 32 + x]; // mistake
    __syncthreads();
    out[y * 32 + x] = tile[x][y];
}
