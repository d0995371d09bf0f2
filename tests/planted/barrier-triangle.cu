// Later warps have more rounds.
__global__ void triangle(const float* in, float* out, int rounds) {
    int warp = threadIdx.x / 32;
    float a = in[threadIdx.x], b = a + 1, c = a + 2, d = a + 3;
    for (int r = 0; r < 8; r++) {
#ifdef FIXED
        int n = rounds * 5 / 8;
#else
        int n = rounds / 4 * (warp + 1); // PLANTED
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
    triangle<<<1, 128>>>(in, out, 192);
    cudaDeviceSynchronize();
}
