// Only even lanes reach the barrier.
// Up to Pascal one lane arrives for
// its warp; from Volta on the barrier
// needs all threads and deadlocks.
__global__ void barrier_some(
    const int *in, int *out)
{
  __shared__ int s[64];
  int t = threadIdx.x;
  s[t] = in[t];
  if (t % 2 == 0)
    __syncthreads();
  out[t] = s[63 - t];
}
