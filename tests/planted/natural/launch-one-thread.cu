// One thread per block, as in a first program.
__global__ void add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        c[i] = a[i] + b[i];
}

int main()
{
    float *a, *b, *c;
    cudaMalloc(&a, 4096 * sizeof(float));
    cudaMalloc(&b, 4096 * sizeof(float));
    cudaMalloc(&c, 4096 * sizeof(float));
    cudaMemset(a, 0, 4096 * sizeof(float));
    cudaMemset(b, 0, 4096 * sizeof(float));
    #ifdef FIXED
    add<<<16, 256>>>(a, b, c, 4096);
    #else
    add<<<4096, 1>>>(a, b, c, 4096); // PLANTED
    #endif
    cudaDeviceSynchronize();
    return 0;
}
