// A ring of element numbers in a texture of linear memory, STRIDE bytes apart, walked by one thread. It
// is walked ROUNDS times before the one that is timed; the launch makes it SIZE bytes around.
#ifndef STRIDE
#define STRIDE 32
#define SIZE 2048
#define ROUNDS 1
#endif
texture<int, 1, cudaReadModeElementType> ring;
__global__ void chase(int *ticks, int *out, int n)
{
  int at = 0;
#pragma unroll 1
  for (int i = 0; i < ROUNDS * (SIZE / STRIDE); i++)
    at = tex1Dfetch(ring, at);
  int start = clock();
#pragma unroll 1
  for (int i = 0; i < n; i++) {
#pragma unroll
    for (int k = 0; k < 16; k++)
      at = tex1Dfetch(ring, at);
  }
  out[0] = at;
  int end = clock();
  ticks[0] = start;
  ticks[1] = end;
}
