// A blur of a gray image whose rows start every `pitch` bytes.
__global__ void blur(const unsigned char *src, unsigned char *dst, int width, int height, size_t pitch)
{
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 1 || y < 1 || x >= width - 1 || y >= height - 1)
    return;
  int sum = 0;
  for (int dy = -1; dy <= 1; dy++)
    for (int dx = -1; dx <= 1; dx++)
      sum += src[(y + dy) * pitch + x + dx];
  dst[y * pitch + x] = (unsigned char)(sum / 9);
}
