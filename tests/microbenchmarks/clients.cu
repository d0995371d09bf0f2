// What a process sees of the GPU, alone, beside others, and as a client of the Multi-Process Service.
// usage: clients NAME [fault | MILLISECONDS]; prints NAME,curve,value,more. nvcc -O3 -arch=sm_90 clients.cu -o clients
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <set>
#include <string>
#include <vector>
#include <unistd.h>

__device__ unsigned smid() { unsigned sm; asm volatile("mov.u32 %0, %%smid;" : "=r"(sm)); return sm; }

__global__ void where(unsigned *sm, long long cycles) {
    if (threadIdx.x == 0) sm[blockIdx.x] = smid();
    long long start = clock64();
    while (clock64() - start < cycles) { }
}
__global__ void nothing() { }
__global__ void wild(int *p) { *p = 1; }

static double now_us() {
    timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1e6 + t.tv_nsec * 1e-3;
}

int main(int argc, char **argv) {
    const char *name = argv[1];
    int count = 0;
    cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, 0);
    unsigned *device, host[4096];
    cudaMalloc(&device, sizeof host);
    where<<<2048, 64>>>(device, 100000);
    cudaMemcpy(host, device, sizeof(unsigned) * 2048, cudaMemcpyDeviceToHost);
    std::set<unsigned> sms(host, host + 2048);
    std::string list;
    for (unsigned sm : sms) list += " " + std::to_string(sm);
    printf("%s,sms,%zu,attribute %d sms%s\n", name, sms.size(), count, sms.size() < 70 ? list.c_str() : "");
    std::vector<double> waits;
    for (int i = 0; i < 2000; i++) {
        double start = now_us();
        nothing<<<1, 32>>>();
        cudaDeviceSynchronize();
        waits.push_back(now_us() - start);
    }
    std::sort(waits.begin(), waits.end());
    printf("%s,launch_and_wait_us,%.2f,least %.2f p99 %.2f most %.2f\n", name, waits[1000], waits[0], waits[1980], waits[1999]);
    if (argc > 2 && !strcmp(argv[2], "fault")) {
        wild<<<1, 1>>>((int *)16);
        printf("%s,own_fault,0,%s\n", name, cudaGetErrorString(cudaDeviceSynchronize()));
        return 0;
    }
    double start = now_us();
    cudaError_t error = cudaSuccess;
    int rounds = 0;
    double length = argc > 2 ? atof(argv[2]) * 1e3 : 300000;
    while (now_us() - start < length && !error) {
        where<<<132, 64>>>(device, 2000000);
        error = cudaDeviceSynchronize();
        rounds++;
    }
    printf("%s,one_ms_kernels_in_%.0f_ms,%d,%s\n", name, length * 1e-3, rounds, cudaGetErrorString(error));
}
