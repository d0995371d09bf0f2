// Blocks of one warp: the block slots allow half of the warps.
__global__ void copy(const float* in, float* out, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        out[i] = in[i] * 2.0f;
}
int main() {
    const int n = 1 << 15;
    float *in, *out;
    cudaMalloc(&in, n * sizeof(float));
    cudaMalloc(&out, n * sizeof(float));
    cudaMemset(in, 0, n * sizeof(float));
#ifdef FIXED
    copy<<<128, 256>>>(in, out, n);
#else
    copy<<<1024, 32>>>(in, out, n); // PLANTED
#endif
    cudaDeviceSynchronize();
}
