// Peak rates beyond those of ops.cu: `PEAK` is the kernel. A run has `rounds` rounds; the difference of two run lengths
// cancels what is around them.
#define SHARED 1
#define MEMORY 2
#define TENSOR 3
#ifndef PEAK
#define PEAK SHARED
#endif

#if PEAK == SHARED
// Words of eight bytes: 16 load/store units deliver 128 bytes per clock only with them. Each warp reads all banks.
#ifndef WORD
#define WORD unsigned long long
#endif
__global__ void shared_memory(WORD *out, int rounds)
{
    __shared__ WORD words[512];
    for (int i = threadIdx.x; i < 512; i += blockDim.x) words[i] = i;
    __syncthreads();
    const volatile WORD *mine = words + threadIdx.x % 32;
    for (int round = 0; round < rounds; round++) {
#pragma unroll
        for (int k = 0; k < 256; k++) mine[32 * (k % 16)];
    }
    out[threadIdx.x] = mine[0];
}

#elif PEAK == MEMORY
// Each block reads its own part, or all blocks read the same one.
__global__ void memory(const float4 *in, float *out, int length, int is_own, int rounds)
{
    const float4 *mine = in + (is_own ? blockIdx.x * length : 0);
    float sum = 0;
    for (int round = 0; round < rounds; round++)
        for (int i = threadIdx.x; i < length; i += 4 * blockDim.x) {
            float4 a = mine[i], b = mine[i + blockDim.x], c = mine[i + 2 * blockDim.x], d = mine[i + 3 * blockDim.x];
            sum += a.x + a.y + a.z + a.w + b.x + b.y + b.z + b.w;
            sum += c.x + c.y + c.z + c.w + d.x + d.y + d.z + d.w;
        }
    if (sum == 1) *out = sum;
}

#elif PEAK == TENSOR
#include <mma.h>
using namespace nvcuda::wmma;
#ifndef M
#define M 16
#define N 16
#define K 16
#define FACTOR half
#define IN half
#define SUM float
#endif
// Four independent sums in each warp.
__global__ void tensor(const IN *in, SUM *out, int rounds)
{
    fragment<matrix_a, M, N, K, FACTOR, row_major> a;
    fragment<matrix_b, M, N, K, FACTOR, col_major> b;
    fragment<accumulator, M, N, K, SUM> sums[4];
    load_matrix_sync(a, in, K);
    load_matrix_sync(b, in, K);
#pragma unroll
    for (int chain = 0; chain < 4; chain++) fill_fragment(sums[chain], 0);
    for (int round = 0; round < rounds; round++) {
#pragma unroll
        for (int chain = 0; chain < 4; chain++) mma_sync(sums[chain], a, b, sums[chain]);
    }
#pragma unroll
    for (int chain = 0; chain < 4; chain++) store_matrix_sync(out + M * N * chain, sums[chain], N, mem_row_major);
}
#endif
