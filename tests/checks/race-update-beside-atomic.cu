// --arch tu102 --block 64 --args out:i32*1:zero
// One thread adds with an atomic operation, the other without.
__global__ void mixed(int *out)
{
  __shared__ int n;
  if (threadIdx.x == 0)
    n = 0;
  __syncthreads();
  if (threadIdx.x < 32)
    atomicAdd(&n, 1);
  else
    n += 1;
  __syncthreads();
  if (threadIdx.x == 0)
    *out = n;
}
