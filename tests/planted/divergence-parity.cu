// Odd and even lanes take two long paths.
__global__ void paths(const float* in, float* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float v = in[i];
#ifdef FIXED
    if (threadIdx.x / 32 % 2) {
#else
    if (threadIdx.x % 2) { // PLANTED
#endif
        for (int k = 0; k < 60; k++)
            v = v * 1.5f + 0.25f;
    } else {
        for (int k = 0; k < 60; k++)
            v = (v + 3.0f) * 0.75f;
    }
    out[i] = v;
}
int main() {
    float *in, *out;
    cudaMalloc(&in, 8192 * sizeof(float));
    cudaMalloc(&out, 8192 * sizeof(float));
    cudaMemset(in, 0, 8192 * sizeof(float));
    paths<<<32, 256>>>(in, out);
    cudaDeviceSynchronize();
}
