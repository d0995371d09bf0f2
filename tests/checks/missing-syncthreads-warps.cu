// --arch tu102,gp104 --block 64 --args in:i32*64:iota,out:i32*64:zero
// Each thread reads what a thread of the other warp stores.
__global__ void reverse(const int *in, int *out)
{
  __shared__ int tile[2][32];
  int t = threadIdx.x;
  tile[t / 32][t % 32] = in[t];
  out[t] = tile[1 - t / 32][31 - t % 32];
}
