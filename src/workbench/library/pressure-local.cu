// An index known only at run time:
// registers cannot be indexed, so the
// array is in local memory.
#define R 16

__global__ void pressure_local(
    const float *in, const int *order,
    float *out)
{
  int i = blockIdx.x * blockDim.x
        + threadIdx.x;
  float r[R];
#pragma unroll
  for (int k = 0; k < R; ++k)
    r[k] = in[i + 32 * k];
  float sum = 0;
  for (int k = 0; k < R; ++k)
    sum = sum * 0.5f + r[order[k]];
  out[i] = sum;
}
