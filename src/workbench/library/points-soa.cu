// A structure of arrays: each load of
// a warp reads 128 contiguous
// bytes.
__global__ void points_soa(
    const float *x, const float *y,
    const float *z, float *out)
{
  int i = blockIdx.x * blockDim.x
        + threadIdx.x;
  out[i] = x[i] * x[i]
         + y[i] * y[i]
         + z[i] * z[i];
}
