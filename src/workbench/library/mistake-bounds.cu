// The bounds check lets one thread
// too many pass: <= instead of <.
__global__ void mistake_bounds(
    const int *in, int *out, int n)
{
  int i = blockIdx.x * blockDim.x
        + threadIdx.x;
  if (i <= n)
    out[i] = 2 * in[i];
}
