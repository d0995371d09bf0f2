// Loads from shared memory, each of where the last one led: a loop of which nothing is said.
#ifndef WAYS
#define WAYS 2
#define ILP 1
#endif
__global__ void loads(int *ticks, int *out, int n)
{
  __shared__ int words[1024];
  for (int i = threadIdx.x; i < 1024; i += blockDim.x)
    words[i] = i * 4;
  int lane = threadIdx.x % 32;
  int word = lane * WAYS % 32 + lane * WAYS / 32 * 32;
  int at[ILP];
#pragma unroll
  for (int j = 0; j < ILP; j++)
    at[j] = word * 4;
  __syncthreads();
  int begin = clock();
  int steps = n * (64 / ILP);
  for (int i = 0; i < steps; i++) {
#pragma unroll
    for (int j = 0; j < ILP; j++)
      at[j] = *(int *)((char *)words + at[j]);
  }
  int end = clock();
  int sum = 0;
#pragma unroll
  for (int j = 0; j < ILP; j++)
    sum += at[j];
  out[threadIdx.x] = sum;
  if (lane == 0) {
    ticks[2 * (threadIdx.x / 32)] = begin;
    ticks[2 * (threadIdx.x / 32) + 1] = end;
  }
}
