// A polynomial of degree 512 in one chain.
__global__ void horner(const float *in, float *out, float c)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = in[i];
#ifdef FIXED
    float x4 = x * x * x * x, p = c, q = c, r = c, s = c;
    #pragma unroll 32
    for (int k = 0; k < 256; k++) {
        p = fmaf(p, x4, c);
        q = fmaf(q, x4, c);
        r = fmaf(r, x4, c);
        s = fmaf(s, x4, c);
    }
    out[i] = p + x * (q + x * (r + x * s));
#else
    float p = c;
    #pragma unroll 128
    for (int k = 0; k < 1024; k++)
        p = fmaf(p, x, c); // PLANTED
    out[i] = p;
#endif
}

int main()
{
    float *in, *out;
    cudaMalloc(&in, 128 * sizeof(float));
    cudaMalloc(&out, 128 * sizeof(float));
    cudaMemset(in, 0x3f, 128 * sizeof(float));
    horner<<<1, 128>>>(in, out, 0.5f);
    cudaDeviceSynchronize();
    return 0;
}
