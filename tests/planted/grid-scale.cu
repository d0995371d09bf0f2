// scale
__global__ void scale(const float* in, float* out, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        out[i] = in[i] * 2.0f;
}
int main() {
    const int n = 16384;
    float *in, *out;
    cudaMalloc(&in, n * sizeof(float));
    cudaMalloc(&out, n * sizeof(float));
    cudaMemset(in, 0, n * sizeof(float));
#ifdef FIXED
    scale<<<8, 256>>>(in, out, n);
#else
    scale<<<1, 256>>>(in, out, n); // PLANTED
#endif
    cudaDeviceSynchronize();
}
