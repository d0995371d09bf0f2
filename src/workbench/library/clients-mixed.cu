// Run by several processes. Process
// 0 fills the GPU with long kernels;
// the others need a small one often.
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

int main(int argc, char **argv)
{
  int me = 0;
  if (argc > 1)
    me = atoi(argv[1]);
  float *x;
  cudaMalloc(&x, 2 << 20);
  if (me == 0) {
    // 32 KB per block: few fit an SM.
    for (int i = 0; i < 2; i++)
      work<<<1024, 32, 32768>>>(
        x, 3000);
    cudaDeviceSynchronize();
  } else {
    for (int i = 0; i < 10; i++) {
      work<<<1, 32, 32768>>>(x, 200);
      cudaDeviceSynchronize();
    }
  }
}
