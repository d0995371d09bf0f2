// Tiles of both matrices go through
// shared memory; each loaded value is
// used 16 times. No bank conflicts.
#define T 16
__global__ void __launch_bounds__(256)
matmul_tiled(
    float *c, const float *a,
    const float *b, int n)
{
  __shared__ float as[T][T], bs[T][T];
  int x = threadIdx.x;
  int y = threadIdx.y;
  int row = blockIdx.y * T + y;
  int col = blockIdx.x * T + x;
  float sum = 0;
  for (int t = 0; t < n; t += T) {
    as[y][x] = a[row * n + t + x];
    bs[y][x] = b[(t + y) * n + col];
    __syncthreads();
    for (int k = 0; k < T; ++k)
      sum += as[y][k] * bs[k][x];
    __syncthreads();
  }
  c[row * n + col] = sum;
}
