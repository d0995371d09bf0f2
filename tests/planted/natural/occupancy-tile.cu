// The tile is far larger than the block.
#ifdef FIXED
const int EXTRA = 0;
#else
const int EXTRA = 60;
#endif
__global__ void smooth(const float *in, float *out)
{
    __shared__ float tile[128 * (1 + EXTRA)]; // PLANTED
    int base = blockIdx.x * 1024;
    for (int k = 0; k < 8; k++) {
        tile[threadIdx.x] = in[base + k * 128 + threadIdx.x];
        __syncthreads();
        float left = tile[(threadIdx.x + 127) & 127];
        out[base + k * 128 + threadIdx.x] = 0.5f * (left + tile[threadIdx.x]);
        __syncthreads();
    }
}

int main()
{
    float *in, *out;
    cudaMalloc(&in, 65536 * sizeof(float));
    cudaMalloc(&out, 65536 * sizeof(float));
    cudaMemset(in, 0x3f, 65536 * sizeof(float));
    smooth<<<64, 128>>>(in, out);
    cudaDeviceSynchronize();
    return 0;
}
