// All in, one kernel, all out: in
// the default stream.
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
  const int n = 1 << 18;
  float *host, *x;
  cudaMallocHost(&host, n * 4);
  cudaMalloc(&x, n * 4);
  cudaMemcpyAsync(x, host, n * 4,
    cudaMemcpyHostToDevice);
  work<<<n / 256, 256>>>(x, 300);
  cudaMemcpyAsync(host, x, n * 4,
    cudaMemcpyDeviceToHost);
  cudaDeviceSynchronize();
}
