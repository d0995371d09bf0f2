// The misaligned copy through the
// texture units, which fetch 32-byte
// lines, wherever the lanes start.
texture<float, 1> in;
__global__ void offset_copy_texture(
    float *out, int offset)
{
  int i = blockIdx.x * blockDim.x
        + threadIdx.x;
  out[i] = tex1Dfetch(in, i + offset);
}
