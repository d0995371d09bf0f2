// The same kernel, limited to fit 16
// blocks: values without a register
// are spilled to local memory.
#define R 72

__global__ void
__launch_bounds__(64, 16)
pressure_spilled(
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
