// An index says where each lane
// reads. The words are the same,
// their order decides how many
// sectors it takes.
__global__ void gather(
    const float *table,
    const int *index, float *out)
{
  int i = blockIdx.x * blockDim.x
        + threadIdx.x;
  out[i] = table[index[i]];
}
