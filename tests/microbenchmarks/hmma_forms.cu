// The loop of hmma_loaded.cu with four chains, written in three other ways; nvcc 13 makes the same loop of each for 9.0.
struct Factors { unsigned a[4], b[2]; };
__device__ __forceinline__ void multiply_add(float (&d)[4], const Factors &f)
{
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3},{%4,%5,%6,%7},{%8,%9},{%0,%1,%2,%3};"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "r"(f.a[0]), "r"(f.a[1]), "r"(f.a[2]), "r"(f.a[3]), "r"(f.b[0]), "r"(f.b[1]));
}
__device__ __forceinline__ void report(unsigned *times, unsigned start, unsigned end)
{
    if (threadIdx.x % 32 == 0) {
        times[2 * (threadIdx.x / 32)] = start;
        times[2 * (threadIdx.x / 32) + 1] = end;
    }
}
__global__ void structs(unsigned *times, float *out, const unsigned *in)
{
    Factors f;
    for (int i = 0; i < 4; i++) f.a[i] = in[1024 * i + threadIdx.x];
    for (int i = 0; i < 2; i++) f.b[i] = in[1024 * (4 + i) + threadIdx.x];
    float d[4][4] = {};
    __syncthreads();
    const unsigned start = clock();
    int left = 64;
#pragma unroll 1
    while (left-- > 0) {
#pragma unroll
        for (int k = 0; k < 16; k++) multiply_add(d[k % 4], f);
    }
    report(times, start, clock());
    float sum = 0;
    for (auto &chain : d) for (float x : chain) sum += x;
    out[threadIdx.x] = sum;
}
#define MULTIPLY(d) asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3},{%4,%5,%6,%7},{%8,%9},{%0,%1,%2,%3};" \
    : "+f"(d##0), "+f"(d##1), "+f"(d##2), "+f"(d##3) : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "r"(b0), "r"(b1))
#define FOUR MULTIPLY(d); MULTIPLY(e); MULTIPLY(f); MULTIPLY(g);
__global__ void scalars(unsigned *times, float *out, const unsigned *in)
{
    const unsigned lane = threadIdx.x;
    unsigned a0 = in[lane], a1 = in[lane + 1024], a2 = in[lane + 2048], a3 = in[lane + 3072], b0 = in[lane + 4096], b1 = in[lane + 5120];
    float d0 = 0, d1 = 0, d2 = 0, d3 = 0, e0 = 0, e1 = 0, e2 = 0, e3 = 0, f0 = 0, f1 = 0, f2 = 0, f3 = 0, g0 = 0, g1 = 0, g2 = 0, g3 = 0;
    __syncthreads();
    const unsigned start = clock();
#pragma unroll 1
    for (unsigned round = 64; round != 0; --round) { FOUR FOUR FOUR FOUR }
    const unsigned end = clock();
    out[lane] = d0 + d1 + d2 + d3 + e0 + e1 + e2 + e3 + f0 + f1 + f2 + f3 + g0 + g1 + g2 + g3;
    report(times, start, end);
}
template <typename Sum, int N> struct Tile {
    Sum x[N];
    __device__ Tile() { for (Sum &each : x) each = 0; }
};
__global__ void tiles(unsigned *times, float *out, const unsigned *in)
{
    Tile<float, 4> d[4];
    Factors f;
    unsigned *words = f.a;
#pragma unroll
    for (int i = 0; i < 6; i++) (i < 4 ? words[i] : f.b[i - 4]) = in[1024 * i + threadIdx.x];
    __syncthreads();
    const unsigned start = clock();
#pragma unroll 1
    for (int round = 0; round < 64; ++round)
#pragma unroll
        for (int k = 0; k < 4; ++k)
#pragma unroll
            for (auto &tile : d) multiply_add(tile.x, f);
    const unsigned end = clock();
    for (int i = 1; i < 4; i++) for (int w = 0; w < 4; w++) d[0].x[w] += d[i].x[w];
    out[threadIdx.x] = d[0].x[0] + d[0].x[1] + d[0].x[2] + d[0].x[3];
    report(times, start, end);
}
