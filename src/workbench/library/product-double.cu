// A warp computes 8 x 8 sums of
// doubles on the tensor cores. Chips
// before 8.0 use DFMA on FP64 units;
// chips before 1.3 have no doubles.
#if __CUDA_ARCH__ >= 800
#include <mma.h>
using namespace nvcuda::wmma;
#endif
__global__ void product_double(
    double *d, const double *a,
    const double *b, int n)
{
  int row = 8 * threadIdx.y;
  int col = 8 * blockIdx.x;
#if __CUDA_ARCH__ >= 800
  fragment<matrix_a, 8, 8, 4, double,
           row_major> left;
  fragment<matrix_b, 8, 8, 4, double,
           row_major> right;
  fragment<accumulator, 8, 8, 4,
           double> sum;
  fill_fragment(sum, 0.0);
  for (int k = 0; k < n; k += 4) {
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
  row += threadIdx.x / 8 * 2;
  col += threadIdx.x % 8;
  double sum[2] = {};
  for (int k = 0; k < n; ++k) {
    double right = b[k * n + col];
    for (int i = 0; i < 2; ++i)
      sum[i] += right
          * a[(row + i) * n + k];
  }
  for (int i = 0; i < 2; ++i)
    d[(row + i) * n + col] = sum[i];
#endif
}
