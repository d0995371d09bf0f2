// Loads from shared memory, each from where the last one led: WAYS lanes want one bank; ILP says how
// many independent chains a thread has.
#ifndef WAYS
#define WAYS 2
#define ILP 1
#endif
#if WAYS > 32
#define WORDS (32 * WAYS)
#else
#define WORDS 1024
#endif
#define DO(x) x = *(int *)((char *)words + x);
#if ILP == 1
#define EACH DO(x0)
#elif ILP == 2
#define EACH DO(x0) DO(x1)
#elif ILP == 4
#define EACH DO(x0) DO(x1) DO(x2) DO(x3)
#else
#define EACH DO(x0) DO(x1) DO(x2) DO(x3) DO(x4) DO(x5) DO(x6) DO(x7)
#endif
#define FOUR EACH EACH EACH EACH

__global__ void chase_shared(int *ticks, int *out, int n)
{
  __shared__ int words[WORDS];
  for (int i = threadIdx.x; i < WORDS; i += blockDim.x)
    words[i] = 4 * i;
  int lane = threadIdx.x % 32;
  // WAYS lanes in a bank, each with a word of its own.
  int x0 = 4 * (lane * WAYS % 32 + 32 * (lane * WAYS / 32));
  int x1 = x0, x2 = x0, x3 = x0, x4 = x0, x5 = x0, x6 = x0, x7 = x0;
  __syncthreads();
  int start = clock();
#pragma unroll 1
  for (int i = 0; i < n; i++) {
    FOUR FOUR
#if ILP <= 4
    FOUR FOUR
#endif
#if ILP <= 2
    FOUR FOUR FOUR FOUR
#endif
  }
  int end = clock();
  int warp = threadIdx.x / 32;
  if (lane == 0) {
    ticks[2 * warp] = start;
    ticks[2 * warp + 1] = end;
  }
  out[threadIdx.x] = x0 + x1 + x2 + x3 + x4 + x5 + x6 + x7;
}
