// GPU 0 works on its own memory,
// and then on the memory of GPU 1:
// its accesses go over the link.
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
  const int n = 1 << 20;
  int can = 0;
  float *own, *far;
  cudaSetDevice(1);
  cudaMalloc(&far, n * 4);
  cudaSetDevice(0);
  cudaMalloc(&own, n * 4);
  cudaDeviceCanAccessPeer(
    &can, 0, 1);
  if (!can)
    return 1;
  cudaDeviceEnablePeerAccess(1, 0);
  work<<<n / 256, 256>>>(own, 2);
  work<<<n / 256, 256>>>(far, 2);
  cudaDeviceSynchronize();
}
