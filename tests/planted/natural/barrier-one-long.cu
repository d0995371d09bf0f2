// One warp in each round draws the long job.
__device__ float job(float x, int n)
{
    float y = x + 1, z = x + 2, w = x + 3;
    for (int k = 0; k < n; k++) { // PLANTED
        x = x * 0.5f + y; // PLANTED
        y = y * 0.5f + 1.0f; // PLANTED
        z = z * 0.5f + w; // PLANTED
        w = w * 0.5f + 2.0f; // PLANTED
    }
    return x + z;
}
__global__ void jobs(const float *in, float *out)
{
    float v = in[threadIdx.x];
    for (int r = 0; r < 8; r++) {
#ifdef FIXED
        v = job(v, 8 + 88 / 4);
#else
        v = job(v, threadIdx.x / 32 == r % 4 ? 96 : 8); // PLANTED
#endif
        __syncthreads(); // PLANTED
    }
    out[threadIdx.x] = v;
}

int main()
{
    float *in, *out;
    cudaMalloc(&in, 128 * sizeof(float));
    cudaMalloc(&out, 128 * sizeof(float));
    cudaMemset(in, 0x3f, 128 * sizeof(float));
    jobs<<<1, 128>>>(in, out);
    cudaDeviceSynchronize();
    return 0;
}
