// Loads from volatile shared memory, dynamic and of bytes, in a loop that the compiler unrolls.
#ifndef WAYS
#define WAYS 2
#define ILP 1
#endif
__global__ void loads(int *ticks, unsigned *out, int n)
{
  extern __shared__ unsigned char bytes[];
  volatile unsigned *words = (volatile unsigned *)bytes;
  for (unsigned i = threadIdx.x; i < 1024; i += blockDim.x)
    words[i] = 4 * i;
  unsigned lane = threadIdx.x & 31;
  unsigned p[ILP];
  for (int j = 0; j < ILP; j++)
    p[j] = 4 * (lane * WAYS % 32 + 32 * (lane * WAYS / 32));
  const int turn = 64 / ILP;
  int steps = n * turn;
  __syncthreads();
  int begin = clock();
#pragma unroll turn
  for (int i = 0; i < steps; i++) {
    for (int j = 0; j < ILP; j++)
      p[j] = *(volatile unsigned *)(bytes + p[j]);
  }
  int end = clock();
  unsigned sum = 0;
  for (int j = 0; j < ILP; j++)
    sum += p[j];
  out[threadIdx.x] = sum;
  if (lane == 0) {
    ticks[threadIdx.x / 32 * 2] = begin;
    ticks[threadIdx.x / 32 * 2 + 1] = end;
  }
}
