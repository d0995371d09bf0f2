// Bandwidth of L2 and of device memory by which SMs read. Each of them reads its own part: for L2, 20 MB over all
// SMs, again and again; for device memory, up to 64 MB per SM once. Prints CSV: curve, number or SM, GB/s; and, as
// `order`, the SM of each block of a grid with one block per SM. nvcc -O3 -arch=sm_90 spread.cu
#include <algorithm>
#include <cstdio>
#include <vector>

using u64 = unsigned long long;

__device__ unsigned smid()
{
    unsigned id;
    asm volatile("mov.u32 %0,%%smid;" : "=r"(id));
    return id;
}

__device__ u64 now()
{
    u64 time;
    asm volatile("mov.u64 %0,%%globaltimer;" : "=l"(time));
    return time;
}

// `place`: the part of each SM, or -1.
__global__ void __launch_bounds__(1024)
work(const uint4 *p, size_t per, int passes, const int *place, u64 *t, unsigned *out)
{
    extern __shared__ char pad[];
    int me = place[smid()];
    if (me < 0) return;
    const uint4 *q = p + per * me;
    unsigned s = 0;
    __syncthreads();
    u64 start = 0;
    if (threadIdx.x == 0) {
        start = now();
        pad[0] = 0;
    }
    for (int r = 0; r < passes; r++)
        for (size_t i = threadIdx.x; i < per; i += 4 * blockDim.x) {
            uint4 a = __ldcg(q + i), b = __ldcg(q + i + blockDim.x);
            uint4 c = __ldcg(q + i + 2 * blockDim.x), d = __ldcg(q + i + 3 * blockDim.x);
            s ^= a.x ^ b.y ^ c.z ^ d.w;
        }
    if (s == 12345) out[0] = s;
    __syncthreads();
    if (threadIdx.x == 0) {
        t[2 * me] = start;
        t[2 * me + 1] = now();
    }
}

__global__ void where(unsigned *sm)
{
    extern __shared__ char pad[];
    if (threadIdx.x == 0) {
        pad[0] = 0;
        sm[blockIdx.x] = smid();
    }
    long long start = clock64();
    while (clock64() - start < 20000) {}
}

static int sms;
static uint4 *buffer;
static int *place;
static u64 *times;
static unsigned *out;
static const size_t capacity = (size_t)8 << 30, megabyte = 1 << 20;

// GB/s of the SMs `use`: the best of four runs, from the first start to the last end.
static double run(const std::vector<int> &use, bool l2)
{
    size_t n = use.size();
    std::vector<int> places(256, -1);
    for (size_t i = 0; i < n; i++) places[use[i]] = i;
    cudaMemcpy(place, places.data(), 1024, cudaMemcpyHostToDevice);
    size_t per = l2 ? 20 * megabyte / 16 / n : std::min(capacity / 16 / n, 64 * megabyte / 16);
    per = per / 4096 * 4096;
    int passes = l2 ? std::max(8, (int)(64 * megabyte / 16 / per)) : 1;
    double best = 0;
    std::vector<u64> t(2 * n);
    for (int r = 0; r < 4; r++) {
        work<<<sms, 1024, 120 * 1024>>>(buffer, per, passes, place, times, out);
        cudaDeviceSynchronize();
        cudaMemcpy(t.data(), times, 16 * n, cudaMemcpyDeviceToHost);
        u64 first = ~0ull, last = 0;
        for (size_t i = 0; i < n; i++) {
            first = std::min(first, t[2 * i]);
            last = std::max(last, t[2 * i + 1]);
        }
        best = std::max(best, per * 16.0 * n * passes / (last - first));
    }
    return best;
}

int main()
{
    cudaDeviceProp device;
    cudaGetDeviceProperties(&device, 0);
    sms = device.multiProcessorCount;
    printf("# %s, %d SMs, L2 %d\n", device.name, sms, device.l2CacheSize);
    cudaMalloc(&buffer, capacity);
    cudaMemset(buffer, 1, capacity);
    cudaMalloc(&place, 1024);
    cudaMalloc(&times, 8192);
    cudaMalloc(&out, 1 << 16);
    cudaFuncSetAttribute(work, cudaFuncAttributeMaxDynamicSharedMemorySize, 120 * 1024);
    cudaFuncSetAttribute(where, cudaFuncAttributeMaxDynamicSharedMemorySize, 220 * 1024);
    for (int k = 0; k < 6; k++) {
        where<<<sms, 128, 220 * 1024>>>(out);
        cudaDeviceSynchronize();
        std::vector<unsigned> order(sms);
        cudaMemcpy(order.data(), out, 4 * sms, cudaMemcpyDeviceToHost);
        printf("order,%d,", k);
        for (unsigned sm : order) printf(" %u", sm);
        puts("");
    }
    // Numbers go row by row over eight groups: rows of 16 below 64, then of 14; the single TPCs come last.
    auto group = [](int sm) { return sm < 64 ? sm % 16 / 2 : sm < 120 ? (sm - 64) % 14 / 2 + 1 : 8; };
    std::vector<std::vector<int>> groups(9);
    for (int sm = 0; sm < sms; sm++) groups[group(sm)].push_back(sm);
    for (int l2 = 1; l2 >= 0; l2--) {
        const char *level = l2 ? "l2" : "dram";
        auto say = [&](const char *curve, int x, const std::vector<int> &use) {
            printf("%s_%s,%d,%.1f\n", level, curve, x, run(use, l2));
        };
        auto first = [&](int idx, int num) {
            return std::vector<int>(groups[idx].begin(), groups[idx].begin() + num);
        };
        for (int sm : {0, 1, 2, 5, 77, 120, 124, 131}) say("one_sm", sm, {sm});
        say("tpc", 0, {12, 13});
        say("tpc_other", 0, {12, 44});
        say("two_groups", 0, {12, 14});
        for (int num : {1, 2, 4, 6, 8, 10, 12, 14, 16}) say("group6", num, first(6, num));
        for (int num : {2, 4, 8, 16}) say("group2", num, first(2, num));
        for (int num : {2, 4, 8}) say("group0", num, first(0, num));
        for (int num : {2, 4, 6, 8, 12}) say("singles", num, first(8, num));
        auto join = [&](int last, int each) {
            std::vector<int> use;
            for (int idx = 1; idx <= last; idx++)
                use.insert(use.end(), groups[idx].begin(), groups[idx].begin() + each);
            return use;
        };
        for (int each : {1, 2, 4, 8, 12, 16}) say("seven_groups_each", each, join(7, each));
        for (int num = 1; num <= 7; num++) say("whole_groups", num, join(num, 16));
        std::vector<int> all;
        for (int sm = 0; sm < sms; sm++) all.push_back(sm);
        say("all", sms, all);
    }
    return 0;
}
