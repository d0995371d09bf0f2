// An update by compare and swap of one word.
__global__ void update(unsigned int *words, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
#ifdef FIXED
    unsigned int *p = words + i;
#else
    unsigned int *p = words + (i & 3);
#endif
    for (int k = 0; k < n; k++)
        atomicExch(p, i + k); // PLANTED
}

int main()
{
    unsigned int *words;
    cudaMalloc(&words, 4096 * sizeof(unsigned int));
    cudaMemset(words, 0, 4096 * sizeof(unsigned int));
    update<<<16, 256>>>(words, 4);
    cudaDeviceSynchronize();
    return 0;
}
