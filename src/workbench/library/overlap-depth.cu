// Four parts in four streams: each
// part in, kernel, out.
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
  const int n = 1 << 18, parts = 4;
  const int len = n / parts;
  float *host, *x;
  cudaMallocHost(&host, n * 4);
  cudaMalloc(&x, n * 4);
  cudaStream_t s[parts];
  for (int i = 0; i < parts; i++)
    cudaStreamCreate(&s[i]);
  for (int i = 0; i < parts; i++) {
    float *own = host + i * len;
    float *part = x + i * len;
    cudaMemcpyAsync(
      part, own, len * 4,
      cudaMemcpyHostToDevice, s[i]);
    work<<<len / 256, 256, 0, s[i]>>>(
      part, 300);
    cudaMemcpyAsync(
      own, part, len * 4,
      cudaMemcpyDeviceToHost, s[i]);
  }
  cudaDeviceSynchronize();
}
