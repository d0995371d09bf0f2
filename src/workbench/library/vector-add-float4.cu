// Four elements a thread: a load
// brings 128 bits a lane, and a warp
// asks for 512 bytes at once.
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
