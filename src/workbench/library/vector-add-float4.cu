// Four elements per thread: each lane
// loads 128 bits, and one request of
// a warp covers 512 bytes.
__global__ void vector_add_float4(
    const float4 *a, const float4 *b,
    float4 *c, int n)
{
  int i = blockIdx.x * blockDim.x
        + threadIdx.x;
  if (i < n) {
    float4 p = a[i], q = b[i];
    c[i] = make_float4(
        p.x + q.x, p.y + q.y,
        p.z + q.z, p.w + q.w);
  }
}
