// A block of 544 threads leaves nearly half of the warp slots empty.
__global__ void walk(const float* in, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float v = in[i];
        for (int k = 0; k < 6; k++)
            v += in[(i + 1024 * k + (int)v) & (n - 1)];
        out[i] = v;
    }
}
int main() {
    const int n = 1 << 14;
    float *in, *out;
    cudaMalloc(&in, n * sizeof(float));
    cudaMalloc(&out, n * sizeof(float));
    cudaMemset(in, 0, n * sizeof(float));
#ifdef FIXED
    walk<<<n / 256, 256>>>(in, out, n);
#else
    walk<<<(n + 543) / 544, 544>>>(in, out, n); // PLANTED
#endif
    cudaDeviceSynchronize();
}
