// The last warp does the work of all, and the others wait for it.
__global__ void fold(const float *in, float *out, int work)
{
    float a = in[threadIdx.x], b = a, c = a, d = a;
    for (int round = 0; round < 10; round++) {
#ifdef FIXED
        int n = work / 8;
#else
        int n = threadIdx.x >= 224 ? work : 0; // PLANTED
#endif
        for (int k = 0; k < n; k++) { // PLANTED
            a = fmaf(a, 0.9f, 0.1f); // PLANTED
            b = fmaf(b, 0.8f, 0.2f); // PLANTED
            c = fmaf(c, 0.7f, 0.3f); // PLANTED
            d = fmaf(d, 0.6f, 0.4f); // PLANTED
        }
        __syncthreads(); // PLANTED
    }
    out[threadIdx.x] = a + b + c + d;
}

int main()
{
    float *in, *out;
    cudaMalloc(&in, 256 * sizeof(float));
    cudaMalloc(&out, 256 * sizeof(float));
    cudaMemset(in, 0x3f, 256 * sizeof(float));
    fold<<<1, 256>>>(in, out, 160);
    cudaDeviceSynchronize();
    return 0;
}
