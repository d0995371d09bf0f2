// An index selects each lane's word.
// The set of words is the same; their
// order determines the number of
// sectors.
__global__ void gather(
    const float *table,
    const int *index, float *out)
{
  int i = blockIdx.x * blockDim.x
        + threadIdx.x;
  out[i] = table[index[i]];
}
