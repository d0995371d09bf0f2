// A generator with one state.
__global__ void generate(unsigned int *out)
{
#ifdef FIXED
    unsigned int a = threadIdx.x + 1, b = a + 1, c = a + 2, d = a + 3;
    #pragma unroll 8
    for (int k = 0; k < 128; k++) {
        a ^= a << 13; b ^= b << 13; c ^= c << 13; d ^= d << 13;
        a ^= a >> 17; b ^= b >> 17; c ^= c >> 17; d ^= d >> 17;
        a ^= a << 5; b ^= b << 5; c ^= c << 5; d ^= d << 5;
    }
    out[threadIdx.x] = a ^ b ^ c ^ d;
#else
    unsigned int a = threadIdx.x + 1;
    #pragma unroll 8
    for (int k = 0; k < 512; k++) {
        a ^= a << 13; // PLANTED
        a ^= a >> 17; // PLANTED
        a ^= a << 5; // PLANTED
    }
    out[threadIdx.x] = a;
#endif
}

int main()
{
    unsigned int *out;
    cudaMalloc(&out, 128 * sizeof(unsigned int));
    generate<<<1, 128>>>(out);
    cudaDeviceSynchronize();
    return 0;
}
