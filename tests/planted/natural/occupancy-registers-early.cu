// Values that are loaded long before they are used.
__global__ void keep(const float *in, const int *next, float *out) // PLANTED
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int p = i & 16383;
#ifndef FIXED
    float k[96];
    #pragma unroll
    for (int j = 0; j < 96; j++)
        k[j] = in[j * 256 + threadIdx.x];
#endif
    #pragma unroll 1
    for (int s = 0; s < 80; s++)
        p = next[(p + 4097 * s + i) & 16383];
    float sum = p;
#ifdef FIXED
    for (int j = 0; j < 96; j++)
        sum += in[j * 256 + threadIdx.x];
#else
    #pragma unroll
    for (int j = 0; j < 96; j++)
        sum += k[j];
#endif
    out[i] = sum;
}

int main()
{
    float *in, *out;
    int *next;
    cudaMalloc(&in, 96 * 256 * sizeof(float));
    cudaMalloc(&next, 16384 * sizeof(int));
    cudaMalloc(&out, 8192 * sizeof(float));
    cudaMemset(in, 0, 96 * 256 * sizeof(float));
    cudaMemset(next, 0, 16384 * sizeof(int));
    keep<<<32, 256>>>(in, next, out);
    cudaDeviceSynchronize();
    return 0;
}
