__global__ void saxpy(int n, float a, const float *in, float *out)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
        out[i] = a * in[i] + out[i];
}

int main()
{
    float *in, *out;
    cudaMalloc(&in, 32768 * sizeof(float));
    cudaMalloc(&out, 32768 * sizeof(float));
    cudaMemset(in, 0x3f, 32768 * sizeof(float));
    #ifdef FIXED
    saxpy<<<16, 256>>>(32768, 2.0f, in, out);
    #else
    saxpy<<<2, 256>>>(32768, 2.0f, in, out); // PLANTED
    #endif
    cudaDeviceSynchronize();
    return 0;
}
