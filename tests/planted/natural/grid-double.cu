__global__ void quadratic(const double *in, double *out, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        out[i] = (in[i] + 1.0) * in[i];
}

int main()
{
    double *in, *out;
    cudaMalloc(&in, 16384 * sizeof(double));
    cudaMalloc(&out, 16384 * sizeof(double));
    cudaMemset(in, 0, 16384 * sizeof(double));
    #ifdef FIXED
    quadratic<<<8, 256>>>(in, out, 16384);
    #else
    quadratic<<<1, 256>>>(in, out, 16384); // PLANTED
    #endif
    cudaDeviceSynchronize();
    return 0;
}
