// A recurrence of two terms, with two warps per block.
__global__ void fibonacci(const float *in, float *out)
{
    float a = in[threadIdx.x], b = a + 1;
#ifdef FIXED
    float c = a + 2, d = a + 3, e = a + 4, f = a + 5, g = a + 6, h = a + 7;
    #pragma unroll 16
    for (int k = 0; k < 192; k++) {
        float t = a * 0.25f + b; a = b; b = t;
        float u = c * 0.25f + d; c = d; d = u;
        float v = e * 0.25f + f; e = f; f = v;
        float w = g * 0.25f + h; g = h; h = w;
    }
    out[threadIdx.x] = b + d + f + h;
#else
    #pragma unroll 16
    for (int k = 0; k < 768; k++) {
        float t = a * 0.25f + b; // PLANTED
        a = b; // PLANTED
        b = t; // PLANTED
    }
    out[threadIdx.x] = b;
#endif
}

int main()
{
    float *in, *out;
    cudaMalloc(&in, 64 * sizeof(float));
    cudaMalloc(&out, 64 * sizeof(float));
    cudaMemset(in, 0x3f, 64 * sizeof(float));
    fibonacci<<<1, 64>>>(in, out);
    cudaDeviceSynchronize();
    return 0;
}
