// Each thread reads a row of 32 words in shared memory.
#ifdef FIXED
#define PITCH 33
#else
#define PITCH 32
#endif
__global__ void rows(const float* in, float* out) {
    __shared__ float s[64 * PITCH];
    int t = threadIdx.x;
    for (int k = 0; k < 32; k++)
        s[k + PITCH * (t & 63)] = k; // PLANTED
    __syncthreads();
    float sum = in[t];
    for (int r = 0; r < 4; r++)
        for (int k = 0; k < 32; k++)
            sum += s[PITCH * t + ((k + r) & 31)]; // PLANTED
    out[blockIdx.x * 64 + t] = sum;
}
int main() {
    float *in, *out;
    cudaMalloc(&in, 64 * sizeof(float));
    cudaMalloc(&out, 16 * 64 * sizeof(float));
    cudaMemset(in, 0, 64 * sizeof(float));
    rows<<<16, 64>>>(in, out);
    cudaDeviceSynchronize();
}
