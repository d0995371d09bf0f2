__global__ void bits(const unsigned int *in, unsigned int *out, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        unsigned int v = in[i];
        v = (v >> 3) * 2654435761u ^ __popc(v);
        out[i] = __brev(v);
    }
}

int main()
{
    unsigned int *in, *out;
    cudaMalloc(&in, 32768 * sizeof(unsigned int));
    cudaMalloc(&out, 32768 * sizeof(unsigned int));
    cudaMemset(in, 7, 32768 * sizeof(unsigned int));
    #ifdef FIXED
    bits<<<24, 256>>>(in, out, 32768);
    #else
    bits<<<3, 256>>>(in, out, 32768); // PLANTED
    #endif
    cudaDeviceSynchronize();
    return 0;
}
