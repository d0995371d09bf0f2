// Each thread reads eight places of its row: neighboring lanes are a row apart.
__global__ void sums(const float* a, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < 8; k++)
#ifdef FIXED
        sum += a[k * n + i];
#else
        sum += a[i * 64 + k * 8]; // PLANTED
#endif
    out[i] = sum;
}
int main() {
    const int n = 4096;
    float *a, *out;
    cudaMalloc(&a, n * 64 * sizeof(float));
    cudaMalloc(&out, n * sizeof(float));
    cudaMemset(a, 0, n * 64 * sizeof(float));
    sums<<<n / 256, 256>>>(a, out, n);
    cudaDeviceSynchronize();
}
