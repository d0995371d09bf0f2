// A continued square root.
__global__ void root(const float *in, float *out)
{
    float x = in[threadIdx.x];
#ifdef FIXED
    float y = x + 1, z = x + 2, w = x + 3;
    for (int k = 0; k < 64; k++) {
        x = __fsqrt_rn(x + 1.0f);
        y = __fsqrt_rn(y + 1.0f);
        z = __fsqrt_rn(z + 1.0f);
        w = __fsqrt_rn(w + 1.0f);
    }
    out[threadIdx.x] = x + y + z + w;
#else
    for (int k = 0; k < 256; k++)
        x = __fsqrt_rn(x + 1.0f); // PLANTED
    out[threadIdx.x] = x;
#endif
}

int main()
{
    float *in, *out;
    cudaMalloc(&in, 128 * sizeof(float));
    cudaMalloc(&out, 128 * sizeof(float));
    cudaMemset(in, 0x3f, 128 * sizeof(float));
    root<<<1, 128>>>(in, out);
    cudaDeviceSynchronize();
    return 0;
}
