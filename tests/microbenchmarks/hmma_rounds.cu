// As hmma_loaded.cu with one chain, over the products of each round of the loop: nvcc -O3 -arch=sm_90 hmma_rounds.cu && ./a.out
// A row has the instructions per cycle of the SM, from the first warp's start to the last warp's end.
#include <algorithm>
#include <cstdio>

template <int PRODUCTS> __global__ void multiply(unsigned *times, float *out, const unsigned *in)
{
    float c[4] = {};
    const unsigned *words = in + threadIdx.x;
    unsigned a[4] = {words[0], words[1024], words[2048], words[3072]}, b[2] = {words[4096], words[5120]};
    __syncthreads();
    const unsigned start = clock();
#pragma unroll 1
    for (int round = 0; round < 256 / PRODUCTS; round++)
#pragma unroll
        for (int k = 0; k < PRODUCTS; k++)
            asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3},{%4,%5,%6,%7},{%8,%9},{%0,%1,%2,%3};"
                : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
                : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
    const unsigned end = clock();
    out[threadIdx.x] = c[0] + c[3];
    if (threadIdx.x % 32 == 0) {
        times[2 * (threadIdx.x / 32)] = start;
        times[2 * (threadIdx.x / 32) + 1] = end;
    }
}

template <int PRODUCTS> void measure()
{
    unsigned *times, times_read[64];
    float *out;
    unsigned *in;
    cudaMalloc(&in, 6144 * sizeof(unsigned));
    cudaMemset(in, 0, 6144 * sizeof(unsigned));
    cudaMalloc(&times, sizeof times_read);
    cudaMalloc(&out, 1024 * sizeof(float));
    for (int warps : {1, 4, 8, 12, 16, 20, 24, 32}) {
        float best = 0;
        for (int run = 0; run < 5; run++) {
            multiply<PRODUCTS><<<1, 32 * warps>>>(times, out, in);
            cudaMemcpy(times_read, times, sizeof times_read, cudaMemcpyDeviceToHost);
            unsigned first = times_read[0], last = times_read[1];
            for (int warp = 1; warp < warps; warp++) {
                first = std::min(first, times_read[2 * warp]);
                last = std::max(last, times_read[2 * warp + 1]);
            }
            best = std::max(best, 256.0f * warps / (last - first));
        }
        printf("%d,%d,%.4f\n", PRODUCTS, warps, best);
    }
}

int main()
{
    puts("products,warps,per_cycle");
    measure<1>();
    measure<2>();
    measure<8>();
    measure<16>();
    measure<64>();
}
