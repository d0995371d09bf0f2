// A warp counts the bits that differ
// between 8 rows and 8 columns. Chips
// before 7.5 use XOR and __popc; 9.0
// has only AND, and executes two.
#if __CUDA_ARCH__ >= 750
#include <mma.h>
using namespace nvcuda::wmma;
using namespace
    experimental::precision;
#endif
__global__ void product_bits(
    int *d, const unsigned *a,
    const unsigned *b, int n)
{
  int row = 8 * threadIdx.y;
  int col = 8 * blockIdx.x;
  int words = n / 32;
#if __CUDA_ARCH__ >= 750
  fragment<matrix_a, 8, 8, 128, b1,
           row_major> left;
  fragment<matrix_b, 8, 8, 128, b1,
           col_major> right;
  fragment<accumulator, 8, 8, 128,
           int> sum;
  fill_fragment(sum, 0);
  for (int w = 0; w < words; w += 4) {
    load_matrix_sync(left,
        a + row * words + w, n);
    load_matrix_sync(right,
        b + col * words + w, n);
    bmma_sync(sum, left, right, sum);
  }
  store_matrix_sync(
      d + row * 32 + col, sum, 32,
      mem_row_major);
#else
  row += threadIdx.x / 8 * 2;
  col += threadIdx.x % 8;
  int sum[2] = {};
  for (int w = 0; w < words; ++w) {
    unsigned z = b[col * words + w];
    for (int i = 0; i < 2; ++i)
      sum[i] += __popc(z
          ^ a[(row + i) * words + w]);
  }
  d[row * 32 + col] = sum[0];
  d[(row + 1) * 32 + col] = sum[1];
#endif
}
