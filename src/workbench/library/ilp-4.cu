// 64 products in four chains: Pascal
// and older gain again. Turing does
// not: two chains already fill its 16
// lanes.
__global__ void ilp_4(
    const float *in, float *out)
{
  int t = threadIdx.x;
  float a = in[t], b = a + 1;
  float c = a + 2, d = a + 3;
  for (int k = 0; k < 16; ++k) {
    a = a * 0.5f + 1.0f;
    b = b * 0.5f + 2.0f;
    c = c * 0.5f + 3.0f;
    d = d * 0.5f + 4.0f;
  }
  out[t] = (a + b) + (c + d);
}
