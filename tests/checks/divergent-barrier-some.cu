// --arch tu102,gp104 --block 64 --args in:i32*64:iota,out:i32*64:zero
// Only even threads reach the barrier.
__global__ void some(const int *in, int *out)
{
  __shared__ int tile[64];
  int t = threadIdx.x;
  tile[t] = in[t];
  if (t % 2 == 0)
    __syncthreads();
  out[t] = tile[t];
}
