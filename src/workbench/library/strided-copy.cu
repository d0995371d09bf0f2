// Adjacent lanes read words a stride
// apart: a wider stride touches more
// segments and uses less of each.
__global__ void strided_copy(
    const float *in, float *out,
    int stride)
{
  int i = blockIdx.x * blockDim.x
        + threadIdx.x;
  out[i] = in[i * stride];
}
