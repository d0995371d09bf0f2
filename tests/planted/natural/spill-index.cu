// The window is indexed with a value that is not known to the compiler.
__global__ void window(const float *in, float *out, int shift)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float w[16];
    for (int k = 0; k < 16; k++)
        w[k] = in[k * 4096 + i];
    float s = 0;
    for (int k = 0; k < 64; k++)
#ifdef FIXED
        s = s * 0.5f + w[k & 15];
#else
        s = s * 0.5f + w[(k * shift) & 15]; // PLANTED
#endif
    out[i] = s;
}

int main()
{
    float *in, *out;
    cudaMalloc(&in, 65536 * sizeof(float));
    cudaMalloc(&out, 4096 * sizeof(float));
    cudaMemset(in, 0x3f, 65536 * sizeof(float));
    window<<<16, 256>>>(in, out, 3);
    cudaDeviceSynchronize();
    return 0;
}
