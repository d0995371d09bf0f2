// Barriers, atomics and constants, 64 in a row. OP chooses.
#ifndef OP
#define OP 0
#define LANES 1
#endif
__constant__ int table[1024];
#if OP == 0
#define DO __syncthreads();
#elif OP == 1
#define DO x = atomicAdd((int *)((char *)words + x), 0);
#elif OP == 2
#define DO x = *(const int *)((const char *)table + x);
#elif OP == 3
#define DO x = atomicAdd((int *)((char *)far + x), 0);
#elif OP == 4
#define DO __syncwarp();
#endif
#define FOUR DO DO DO DO
#define SIXTEEN FOUR FOUR FOUR FOUR

__global__ void units(int *ticks, int *out, int *far, int n)
{
  __shared__ int words[1024];
  // Each word leads to itself.
  for (int i = threadIdx.x; i < 1024; i += blockDim.x) {
    words[i] = 4 * i;
    far[i] = 4 * i;
  }
  int lane = threadIdx.x % 32;
  // LANES lanes want one word.
  int x = 4 * (lane / LANES + threadIdx.x / 32 * 32);
  __syncthreads();
  int start = clock();
#pragma unroll 1
  for (int i = 0; i < n; i++) {
    SIXTEEN SIXTEEN SIXTEEN SIXTEEN
  }
  int end = clock();
  int warp = threadIdx.x / 32;
  if (lane == 0) {
    ticks[2 * warp] = start;
    ticks[2 * warp + 1] = end;
  }
  out[threadIdx.x] = x;
}
