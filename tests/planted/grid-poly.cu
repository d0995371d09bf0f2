// poly
__global__ void poly(const float* in, float* out, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    {
        float v = in[i];
        for (int k = 0; k < 8; k++)
            v = v * v + 0.5f;
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
    poly<<<8, 256>>>(in, out, n);
#else
    poly<<<1, 128>>>(in, out, n); // PLANTED
#endif
    cudaDeviceSynchronize();
}
