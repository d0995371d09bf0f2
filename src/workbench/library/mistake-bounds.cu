// The guard lets one thread too many
// pass: <= where < is needed.
__global__ void mistake_bounds(
    const int *in, int *out, int n)
{
  int i = blockIdx.x * blockDim.x
        + threadIdx.x;
  if (i <= n)
    out[i] = 2 * in[i];
}
