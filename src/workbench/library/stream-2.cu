// A copy, two floats per thread: both
// loads are in flight together.
__global__ void stream_2(
    const float *in, float *out)
{
  int n = blockDim.x;
  int i = 2 * blockIdx.x * n
        + threadIdx.x;
  float a = in[i];
  float b = in[i + n];
  out[i] = a;
  out[i + n] = b;
}
