// Two dependent kernels in each of
// eight streams: first the first
// kernel of all streams.
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
  for (int k = 0; k < 2; k++)
    for (int i = 0; i < num; i++)
      work<<<1, 32, 0, s[i]>>>(
        x + 32 * i, 12000);
  cudaDeviceSynchronize();
}
