// Each product loads both factors
// from global memory: 16 lanes of a
// warp read the same word of a, 16
// another one.
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
