// 72 values are live at the same
// time: they take registers, which
// limits the resident warps.
#define R 72

__global__ void pressure(
    const float *in, float *out)
{
  int i = blockIdx.x * blockDim.x
        + threadIdx.x;
  float r[R];
#pragma unroll
  for (int k = 0; k < R; ++k)
    r[k] = in[i + 32 * k];
  float sum = 0;
#pragma unroll
  for (int k = 0; k < R; ++k)
    sum += r[k] * r[(k + 7) % R];
  out[i] = sum;
}
