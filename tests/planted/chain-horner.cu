// A polynomial by Horner's rule.
__global__ void poly(const float* in, float* out) {
    float x = in[threadIdx.x], y = 1.0f;
#ifdef FIXED
    float y1 = 1.0f, y2 = 1.0f, y3 = 1.0f;
    for (int r = 0; r < 32; r++) {
#pragma unroll
        for (int k = 0; k < 16; k++) {
            y = y * x + 0.5f;
            y1 = y1 * x + 0.25f;
            y2 = y2 * x + 0.125f;
            y3 = y3 * x + 0.0625f;
        }
    }
    out[threadIdx.x] = y + y1 + y2 + y3;
#else
    for (int r = 0; r < 32; r++) {
#pragma unroll
        for (int k = 0; k < 64; k++)
            y = y * x + 0.5f; // PLANTED
    }
    out[threadIdx.x] = y;
#endif
}
int main() {
    float *in, *out;
    cudaMalloc(&in, 128 * sizeof(float));
    cudaMalloc(&out, 128 * sizeof(float));
    cudaMemset(in, 0, 128 * sizeof(float));
    poly<<<1, 128>>>(in, out);
    cudaDeviceSynchronize();
}
