// The time of copies, launches, events, and concurrent kernels, as the host sees them.
// Prints CSV: curve,x,value,more. nvcc -O3 -arch=sm_90 host.cu -o host
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <vector>

#define CHECK(call) do { cudaError_t error = (call); if (error) printf("# %s line %d: %s\n", #call, __LINE__, cudaGetErrorString(error)); } while (0)

__device__ unsigned smid() { unsigned sm; asm volatile("mov.u32 %0, %%smid;" : "=r"(sm)); return sm; }
__device__ unsigned long long nanoseconds() { unsigned long long t; asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t)); return t; }

__global__ void spin(long long cycles, unsigned *sm) {
    if (threadIdx.x == 0 && sm) *sm = smid();
    long long start = clock64();
    while (clock64() - start < cycles) { }
}
__global__ void nothing() { }
__global__ void stamp(unsigned long long *at, long long cycles) {
    if (threadIdx.x == 0) at[0] = nanoseconds();
    long long start = clock64();
    while (clock64() - start < cycles) { }
    if (threadIdx.x == 0) at[1] = nanoseconds();
}

static double now_us() {
    timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1e6 + t.tv_nsec * 1e-3;
}

static void copies() {
    const size_t most = (size_t)256 << 20;
    char *pinned, *pageable = (char *)malloc(most), *device, *other;
    CHECK(cudaMallocHost(&pinned, most));
    CHECK(cudaMalloc(&device, most));
    CHECK(cudaMalloc(&other, most));
    for (size_t i = 0; i < most; i += 4096) pageable[i] = pinned[i] = 1;
    cudaEvent_t from, to;
    cudaEventCreate(&from);
    cudaEventCreate(&to);
    for (size_t kb = 4; kb <= most >> 10; kb *= 4) {
        for (int kind = 0; kind < 5; kind++) {
            double best = 1e30;
            for (int round = 0; round < 8; round++) {
                CHECK(cudaDeviceSynchronize());
                double start = now_us();
                float ms = 0;
                if (kind < 2 || kind == 4) {
                    cudaEventRecord(from);
                    if (kind == 0) cudaMemcpyAsync(device, pinned, kb << 10, cudaMemcpyHostToDevice);
                    if (kind == 1) cudaMemcpyAsync(pinned, device, kb << 10, cudaMemcpyDeviceToHost);
                    if (kind == 4) cudaMemcpyAsync(other, device, kb << 10, cudaMemcpyDeviceToDevice);
                    cudaEventRecord(to);
                    cudaEventSynchronize(to);
                    cudaEventElapsedTime(&ms, from, to);
                    best = std::min(best, ms * 1e3);
                } else {
                    if (kind == 2) cudaMemcpy(device, pageable, kb << 10, cudaMemcpyHostToDevice);
                    if (kind == 3) cudaMemcpy(pageable, device, kb << 10, cudaMemcpyDeviceToHost);
                    CHECK(cudaDeviceSynchronize());
                    best = std::min(best, now_us() - start);
                }
            }
            const char *names[] = {"h2d_pinned_us", "d2h_pinned_us", "h2d_pageable_us", "d2h_pageable_us", "d2d_us"};
            printf("%s,%zu,%.3f,%.2f GB/s\n", names[kind], kb, best, (kb << 10) / best / 1e3);
        }
    }
    // Both directions at once.
    cudaStream_t a, b;
    cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking);
    for (int both = 0; both < 2; both++) {
        double best = 1e30;
        for (int round = 0; round < 5; round++) {
            CHECK(cudaDeviceSynchronize());
            double start = now_us();
            cudaMemcpyAsync(device, pinned, most / 2, cudaMemcpyHostToDevice, a);
            if (both) cudaMemcpyAsync(pinned + most / 2, device + most / 2, most / 2, cudaMemcpyDeviceToHost, b);
            CHECK(cudaDeviceSynchronize());
            best = std::min(best, now_us() - start);
        }
        printf("directions_us,%d,%.1f,128 MB each\n", both + 1, best);
    }
    // Two copies of one direction at once, and copies under a kernel.
    double best = 1e30;
    for (int round = 0; round < 5; round++) {
        CHECK(cudaDeviceSynchronize());
        double start = now_us();
        cudaMemcpyAsync(device, pinned, most / 2, cudaMemcpyHostToDevice, a);
        cudaMemcpyAsync(device + most / 2, pinned + most / 2, most / 2, cudaMemcpyHostToDevice, b);
        CHECK(cudaDeviceSynchronize());
        best = std::min(best, now_us() - start);
    }
    printf("same_direction_us,2,%.1f,128 MB each\n", best);
}

static void launches() {
    nothing<<<1, 32>>>();
    CHECK(cudaDeviceSynchronize());
    double issue = 1e30, all = 1e30, one = 1e30;
    for (int round = 0; round < 5; round++) {
        double start = now_us();
        for (int i = 0; i < 500; i++) nothing<<<1, 32>>>();
        issue = std::min(issue, (now_us() - start) / 500);
        CHECK(cudaDeviceSynchronize());
        all = std::min(all, (now_us() - start) / 500);
        start = now_us();
        nothing<<<1, 32>>>();
        CHECK(cudaDeviceSynchronize());
        one = std::min(one, now_us() - start);
    }
    printf("launch_call_us,500,%.3f,\nlaunch_chain_us,500,%.3f,\nlaunch_and_wait_us,1,%.3f,\n", issue, all, one);
    unsigned long long *at;
    CHECK(cudaMallocManaged(&at, 1 << 16));
    stamp<<<1, 32>>>(at, 100);
    CHECK(cudaDeviceSynchronize());
    // The gap between kernels of one stream, queued while a long one runs.
    stamp<<<1, 32>>>(at, 4000000);
    for (int i = 1; i < 40; i++) stamp<<<1, 32>>>(at + 2 * i, 20000);
    CHECK(cudaDeviceSynchronize());
    std::vector<double> gaps;
    for (int i = 1; i < 40; i++) gaps.push_back(double(at[2 * i] - at[2 * i - 1]));
    std::sort(gaps.begin(), gaps.end());
    printf("gap_same_stream_ns,40,%.0f,least %.0f most %.0f\n", gaps[gaps.size() / 2], gaps[0], gaps.back());
    // The same between streams with an event.
    cudaStream_t s[2];
    for (auto &x : s) cudaStreamCreateWithFlags(&x, cudaStreamNonBlocking);
    std::vector<cudaEvent_t> events(40);
    for (auto &e : events) cudaEventCreateWithFlags(&e, cudaEventDisableTiming);
    stamp<<<1, 32, 0, s[0]>>>(at, 4000000);
    for (int i = 1; i < 40; i++) {
        cudaEventRecord(events[i], s[(i - 1) % 2]);
        cudaStreamWaitEvent(s[i % 2], events[i], 0);
        stamp<<<1, 32, 0, s[i % 2]>>>(at + 2 * i, 20000);
    }
    CHECK(cudaDeviceSynchronize());
    gaps.clear();
    for (int i = 1; i < 40; i++) gaps.push_back(double(at[2 * i] - at[2 * i - 1]));
    std::sort(gaps.begin(), gaps.end());
    printf("gap_event_ns,40,%.0f,least %.0f most %.0f\n", gaps[gaps.size() / 2], gaps[0], gaps.back());
    double start = now_us();
    for (int i = 0; i < 200; i++) cudaEventRecord(events[0], s[0]);
    printf("event_call_us,200,%.3f,\n", (now_us() - start) / 200);
    CHECK(cudaDeviceSynchronize());
    char *pinned, *device;
    CHECK(cudaMallocHost(&pinned, 1 << 20));
    CHECK(cudaMalloc(&device, 1 << 20));
    start = now_us();
    for (int i = 0; i < 200; i++) cudaMemcpyAsync(device, pinned, 4096, cudaMemcpyHostToDevice, s[0]);
    printf("copy_call_us,200,%.3f,\n", (now_us() - start) / 200);
    CHECK(cudaDeviceSynchronize());
}

static void concurrency() {
    unsigned *sm;
    CHECK(cudaMalloc(&sm, 4096));
    for (int n : {1, 2, 4, 8, 16, 24, 32, 48, 64, 80, 96, 112, 127, 128, 129, 144, 160, 192, 256, 257, 384}) {
        std::vector<cudaStream_t> streams(n);
        for (auto &x : streams) cudaStreamCreateWithFlags(&x, cudaStreamNonBlocking);
        double best = 1e30;
        for (int round = 0; round < 4; round++) {
            CHECK(cudaDeviceSynchronize());
            double start = now_us();
            for (int i = 0; i < n; i++) spin<<<1, 32, 0, streams[i]>>>(4000000, sm + i);
            CHECK(cudaDeviceSynchronize());
            best = std::min(best, now_us() - start);
        }
        std::vector<unsigned> at(n);
        cudaMemcpy(at.data(), sm, 4 * n, cudaMemcpyDeviceToHost);
        std::sort(at.begin(), at.end());
        int sms = std::unique(at.begin(), at.end()) - at.begin();
        printf("streams_ms,%d,%.3f,SMs used %d\n", n, best * 1e-3, sms);
        for (auto &x : streams) cudaStreamDestroy(x);
    }
    // One stream is busy with a kernel that fills the device: kernels of other streams wait for free SMs.
    int fill = 132 * 16;
    cudaStream_t s[2];
    for (auto &x : s) cudaStreamCreateWithFlags(&x, cudaStreamNonBlocking);
    unsigned long long *at;
    CHECK(cudaMallocManaged(&at, 4096));
    spin<<<fill, 128, 0, s[0]>>>(2000000, nullptr);
    spin<<<fill, 128, 0, s[0]>>>(2000000, nullptr);
    stamp<<<1, 32, 0, s[1]>>>(at, 100);
    CHECK(cudaDeviceSynchronize());
    printf("small_behind_full_done,1,%llu,\n", at[1] - at[0]);
}

static void peers() {
    int count;
    cudaGetDeviceCount(&count);
    if (count < 2) return;
    const size_t most = (size_t)1 << 30;
    char *near, *far, *near2, *far2;
    cudaSetDevice(1);
    CHECK(cudaMalloc(&far, most));
    CHECK(cudaMalloc(&far2, most));
    cudaSetDevice(0);
    CHECK(cudaMalloc(&near, most));
    CHECK(cudaMalloc(&near2, most));
    cudaEvent_t from, to;
    cudaEventCreate(&from);
    cudaEventCreate(&to);
    for (int on = 0; on < 2; on++) {
        if (on) {
            CHECK(cudaDeviceEnablePeerAccess(1, 0));
            cudaSetDevice(1);
            CHECK(cudaDeviceEnablePeerAccess(0, 0));
            cudaSetDevice(0);
        }
        for (size_t kb = 1; kb <= most >> 10; kb *= 2) {
            float best = 1e30;
            for (int round = 0; round < 8; round++) {
                cudaEventRecord(from);
                cudaMemcpyPeerAsync(far, 1, near, 0, kb << 10);
                cudaEventRecord(to);
                cudaEventSynchronize(to);
                float ms;
                cudaEventElapsedTime(&ms, from, to);
                best = std::min(best, ms);
            }
            printf("peer_copy_%s_us,%zu,%.3f,%.2f GB/s\n", on ? "on" : "off", kb, best * 1e3, (kb << 10) / best / 1e6);
        }
        cudaStream_t s[2];
        cudaStreamCreateWithFlags(&s[0], cudaStreamNonBlocking);
        cudaSetDevice(1);
        cudaStreamCreateWithFlags(&s[1], cudaStreamNonBlocking);
        cudaSetDevice(0);
        double best = 1e30;
        for (int round = 0; round < 5; round++) {
            double start = now_us();
            cudaMemcpyPeerAsync(far, 1, near, 0, most / 4, s[0]);
            cudaMemcpyPeerAsync(near2, 0, far2, 1, most / 4, s[1]);
            cudaStreamSynchronize(s[0]);
            cudaStreamSynchronize(s[1]);
            best = std::min(best, now_us() - start);
        }
        printf("peer_both_%s_us,262144,%.1f,%.1f GB/s each way\n", on ? "on" : "off", best, most / 4 / best / 1e3);
    }
}

int main() {
    cudaDeviceProp p;
    cudaGetDeviceProperties(&p, 0);
    printf("# %s, %d SMs, copy engines %d\ncurve,x,value,more\n", p.name, p.multiProcessorCount, p.asyncEngineCount);
    launches();
    concurrency();
    copies();
    peers();
    return 0;
}
