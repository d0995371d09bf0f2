// The bounds leave too few registers.
#ifdef FIXED
__global__ void __launch_bounds__(128)
#else
__global__ void __launch_bounds__(128, 8) // PLANTED
#endif
outer(const float* in, float* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float a[8], b[8], c[64];
#pragma unroll
    for (int k = 0; k < 64; k++)
        c[k] = 0;
    for (int r = 0; r < 6; r++) {
#pragma unroll
        for (int k = 0; k < 8; k++) {
            a[k] = in[(r + k) * 2048 + i];
            b[k] = a[k] * 0.5f + k;
        }
#pragma unroll
        for (int k = 0; k < 64; k++)
            c[k] += a[k / 8] * b[k % 8];
    }
    float sum = 0;
#pragma unroll
    for (int k = 0; k < 64; k++)
        sum += c[k] * k;
    out[i] = sum;
}
int main() {
    float *in, *out;
    cudaMalloc(&in, 2048 * 64 * sizeof(float));
    cudaMalloc(&out, 2048 * sizeof(float));
    cudaMemset(in, 0, 2048 * 64 * sizeof(float));
    outer<<<2048 / 128, 128>>>(in, out);
    cudaDeviceSynchronize();
}
