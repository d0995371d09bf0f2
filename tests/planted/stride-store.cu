// The store is scattered; the load is not.
__global__ void spread(const float* in, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float value = in[i] * 2.0f;
#ifdef FIXED
    out[i] = value;
#else
    out[i * 16] = value; // PLANTED
#endif
}
int main() {
    const int n = 16384;
    float *in, *out;
    cudaMalloc(&in, n * sizeof(float));
    cudaMalloc(&out, n * 16 * sizeof(float));
    cudaMemset(in, 0, n * sizeof(float));
    spread<<<n / 256, 256>>>(in, out, n);
    cudaDeviceSynchronize();
}
