// Each thread has a chunk of consecutive elements.
__global__ void scale(const float *in, float *out, int n, float f)
{
    int threads = gridDim.x * blockDim.x;
    int id = blockIdx.x * blockDim.x + threadIdx.x;
#ifdef FIXED
    for (int i = id; i < n; i += threads)
        out[i] = f * in[i];
#else
    int chunk = n / threads;
    for (int i = id * chunk; i < (id + 1) * chunk; i++)
        out[i] = f * in[i]; // PLANTED
#endif
}

int main()
{
    float *in, *out;
    cudaMalloc(&in, 131072 * sizeof(float));
    cudaMalloc(&out, 131072 * sizeof(float));
    cudaMemset(in, 0x3f, 131072 * sizeof(float));
    scale<<<16, 256>>>(in, out, 131072, 3.0f);
    cudaDeviceSynchronize();
    return 0;
}
