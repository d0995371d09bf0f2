// Counts in bins that are never set
// to zero: shared memory starts with
// whatever the last block left.
__global__ void mistake_unset(
    const int *in, int *out)
{
  __shared__ int bins[16];
  int t = threadIdx.x;
  atomicAdd(&bins[in[t] & 15], 1);
  __syncthreads();
  if (t < 16)
    out[t] = bins[t];
}
