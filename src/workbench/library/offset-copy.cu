// Lanes read neighbours, but the
// first of them lies off the start of
// a segment by the argument.
__global__ void offset_copy(
    const float *in, float *out,
    int offset)
{
  int i = blockIdx.x * blockDim.x
        + threadIdx.x;
  out[i] = in[i + offset];
}
