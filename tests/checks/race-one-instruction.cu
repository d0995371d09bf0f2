// --arch tu102,gp104 --block 32 --args out:i32*1:zero
// All lanes of an instruction store to one element.
__global__ void last(int *out)
{
  __shared__ int winner;
  winner = threadIdx.x;
  __syncthreads();
  out[0] = winner;
}
