// How many stores to shared memory, with WAYS lanes on one bank, the queues and units take before a warp has to
// wait: LENGTH of them in a row, of those warps of the block whose bit is set in `mask`.
#ifndef WAYS
#define WAYS 32
#define LENGTH 8
#endif

__global__ void depth(int *ticks, int *out, unsigned mask, int n)
{
  __shared__ int words[1024];
  for (int i = threadIdx.x; i < 1024; i += blockDim.x)
    words[i] = 0;
  int lane = threadIdx.x % 32;
  int warp = threadIdx.x / 32;
  volatile int *own = words + lane * WAYS % 32 + 32 * (lane * WAYS / 32);
  __syncthreads();
  if (!(mask >> warp & 1))
    return;
  // The first time round finds the instructions in no cache.
  int start = 0, end = 0;
#pragma unroll 1
  for (int i = 0; i < n; i++) {
    for (int wait = 0; wait < 200; wait++)
      out[threadIdx.x] = *own;
    __threadfence_block();
    start = clock();
#pragma unroll 1
    for (int once = 0; once < n - 1; once++) {
#pragma unroll
      for (int k = 0; k < LENGTH; k++)
        *own = k;
    }
    end = clock();
  }
  if (lane == 0) {
    ticks[2 * warp] = start;
    ticks[2 * warp + 1] = end;
  }
}
