// --arch tu102,gp104 --block 32 --args in:i32*32:iota,out:i32*32:zero
// Lanes of a warp exchange values without __syncwarp(): an error from 7.0 on.
__global__ void neighbor(const int *in, int *out)
{
  __shared__ volatile int tile[32];
  int t = threadIdx.x;
  tile[t] = in[t];
  out[t] = tile[31 - t];
}
