// A grid-stride loop. Line 12 is one
// FFMA on Fermi and later, and one
// truncating FMAD on Tesla.
__global__ void saxpy(
    float a, const float *x,
    float *y, int n)
{
  int i = blockIdx.x * blockDim.x
        + threadIdx.x;
  int step = gridDim.x * blockDim.x;
  for (; i < n; i += step)
    y[i] = a * x[i] + y[i];
}
