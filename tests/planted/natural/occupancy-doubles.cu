// A buffer of doubles for a halo that is never as wide.
#ifdef FIXED
#define HALO 1
#else
#define HALO 24
#endif
__global__ void heat(const double *in, double *out, int n)
{
    __shared__ double line[128 * HALO]; // PLANTED
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    line[threadIdx.x] = in[i];
    __syncthreads();
    double a = line[threadIdx.x], b = line[(threadIdx.x + 1) % 128];
    for (int k = 1; k < 6; k++) {
        int j = i + k * 8192;
        if (j < n)
            a = a + b * in[j];
    }
    out[i] = a;
}

int main()
{
    double *in, *out;
    cudaMalloc(&in, 65536 * sizeof(double));
    cudaMalloc(&out, 8192 * sizeof(double));
    cudaMemset(in, 0, 65536 * sizeof(double));
    heat<<<64, 128>>>(in, out, 65536);
    cudaDeviceSynchronize();
    return 0;
}
