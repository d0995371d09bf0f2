__global__ void waves(const float *in, float *out, int n)
{
    int stride = gridDim.x * blockDim.x;
    for (int i = threadIdx.x + blockIdx.x * blockDim.x; i < n; i += stride) {
        float x = in[i];
        for (int k = 0; k < 12; k++)
            x = __sinf(x) + 0.5f * x;
        out[i] = x;
    }
}

int main()
{
    float *in, *out;
    cudaMalloc(&in, 16384 * sizeof(float));
    cudaMalloc(&out, 16384 * sizeof(float));
    cudaMemset(in, 0x3f, 16384 * sizeof(float));
    #ifdef FIXED
    waves<<<16, 256>>>(in, out, 16384);
    #else
    waves<<<1, 256>>>(in, out, 16384); // PLANTED
    #endif
    cudaDeviceSynchronize();
    return 0;
}
