// An atomic addition to shared or global memory (SHARED), and a load of the same word that leads to the
// next round. LANES lanes want one word. ATOMIC 0 leaves the addition out: the difference is its cost, as
// papers that subtract a load of known latency have it.
#ifndef SHARED
#define SHARED 1
#define LANES 1
#define ATOMIC 1
#endif

__global__ void atomics(int *ticks, int *out, int *far, int n)
{
  __shared__ int near[1024];
  for (int i = threadIdx.x; i < 1024; i += blockDim.x) {
    near[i] = 4 * i;
    far[i] = 4 * i;
  }
  __syncthreads();
  int x = 4 * (threadIdx.x / LANES);
#if SHARED
  char *words = (char *)near;
#else
  char *words = (char *)far;
#endif
  int start = clock();
#pragma unroll 1
  for (int i = 0; i < n; i++) {
#pragma unroll
    for (int k = 0; k < 16; k++) {
#if ATOMIC
      atomicAdd((int *)(words + x), 0);
#endif
      x = *(volatile int *)(words + x);
    }
  }
  int end = clock();
  if (threadIdx.x == 0) {
    ticks[0] = start;
    ticks[1] = end;
  }
  out[threadIdx.x] = x;
}
