// A ring in constant memory, STRIDE bytes apart and SIZE bytes around: each word leads to the one STRIDE
// bytes further. GROUP lanes go around by the same words, the next GROUP by their neighbours.
#ifndef STRIDE
#define STRIDE 64
#define SIZE 1024
#define GROUP 32
#define WARM 2
#endif
__constant__ int ring[16384];

__global__ void constants(int *ticks, int *out, int n)
{
  int x = threadIdx.x % 32 / GROUP * 4;
#pragma unroll 1
  for (int i = 0; i < WARM * (SIZE / STRIDE); i++)
    x = *(const int *)((const char *)ring + x);
  int start = clock();
#pragma unroll 1
  for (int i = 0; i < n; i++) {
#pragma unroll
    for (int k = 0; k < 32; k++)
      x = *(const int *)((const char *)ring + x);
  }
  out[threadIdx.x] = x;
  int end = clock();
  if (threadIdx.x == 0) {
    ticks[0] = start;
    ticks[1] = end;
  }
}
