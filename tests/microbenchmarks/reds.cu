// Additions to words of global memory by warps of 1 to 132 SMs: how many lanes the atomic units of L2 serve. Each block has
// 1,024 threads and an SM of its own. Prints CSV: operation, order of the words over lanes, words, bytes from word to word,
// blocks, rounds, and cycles of the slowest block. nvcc -O3 -arch=sm_90 reds.cu
#include <algorithm>
#include <cstdio>
#include <vector>

// Lane l of each warp has word l, modulo the number of words.
const int LANES = 0;
// Each lane has another random word in each round.
const int RANDOM = 1;
// Each thread of the grid has its own word, modulo the number of words.
const int THREADS = 2;

template <class T, bool RETURNS>
__global__ void add(T *p, int order, int words, int stride, int rounds, long long *t, T *out)
{
    extern __shared__ char whole_sm[];
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned x = 2654435761u * (i + 1);
    T sum = 0, *mine = p;
    __syncthreads();
    long long start = clock64();
    for (int r = 0; r < rounds; r++) {
        x = 1664525u * x + 1013904223u;
        unsigned word = order == RANDOM ? x >> 12 : order == THREADS ? i : i % 32;
        mine = p + (size_t)(word & (words - 1)) * stride;
        if (RETURNS)
            sum += atomicAdd(mine, (T)1);
        else
            atomicAdd(mine, (T)1);
    }
    // What was added last is there. A fence would make nvcc write ATOMG instead of REDG.
    sum += __ldcg(mine);
    if (sum == (T)12345) out[0] = sum;
    __syncthreads();
    if (threadIdx.x == 0) t[blockIdx.x] = clock64() - start;
}

template <class T, bool RETURNS> void measure(const char *name, int order, int words, int bytes, int blocks, char *p, long long *t)
{
    static const char *const orders[] = {"lanes", "random", "threads"};
    cudaFuncSetAttribute(add<T, RETURNS>, cudaFuncAttributeMaxDynamicSharedMemorySize, 120 << 10);
    int rounds = 64;
    long long best = 1ll << 60;
    std::vector<long long> all(blocks);
    for (int r = 0; r < 4; r++) {
        add<T, RETURNS><<<blocks, 1024, 120 << 10>>>((T *)p, order, words, bytes / (int)sizeof(T), rounds, t, (T *)(p + (64 << 20)));
        cudaMemcpy(all.data(), t, 8 * blocks, cudaMemcpyDeviceToHost);
        best = std::min(best, *std::max_element(all.begin(), all.end()));
    }
    printf("%s,%s,%d,%d,%d,%d,%lld\n", name, orders[order], words, bytes, blocks, rounds, best);
}

int main()
{
    char *p;
    long long *t;
    cudaMalloc(&p, (64 << 20) + 64);
    cudaMalloc(&t, 8 * 132);
    cudaMemset(p, 0, (64 << 20) + 64);
    printf("operation,order,words,stride,blocks,rounds,cycles\n");
    for (int blocks : {1, 2, 8, 32, 132}) {
        for (int order : {LANES, RANDOM})
            for (int words : {1, 2, 4, 8, 16, 32}) measure<unsigned, false>("red.u32", order, words, 4, blocks, p, t);
        for (int words : {64, 128, 256, 1024, 4096, 65536}) {
            measure<unsigned, false>("red.u32", RANDOM, words, 4, blocks, p, t);
            measure<unsigned, false>("red.u32", THREADS, words, 4, blocks, p, t);
        }
        for (int words : {2, 4, 8, 32}) {
            measure<unsigned, false>("red.u32", LANES, words, 32, blocks, p, t);
            measure<unsigned, false>("red.u32", LANES, words, 128, blocks, p, t);
            measure<unsigned, false>("red.u32", LANES, words, 4096, blocks, p, t);
        }
        for (int words : {32, 256, 1024, 65536}) measure<unsigned, false>("red.u32", RANDOM, words, 128, blocks, p, t);
        for (int words : {1, 8, 32}) {
            measure<float, false>("red.f32", LANES, words, 4, blocks, p, t);
            measure<double, false>("red.f64", LANES, words, 8, blocks, p, t);
            measure<unsigned long long, false>("red.u64", LANES, words, 8, blocks, p, t);
            measure<unsigned, true>("atom.u32", LANES, words, 4, blocks, p, t);
            measure<float, true>("atom.f32", LANES, words, 4, blocks, p, t);
        }
        for (int words : {64, 1024, 65536}) {
            measure<float, false>("red.f32", RANDOM, words, 4, blocks, p, t);
            measure<unsigned long long, false>("red.u64", RANDOM, words, 8, blocks, p, t);
            measure<unsigned, true>("atom.u32", RANDOM, words, 4, blocks, p, t);
        }
    }
    cudaError_t error = cudaDeviceSynchronize();
    if (error) fprintf(stderr, "%s\n", cudaGetErrorString(error));
    return error;
}
