#define FULL 0xffffffffu

// The last warp is not full, and odd lanes leave early.
__global__ void partial_warp(const int *in, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int v = in[i];
    if (i & 1) {
        while (v > 10)
            v = v / 2 - 1;
    } else {
        for (int k = 0; k < (v & 7); ++k)
            v += k * i;
    }
    out[i] = v;
}

// Inclusive prefix sum of a block: shuffles in the warp, shared memory between warps.
__global__ void prefix_sum(const int *in, int *out, int *totals)
{
    __shared__ int sums[32];
    int t = threadIdx.x, lane = t % 32, warp = t / 32;
    int i = blockIdx.x * blockDim.x + t;
    int v = in[i];
    for (int d = 1; d < 32; d <<= 1) {
        int left = __shfl_up_sync(FULL, v, d);
        if (lane >= d)
            v += left;
    }
    if (lane == 31)
        sums[warp] = v;
    __syncthreads();
    if (warp == 0) {
        int s = lane < blockDim.x / 32 ? sums[lane] : 0;
        for (int d = 1; d < 32; d <<= 1) {
            int left = __shfl_up_sync(FULL, s, d);
            if (lane >= d)
                s += left;
        }
        sums[lane] = s;
    }
    __syncthreads();
    if (warp > 0)
        v += sums[warp - 1];
    out[i] = v;
    if (t == blockDim.x - 1)
        totals[blockIdx.x] = v;
}

// Keeps the values below a threshold, packed, with one atomic a warp.
__global__ void compact(const int *in, int *out, int *count, int threshold, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    bool keep = i < n && in[i] < threshold;
    unsigned int votes = __ballot_sync(FULL, keep);
    int lane = threadIdx.x & 31;
    int base = 0;
    if (lane == 0 && votes != 0)
        base = atomicAdd(count, __popc(votes));
    base = __shfl_sync(FULL, base, 0);
    if (keep)
        out[base + __popc(votes & ((1u << lane) - 1))] = in[i];
}

// A bitonic sort of one block in shared memory.
__global__ void bitonic(int *data)
{
    __shared__ int s[256];
    int t = threadIdx.x;
    s[t] = data[blockIdx.x * 256 + t];
    __syncthreads();
    for (int size = 2; size <= 256; size <<= 1) {
        for (int stride = size >> 1; stride > 0; stride >>= 1) {
            int partner = t ^ stride;
            if (partner > t) {
                bool up = (t & size) == 0;
                int a = s[t], b = s[partner];
                if ((a > b) == up) {
                    s[t] = b;
                    s[partner] = a;
                }
            }
            __syncthreads();
        }
    }
    data[blockIdx.x * 256 + t] = s[t];
}
