// One block per group of rows.
__global__ void rows(const float *in, float *out, int numRows)
{
    for (int r = blockIdx.x; r < numRows; r += gridDim.x) {
        float s = in[r * 128 + threadIdx.x];
        out[r * 128 + threadIdx.x] = s * s + 1.0f;
    }
}

int main()
{
    float *in, *out;
    cudaMalloc(&in, 256 * 128 * sizeof(float));
    cudaMalloc(&out, 256 * 128 * sizeof(float));
    cudaMemset(in, 0x3f, 256 * 128 * sizeof(float));
    #ifdef FIXED
    rows<<<32, 128>>>(in, out, 256);
    #else
    rows<<<4, 128>>>(in, out, 256); // PLANTED
    #endif
    cudaDeviceSynchronize();
    return 0;
}
