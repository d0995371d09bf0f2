// A copy, a float2 a thread: one load
// of 8 bytes in flight for each.
__global__ void stream_float2(
    const float2 *in, float2 *out)
{
  int i = blockIdx.x * blockDim.x
        + threadIdx.x;
  out[i] = in[i];
}
