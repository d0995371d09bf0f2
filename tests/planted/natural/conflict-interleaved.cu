// A prefix of pairs: the threads access elements that are a power of two apart.
template <int STEP>
__global__ void mix(const float *in, float *out)
{
    __shared__ float s[256 * STEP];
    for (int i = threadIdx.x; i < 256 * STEP; i += 256)
        s[i] = in[i];
    __syncthreads();
    float a = 0;
    #pragma unroll 1
    for (int k = 0; k < 64; k++) {
#ifdef FIXED
        a += s[threadIdx.x + 256 * (k % STEP)];
#else
        a += s[threadIdx.x * STEP + k % STEP]; // PLANTED
#endif
    }
    out[blockIdx.x * 256 + threadIdx.x] = a;
}

int main()
{
    float *in, *out;
    cudaMalloc(&in, 4096 * sizeof(float));
    cudaMalloc(&out, 2048 * sizeof(float));
    cudaMemset(in, 0x3f, 4096 * sizeof(float));
    mix<16><<<8, 256>>>(in, out);
    cudaDeviceSynchronize();
    return 0;
}
