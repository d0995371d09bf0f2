// Two dependent kernels in each of
// eight streams, stream by stream.
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
  const int num = 8;
  float *x;
  cudaMalloc(&x, num * 32 * 4);
  cudaStream_t s[num];
  for (int i = 0; i < num; i++)
    cudaStreamCreate(&s[i]);
  for (int i = 0; i < num; i++) {
    float *own = x + 32 * i;
    work<<<1, 32, 0, s[i]>>>(
      own, 12000);
    work<<<1, 32, 0, s[i]>>>(
      own, 12000);
  }
  cudaDeviceSynchronize();
}
