// A buffer that is larger than its use.
#ifdef FIXED
#define WORDS 256
#else
#define WORDS 6144
#endif
__global__ void stage(const float* in, float* out) {
    __shared__ float buffer[WORDS]; // PLANTED
    int i = blockIdx.x * 2048 + threadIdx.x;
    for (int k = 0; k < 8; k++) {
        buffer[threadIdx.x] = in[i + k * 256];
        __syncwarp();
        out[i + k * 256] = buffer[threadIdx.x ^ 1] + 1.0f;
        __syncwarp();
    }
}
int main() {
    float *in, *out;
    cudaMalloc(&in, 32 * 2048 * sizeof(float));
    cudaMalloc(&out, 32 * 2048 * sizeof(float));
    cudaMemset(in, 0, 32 * 2048 * sizeof(float));
    stage<<<32, 256>>>(in, out);
    cudaDeviceSynchronize();
}
