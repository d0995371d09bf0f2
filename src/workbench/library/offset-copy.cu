// Lanes read consecutive words, but
// the argument moves the first one
// off the start of its segment.
__global__ void offset_copy(
    const float *in, float *out,
    int offset)
{
  int i = blockIdx.x * blockDim.x
        + threadIdx.x;
  out[i] = in[i + offset];
}
