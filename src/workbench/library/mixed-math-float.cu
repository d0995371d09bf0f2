// Four chains of floats: from Volta
// on, the INT32 lanes are idle.
__global__ void mixed_math_float(
    float *fout, float *gout,
    int rounds)
{
  int i = blockIdx.x * blockDim.x
        + threadIdx.x;
  float a = i, b = i + 1;
  float c = i + 2, d = i + 3;
  for (int r = 0; r < rounds; ++r) {
    a = a * 0.5f + 0.25f;
    b = b * 0.5f + 2.0f;
    c = c * 0.5f + 1.0f;
    d = d * 0.5f + 4.0f;
  }
  fout[i] = a + b;
  gout[i] = c + d;
}
