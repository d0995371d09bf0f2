// The tile has one more column: the
// words of a column are in different
// banks; line 25 takes one wavefront.
#define TILE 32
#define ROWS 8

__global__ void transpose_padded(
    float *out, const float *in,
    int width, int height)
{
  // a row: one word more than banks
  __shared__ float tile[TILE][TILE+1];
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
