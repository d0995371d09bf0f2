// --arch tu102 --block 16x16 --args in:f32*512:iota,out:f32*256:zero
__global__ void multiply(const float *a, float *c)
{
    __shared__ float tile[16][16];
    int x = threadIdx.x, y = threadIdx.y;
    float sum = 0.0f;
    for (int step = 0; step < 2; step++) {
        tile[y][x] = a[step * 256 + y * 16 + x]; // mistake
        __syncthreads();
        for (int k = 0; k < 16; k++)
            sum += tile[y][k] * tile[k][x];
    }
    c[y * 16 + x] = sum;
}
