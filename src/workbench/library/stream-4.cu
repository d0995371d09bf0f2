// A copy, four floats per thread: all
// four loads are in flight together.
__global__ void stream_4(
    const float *in, float *out)
{
  int n = blockDim.x;
  int i = 4 * blockIdx.x * n
        + threadIdx.x;
  float a = in[i];
  float b = in[i + n];
  float c = in[i + 2 * n];
  float d = in[i + 3 * n];
  out[i] = a;
  out[i + n] = b;
  out[i + 2 * n] = c;
  out[i + 3 * n] = d;
}
