// Rows of fused multiply-add: a loop of which nothing is said.
#ifndef T
#define T float
#define ILP 2
#endif
__global__ void rows(int *ticks, T *out, const T *in, int n)
{
  T a[ILP];
#pragma unroll
  for (int j = 0; j < ILP; j++)
    a[j] = in[threadIdx.x + j];
  T b = in[8];
  T c = in[9];
  __syncthreads();
  int begin = clock();
  int steps = n * (256 / ILP / 16);
  for (int i = 0; i < steps; i++) {
#pragma unroll
    for (int k = 0; k < 16; k++) {
#pragma unroll
      for (int j = 0; j < ILP; j++)
        a[j] = fma(a[j], b, c);
    }
  }
  int end = clock();
  T sum = 0;
#pragma unroll
  for (int j = 0; j < ILP; j++)
    sum += a[j];
  out[threadIdx.x] = sum;
  if (threadIdx.x % 32 == 0) {
    ticks[threadIdx.x / 32 * 2] = begin;
    ticks[threadIdx.x / 32 * 2 + 1] = end;
  }
}
