__global__ void mix(const unsigned int *in, unsigned int *out)
{
    unsigned int i = blockIdx.x * blockDim.x + threadIdx.x, h = in[i];
    for (int k = 0; k < 20; k++) {
        h ^= h << 13;
        h ^= h >> 17;
        h ^= h << 5;
    }
    out[i] = h;
}

int main()
{
    unsigned int *in, *out;
    cudaMalloc(&in, 8192 * sizeof(unsigned int));
    cudaMalloc(&out, 8192 * sizeof(unsigned int));
    cudaMemset(in, 1, 8192 * sizeof(unsigned int));
    #ifdef FIXED
    mix<<<32, 256>>>(in, out);
    #else
    mix<<<512, 16>>>(in, out); // PLANTED
    #endif
    cudaDeviceSynchronize();
    return 0;
}
