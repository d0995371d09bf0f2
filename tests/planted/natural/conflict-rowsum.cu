// Each thread sums one row of a tile in shared memory.
#ifdef FIXED
#define PITCH 65
#else
#define PITCH 64
#endif
__global__ void row_sums(const float *in, float *out)
{
    __shared__ float tile[64 * PITCH];
    const int t = threadIdx.x;
    for (int r = 0; r < 64; ++r)
        tile[r * PITCH + t] = in[r * 64 + t];
    __syncthreads();
    float sum = 0.0f;
    for (int rep = 0; rep < 4; ++rep)
        for (int c = 0; c < 64; ++c)
            sum += tile[t * PITCH + c]; // PLANTED
    out[blockIdx.x * 64 + t] = sum;
}

int main()
{
    float *in, *out;
    cudaMalloc(&in, 4096 * sizeof(float));
    cudaMalloc(&out, 1024 * sizeof(float));
    cudaMemset(in, 0x3f, 4096 * sizeof(float));
    row_sums<<<16, 64>>>(in, out);
    cudaDeviceSynchronize();
    return 0;
}
