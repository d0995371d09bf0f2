// The red channel of an image with four floats a pixel.
__global__ void red(const float *image, float *out, int pixels)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < pixels; i += blockDim.x * gridDim.x)
#ifdef FIXED
        out[i] = image[i] > 0.5f ? 1.0f : 0.0f;
#else
        out[i] = image[4 * i] > 0.5f ? 1.0f : 0.0f; // PLANTED
#endif
}

int main()
{
    float *in, *out;
    cudaMalloc(&in, 4 * 65536 * sizeof(float));
    cudaMalloc(&out, 65536 * sizeof(float));
    cudaMemset(in, 0x3f, 4 * 65536 * sizeof(float));
    red<<<32, 256>>>(in, out, 65536);
    cudaDeviceSynchronize();
    return 0;
}
