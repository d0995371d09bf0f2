// Blocks of 33 threads: the second warp has one.
__global__ void poly(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float x = in[i], y = 0;
    #pragma unroll
    for (int k = 0; k < 48; k++)
        y = y * x + k;
    out[i] = y;
}

int main()
{
    float *in, *out;
    cudaMalloc(&in, 33 * 512 * sizeof(float));
    cudaMalloc(&out, 33 * 512 * sizeof(float));
    cudaMemset(in, 0x3f, 33 * 512 * sizeof(float));
    #ifdef FIXED
    poly<<<66, 256>>>(in, out, 33 * 512);
    #else
    poly<<<512, 33>>>(in, out, 33 * 512); // PLANTED
    #endif
    cudaDeviceSynchronize();
    return 0;
}
