// A warp computes 16 x 16 sums of
// 8-bit floats (E4M3). Chips before
// 8.9 use singles. All factors are
// small integers, exact in 8 bits.
#include <cuda_fp16.h>
#if __CUDA_ARCH__ >= 890
#include <cuda_fp8.h>
__device__ unsigned four(
    const half *p, int step)
{
  unsigned word = 0;
  for (int i = 3; i >= 0; --i)
    word = word << 8 | __nv_fp8_e4m3(
        p[i * step]).__x;
  return word;
}
#endif
__global__ void product_fp8(
    float *d, const half *a,
    const half *b, int n)
{
  int row = 16 * threadIdx.y;
  int col = 16 * blockIdx.x;
#if __CUDA_ARCH__ >= 890
  int g = threadIdx.x / 4;
  int t = threadIdx.x % 4;
  float s[8] = {};
  for (int m = 0; m < n; m += 32) {
    unsigned l[4], r[2];
    int k = m + 4 * t, c = col + g;
    for (int i = 0; i < 4; ++i) {
      int y = row + g + i % 2 * 8;
      l[i] = four(a + y * n + k
          + i / 2 * 16, 1);
    }
    for (int h = 0; h < 8; h += 4) {
      for (int i = 0; i < 2; ++i)
        r[i] = four(b + c + 2 * h
            + (k + 16 * i) * n, n);
      asm("mma.sync.aligned.m16n8k32"
        ".row.col.f32.e4m3.e4m3.f32 "
        "{%0,%1,%2,%3}, "
        "{%4,%5,%6,%7}, "
        "{%8,%9}, {%0,%1,%2,%3};"
        : "+f"(s[h]), "+f"(s[h + 1]),
        "+f"(s[h + 2]), "+f"(s[h + 3])
        : "r"(l[0]), "r"(l[1]),
        "r"(l[2]), "r"(l[3]),
        "r"(r[0]), "r"(r[1]));
    }
  }
  for (int i = 0; i < 8; ++i) {
    int x = i / 4 * 8 + 2 * t + i % 2;
    int y = g + i % 4 / 2 * 8;
    d[(row + y) * n + col + x] = s[i];
  }
#else
  row += threadIdx.x / 16 * 8;
  col += threadIdx.x % 16;
  float sum[8] = {};
  for (int k = 0; k < n; ++k) {
    float right =
        __half2float(b[k * n + col]);
    for (int i = 0; i < 8; ++i)
      sum[i] += right * __half2float(
          a[(row + i) * n + k]);
  }
  for (int i = 0; i < 8; ++i)
    d[(row + i) * n + col] = sum[i];
#endif
}
