// How the GPU is shared by processes: each process runs a kernel of one warp that notes the gaps in which it does not run.
// usage: slices MILLISECONDS [BLOCKS]; prints the longest gaps and stretches in microseconds. nvcc -O3 -arch=sm_90 slices.cu
#include <cstdio>
#include <cstdlib>

__device__ unsigned long long nanoseconds() { unsigned long long t; asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t)); return t; }

__global__ void watch(unsigned long long *gaps, int most, unsigned long long length) {
    if (threadIdx.x || blockIdx.x) {
        unsigned long long start = nanoseconds();
        while (nanoseconds() - start < length) { }
        return;
    }
    unsigned long long start = nanoseconds(), last = start;
    int n = 0;
    while (last - start < length) {
        unsigned long long now = nanoseconds();
        if (now - last > 50000 && n < most) {
            gaps[2 * n] = last;
            gaps[2 * n + 1] = now;
            n++;
        }
        last = now;
    }
    gaps[2 * most] = n;
    gaps[2 * most + 1] = start;
}

int main(int argc, char **argv) {
    unsigned long long *gaps;
    const int most = 1000;
    cudaMallocManaged(&gaps, 32 * most);
    watch<<<1, 32>>>(gaps, most, 1000);
    cudaDeviceSynchronize();
    watch<<<argc > 2 ? atoi(argv[2]) : 1, 32>>>(gaps, most, atoll(argv[1]) * 1000000ull);
    cudaError_t error = cudaDeviceSynchronize();
    printf("# %s, gaps %llu\n", cudaGetErrorString(error), gaps[2 * most]);
    unsigned long long last = gaps[2 * most + 1];
    for (unsigned i = 0; i < gaps[2 * most] && i < 24; i++) {
        printf("ran %.1f us, gap %.1f us\n", (gaps[2 * i] - last) * 1e-3, (gaps[2 * i + 1] - gaps[2 * i]) * 1e-3);
        last = gaps[2 * i + 1];
    }
}
