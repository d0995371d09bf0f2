// A warp computes 16 x 16 sums of
// bytes on the tensor cores. Chips
// before 7.2 multiply integers.
#if __CUDA_ARCH__ >= 720
#include <mma.h>
using namespace nvcuda::wmma;
#endif
__global__ void product_bytes(
    int *d, const signed char *a,
    const signed char *b, int n)
{
  int row = 16 * threadIdx.y;
  int col = 16 * blockIdx.x;
#if __CUDA_ARCH__ >= 720
  fragment<matrix_a, 16, 16, 16,
           signed char,
           row_major> left;
  fragment<matrix_b, 16, 16, 16,
           signed char,
           col_major> right;
  fragment<accumulator, 16, 16, 16,
           int> sum;
  fill_fragment(sum, 0);
  for (int k = 0; k < n; k += 16) {
    load_matrix_sync(
        left, a + row * n + k, n);
    load_matrix_sync(
        right, b + col * n + k, n);
    mma_sync(sum, left, right, sum);
  }
  store_matrix_sync(
      d + row * n + col, sum, n,
      mem_row_major);
#else
  row += threadIdx.x / 16 * 8;
  col += threadIdx.x % 16;
  int sum[8] = {};
  for (int k = 0; k < n; ++k)
    for (int i = 0; i < 8; ++i)
      sum[i] += a[(row + i) * n + k]
              * b[col * n + k];
  for (int i = 0; i < 8; ++i)
    d[(row + i) * n + col] = sum[i];
#endif
}
