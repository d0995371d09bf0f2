// The misaligned copy through the
// texture units, which fetch lines of
// 32 bytes wherever a lane begins.
texture<float, 1> in;
__global__ void offset_copy_texture(
    float *out, int offset)
{
  int i = blockIdx.x * blockDim.x
        + threadIdx.x;
  out[i] = tex1Dfetch(in, i + offset);
}
