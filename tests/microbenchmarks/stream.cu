// Reads global memory in order: each of THREADS threads TYPE by TYPE (WIDTH bytes), FLIGHT loads before the
// first is used, again and again over SIZE bytes (a power of two), of which all were read before if WARM.
#ifndef TYPE
#define TYPE float
#define WIDTH 4
#define FLIGHT 1
#define SIZE 4096
#define THREADS 32
#define WARM 0
#endif
#if WIDTH == 4
#define SUM(v) sum += v;
#elif WIDTH == 8
#define SUM(v) sum += v.x + v.y;
#else
#define SUM(v) sum += v.x + v.y + v.z + v.w;
#endif

__global__ void stream(int *ticks, float *out, const char *data, int n)
{
  float sum = 0;
  unsigned at = 0;
  data += threadIdx.x * WIDTH;
#if WARM
#pragma unroll 1
  for (int i = 0; i < SIZE; i += THREADS * WIDTH) {
    TYPE v = *(const TYPE *)(data + i);
    SUM(v)
  }
#endif
  __syncthreads();
  int start = clock();
#pragma unroll 1
  for (int i = 0; i < n; i++) {
    TYPE v[FLIGHT];
#pragma unroll
    for (int k = 0; k < FLIGHT; k++)
      v[k] = *(const TYPE *)(data + at + k * THREADS * WIDTH);
#pragma unroll
    for (int k = 0; k < FLIGHT; k++)
      SUM(v[k])
    at = (at + FLIGHT * THREADS * WIDTH) & (SIZE - 1);
  }
  out[threadIdx.x] = sum;
  int end = clock();
  int warp = threadIdx.x / 32;
  if (threadIdx.x % 32 == 0) {
    ticks[2 * warp] = start;
    ticks[2 * warp + 1] = end;
  }
}
