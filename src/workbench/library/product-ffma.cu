// A warp computes 16 x 16 sums in
// single precision, eight in a lane.
// Compare it with tensor cores.
#include <cuda_fp16.h>
__global__ void product_ffma(
    float *d, const half *a,
    const half *b, int n)
{
  int row = 16 * threadIdx.y
          + threadIdx.x / 16 * 8;
  int col = 16 * blockIdx.x
          + threadIdx.x % 16;
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
}
