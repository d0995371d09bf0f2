// square
__global__ void square(const float* in, float* out, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        out[i] = in[i] * in[i];
}
int main() {
    const int n = 8192;
    float *in, *out;
    cudaMalloc(&in, n * sizeof(float));
    cudaMalloc(&out, n * sizeof(float));
    cudaMemset(in, 0, n * sizeof(float));
#ifdef FIXED
    square<<<8, 256>>>(in, out, n);
#else
    square<<<1024, 8>>>(in, out, n); // PLANTED
#endif
    cudaDeviceSynchronize();
}
