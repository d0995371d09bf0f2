// --arch tu102 --block 32 --args in:f32*64:iota,out:f32*64:zero
// A float4 that begins at the second float.
__global__ void wide(const float *in, float *out)
{
  int t = threadIdx.x;
  if (t < 8) {
    float4 v = *(const float4 *)(in + 4 * t + 1);
    out[t] = v.x + v.y + v.z + v.w;
  }
}
