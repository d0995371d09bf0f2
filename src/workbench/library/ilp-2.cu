// 64 products in two chains: while
// one chain waits, the other issues.
__global__ void ilp_2(
    const float *in, float *out)
{
  int t = threadIdx.x;
  float a = in[t], b = a + 1;
  for (int k = 0; k < 32; ++k) {
    a = a * 0.5f + 1.0f;
    b = b * 0.5f + 2.0f;
  }
  out[t] = a + b;
}
