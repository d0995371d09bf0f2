// Two loads, an addition, a store:
// warps mostly wait for memory. Only
// other warps hide the latency.
__global__ void vector_add(
    const float *a, const float *b,
    float *c, int n)
{
  int i = blockIdx.x * blockDim.x
        + threadIdx.x;
  if (i < n)
    c[i] = a[i] + b[i];
}
