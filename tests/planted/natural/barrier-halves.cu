// Half of the block computes while the other half waits.
__global__ void halves(const float *in, float *out)
{
    float a = in[threadIdx.x], b = a * 2, c = a * 3, d = a * 4;
    for (int r = 0; r < 12; r++) {
#ifdef FIXED
        int n = 32;
#else
        int n = (threadIdx.x / 64 + r) % 2 ? 64 : 0; // PLANTED
#endif
        #pragma unroll 4
        for (int k = 0; k < n; k++) { // PLANTED
            a = a * 1.1f + 0.1f; // PLANTED
            b = b * 1.2f + 0.1f; // PLANTED
            c = c * 1.3f + 0.1f; // PLANTED
            d = d * 1.4f + 0.1f; // PLANTED
        }
        __syncthreads(); // PLANTED
    }
    out[threadIdx.x] = a + b + c + d;
}

int main()
{
    float *in, *out;
    cudaMalloc(&in, 128 * sizeof(float));
    cudaMalloc(&out, 128 * sizeof(float));
    cudaMemset(in, 0x3f, 128 * sizeof(float));
    halves<<<1, 128>>>(in, out);
    cudaDeviceSynchronize();
    return 0;
}
