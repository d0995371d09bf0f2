// --arch tu102,gp104 --block 64 --args in:i32*64:iota,out:i32*64:zero
// Both sides have a barrier of their own.
__global__ void sides(const int *in, int *out)
{
  __shared__ int tile[64];
  int t = threadIdx.x;
  if (in[t] % 2 == 0) {
    tile[t] = 1;
    __syncthreads();
  } else {
    tile[t] = 2;
    __syncthreads();
  }
  out[t] = tile[63 - t];
}
