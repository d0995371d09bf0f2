// The types and functions of half need their header.
__global__ void k(half *h) { h[0] = h[1]; }
//~ 19 error: The type `half` is declared in a header that is not included.
//~ note: Write `#include <cuda_fp16.h>` before its first use.
__global__ void f(unsigned short *h) { h[0] = __float2half(1.0f); }
//~ 47 error: The function `__float2half` is declared in a header that is not included.
//~ note: Write `#include <cuda_fp16.h>` before its first use.
__global__ void fine(float *half) { half[0] = 1; }
