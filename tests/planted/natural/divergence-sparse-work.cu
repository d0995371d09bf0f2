// One element in eight needs the long computation.
__global__ void refine(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
#ifdef FIXED
    if (i < n / 8) {
#else
    if (i % 8 == 0) { // PLANTED
#endif
        float x = in[i];
        for (int k = 0; k < 64; k++)
            x = 0.5f * (x + 2.0f / x); // PLANTED
        out[i] = x;
    }
}

int main()
{
    float *in, *out;
    cudaMalloc(&in, 16384 * sizeof(float));
    cudaMalloc(&out, 16384 * sizeof(float));
    cudaMemset(in, 0x3f, 16384 * sizeof(float));
    refine<<<64, 256>>>(in, out, 16384);
    cudaDeviceSynchronize();
    return 0;
}
