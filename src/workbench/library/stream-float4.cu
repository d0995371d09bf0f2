// A copy, a float4 a thread: one load
// of 16 bytes in flight for each.
__global__ void stream_float4(
    const float4 *in, float4 *out)
{
  int i = blockIdx.x * blockDim.x
        + threadIdx.x;
  out[i] = in[i];
}
