// Four cases within each warp.
__global__ void cases(const float* in, float* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float v = in[i];
#ifdef FIXED
    int which = threadIdx.x / 32 % 4;
#else
    int which = threadIdx.x % 4;
#endif
    switch (which) { // PLANTED
    case 0: for (int k = 0; k < 40; k++) v = v * 1.01f + 1.0f; break;
    case 1: for (int k = 0; k < 40; k++) v = v * 1.02f + 2.0f; break;
    case 2: for (int k = 0; k < 40; k++) v = v * 1.03f + 3.0f; break;
    default: for (int k = 0; k < 40; k++) v = v * 1.04f + 4.0f; break;
    }
    out[i] = v;
}
int main() {
    float *in, *out;
    cudaMalloc(&in, 8192 * sizeof(float));
    cudaMalloc(&out, 8192 * sizeof(float));
    cudaMemset(in, 0, 8192 * sizeof(float));
    cases<<<32, 256>>>(in, out);
    cudaDeviceSynchronize();
}
