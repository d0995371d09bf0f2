// Reads follow rows, writes follow
// columns: each store of a warp
// touches 32 segments of memory.
#define TILE 32
#define ROWS 8

__global__ void transpose_naive(
    float *out, const float *in,
    int width, int height)
{
  int x = blockIdx.x*32 + threadIdx.x;
  int y = blockIdx.y*32 + threadIdx.y;
  for (int j = 0; j < TILE; j += ROWS)
    out[x * height + (y + j)] =
        in[(y + j) * width + x];
}
