// Rows of fused multiply-add: variables of their own, factors as arguments, a plain loop.
#ifndef T
#define T float
#define ILP 2
#endif
__global__ void rows(int *ticks, T *out, T b, T c, int n)
{
  T a0 = threadIdx.x, a1 = a0 + 1, a2 = a0 + 2, a3 = a0 + 3;
  T a4 = a0 + 4, a5 = a0 + 5, a6 = a0 + 6, a7 = a0 + 7;
  __syncthreads();
  int begin = clock();
#pragma unroll 1
  for (int i = 0; i < n; i++) {
#pragma unroll
    for (int k = 0; k < 256 / ILP; k++) {
      a0 = a0 * b + c;
#if ILP > 1
      a1 = a1 * b + c;
#endif
#if ILP > 2
      a2 = a2 * b + c;
      a3 = a3 * b + c;
#endif
#if ILP > 4
      a4 = a4 * b + c;
      a5 = a5 * b + c;
      a6 = a6 * b + c;
      a7 = a7 * b + c;
#endif
    }
  }
  int end = clock();
  out[threadIdx.x] = a0 + a1 + a2 + a3 + a4 + a5 + a6 + a7;
  if (threadIdx.x % 32 == 0) {
    ticks[threadIdx.x / 32 * 2] = begin;
    ticks[threadIdx.x / 32 * 2 + 1] = end;
  }
}
