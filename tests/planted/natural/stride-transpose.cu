__global__ void transpose(const float *in, float *out, int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
#ifdef FIXED
    out[y * width + x] = in[y * width + x];
#else
    out[x * height + y] = in[y * width + x]; // PLANTED
#endif
}

int main()
{
    float *in, *out;
    cudaMalloc(&in, 256 * 256 * sizeof(float));
    cudaMalloc(&out, 256 * 256 * sizeof(float));
    cudaMemset(in, 0x3f, 256 * 256 * sizeof(float));
    dim3 block(32, 8), grid(256 / 32, 256 / 8);
    transpose<<<grid, block>>>(in, out, 256, 256);
    cudaDeviceSynchronize();
    return 0;
}
