// exp of exp of exp.
__global__ void tower(const float *in, float *out)
{
    float x = in[threadIdx.x];
#ifdef FIXED
    float y = x, z = x, w = x;
    #pragma unroll 8
    for (int k = 0; k < 64; k++) {
        x = __expf(-x);
        y = __expf(-y);
        z = __expf(-z);
        w = __expf(-w);
    }
    out[threadIdx.x] = x + y + z + w;
#else
    #pragma unroll 8
    for (int k = 0; k < 256; k++)
        x = __expf(-x); // PLANTED
    out[threadIdx.x] = x;
#endif
}

int main()
{
    float *in, *out;
    cudaMalloc(&in, 128 * sizeof(float));
    cudaMalloc(&out, 128 * sizeof(float));
    cudaMemset(in, 0x3f, 128 * sizeof(float));
    tower<<<1, 128>>>(in, out);
    cudaDeviceSynchronize();
    return 0;
}
