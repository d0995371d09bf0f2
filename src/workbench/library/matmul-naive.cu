// Each product fetches both factors
// from memory: of the lanes of a
// warp, 16 ask for the same word of
// a.
__global__ void matmul_naive(
    float *c, const float *a,
    const float *b, int n)
{
  int row = blockIdx.y * 16
          + threadIdx.y;
  int col = blockIdx.x * 16
          + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; k += 8)
    for (int j = 0; j < 8; ++j)
      sum += a[row * n + k + j]
           * b[(k + j) * n + col];
  c[row * n + col] = sum;
}
