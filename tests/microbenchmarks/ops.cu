// LENGTH instructions of one kind in a row, without a loop: OP names it, T is its type, ILP says how many
// independent chains a thread has. Operands come from memory, so that they are in registers.
#ifndef OP
#define OP FFMA
#define T float
#define ILP 1
#define LENGTH 16
#endif
#ifdef HALF
#include <cuda_fp16.h>
#endif
#define FFMA(x) x = x * b + c;
#define FADD(x) x = x + b;
#define FMUL(x) x = x * b;
#define EX2(x) x = exp2f(x);
#define LG2(x) x = __log2f(x);
#define RSQRT(x) x = rsqrtf(x);
#define SIN(x) x = __sinf(x);
#define SQRT(x) x = sqrtf(x);
#define FDIV(x) x = b / x;
#define FDIVIDEF(x) x = __fdividef(b, x);
// To an integer and back: two conversions.
#define CONVERT(x) x = (float)(int)x;
#define CONVERT64(x) x = (double)(int)x;
#define DFMA(x) x = x * b + c;
// T is __half2.
#define HFMA2(x) x = __hfma2(x, b, c);
#define DADD(x) x = x + b;
#define DMUL(x) x = x * b;
#define DDIV(x) x = b / x;
// An instruction with three operands where there is one.
#if __CUDA_ARCH__ >= 500
#define IADD(x) x = x + b + c;
#else
#define IADD(x) x = x + b;
#endif
#define LOP(x) x = ~(x & b);
#define SHL(x) x = x << b;
// One after the other, as a maximum of a minimum is one instruction on some chips.
#define IMIN(x) x = i % 2 ? max(x, c) : min(x, b);
#define IMUL(x) x = x * b;
#define IMAD(x) x = x * b + c;
#define MUL24(x) x = __mul24(x, b);
#define IDIV(x) x = b / x;
#define UDIV(x) x = b / x;
#define POPC(x) x = __popc(x);
#define BREV(x) x = __brev(x);
#define SHFL(x) x = __shfl_xor_sync(0xffffffffu, x, 1);
#define DO(x) OP(x)
#if ILP == 1
#define EACH DO(x0)
#elif ILP == 2
#define EACH DO(x0) DO(x1)
#elif ILP == 4
#define EACH DO(x0) DO(x1) DO(x2) DO(x3)
#else
#define EACH DO(x0) DO(x1) DO(x2) DO(x3) DO(x4) DO(x5) DO(x6) DO(x7)
#endif

__global__ void ops(int *ticks, T *out, const T *in)
{
  T b = in[0], c = in[1];
  T x0 = in[2], x1 = in[3], x2 = in[4], x3 = in[5];
  T x4 = in[6], x5 = in[7], x6 = in[8], x7 = in[9];
  // All have come before the clock is read.
  out[threadIdx.x] = x0 + x1 + x2 + x3 + x4 + x5 + x6 + x7 + b + c;
  __syncthreads();
  int start = clock();
#pragma unroll
  for (int i = 0; i < LENGTH; i++) {
    EACH
  }
  // Before the clock, or the instructions would be moved behind it.
  out[threadIdx.x] = x0 + x1 + x2 + x3 + x4 + x5 + x6 + x7 + b + c;
  int end = clock();
  int warp = threadIdx.x / 32;
  if (threadIdx.x % 32 == 0) {
    ticks[2 * warp] = start;
    ticks[2 * warp + 1] = end;
  }
}
