// iterate
__global__ void iterate(const float* in, float* out, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    {
        float v = in[i];
        for (int k = 0; k < 16; k++)
            v = v * 0.5f + 1.0f;
        out[i] = v;
    }
}
int main() {
    const int n = 8192;
    float *in, *out;
    cudaMalloc(&in, n * sizeof(float));
    cudaMalloc(&out, n * sizeof(float));
    cudaMemset(in, 0, n * sizeof(float));
#ifdef FIXED
    iterate<<<8, 256>>>(in, out, n);
#else
    iterate<<<512, 16>>>(in, out, n); // PLANTED
#endif
    cudaDeviceSynchronize();
}
