// The bounds leave too few registers.
#ifdef FIXED
__global__ void __launch_bounds__(128)
#else
__global__ void __launch_bounds__(128, 16) // PLANTED
#endif
many(const float* in, float* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float acc[40];
#pragma unroll
    for (int k = 0; k < 40; k++)
        acc[k] = k;
    for (int r = 0; r < 12; r++) {
        float v = in[r * 2048 + i];
#pragma unroll
        for (int k = 0; k < 40; k++)
            acc[k] = acc[k] * v + k;
    }
    float sum = 0;
#pragma unroll
    for (int k = 0; k < 40; k++)
        sum += acc[k];
    out[i] = sum;
}
int main() {
    float *in, *out;
    cudaMalloc(&in, 2048 * 64 * sizeof(float));
    cudaMalloc(&out, 2048 * sizeof(float));
    cudaMemset(in, 0, 2048 * 64 * sizeof(float));
    many<<<2048 / 128, 128>>>(in, out);
    cudaDeviceSynchronize();
}
