// The bounds leave too few registers.
#ifdef FIXED
__global__ void __launch_bounds__(128)
#else
__global__ void __launch_bounds__(128, 8) // PLANTED
#endif
window_sum(const float* in, float* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float w[64];
    for (int k = 0; k < 64; k++)
        w[k] = in[k * 2048 + i];
    float sum = 0;
    for (int r = 0; r < 4; r++)
        for (int k = 0; k < 64; k++) {
            w[k] = w[k] * 1.5f + w[(k + 7) % 64];
            sum += w[k];
        }
    out[i] = sum;
}
int main() {
    float *in, *out;
    cudaMalloc(&in, 2048 * 64 * sizeof(float));
    cudaMalloc(&out, 2048 * sizeof(float));
    cudaMemset(in, 0, 2048 * 64 * sizeof(float));
    window_sum<<<2048 / 128, 128>>>(in, out);
    cudaDeviceSynchronize();
}
