// A warp computes 8 x 8 sums of 4-bit
// integers, eight in a word. Chips
// before 7.5 extract each number; 9.0
// has no product of 4 bits and
// multiplies bytes.
#if __CUDA_ARCH__ >= 750
#include <mma.h>
using namespace nvcuda::wmma;
using namespace
    experimental::precision;
#endif
__global__ void product_int4(
    int *d, const int *a,
    const int *b, int n)
{
  int row = 8 * threadIdx.y;
  int col = 8 * blockIdx.x;
  int words = n / 8;
#if __CUDA_ARCH__ >= 750
  fragment<matrix_a, 8, 8, 32, s4,
           row_major> left;
  fragment<matrix_b, 8, 8, 32, s4,
           col_major> right;
  fragment<accumulator, 8, 8, 32,
           int> sum;
  fill_fragment(sum, 0);
  for (int w = 0; w < words; w += 4) {
    load_matrix_sync(left,
        a + row * words + w, n);
    load_matrix_sync(right,
        b + col * words + w, n);
    mma_sync(sum, left, right, sum);
  }
  store_matrix_sync(
      d + row * 32 + col, sum, 32,
      mem_row_major);
#else
  row += threadIdx.x / 8 * 2;
  col += threadIdx.x % 8;
  int sum[2] = {};
  for (int w = 0; w < words; ++w) {
    int x = a[row * words + w];
    int y = a[(row + 1) * words + w];
    int z = b[col * words + w];
    for (int i = 28; i >= 0; i -= 4) {
      int f = z << i >> 28;
      sum[0] += (x << i >> 28) * f;
      sum[1] += (y << i >> 28) * f;
    }
  }
  d[row * 32 + col] = sum[0];
  d[(row + 1) * 32 + col] = sum[1];
#endif
}
