// Forty running sums, and registers for fewer.
#ifndef FIXED
__launch_bounds__(256, 8) // PLANTED
#endif
__global__ void sums(const float *in, float *out, int rounds)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float s[48];
    #pragma unroll
    for (int k = 0; k < 48; k++)
        s[k] = in[(i + k) & 4095];
    #pragma unroll 1
    for (int r = 0; r < rounds; r++) {
        #pragma unroll
        for (int k = 0; k < 48; k++)
            s[k] = s[k] * 1.1f + s[(k + 1) % 48];
    }
    float total = 0;
    #pragma unroll
    for (int k = 0; k < 48; k++)
        total += s[k];
    out[i] = total;
}

int main()
{
    float *in, *out;
    cudaMalloc(&in, 4096 * sizeof(float));
    cudaMalloc(&out, 4096 * sizeof(float));
    cudaMemset(in, 0x3f, 4096 * sizeof(float));
    sums<<<16, 256>>>(in, out, 12);
    cudaDeviceSynchronize();
    return 0;
}
