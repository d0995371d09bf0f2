// Copies elements in the order of a table, and leaves out those that a mask excludes.
__global__ void gather(const float *table, const int *index, const bool *skip, float *result, int n)
{
  int tid = threadIdx.x + blockIdx.x * blockDim.x;
  if (tid < n && !skip[tid])
    result[tid] = table[index[tid]];
}
