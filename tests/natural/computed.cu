// Rows of fused multiply-add: factors computed of the thread, the constant first, the loop unrolled
// by so many, the rest of it whatever the compiler makes.
#ifndef T
#define T float
#define ILP 2
#endif
__global__ void rows(int *ticks, T *out, int n)
{
  int t = threadIdx.x;
  T b = (T)1 - (T)t * (T)0.0001;
  T c = (T)t * (T)0.5 + (T)1;
  T a[ILP];
  for (int j = 0; j < ILP; j++)
    a[j] = t + j;
  const int turn = 256 / ILP;
  int steps = n * turn;
  __syncthreads();
  long long begin = clock64();
#pragma unroll turn
  for (int i = 0; i < steps; i++) {
    for (int j = 0; j < ILP; j++)
      a[j] = c + b * a[j];
  }
  long long end = clock64();
  T sum = a[0];
  for (int j = 1; j < ILP; j++)
    sum += a[j];
  out[t] = sum;
  if (t % 32 == 0) {
    ticks[2 * (t / 32)] = (int)begin;
    ticks[2 * (t / 32) + 1] = (int)end;
  }
}
