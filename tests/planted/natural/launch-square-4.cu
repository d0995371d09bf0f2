// Blocks of 4 x 4 threads.
__global__ void image(const float *in, float *out, int width)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    float v = in[y * width + x];
    for (int k = 0; k < 10; k++)
        v = v * v + 0.25f;
    out[y * width + x] = v;
}

int main()
{
    float *in, *out;
    cudaMalloc(&in, 128 * 128 * sizeof(float));
    cudaMalloc(&out, 128 * 128 * sizeof(float));
    cudaMemset(in, 0x3f, 128 * 128 * sizeof(float));
    #ifdef FIXED
    image<<<dim3(4, 16), dim3(32, 8)>>>(in, out, 128);
    #else
    image<<<dim3(32, 32), dim3(4, 4)>>>(in, out, 128); // PLANTED
    #endif
    cudaDeviceSynchronize();
    return 0;
}
