// One thread per row, which it samples.
__global__ void norms(const float *m, float *out, int rows, int cols)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows)
        return;
    float s = 0;
    for (int c = 0; c < cols; c += 8) {
#ifdef FIXED
        float v = m[c / 8 * rows + row];
#else
        float v = m[row * cols + c]; // PLANTED
#endif
        s += v * v;
    }
    out[row] = s;
}

int main()
{
    float *in, *out;
    cudaMalloc(&in, 2048 * 512 * sizeof(float));
    cudaMalloc(&out, 2048 * sizeof(float));
    cudaMemset(in, 0x3f, 2048 * 512 * sizeof(float));
    norms<<<16, 128>>>(in, out, 2048, 512);
    cudaDeviceSynchronize();
    return 0;
}
