// The same sum with interleaved partners: the lanes at work are spread
// over all warps, and the distance between their words grows, so more
// and more of them meet in the same bank.
__global__ void reduce_interleaved(const int *in, int *out)
{
    __shared__ int s[256];
    int t = threadIdx.x;
    s[t] = in[blockIdx.x * blockDim.x + t];
    __syncthreads();

    for (int step = 1; step < blockDim.x; step *= 2) {
        int i = 2 * step * t;
        if (i < blockDim.x)
            s[i] += s[i + step];
        __syncthreads();
    }
    if (t == 0)
        out[blockIdx.x] = s[0];
}
