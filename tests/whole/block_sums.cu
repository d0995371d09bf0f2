// Sum of an array in two launches of one kernel template, with dynamic shared memory.
#include <iostream>
#include <cstdlib>
#include <cuda_runtime.h>

using namespace std;

template <unsigned int blockSize>
__global__ void reduce(const int *in, int *out, unsigned int n)
{
    extern __shared__ int sdata[];
    unsigned int tid = threadIdx.x;
    unsigned int i = blockIdx.x * blockSize * 2 + tid;
    unsigned int gridSize = blockSize * 2 * gridDim.x;
    int sum = 0;
    while (i < n) {
        sum += in[i];
        if (i + blockSize < n)
            sum += in[i + blockSize];
        i += gridSize;
    }
    sdata[tid] = sum;
    __syncthreads();

    for (unsigned int s = blockSize / 2; s > 0; s >>= 1) {
        if (tid < s)
            sdata[tid] += sdata[tid + s];
        __syncthreads();
    }
    if (tid == 0)
        out[blockIdx.x] = sdata[0];
}

void launchReduce(int threads, int blocks, const int *d_in, int *d_out, unsigned int n)
{
    size_t smem = threads * sizeof(int);
    switch (threads) {
    case 256: reduce<256><<<blocks, threads, smem>>>(d_in, d_out, n); break;
    case 128: reduce<128><<<blocks, threads, smem>>>(d_in, d_out, n); break;
    case 64:  reduce<64><<<blocks, threads, smem>>>(d_in, d_out, n); break;
    case 32:  reduce<32><<<blocks, threads, smem>>>(d_in, d_out, n); break;
    default:
        cerr << "unsupported block size " << threads << endl;
        exit(1);
    }
}

unsigned int nextPow2(unsigned int x)
{
    --x;
    x |= x >> 1;
    x |= x >> 2;
    x |= x >> 4;
    x |= x >> 8;
    x |= x >> 16;
    return ++x;
}

int main(int argc, char *argv[])
{
    unsigned int n = argc > 1 ? strtoul(argv[1], NULL, 10) : 5000;
    int threads = 128;
    int blocks = min<int>(8, (n + threads * 2 - 1) / (threads * 2));

    int *h_in = new int[n];
    long long expected = 0;
    for (unsigned int i = 0; i < n; i++) {
        h_in[i] = (int)((i * 2654435761u) >> 20) - 2048;
        expected += h_in[i];
    }

    int *d_in, *d_partial, *d_sum;
    cudaMalloc((void **)&d_in, n * sizeof(int));
    cudaMalloc((void **)&d_partial, blocks * sizeof(int));
    cudaMalloc((void **)&d_sum, sizeof(int));
    cudaMemcpy(d_in, h_in, n * sizeof(int), cudaMemcpyHostToDevice);

    launchReduce(threads, blocks, d_in, d_partial, n);
    int last = nextPow2(blocks) < 32 ? 32 : nextPow2(blocks);
    launchReduce(last, 1, d_partial, d_sum, blocks);

    int sum;
    cudaMemcpy(&sum, d_sum, sizeof(int), cudaMemcpyDeviceToHost);
    cout << "GPU " << sum << ", CPU " << expected << endl;

    cudaFree(d_in);
    cudaFree(d_partial);
    cudaFree(d_sum);
    delete[] h_in;
    return sum == expected ? 0 : 1;
}
