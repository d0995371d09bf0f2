// One product chain per thread, with one warp per scheduler.
__global__ void dot(const float* in, float* out) {
    float x = in[threadIdx.x];
#ifdef FIXED
    float a = 0, b = 0, c = 0, d = 0;
#pragma unroll 16
    for (int k = 0; k < 512; k++) {
        a = a * x + 1.0f;
        b = b * x + 1.0f;
        c = c * x + 1.0f;
        d = d * x + 1.0f;
    }
    out[threadIdx.x] = a + b + c + d;
#else
    float a = 0;
#pragma unroll 64
    for (int k = 0; k < 2048; k++)
        a = a * x + 1.0f; // PLANTED
    out[threadIdx.x] = a;
#endif
}
int main() {
    float *in, *out;
    cudaMalloc(&in, 128 * sizeof(float));
    cudaMalloc(&out, 128 * sizeof(float));
    cudaMemset(in, 0, 128 * sizeof(float));
    dot<<<1, 128>>>(in, out);
    cudaDeviceSynchronize();
}
