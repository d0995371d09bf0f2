__global__ void copy(const float4 *in, float4 *out, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        out[i] = in[i];
}

int main()
{
    float4 *in, *out;
    cudaMalloc(&in, 16384 * sizeof(float4));
    cudaMalloc(&out, 16384 * sizeof(float4));
    cudaMemset(in, 0, 16384 * sizeof(float4));
    #ifdef FIXED
    copy<<<16, 128>>>(in, out, 16384);
    #else
    copy<<<2, 128>>>(in, out, 16384); // PLANTED
    #endif
    cudaDeviceSynchronize();
    return 0;
}
