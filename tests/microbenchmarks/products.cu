// Instructions per cycle of one SM for matrix products of several types, with factors that the kernel loads, over warps
// and independent chains of each warp: nvcc -O3 -std=c++17 -arch=sm_90 products.cu && ./a.out
// A row has the instructions per cycle of the SM, from the first warp's start to the last warp's end.
#include <algorithm>
#include <cstdio>
#define LOOP(BODY) _Pragma("unroll 1") for (int round = 0; round < 64; round++) { _Pragma("unroll") for (int k = 0; k < 4; k++) { _Pragma("unroll") for (int chain = 0; chain < CHAINS; chain++) { BODY } } }
template <int TYPE, int CHAINS> __global__ void multiply(unsigned *times, unsigned *out, const unsigned *in)
{
    unsigned c[CHAINS][4] = {};
    double d[CHAINS][4] = {};
    const unsigned *words = in + threadIdx.x;
    unsigned a[4] = {words[0], words[1024], words[2048], words[3072]}, b[2] = {words[4096], words[5120]};
    double e = __hiloint2double(a[0], a[1]), f = __hiloint2double(b[0], b[1]);
    __syncthreads();
    const unsigned start = clock();
#define C4 "+r"(c[chain][0]), "+r"(c[chain][1]), "+r"(c[chain][2]), "+r"(c[chain][3])
#define M4(NAME) LOOP(asm volatile("mma.sync.aligned." NAME " {%0,%1,%2,%3},{%4,%5,%6,%7},{%8,%9},{%0,%1,%2,%3};" : C4 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));)
#define M2(NAME) LOOP(asm volatile("mma.sync.aligned." NAME " {%0,%1,%2,%3},{%4,%5},{%6},{%0,%1,%2,%3};" : C4 : "r"(a[0]), "r"(a[1]), "r"(b[0]));)
    if (TYPE == 0) M4("m16n8k16.row.col.f32.f16.f16.f32")
    if (TYPE == 1) M4("m16n8k16.row.col.f32.bf16.bf16.f32")
    if (TYPE == 2) LOOP(asm volatile("mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%0,%1},{%2,%3,%4,%5},{%6,%7},{%0,%1};" : "+r"(c[chain][0]), "+r"(c[chain][1]) : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));)
    if (TYPE == 3) M2("m16n8k8.row.col.f32.f16.f16.f32")
    if (TYPE == 4) M4("m16n8k8.row.col.f32.tf32.tf32.f32")
    if (TYPE == 5) M2("m16n8k4.row.col.f32.tf32.tf32.f32")
    if (TYPE == 6) M4("m16n8k32.row.col.s32.s8.s8.s32")
    if (TYPE == 7) M2("m16n8k16.row.col.s32.s8.s8.s32")
    if (TYPE == 8) M4("m16n8k32.row.col.f32.e4m3.e4m3.f32")
    if (TYPE == 9) LOOP(asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1},{%2},{%3},{%0,%1};" : "+d"(d[chain][0]), "+d"(d[chain][1]) : "d"(e), "d"(f));)
    const unsigned end = clock();
    unsigned sum = 0;
    for (int chain = 0; chain < CHAINS; chain++) for (int w = 0; w < 4; w++) sum += c[chain][w] + __double2int_rn(d[chain][w]);
    out[threadIdx.x] = sum;
    if (threadIdx.x % 32 == 0) {
        times[2 * (threadIdx.x / 32)] = start;
        times[2 * (threadIdx.x / 32) + 1] = end;
    }
}
unsigned *times, times_read[64], *out, *in;
template <int TYPE, int CHAINS> void measure(const char *name)
{
    for (int warps : {1, 4, 8, 12, 16, 24, 32}) {
        unsigned best = ~0u;
        for (int run = 0; run < 5; run++) {
            multiply<TYPE, CHAINS><<<1, 32 * warps>>>(times, out, in);
            cudaMemcpy(times_read, times, sizeof times_read, cudaMemcpyDeviceToHost);
            unsigned first = times_read[0], last = times_read[1];
            for (int warp = 1; warp < warps; warp++) {
                first = std::min(first, times_read[2 * warp]);
                last = std::max(last, times_read[2 * warp + 1]);
            }
            best = std::min(best, last - first);
        }
        printf("%s,%d,%d,%.4f\n", name, CHAINS, warps, 256.0f * CHAINS * warps / best);
    }
}
template <int TYPE> void all(const char *name) { measure<TYPE, 1>(name); measure<TYPE, 2>(name); measure<TYPE, 4>(name); measure<TYPE, 8>(name); }
int main()
{
    cudaMalloc(&in, 6144 * 4); cudaMemset(in, 0, 6144 * 4); cudaMalloc(&times, 256); cudaMalloc(&out, 4096);
    puts("type,chains,warps,per_cycle");
    all<0>("f16 m16n8k16"); all<1>("bf16 m16n8k16"); all<2>("f16 sums m16n8k16"); all<3>("f16 m16n8k8");
    all<4>("tf32 m16n8k8"); all<5>("tf32 m16n8k4"); all<6>("s8 m16n8k32"); all<7>("s8 m16n8k16"); all<8>("e4m3 m16n8k32");
    all<9>("f64 m8n8k4");
}
