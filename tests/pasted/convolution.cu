// A convolution whose weights are in constant memory, which the rest of the program sets.
__constant__ float weights[9];
__global__ void convolve(const float *in, float *out, int cols, int rows)
{
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= cols || y >= rows)
    return;
  float sum = 0.0f;
  for (int j = 0; j < 3; j++)
    for (int i = 0; i < 3; i++) {
      int cx = min(max(x + i - 1, 0), cols - 1), cy = min(max(y + j - 1, 0), rows - 1);
      sum += weights[j * 3 + i] * in[cy * cols + cx];
    }
  out[y * cols + x] = sum;
}
