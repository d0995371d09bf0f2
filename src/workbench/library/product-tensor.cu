// A warp computes 16 x 16 sums on the
// tensor cores. Chips before 7.0 have
// none and use single precision.
#include <cuda_fp16.h>
#if __CUDA_ARCH__ >= 700
#include <mma.h>
using namespace nvcuda::wmma;
#endif
__global__ void product_tensor(
    float *d, const half *a,
    const half *b, int n)
{
  int row = 16 * threadIdx.y;
  int col = 16 * blockIdx.x;
#if __CUDA_ARCH__ >= 700
  fragment<matrix_a, 16, 16, 16,
           half, row_major> left;
  fragment<matrix_b, 16, 16, 16,
           half, row_major> right;
  fragment<accumulator, 16, 16, 16,
           float> sum;
  fill_fragment(sum, 0.0f);
  for (int k = 0; k < n; k += 16) {
    load_matrix_sync(
        left, a + row * n + k, n);
    load_matrix_sync(
        right, b + k * n + col, n);
    mma_sync(sum, left, right, sum);
  }
  store_matrix_sync(
      d + row * n + col, sum, n,
      mem_row_major);
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
