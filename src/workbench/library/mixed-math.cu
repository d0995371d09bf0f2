// Integers beside floats: at the
// same time on Volta and Turing, in
// turns on one pipe up to Pascal.
__global__ void mixed_math(
    float *fout, int *iout, int times)
{
  int i = blockIdx.x * blockDim.x
        + threadIdx.x;
  float a = i, b = i + 1;
  int p = i, q = ~i;
  for (int r = 0; r < times; ++r) {
    a = a * 1.5f + 0.25f;
    p = (p ^ r) + q;
    b = b * 0.5f + 2.0f;
    q = (q ^ p) + r;
  }
  fout[i] = a + b;
  iout[i] = p + q;
}
