// The SMs of a grid's blocks, with 1 or 2 blocks that fit an SM, and the time from the first start to the last end.
// Prints CSV: curve, blocks, ns, and the most and fewest blocks of an SM and the first SMs. nvcc -O3 -arch=sm_90 device.cu
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

__global__ void where(unsigned *sm, u64 *start, u64 *end, int spin)
{
    extern __shared__ char pad[];
    if (threadIdx.x == 0) {
        sm[blockIdx.x] = smid();
        start[blockIdx.x] = now();
        pad[0] = 0;
    }
    long long begun = clock64();
    while (clock64() - begun < spin) {}
    __syncthreads();
    if (threadIdx.x == 0) end[blockIdx.x] = now();
}

int main()
{
    cudaDeviceProp device;
    cudaGetDeviceProperties(&device, 0);
    unsigned *sm;
    u64 *start, *end;
    cudaMalloc(&sm, 1 << 16);
    cudaMalloc(&start, 1 << 17);
    cudaMalloc(&end, 1 << 17);
    cudaFuncSetAttribute(where, cudaFuncAttributeMaxDynamicSharedMemorySize, 220 * 1024);
    for (int fit : {1, 2})
        for (int blocks : {8, 132, 200, 264, 400, 1056}) {
            for (int r = 0; r < 2; r++) {
                where<<<blocks, 128, 220 * 1024 / fit>>>(sm, start, end, 20000);
                cudaDeviceSynchronize();
            }
            std::vector<unsigned> sms(blocks);
            std::vector<u64> starts(blocks), ends(blocks);
            cudaMemcpy(sms.data(), sm, 4 * blocks, cudaMemcpyDeviceToHost);
            cudaMemcpy(starts.data(), start, 8 * blocks, cudaMemcpyDeviceToHost);
            cudaMemcpy(ends.data(), end, 8 * blocks, cudaMemcpyDeviceToHost);
            std::vector<int> num(device.multiProcessorCount);
            for (unsigned one : sms) num[one]++;
            u64 ns = *std::max_element(ends.begin(), ends.end()) - *std::min_element(starts.begin(), starts.end());
            printf("blocks_fit%d_ns,%d,%llu,most on an SM %d fewest %d first", fit, blocks, ns,
                   *std::max_element(num.begin(), num.end()), *std::min_element(num.begin(), num.end()));
            for (int b = 0; b < std::min(blocks, 24); b++) printf(" %u", sms[b]);
            puts("");
        }
    return 0;
}
