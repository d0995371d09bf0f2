// A warp computes 16 x 16 sums. The
// factors are rounded to TF32, which
// has 10 bits of fraction, not 23.
// Chips before 8.0 do not round.
#if __CUDA_ARCH__ >= 800
#include <mma.h>
using namespace nvcuda::wmma;
using precision::tf32;
template <class T>
__device__ void round(T &f)
{
  for (int i = 0;
       i < f.num_elements; ++i)
    f.x[i] = __float_to_tf32(f.x[i]);
}
#endif
__global__ void product_tf32(
    float *d, const float *a,
    const float *b, int n)
{
  int row = 16 * threadIdx.y;
  int col = 16 * blockIdx.x;
#if __CUDA_ARCH__ >= 800
  fragment<matrix_a, 16, 16, 8, tf32,
           row_major> left;
  fragment<matrix_b, 16, 16, 8, tf32,
           row_major> right;
  fragment<accumulator, 16, 16, 8,
           float> sum;
  fill_fragment(sum, 0.0f);
  for (int k = 0; k < n; k += 8) {
    load_matrix_sync(
        left, a + row * n + k, n);
    load_matrix_sync(
        right, b + k * n + col, n);
    round(left);
    round(right);
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
    float right = b[k * n + col];
    for (int i = 0; i < 8; ++i)
      sum[i] += right
          * a[(row + i) * n + k];
  }
  for (int i = 0; i < 8; ++i)
    d[(row + i) * n + col] = sum[i];
#endif
}
