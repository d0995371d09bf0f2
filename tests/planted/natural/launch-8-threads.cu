__global__ void add_one(const int *in, int *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i] + 1;
}

int main()
{
    int *in, *out;
    cudaMalloc(&in, 8192 * sizeof(int));
    cudaMalloc(&out, 8192 * sizeof(int));
    cudaMemset(in, 0, 8192 * sizeof(int));
    #ifdef FIXED
    add_one<<<32, 256>>>(in, out);
    #else
    add_one<<<1024, 8>>>(in, out); // PLANTED
    #endif
    cudaDeviceSynchronize();
    return 0;
}
