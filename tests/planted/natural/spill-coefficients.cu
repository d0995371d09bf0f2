// Coefficients in an array of the thread; the degree is an argument.
#ifdef FIXED
__constant__ float table[8] = {1, 2, 3, 4, 5, 6, 7, 8};
#endif
__global__ void evaluate(const float *in, float *out, int first)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
#ifndef FIXED
    float table[8] = {1, 2, 3, 4, 5, 6, 7, 8}; // PLANTED
#endif
    float x = in[i], y = 0;
    #pragma unroll 1
    for (int k = 0; k < 96; k++)
        y = y * x + table[(first + k) & 7]; // PLANTED
    out[i] = y;
}

int main()
{
    float *in, *out;
    cudaMalloc(&in, 4096 * sizeof(float));
    cudaMalloc(&out, 4096 * sizeof(float));
    cudaMemset(in, 0x3f, 4096 * sizeof(float));
    evaluate<<<16, 256>>>(in, out, 5);
    cudaDeviceSynchronize();
    return 0;
}
