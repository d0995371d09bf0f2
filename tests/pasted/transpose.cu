// A transpose through a padded tile, for any size.
#define SIDE 32
__global__ void transpose(float *out, const float *in, int width, int height)
{
  __shared__ float tile[SIDE][SIDE + 1];
  int x = blockIdx.x * SIDE + threadIdx.x;
  int y = blockIdx.y * SIDE + threadIdx.y;
  if (x < width && y < height)
    tile[threadIdx.y][threadIdx.x] = in[y * width + x];
  __syncthreads();
  x = blockIdx.y * SIDE + threadIdx.x;
  y = blockIdx.x * SIDE + threadIdx.y;
  if (x < height && y < width)
    out[y * height + x] = tile[threadIdx.x][threadIdx.y];
}
