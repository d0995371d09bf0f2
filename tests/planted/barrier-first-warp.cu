// The first warp works while the others wait.
__global__ void lead(const float* in, float* out, int rounds) {
    int warp = threadIdx.x / 32;
    float a = in[threadIdx.x], b = a + 1, c = a + 2, d = a + 3;
    for (int r = 0; r < 8; r++) {
#ifdef FIXED
        int n = rounds / 4;
#else
        int n = warp == 0 ? rounds : 0; // PLANTED
#endif
#pragma unroll 4
        for (int k = 0; k < n; k++) { // PLANTED
            a = a * 1.5f + 0.5f; // PLANTED
            b = b * 1.5f + 0.5f; // PLANTED
            c = c * 1.5f + 0.5f; // PLANTED
            d = d * 1.5f + 0.5f; // PLANTED
        }
        __syncthreads();
    }
    out[threadIdx.x] = a + b + c + d;
}
int main() {
    float *in, *out;
    cudaMalloc(&in, 128 * sizeof(float));
    cudaMalloc(&out, 128 * sizeof(float));
    cudaMemset(in, 0, 128 * sizeof(float));
    lead<<<1, 128>>>(in, out, 192);
    cudaDeviceSynchronize();
}
