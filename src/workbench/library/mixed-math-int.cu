// Four chains of integers: from Volta
// on, the FP32 lanes are almost
// idle.
__global__ void mixed_math_int(
    int *iout, int *jout, int rounds)
{
  int i = blockIdx.x * blockDim.x
        + threadIdx.x;
  int p = i, q = ~i;
  int u = i + 1, v = i ^ 5;
  for (int r = 0; r < rounds; ++r) {
    p = (p ^ r) + q;
    u = (u ^ r) + v;
    q = (q ^ p) + r;
    v = (v ^ u) + r;
  }
  iout[i] = p + q;
  jout[i] = u + v;
}
