// What a kernel needs of CUDA, for the host's compiler: the threads of a block are fibers, which run one after
// the other from barrier to barrier.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ucontext.h>

struct Dim3 {
  unsigned x, y, z;
};
static Dim3 threadIdx, blockIdx, blockDim, gridDim;

namespace shim {
enum State { Ready, AtBarrier, AtWarp, Done };
const unsigned MAX_THREADS = 64;
const size_t STACK = 256 << 10;
struct Fiber {
  ucontext_t context;
  State state;
  // A lane can be one operation ahead of the last lane of its warp.
  unsigned long long values[2];
  unsigned parity;
};
static Fiber fibers[MAX_THREADS];
static char *stacks;
static ucontext_t scheduler;
static unsigned current, num_threads;
static void (*thread)();

static void wait(State state) {
  fibers[current].state = state;
  swapcontext(&fibers[current].context, &scheduler);
}

static void start() {
  thread();
  wait(Done);
}

// Runs a block. False where threads wait for each other for ever.
static bool run_block() {
  if (!stacks) stacks = (char *)malloc(STACK * MAX_THREADS);
  for (unsigned t = 0; t < num_threads; t++) {
    Fiber &fiber = fibers[t];
    getcontext(&fiber.context);
    fiber.context.uc_stack.ss_sp = stacks + STACK * t;
    fiber.context.uc_stack.ss_size = STACK;
    fiber.context.uc_link = &scheduler;
    makecontext(&fiber.context, start, 0);
    fiber.state = Ready;
    fiber.parity = 0;
  }
  for (;;) {
    for (unsigned t = 0; t < num_threads; t++) {
      if (fibers[t].state != Ready) continue;
      current = threadIdx.x = t;
      swapcontext(&scheduler, &fibers[t].context);
    }
    bool released = false;
    unsigned done = 0, at_barrier = 0;
    for (unsigned t = 0; t < num_threads; t++) {
      done += fibers[t].state == Done;
      at_barrier += fibers[t].state == AtBarrier;
    }
    if (done == num_threads) return true;
    for (unsigned first = 0; first < num_threads; first += 32) {
      bool all = true;
      for (unsigned t = first; t < first + 32 && t < num_threads; t++) all &= fibers[t].state == AtWarp;
      for (unsigned t = first; all && t < first + 32 && t < num_threads; t++) {
        fibers[t].state = Ready;
        released = true;
      }
    }
    if (at_barrier && at_barrier + done == num_threads) {
      for (unsigned t = 0; t < num_threads; t++)
        if (fibers[t].state == AtBarrier) fibers[t].state = Ready;
      released = true;
    }
    if (!released) return false;
  }
}

// Gives a value to the other lanes, and returns whose slots hold theirs.
static unsigned exchange(unsigned long long value) {
  Fiber &fiber = fibers[current];
  unsigned parity = fiber.parity;
  fiber.values[parity] = value;
  fiber.parity ^= 1;
  wait(AtWarp);
  return parity;
}

template <class T> T shuffle(T value, int lane) {
  unsigned long long bits = 0;
  memcpy(&bits, &value, sizeof value);
  unsigned parity = exchange(bits);
  unsigned first = current & ~31u;
  unsigned from = lane < 0 || lane > 31 ? current : first + lane;
  bits = fibers[from].values[parity];
  memcpy(&value, &bits, sizeof value);
  return value;
}

static unsigned ballot(bool predicate) {
  unsigned parity = exchange(predicate), mask = 0;
  for (unsigned lane = 0; lane < 32; lane++)
    if ((current & ~31u) + lane < num_threads) mask |= (unsigned)fibers[(current & ~31u) + lane].values[parity] << lane;
  return mask;
}

static unsigned present() {
  unsigned left = num_threads - (current & ~31u);
  return left >= 32 ? 0xffffffffu : (1u << left) - 1;
}

static unsigned o[64 * 64 * 16], g[24];
static const int *a;
static int n;
static unsigned m;

static void run(unsigned idx, unsigned blocks, unsigned threads, bool fibers, void (*body)(), const int *input,
                const unsigned *counters, int n_, unsigned m_) {
  memset(o, 0, blocks * threads * 64);
  memcpy(g, counters, sizeof g);
  a = input;
  n = n_;
  m = m_;
  gridDim = {blocks, 1, 1};
  blockDim = {threads, 1, 1};
  num_threads = threads;
  thread = body;
  for (unsigned block = 0; block < blocks; block++) {
    blockIdx = {block, 0, 0};
    if (!fibers) {
      for (unsigned t = 0; t < threads; t++) {
        threadIdx.x = t;
        body();
      }
    } else if (!run_block()) {
      return;
    }
  }
  fwrite(&idx, 4, 1, stdout);
  fwrite(o, 64, blocks * threads, stdout);
  fwrite(g, 4, 24, stdout);
  fflush(stdout);
}
} // namespace shim

static void __syncthreads() { shim::wait(shim::AtBarrier); }
template <class T> T __shfl_sync(unsigned, T value, int lane) { return shim::shuffle(value, lane & 31); }
template <class T> T __shfl_xor_sync(unsigned, T value, int mask) {
  return shim::shuffle(value, (int)(shim::current & 31) ^ mask);
}
template <class T> T __shfl_up_sync(unsigned, T value, int delta) {
  return shim::shuffle(value, (int)(shim::current & 31) - delta);
}
template <class T> T __shfl_down_sync(unsigned, T value, int delta) {
  return shim::shuffle(value, (int)(shim::current & 31) + delta);
}
static unsigned __ballot_sync(unsigned, bool p) { return shim::ballot(p); }
static int __any_sync(unsigned, bool p) { return shim::ballot(p) != 0; }
static int __all_sync(unsigned, bool p) { return shim::ballot(p) == shim::present(); }

static void atomicAdd(unsigned *p, unsigned v) { *p += v; }
static void atomicOr(unsigned *p, unsigned v) { *p |= v; }
static void atomicAnd(unsigned *p, unsigned v) { *p &= v; }
static void atomicXor(unsigned *p, unsigned v) { *p ^= v; }
static void atomicMax(unsigned *p, unsigned v) { *p = v > *p ? v : *p; }
static void atomicMin(unsigned *p, unsigned v) { *p = v < *p ? v : *p; }
static void atomicMax(int *p, int v) { *p = v > *p ? v : *p; }

#define __global__ static
#define __device__
#define __shared__ static
#define __noinline__ __attribute__((noinline))
#define __forceinline__ inline
