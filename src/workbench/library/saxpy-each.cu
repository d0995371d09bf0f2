// One element per thread: no loop,
// but eight times the blocks, and
// each thread computes its index.
__global__ void saxpy_each(
    float a, const float *x,
    float *y, int n)
{
  int i = blockIdx.x * blockDim.x
        + threadIdx.x;
  if (i < n)
    y[i] = a * x[i] + y[i];
}
