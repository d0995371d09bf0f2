// The time of asynchronous copies (cp.async) and of loads and stores of matrices (ldmatrix, stmatrix, movmatrix).
// Prints CSV: what,form,level,stride,warps,value. nvcc -O3 -arch=sm_90 copies.cu -o copies
#include <algorithm>
#include <cstdio>
#include <vector>

#define CHECK(call) do { cudaError_t error = (call); if (error) printf("# %s line %d: %s\n", #call, __LINE__, cudaGetErrorString(error)); } while (0)
#define WAIT0 asm volatile("cp.async.commit_group;\ncp.async.wait_group 0;" ::: "memory")

__device__ __forceinline__ unsigned now() { unsigned t; asm volatile("mov.u32 %0, %%clock;" : "=r"(t) :: "memory"); return t; }
__device__ __forceinline__ unsigned base_of(void *p) { return (unsigned)__cvta_generic_to_shared(p); }

// FORM: bytes, plus 100 with .ca. 1000 more: a load to registers in place of the copy.
template <int FORM> __device__ __forceinline__ void copy(unsigned to, const char *from) {
    if constexpr (FORM == 16) asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" :: "r"(to), "l"(from) : "memory");
    if constexpr (FORM == 104) asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" :: "r"(to), "l"(from) : "memory");
    if constexpr (FORM == 108) asm volatile("cp.async.ca.shared.global [%0], [%1], 8;" :: "r"(to), "l"(from) : "memory");
    if constexpr (FORM == 116) asm volatile("cp.async.ca.shared.global [%0], [%1], 16;" :: "r"(to), "l"(from) : "memory");
}
template <int FORM> __device__ __forceinline__ unsigned load(const char *from) {
    unsigned a = 0, b = 0, c = 0, d = 0;
    if constexpr (FORM == 1016) asm volatile("ld.global.cg.v4.u32 {%0,%1,%2,%3}, [%4];" : "=r"(a), "=r"(b), "=r"(c), "=r"(d) : "l"(from) : "memory");
    if constexpr (FORM == 1104) asm volatile("ld.global.ca.u32 %0, [%1];" : "=r"(a) : "l"(from) : "memory");
    if constexpr (FORM == 1108) asm volatile("ld.global.ca.v2.u32 {%0,%1}, [%2];" : "=r"(a), "=r"(b) : "l"(from) : "memory");
    if constexpr (FORM == 1116) asm volatile("ld.global.ca.v4.u32 {%0,%1,%2,%3}, [%4];" : "=r"(a), "=r"(b), "=r"(c), "=r"(d) : "l"(from) : "memory");
    return a ^ b ^ c ^ d;
}
const int ROUNDS = 24;
// Every round copies other lines: `step` bytes apart. With `twice`, the first pass brings them near.
template <int FORM> __global__ void latency(const char *from, unsigned *out, int stride, int step, int twice) {
    extern __shared__ __align__(128) char s[];
    __shared__ unsigned times[ROUNDS];
    const int bytes = FORM % 100, lane = threadIdx.x;
    unsigned to = base_of(s) + lane * stride, sum = 0;
    from += lane * bytes;
    for (int pass = 0; pass <= twice; pass++)
        for (int r = 0; r < ROUNDS; r++) {
            const char *at = from + (size_t)r * step;
            __syncwarp();
            unsigned a = now();
            if constexpr (FORM < 1000) { copy<FORM>(to, at); WAIT0; }
            else { unsigned x = load<FORM>(at); asm volatile("xor.b32 %0, %0, %1;" : "+r"(sum) : "r"(x) : "memory"); }
            unsigned b = now();
            if (lane == 0) times[r] = b - a;
        }
    __syncwarp();
    if (lane < ROUNDS) out[lane] = times[lane];
    if (sum == 12345) out[99] = sum;
}
const int LENGTH = 64;
// Copies in a row: the clocks from the first warp's start to the last warp's end.
template <int FORM> __global__ void rate(const char *from, unsigned *out, int stride, int far = 0, int swap = 0) {
    extern __shared__ __align__(128) char s[];
    const int bytes = FORM % 100, lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    unsigned to = base_of(s) + (lane ^ swap) * stride + warp * bytes * 32 % 4096, sum = 0;
    from += lane * (far ? far : bytes) + warp * bytes * 32;
    unsigned a = 0, b = 0, c = 0;
    for (int pass = 0; pass < 3; pass++) {
        __syncthreads();
        a = now();
#pragma unroll
        for (int r = 0; r < LENGTH; r++) {
            if constexpr (FORM < 1000) copy<FORM>(to, from + r % 4 * 16384);
            else sum ^= load<FORM>(from + r % 4 * 16384);
        }
        b = now();
        if constexpr (FORM < 1000) WAIT0;
        else asm volatile("xor.b32 %0, %0, 1;" : "+r"(sum) :: "memory");
        c = now();
    }
    if (lane == 0) out[warp * 3] = a, out[warp * 3 + 1] = b, out[warp * 3 + 2] = c;
    if (sum == 12345) out[99] = sum;
}
// OP: 1, 2, 4: ldmatrix; 11, 12, 14 with .trans; 21, 22, 24: stmatrix; 31, 32, 34 with .trans; 40: movmatrix; 51, 52, 54: LDS of 4, 8, and 16 bytes.
template <int OP> __device__ __forceinline__ void move(unsigned at, unsigned (&r)[4]) {
    if constexpr (OP == 1) asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(r[0]) : "r"(at) : "memory");
    if constexpr (OP == 2) asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0,%1}, [%2];" : "=r"(r[0]), "=r"(r[1]) : "r"(at) : "memory");
    if constexpr (OP == 4) asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];" : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"(at) : "memory");
    if constexpr (OP == 11) asm volatile("ldmatrix.sync.aligned.m8n8.x1.trans.shared.b16 {%0}, [%1];" : "=r"(r[0]) : "r"(at) : "memory");
    if constexpr (OP == 14) asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0,%1,%2,%3}, [%4];" : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"(at) : "memory");
    if constexpr (OP == 21) asm volatile("stmatrix.sync.aligned.m8n8.x1.shared.b16 [%1], {%0};" :: "r"(r[0]), "r"(at) : "memory");
    if constexpr (OP == 22) asm volatile("stmatrix.sync.aligned.m8n8.x2.shared.b16 [%2], {%0,%1};" :: "r"(r[0]), "r"(r[1]), "r"(at) : "memory");
    if constexpr (OP == 24) asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%4], {%0,%1,%2,%3};" :: "r"(r[0]), "r"(r[1]), "r"(r[2]), "r"(r[3]), "r"(at) : "memory");
    if constexpr (OP == 34) asm volatile("stmatrix.sync.aligned.m8n8.x4.trans.shared.b16 [%4], {%0,%1,%2,%3};" :: "r"(r[0]), "r"(r[1]), "r"(r[2]), "r"(r[3]), "r"(at) : "memory");
    if constexpr (OP == 40) asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %0;" : "+r"(r[0]) :: "memory");
    if constexpr (OP == 51) asm volatile("ld.shared.u32 %0, [%1];" : "=r"(r[0]) : "r"(at) : "memory");
    if constexpr (OP == 52) asm volatile("ld.shared.v2.u32 {%0,%1}, [%2];" : "=r"(r[0]), "=r"(r[1]) : "r"(at) : "memory");
    if constexpr (OP == 54) asm volatile("ld.shared.v4.u32 {%0,%1,%2,%3}, [%4];" : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"(at) : "memory");
}
// CHAIN: each address is the result before (ldmatrix and LDS), each operand the result before (movmatrix).
template <int OP, bool CHAIN> __global__ void matrices(unsigned *out, int stride) {
    extern __shared__ __align__(128) char s[];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    unsigned base = base_of(s);
    if (threadIdx.x < 32) {
        const unsigned own = base + stride * lane;
        if (OP > 10 && OP < 20) {
            *(unsigned short *)(s + stride * (lane % 4 * 2) + 2 * (lane / 4)) = (unsigned short)own;
            *(unsigned short *)(s + stride * (lane % 4 * 2 + 1) + 2 * (lane / 4)) = (unsigned short)(own >> 16);
        } else if (OP < 50) *(unsigned *)(s + stride * (lane / 4) + 4 * (lane % 4)) = own;
        else *(unsigned *)(s + stride * lane) = base + stride * lane;
    }
    __syncthreads();
    unsigned at = base + lane * stride, r[4][4] = {}, all[4] = {}, sum = 0, a = 0, b = 0;
    for (int pass = 0; pass < 3; pass++) {
        __syncthreads();
        a = now();
#pragma unroll
        for (int i = 0; i < LENGTH; i++) {
            if constexpr (CHAIN) { move<OP>(at, r[0]); if (OP != 40) at = r[0][0]; }
            else { move<OP>(at, r[i % 4]); for (int j = 0; j < 4; j++) all[j] ^= r[i % 4][j]; }
        }
        for (int i = 0; i < 4; i++) sum ^= r[0][i] ^ all[i];
        asm volatile("xor.b32 %0, %0, 1;" : "+r"(sum) :: "memory");
        b = now();
    }
    if (lane == 0) out[warp * 3] = a, out[warp * 3 + 2] = b;
    if (sum == 12345) out[99] = 0;
}

// C = A B with tiles of 64 x 64 by 256 threads, 16 deep. STAGES 0: loads to registers and stores; 1: copies, and a wait for each; 2, 3: copies of later tiles in flight.
template <int STAGES> __global__ void __launch_bounds__(256) product(const float *a, const float *b, float *c, int n, unsigned *out) {
    constexpr int NUM = STAGES > 1 ? STAGES : 1;
    __shared__ __align__(16) float as[NUM][64][16], bs[NUM][16][64];
    const int t = threadIdx.x, row = t / 16, col = t % 16;
    const float *from_a = a + (size_t)(t / 4) * n + t % 4 * 4, *from_b = b + (size_t)(t / 16) * 64 + t % 16 * 4;
    float sum[4][4] = {};
    auto fetch = [&](int tile) {
        const int stage = tile % NUM;
        if constexpr (STAGES == 0) {
            *(float4 *)&as[0][t / 4][t % 4 * 4] = *(const float4 *)(from_a + tile * 16);
            *(float4 *)&bs[0][t / 16][t % 16 * 4] = *(const float4 *)(from_b + (size_t)tile * 16 * 64);
        } else {
            copy<16>(base_of(&as[stage][t / 4][t % 4 * 4]), (const char *)(from_a + tile * 16));
            copy<16>(base_of(&bs[stage][t / 16][t % 16 * 4]), (const char *)(from_b + (size_t)tile * 16 * 64));
        }
    };
    const int tiles = n / 16;
    unsigned start = now();
    for (int i = 0; i < STAGES - 1; i++) { fetch(i); asm volatile("cp.async.commit_group;" ::: "memory"); }
    for (int tile = 0; tile < tiles; tile++) {
        if constexpr (STAGES <= 1) {
            fetch(tile);
            if (STAGES == 1) WAIT0;
        } else {
            asm volatile("cp.async.wait_group %0;" :: "n"(STAGES - 2) : "memory");
        }
        __syncthreads();
        if constexpr (STAGES > 1) {
            if (tile + STAGES - 1 < tiles) fetch(tile + STAGES - 1);
            asm volatile("cp.async.commit_group;" ::: "memory");
        }
        const int stage = tile % NUM;
#pragma unroll
        for (int k = 0; k < 16; k++) {
            float x[4], y[4];
            for (int i = 0; i < 4; i++) x[i] = as[stage][row * 4 + i][k], y[i] = bs[stage][k][col * 4 + i];
            for (int i = 0; i < 4; i++)
                for (int j = 0; j < 4; j++) sum[i][j] += x[i] * y[j];
        }
        if constexpr (STAGES <= 1) __syncthreads();
    }
    unsigned end = now();
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++) c[(row * 4 + i) * 64 + col * 4 + j] = sum[i][j];
    if (t % 32 == 0) out[t / 32 * 3] = start, out[t / 32 * 3 + 2] = end;
}

static char *buffer, *other; static unsigned *out; static std::vector<unsigned> got(128);
static void fetch() { CHECK(cudaDeviceSynchronize()); CHECK(cudaMemcpy(got.data(), out, 512, cudaMemcpyDeviceToHost)); }
template <int FORM> static void latencies() {
    for (int stride : {FORM % 100, 16, 32, 64, 128}) {
        if (FORM >= 1000 && stride != FORM % 100 || stride < FORM % 100) continue;
        for (int level = 0; level < 3; level++) {
            // 0: the second pass of the kernel; 1: L2 after another launch; 2: after other data has filled L2.
            if (level == 0 && FORM % 1000 < 100) continue;
            latency<FORM><<<1, 32, 8192>>>(buffer, out, stride, 4096, 1);
            if (level == 2) { CHECK(cudaMemset(other, 0, 200 << 20)); latency<FORM><<<1, 32, 8192>>>(buffer + 256 * 1024, out, stride, 0, 0); }
            latency<FORM><<<1, 32, 8192>>>(buffer, out, stride, 4096, level == 0);
            fetch();
            std::sort(got.begin(), got.begin() + ROUNDS);
            printf("%s,%d,%d,%d,1,%u\n", FORM < 1000 ? "copy-latency" : "load-latency", FORM % 1000, level, stride, got[ROUNDS / 2]);
            printf("%s-least,%d,%d,%d,1,%u\n", FORM < 1000 ? "copy-latency" : "load-latency", FORM % 1000, level, stride, got[0]);
        }
    }
}
static void spans(const char *what, int form, int stride, int warps, bool middle) {
    fetch();
    unsigned first = ~0u, last = 0, mid = 0;
    for (int w = 0; w < warps; w++) first = std::min(first, got[w * 3]), mid = std::max(mid, got[w * 3 + 1]), last = std::max(last, got[w * 3 + 2]);
    printf("%s,%d,0,%d,%d,%u\n", what, form, stride, warps, last - first);
    if (middle) printf("%s-issued,%d,0,%d,%d,%u\n", what, form, stride, warps, mid - first);
}
template <int FORM> static void rates() {
    for (int stride : {FORM % 100, 32, 64, 128}) {
        if (FORM >= 1000 && stride != FORM % 100 || stride < FORM % 100) continue;
        for (int warps : {1, 4, 16}) {
            rate<FORM><<<1, warps * 32, 12288>>>(buffer, out, stride);
            spans(FORM < 1000 ? "copy-rate" : "load-rate", FORM % 1000, stride, warps, true);
        }
    }
}
template <int OP> static void moves() {
    for (int stride : {16, 32, 64, 80, 128}) {
        if (OP == 40 && stride != 16) continue;
        for (int warps : {1, 4, 16, 32}) {
            if (OP < 20 || OP >= 40) { matrices<OP, true><<<1, warps * 32, 8192>>>(out, stride); spans("chain", OP, stride, warps, false); }
            if (OP >= 20 && OP < 50) { matrices<OP, false><<<1, warps * 32, 8192>>>(out, stride); spans("row", OP, stride, warps, false); }
        }
    }
}
template <int STAGES> static void products() {
    for (int round = 0; round < 2; round++) {
        product<STAGES><<<1, 256>>>((float *)buffer, (float *)buffer + (1 << 20), (float *)other, 1024, out);
        spans("product", STAGES, 0, 8, false);
    }
}
// With an argument: the launches for Nsight Compute.
template <int FORM> static void counted(int stride, int far = 0, int swap = 0) { rate<FORM><<<1, 32, 12288>>>(buffer, out, stride, far, swap); CHECK(cudaDeviceSynchronize()); }
template <int OP> static void counted_moves(int stride) { matrices<OP, false><<<1, 32, 8192>>>(out, stride); CHECK(cudaDeviceSynchronize()); }
static void for_profiler() {
    counted<104>(4, 8); counted<104>(4, 32); counted<104>(4, 128); counted<104>(128, 128); counted<108>(8, 16); counted<108>(8, 128);
    counted<116>(16, 32); counted<116>(16, 64); counted<116>(16, 128); counted<116>(16, 16, 1); counted<116>(16, 16, 4);
    counted<16>(16, 32); counted<16>(16, 64); counted<16>(16, 128); counted<16>(16, 16, 1); counted<16>(16, 16, 2); counted<16>(16, 16, 4);
    counted<16>(16, 16, 8); counted<16>(128, 128);
    counted_moves<21>(16); counted_moves<22>(80); counted_moves<24>(32); counted_moves<34>(16);
    products<0>(); products<1>(); products<2>();
}
int main(int argc, char **) {
    CHECK(cudaMalloc(&buffer, 64 << 20)); CHECK(cudaMalloc(&other, 256 << 20)); CHECK(cudaMalloc(&out, 512));
    CHECK(cudaMemset(buffer, 0, 64 << 20));
    if (argc > 1) { for_profiler(); return 0; }
    printf("what,form,level,stride,warps,value\n");
    latencies<104>(); latencies<108>(); latencies<116>(); latencies<16>();
    latencies<1104>(); latencies<1108>(); latencies<1116>(); latencies<1016>();
    rates<104>(); rates<108>(); rates<116>(); rates<16>(); rates<1104>(); rates<1116>(); rates<1016>();
    moves<1>(); moves<2>(); moves<4>(); moves<14>(); moves<21>(); moves<22>(); moves<24>(); moves<34>(); moves<40>(); moves<51>(); moves<54>();
    products<0>(); products<1>(); products<2>(); products<3>();
}
