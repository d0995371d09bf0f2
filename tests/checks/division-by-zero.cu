// --arch tu102 --block 32 --args in:i32*32:iota,out:i32*32:zero
// The first divisor is zero.
__global__ void k(const int *in, int *out)
{
  int t = threadIdx.x;
  out[t] = 100 / in[t];
}
