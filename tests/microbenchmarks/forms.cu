// Bandwidth of L2 and of device memory over the number of blocks, by four kernels: one block of 1,024 threads for each
// SM. For L2, the blocks read 24 MB together, again and again; for device memory, up to 128 MB each, once. Prints CSV:
// memory and kernel, blocks, GB/s; and, as `blocks`, the SM of each block. nvcc -O3 -arch=sm_90 forms.cu
#include <algorithm>
#include <cstdio>
#include <vector>

__device__ unsigned smid()
{
    unsigned id;
    asm volatile("mov.u32 %0,%%smid;" : "=r"(id));
    return id;
}

// One word of each of four loads.
__global__ void stream(const uint4 *p, size_t per, int passes, unsigned *out)
{
    const uint4 *q = p + per * blockIdx.x;
    unsigned s = 0;
    for (int r = 0; r < passes; r++)
        for (size_t i = threadIdx.x; i < per; i += 4 * blockDim.x) {
            uint4 a = __ldcg(q + i), b = i + blockDim.x < per ? __ldcg(q + i + blockDim.x) : a;
            uint4 c = i + 2 * blockDim.x < per ? __ldcg(q + i + 2 * blockDim.x) : a;
            uint4 d = i + 3 * blockDim.x < per ? __ldcg(q + i + 3 * blockDim.x) : a;
            s ^= a.x ^ b.y ^ c.z ^ d.w;
        }
    if (s == 12345) out[0] = s;
}

// All words of four loads.
__global__ void whole(const uint4 *p, size_t per, int passes, unsigned *out)
{
    const uint4 *q = p + per * blockIdx.x;
    unsigned s = 0;
    for (int r = 0; r < passes; r++)
        for (size_t i = threadIdx.x; i < per; i += 4 * blockDim.x) {
            uint4 a = __ldcg(q + i), b = __ldcg(q + i + blockDim.x);
            uint4 c = __ldcg(q + i + 2 * blockDim.x), d = __ldcg(q + i + 3 * blockDim.x);
            s ^= a.x ^ a.y ^ a.z ^ a.w ^ b.x ^ b.y ^ b.z ^ b.w ^ c.x ^ c.y ^ c.z ^ c.w ^ d.x ^ d.y ^ d.z ^ d.w;
        }
    if (s == 12345) out[0] = s;
}

// A sum of floats.
__global__ void words(const float *p, size_t per, int passes, float *out)
{
    const float *q = p + per * blockIdx.x;
    float s = 0;
    for (int r = 0; r < passes; r++)
        for (size_t i = threadIdx.x; i < per; i += blockDim.x) s += __ldcg(q + i);
    if (s == 12345) out[0] = s;
}

// A sum of vectors.
__global__ void vectors(const float4 *p, size_t per, int passes, float *out)
{
    const float4 *q = p + per * blockIdx.x;
    float s = 0;
    for (int r = 0; r < passes; r++)
        for (size_t i = threadIdx.x; i < per; i += blockDim.x) {
            float4 v = __ldcg(q + i);
            s += v.x + v.y + v.z + v.w;
        }
    if (s == 12345) out[0] = s;
}

__global__ void where(unsigned *sm)
{
    if (threadIdx.x == 0) sm[blockIdx.x] = smid();
    long long start = clock64();
    while (clock64() - start < 20000);
}

int main()
{
    unsigned *out;
    cudaMalloc(&out, 1 << 20);
    size_t cap = (size_t)8 << 30;
    uint4 *buf;
    cudaMalloc(&buf, cap);
    cudaMemset(buf, 1, cap);
    cudaEvent_t start, end;
    cudaEventCreate(&start);
    cudaEventCreate(&end);
    const char *names[] = {"stream", "whole", "words", "vectors"};
    for (int l2 = 0; l2 < 2; l2++)
        for (int form = 0; form < 4; form++)
            for (int b : {1, 2, 4, 8, 16, 24, 32, 48, 66, 80, 96, 112, 132}) {
                size_t all = l2 ? (size_t)24 << 20 : std::min(cap, ((size_t)128 << 20) * b);
                size_t per = all / 16 / b / 4096 * 4096;
                int passes = l2 ? 4 * std::min(b, 16) : 1;
                float best = 1e30;
                for (int r = 0; r < 4; r++) {
                    cudaEventRecord(start);
                    if (form == 0) stream<<<b, 1024>>>(buf, per, passes, out);
                    if (form == 1) whole<<<b, 1024>>>(buf, per, passes, out);
                    if (form == 2) words<<<b, 1024>>>((float *)buf, per * 4, passes, (float *)out);
                    if (form == 3) vectors<<<b, 1024>>>((float4 *)buf, per, passes, (float *)out);
                    cudaEventRecord(end);
                    cudaEventSynchronize(end);
                    float ms;
                    cudaEventElapsedTime(&ms, start, end);
                    best = std::min(best, ms);
                }
                printf("%s_%s,%d,%.1f\n", l2 ? "l2" : "dram", names[form], b, per * 16.0 * b * passes / best / 1e6);
            }
    for (int b : {16, 48, 96, 132}) {
        where<<<b, 1024>>>(out);
        std::vector<unsigned> sm(b);
        cudaMemcpy(sm.data(), out, 4 * b, cudaMemcpyDeviceToHost);
        printf("blocks,%d,", b);
        for (unsigned id : sm) printf(" %u", id);
        puts("");
    }
}
