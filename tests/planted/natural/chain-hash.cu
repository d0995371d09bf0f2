// A hash over the words of one message.
__global__ void hash(const unsigned int *words, unsigned int *out)
{
    unsigned int w = words[threadIdx.x];
#ifdef FIXED
    unsigned int h0 = 1, h1 = 2, h2 = 3, h3 = 4;
    #pragma unroll 16
    for (int k = 0; k < 128; k++) {
        h0 = (h0 ^ (w + k)) * 16777619u;
        h1 = (h1 ^ (w + k)) * 16777619u;
        h2 = (h2 ^ (w + k)) * 16777619u;
        h3 = (h3 ^ (w + k)) * 16777619u;
    }
    out[threadIdx.x] = h0 ^ h1 ^ h2 ^ h3;
#else
    unsigned int h = 2166136261u;
    #pragma unroll 64
    for (int k = 0; k < 512; k++)
        h = (h ^ (w + k)) * 16777619u; // PLANTED
    out[threadIdx.x] = h;
#endif
}

int main()
{
    unsigned int *words, *out;
    cudaMalloc(&words, 128 * sizeof(unsigned int));
    cudaMalloc(&out, 128 * sizeof(unsigned int));
    cudaMemset(words, 0, 128 * sizeof(unsigned int));
    hash<<<1, 128>>>(words, out);
    cudaDeviceSynchronize();
    return 0;
}
