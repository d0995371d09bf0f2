// 64 products in one chain: each
// waits for the previous one, and one
// warp cannot fill its scheduler.
__global__ void ilp_1(
    const float *in, float *out)
{
  int t = threadIdx.x;
  float a = in[t];
  for (int k = 0; k < 64; ++k)
    a = a * 0.5f + 1.0f;
  out[t] = a;
}
