// The warps work for different times,
// then stall at the barrier until the
// slowest arrives, and read what
// another warp wrote.
__global__ void barrier(
    int *out, int base, int more)
{
  __shared__ int s[256];
  int t = threadIdx.x;
  int rounds = base + more * (t / 32);
  int v = t;
  for (int k = 0; k < rounds; ++k)
    v = v * 3 + (v >> 5);
  s[t] = v;
  __syncthreads();
  out[blockIdx.x * 256 + t] =
      s[255 - t];
}
