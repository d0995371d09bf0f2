// Lists of unequal length, one per thread.
__global__ void lists(const float *values, float *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
#ifdef FIXED
    int length = (i / 32 % 32) * 8;
#else
    int length = (i % 32) * 8;
#endif
    float acc = values[i];
    for (int k = 0; k < length; k++) // PLANTED
        acc = sqrtf(acc * acc + 1.0f); // PLANTED
    out[i] = acc;
}

int main()
{
    float *in, *out;
    cudaMalloc(&in, 8192 * sizeof(float));
    cudaMalloc(&out, 8192 * sizeof(float));
    cudaMemset(in, 0x3f, 8192 * sizeof(float));
    lists<<<32, 256>>>(in, out);
    cudaDeviceSynchronize();
    return 0;
}
