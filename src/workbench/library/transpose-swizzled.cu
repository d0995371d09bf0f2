// The tile has only 32 columns. XOR
// of row and column spreads each
// column over all banks: no
// conflicts.
#define TILE 32
#define ROWS 8

__global__ void transpose_swizzled(
    float *out, const float *in,
    int width, int height)
{
  __shared__ float tile[TILE][TILE];
  int tx = threadIdx.x;
  int ty = threadIdx.y;
  int x = blockIdx.x * TILE + tx;
  int y = blockIdx.y * TILE + ty;
  for (int j = 0; j < TILE; j += ROWS)
    tile[ty + j][tx ^ (ty + j)] =
        in[(y + j) * width + x];
  __syncthreads();
  x = blockIdx.y * TILE + tx;
  y = blockIdx.x * TILE + ty;
  for (int j = 0; j < TILE; j += ROWS)
    out[(y + j) * height + x] =
        tile[tx][(ty + j) ^ tx];
}
