// Everybody adds to the same place; whole numbers, so the order does not matter.
__global__ void hot_spot(const float *in, float *total, int n)
{
    __shared__ float sum;
    if (threadIdx.x == 0)
        sum = 0.0f;
    __syncthreads();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        atomicAdd(&sum, in[i]);
    __syncthreads();
    if (threadIdx.x == 0)
        atomicAdd(total, sum);
}

__global__ void extremes(const int *in, int *low, int *high, unsigned int *any, unsigned int *all, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int v = in[i];
    atomicMin(&low[i & 3], v);
    atomicMax(&high[i & 3], v);
    atomicOr(any, 1u << (v & 31));
    atomicAnd(all, ~(unsigned)v);
}

// A double maximum through compare-and-swap on its bits.
__global__ void max_by_cas(const float *in, unsigned int *best, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    unsigned int bits = __float_as_uint(in[i]);
    unsigned int old = *best, seen;
    do {
        if (old >= bits)
            return;
        seen = old;
        old = atomicCAS(best, seen, bits);
    } while (old != seen);
}

__global__ void exchange_ring(int *slots, int *taken)
{
    int t = threadIdx.x;
    taken[t] = atomicExch(&slots[t], t * 10);
    atomicSub(&slots[t], 3);
    atomicXor((unsigned int *)&slots[t], 0x0fu);
}

__global__ void long_counters(const unsigned int *in, unsigned long long *sum, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        atomicAdd(&sum[i % 4], (unsigned long long)in[i] * in[i]);
}
