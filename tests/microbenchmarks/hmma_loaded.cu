// As hmma.cu, with factors that the kernel loads: nvcc -O3 -arch=sm_90 hmma_loaded.cu && ./a.out
// A row has the instructions per cycle of the SM, from the first warp's start to the last warp's end.
#include <algorithm>
#include <cstdio>

template <int CHAINS> __global__ void multiply(unsigned *times, float *out, const unsigned *in)
{
    float c[CHAINS][4] = {};
    const unsigned *words = in + threadIdx.x;
    unsigned a[4] = {words[0], words[1024], words[2048], words[3072]}, b[2] = {words[4096], words[5120]};
    __syncthreads();
    const unsigned start = clock();
#pragma unroll 1
    for (int round = 0; round < 64; round++)
#pragma unroll
        for (int k = 0; k < 4; k++)
#pragma unroll
            for (int chain = 0; chain < CHAINS; chain++)
                asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3},{%4,%5,%6,%7},{%8,%9},{%0,%1,%2,%3};"
                    : "+f"(c[chain][0]), "+f"(c[chain][1]), "+f"(c[chain][2]), "+f"(c[chain][3])
                    : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
    const unsigned end = clock();
    float sum = 0;
    for (int chain = 0; chain < CHAINS; chain++) sum += c[chain][0] + c[chain][3];
    out[threadIdx.x] = sum;
    if (threadIdx.x % 32 == 0) {
        times[2 * (threadIdx.x / 32)] = start;
        times[2 * (threadIdx.x / 32) + 1] = end;
    }
}

template <int CHAINS> void measure()
{
    unsigned *times, times_read[64];
    float *out;
    unsigned *in;
    cudaMalloc(&in, 6144 * sizeof(unsigned));
    cudaMemset(in, 0, 6144 * sizeof(unsigned));
    cudaMalloc(&times, sizeof times_read);
    cudaMalloc(&out, 1024 * sizeof(float));
    for (int warps : {1, 2, 3, 4, 5, 6, 8, 12, 16, 20, 24, 32}) {
        float best = 0;
        for (int run = 0; run < 5; run++) {
            multiply<CHAINS><<<1, 32 * warps>>>(times, out, in);
            cudaMemcpy(times_read, times, sizeof times_read, cudaMemcpyDeviceToHost);
            unsigned first = times_read[0], last = times_read[1];
            for (int warp = 1; warp < warps; warp++) {
                first = std::min(first, times_read[2 * warp]);
                last = std::max(last, times_read[2 * warp + 1]);
            }
            best = std::max(best, 256.0f * CHAINS * warps / (last - first));
        }
        printf("%d,%d,%.4f\n", CHAINS, warps, best);
    }
}

int main()
{
    puts("chains,warps,per_cycle");
    measure<1>();
    measure<2>();
    measure<3>();
    measure<4>();
    measure<6>();
    measure<8>();
}
