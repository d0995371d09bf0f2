// Each thread computes four adjacent
// elements of a row: one 128-bit load
// of shared memory feeds 4 products.
#define T 16

__global__ void matmul_float4(
    float4 *c, const float4 *a,
    const float4 *b, int n)
{
  __shared__ float as[T][T];
  __shared__ float4 bs[T][T / 4];
  int x = threadIdx.x;
  int y = threadIdx.y;
  int row = blockIdx.y * T + y;
  int col = blockIdx.x * T / 4 + x;
  float4 s = make_float4(0, 0, 0, 0);
  for (int t = 0; t < n; t += T) {
    int at = (row * n + t) / 4 + x;
    float4 v = a[at];
    as[y][4 * x] = v.x;
    as[y][4 * x + 1] = v.y;
    as[y][4 * x + 2] = v.z;
    as[y][4 * x + 3] = v.w;
    at = (t + y) * n / 4 + col;
    bs[y][x] = b[at];
    __syncthreads();
    for (int k = 0; k < T; ++k) {
      float p = as[y][k];
      float4 q = bs[k][x];
      s.x += p * q.x;
      s.y += p * q.y;
      s.z += p * q.z;
      s.w += p * q.w;
    }
    __syncthreads();
  }
  c[row * n / 4 + col] = s;
}
