// Compare-and-swap, float atomicAdd, and locks on shared and global memory by 1 to 32 warps, and the attempts that they
// take. Prints CSV: what, warps, lanes, words (0: each warp has words of its own), rounds, cycles of the block, least and
// most cycles of a warp, attempts of all lanes. `swaps NAME...` runs some; `swaps ncu`: one launch each, for the profiler.
// nvcc -O3 -arch=sm_90 swaps.cu
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <vector>

using u64 = unsigned long long;

struct Note {
    u64 start, end;
    unsigned tries, pad;
};

#define BEGIN                                                                                                                  \
    __shared__ int w[1024];                                                                                                    \
    for (int i = threadIdx.x; i < 1024; i += blockDim.x) w[i] = 0;                                                             \
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;                                                                      \
    int *mine = words ? w + lane % words : w + 32 * warp + lane;                                                               \
    unsigned tries = 0;                                                                                                        \
    __syncthreads();                                                                                                           \
    u64 start = clock64();
#define END                                                                                                                    \
    __syncwarp();                                                                                                              \
    u64 end = clock64();                                                                                                       \
    notes[threadIdx.x] = {start, end, tries, 0};                                                                               \
    __syncthreads();                                                                                                           \
    if (out) out[threadIdx.x] = w[threadIdx.x];

// A chain of attempts without a loop: those of a warp alone succeed where each lane has a word.
__global__ void chain(int lanes, int words, int rounds, int *out, Note *notes)
{
    BEGIN
    int old = 0;
    if (lane < lanes)
        for (int r = 0; r < rounds; r++) old = atomicCAS(mine, old, old + 1) + 1;
    END
    if (old == 0x12345) *out = old;
}

// The same with an addition that returns the old value.
__global__ void adds(int lanes, int words, int rounds, int *out, Note *notes)
{
    BEGIN
    int old = 1;
    if (lane < lanes)
        for (int r = 0; r < rounds; r++) old = atomicAdd(mine, old);
    END
    if (old == 0x12345) *out = old;
}

// The same with an exchange.
__global__ void exchanges(int lanes, int words, int rounds, int *out, Note *notes)
{
    BEGIN
    int old = 1;
    if (lane < lanes)
        for (int r = 0; r < rounds; r++) old = atomicExch(mine, old + 1);
    END
    if (old == 0x12345) *out = old;
}

__global__ void floats(int lanes, int words, int rounds, int *out, Note *notes)
{
    BEGIN
    float x = threadIdx.x + 1;
    if (lane < lanes)
        for (int r = 0; r < rounds; r++) atomicAdd((float *)mine, x);
    END
}

// Loops until each lane has changed its word `rounds` times.
__global__ void loops(int lanes, int words, int rounds, int *out, Note *notes)
{
    BEGIN
    if (lane < lanes)
        for (int r = 0; r < rounds; r++) {
            int old = *(volatile int *)mine, seen;
            do {
                seen = old;
                old = atomicCAS(mine, seen, seen * 3 + 1);
                tries++;
            } while (old != seen);
        }
    END
}

// A lock in shared memory, which one lane of each warp takes.
__global__ void locks(int lanes, int words, int rounds, int *out, Note *notes)
{
    BEGIN
    volatile int *sum = w + 512;
    if (lane < lanes)
        for (int r = 0; r < rounds; r++) {
            do tries++;
            while (atomicCAS(mine, 0, 1) != 0);
            __threadfence_block();
            *sum = *sum + 1;
            __threadfence_block();
            atomicExch(mine, 0);
        }
    END
}

#define GLOBAL                                                                                                                 \
    int lane = threadIdx.x % 32, id = blockIdx.x * blockDim.x + threadIdx.x, warp = id / 32;                                   \
    int *mine = words ? g + lane % words : g + 32 * warp + lane;                                                               \
    unsigned tries = 0;                                                                                                        \
    __syncthreads();                                                                                                           \
    u64 start = clock64();
#define END_GLOBAL                                                                                                             \
    __syncwarp();                                                                                                              \
    u64 end = clock64();                                                                                                       \
    notes[id] = {start, end, tries, 0};

__global__ void gchain(int lanes, int words, int rounds, int *g, Note *notes)
{
    GLOBAL
    int old = 0;
    if (lane < lanes)
        for (int r = 0; r < rounds; r++) old = atomicCAS(mine, old, old + 1) + 1;
    END_GLOBAL
    if (old == 0x12345) *g = old;
}

__global__ void gadds(int lanes, int words, int rounds, int *g, Note *notes)
{
    GLOBAL
    int old = 1;
    if (lane < lanes)
        for (int r = 0; r < rounds; r++) old = atomicAdd(mine, old);
    END_GLOBAL
    if (old == 0x12345) *g = old;
}

__global__ void gloops(int lanes, int words, int rounds, int *g, Note *notes)
{
    GLOBAL
    if (lane < lanes)
        for (int r = 0; r < rounds; r++) {
            int old = *(volatile int *)mine, seen;
            do {
                seen = old;
                old = atomicCAS(mine, seen, seen * 3 + 1);
                tries++;
            } while (old != seen);
        }
    END_GLOBAL
}

__global__ void glocks(int lanes, int words, int rounds, int *g, Note *notes)
{
    GLOBAL
    volatile int *sum = g + 8192;
    if (lane < lanes)
        for (int r = 0; r < rounds; r++) {
            do tries++;
            while (atomicCAS(mine, 0, 1) != 0);
            __threadfence();
            *sum = *sum + 1;
            __threadfence();
            atomicExch(mine, 0);
        }
    END_GLOBAL
}

typedef void Kernel(int, int, int, int *, Note *);
struct { const char *name; Kernel *kernel; bool is_global; } kernels[] = {
    {"chain", chain, 0}, {"adds", adds, 0}, {"exchanges", exchanges, 0}, {"floats", floats, 0}, {"loops", loops, 0}, {"locks", locks, 0},
    {"gchain", gchain, 1}, {"gadds", gadds, 1}, {"gloops", gloops, 1}, {"glocks", glocks, 1},
};

int main(int argc, char **argv)
{
    bool ncu = argc > 1 && !strcmp(argv[1], "ncu");
    auto is_wanted = [&](const char *name) {
        for (int i = 1; i < argc && !ncu; i++)
            if (!strcmp(argv[i], name)) return true;
        return argc == 1 || ncu;
    };
    int *g;
    Note *notes;
    cudaMalloc(&g, 1 << 20);
    cudaMalloc(&notes, 1 << 20);
    std::vector<Note> v(8192);
    for (auto &k : kernels)
        for (int warps : {1, 2, 4, 8, 16, 32})
            for (int lanes : {1, 2, 4, 8, 16, 32})
                for (int words : {0, 1, 8, 32})
                    for (int rounds : {16, 48}) {
                        bool is_lock = strstr(k.name, "locks"), is_loop = strstr(k.name, "loops");
                        if (!is_wanted(k.name) || is_lock && (lanes > 4 || words != 1)) continue;
                        if (k.is_global && words == 8) continue;
                        if (k.is_global && is_loop && lanes > 4 && words == 1 && warps > 8) continue;
                        if (ncu && (rounds == 16 || k.is_global || (warps != 1 && warps != 32) || lanes == 2 || lanes >= 8 && lanes < 32 || words == 32 || is_lock)) continue;
                        u64 best = ~0ull, lo = 0, hi = 0, tries = 0;
                        for (int r = 0; r < (ncu ? 1 : 5); r++) {
                            cudaMemset(g, 0, 1 << 20);
                            k.kernel<<<1, 32 * warps>>>(lanes, words, rounds, k.is_global ? g : nullptr, notes);
                            cudaMemcpy(v.data(), notes, 32 * warps * sizeof(Note), cudaMemcpyDeviceToHost);
                            u64 from = ~0ull, to = 0, least = ~0ull, most = 0, sum = 0;
                            for (int i = 0; i < 32 * warps; i++) {
                                from = std::min(from, v[i].start);
                                to = std::max(to, v[i].end);
                                least = std::min(least, v[i].end - v[i].start);
                                most = std::max(most, v[i].end - v[i].start);
                                sum += v[i].tries;
                            }
                            if (to - from < best) best = to - from, lo = least, hi = most, tries = sum;
                        }
                        printf("%s,%d,%d,%d,%d,%llu,%llu,%llu,%llu\n", k.name, warps, lanes, words, rounds, best, lo, hi, tries);
                    }
    // Warps of several blocks that change one word of global memory.
    if (!ncu)
        for (auto &k : kernels)
            for (int blocks : {2, 4, 16, 64, 132})
                for (int lanes : {1, 32}) {
                    if (!k.is_global || !is_wanted(k.name) || (lanes == 32 && strcmp(k.name, "gadds"))) continue;
                    for (int words : {0, 1}) {
                        if (strstr(k.name, "locks") && !words) continue;
                        for (int rounds : {16, 48}) {
                            u64 best = ~0ull;
                            for (int r = 0; r < 3; r++) {
                                cudaMemset(g, 0, 1 << 20);
                                k.kernel<<<blocks, 32>>>(lanes, words, rounds, g, notes);
                                cudaMemcpy(v.data(), notes, 32 * blocks * sizeof(Note), cudaMemcpyDeviceToHost);
                                u64 most = 0;
                                for (int i = 0; i < 32 * blocks; i++) most = std::max(most, v[i].end - v[i].start);
                                best = std::min(best, most);
                            }
                            printf("%s blocks,%d,%d,%d,%d,%llu,,,\n", k.name, blocks, lanes, words, rounds, best);
                        }
                    }
                }
}
