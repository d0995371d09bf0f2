// Additions of float and compare-and-swap in shared memory by lanes that contend, locks in global memory that the lanes
// of a warp take in turn, and the instructions of a lock. Prints CSV: what, blocks or warps, lanes, words, rounds, cycles.
// nvcc -O3 -arch=sm_90 locks.cu
#include <algorithm>
#include <cstdio>
#include <vector>

using u64 = unsigned long long;

// `lanes` lanes of each warp add to `words` words, `rounds` times.
__global__ void fadd(int lanes, int words, int rounds, float *out, u64 *t)
{
    __shared__ float w[64];
    __shared__ u64 lo, hi;
    if (threadIdx.x < 64) w[threadIdx.x] = 0;
    if (threadIdx.x == 0) {
        lo = ~0ull;
        hi = 0;
    }
    __syncthreads();
    float *mine = w + threadIdx.x % words, x = threadIdx.x + 1;
    u64 start = clock64();
    if (threadIdx.x % 32 < lanes)
        for (int r = 0; r < rounds; r++) atomicAdd(mine, x);
    u64 end = clock64();
    atomicMin(&lo, start);
    atomicMax(&hi, end);
    __syncthreads();
    if (threadIdx.x == 0) *t = hi - lo;
    if (threadIdx.x < 64) out[threadIdx.x] = w[threadIdx.x];
}

// The same with a loop of atomicCAS.
__global__ void icas(int lanes, int words, int rounds, int *out, u64 *t)
{
    __shared__ int w[64];
    __shared__ u64 lo, hi;
    if (threadIdx.x < 64) w[threadIdx.x] = 0;
    if (threadIdx.x == 0) {
        lo = ~0ull;
        hi = 0;
    }
    __syncthreads();
    int *mine = w + threadIdx.x % words;
    u64 start = clock64();
    if (threadIdx.x % 32 < lanes)
        for (int r = 0; r < rounds; r++) {
            int old = *(volatile int *)mine, seen;
            do {
                seen = old;
                old = atomicCAS(mine, seen, seen * 3 + 1);
            } while (old != seen);
        }
    u64 end = clock64();
    atomicMin(&lo, start);
    atomicMax(&hi, end);
    __syncthreads();
    if (threadIdx.x == 0) *t = hi - lo;
    if (threadIdx.x < 64) out[threadIdx.x] = w[threadIdx.x];
}

__device__ void lock(int *mutex)
{
    while (atomicCAS(mutex, 0, 1) != 0);
    __threadfence();
}

__device__ void unlock(int *mutex)
{
    __threadfence();
    atomicExch(mutex, 0);
}

__global__ void locked(int *mutex, volatile int *total, const int *in, u64 *t)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    u64 start = clock64();
    lock(mutex);
    *total = *total + in[i];
    unlock(mutex);
    u64 end = clock64();
    t[2 * i] = start;
    t[2 * i + 1] = end;
}

__global__ void flag(int *mutex, volatile int *total, const int *in, u64 *t)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    u64 start = clock64();
    bool done = false;
    while (!done) {
        if (atomicCAS(mutex, 0, 1) == 0) {
            *total = *total + in[i];
            __threadfence();
            atomicExch(mutex, 0);
            done = true;
        }
    }
    u64 end = clock64();
    t[2 * i] = start;
    t[2 * i + 1] = end;
}

// Instructions of a lock, in a chain of one thread.
__global__ void parts(int what, int rounds, int *m, volatile int *v, u64 *t)
{
    int x = 0;
    for (int k = 0; k < 2; k++) {
        u64 start = clock64();
        for (int r = 0; r < rounds; r++) {
            if (what == 0) x += atomicCAS(m, x, 0);
            if (what == 1) __threadfence();
            if (what == 2) {
                *v = x;
                __threadfence();
            }
            if (what == 3) x += *v;
            if (what == 4) __threadfence_system();
        }
        u64 end = clock64();
        if (x == 77) *v = 0;
        t[0] = end - start;
    }
}

int main()
{
    unsigned *out;
    u64 *t, ticks;
    int *m, *total, *in;
    cudaMalloc(&out, 1 << 20);
    cudaMalloc(&t, 1 << 20);
    cudaMalloc(&m, 1024);
    cudaMalloc(&total, 1024);
    cudaMalloc(&in, 1 << 20);
    cudaMemset(in, 0, 1 << 20);
    for (int k = 0; k < 2; k++)
        for (int w : {1, 2, 4, 8, 16, 32})
            for (int lanes : {1, 2, 4, 8, 16, 32})
                for (int words : {1, 2, 8, 32})
                    for (int rounds : {1, 9}) {
                        u64 best = ~0ull;
                        for (int r = 0; r < 5; r++) {
                            if (k) icas<<<1, 32 * w>>>(lanes, words, rounds, (int *)out, t);
                            else fadd<<<1, 32 * w>>>(lanes, words, rounds, (float *)out, t);
                            cudaMemcpy(&ticks, t, 8, cudaMemcpyDeviceToHost);
                            best = std::min(best, ticks);
                        }
                        printf("%s,%d,%d,%d,%d,%llu\n", k ? "icas" : "fadd", w, lanes, words, rounds, best);
                    }
    for (int what = 0; what < 5; what++) {
        u64 least = ~0ull, few;
        for (int r = 0; r < 5; r++) {
            cudaMemset(m, 0, 4);
            parts<<<1, 1>>>(what, 8, m, total, t);
            cudaMemcpy(&few, t, 8, cudaMemcpyDeviceToHost);
            parts<<<1, 1>>>(what, 40, m, total, t);
            cudaMemcpy(&ticks, t, 8, cudaMemcpyDeviceToHost);
            least = std::min(least, ticks - few);
        }
        const char *names[] = {"atomicCAS", "fence", "store and fence", "volatile load", "system fence"};
        printf("%s,1,1,1,1,%.1f\n", names[what], least / 32.0);
    }
    std::vector<u64> v(4096);
    for (int k = 0; k < 2; k++)
        for (int n : {1, 2, 4, 8, 16, 32, 64}) {
            u64 best = ~0ull;
            for (int r = 0; r < 5; r++) {
                cudaMemset(m, 0, 4);
                if (k) flag<<<1, n>>>(m, total, in, t);
                else locked<<<1, n>>>(m, total, in, t);
                cudaMemcpy(v.data(), t, 16 * n, cudaMemcpyDeviceToHost);
                u64 lo = ~0ull, hi = 0;
                for (int i = 0; i < n; i++) {
                    lo = std::min(lo, v[2 * i]);
                    hi = std::max(hi, v[2 * i + 1]);
                }
                best = std::min(best, hi - lo);
            }
            printf("%s,1,%d,1,1,%llu\n", k ? "flag" : "locked", n, best);
        }
}
