// The gather through the texture
// units. Tesla has no other cache for
// it; Fermi's L1 has more bandwidth.
texture<float, 1> table;
__global__ void gather_texture(
    const int *index, float *out)
{
  int i = blockIdx.x * blockDim.x
        + threadIdx.x;
  out[i] = tex1Dfetch(
    table, index[i]);
}
