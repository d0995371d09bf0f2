// --arch tu102,gp104 --grid 8 --block 64 --args in:i32*512:iota,out:i32*8:unset,out:i32*1:unset,inout:u32*1:zero
// The last block adds up what the others left: a fence and an atomic counter order the accesses.
__global__ void sum(const int *in, volatile int *partial, int *total, unsigned *count)
{
  __shared__ int tile[64];
  __shared__ bool is_last;
  int t = threadIdx.x;
  tile[t] = in[blockIdx.x * 64 + t];
  __syncthreads();
  for (int stride = 32; stride > 0; stride /= 2) {
    if (t < stride)
      tile[t] += tile[t + stride];
    __syncthreads();
  }
  if (t == 0) {
    partial[blockIdx.x] = tile[0];
    __threadfence();
    is_last = atomicInc(count, gridDim.x) == gridDim.x - 1;
  }
  __syncthreads();
  if (is_last && t == 0) {
    int sum = 0;
    for (int i = 0; i < gridDim.x; i++)
      sum += partial[i];
    *total = sum;
  }
}
