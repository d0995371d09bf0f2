// --arch tu102 --block 32 --args out:i32*32:zero
// Two arguments in the wrong order.
__device__ float scale(const float *v, int i, float f) { return v[i] * f; }
__global__ void k(float *out)
{
  int t = threadIdx.x;
  out[t] = scale(t, out, 2.0f);
}
