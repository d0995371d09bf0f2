// --arch tu102 --block 64 --args out:i32*1:zero
// Threads count without an atomic operation. A barrier does not help.
__global__ void in_block(int *out)
{
  __shared__ int n;
  if (threadIdx.x == 0) n = 0;
  __syncthreads();
  n++;
  __syncthreads();
  if (threadIdx.x == 0) *out = n;
}
