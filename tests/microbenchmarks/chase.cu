// A ring of pointers in global memory, STRIDE bytes apart and SIZE bytes around, walked by one thread.
// It is walked ROUNDS times before the one that is timed.
#ifndef STRIDE
#define STRIDE 128
#define SIZE 16384
#define ROUNDS 1
#endif
typedef unsigned long long u64;
__global__ void chase(int *ticks, u64 *out, char *ring, int n)
{
  for (int at = 0; at < SIZE; at += STRIDE)
    *(char **)(ring + at) = ring + (at + STRIDE < SIZE ? at + STRIDE : 0);
  __threadfence();
  char *p = ring;
#pragma unroll 1
  for (int i = 0; i < ROUNDS * (SIZE / STRIDE); i++)
    p = *(char **)p;
  int start = clock();
#pragma unroll 1
  for (int i = 0; i < n; i++) {
#pragma unroll
    for (int k = 0; k < 16; k++)
      p = *(char **)p;
  }
  out[0] = (u64)p;
  int end = clock();
  ticks[0] = start;
  ticks[1] = end;
}
