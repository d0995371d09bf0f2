// Run by several processes, each
// with kernels that need few SMs.
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
  float *x;
  cudaMalloc(&x, 1 << 20);
  for (int i = 0; i < 4; i++) {
    work<<<8, 128>>>(x, 2000);
    work<<<8, 128>>>(x, 2000);
    cudaDeviceSynchronize();
  }
}
