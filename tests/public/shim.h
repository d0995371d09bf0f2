// What a CUDA program needs of CUDA's runtime and language, for the host's C++ compiler. Blocks run one after the
// other; with SHIM_FIBERS the threads of a block are fibers that run from barrier to barrier. After the first launches of
// each line, every buffer that the kernel got is written to $SHIM_OUT/LINE-NTH-ARGUMENT.bin, from where the argument points.
#pragma once
#include <algorithm>
#include <cassert>
#include <cfloat>
#include <climits>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fstream>
#include <iostream>
#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <numeric>
#include <queue>
#include <random>
#include <sstream>
#include <string>
#include <sys/time.h>
#include <tuple>
#include <type_traits>
#include <ucontext.h>
#include <vector>
extern "C" time_t time(time_t *at) noexcept { if (at) *at = 1; return 1; }
namespace std {
// Numbers that change from run to run are 1.
struct shim_random_device {
  typedef unsigned result_type;
  static constexpr unsigned min() { return 0; }
  static constexpr unsigned max() { return ~0u; }
  unsigned operator()() { return 1; }
};
}
#define random_device shim_random_device
#define __global__
#define __device__
#define __host__
#define __constant__
#define __managed__
#define __shared__ static
#define __forceinline__ inline
#define __noinline__ __attribute__((noinline))
#define __launch_bounds__(...)
#define __align__(n) __attribute__((aligned(n)))
#define __CUDACC__ 1
#define CUDART_VERSION 12000

struct uint3 { unsigned x, y, z; };
struct dim3 {
  unsigned x, y, z;
  dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z) {}
};
#define SHIM_VECTOR(T, N) \
  struct N##1 { T x; }; \
  struct alignas(2 * sizeof(T)) N##2 { T x, y; }; \
  struct N##3 { T x, y, z; }; \
  struct alignas(4 * sizeof(T) > 16 ? 16 : 4 * sizeof(T)) N##4 { T x, y, z, w; }; \
  static inline N##2 make_##N##2(T x, T y) { return {x, y}; } \
  static inline N##3 make_##N##3(T x, T y, T z) { return {x, y, z}; } \
  static inline N##4 make_##N##4(T x, T y, T z, T w) { return {x, y, z, w}; }
#define uint3 shim_uint3
SHIM_VECTOR(char, char)
SHIM_VECTOR(unsigned char, uchar)
SHIM_VECTOR(short, short)
SHIM_VECTOR(unsigned short, ushort)
SHIM_VECTOR(int, int)
SHIM_VECTOR(unsigned, uint)
SHIM_VECTOR(long long, longlong)
SHIM_VECTOR(unsigned long long, ulonglong)
SHIM_VECTOR(float, float)
SHIM_VECTOR(double, double)
#undef uint3
typedef unsigned char uchar;
static uint3 threadIdx, blockIdx;
static dim3 blockDim, gridDim;
static const int warpSize = 32;

enum cudaError_t { cudaSuccess = 0, cudaErrorInvalidValue = 1, cudaErrorMemoryAllocation = 2, cudaErrorNotReady = 600 };
typedef cudaError_t cudaError;
enum cudaMemcpyKind { cudaMemcpyHostToHost, cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost, cudaMemcpyDeviceToDevice, cudaMemcpyDefault };
enum cudaFuncCache { cudaFuncCachePreferNone, cudaFuncCachePreferShared, cudaFuncCachePreferL1, cudaFuncCachePreferEqual };
typedef struct shim_event *cudaEvent_t;
typedef struct shim_stream *cudaStream_t;
struct cudaDeviceProp {
  char name[256];
  size_t totalGlobalMem, sharedMemPerBlock, totalConstMem, textureAlignment;
  int regsPerBlock, warpSize, maxThreadsPerBlock, maxThreadsDim[3], maxGridSize[3], clockRate, major, minor, multiProcessorCount,
      canMapHostMemory, concurrentKernels, deviceOverlap, maxThreadsPerMultiProcessor, memoryClockRate, memoryBusWidth, integrated,
      l2CacheSize, unifiedAddressing, managedMemory, concurrentManagedAccess, asyncEngineCount;
};

namespace shim {
struct Range { size_t size; };
static std::map<char *, Range> &ranges() { static std::map<char *, Range> all; return all; }
static void *allocate(size_t size) {
  char *p = (char *)malloc(size + 64);
  memset(p, 0xcd, size);
  ranges()[p] = {size};
  return p;
}
enum State { Ready, AtBarrier, AtWarp, Done };
struct Fiber { ucontext_t context; State state; unsigned long long values[2]; unsigned mask; uint3 idx; };
// The lanes of each warp that took part in the last exchange, and what they gave.
static unsigned participants[32];
static unsigned long long exchanged[1024][2];
static Fiber fibers[1024];
static char *stacks;
static ucontext_t scheduler;
static unsigned current, num_threads;
static void (*enter)(void *);
static void *closure;
alignas(256) static char dynamic_shared[256 << 10];
static int barrier_or, barrier_and, barrier_count, last_or, last_and, last_count;

static void wait(State state) {
  fibers[current].state = state;
  swapcontext(&fibers[current].context, &scheduler);
  threadIdx = fibers[current].idx;
}
static void start() { enter(closure); wait(Done); }

static void run_block() {
  const size_t STACK = 64 << 10;
  if (!stacks) stacks = (char *)malloc(STACK * 1024);
  unsigned t = 0;
  for (unsigned z = 0; z < blockDim.z; z++) for (unsigned y = 0; y < blockDim.y; y++) for (unsigned x = 0; x < blockDim.x; x++, t++) {
    Fiber &f = fibers[t];
    getcontext(&f.context);
    f.context.uc_stack.ss_sp = stacks + STACK * t;
    f.context.uc_stack.ss_size = STACK;
    f.context.uc_link = &scheduler;
    makecontext(&f.context, start, 0);
    f.state = Ready; f.idx = {x, y, z};
  }
  num_threads = t;
  for (;;) {
    for (t = 0; t < num_threads; t++) if (fibers[t].state == Ready) {
      current = t; threadIdx = fibers[t].idx;
      swapcontext(&scheduler, &fibers[t].context);
    }
    bool released = false;
    unsigned done = 0, at_barrier = 0;
    for (t = 0; t < num_threads; t++) { done += fibers[t].state == Done; at_barrier += fibers[t].state == AtBarrier; }
    if (done == num_threads) return;
    // A warp's lanes go on when all of them wait for each other; if nothing else gets on, when all that their masks name do.
    for (int named_only = 0; named_only < 2 && !released; named_only++) {
      if (named_only && at_barrier && at_barrier + done == num_threads) break;
      for (unsigned first = 0; first < num_threads; first += 32) {
        unsigned waiting = 0, alive = 0, named = 0;
        for (t = first; t < first + 32 && t < num_threads; t++) {
          unsigned bit = 1u << (t - first);
          if (fibers[t].state == AtWarp) { waiting |= bit; if (!named) named = fibers[t].mask; }
          if (fibers[t].state != Done) alive |= bit;
        }
        unsigned group = named_only ? waiting & named : waiting;
        if (!waiting || (named_only ? (named & alive & ~waiting) != 0 && at_barrier == 0 : waiting != alive)) continue;
        participants[first / 32] = group;
        for (t = first; t < first + 32 && t < num_threads; t++)
          if (group >> (t - first) & 1) { memcpy(exchanged[t], fibers[t].values, 16); fibers[t].state = Ready; released = true; }
      }
    }
    if (at_barrier && at_barrier + done == num_threads) {
      last_or = barrier_or; last_and = barrier_and; last_count = barrier_count;
      barrier_or = 0; barrier_and = 1; barrier_count = 0;
      for (t = 0; t < num_threads; t++) if (fibers[t].state == AtBarrier) fibers[t].state = Ready;
      released = true;
    }
    if (!released) { fprintf(stderr, "shim: threads wait for ever\n"); exit(97); }
  }
}
// Waits for the lanes of the warp that the mask names; then `exchanged` holds what each gave.
static void exchange(unsigned long long value, unsigned mask = ~0u, unsigned long long more = 0) {
  Fiber &f = fibers[current];
  f.values[0] = value;
  f.values[1] = more;
  f.mask = mask;
  wait(AtWarp);
}
static unsigned taking_part(unsigned mask) { return participants[current / 32] & mask; }
template <class T> T shuffle(T value, int lane, bool inside, unsigned mask = ~0u) {
  static_assert(sizeof(T) <= 16, "a shuffle of more than 16 bytes");
  unsigned long long bits[2] = {0, 0};
  memcpy(bits, &value, sizeof value);
  exchange(bits[0], mask, bits[1]);
  unsigned from = (current & ~31u) + lane;
  if (!inside || !(taking_part(~0u) >> (from & 31) & 1)) return value;
  memcpy(&value, exchanged[from], sizeof value);
  return value;
}
static unsigned ballot(bool p, unsigned mask = ~0u) {
  exchange(p, mask);
  unsigned found = 0;
  for (unsigned l = 0; l < 32; l++)
    if (taking_part(mask) >> l & 1) found |= (unsigned)exchanged[(current & ~31u) + l][0] << l;
  return found;
}
template <class T, class F> T reduce(unsigned mask, T value, F combine) {
  unsigned long long bits[2] = {0, 0};
  memcpy(bits, &value, sizeof value);
  exchange(bits[0], mask, bits[1]);
  bool is_first = true;
  T result = value;
  for (unsigned l = 0; l < 32; l++) {
    if (!(taking_part(mask) >> l & 1)) continue;
    T other;
    memcpy(&other, exchanged[(current & ~31u) + l], sizeof other);
    result = is_first ? other : combine(result, other);
    is_first = false;
  }
  return result;
}

static std::map<int, int> launched;
template <class T> void dump(int line, int nth, int idx, T *p) {
  char *at = (char *)p;
  auto next = ranges().upper_bound(at);
  if (next == ranges().begin()) return;
  auto range = --next;
  if (at >= range->first + range->second.size) return;
  std::string name = std::string(getenv("SHIM_OUT") ? getenv("SHIM_OUT") : ".") + "/" + std::to_string(line) + "-" + std::to_string(nth) + "-" + std::to_string(idx) + ".bin";
  FILE *f = fopen((name + ".part").c_str(), "wb");
  fwrite(at, 1, range->first + range->second.size - at, f);
  fclose(f);
  rename((name + ".part").c_str(), name.c_str());
}
template <class T> void dump(int, int, int, const T &) {}
struct Config {
  dim3 grid, block;
  Config(dim3 grid, dim3 block, size_t = 0, cudaStream_t = 0) : grid(grid), block(block) {}
};
template <class F, class... A> void launch(int line, Config config, F kernel, A... args) {
  gridDim = config.grid;
  blockDim = config.block;
  auto body = [&] { kernel(args...); };
  closure = &body;
  enter = [](void *p) { (*(decltype(body) *)p)(); };
  for (unsigned z = 0; z < gridDim.z; z++) for (unsigned y = 0; y < gridDim.y; y++) for (unsigned x = 0; x < gridDim.x; x++) {
    blockIdx = {x, y, z};
#ifdef SHIM_FIBERS
    run_block();
#else
    for (unsigned c = 0; c < blockDim.z; c++) for (unsigned b = 0; b < blockDim.y; b++) for (unsigned a = 0; a < blockDim.x; a++) {
      threadIdx = {a, b, c};
      body();
    }
#endif
  }
  int nth = launched[line]++, idx = 0;
  if (nth < 4) {
    int each[] = {0, (dump(line, nth, idx++, args), 0)...};
    (void)each;
    std::string name = std::string(getenv("SHIM_OUT") ? getenv("SHIM_OUT") : ".") + "/" + std::to_string(line) + "-" + std::to_string(nth) + ".done";
    FILE *f = fopen(name.c_str(), "wb");
    fclose(f);
  }
}
} // namespace shim

// ---- The runtime
template <class T> cudaError_t cudaMalloc(T **p, size_t n) { *p = (T *)shim::allocate(n); return cudaSuccess; }
template <class T> cudaError_t cudaMallocManaged(T **p, size_t n, unsigned = 1) { return cudaMalloc(p, n); }
template <class T> cudaError_t cudaMallocHost(T **p, size_t n, unsigned = 0) { return cudaMalloc(p, n); }
template <class T> cudaError_t cudaHostAlloc(T **p, size_t n, unsigned = 0) { return cudaMalloc(p, n); }
template <class T> cudaError_t cudaMallocAsync(T **p, size_t n, cudaStream_t) { return cudaMalloc(p, n); }
template <class T> cudaError_t cudaMallocPitch(T **p, size_t *pitch, size_t w, size_t h) { *pitch = (w + 511) / 512 * 512; return cudaMalloc(p, *pitch * h); }
static inline cudaError_t cudaFree(const void *) { return cudaSuccess; }
static inline cudaError_t cudaFreeHost(const void *) { return cudaSuccess; }
static inline cudaError_t cudaFreeAsync(const void *, cudaStream_t) { return cudaSuccess; }
static inline cudaError_t cudaMemcpy(void *to, const void *from, size_t n, cudaMemcpyKind = cudaMemcpyDefault) { memmove(to, from, n); return cudaSuccess; }
static inline cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t n, cudaMemcpyKind = cudaMemcpyDefault, cudaStream_t = 0) { memmove(to, from, n); return cudaSuccess; }
static inline cudaError_t cudaMemcpy2D(void *to, size_t tp, const void *from, size_t fp, size_t w, size_t h, cudaMemcpyKind) { for (size_t i = 0; i < h; i++) memmove((char *)to + i * tp, (const char *)from + i * fp, w); return cudaSuccess; }
static inline cudaError_t cudaMemset(void *p, int v, size_t n) { memset(p, v, n); return cudaSuccess; }
static inline cudaError_t cudaMemsetAsync(void *p, int v, size_t n, cudaStream_t = 0) { memset(p, v, n); return cudaSuccess; }
template <class T> cudaError_t cudaMemcpyToSymbol(T &s, const void *from, size_t n, size_t at = 0, cudaMemcpyKind = cudaMemcpyHostToDevice) { memcpy((char *)&s + at, from, n); return cudaSuccess; }
template <class T> cudaError_t cudaMemcpyFromSymbol(void *to, const T &s, size_t n, size_t at = 0, cudaMemcpyKind = cudaMemcpyDeviceToHost) { memcpy(to, (const char *)&s + at, n); return cudaSuccess; }
static inline const char *cudaGetErrorString(cudaError_t) { return "no error"; }
static inline const char *cudaGetErrorName(cudaError_t) { return "cudaSuccess"; }
#define SHIM_NOTHING(name) template <class... A> cudaError_t name(A &&...) { return cudaSuccess; }
SHIM_NOTHING(cudaGetLastError) SHIM_NOTHING(cudaPeekAtLastError) SHIM_NOTHING(cudaDeviceSynchronize) SHIM_NOTHING(cudaThreadSynchronize)
SHIM_NOTHING(cudaDeviceReset) SHIM_NOTHING(cudaThreadExit) SHIM_NOTHING(cudaSetDevice) SHIM_NOTHING(cudaSetDeviceFlags) SHIM_NOTHING(cudaEventRecord)
SHIM_NOTHING(cudaEventSynchronize) SHIM_NOTHING(cudaStreamSynchronize) SHIM_NOTHING(cudaEventDestroy) SHIM_NOTHING(cudaStreamDestroy)
SHIM_NOTHING(cudaFuncSetCacheConfig) SHIM_NOTHING(cudaDeviceSetCacheConfig) SHIM_NOTHING(cudaFuncSetAttribute) SHIM_NOTHING(cudaDeviceSetSharedMemConfig)
SHIM_NOTHING(cudaMemPrefetchAsync) SHIM_NOTHING(cudaProfilerStart) SHIM_NOTHING(cudaProfilerStop) SHIM_NOTHING(cudaStreamWaitEvent) SHIM_NOTHING(cudaEventQuery)
SHIM_NOTHING(cudaHostRegister) SHIM_NOTHING(cudaHostUnregister) SHIM_NOTHING(cudaMemAdvise) SHIM_NOTHING(cudaDeviceSetLimit) SHIM_NOTHING(cudaThreadSetCacheConfig)
template <class... A> cudaError_t cudaEventCreate(cudaEvent_t *e, A...) { *e = 0; return cudaSuccess; }
template <class... A> cudaError_t cudaEventCreateWithFlags(cudaEvent_t *e, A...) { *e = 0; return cudaSuccess; }
template <class... A> cudaError_t cudaStreamCreate(cudaStream_t *s, A...) { *s = 0; return cudaSuccess; }
template <class... A> cudaError_t cudaStreamCreateWithFlags(cudaStream_t *s, A...) { *s = 0; return cudaSuccess; }
static inline cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t, cudaEvent_t) { *ms = 1; return cudaSuccess; }
static inline cudaError_t cudaGetDeviceCount(int *n) { *n = 1; return cudaSuccess; }
static inline cudaError_t cudaGetDevice(int *n) { *n = 0; return cudaSuccess; }
static inline cudaError_t cudaDriverGetVersion(int *n) { *n = 12000; return cudaSuccess; }
static inline cudaError_t cudaRuntimeGetVersion(int *n) { *n = 12000; return cudaSuccess; }
static inline cudaError_t cudaMemGetInfo(size_t *a, size_t *b) { *a = *b = (size_t)8 << 30; return cudaSuccess; }
static inline cudaError_t cudaGetDeviceProperties(cudaDeviceProp *p, int) { memset(p, 0, sizeof *p); p->warpSize = 32; p->maxThreadsPerBlock = 1024; p->multiProcessorCount = 68; p->major = 7; p->minor = 5; p->sharedMemPerBlock = 49152; p->totalGlobalMem = (size_t)8 << 30; p->clockRate = 1545000; p->memoryClockRate = 7000000; p->memoryBusWidth = 352; return cudaSuccess; }
#define cudaEventDefault 0
#define cudaEventDisableTiming 2
#define cudaStreamNonBlocking 1
#define cudaHostAllocDefault 0
#define cudaHostAllocMapped 2
#define cudaDeviceScheduleBlockingSync 4
#define checkCudaErrors(x) (void)(x)
#define getLastCudaError(x)
static inline int findCudaDevice(int, const char **) { return 0; }
static inline bool checkCmdLineFlag(int, const char **, const char *) { return false; }
static inline int getCmdLineArgumentInt(int, const char **, const char *) { return 0; }
typedef struct shim_timer { int unused; } StopWatchInterface;
static inline bool sdkCreateTimer(StopWatchInterface **t) { *t = 0; return true; }
static inline bool sdkStartTimer(StopWatchInterface **) { return true; }
static inline bool sdkStopTimer(StopWatchInterface **) { return true; }
static inline bool sdkResetTimer(StopWatchInterface **) { return true; }
static inline bool sdkDeleteTimer(StopWatchInterface **) { return true; }
static inline float sdkGetTimerValue(StopWatchInterface **) { return 1; }

// ---- The device
#ifdef SHIM_FIBERS
static inline void __syncthreads() { shim::wait(shim::AtBarrier); }
static inline int __syncthreads_or(int p) { shim::barrier_or |= p != 0; __syncthreads(); return shim::last_or; }
static inline int __syncthreads_count(int p) { shim::barrier_count += p != 0; __syncthreads(); return shim::last_count; }
static inline int __syncthreads_and(int p) { return !__syncthreads_or(!p); }
static inline void __syncwarp(unsigned m = ~0u) { shim::exchange(0, m); }
static inline unsigned __activemask() { return shim::ballot(true); }
template <class T> T __shfl_sync(unsigned k, T v, int lane, int w = 32) { int l = shim::current & 31, base = l & ~(w - 1); return shim::shuffle(v, base + (lane & (w - 1)), true, k); }
template <class T> T __shfl_xor_sync(unsigned k, T v, int m, int w = 32) { int l = shim::current & 31, to = l ^ m; return shim::shuffle(v, to & 31, to / w <= l / w, k); }
template <class T> T __shfl_up_sync(unsigned k, T v, unsigned d, int w = 32) { int l = shim::current & 31, to = l - (int)d; return shim::shuffle(v, to < 0 ? 0 : to, to >= (l & ~(w - 1)), k); }
template <class T> T __shfl_down_sync(unsigned k, T v, unsigned d, int w = 32) { int l = shim::current & 31, to = l + (int)d; return shim::shuffle(v, to & 31, to < (l & ~(w - 1)) + w, k); }
template <class T> T __shfl(T v, int lane, int w = 32) { return __shfl_sync(~0u, v, lane, w); }
template <class T> T __shfl_xor(T v, int m, int w = 32) { return __shfl_xor_sync(~0u, v, m, w); }
template <class T> T __shfl_up(T v, unsigned d, int w = 32) { return __shfl_up_sync(~0u, v, d, w); }
template <class T> T __shfl_down(T v, unsigned d, int w = 32) { return __shfl_down_sync(~0u, v, d, w); }
static inline unsigned __ballot_sync(unsigned m, int p) { return shim::ballot(p, m); }
static inline int __any_sync(unsigned m, int p) { return shim::ballot(p, m) != 0; }
static inline int __all_sync(unsigned m, int p) { return shim::ballot(!p, m) == 0; }
static inline unsigned __ballot(int p) { return shim::ballot(p); }
static inline int __any(int p) { return shim::ballot(p) != 0; }
static inline int __all(int p) { return shim::ballot(!p) == 0; }
template <class T> T __reduce_add_sync(unsigned m, T v) { return shim::reduce(m, v, [](T a, T b) { return a + b; }); }
template <class T> T __reduce_max_sync(unsigned m, T v) { return shim::reduce(m, v, [](T a, T b) { return a > b ? a : b; }); }
template <class T> T __reduce_min_sync(unsigned m, T v) { return shim::reduce(m, v, [](T a, T b) { return a < b ? a : b; }); }
template <class T> T __reduce_or_sync(unsigned m, T v) { return shim::reduce(m, v, [](T a, T b) { return a | b; }); }
template <class T> T __reduce_and_sync(unsigned m, T v) { return shim::reduce(m, v, [](T a, T b) { return a & b; }); }
namespace cooperative_groups {
struct thread_block {
  static void sync() { __syncthreads(); }
  static unsigned thread_rank() { return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z); }
  static unsigned size() { return blockDim.x * blockDim.y * blockDim.z; }
  static unsigned num_threads() { return size(); }
  static uint3 group_index() { return blockIdx; }
  static uint3 thread_index() { return threadIdx; }
  static dim3 group_dim() { return blockDim; }
};
struct grid_group {
  static unsigned long long thread_rank() { return (unsigned long long)(blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z)) * thread_block::size() + thread_block::thread_rank(); }
  static unsigned long long size() { return (unsigned long long)gridDim.x * gridDim.y * gridDim.z * thread_block::size(); }
};
static inline thread_block this_thread_block() { return {}; }
static inline grid_group this_grid() { return {}; }
template <unsigned N, class P = void> struct thread_block_tile {
  thread_block_tile() {}
  template <class Q> thread_block_tile(const thread_block_tile<N, Q> &) {}
  static unsigned mask() { return N == 32 ? ~0u : ((1u << (N & 31)) - 1) << (shim::current & 31 & ~(N - 1)); }
  static void sync() { __syncwarp(mask()); }
  static unsigned thread_rank() { return shim::current & (N - 1); }
  static unsigned size() { return N; }
  static unsigned num_threads() { return N; }
  static unsigned meta_group_rank() { return shim::current / N; }
  static unsigned meta_group_size() { return (thread_block::size() + N - 1) / N; }
  template <class T> T shfl(T v, int lane) const { return __shfl_sync(mask(), v, lane, N); }
  template <class T> T shfl_xor(T v, int m) const { return __shfl_xor_sync(mask(), v, m, N); }
  template <class T> T shfl_up(T v, unsigned d) const { return __shfl_up_sync(mask(), v, d, N); }
  template <class T> T shfl_down(T v, unsigned d) const { return __shfl_down_sync(mask(), v, d, N); }
  int any(int p) const { return __any_sync(mask(), p); }
  int all(int p) const { return __all_sync(mask(), p); }
  unsigned ballot(int p) const { return __ballot_sync(mask(), p) >> (shim::current & 31 & ~(N - 1)); }
};
template <unsigned N, class P> thread_block_tile<N, P> tiled_partition(const P &) { return {}; }
template <class G> void sync(const G &g) { g.sync(); }
template <class T> struct plus { T operator()(T a, T b) const { return a + b; } };
template <class T> struct greater { T operator()(T a, T b) const { return a > b ? a : b; } };
template <class T> struct less { T operator()(T a, T b) const { return a < b ? a : b; } };
template <unsigned N, class P, class T, class F> T reduce(const thread_block_tile<N, P> &g, T v, F f) { return shim::reduce(g.mask(), v, f); }
}
#else
static inline void __syncwarp(unsigned = ~0u) {}
#endif
static inline void __nanosleep(unsigned) {}
static inline void __trap() { abort(); }
#define __builtin_assume(x)
static inline long long clock64() { return 1; }
static inline void __threadfence() {}
static inline void __threadfence_block() {}
static inline void __threadfence_system() {}
template <class T, class U> T atomicAdd(T *p, U v) { T old = *p; *p = old + (T)v; return old; }
template <class T, class U> T atomicSub(T *p, U v) { T old = *p; *p = old - (T)v; return old; }
template <class T, class U> T atomicMax(T *p, U v) { T old = *p; if ((T)v > old) *p = (T)v; return old; }
template <class T, class U> T atomicMin(T *p, U v) { T old = *p; if ((T)v < old) *p = (T)v; return old; }
template <class T, class U> T atomicOr(T *p, U v) { T old = *p; *p = old | (T)v; return old; }
template <class T, class U> T atomicAnd(T *p, U v) { T old = *p; *p = old & (T)v; return old; }
template <class T, class U> T atomicXor(T *p, U v) { T old = *p; *p = old ^ (T)v; return old; }
template <class T, class U> T atomicExch(T *p, U v) { T old = *p; *p = (T)v; return old; }
template <class T, class U, class V> T atomicCAS(T *p, U c, V v) { T old = *p; if (old == (T)c) *p = (T)v; return old; }
static inline unsigned atomicInc(unsigned *p, unsigned m) { unsigned old = *p; *p = old >= m ? 0 : old + 1; return old; }
static inline unsigned atomicDec(unsigned *p, unsigned m) { unsigned old = *p; *p = old == 0 || old > m ? m : old - 1; return old; }
template <class T, class U> T atomicAdd_block(T *p, U v) { return atomicAdd(p, v); }
template <class T, class U> T atomicAdd_system(T *p, U v) { return atomicAdd(p, v); }
template <class T> T __ldg(const T *p) { return *p; }
template <class T> T __ldcs(const T *p) { return *p; }
template <class T> T __ldcg(const T *p) { return *p; }
template <class T> T __ldca(const T *p) { return *p; }
template <class T> void __stcs(T *p, T v) { *p = v; }
template <class T> void __stcg(T *p, T v) { *p = v; }
template <class T> void __stwt(T *p, T v) { *p = v; }
static inline int __clzll(long long x) { return x ? __builtin_clzll(x) : 64; }
static inline int __ffsll(long long x) { return __builtin_ffsll(x); }
static inline unsigned long long __brevll(unsigned long long x) { unsigned long long r = 0; for (int i = 0; i < 64; i++) r |= (x >> i & 1) << (63 - i); return r; }
static inline unsigned __byte_perm(unsigned a, unsigned b, unsigned s) { unsigned long long v = (unsigned long long)b << 32 | a; unsigned r = 0; for (int i = 0; i < 4; i++) r |= (unsigned)(v >> (s >> 4 * i & 7) * 8 & 255) << 8 * i; return r; }
static inline unsigned __funnelshift_l(unsigned a, unsigned b, unsigned s) { return (unsigned)(((unsigned long long)b << 32 | a) << (s & 31) >> 32); }
static inline unsigned __funnelshift_r(unsigned a, unsigned b, unsigned s) { return (unsigned)(((unsigned long long)b << 32 | a) >> (s & 31)); }
static inline int __mulhi(int a, int b) { return (long long)a * b >> 32; }
static inline unsigned long long __umul64hi(unsigned long long a, unsigned long long b) { return (unsigned __int128)a * b >> 64; }
static inline long long __mul64hi(long long a, long long b) { return (__int128)a * b >> 64; }
static inline int __float2int_rn(float x) { return (int)rintf(x); }
static inline int __float2int_rz(float x) { return (int)x; }
static inline int __float2int_rd(float x) { return (int)floorf(x); }
static inline int __float2int_ru(float x) { return (int)ceilf(x); }
static inline unsigned __float2uint_rn(float x) { return (unsigned)rintf(x); }
static inline unsigned __float2uint_rz(float x) { return (unsigned)x; }
static inline int __double2int_rn(double x) { return (int)rint(x); }
static inline int __double2int_rz(double x) { return (int)x; }
static inline float __int2float_rn(int x) { return (float)x; }
static inline float __uint2float_rn(unsigned x) { return (float)x; }
static inline float __double2float_rn(double x) { return (float)x; }
static inline double __int2double_rn(int x) { return x; }
static inline float __fsub_rn(float a, float b) { return a - b; }
static inline float __fdiv_rn(float a, float b) { return a / b; }
static inline float __frcp_rn(float a) { return 1 / a; }
static inline float __fsqrt_rn(float a) { return std::sqrt(a); }
static inline float __frsqrt_rn(float a) { return (float)(1 / std::sqrt((double)a)); }
static inline float __fmaf_rn(float a, float b, float c) { return std::fma(a, b, c); }
static inline double __dadd_rn(double a, double b) { return a + b; }
static inline double __dsub_rn(double a, double b) { return a - b; }
static inline double __dmul_rn(double a, double b) { return a * b; }
static inline double __ddiv_rn(double a, double b) { return a / b; }
static inline double __dsqrt_rn(double a) { return std::sqrt(a); }
static inline double __fma_rn(double a, double b, double c) { return std::fma(a, b, c); }
static inline float fdividef(float a, float b) { return a / b; }
static inline float __log2f(float x) { return std::log2(x); }
static inline float __log10f(float x) { return std::log10(x); }
static inline float __exp10f(float x) { return std::pow(10.0f, x); }
static inline float __tanf(float x) { return std::tan(x); }
static inline void __sincosf(float x, float *s, float *c) { *s = std::sin(x); *c = std::cos(x); }
static inline float rcbrtf(float x) { return 1 / std::cbrt(x); }
static inline float sinpif(float x) { return (float)std::sin(M_PI * x); }
static inline float cospif(float x) { return (float)std::cos(M_PI * x); }
static inline double sinpi(double x) { return std::sin(M_PI * x); }
static inline double cospi(double x) { return std::cos(M_PI * x); }
static inline void sincospif(float x, float *s, float *c) { *s = sinpif(x); *c = cospif(x); }
static inline float normcdff(float x) { return (float)(0.5 * std::erfc(-x * M_SQRT1_2)); }
static inline double normcdf(double x) { return 0.5 * std::erfc(-x * M_SQRT1_2); }
static inline unsigned __sad(int a, int b, unsigned c) { return (a > b ? a - b : b - a) + c; }
static inline unsigned __usad(unsigned a, unsigned b, unsigned c) { return (a > b ? a - b : b - a) + c; }
static inline int __hiloint2double_hi(double x) { long long b; memcpy(&b, &x, 8); return (int)(b >> 32); }
static inline int __popc(unsigned x) { return __builtin_popcount(x); }
static inline int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
static inline int __clz(int x) { return x ? __builtin_clz(x) : 32; }
static inline int __ffs(int x) { return __builtin_ffs(x); }
static inline unsigned __brev(unsigned x) { unsigned r = 0; for (int i = 0; i < 32; i++) r |= (x >> i & 1) << (31 - i); return r; }
static inline int __mul24(int a, int b) { return a * b; }
static inline unsigned __umul24(unsigned a, unsigned b) { return a * b; }
static inline unsigned __umulhi(unsigned a, unsigned b) { return (unsigned long long)a * b >> 32; }
static inline float __int_as_float(int x) { float f; memcpy(&f, &x, 4); return f; }
static inline int __float_as_int(float x) { int i; memcpy(&i, &x, 4); return i; }
static inline unsigned __float_as_uint(float x) { unsigned i; memcpy(&i, &x, 4); return i; }
static inline float __uint_as_float(unsigned x) { float f; memcpy(&f, &x, 4); return f; }
static inline double __longlong_as_double(long long x) { double d; memcpy(&d, &x, 8); return d; }
static inline long long __double_as_longlong(double x) { long long i; memcpy(&i, &x, 8); return i; }
static inline float __fadd_rn(float a, float b) { return a + b; }
static inline float __fmul_rn(float a, float b) { return a * b; }
static inline float __fdividef(float a, float b) { return a / b; }
static inline float __expf(float x) { return std::exp(x); }
static inline float __logf(float x) { return std::log(x); }
static inline float __sinf(float x) { return std::sin(x); }
static inline float __cosf(float x) { return std::cos(x); }
static inline float __powf(float a, float b) { return std::pow(a, b); }
static inline float rsqrtf(float x) { return (float)(1 / std::sqrt((double)x)); }
static inline double rsqrt(double x) { return 1 / std::sqrt(x); }
static inline float __saturatef(float x) { return x < 0 ? 0 : x > 1 ? 1 : x; }
template <class A, class B> typename std::enable_if<std::is_arithmetic<A>::value && std::is_arithmetic<B>::value, typename std::common_type<A, B>::type>::type min(A a, B b) { return a < b ? a : b; }
template <class A, class B> typename std::enable_if<std::is_arithmetic<A>::value && std::is_arithmetic<B>::value, typename std::common_type<A, B>::type>::type max(A a, B b) { return a > b ? a : b; }

// ---- Half precision
struct half {
  _Float16 v;
  half() = default;
  template <class T, class = typename std::enable_if<std::is_arithmetic<T>::value>::type> half(T x) : v((_Float16)x) {}
  operator float() const { return (float)v; }
  half &operator+=(half b) { v = v + b.v; return *this; }
  half &operator-=(half b) { v = v - b.v; return *this; }
  half &operator*=(half b) { v = v * b.v; return *this; }
};
typedef half __half;
static inline half operator+(half a, half b) { return (float)a + (float)b; }
static inline half operator-(half a, half b) { return (float)a - (float)b; }
static inline half operator*(half a, half b) { return (float)a * (float)b; }
static inline half operator/(half a, half b) { return (float)a / (float)b; }
static inline half operator-(half a) { return -(float)a; }
static inline bool operator<(half a, half b) { return (float)a < (float)b; }
static inline bool operator>(half a, half b) { return (float)a > (float)b; }
struct alignas(4) half2 { half x, y; };
typedef half2 __half2;
static inline half __float2half(float x) { return x; }
static inline half __float2half_rn(float x) { return x; }
static inline half __double2half(double x) { return x; }
static inline float __half2float(half x) { return x; }
static inline half2 __floats2half2_rn(float a, float b) { return {a, b}; }
static inline half2 __float2half2_rn(float a) { return {a, a}; }
static inline half2 __float22half2_rn(float2 a) { return {a.x, a.y}; }
static inline float2 __half22float2(half2 a) { return {a.x, a.y}; }
static inline half2 __halves2half2(half a, half b) { return {a, b}; }
static inline half __low2half(half2 a) { return a.x; }
static inline half __high2half(half2 a) { return a.y; }
static inline float __low2float(half2 a) { return a.x; }
static inline float __high2float(half2 a) { return a.y; }
static inline half __hadd(half a, half b) { return a + b; }
static inline half __hsub(half a, half b) { return a - b; }
static inline half __hmul(half a, half b) { return a * b; }
static inline half __hdiv(half a, half b) { return a / b; }
static inline half __hfma(half a, half b, half c) { return (double)(float)a * (float)b + (double)(float)c; }
static inline half2 __hadd2(half2 a, half2 b) { return {a.x + b.x, a.y + b.y}; }
static inline half2 __hsub2(half2 a, half2 b) { return {a.x - b.x, a.y - b.y}; }
static inline half2 __hmul2(half2 a, half2 b) { return {a.x * b.x, a.y * b.y}; }
static inline half2 __hfma2(half2 a, half2 b, half2 c) { return {__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y)}; }
static inline bool __hlt(half a, half b) { return a < b; }
static inline bool __hgt(half a, half b) { return a > b; }
