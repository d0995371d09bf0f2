// --arch tu102 --block 32 --args in:i32*32:iota,out:i32*32:zero
// Only the first element is written; the array is in registers.
__global__ void k(const int *in, int *out)
{
  int t = threadIdx.x;
  int own[4];
  own[0] = in[t];
  out[t] = own[0] + own[1] + own[2];
}
