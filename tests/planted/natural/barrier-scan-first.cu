// The first warp combines the results of all warps, with much work, after every step.
__global__ void combine(const float *in, float *out)
{
    __shared__ float part[8];
    float v = in[threadIdx.x];
    for (int step = 0; step < 16; step++) {
        v = v * 0.5f + step;
        if (threadIdx.x % 32 == 0)
            part[threadIdx.x / 32] = v;
        __syncthreads(); // PLANTED
#ifdef FIXED
        int n = 20;
#else
        int n = threadIdx.x < 32 ? 160 : 0; // PLANTED
#endif
        float s = part[threadIdx.x & 7], t = s + 1, u = s + 2, w = s + 3;
        for (int k = 0; k < n; k++) { // PLANTED
            s = s * 0.9f + 0.5f; // PLANTED
            t = t * 0.8f + 0.5f; // PLANTED
            u = u * 0.7f + 0.5f; // PLANTED
            w = w * 0.6f + 0.5f; // PLANTED
        }
        v += s + t + u + w;
        __syncthreads(); // PLANTED
    }
    out[threadIdx.x] = v;
}

int main()
{
    float *in, *out;
    cudaMalloc(&in, 256 * sizeof(float));
    cudaMalloc(&out, 256 * sizeof(float));
    cudaMemset(in, 0x3f, 256 * sizeof(float));
    combine<<<1, 256>>>(in, out);
    cudaDeviceSynchronize();
    return 0;
}
