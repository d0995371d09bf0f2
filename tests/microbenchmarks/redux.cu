// Cycles of REDUX on one SM, alone and beside instructions of other pipes: nvcc -O3 -arch=sm_90 redux.cu && ./a.out
// A row has the cycles of one round of all warps: each warp runs CHAINS chains of each instruction.
#include <cstdio>

const int ROUNDS = 512;

template <int REDUX, int POPC, int SHFL>
__global__ void rounds(long long *cycles, unsigned *out)
{
    unsigned r[REDUX + 1], p[POPC + 1], s[SHFL + 1];
    for (int i = 0; i < REDUX; i++) r[i] = threadIdx.x + i;
    for (int i = 0; i < POPC; i++) p[i] = threadIdx.x * 7 + i;
    for (int i = 0; i < SHFL; i++) s[i] = threadIdx.x * 5 + i;
    __syncthreads();
    const long long start = clock64();
#pragma unroll 8
    for (int round = 0; round < ROUNDS; round++) {
#pragma unroll
        for (int i = 0; i < REDUX; i++) r[i] = __reduce_add_sync(~0u, r[i]);
#pragma unroll
        for (int i = 0; i < POPC; i++) p[i] = __popc(p[i]);
#pragma unroll
        for (int i = 0; i < SHFL; i++) s[i] = __shfl_xor_sync(~0u, s[i], 1);
    }
    __syncthreads();
    const long long taken = clock64() - start;
    unsigned sum = 0;
    for (int i = 0; i < REDUX; i++) sum += r[i];
    for (int i = 0; i < POPC; i++) sum += p[i];
    for (int i = 0; i < SHFL; i++) sum += s[i];
    out[threadIdx.x] = sum;
    if (threadIdx.x == 0) *cycles = taken;
}

template <int REDUX, int POPC, int SHFL>
void measure()
{
    long long *device, cycles = 0;
    unsigned *out;
    cudaMalloc(&device, sizeof *device);
    cudaMalloc(&out, 4096);
    for (int num_warps : {1, 4, 8, 16, 32}) {
        for (int again = 0; again < 2; again++) rounds<REDUX, POPC, SHFL><<<1, 32 * num_warps>>>(device, out);
        cudaMemcpy(&cycles, device, sizeof cycles, cudaMemcpyDeviceToHost);
        printf("%d,%d,%d,%d,%.2f\n", REDUX, POPC, SHFL, num_warps, (double)cycles / ROUNDS);
    }
}

int main()
{
    printf("redux,popc,shfl,warps,cycles a round\n");
    measure<1, 0, 0>();
    measure<4, 0, 0>();
    measure<0, 1, 0>();
    measure<0, 4, 0>();
    measure<0, 0, 1>();
    measure<0, 0, 4>();
    measure<4, 4, 0>();
    measure<4, 0, 4>();
}
