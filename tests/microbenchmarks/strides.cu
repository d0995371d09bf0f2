// Bandwidth of L2 and device memory by kernels that stride over the whole array (grid-stride loops), by 1 to 132 blocks of
// 1,024 threads, as forms.cu does for kernels with a range per block. Prints CSV: memory and kernel, blocks, GB/s (read, and
// of copies read and written). nvcc -O3 -arch=sm_90 strides.cu
#include <algorithm>
#include <cstdio>

__global__ void words(const float *p, size_t n, int passes, float *out)
{
    float s = 0;
    for (int r = 0; r < passes; r++)
        for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) s += __ldcg(p + i);
    if (s == 12345) out[0] = s;
}

__global__ void vectors(const float4 *p, size_t n, int passes, float *out)
{
    float s = 0;
    for (int r = 0; r < passes; r++)
        for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
            float4 v = __ldcg(p + i);
            s += v.x + v.y + v.z + v.w;
        }
    if (s == 12345) out[0] = s;
}

__global__ void copy(const float4 *p, size_t n, int passes, float4 *out)
{
    for (int r = 0; r < passes; r++)
        for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) out[i] = __ldcg(p + i);
}

__global__ void fill(const float4 *p, size_t n, int passes, float4 *out)
{
    for (int r = 0; r < passes; r++)
        for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) out[i] = {1, 2, 3, 4};
}

int main()
{
    size_t cap = (size_t)4 << 30;
    char *buf, *out;
    cudaMalloc(&buf, cap);
    cudaMalloc(&out, cap);
    cudaMemset(buf, 1, cap);
    cudaMemset(out, 1, cap);
    cudaEvent_t start, end;
    cudaEventCreate(&start);
    cudaEventCreate(&end);
    const char *names[] = {"words", "vectors", "copy", "fill"};
    for (int l2 = 0; l2 < 2; l2++)
        for (int form = 0; form < 4; form++)
            for (int b : {1, 2, 4, 8, 16, 24, 32, 48, 66, 80, 96, 112, 132}) {
                size_t bytes = l2 ? (size_t)12 << 20 : std::min(cap, ((size_t)64 << 20) * b);
                int passes = l2 ? 4 * std::min(b, 16) : 1;
                float best = 1e30;
                for (int r = 0; r < 4; r++) {
                    cudaEventRecord(start);
                    if (form == 0) words<<<b, 1024>>>((float *)buf, bytes / 4, passes, (float *)out);
                    if (form == 1) vectors<<<b, 1024>>>((float4 *)buf, bytes / 16, passes, (float *)out);
                    if (form == 2) copy<<<b, 1024>>>((float4 *)buf, bytes / 16, passes, (float4 *)out);
                    if (form == 3) fill<<<b, 1024>>>((float4 *)buf, bytes / 16, passes, (float4 *)out);
                    cudaEventRecord(end);
                    cudaEventSynchronize(end);
                    float ms;
                    cudaEventElapsedTime(&ms, start, end);
                    best = std::min(best, ms);
                }
                printf("%s_%s,%d,%.1f\n", l2 ? "l2" : "dram", names[form], b, (form == 2 ? 2 : 1) * (double)bytes * passes / best / 1e6);
            }
}
