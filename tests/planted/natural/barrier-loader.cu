// One warp loads the tile for the block.
__global__ void serve(const float *in, float *out)
{
    __shared__ float tile[1024];
    float s = 0;
    for (int t = 0; t < 8; t++) {
#ifdef FIXED
        for (int i = threadIdx.x; i < 1024; i += 256)
            tile[i] = in[t * 1024 + i];
#else
        if (threadIdx.x < 32) // PLANTED
            for (int i = threadIdx.x; i < 1024; i += 32) // PLANTED
                tile[i] = in[t * 1024 + i]; // PLANTED
#endif
        __syncthreads(); // PLANTED
        for (int k = 0; k < 4; k++)
            s += tile[(threadIdx.x + k * 256) & 1023];
        __syncthreads(); // PLANTED
    }
    out[blockIdx.x * 256 + threadIdx.x] = s;
}

int main()
{
    float *in, *out;
    cudaMalloc(&in, 8192 * sizeof(float));
    cudaMalloc(&out, 1024 * sizeof(float));
    cudaMemset(in, 0x3f, 8192 * sizeof(float));
    serve<<<4, 256>>>(in, out);
    cudaDeviceSynchronize();
    return 0;
}
