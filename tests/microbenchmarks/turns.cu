// As shared.cu, of those warps of the block alone whose bit is set in `mask`: warps of one scheduler and of
// several. A round is eight loads of each chain, 1 to 8 chains.
#ifndef WAYS
#define WAYS 2
#define ILP 1
#endif
#define DO(x) x = *(int *)((char *)words + x);
#define EACH1 DO(x0)
#define EACH2 EACH1 DO(x1)
#define EACH3 EACH2 DO(x2)
#define EACH4 EACH3 DO(x3)
#define EACH5 EACH4 DO(x4)
#define EACH6 EACH5 DO(x5)
#define EACH7 EACH6 DO(x6)
#define EACH8 EACH7 DO(x7)
#define JOIN(a, b) a##b
#define EACH_OF(ilp) JOIN(EACH, ilp)
#define EACH EACH_OF(ILP)
#define FOUR EACH EACH EACH EACH

__global__ void turns(int *ticks, int *out, unsigned mask, int n)
{
  __shared__ int words[1024];
  for (int i = threadIdx.x; i < 1024; i += blockDim.x)
    words[i] = 4 * i;
  int lane = threadIdx.x % 32;
  int warp = threadIdx.x / 32;
  // WAYS lanes in a bank, each with a word of its own.
  int x0 = 4 * (lane * WAYS % 32 + 32 * (lane * WAYS / 32));
  int x1 = x0, x2 = x0, x3 = x0, x4 = x0, x5 = x0, x6 = x0, x7 = x0;
  __syncthreads();
  if (!(mask >> warp & 1))
    return;
  int start = clock();
#pragma unroll 1
  for (int i = 0; i < n; i++) {
    FOUR FOUR
  }
  int end = clock();
  if (lane == 0) {
    ticks[2 * warp] = start;
    ticks[2 * warp + 1] = end;
  }
  out[threadIdx.x] = x0 + x1 + x2 + x3 + x4 + x5 + x6 + x7;
}
