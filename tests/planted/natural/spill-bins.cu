// Each thread counts digits in an array of its own.
__global__ void digits(const unsigned int *in, unsigned int *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
#ifdef FIXED
    __shared__ unsigned int bins[16][64];
    #define BIN(d) bins[d][threadIdx.x]
#else
    unsigned int own[16];
    #define BIN(d) own[d] // PLANTED
#endif
    for (int d = 0; d < 16; d++)
        BIN(d) = 0; // PLANTED
    for (int k = 0; k < 32; k++) {
        unsigned int v = in[k * 1024 + i];
        BIN(v & 15)++; // PLANTED
        BIN((v >> 4) & 15)++; // PLANTED
    }
    unsigned int most = 0;
    for (int d = 0; d < 16; d++)
        most = max(most, BIN(d)); // PLANTED
    out[i] = most;
}

int main()
{
    unsigned int *in, *out;
    cudaMalloc(&in, 32 * 1024 * sizeof(unsigned int));
    cudaMalloc(&out, 1024 * sizeof(unsigned int));
    cudaMemset(in, 0x5a, 32 * 1024 * sizeof(unsigned int));
    digits<<<16, 64>>>(in, out);
    cudaDeviceSynchronize();
    return 0;
}
