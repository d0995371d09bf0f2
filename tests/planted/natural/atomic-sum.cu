// All threads add to one sum.
__global__ void total(const float *in, float *sum)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
#ifdef FIXED
    atomicAdd(&sum[i], in[i]);
#else
    atomicAdd(sum, in[i]); // PLANTED
#endif
}

int main()
{
    float *in, *sum;
    cudaMalloc(&in, 8192 * sizeof(float));
    cudaMalloc(&sum, 8192 * sizeof(float));
    cudaMemset(in, 0x3f, 8192 * sizeof(float));
    cudaMemset(sum, 0, 8192 * sizeof(float));
    total<<<32, 256>>>(in, sum);
    cudaDeviceSynchronize();
    return 0;
}
