// Too many blocks are requested per multiprocessor.
#ifdef FIXED
#define BOUNDS __launch_bounds__(128)
#else
#define BOUNDS __launch_bounds__(128, 16) // PLANTED
#endif
__global__ void BOUNDS stencil(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float v[40];
    for (int k = 0; k < 40; k++)
        v[k] = in[k * n + i];
    float best = 0;
    for (int r = 1; r < 6; r++)
        for (int k = 0; k < 40; k++)
            v[k] = fmaf(v[k], 0.5f, v[(k + r) % 40]);
    for (int k = 0; k < 40; k++)
        best = fmaxf(best, v[k]);
    out[i] = best;
}

int main()
{
    float *in, *out;
    cudaMalloc(&in, 40 * 2048 * sizeof(float));
    cudaMalloc(&out, 2048 * sizeof(float));
    cudaMemset(in, 0x3f, 40 * 2048 * sizeof(float));
    stencil<<<16, 128>>>(in, out, 2048);
    cudaDeviceSynchronize();
    return 0;
}
