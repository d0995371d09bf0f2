// One block of four warps fits; arithmetic waits for itself.
#ifdef FIXED
#define WORDS 128
#else
#define WORDS 10000
#endif
__global__ void chain(const float* in, float* out) {
    __shared__ float cache[WORDS]; // PLANTED
    int i = blockIdx.x * 128 + threadIdx.x;
    cache[threadIdx.x] = in[i];
    __syncthreads();
    float v = cache[threadIdx.x ^ 33];
    for (int k = 0; k < 200; k++)
        v = v * 1.5f + 0.25f;
    out[i] = v;
}
int main() {
    float *in, *out;
    cudaMalloc(&in, 64 * 128 * sizeof(float));
    cudaMalloc(&out, 64 * 128 * sizeof(float));
    cudaMemset(in, 0, 64 * 128 * sizeof(float));
    chain<<<64, 128>>>(in, out);
    cudaDeviceSynchronize();
}
