// Four kernels on the same data,
// which goes to the device and back
// for each of them.
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
  const int n = 1 << 16;
  float *host, *x;
  cudaMallocHost(&host, n * 4);
  cudaMalloc(&x, n * 4);
  for (int k = 0; k < 4; k++) {
    cudaMemcpy(x, host, n * 4,
      cudaMemcpyHostToDevice);
    work<<<n / 256, 256>>>(x, 300);
    cudaMemcpy(host, x, n * 4,
      cudaMemcpyDeviceToHost);
  }
}
