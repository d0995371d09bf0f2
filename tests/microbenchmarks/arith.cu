// Chains of one instruction: OP chooses it, ILP says how many independent chains a thread has. The usual
// FFMA has two registers as operands; the last OP has three, which need a port of the register file more.
#ifndef OP
#define OP 0
#define ILP 2
#endif
#if OP == 0
#define T float
#define DO(x) x = fmaf(x, x, b);
#elif OP == 1
#define T float
#define DO(x) x = x + b;
#elif OP == 2
#define T int
#define DO(x) x = x * b + c;
#elif OP == 3
#define T double
#define DO(x) x = fma(x, b, c);
#elif OP == 4
#define T float
#define DO(x) x = exp2f(x);
#elif OP == 5
#define T int
#define DO(x) x = (x ^ b) + c;
#elif OP == 6
#define T int
#define DO(x) x = __shfl_xor_sync(0xffffffffu, x, 1);
#elif OP == 7
#define T float
#define DO(x) x = fmaf(x, b, c);
#endif
#if ILP == 1
#define EACH(X) X(x0)
#elif ILP == 2
#define EACH(X) X(x0) X(x1)
#elif ILP == 4
#define EACH(X) X(x0) X(x1) X(x2) X(x3)
#else
#define EACH(X) X(x0) X(x1) X(x2) X(x3) X(x4) X(x5) X(x6) X(x7)
#endif
#define FOUR(X) EACH(X) EACH(X) EACH(X) EACH(X)

__global__ void chains(int *ticks, T *out, T b, T c, int n)
{
  T x0 = threadIdx.x, x1 = x0 + 1, x2 = x0 + 2, x3 = x0 + 3;
  T x4 = x0 + 4, x5 = x0 + 5, x6 = x0 + 6, x7 = x0 + 7;
  __syncthreads();
  int start = clock();
#pragma unroll 1
  for (int i = 0; i < n; i++) {
    // 256 instructions, so that the end of the loop is a small part.
#pragma unroll
    for (int k = 0; k < 64 / ILP; k++) {
      FOUR(DO)
    }
  }
  int end = clock();
  int warp = threadIdx.x / 32;
  if (threadIdx.x % 32 == 0) {
    ticks[2 * warp] = start;
    ticks[2 * warp + 1] = end;
  }
  out[threadIdx.x] = x0 + x1 + x2 + x3 + x4 + x5 + x6 + x7;
}
