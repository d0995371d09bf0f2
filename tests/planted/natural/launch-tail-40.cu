// 40 threads a block: 24 lanes of the second warp are empty.
__global__ void decay(const float *in, float *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float v = in[i];
    for (int k = 0; k < 64; k++)
        v = v * 0.98f + 0.01f;
    out[i] = v;
}

int main()
{
    float *in, *out;
    cudaMalloc(&in, 40 * 384 * sizeof(float));
    cudaMalloc(&out, 40 * 384 * sizeof(float));
    cudaMemset(in, 0x3f, 40 * 384 * sizeof(float));
    #ifdef FIXED
    decay<<<60, 256>>>(in, out);
    #else
    decay<<<384, 40>>>(in, out); // PLANTED
    #endif
    cudaDeviceSynchronize();
    return 0;
}
