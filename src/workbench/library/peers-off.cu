// GPU 0 sends its data to each other
// GPU, without peer access.
// How long a block takes
// depends on the rounds.
__global__ void work(
    float *x, int rounds)
{
  int i = blockIdx.x * blockDim.x
    + threadIdx.x;
  float v = x[i];
  for (int r = 0; r < rounds; r++)
    v = v * 0.5f + 1.0f;
  x[i] = v;
}

int main()
{
  const int n = 1 << 22;
  int num;
  float *data[8];
  cudaGetDeviceCount(&num);
  for (int i = 0; i < num; i++) {
    cudaSetDevice(i);
    cudaMalloc(&data[i], n * 4);
  }
  cudaSetDevice(0);
  work<<<n / 4096, 256>>>(
    data[0], 20);
  for (int i = 1; i < num; i++)
    cudaMemcpyPeerAsync(data[i], i,
      data[0], 0, n * 4);
  cudaDeviceSynchronize();
}
