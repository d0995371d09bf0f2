// Rows of fused multiply-add: a number of the text as a factor, another added.
#ifndef T
#define T float
#define ILP 2
#endif
#define STEP(j) \
  if (j < ILP) \
    v[j] = v[j] * (T)0.999 + (T)0.001;
#define STEPS STEP(0) STEP(1) STEP(2) STEP(3) STEP(4) STEP(5) STEP(6) STEP(7)
__global__ void rows(int *ticks, T *out, int n)
{
  T v[8];
  for (int j = 0; j < 8; j++)
    v[j] = (T)(threadIdx.x * (j + 1));
  __syncthreads();
  int begin = clock();
  do {
#pragma unroll
    for (int k = 0; k < 256 / ILP; k++) {
      STEPS
    }
  } while (--n);
  int end = clock();
  out[threadIdx.x] = v[0] + v[1] + v[2] + v[3] + v[4] + v[5] + v[6] + v[7];
  int warp = threadIdx.x / warpSize;
  if (threadIdx.x % warpSize == 0) {
    ticks[2 * warp] = begin;
    ticks[2 * warp + 1] = end;
  }
}
