// Threads past the end skip the
// barrier at which the others wait.
__global__ void mistake_barrier(
    const int *in, int *out, int n)
{
  __shared__ int s[64];
  int t = threadIdx.x;
  int v = 0;
  if (t < n) {
    s[t] = in[t];
    __syncthreads();
    v = s[n - 1 - t];
  }
  out[t] = v;
}
