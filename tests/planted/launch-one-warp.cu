// add
__global__ void add(const float* in, float* out, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        out[i] = in[i] + 1.0f;
}
int main() {
    const int n = 8192;
    float *in, *out;
    cudaMalloc(&in, n * sizeof(float));
    cudaMalloc(&out, n * sizeof(float));
    cudaMemset(in, 0, n * sizeof(float));
#ifdef FIXED
    add<<<8, 256>>>(in, out, n);
#else
    add<<<1, 32>>>(in, out, n); // PLANTED
#endif
    cudaDeviceSynchronize();
}
