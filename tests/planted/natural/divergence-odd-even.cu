// Odd elements and even elements have other formulas, of the same length.
__global__ void formulas(const float *in, float *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = in[i];
#ifdef FIXED
    bool odd = (i / 32) & 1;
#else
    bool odd = i & 1;
#endif
    if (odd) { // PLANTED
        for (int k = 0; k < 100; k++)
            x = x * 1.01f + 0.3f; // PLANTED
    } else {
        for (int k = 0; k < 100; k++)
            x = x * 0.99f - 0.2f; // PLANTED
    }
    out[i] = x;
}

int main()
{
    float *in, *out;
    cudaMalloc(&in, 8192 * sizeof(float));
    cudaMalloc(&out, 8192 * sizeof(float));
    cudaMemset(in, 0x3f, 8192 * sizeof(float));
    formulas<<<32, 256>>>(in, out);
    cudaDeviceSynchronize();
    return 0;
}
